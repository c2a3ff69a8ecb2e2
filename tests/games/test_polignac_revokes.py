"""Polignac by its page: revokes, who may claim them, what is taken back (6.1 to 6.3), P17 to P21.

Beside it: polignac.py, test_polignac_claims.py.
"""

from __future__ import annotations

import json

from domain.secrecy import view_for
from tests.games.polignac import (
    B_IS_VOID,
    B_REVOKES,
    GAME,
    OPENING,
    cards,
    claimed,
    claims,
    dealt,
    lead,
    match_at,
    move,
    play_out,
    points,
    say,
)  # fmt: skip

# The numbered cases


def test_p17_a_claim_before_the_next_lead_takes_the_trick_back() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 3 claim 1 1")
    assert d.trick == [(0, "9H")]
    assert [card in d.hands[seat] for seat, card in ((1, "JS"), (2, "KH"), (3, "8H"))] == [True] * 3
    assert (d.tricks, d.winners, d.taken, d.revokes) == ([], [], {}, [])
    assert (GAME.to_act(d), cards(d, 1)) == ([1], {"7H"})
    say(d, "1 7H")
    assert cards(d, 2) == set(d.hands[2]), "C plays anew, unbound"
    say(d, "2 7D")
    assert cards(d, 3) == set(d.hands[3]), "and D"
    say(d, "3 8H")
    assert (d.winners, points(d)) == ([0], [0, 0, 0, 0])


def test_p18_a_claim_after_the_next_lead_costs_the_offender_five_and_the_trick_stands() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 2 TC, 3 claim 1 1")
    assert (d.winners, d.taken, d.revokes) == ([2], {"JS": 2}, [1])
    assert points(d) == [0, 5, 2, 0]
    assert (d.trick, GAME.to_act(d)) == ([(2, "TC")], [3])
    play_out(d)
    assert points(d)[1] >= 5
    assert (1, "revoke", 5) in GAME.score(d.options, d.seats, GAME.tally(d))


def test_p19_a_claim_against_a_seat_that_was_void_is_rejected_and_counted() -> None:
    d = claimed(B_IS_VOID)
    say(d, f"{OPENING}, 3 claim 1 1")
    assert (d.rejected, d.revokes, len(d.tricks)) == ([0, 0, 0, 1], [], 1)
    assert d.news == [{"what": "no_revoke", "seat": 1, "trick": 1}]
    assert points(d) == [0, 0, 2, 0], "it costs nothing"


def test_p20_a_declarer_s_established_revoke_fails_his_capot_and_costs_five() -> None:
    """He loses the trick in which he revokes, so that the capot fails twice over and is paid once."""
    d = claimed(B_REVOKES, declarations="capot")
    say(d, f"0 pass, 1 capot, {OPENING}, 2 TC, 0 claim 1 1")
    assert GAME.tally(d)["declaration"] == {"seat": 1, "kind": "capot", "made": False, "void": False}
    assert points(d) == [0, 5 + 5, 2, 0]


def test_p20_a_tally_of_every_trick_with_a_revoke_of_the_declarer_is_no_capot() -> None:
    d = claimed({0: "KS QS JS AS TS 9S 8S 7S"}, declarations="capot")
    say(d, "0 capot")
    lead(d, 0, "KS QS JS AS TS 9S 8S 7S")
    d.revokes.append(0)
    assert GAME.tally(d)["swept"] == 0
    assert GAME.tally(d)["declaration"]["made"] is False
    assert points(d) == [5 + 5 + 5, 0, 0, 0]


def test_p21_two_revokes_are_two_penalties() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 2 QH, 3 AH, 0 TH, 1 7S, 2 TC, 0 claim 1 1, 3 claim 1 2")
    assert d.revokes == [1, 1]
    assert points(d)[1] == 10


# 6.1 Any card


def test_any_card_of_the_hand_is_accepted_and_nothing_shows_whether_it_was_legal() -> None:
    """(6.1) A and B have changed 7H and JD between the two tables; C and D read the same, byte for byte."""
    rest = {2: "KH TC QH 7D JH JC QC KC", 3: "8H AH 9C AC AS AD QD KD"}
    liar = claimed({0: "9H TH 8C 7C JD 8D 9D TD", 1: "7H JS 7S 8S 9S TS QS KS", **rest})
    honest = claimed({0: "9H TH 8C 7C 7H 8D 9D TD", 1: "JD JS 7S 8S 9S TS QS KS", **rest})
    for words in ("0 9H", "1 JS", "2 KH", "3 8H", "2 TC", "3 9C", "0 8C", "1 7S"):
        for seat in (2, 3):
            read = [json.dumps([view_for(d, seat), GAME.legal(d, seat)]) for d in (liar, honest)]
            assert read[0] == read[1], words
        assert cards(liar, 1) in (set(), set(liar.hands[1]))
        say(liar, words)
        say(honest, words)


def test_a_revoke_is_prevented_by_default() -> None:
    d = dealt(B_REVOKES)
    say(d, "0 9H")
    assert GAME.legal(d, 1) == ["7H"]
    assert all(not claims(d, seat) for seat in range(4))


# 6.2 Who may say what


def test_every_off_suit_play_of_another_seat_may_be_claimed_and_one_s_own_revokes_admitted() -> None:
    d = claimed(B_REVOKES)
    assert not any(claims(d, seat) for seat in range(4))
    say(d, "0 9H, 1 JS")
    assert [claims(d, seat) for seat in range(4)] == [["claim 1 1"], ["admit 1"], ["claim 1 1"], ["claim 1 1"]]
    assert GAME.to_act(d) == [2], "to_act lists nobody for a claim"
    say(d, "2 KH, 3 9C")
    assert claims(d, 0) == ["claim 1 1", "claim 3 1"]
    assert claims(d, 1) == ["admit 1", "claim 3 1"]
    assert claims(d, 3) == ["admit 1", "claim 1 1"]


def test_a_seat_that_was_void_has_nothing_to_admit() -> None:
    d = claimed(B_IS_VOID)
    say(d, OPENING)
    assert claims(d, 1) == []
    assert claims(d, 0) == ["claim 1 1"]


def test_nothing_is_claimed_during_the_asking_nor_by_a_seat_that_watches() -> None:
    d = claimed(B_REVOKES, declarations="capot")
    assert not any(claims(d, seat) for seat in range(4))
    m = match_at([12, 3, 3, 3], {1: "9H", 2: "7H JS"}, among=[1, 2, 3], revoke="claim")
    move(m, "1 9H, 2 JS")
    assert claims(m.deal, 3) == ["claim 2 1"]
    assert GAME.legal(m.deal, 0) == []


def test_the_offender_may_admit_before_and_after_the_next_lead() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 1 admit 1")
    assert (d.trick, d.revokes) == ([(0, "9H")], [])
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 2 TC, 1 admit 1")
    assert (d.trick, d.revokes) == ([(2, "TC")], [1])


# 6.3 Before the next lead


def test_an_incomplete_trick_is_taken_back_to_the_offender() -> None:
    d = claimed(B_REVOKES)
    say(d, "0 9H, 1 JS, 2 KH, 0 claim 1 1")
    assert (d.trick, d.waiting) == ([(0, "9H")], [1, 2, 3])
    assert {"JS", "7H"} <= set(d.hands[1])


def test_the_offender_is_bound_in_this_one_play_only() -> None:
    d = claimed({**B_REVOKES, 1: "7H 8H JS 7S 8S 9S TS KS", 3: "AH 9C AC"})
    say(d, "0 9H, 1 JS, 2 KH, 3 AH, 3 claim 1 1")
    assert cards(d, 1) == {"7H", "8H"}
    say(d, "1 7H, 2 KH, 3 AH, 2 QH, 3 9C, 0 TH")
    assert cards(d, 1) == set(d.hands[1])
    say(d, "1 JS")
    assert "claim 1 2" in claims(d, 0)


def test_the_others_may_revoke_anew_and_are_claimed_anew() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 3 claim 1 1, 1 7H, 2 TC, 3 8H")
    assert claims(d, 0) == ["claim 2 1"]
    say(d, "0 claim 2 1")
    assert (d.trick, d.bound) == ([(0, "9H"), (1, "7H")], [2])
    assert cards(d, 2) == {"KH", "QH"}


def test_two_revokes_in_one_trick_claimed_from_the_last() -> None:
    """C goes back first and is bound; B goes back before C has played anew, and C stays bound to follow."""
    d = claimed(B_REVOKES)
    say(d, "0 9H, 1 JS, 2 TC, 3 8H, 3 claim 2 1")
    assert (d.trick, GAME.to_act(d)) == ([(0, "9H"), (1, "JS")], [2])
    say(d, "3 claim 1 1")
    assert (d.trick, d.waiting) == ([(0, "9H")], [1, 2, 3])
    assert cards(d, 1) == {"7H"}
    say(d, "1 7H")
    assert cards(d, 2) == {"KH", "QH"}
    say(d, "2 KH, 3 8H")
    assert (d.winners, d.revokes, d.bound) == ([2], [], [])


def test_two_revokes_in_one_trick_claimed_from_the_first() -> None:
    """With B's card C's goes back too: there is nothing left to claim of C, who plays anew, unbound."""
    d = claimed(B_REVOKES)
    say(d, "0 9H, 1 JS, 2 TC, 3 8H, 3 claim 1 1")
    assert (d.trick, d.bound) == ([(0, "9H")], [1])
    assert not any(claims(d, seat) for seat in range(4))
    say(d, "1 7H")
    assert cards(d, 2) == set(d.hands[2])


def test_two_revokes_in_one_trick_claimed_after_the_next_lead_cost_five_each() -> None:
    d = claimed({**B_REVOKES, 3: "AH 9C AC"})
    say(d, "0 9H, 1 JS, 2 TC, 3 AC, 0 TH, 3 claim 1 1, 1 claim 2 1, 0 claim 3 1")
    assert sorted(d.revokes) == [1, 2, 3]
    assert points(d) == [2, 5, 5, 5]


def test_the_winner_of_a_trick_taken_back_is_undone_with_all_it_took() -> None:
    d = claimed({0: "9H 9D", 1: "7H 8D JS 7S 8S 9S TS QS", 2: "KH 7D", 3: "8H TD"})
    say(d, "0 9H, 1 7H, 2 KH, 3 8H, 2 7D, 3 TD, 0 9D, 1 JS")
    assert (d.winners, d.taken, GAME.to_act(d)) == ([2, 3], {"JS": 3}, [3])
    say(d, "2 claim 1 2")
    assert (d.winners, d.taken, len(d.tricks)) == ([2], {}, 1)
    assert d.trick == [(2, "7D"), (3, "TD"), (0, "9D")]
    assert (GAME.to_act(d), cards(d, 1)) == ([1], {"8D"})


def test_a_rejected_claim_is_open_again_when_the_card_it_was_about_has_gone_back() -> None:
    d = claimed({0: "9H TH", 1: "7H JS 7S 8S 9S TS QS KS", 2: "TC 8C 7C 7D 8D 9D TD QD", 3: "8H AH 9C AC"})
    say(d, "0 9H, 1 JS, 2 TC, 0 claim 2 1")
    assert d.rejected == [1, 0, 0, 0]
    assert claims(d, 3) == ["claim 1 1"]
    say(d, "3 claim 1 1, 1 7H, 2 7D")
    assert claims(d, 3) == ["claim 2 1"]
    assert d.rejected == [1, 0, 0, 0], "and still counts"


def test_what_was_settled_of_other_cards_stays_settled_when_one_goes_back() -> None:
    """B, void in hearts and diamonds, is claimed of trick 1; then C revokes there, and A in trick 2."""
    d = claimed({0: "9H TD TH", 1: "7S 8S 9S TS JS QS KS AS", 2: "KH 7D QH JC", 3: "8H 8D"})
    say(d, "0 9H, 1 7S, 3 claim 1 1, 2 JC, 3 claim 2 1")
    assert "claim 1 1" not in claims(d, 0), "B's card lies before the one that went back"
    say(d, "2 KH, 3 8H, 2 7D, 3 8D, 0 TH, 1 8S, 2 claim 0 2")
    assert GAME.to_act(d) == [0]
    assert "claim 1 1" not in claims(d, 0), "B's card went back in another trick"
    say(d, "0 TD, 1 8S")
    assert claims(d, 0) == ["claim 1 2"]


def test_a_capot_lives_again_when_the_trick_that_broke_it_is_taken_back() -> None:
    d = claimed({**B_REVOKES, 0: "QH TH", 2: "KH TC 8S 7D", 1: "7H JS 7S 9S TS QS KS AS"}, declarations="capot")
    say(d, "0 capot, 0 QH, 1 JS, 2 KH, 3 8H")
    assert not d.declaration["alive"]
    say(d, "3 claim 1 1")
    assert d.declaration["alive"]
    say(d, "1 7H, 2 7D, 3 8H")
    assert d.declaration["alive"], "C revoked, but nobody has claimed it"
    assert d.winners == [0]


def test_a_revoke_taken_back_is_no_established_one_for_a_capot() -> None:
    """(6.7) speaks of revokes that cost: a play that was put right before the next lead harms no declaration."""
    d = claimed({**B_REVOKES, 0: "KH TH", 2: "9H TC QH 7D"}, declarations="capot")
    say(d, "0 capot, 0 KH, 1 JS, 2 9H, 3 8H, 3 claim 1 1, 1 7H, 2 9H, 3 8H")
    assert GAME.tally(d)["declaration"] == {"seat": 0, "kind": "capot", "made": False, "void": False}
    assert d.declaration["alive"]
