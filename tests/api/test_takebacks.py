"""Words taken back over the API: asked, consented to, refused by name, and seen by whoever looks."""

from __future__ import annotations

from store import db
from tests.api.http import Client
from tests.api.tables import BOT, moves, opened, say, started, text, turn
from workers.work import work_off

SHORT = {"deals": 1, "declarations": "none"}


def path(match: str) -> str:
    return f"/v1/matches/{match}/takeback"


def test_a_word_is_taken_back_once_all_others_consent(ana: Client, luis: Client, eva: Client, anybody: Client) -> None:
    players = (ana, luis, eva)
    match = started(*players, options=SHORT)["id"]
    mover, before = turn(players, match)
    others = [player for player in players if player is not mover]
    said = say(players, match).json
    asked = mover.post(path(match))
    assert asked.status == 201 and asked.json["events"][0]["type"] == "takeback_asked", asked
    waiting = anybody.read(path(match))
    assert waiting["word"] == said["events"][0]["version"] and len(waiting["awaiting"]) == 2
    assert mover.post(path(match)).code == "nothing_to_take_back"
    assert anybody.player().post(path(match)).code == "not_allowed"
    others[0].made(path(match), {"consent": True})
    assert others[0].post(path(match), {"consent": True}).code == "nothing_to_take_back"
    stale = others[1].post(path(match), {"consent": True}, If_Match='"1"')
    assert stale.code == "stale_version"
    last = others[1].made(path(match), {"consent": True})
    assert [event["type"] for event in last["events"]] == ["takeback_consented", "taken_back"]
    assert anybody.get(path(match)).code == "not_found"
    now = mover.read(f"/v1/matches/{match}")
    assert now["version"] == before["version"] + 5 == last["version"]
    assert text({**now, "version": 0}) == text({**before, "version": 0})
    assert ana.read(f"/v1/matches/{match}/audit") == {"ok": True, "faults": []}
    assert mover.made(moves(match), {"move": before["deal"]["legal"][-1]})["version"] > now["version"]


def test_a_takeback_that_is_refused_stays_refused(ana: Client, luis: Client, eva: Client) -> None:
    players = (ana, luis, eva)
    match = started(*players, options=SHORT)["id"]
    mover, _ = turn(players, match)
    after = say(players, match).json
    mover.made(path(match), {"consent": None})
    other = next(player for player in players if player is not mover)
    refused = other.made(path(match), {"consent": False})
    assert refused["events"][0]["type"] == "takeback_refused"
    assert mover.post(path(match)).code == "nothing_to_take_back"
    assert mover.read(f"/v1/matches/{match}")["deal"]["view"] == after["match"]["deal"]["view"]


def test_bots_consent_at_once_but_once_one_has_answered_it_is_too_late(ana: Client, conn: db.Connection) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT], "options": SHORT})["id"]
    seen = ana.read(f"/v1/matches/{match}")
    while not seen["deal"]["your_turn"]:
        work_off(conn, f"bot_turn:{match}:{seen['version']}")
        seen = ana.read(f"/v1/matches/{match}")
    word = seen["deal"]["legal"][0]
    said = ana.made(moves(match), {"move": word})
    back = ana.made(path(match))
    assert [event["type"] for event in back["events"]] == ["takeback_asked", "taken_back"]
    assert back["match"]["deal"]["legal"] == seen["deal"]["legal"]
    assert work_off(conn, f"bot_turn:{match}:{said['version']}") == [], (
        "the bot would have answered a word that is gone"
    )
    again = ana.made(moves(match), {"move": word})
    if again["match"]["deal"]["your_turn"]:  # the trick was hers
        again = ana.made(moves(match), {"move": again["match"]["deal"]["legal"][0]})
    work_off(conn, f"bot_turn:{match}:{again['version']}")
    assert ana.post(path(match)).code == "nothing_to_take_back"


def test_what_has_shown_something_stays_said(ana: Client, luis: Client) -> None:
    """The last card that is passed on in The Bottle Imp brings those of the others."""
    seats = [{"player": "me"}, {"player": luis.id}]
    body = {"game": "bottle_imp", "variant": "lopaka", "seats": seats, "options": {"deals": 1}}
    match = ana.made("/v1/matches", body)["id"]
    luis.made(f"/v1/matches/{match}/seats", {"seat": 1})
    codes = set()
    for _ in range(12):
        mover, _ = turn((ana, luis), match)
        say((ana, luis), match)
        answer = mover.post(path(match))
        codes.add(answer.code)
        if answer.status == 201:
            other = luis if mover is ana else ana
            other.made(path(match), {"consent": False})
    assert codes == {None, "revealed"}


def test_rated_matches_keep_their_words_and_private_ones_are_not_known(
    ana: Client, luis: Client, eva: Client, anybody: Client
) -> None:
    rated = started(ana, luis, eva, rated=True)["id"]
    mover, _ = turn((ana, luis, eva), rated)
    say((ana, luis, eva), rated)
    assert mover.post(path(rated)).code == "not_allowed"
    private = opened(ana, luis, eva, visibility="private")["id"]
    stranger = anybody.player()
    assert stranger.post(path(private)).code == stranger.get(path(private)).code == "not_found"
    assert ana.post(path(private)).code == "nothing_to_take_back"
    assert ana.post(path(private), {"consent": "yes"}).code == "invalid"
