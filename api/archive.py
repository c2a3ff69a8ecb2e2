"""What `tapete export` and `tapete import` do: whole matches, event by event as they are stored, one JSON line each.

Everything of a match is stored or nothing, and nothing twice. docs/record.md has the lines. Read beside it:
store/archive.py (the database), domain/record.py (a match as a text for people).
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO

import click
import psycopg
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from api.schemas import ID
from domain import play, seen
from domain.event import Event, Job, rfc3339
from domain.match import Match, fold
from store import archive, db, players
from store.archive import Entry, Row
from store.db import Connection
from store.events import ENCODE, Events, chained, genesis

HEADING = {"tapete_archive": 1}  # the first line, with the version of the file
PAGE = 50  # matches read at once
BATCH = 5_000  # events stored at once, or a whole match
ACCOUNTS = frozenset({"host", "player", "by"})  # fields of events that name a player
BROKEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)


class Refusal(NamedTuple):
    """A match that was not stored, or a line that is none; `line` counts from 1."""

    line: int
    match: str
    why: str


class RefusedError(ValueError):
    """Why a line, or the match that begins there, is not stored."""


class Line(NamedTuple):
    """One line of the file, and its number."""

    number: int
    stream: str
    version: int
    text: str
    hash: bytes
    at: datetime


class Whole(NamedTuple):
    """A match that can be stored."""

    line: int
    match: str
    rows: list[Row]
    entry: Entry
    following: list[Job]


# Out


def save(database_url: str, matches: Sequence[str], every: bool, out: TextIO) -> None:
    """Write these matches, or all there are, to `out`. Raises ClickException when one of them does not exist."""
    with _connection(database_url) as conn, _bar("exporting") as bar:
        task = bar.add_task("exporting", total=archive.count(conn, None if every else matches))
        out.write(ENCODE(HEADING) + "\n")
        for page in _all(conn) if every else [list(dict.fromkeys(matches))]:
            rows = archive.rows(conn, page)
            missing = set(page) - {row.stream for row in rows}
            if missing:
                raise click.ClickException(f"there is no match {', '.join(sorted(missing))}")
            out.writelines(map(_written, rows))
            bar.advance(task, len(rows))


def _all(conn: Connection) -> Iterator[list[str]]:
    events, page = Events(conn), [""]
    while page := events.streams(page[-1], PAGE):
        yield page


def _written(row: Row) -> str:
    head = {"match": row.stream, "version": row.version, "at": rfc3339(row.at)}
    return ENCODE({**head, "hash": row.hash.hex(), "text": row.text}) + "\n"


# In


def load(database_url: str, file: Path, mapping: Path | None) -> int:
    """Store the matches of a file, and show what was refused; the exit code is 1 where something was."""
    with _connection(database_url) as conn, _bar("importing") as bar:
        accounts = _accounts(conn, mapping) if mapping else {}
        reader = _Reader(accounts)
        tally = _Tally()
        batch: list[Whole] = []
        with bar.open(file, "rb", description="importing") as lines:
            _begin(file, lines)
            for whole in reader.matches(lines):
                if whole.match in {each.match for each in batch} or sum(len(each.rows) for each in batch) >= BATCH:
                    tally.add(conn, batch)
                    batch = []
                batch.append(whole)
        tally.add(conn, batch)
    return _report(tally, reader.refusals, bool(accounts))


def _begin(file: Path, lines: IO[bytes]) -> None:
    try:
        begins = json.loads(lines.readline()) == HEADING
    except ValueError:
        begins = False
    if not begins:
        raise click.ClickException(f"{file}, line 1: an archive begins with {ENCODE(HEADING)}")


def _accounts(conn: Connection, file: Path) -> dict[str, str]:
    """old,new in each line. Raises ClickException where a new one does not exist."""
    with file.open(newline="", encoding="utf-8-sig") as lines:
        rows = [row for row in csv.reader(lines) if row]
    accounts = {}
    for number, row in enumerate(rows, 1):
        if len(row) != 2 or not all(re.fullmatch(ID, each) for each in row):
            raise click.ClickException(f"{file}, line {number}: a line is an old id, a comma and a new id")
        accounts[row[0]] = row[1]
    accounts.pop("old", None)  # the heading
    unknown = set(accounts.values()) - players.names(conn, accounts.values()).keys()
    if unknown:
        raise click.ClickException(f"{file}: there is no player {', '.join(sorted(unknown))}")
    return accounts


class _Reader:
    """Whole matches out of lines; what cannot be one is in `refusals`."""

    def __init__(self, accounts: Mapping[str, str]) -> None:
        self.accounts = accounts
        self.refusals: list[Refusal] = []

    def matches(self, lines: Iterable[bytes]) -> Iterator[Whole]:
        """Every match that can be stored, in order."""
        own: list[Line] = []
        for number, raw in enumerate(lines, 2):
            try:
                line = _line(number, raw)
            except BROKEN as broken:
                self.refusals.append(Refusal(number, own[0].stream if own else "", f"no line of an archive: {broken}"))
                continue
            if line is None:  # a heading: several files may stand in one
                continue
            if own and line.stream != own[0].stream:
                yield from self._whole(own)
                own = []
            own.append(line)
        if own:
            yield from self._whole(own)

    def _whole(self, own: list[Line]) -> Iterator[Whole]:
        try:
            yield _whole(own, self.accounts)
        except RefusedError as refusal:
            self.refusals.append(Refusal(own[0].number, own[0].stream, str(refusal)))
        except BROKEN as broken:
            self.refusals.append(Refusal(own[0].number, own[0].stream, f"is no history of a match: {broken!r}"))


def _line(number: int, raw: bytes) -> Line | None:
    """The event of a line; None for the heading."""
    found = json.loads(raw)
    if found == HEADING:
        return None
    at = datetime.fromisoformat(found["at"])
    if not re.fullmatch(ID, found["match"]) or not isinstance(found["text"], str) or at.tzinfo is None:
        raise RefusedError("an event has match, version, at, hash and text")
    return Line(number, found["match"], int(found["version"]), found["text"], bytes.fromhex(found["hash"]), at)


def _whole(own: list[Line], accounts: Mapping[str, str]) -> Whole:
    """The match that these lines make. Raises RefusedError where they do not hang together."""
    stream, before, events = own[0].stream, genesis(own[0].stream), list[Event]()
    for expected, line in enumerate(own, 1):
        if line.version != expected:
            raise RefusedError(f"line {line.number}: version {expected} is missing")
        if chained(before, line.text) != line.hash:
            raise RefusedError(f"line {line.number}: the text is not the one that was hashed")
        data = json.loads(line.text)
        events.append(Event(data.pop("type"), data, expected, line.at, line.hash.hex()))
        before = line.hash
    m = fold(stream, events)
    texts = [line.text for line in own]
    mapped = [Event(e.type, _mapped(e.data, accounts), e.version, e.at) for e in events] if accounts else events
    if any(new.data != old.data for new, old in zip(mapped, events, strict=True)):
        mapped[0].data["rehashed_from"] = _safe_hash(m, events)
        m, texts = fold(stream, mapped), [ENCODE({"type": e.type, **e.data}) for e in mapped]
    following, listing = play.resumed(m, mapped)
    assert listing
    created = m.times["created"]
    assert created
    entry = Entry(stream, listing, created, m.times.get("started"), m.times.get("ended"))
    return Whole(own[0].number, stream, list(_rows(stream, mapped, texts)), entry, following)


def _mapped(data: Any, accounts: Mapping[str, str]) -> Any:
    """The same with other accounts."""
    if isinstance(data, list):
        return [_mapped(each, accounts) for each in data]
    if not isinstance(data, dict):
        return data
    return {
        name: accounts.get(value, value) if name in ACCOUNTS and isinstance(value, str) else _mapped(value, accounts)
        for name, value in data.items()
    }


def _safe_hash(m: Match, events: Sequence[Event]) -> dict[str, Any] | None:
    """The last hash of the original chain that may be shown: it goes into an event that everybody reads."""
    shown = (seen.event(m, event, None) for event in reversed(events))
    return next(({"version": event["version"], "hash": event["hash"]} for event in shown if event["hash"]), None)


def _rows(stream: str, events: Sequence[Event], texts: Sequence[str]) -> Iterator[Row]:
    before = genesis(stream)
    for event, text in zip(events, texts, strict=True):
        own = chained(before, text)
        assert event.at
        yield Row(stream, event.version, event.type, text, before, own, event.at)
        before = own


class _Tally:
    """What has become of the matches."""

    def __init__(self) -> None:
        self.stored, self.events, self.skipped = 0, 0, 0
        self.refusals: list[Refusal] = []

    def add(self, conn: Connection, batch: Sequence[Whole]) -> None:
        """Store those that are not stored already, all of them or none."""
        while True:
            try:
                return self._add(conn, batch)
            except psycopg.errors.UniqueViolation:
                continue  # somebody else has just stored one of them: look again

    def _add(self, conn: Connection, batch: Sequence[Whole]) -> None:
        once = {whole.match: whole for whole in batch}
        found = archive.stored(conn, {match: len(whole.rows) for match, whole in once.items()})
        new = [whole for whole in once.values() if whole.match not in found]
        rows = (row for whole in new for row in whole.rows)
        following = [job for whole in new for job in whole.following]
        archive.store(conn, rows, [whole.entry for whole in new], following)
        self.stored += len(new)
        self.events += sum(len(whole.rows) for whole in new)
        for match, there in found.items():
            if there.hash == once[match].rows[-1].hash:
                self.skipped += 1
            else:
                why = f"another match of this id is stored, through version {there.version}"
                self.refusals.append(Refusal(once[match].line, match, why))


def _report(tally: _Tally, refusals: Sequence[Refusal], mapped: bool) -> int:
    console = Console(soft_wrap=True, highlight=False)
    refused = sorted([*tally.refusals, *refusals])
    if refused:
        table = Table("line", "match", "refused because")
        for line, match, why in refused:
            table.add_row(str(line), Text(match, no_wrap=True), Text(why))
        console.print(table)
    there, hashed = f"there already: {tally.skipped}", ", hashed anew where an account changed" if mapped else ""
    console.print(f"imported: {tally.stored} ({tally.events} events{hashed}), {there}, refused: {len(refused)}")
    return 1 if refused else 0


@contextmanager
def _connection(database_url: str) -> Iterator[Connection]:
    try:
        with db.pool(database_url, size=1) as pool, db.connection(pool) as conn:
            yield conn
    except db.UnavailableError as away:
        raise click.ClickException(f"the database does not answer: {away}") from None


def _bar(what: str) -> Progress:
    columns = (TextColumn(what), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
