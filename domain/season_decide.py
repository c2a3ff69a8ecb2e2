"""What may be added to a season: each function refuses by name or emits events. Pure, like decide.py for a match.

Every function takes the Season first, then who asks; it emits into `s.fresh`, which the caller appends to the stream.
Ids (members, sheets, adjustments, notes) are made by the caller; no text is ever given here. Read beside it: season.py,
season_results.py (sheets, confirmations, rulings, corrections), season_rounds.py (drawing), season_errors.py.

    s = Season("se1", now=history.now)
    open_season(s, Caller("p1", True), league="l1", game="polignac", scheme={"kind": "places"}, lot="5e…")
    add_member(s, Caller("p1", True), "me1", player="p2"); add_member(s, Caller("p1", True), "me2")   # a guest
    close(s, Caller("p1", True))
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from domain import schemes
from domain.rules import Game, OptionsError, effective, games
from domain.season import Season, Sitting, Table, emit, time_of
from domain.season_errors import (
    GuestAtTableError,
    MemberTakenError,
    NoSuchEntryError,
    NotAtTableError,
    NotMemberError,
    NotOrganiserError,
    SeasonClosedError,
    StillOpenError,
    TwiceAtTableError,
    WrongStatusError,
)
from domain.season_scoring import sums
from domain.secrecy import options_json
from domain.tie_breaks import TIE_BREAKS

Entry = TypeVar("Entry")
DEFAULT_TIE_BREAKS = ("wins", "head_to_head", "points")
ADJUSTMENTS = {"bonus": (1, None), "penalty": (None, -1), "adjustment": (None, None)}  # least and most units


class Caller(NamedTuple):
    """Who asks: an account, or nobody (the house, after a match), and whether he organises the league."""

    player: str | None
    organises: bool = False


# The season and its members


def open_season(
    s: Season,
    who: Caller,
    *,
    league: str,
    game: str,
    lot: str,
    variant: str | None = None,
    options: Mapping[str, Any] | None = None,
    scheme: Mapping[str, Any] | None = None,
    tie_breaks: Sequence[str] | None = None,
    starts: str | None = None,
    ends: str | None = None,
) -> None:
    """A new season, recorded in full: the options for each size of table, the scheme with all its defaults.

    `given` repeats the options as a match is opened with them. `lot` is a seed for the tie-break of that name; `starts`
    and `ends` are ISO dates. Raises OptionsError by field.
    """
    organiser(who)
    emit(
        s, "opened", league=league, by=who.player, lot=lot, starts=starts, ends=ends,
        **played(game, variant, options or {})._asdict(), **_scoring(scheme, tie_breaks),
    )  # fmt: skip


class Played(NamedTuple):
    """What a season plays: the options of each size of table, and as they were given."""

    game: str
    variant: str
    rules: int
    options: dict[str, dict[str, Any]]
    given: dict[str, Any]


def played(game: str, variant: str | None, options: Mapping[str, Any]) -> Played:
    """What a season would play. Raises OptionsError by field."""
    rules = games().get(game)
    if rules is None:
        raise OptionsError({"game": f"{game!r} is none of {', '.join(games())}"})
    variant = variant or next(iter(rules.VARIANTS))
    return Played(game, variant, rules.RULES, _options(rules, variant, options), dict(options))


def _options(game: Game, variant: str, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Whole options by size of table, for every size that can be played with what was given."""
    found: dict[str, dict[str, Any]] = {}
    refused: OptionsError | None = None
    preset = game.VARIANTS.get(variant)
    for seats in preset.seats if preset else [0]:
        try:
            found[str(seats)] = options_json(effective(game, variant, given, seats))
        except OptionsError as error:
            refused = error
    if refused and not found:
        raise refused
    return found


def _scoring(scheme: Mapping[str, Any] | None, tie_breaks: Sequence[str] | None) -> dict[str, Any]:
    chain = list(DEFAULT_TIE_BREAKS if tie_breaks is None else tie_breaks)
    unknown = [name for name in chain if name not in TIE_BREAKS]
    if unknown or len(set(chain)) < len(chain):
        what = f"{unknown[0]!r:.40} is none of {', '.join(TIE_BREAKS)}" if unknown else "each tie-break once"
        raise OptionsError({"tie_breaks": what})
    return {"scheme": schemes.complete(scheme or {"kind": "places"}), "tie_breaks": chain}


def change_scheme(
    s: Season, who: Caller, scheme: Mapping[str, Any], tie_breaks: Sequence[str] | None, note: str
) -> None:
    """Another scheme for the whole season, results that are in included; the change and its note stay in sight."""
    organiser(who)
    running(s)
    emit(s, "scheme_changed", by=who.player, note=note, **_scoring(scheme, tie_breaks))


def add_member(s: Season, who: Caller, member: str, player: str | None = None) -> None:
    """A player or, without an account, a guest; late joiners too. One who left comes back under the same id."""
    organiser(who)
    running(s)
    known = s.members.get(member)
    if known and known.active:
        raise MemberTakenError(f"{member} is a member already", member=member)
    if not known and player and s.member_of(player):
        raise MemberTakenError(f"player {player} is member {s.member_of(player)}", member=s.member_of(player))
    emit(s, "member_added", member=member, player=known.player if known else player, by=who.player)


def remove_member(s: Season, who: Caller, member: str) -> None:
    """The member withdraws, by himself or by an organiser; what he has played stands."""
    known = entry(s.members, "member", member)
    if not who.organises and (who.player is None or known.player != who.player):
        raise NotOrganiserError("a member is removed by an organiser or by himself")
    running(s)
    members_of(s, [member])
    emit(s, "member_left", member=member, by=who.player)


def claim_guest(s: Season, member: str, player: str) -> None:
    """The account takes the guest's membership, results and all. Whoever calls has checked the code."""
    known = entry(s.members, "member", member)
    if known.player is not None:
        raise MemberTakenError(f"{member} has an account", member=member)
    if s.member_of(player):
        raise MemberTakenError(f"the player is member {s.member_of(player)}", member=s.member_of(player))
    emit(s, "guest_claimed", member=member, player=player)


# Tables


def seat(s: Season, who: Caller, table: str, members: Iterable[Mapping[str, str]]) -> None:
    """Another line-up of a table before it is played: absent ones left out, substitutes {"member", "for"}."""
    organiser(who)
    running(s)
    found, seats = entry(s.tables, "table", table), line_up(s, members)
    unplayed(found)
    elsewhere = {m for t in s.tables.values() if t.round == found.round and t.id != table for m in members_at(t.seats)}
    twice = [member for member in members_at(seats) if member in elsewhere]
    if twice:
        raise TwiceAtTableError(f"at another table of this round: {', '.join(twice)[:200]}", members=twice)
    emit(s, "seated", table=table, members=[sitting.json() for sitting in seats], by=who.player)


def seat_match(s: Season, who: Caller, table: str, match: str) -> list[str]:
    """The table's match is `match`; answers the players by seat. Raises GuestAtTableError when a guest sits there."""
    found = entry(s.tables, "table", table)
    at_table(s, who, found.seats)
    running(s)
    unplayed(found)
    players = [s.members[sitting.member].player for sitting in found.seats]
    guests = [sitting.member for sitting, player in zip(found.seats, players, strict=True) if player is None]
    if guests:
        raise GuestAtTableError("a guest plays on paper, or claims an account first", members=guests)
    members = [sitting.json() for sitting in found.seats]
    emit(s, "seated", table=table, members=members, match=match, by=who.player)
    return [player for player in players if player]


def abandon(s: Season, who: Caller, table: str, note: str) -> None:
    """The table will not be played: nobody came. It no longer keeps the round or the season open."""
    organiser(who)
    running(s)
    unplayed(entry(s.tables, "table", table))
    emit(s, "ruled", result=table, outcome="void", by=who.player, note=note)


# Adjustments


def adjust(
    s: Season, who: Caller, adjustment: str, member: str, kind: str, units: int, note: str, effective: str | None = None
) -> None:
    """A penalty (units < 0), a bonus (> 0) or another adjustment, in 1/60 points; also after closing: a revision."""
    organiser(who)
    entry(s.members, "member", member)
    if kind not in ADJUSTMENTS:
        raise OptionsError({"kind": f"{kind!r:.40} is none of {', '.join(ADJUSTMENTS)}"})
    least, most = ADJUSTMENTS[kind]
    if not units or (least and units < least) or (most and units > most):
        raise OptionsError({"points": f"{units}/60 is no {kind}: a penalty is negative, a bonus positive, none is 0"})
    if adjustment in s.adjustments:
        raise WrongStatusError(f"adjustment {adjustment} is made already", state="made")
    emit(
        s, "adjusted", adjustment=adjustment, member=member, kind=kind, units=units, by=who.player, note=note,
        effective_at=time_text("effective_at", effective),
    )  # fmt: skip


def cancel_adjustment(s: Season, who: Caller, adjustment: str, note: str | None = None) -> None:
    organiser(who)
    if entry(s.adjustments, "adjustment", adjustment).cancelled:
        raise WrongStatusError(f"adjustment {adjustment} is cancelled already", state="cancelled")
    emit(s, "adjustment_cancelled", adjustment=adjustment, by=who.player, note=note)


# The end


def close(s: Season, who: Caller) -> None:
    """Closes when nothing is open, and records the sums by member, which the ledger is held against."""
    organiser(who)
    running(s)
    waiting = s.open_work()
    if waiting:
        raise StillOpenError(f"{len(waiting)} things are not finished", open=waiting)
    emit(s, "closed", by=who.player, revision=len(s.revisions) + 1, sums=sums(s))


def reopen(s: Season, who: Caller, note: str) -> None:
    organiser(who)
    if s.status != "closed":
        raise WrongStatusError("the season is open", state=s.status)
    emit(s, "reopened", by=who.player, note=note)


# What all of them ask


def organiser(who: Caller) -> None:
    if not who.organises:
        raise NotOrganiserError("only an organiser of the league may do this")


def running(s: Season) -> None:
    if s.status == "closed":
        raise SeasonClosedError("the season is closed; an organiser may reopen it", version=s.version)


def entry(entries: Mapping[str, Entry], what: str, name: str) -> Entry:
    if name not in entries:
        raise NoSuchEntryError(f"the season has no {what} {name!r:.40}", what=what, id=name[:40])
    return entries[name]


def at_table(s: Season, who: Caller, seats: Sequence[Sitting]) -> None:
    """An organiser, or one of those who sit there in person."""
    if not who.organises and s.member_of(who.player) not in [sitting.member for sitting in seats]:
        raise NotAtTableError("only a member of the table, or an organiser, may do this")


def unplayed(table: Table) -> None:
    if table.status != "open" or table.match or table.sheet:
        raise WrongStatusError(f"table {table.id} is being played, or has been", state=table.status)


def members_of(s: Season, members: Collection[str]) -> None:
    strangers = [member for member in members if member not in s.members or not s.members[member].active]
    if strangers:
        raise NotMemberError(f"no members of this season: {', '.join(strangers)[:200]}", members=strangers)


def members_at(seats: Iterable[Sitting]) -> list[str]:
    """Everybody whom a table concerns, each once: who sits there, and whom they sit for."""
    return list(dict.fromkeys(member for sitting in seats for member in (sitting.member, sitting.credited)))


def line_up(s: Season, members: Iterable[Mapping[str, str]]) -> list[Sitting]:
    """Who sits down, by seat. Refuses strangers, anybody twice, and sizes that the game does not know."""
    found = [Sitting(str(each["member"]), each.get("for")) for each in members]
    present, counted = [sitting.member for sitting in found], [sitting.credited for sitting in found]
    members_of(s, members_at(found))
    twice = {member for member in members_at(found) if present.count(member) > 1 or counted.count(member) > 1}
    twice |= {sitting.for_ for sitting in found if sitting.for_ in present}
    if twice:
        raise TwiceAtTableError(f"sits or is sat for twice: {', '.join(sorted(twice))[:200]}", members=sorted(twice))
    if len(found) not in s.sizes:
        raise OptionsError({"members": f"a table has {', '.join(map(str, s.sizes))} seats, not {len(found)}"})
    return found


def time_text(name: str, text: str | None) -> str | None:
    """An ISO time with its zone, as text, or OptionsError."""
    try:
        found: datetime | None = time_of(text)
    except ValueError:
        raise OptionsError({name: f"{text!r:.40} is no time"}) from None
    if found and found.tzinfo is None:
        raise OptionsError({name: "has no zone"})
    return found.isoformat() if found else None
