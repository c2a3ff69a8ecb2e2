"""Streams, from the server that really runs: what they say, to whom, and when they end."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from redis import Redis

from api import hub
from domain import play
from domain.play import Proposal
from store.events import Events
from store.wake import CHANNEL
from tests.api.clubs import club, drawn
from tests.api.conftest import serving
from tests.api.http import Client, over_http
from tests.api.streams import NDJSON, SSE, Reader, break_off, events, reading, socket_of, waited
from tests.api.tables import opened, played, say, started
from tests.api.test_hidden import SEATS, World, two_worlds

SHORT = {"deals": 1, "tie_break": "shared"}
SOON = 8.0  # seconds, on a busy machine; tokens are looked at every two


@pytest.fixture(scope="module")
def base(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server that really runs."""
    with serving(database_url, redis_url, tmp_path_factory.mktemp("api") / "log") as base:
        yield base


@pytest.fixture
def anybody(base: str) -> Client:
    return Client(over_http(base))


@pytest.fixture
def four(anybody: Client) -> list[Client]:
    return [anybody.player() for _ in range(4)]


# A match's events


@pytest.mark.parametrize("accept", [NDJSON, SSE])
def test_a_stream_says_what_the_pages_say_and_ends_with_the_match(
    base: str, anybody: Client, four: list[Client], accept: str
) -> None:
    match = started(*four, options=SHORT)["id"]
    with reading(anybody, base, events(match), accept) as live:
        version = played(four, match)["version"]
        live.wait(lambda: live.closed)
    assert live.versions == list(range(1, version + 1))
    pages = anybody.read(f"{events(match)}?limit=200")["items"]
    with reading(anybody, base, events(match), accept) as again:
        again.wait(lambda: again.closed)
    assert again.items == pages
    assert live.response.headers["Content-Type"].partition(";")[0] == accept
    if accept == SSE:
        assert live.ids == live.versions and "\n".join(live.lines).startswith("retry: 1000\n\nid: 1\ndata: {")
        assert {line.partition(":")[0] for line in live.lines} == {"retry", "id", "data", ""}
    else:
        assert all(json.loads(line) for line in live.lines if line)


def test_whoever_comes_back_after_the_end_is_told_to_come_no_more(
    base: str, anybody: Client, four: list[Client]
) -> None:
    match = started(*four, options=SHORT)["id"]
    version = played(four, match)["version"]
    browser = requests.get(base + events(match), headers={"Accept": SSE, "Last-Event-ID": str(version)}, timeout=5)
    assert (browser.status_code, browser.content) == (204, b"")
    lines = requests.get(f"{base}{events(match)}?after={version}", headers={"Accept": NDJSON}, timeout=5)
    assert (lines.status_code, lines.content.strip()) == (200, b"")


@pytest.mark.parametrize("accept", [NDJSON, SSE])
def test_it_begins_after_the_version_that_was_had_last(
    base: str, anybody: Client, four: list[Client], accept: str
) -> None:
    match = started(*four)["id"]
    with reading(anybody, base, f"{events(match)}?after=3", accept) as after:
        assert after.wait(lambda: len(after.items) == 2) and after.versions == [4, 5]
    with reading(anybody, base, f"{events(match)}?after=1", accept, Last_Event_ID="4") as later:
        assert later.wait(lambda: later.items) and later.versions == [5]
    with reading(anybody, base, f"{events(match)}?after=4", accept, Last_Event_ID="") as empty:
        assert empty.wait(lambda: empty.items) and empty.versions == [5]


@pytest.mark.parametrize("wrong", ["x", "-1", "1.5", "99999999999", "9" * 500, "1 "[:1] + "e3"])
def test_a_last_event_id_that_is_no_version_is_refused(anybody: Client, four: list[Client], wrong: str) -> None:
    match = opened(*four)["id"]
    for accept in (NDJSON, SSE):
        answer = anybody.get(events(match), Accept=accept, Last_Event_ID=wrong)
        assert (answer.code, list(answer.json["errors"])) == ("invalid", ["Last-Event-ID"])
    assert anybody.get(f"{events(match)}?limit=5", Accept=NDJSON).json["errors"] == {"limit": "a stream has no pages"}
    assert anybody.get(f"{events(match)}?after=-1", Accept=NDJSON).code == "invalid"


def test_a_head_opens_nothing(base: str, anybody: Client, four: list[Client]) -> None:
    match = opened(*four)["id"]
    for path, client in ((events(match), anybody), ("/v1/stream", four[0])):
        answer = client.call("HEAD", path, Accept=SSE)
        assert (answer.status, answer.text) == (200, "") and answer.headers["Content-Type"].startswith(SSE)
    private = opened(*four, visibility="private")["id"]
    assert anybody.call("HEAD", events(private), Accept=SSE).status == 404
    assert waited(lambda: streams_open(base) == 0, SOON)


def streams_open(base: str) -> float:
    text = requests.get(f"{base}/metrics", timeout=5).text
    lines = [line for line in text.splitlines() if line.startswith("tapete_streams_open")]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


def test_broken_at_any_moment_and_resumed_it_gives_every_version_once_in_order(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    """C26, through the end of the server and the next one too."""
    seed = 20261130
    draw, got, match, four = random.Random(seed), list[int](), "", list[Client]()
    for life in range(2):
        with serving(database_url, redis_url, tmp_path / f"log {life}") as base:
            over = over_http(base)
            four = [Client(over, each.token, each.id) for each in four] or [Client(over).player() for _ in range(4)]
            match = match or started(*four, options=SHORT)["id"]
            for choice in range(14 if life == 0 else 10**9):
                if choice % 4 == 0:
                    resume(base, match, got, draw)
                if say(four, match, choice).json["match"]["status"] == "ended":
                    break
            if life == 0:
                reader = Reader(base, f"{events(match)}?after={max(got, default=0)}")
            else:
                resume(base, match, got, draw, to_the_end=True)
                version = Client(over).read(f"/v1/matches/{match}")["version"]
        if life == 0:
            reader.ends()  # the server has gone
            got += reader.versions
    assert got == list(range(1, version + 1)), f"seed {seed}"


def resume(base: str, match: str, got: list[int], draw: random.Random, *, to_the_end: bool = False) -> None:
    """Read on from what was had last, and break off in the middle of whatever comes."""
    last = str(got[-1]) if got else "0"
    response = requests.get(base + events(match), headers={"Accept": SSE, "Last-Event-ID": last}, stream=True,
                            timeout=30)  # fmt: skip
    most, text = 10**9 if to_the_end else draw.randrange(1, 3000), b""
    with suppress(requests.RequestException):
        socket_of(response).settimeout(30 if to_the_end else 0.3)
        for chunk in response.iter_content(chunk_size=1):
            text += chunk
            if len(text) >= most:
                break
    break_off(response)
    whole = text.decode(errors="ignore").rpartition("\n\n")[0]  # a client takes what is followed by an empty line
    got += [int(line[4:]) for line in whole.splitlines() if line.startswith("id: ")]


def test_nothing_is_streamed_before_it_is_committed(
    base: str, anybody: Client, four: list[Client], database_url: str, redis_url: str
) -> None:
    """C11: whatever is heard, and from whomever, only what is committed is sent."""
    match = started(*four)
    with (
        reading(anybody, base, events(match["id"])) as watcher,
        reading(four[0], base, "/v1/stream") as player,
        psycopg.connect(database_url) as conn,
        Redis.from_url(redis_url) as redis,
    ):
        watcher.wait(lambda: len(watcher.items) == 5)
        conn.execute(
            "insert into event (stream_id, version, kind, type, text, prev_hash, hash, recorded_at)"
            " values (%s, 6, 'match', 'moved', '{\"type\":\"moved\",\"seat\":1,\"move\":\"pass\"}', '', '', now())",
            [match["id"]],
        )
        before = len(player.items)
        for text in (json.dumps([[match["id"], 6, 6, [four[0].id]]]), "[[1]]", "no JSON", "[[[],{},null,3]]", "7"):
            redis.publish(CHANNEL, text)
        time.sleep(2.5)  # two looks at the database
        assert len(watcher.items) == 5 and len(player.items) == before
        conn.rollback()
        say(four, match["id"])
        assert watcher.wait(lambda: len(watcher.items) == 6)
        assert watcher.items[5]["hash"] is None and watcher.versions[5] == 6


def test_a_match_is_told_from_where_one_came_whichever_wake_up_is_heard_first(
    base: str, four: list[Client], database_url: str, redis_url: str
) -> None:
    """The first of two may come from a slower process, or never."""
    with reading(four[0], base, "/v1/stream") as host, reading(four[1], base, "/v1/stream") as guest:
        for each in (host, guest):
            each.wait(each.lines.copy)  # the first says that it is connected
        with psycopg.connect(database_url, autocommit=True) as conn, Redis.from_url(redis_url) as redis:
            store = Events(conn)
            proposal = Proposal("polignac", [{"player": four[0].id}, *[{"open": True}] * 3])
            match = play.open_match(store, "slow", four[0].id, proposal, lambda: bytes(32)).match.id
            for seat in (1, 2):
                play.sit(store, match, four[seat].id, seat, None, lambda: bytes(32))
            redis.publish(CHANNEL, json.dumps([[match, 3, 3, [each.id for each in four[:3]]]]))
        for each in (host, guest):
            each.tells(match, 3)
        assert [[item["version"] for item in each.items] for each in (host, guest)] == [[1, 2, 3], [2, 3]]


# Who sees what


@pytest.mark.parametrize("name", ["polignac", "bottle_imp"])
def test_worlds_that_look_alike_stream_alike(base: str, anybody: Client, name: str) -> None:
    """C1, on both kinds of stream, live and from the beginning."""
    players = [anybody.player() for _ in range(SEATS[name])]
    watcher = anybody.player()
    told: list[list[Any]] = []
    turns: list[dict[int, str]] = []
    with reading(players[0], base, "/v1/stream") as mine:
        for pack in two_worlds(name, seed=7):
            world = World(name, players, pack)
            with reading(players[0], base, events(world.id)) as own, reading(watcher, base, events(world.id)) as other:
                said: list[str] = []
                for _ in range(6):
                    seat, words, version = world.turn()
                    if seat == 0:
                        mine.tells(world.id, version, "turn")
                    word = next((word for word in words if word in told[0][3][len(said)][1]), "") if told else words[-1]
                    if not word or world.say(seat, word)[0] != 201:
                        break
                    said.append(word)
                last = world.turn()[2]
                for reader in (own, other):
                    reader.reaches(last)
                mine.tells(world.id, last)
                items = [item for item in mine.items if item["match"] == world.id]
                told.append([*(plain(world.id, each.items) for each in (own, other)),
                             plain(world.id, [item for item in items if item["type"] != "turn"]),
                             [(word, [word]) for word in said]])  # fmt: skip
                turns.append({item["version"]: plain(world.id, [item]) for item in items if item["type"] == "turn"})
    assert len(told[0][3]) >= 3, "the worlds came apart before anything was said"
    assert told[0] == told[1]
    both = turns[0].keys() & turns[1].keys()  # of words that follow each other quickly, the last turn alone is told
    assert both and [turns[0][version] for version in both] == [turns[1][version] for version in both]


def plain(match: str, items: list[dict[str, object]]) -> str:
    """Without the id and the times."""
    return json.dumps([{**item, "at": 0, "event": {**item.get("event", {}), "at": 0}} for item in items],  # type: ignore[dict-item]
                      sort_keys=True).replace(match, "match")  # fmt: skip


def test_a_word_said_face_down_is_seen_by_him_who_said_it_alone(base: str, anybody: Client) -> None:
    """C4: a seat that has resigned reads what a spectator reads."""
    players = [anybody.player() for _ in range(4)]
    seats = [{"player": "me"}, *({"player": each.id} for each in players[1:])]
    match = players[0].made("/v1/matches", {"game": "bottle_imp", "seats": seats})["id"]
    for seat, each in enumerate(players[1:], 1):
        each.made(f"/v1/matches/{match}/seats", {"seat": seat})
    readers = [Reader(base, events(match), each.token) for each in (*players, anybody)]
    for _ in range(3):
        say(players, match)
    version = players[0].read(f"/v1/matches/{match}")["version"]
    for reader in readers:
        reader.reaches(version)
    said = [[item for item in reader.items if item["type"] == "moved"] for reader in readers]
    assert [item["move"] for item in said[4]] == [None] * 3
    for seat, items in enumerate(said[:4]):
        assert all((item["move"] is not None) == (item["seat"] == seat) for item in items)
    speaker = said[4][0]["seat"]
    players[speaker].made(f"/v1/matches/{match}/resignation")
    with (
        reading(players[speaker], base, events(match)) as resigned,
        reading(anybody, base, events(match)) as spectator,
    ):
        for reader in (resigned, spectator):
            reader.reaches(version + 1)
        assert resigned.items[: version + 1] == spectator.items[: version + 1]
    for reader in readers:
        reader.close()


def test_a_private_match_has_no_stream_for_strangers(base: str, anybody: Client, four: list[Client]) -> None:
    match = started(*four, visibility="private")["id"]
    for stranger in (anybody, anybody.player()):
        for accept in (NDJSON, SSE):
            assert stranger.get(events(match), Accept=accept).code == "not_found"
    with reading(four[1], base, events(match)) as own:
        assert own.wait(lambda: len(own.items) == 5)


def test_whoever_is_put_out_of_a_private_match_reads_no_more(base: str, four: list[Client]) -> None:
    match = opened(*four, visibility="private")["id"]
    with (
        reading(four[1], base, events(match)) as out,
        reading(four[2], base, events(match)) as stays,
        reading(four[1], base, "/v1/stream") as all_of_his,
    ):
        all_of_his.wait(lambda: all_of_his.types(match) == ["invited"])
        four[0].delete(f"/v1/matches/{match}/seats/1")
        out.wait(lambda: out.closed)
        stays.wait(lambda: len(stays.items) == 2)
        four[2].made(f"/v1/matches/{match}/seats", {"seat": 2})
        stays.wait(lambda: len(stays.items) == 3)
        assert out.versions == [1] and not stays.closed
        assert all_of_his.types(match) == ["invited"] and not all_of_his.closed


def test_who_organises_no_more_reads_a_private_match_of_the_season_no_more(base: str, anybody: Client) -> None:
    made = club(anybody.player(), 4, visibility="private")
    drawn(made, [1, 2, 3])
    host, other, seconds = *made.players[1:3], anybody.player()
    made.organiser.made(f"/v1/leagues/{made.league}/organisers", {"player": seconds.id})
    match = host.made(f"{made.path}/tables/1-1/match", {"rated": False})["match"]["id"]
    with (
        reading(seconds, base, events(match)) as out,
        reading(made.organiser, base, events(match)) as stays,
    ):
        for reader in (out, stays):
            reader.reaches(1)
        made.organiser.delete(f"/v1/leagues/{made.league}/organisers/{seconds.id}")
        other.made(f"/v1/matches/{match}/seats")
        out.ends(SOON)
        stays.reaches(2)
        assert out.versions == [1] and not stays.closed


@pytest.mark.parametrize("how", ["revoked", "expired", "erased"])
def test_a_token_that_is_good_no_more_ends_its_streams(base: str, anybody: Client, owner: psycopg.Connection, how: str
                                                       ) -> None:  # fmt: skip
    """C27, and no others."""
    player = anybody.player()
    match = opened(player, *(anybody.player() for _ in range(3)))["id"]
    token = player.made("/v1/me/tokens", {"label": "stream", "scopes": ["read"]})
    weak = player.bearing(token["token"])
    with (
        reading(weak, base, "/v1/stream") as mine,
        reading(weak, base, events(match), SSE) as one,
        reading(anybody, base, events(match)) as other,
    ):
        for reader in (one, other):
            reader.reaches(1)
        if how == "revoked":
            player.delete(f"/v1/me/tokens/{token['id']}")
        elif how == "expired":
            owner.execute("update token set expires_at = now() where id = %s", [token["id"]])
        else:
            owner.execute("update player set name = null, erased_at = now() where id = %s", [player.id])
        began = time.monotonic()
        for reader in (mine, one):
            reader.ends(SOON)
        assert time.monotonic() - began < SOON and not other.closed


def test_a_stream_of_ones_own_needs_a_token_that_may_read(four: list[Client], anybody: Client) -> None:
    assert anybody.get("/v1/stream").code == "unauthenticated"
    token = four[0].made("/v1/me/tokens", {"label": "weak", "scopes": ["play"]})["token"]
    assert four[0].bearing(token).get("/v1/stream").code == "missing_scope"
    assert four[0].get("/v1/stream", Accept="application/json").code == "not_acceptable"
    assert four[0].get("/v1/stream?after=1").code == "invalid"


# A player's stream


def test_it_says_on_connecting_what_waits_and_then_what_happens(base: str, four: list[Client]) -> None:
    host, guest, *others = four
    running, offered = started(*four, options=SHORT), opened(*four)["id"]
    seats = [seat for seat in running["seats"] if seat["player"]["id"] == guest.id]
    with reading(guest, base, "/v1/stream") as mine:
        mine.wait(lambda: "invited" in mine.types(offered))
        assert mine.items[-1] == {"type": "invited", "match": offered, "version": 1, "seat": 1} or len(mine.items) > 1
        while (seen := guest.read(f"/v1/matches/{running['id']}"))["status"] == "playing":
            if seen["deal"]["your_turn"]:  # of quick ones the last alone is told
                mine.tells(running["id"], seen["version"], "turn")
            say(four, running["id"])
        mine.wait(lambda: "ended" in mine.types(running["id"]))
        for seat, each in enumerate((guest, *others), 1):
            each.made(f"/v1/matches/{offered}/seats", {"seat": seat})
        mine.wait(lambda: "started" in mine.types(offered))
        new = opened(host, guest, *others)["id"]
        mine.wait(lambda: mine.types(new) == ["event", "invited"])
    turns = [item for item in mine.items if item["type"] == "turn" and item["match"] == running["id"]]
    assert len(turns) >= 8 and {turn["seat"] for turn in turns} == {seats[0]["seat"]}
    assert all(turn["legal"] for turn in turns)
    shown = [item["event"]["version"] for item in mine.items if item["type"] == "event" and item["match"] == offered]
    assert shown == [2, 3, 4, 5]


def test_the_words_of_a_turn_can_be_said_at_its_version(base: str, four: list[Client]) -> None:
    """A program that does nothing but what its stream tells it plays a match to its end."""
    readers = [Reader(base, "/v1/stream", each.token) for each in four]
    match = started(*four, options=SHORT)["id"]
    deadline, seen = time.monotonic() + 60, [0] * 4
    while not any("ended" in reader.types(match) for reader in readers):
        assert time.monotonic() < deadline
        for number, (reader, client) in enumerate(zip(readers, four, strict=True)):
            news, seen[number] = reader.items[seen[number] :], len(reader.items)
            for item in news:
                if item["type"] == "turn":
                    body = {"move": item["legal"][0]}
                    answer = client.post(f"/v1/matches/{match}/moves", body, If_Match=f'"{item["version"]}"')
                    assert answer.status in (201, 412)
        time.sleep(0.005)
    for reader in readers:
        reader.close()


def test_nothing_falls_between_what_waits_and_what_happens(base: str, anybody: Client) -> None:
    """Streams are opened while invitations come: every one of them is told."""
    host, guest = anybody.player(), anybody.player()
    matches, readers = list[str](), list[tuple[int, Reader]]()
    for _ in range(12):
        readers.append((len(matches), Reader(base, "/v1/stream", guest.token)))
        matches += [opened(host, guest, anybody.player())["id"] for _ in range(2)]
    for _, reader in readers:
        for match in matches:
            reader.tells(match, 1, "invited")
        told = [item["match"] for item in reader.items if item["type"] == "invited"]
        assert len(told) == len(set(told)) == len(matches)
        reader.close()


def test_intervals_are_what_the_page_says() -> None:
    assert hub.CHECK_SECONDS <= 3 and hub.POLL_SECONDS <= 2 and hub.TOGETHER_SECONDS <= 0.02
