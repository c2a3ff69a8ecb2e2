"""`python -m tests.games.golden GAME …` writes the golden deals of these games, or of all of them."""

import click

from domain import rules
from tests.games.golden import write


@click.command()
@click.argument("game", nargs=-1, type=click.Choice(sorted(rules.games())))
def main(game: tuple[str, ...]) -> None:
    """Write golden deals anew. Look at `git diff` before they are kept: every changed line is a changed game."""
    for name in game or rules.games():
        for file, count in write(rules.games()[name]):
            click.echo(f"{file.name}: {count} deals")


main()
