"""A text record played again: the house deals from its packs and seeds, its words are said, and everything that the
record claims is held against what comes of it.

Read beside it: record.py (the tree), record_shape.py (what is checked before), decide.py and house.py (the rules).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from itertools import zip_longest
from typing import Any

from domain import decide, errors
from domain.house import house
from domain.match import Match, asked, emit
from domain.record import NONE, TIMES, Pages, Tree, tree
from domain.record_shape import RecordError, check
from domain.rules import ENDINGS, Game, OptionsError, effective, games, recorded
from domain.secrecy import UNKNOWN, options_json

LARGEST = 1_000  # of a number in a table that is set by variants

BROKEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)


def replay(given: Tree, host: str, visibility: str) -> tuple[Match, Tree]:
    """The match of a record, over, its events in `fresh`; and the record in its canonical form.

    `host` is who imports it. Raises RecordError that names the first place at fault.
    """
    check(given)
    table = _Table(given)
    try:
        table.play(_opened(given, host, visibility))
    except RecordError:
        raise
    except errors.RefusedError as refusal:
        raise RecordError(table.place, str(refusal)) from None
    except BROKEN as broken:
        raise RecordError(table.place, f"cannot be played: {broken!r}"[:200]) from None
    made = tree(table.m, table.events(), [player.get("label") for player in given["players"]])
    for name in ("status", "prepared", "result", "voided"):
        _compare(made, given, name, name)
    return table.m, made


def _opened(given: Tree, host: str, visibility: str) -> dict[str, Any]:
    game = games().get(given["game"])
    if game is None:
        raise RecordError("game", f"{given['game']!r} is none of {', '.join(games())}")
    if given["rules"] > game.RULES:
        raise RecordError("rules", f"this server knows the rules of {game.id} up to number {game.RULES}")
    options = _options(game, given)
    original = {name: given[f"{name}_at"] for name in TIMES if f"{name}_at" in given}
    return {
        "game": game.id,
        "variant": given["variant"],
        "rules": given["rules"],
        "options": options_json(options),
        "seats": [{"bot": player["bot"]} if "bot" in player else {} for player in given["players"]],
        "host": host,
        "visibility": visibility,
        "rated": False,
        "clock": None,
        "fair": given["fair"],
        **_prepared(game, options, given),
        "imported": True,
        "record": {
            "match": given["match"],
            "rated": given["rated"],
            "clock": _own(given.get("clock")),
            **original,
        },
    }


def _options(game: Game, given: Tree) -> Any:
    """The match's options: house rules as any match may have them, and tables of the same shape as this server's."""
    said, defaults = given["options"], options_json(game.Options())
    if not isinstance(said, dict):
        raise RecordError("options", "is no table")
    unknown = [name for name in said if name not in defaults and not name.startswith("_")]
    if unknown:
        raise RecordError(f"options.{unknown[0][:40]}", f"no such option of {game.id}")
    plain = {name: _value(name, _own(value)) for name, value in said.items() if name in defaults}
    fixed = {f.name for f in fields(game.Options) if f.metadata.get("fixed")}
    full = {name: plain.get(name, defaults[name]) for name in defaults}
    asked = {n: list(v) if isinstance(v, tuple) else v for n, v in full.items() if n not in fixed}
    try:
        usual = options_json(effective(game, given["variant"], asked, len(given["players"])))
    except OptionsError as refusal:
        place, what = next(iter(refusal.errors.items()))
        raise RecordError(place, what) from None
    for name in fixed:
        if not _alike(usual[name], full[name]):
            raise RecordError(f"options.{name}", "is no table of this game")
    return recorded(game, full)


def _value(name: str, value: Any) -> Any:
    return None if value == NONE and name in ENDINGS else value


def _alike(usual: Any, value: Any) -> bool:
    """Whether a table that variants set has the usual shape. An older one may hold other numbers."""
    if isinstance(usual, Mapping):
        if not isinstance(value, Mapping) or value.keys() != usual.keys():
            return False
        words = {word for each in usual.values() if isinstance(each, str) for word in each.split()}
        return all(
            isinstance(value[name], str) and words.issuperset(value[name].split())
            if isinstance(usual[name], str)
            else _alike(usual[name], value[name])
            for name in usual
        )
    if isinstance(usual, bool) or not isinstance(usual, int):
        return bool(value == usual)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _prepared(game: Game, options: Any, given: Tree) -> dict[str, Any]:
    """The packs that were not shuffled: those without a seed, before all others."""
    canonical = sorted(game.pack(options, list(range(len(given["players"])))))
    packs = []
    for number, deal in enumerate(given["deals"]):
        if "seed" in deal or deal.get("extra", True):
            break
        packs.append(deal["pack"].split(" "))
        if sorted(packs[-1]) != canonical:
            raise RecordError(f"deals.{number}.pack", f"the pack has {len(canonical)} cards, each once")
    return {"packs": packs, "dealer": given["deals"][0]["dealer"]} if packs else {}


def _compare(made: Tree, given: Tree, name: str, place: str) -> None:
    if made.get(name) != _own(given.get(name)):
        raise RecordError(place, f"should be {repr(made[name])[:200]}" if name in made else "should not be there")


def _own(value: Any) -> Any:
    """Without the keys that are the user's."""
    if isinstance(value, dict):
        return {name: below for name, below in value.items() if not name.startswith("_")}
    return value


class _Table:
    """Where the record is played. `place` is where it stands, for whoever has to say what is wrong."""

    def __init__(self, given: Tree) -> None:
        self.given = given
        self.m = Match(given["match"])  # under its own id, for the shuffles
        self.place = "options"
        self.pages = Pages(self.m)
        self.written = 0  # events, on the pages

    def events(self) -> list[Tree]:
        return [{"type": event.type, **event.data} for event in self.m.fresh]

    def play(self, opened: dict[str, Any]) -> None:
        """All of it. Raises RecordError, or what the house refuses it by."""
        decide.open_match(self.m, opened, self.draw)
        for number, deal in enumerate(self.given["deals"]):
            self._deal(number, deal)
        if "voided" in self.given:
            self.place = "voided"
            decide.void(self.m, None, self.given["voided"]["reason"])
        if not self.m.over:
            raise RecordError(self.place, self._not_over())

    def draw(self) -> bytes:
        """The seed of the deal that is due."""
        number = self.m.dealt["deal"] if self.m.dealt else 0
        if number >= len(self.given["deals"]):
            raise RecordError(f"deals.{number}", "is missing: the match goes on")
        if "seed" not in self.given["deals"][number]:
            raise RecordError(f"deals.{number}.seed", "is missing")
        return bytes.fromhex(self.given["deals"][number]["seed"])

    def _deal(self, number: int, deal: Tree) -> None:
        self._compare(number, deal, ("number", "extra", "seats", "commitment", "seed", "shuffled_as"))
        for at, said in enumerate(deal.get("nonces", ())):
            if at >= len(self._made(number).get("nonces", ())):  # those that the house gives are there
                self._say(number, f"nonces.{at}", said)
        self._compare(number, deal, ("nonces", "dealer", "pack"))
        words = deal.get("words", ())
        for at, (said, after) in enumerate(zip_longest(words, words[1:], fillvalue="")):
            self._say(number, f"words.{at}", said)
            if not after.startswith("!replaced"):  # which comes before what the house does
                house(self.m, self.draw)
        if "points" in deal and "points" not in self._made(number) and self.m.to_act:
            raise RecordError(f"deals.{number}.words", self._not_over())
        self._compare(number, deal, ("points", "totals"))

    def _compare(self, number: int, deal: Tree, names: Iterable[str]) -> None:
        self.place = f"deals.{number}"
        made = self._made(number)
        for name in names:
            _compare(made, deal, name, f"deals.{number}.{name}")

    def _made(self, number: int) -> Tree:
        """What has come of a deal so far."""
        for event in self.m.fresh[self.written :]:
            self.pages.write({"type": event.type, **event.data})
        self.written = len(self.m.fresh)
        if number < len(self.pages.deals):
            return self.pages.deals[number]
        if self.m.over:
            raise RecordError(self.place, "the match was over before")
        raise RecordError(f"deals.{number - 1}.words", self._not_over())

    def _not_over(self) -> str:
        return f"the deal is not over: seats {self.m.to_act} owe a word"

    def _say(self, number: int, place: str, said: str) -> None:
        self.place = f"deals.{number}.{place}"
        if self.m.over or self._begun() > number + 1:
            raise RecordError(self.place, f"deal {number + 1} was over before {said!r}")
        what, _, rest = said.partition(" ")
        seat = int(rest.partition(" ")[0] if what.startswith("!") else what)
        if seat >= len(self.m.seats):
            raise RecordError(self.place, f"the match has seats 0 to {len(self.m.seats) - 1}, not {seat}")
        if what.startswith("!"):
            return _BEFALL[what[1:]](self, seat, rest.partition(" ")[2])
        if self.m.committed:
            return decide.nonce(self.m, seat, number + 1, bytes.fromhex(rest))
        return self._word(seat, rest)

    def _word(self, seat: int, word: str) -> None:
        spelled = self.m.game.spell(word)
        if spelled not in decide.legal(self.m, seat):
            hidden = " (a record with hidden words cannot be imported)" if word == UNKNOWN else ""
            raise RecordError(self.place, f"{word!r} is not legal for seat {seat} in deal {self._begun()}{hidden}")
        emit(self.m, "moved", seat=seat, move=spelled)

    def _begun(self) -> int:
        """The number of the deal that has begun last."""
        begun = self.m.committed or self.m.dealt
        return int(begun["deal"]) if begun else 0

    def _expired(self, seat: int, bot: str) -> None:
        """The word that the clock then says for the seat follows as any other."""
        if not self.given.get("clock"):
            raise RecordError(self.place, "the match has no clock")
        if seat not in asked(self.m):
            raise RecordError(self.place, f"seat {seat} owes no word")
        emit(self.m, "expired", seat=seat)

    def _resigned(self, seat: int, bot: str) -> None:
        self._person(seat)
        decide.resign(self.m, seat)

    def _replaced(self, seat: int, bot: str) -> None:
        self._person(seat)
        emit(self.m, "replaced", seat=seat, bot=bot)

    def _returned(self, seat: int, bot: str) -> None:
        if not self.m.seats[seat].replaced_by:
            raise RecordError(self.place, f"no bot has replaced seat {seat}")
        emit(self.m, "replaced", seat=seat, bot=None)

    def _person(self, seat: int) -> None:
        if self.m.seats[seat].bot:
            raise RecordError(self.place, f"seat {seat} is a bot's")


_BEFALL: dict[str, Callable[[_Table, int, str], None]] = {
    "expired": _Table._expired, "resigned": _Table._resigned,
    "replaced": _Table._replaced, "returned": _Table._returned,
}  # fmt: skip
