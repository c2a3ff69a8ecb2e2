"""Polignac, read again from its rules page (domain/games/polignac.md). What must hold here: __init__.py.

Nothing is kept but one flat list of the cards that stand as played. Tricks, turns, hands and guilt are worked out anew
from that list each time; taking a card back cuts the list short.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.games.second import Perft

PACKETS = {2: [3, 3, 2, 3, 3, 2], 3: [3, 2, 3, 2], 4: [3, 2, 3], 5: [3, 3], 6: [3, 2]}
Plays = list[tuple[int, str]]


@dataclass
class Story:
    """What has happened, told from the words."""

    options: dict[str, Any]
    order: list[int]  # from eldest hand on
    dealt: dict[int, list[str]]
    totals: list[int]
    calls: list[tuple[int, str]] = field(default_factory=list)
    plays: Plays = field(default_factory=list)  # the cards that stand as played, trick after trick
    must_follow: set[int] = field(default_factory=set)
    settled: set[tuple[int, int]] = field(default_factory=set)
    wrong: Counter[int] = field(default_factory=Counter)  # rejected claims
    guilty: list[int] = field(default_factory=list)  # a seat for every revoke that costs
    done: set[int] = field(default_factory=set)
    lost: bool = False


def legal(
    options: dict[str, Any], seats: list[int], dealer: int, pack: list[str], totals: list[int], words: Plays
) -> dict[int, set[str]]:
    """1 to 6: everything that each seat may say now."""
    story = told(options, seats, dealer, pack, totals, words)
    if is_over(story):
        return {}
    if asking(story):
        kinds = {"capot", "general"} if options["declarations"] == "both" else {options["declarations"]}
        return {story.order[len(story.calls)]: {"pass"} | kinds}  # 4.1
    allowed: dict[int, set[str]] = {seat: set() for seat in story.order}
    turn = next_to_play(story)
    if turn is not None:
        allowed[turn] |= cards_allowed(story, turn)
    elif options["revoke"] == "claim":
        for seat in set(story.order) - story.done:
            allowed[seat].add("done")  # 6.6
    if options["revoke"] == "claim":
        for seat in set(story.order) - story.done:
            allowed[seat] |= accusations(story, seat)
    return allowed


def lines(
    options: dict[str, Any], seats: list[int], dealer: int, pack: list[str], totals: list[int], words: Plays
) -> list[tuple[int, str, int]] | None:
    """3, 4, 6.4, 6.7: what the deal costs, once it is over."""
    story = told(options, seats, dealer, pack, totals, words)
    return cost(story) if is_over(story) and not story.lost else None


def told(
    options: dict[str, Any], seats: list[int], dealer: int, pack: list[str], totals: list[int], words: Plays
) -> Story:
    order = sorted(seats, key=lambda seat: (seat <= dealer, seat))  # 2.1
    story = Story(options, order, share_out(order, pack), totals)
    for seat, word in words:
        verb, *rest = word.split()
        if verb in ("pass", "capot", "general"):
            story.calls.append((seat, verb))
        elif verb == "done":
            story.done.add(seat)
        elif verb in ("claim", "admit"):
            accuse(story, seat, int(rest[0]) if verb == "claim" else seat, int(rest[-1]))
        else:
            story.plays.append((seat, word))
            story.must_follow.discard(seat)
    return story


def share_out(order: list[int], pack: list[str]) -> dict[int, list[str]]:
    """1.3: the seat of each card, from the top of the pack down."""
    receivers = [seat for size in PACKETS[len(order)] for seat in order for _ in range(size)]
    receivers += order[: len(pack) - len(receivers)]
    return {seat: [card for card, to in zip(pack, receivers, strict=True) if to == seat] for seat in order}


# 2 The play


def tricks(story: Story) -> list[Plays]:
    """The flat list cut into tricks; the last one may be incomplete."""
    found: list[Plays] = []
    at, leader = 0, first_leader(story)
    while at < len(story.plays):
        size = len(round_from(story, leader, at))
        found.append(story.plays[at : at + size])
        at += size
        leader = winner(story, found[-1])
    return found


def first_leader(story: Story) -> int:
    declared = declaration(story)
    return declared[0] if declared and story.options["declarer_leads"] else story.order[0]


def round_from(story: Story, leader: int, played: int) -> list[int]:
    """Who plays to the trick that begins after so many cards: those who hold one, from the leader on (1.1)."""
    at = story.order.index(leader)
    return [seat for seat in story.order[at:] + story.order[:at] if hand(story, seat, played)]


def hand(story: Story, seat: int, played: int) -> list[str]:
    """What the seat held when so many cards had been played."""
    gone = [card for _, card in story.plays[:played]]
    return [card for card in story.dealt[seat] if card not in gone]


def winner(story: Story, trick: Plays) -> int:
    """2.3"""
    of_suit = [(story.options["ranks"].index(card[0]), seat) for seat, card in trick if card[1] == trick[0][1][1]]
    return min(of_suit)[1]


def complete(story: Story) -> list[Plays]:
    """The tricks that everybody has played to."""
    found = tricks(story)
    if found:
        begun = len(story.plays) - len(found[-1])
        if len(round_from(story, found[-1][0][0], begun)) > len(found[-1]):
            return found[:-1]
    return found


def next_to_play(story: Story) -> int | None:
    """Whose turn it is to play a card; None when all have been played."""
    found, whole = tricks(story), complete(story)
    if len(found) > len(whole):
        begun = len(story.plays) - len(found[-1])
        return round_from(story, found[-1][0][0], begun)[len(found[-1])]
    leader = winner(story, whole[-1]) if whole else first_leader(story)
    return next(iter(round_from(story, leader, len(story.plays))), None)


def cards_allowed(story: Story, seat: int) -> set[str]:
    """2.2, 6.1, 6.3"""
    held = set(hand(story, seat, len(story.plays)))
    free = story.options["revoke"] == "claim" and seat not in story.must_follow
    if free or len(tricks(story)) == len(complete(story)):
        return held
    suit = tricks(story)[-1][0][1][1]
    return {card for card in held if card[1] == suit} or held


# 4 Capot and general


def asking(story: Story) -> bool:
    """4.1"""
    if story.options["declarations"] == "none":
        return False
    return declaration(story) is None and len(story.calls) < len(story.order)


def declaration(story: Story) -> tuple[int, str] | None:
    return next(((seat, kind) for seat, kind in story.calls if kind != "pass"), None)


# 6 Revokes


def guilt(story: Story, seat: int, number: int) -> bool:
    """Whether the seat could have followed in that trick: it held the suit when it played (6.5)."""
    before = sum(len(trick) for trick in tricks(story)[: number - 1])
    trick = tricks(story)[number - 1]
    return any(card[1] == trick[0][1][1] for card in hand(story, seat, before))


def accusations(story: Story, seat: int) -> set[str]:
    """6.2, 6.5"""
    words = set()
    for number, trick in enumerate(tricks(story), 1):
        for other, card in trick:
            if card[1] == trick[0][1][1] or (other, number) in story.settled:
                continue
            if other != seat and story.wrong[seat] < 3:
                words.add(f"claim {other} {number}")
            if other == seat and guilt(story, seat, number):
                words.add(f"admit {number}")
    return words


def accuse(story: Story, accuser: int, offender: int, number: int) -> None:
    """6.3 to 6.5"""
    trick = tricks(story)[number - 1]
    if not guilt(story, offender, number):
        story.wrong[accuser] += 1
        story.settled.add((offender, number))
    elif number == len(tricks(story)):
        place = [seat for seat, _ in trick].index(offender)
        story.settled -= {(seat, number) for seat, _ in trick[place:]}
        del story.plays[len(story.plays) - len(trick) + place :]
        story.must_follow.add(offender)
    else:
        story.settled.add((offender, number))
        story.lost = story.options["revoke_penalty"] == "match"
        story.guilty.append(offender)


# 3 to 5 What it costs, and when it is over


def is_over(story: Story) -> bool:
    if story.lost:
        return True
    if asking(story) or not story.plays:
        return False
    if next_to_play(story) is None:
        return story.options["revoke"] == "prevent" or story.done == set(story.order)
    return len(tricks(story)) == len(complete(story)) and is_cut(story)


def is_cut(story: Story) -> bool:
    """5.1: a trick has just brought a seat to the target."""
    declared, target = declaration(story), story.options["target"]
    if story.options["end_check"] == "deal":
        return False
    if declared and {winner(story, trick) for trick in complete(story)} == {declared[0]}:
        return False
    sums = Counter(dict(enumerate(story.totals)))
    for seat, _, points in cost(story):
        sums[seat] += points
    if story.options["end_check"] == "exact":
        return target in sums.values()
    return any(total >= target for total in sums.values())


def cost(story: Story) -> list[tuple[int, str, int]]:
    declared, options = declaration(story), story.options
    revoked = [(seat, "revoke", options["revoke_points"]) for seat in story.guilty]
    if not declared or any(seat != declared[0] for seat in story.guilty):
        return shown(revoked + penalties(story))  # 6.7
    seat, kind = declared
    if sweeper(story) == seat and not story.guilty:
        own = [(seat, kind, -5 if kind == "general" else 0)]
        return shown(own + [(other, kind, 5) for other in story.order if other != seat])  # 4.2
    theirs = [line for line in penalties(story) if line[0] != seat or options["failed_slam_jacks"] == "all"]
    return shown([*revoked, (seat, "declaration_failed", 5), *theirs])  # 4.3


def penalties(story: Story) -> list[tuple[int, str, int]]:
    """3.1: the winner of a trick pays for what lies in it."""
    options, whole = story.options, complete(story)
    owed = [(winner(story, t), card, options["costs"].get(card, 0)) for t in whole for _, card in t]
    if whole:
        owed.append((winner(story, whole[0]), "first_trick", options["first_trick"]))
    if whole and next_to_play(story) is None:
        owed.append((winner(story, whole[-1]), "last_trick", options["last_trick"]))
    takers = {reason: seat for seat, reason, points in owed if points}
    if {"first_trick", "last_trick", "QC"} <= set(takers) and len(set(takers.values())) == 1:
        owed.append((takers["QC"], "all_three", options["all_three_bonus"]))  # 3.2
    return owed


def sweeper(story: Story) -> int | None:
    winners = {winner(story, trick) for trick in complete(story)}
    return winners.pop() if next_to_play(story) is None and len(winners) == 1 else None


def shown(owed: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    return [line for line in owed if line[2]]


CLAIM = {"revoke": "claim"}
PERFT = [
    Perft("polignac", 4, 4, 7, 1860),
    Perft("polignac", 6, 21, 15, 64),
    Perft("polignac", 3, 3, 5, 1373, {"surplus": "unequal"}),
    Perft("polignac", 3, 26, 9, 80, {"surplus": "unequal"}),
    Perft("slobberhannes", 5, 18, 12, 16),
    Perft("slobberhannes", 6, 3, 6, 69, {"declarations": "both", "declarer_leads": True}),
    Perft("knaves", 3, 0, 4, 405),
    Perft("eichel_obern", 4, 20, 12, 80),
    Perft("bassadewitz", 6, 12, 8, 47, {"end_check": "exact", "target": 2, "surplus": "red_sevens"}),
    Perft("quatre_valets", 4, 4, 3, 700, CLAIM),
    Perft("quatre_valets", 4, 30, 3, 1612, CLAIM),
    Perft("knaves", 3, 27, 3, 1359, CLAIM),
    Perft("knaves", 4, 28, 3, 2209, {**CLAIM, "revoke_penalty": "match"}),
    Perft("knaves", 4, 32, 2, 684, CLAIM),
    Perft("eichel_obern", 5, 28, 3, 1444, {**CLAIM, "declarations": "capot"}),
]
