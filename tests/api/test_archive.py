"""`tapete export` and `tapete import` between two real databases. Beside it: api/archive.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result

from api.cli import main
from domain import play, scoring
from domain.match import Match
from store import db, jobs, ledger, matches, players
from store.events import Events, chain_faults
from store.matches import Filters
from tests.conftest import _database, _name
from workers.work import work_off

draw = partial(token_bytes, 32)
BOT: dict[str, Any] = {"bot": "rule"}


@pytest.fixture(scope="module")
def there(postgres_url: str, template: str) -> Iterator[str]:
    """The database of another server, by its URL."""
    with _database(postgres_url, _name(), template) as url:
        yield url


@pytest.fixture(scope="module")
def here(database_url: str) -> Iterator[db.Connection]:
    with db.pool(database_url, size=2) as pool, db.connection(pool) as conn:
        yield conn


def run(url: str, *words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], env={"DATABASE_URL": url}, catch_exceptions=False)


def played(conn: db.Connection, *seats: dict[str, Any], words: int = 10**6, **more: Any) -> Match:
    """A match of one deal, as far as so many words of bots."""
    proposal = play.Proposal("polignac", seats or [BOT] * 4, options={"deals": 1}, **more)
    m = play.open_match(Events(conn), token_hex(8), "p-host", proposal, draw).match
    while not m.over and words > 0 and (decision := play.bot_turn(Events(conn), m.id, m.version, draw)):
        m = decision.commit(Events(conn)).match
        words -= 1
    return m


def saved(url: str, file: Path, *words: str) -> list[str]:
    result = run(url, "export", *(words or ["--all"]))
    assert result.exit_code == 0, result.output
    file.write_text(result.stdout)
    return result.stdout.splitlines(keepends=True)


def everything(conn: db.Connection, match: str) -> list[Any]:
    query = "select version, kind, type, text, prev_hash, hash, recorded_at from event where stream_id = %s order by 1"
    return conn.execute(query, [match]).fetchall()


def row(conn: db.Connection, match: str) -> list[Any]:
    return conn.execute("select * from match where id = %s", [match]).fetchall()


@pytest.fixture(scope="module")
def archive(
    here: db.Connection, database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[Match]]:
    """An archive of an ended, a running, an open and a voided match, of `here`."""
    ended, running = played(here), played(here, words=20)
    waiting = played(here, {"open": True}, BOT, BOT, visibility="private")
    voided = played(here, {"open": True}, BOT, BOT)
    play.void(Events(here), voided.id, "p-host", None)
    file = tmp_path_factory.mktemp("archive") / "all.ndjson"
    saved(database_url, file)
    return file, [ended, running, waiting, voided]


def test_an_archive_moves_to_another_server_exactly_and_twice_is_once(
    archive: tuple[Path, list[Match]], here: db.Connection, there: str
) -> None:
    file, made = archive
    first, again = run(there, "import", file), run(there, "import", file)
    assert (first.exit_code, again.exit_code) == (0, 0), first.output
    assert first.stdout.startswith("imported: 4 (")
    assert again.stdout == "imported: 0 (0 events), there already: 4, refused: 0\n"
    with psycopg.connect(there, autocommit=True) as conn:
        for m in made:
            assert everything(conn, m.id) == everything(here, m.id)
            assert row(conn, m.id) == row(here, m.id)
            assert chain_faults(conn, m.id) == []
    assert run(there, "audit", "--all").exit_code == 0


def test_what_has_to_follow_follows_there(archive: tuple[Path, list[Match]], there: str) -> None:
    """A running match goes on with its bots, and an ended one gets its ledger, as the jobs are worked off."""
    file, (ended, running, waiting, _) = archive
    run(there, "import", file)
    with db.pool(there, size=2) as pool, db.connection(pool) as conn:
        assert [place.id for place in matches.page(conn, "p-host", Filters(status="open"), 10)] == [waiting.id]
        assert jobs.awaited(conn, f"lapse:{waiting.id}") == [f"lapse:{waiting.id}"]
        for m in (ended, running):
            while awaited := jobs.awaited(conn, f"bot_turn:{m.id}:") + jobs.awaited(conn, f"tally:{m.id}:"):
                for key in awaited:
                    work_off(conn, key)
            events = Events(conn).read_all(m.id).events
            assert play.load(Events(conn), m.id).over
            assert sorted(map(str, ledger.transfers_of(conn, m.id))) == sorted(
                map(str, scoring.transfers(m.id, events))
            )
    result = run(there, "import", file)
    assert result.exit_code == 0, "what has gone on since is there already"
    assert "there already: 4" in result.stdout


def spoiled(change: Callable[[dict[str, Any]], None]) -> Callable[[str], str]:
    def spoil(line: str) -> str:
        event = json.loads(line)
        change(event)
        return json.dumps(event) + "\n"

    return spoil


WRONG: dict[str, Callable[[str], str]] = {
    "the text is not the one that was hashed": spoiled(lambda e: e.update(text=e["text"].replace("moved", "moVed"))),
    "version 9 is missing": lambda line: "",
    "no line of an archive": lambda line: line[:-10] + "\n",
    "no line of an archive: ": lambda line: "[]\n",
    "is missing": spoiled(lambda e: e.update(version=99)),
    "hashed": spoiled(lambda e: e.update(hash="00" * 32)),
    "no line": spoiled(lambda e: e.update(match="no id!")),
    "no  line": spoiled(lambda e: e.update(at="yesterday")),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_match_with_a_bad_line_is_refused_by_its_number_and_the_others_are_stored(
    here: db.Connection, database_url: str, there: str, tmp_path: Path, what: str
) -> None:
    broken, sound = played(here), played(here)
    file = tmp_path / "file"
    lines = saved(database_url, file, broken.id, sound.id)
    at = next(n for n, line in enumerate(lines) if json.loads(line).get("match") == broken.id) + 8
    file.write_text("".join([*lines[:at], WRONG[what](lines[at]), *lines[at + 1 :]]))
    result = run(there, "import", file)
    assert result.exit_code == 1
    said = re.sub(r"[\s│┃]+", " ", result.stdout)
    assert what.replace("  ", " ").strip() in said
    assert broken.id in said
    assert f"{at + 1}" in said
    with psycopg.connect(there, autocommit=True) as conn:
        assert everything(conn, broken.id) == []
        assert everything(conn, sound.id) == everything(here, sound.id)


def test_another_match_under_the_same_id_is_refused_by_name(
    here: db.Connection, database_url: str, there: str, tmp_path: Path
) -> None:
    m = played(here, words=5)
    file = tmp_path / "file"
    lines = saved(database_url, file, m.id)
    file.write_text("".join(lines[:-2]))
    assert run(there, "import", file).exit_code == 0
    file.write_text("".join(lines))
    result = run(there, "import", file)
    assert result.exit_code == 1
    assert m.id in result.stdout
    assert "another match of this id is stored" in result.stdout


def test_accounts_are_mapped_hashed_anew_and_the_original_hash_is_kept(
    here: db.Connection, database_url: str, there: str, tmp_path: Path
) -> None:
    new = token_hex(8)
    players.create(here, "p-old", "Ana")
    with psycopg.connect(there, autocommit=True) as conn:
        players.create(conn, new, "Ana")
    m = played(here, {"player": "p-old"}, BOT, BOT)
    play.void(Events(here), m.id, "p-host", None)
    file, accounts = tmp_path / "file", tmp_path / "accounts.csv"
    lines = saved(database_url, file, m.id)
    accounts.write_text(f"old,new\np-old,{new}\np-host,nobody\n")
    assert "nobody" in run(there, "import", file, "--map", accounts).output
    accounts.write_text(f"old,new\np-old,{new}\n")
    for said in ("imported: 1", "there already: 1"):
        result = run(there, "import", file, "--map", accounts)
        assert result.exit_code == 0, result.output
        assert said in result.stdout
    with psycopg.connect(there, autocommit=True) as conn:
        events = Events(conn).read_all(m.id).events
        assert chain_faults(conn, m.id) == []
        assert events[0].data["seats"][0] == {"player": new}
        assert events[0].data["host"] == "p-host"
        last = json.loads(lines[-1])
        assert events[0].data["rehashed_from"] == {"version": last["version"], "hash": last["hash"]}
        assert [place.id for place in matches.page(conn, None, Filters(player=new), 10)] == [m.id]
    assert run(there, "audit", m.id).exit_code == 0


def test_what_is_no_archive_is_refused_in_one_line(there: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    for text in ("", "{}\n", "\x00\xff", '{"tapete_archive":2}\n'):
        file.write_text(text)
        result = run(there, "import", file)
        assert result.exit_code == 1
        assert "line 1" in result.output
    assert run(there, "export").exit_code == 2
    assert "there is no match nowhere" in run(there, "export", "nowhere").output
