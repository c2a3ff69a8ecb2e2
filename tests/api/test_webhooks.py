"""Webhooks, from the request that makes one to the message that arrives, over the real sender and a real receiver."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any

import psycopg
import pytest
from flask import Flask
from standardwebhooks import Webhook, WebhookVerificationError

from domain import play
from domain.rules import games
from domain.webhooks import TYPES
from store import db, deliveries
from store.events import Events
from tests.api.conftest import application
from tests.api.http import Client, over_flask
from tests.api.tables import BOT, played, say, started
from tests.api.test_hidden import SEATS, STEPS, World, two_worlds
from tests.workers.receiver import Received, Receiver, receiver, saying
from tests.workers.tables import wait_for
from workers.senders import Sender
from workers.work import work_off

EVERYTHING = list(TYPES)


@pytest.fixture(scope="module")
def app(database_url: str, redis_url: str) -> Iterator[Flask]:
    """The application, where receivers may be on this machine."""
    with application(database_url, redis_url, TAPETE_WEBHOOK_PRIVATE="true") as app:
        yield app


@pytest.fixture
def sender(database_url: str) -> Iterator[Sender]:
    """What a worker runs beside its tasks."""
    sender = Sender(database_url, private=True)
    sender.start()
    yield sender
    sender.stop()


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def hooked(client: Client, to: Receiver, *events: str) -> Any:
    """A webhook of the client's."""
    return client.made("/v1/webhooks", {"url": to.url, "events": list(events or EVERYTHING)})


def probe(client: Client, hook: Any) -> str:
    """A test message; its id."""
    answer = client.post(f"/v1/webhooks/{hook['id']}/test")
    assert answer.status == 202, answer
    return str(answer.json["id"])


def last(client: Client, hook: Any) -> Any:
    """The newest message, as the log has it."""
    return client.read(f"/v1/webhooks/{hook['id']}/deliveries?limit=1")["items"][0]


def after(client: Client, hook: Any, attempts: int) -> Any:
    """The newest message once so many attempts are recorded."""

    def found() -> Any:
        delivery = last(client, hook)
        return delivery if len(delivery["attempts"]) >= attempts else None

    return wait_for(found)


def hurry(owner: psycopg.Connection, hook: Any) -> None:
    """Let what waits for its time be due."""
    owner.execute("update delivery set due_at = now() where webhook = %s and state = 'pending'", [hook["id"]])
    owner.execute("update webhook set next_at = now(), rests_until = now() where id = %s", [hook["id"]])


def verified(one: Received, secret: str) -> Any:
    """The message, as the standard's own package accepts it."""
    return Webhook(secret).verify(one.body, one.headers)


# Making and seeing them


def test_a_webhook_shows_its_secret_once_and_a_replay_shows_nothing(ana: Client, there: Receiver) -> None:
    body = {"url": there.url, "events": ["turn", "turn", "ended"]}
    first = ana.post("/v1/webhooks", body, Idempotency_Key="once")
    assert (first.status, first.json["events"]) == (201, ["turn", "ended"])
    assert first.json["secret"].startswith("whsec_")
    again = ana.post("/v1/webhooks", body, Idempotency_Key="once")
    assert (again.status, again.json["code"], again.json["id"]) == (409, "already_done", first.json["id"])
    assert [hook["id"] for hook in ana.read("/v1/webhooks")["items"]] == [first.json["id"]]
    for path in ("/v1/webhooks", first.headers["Location"]):
        assert "secret" not in ana.get(path).text and first.json["secret"] not in ana.get(path).text


def test_a_stranger_finds_no_webhook_on_any_path(ana: Client, luis: Client, anybody: Client, there: Receiver) -> None:
    hook = hooked(ana, there)
    path = f"/v1/webhooks/{hook['id']}"
    delivery = probe(ana, hook)
    for method, rest in (("GET", ""), ("GET", "/deliveries"), ("POST", "/test"), ("DELETE", ""),
                         ("POST", f"/deliveries/{delivery}/redeliver")):  # fmt: skip
        body: Any = {} if method == "POST" else None
        assert luis.call(method, path + rest, body).status == 404
        assert anybody.call(method, path + rest, body).status == 401
    other = hooked(luis, there)
    assert luis.post(f"/v1/webhooks/{other['id']}/deliveries/{delivery}/redeliver").status == 404
    assert luis.read("/v1/webhooks")["items"][0]["id"] == other["id"]
    assert ana.get(path).status == 200


def test_webhooks_take_the_scope_manage(ana: Client, there: Receiver) -> None:
    weak = ana.bearing(ana.made("/v1/me/tokens", {"label": "x", "scopes": ["read", "play"]})["token"])
    assert weak.get("/v1/webhooks").status == 403
    assert weak.post("/v1/webhooks", {"url": there.url, "events": ["turn"]}).status == 403


@pytest.mark.parametrize(
    "body",
    [{}, {"url": "https://example.org"}, {"url": "https://example.org", "events": []},
     {"url": "https://example.org", "events": ["everything"]}, {"url": "ftp://example.org", "events": ["turn"]},
     {"url": "https://me:x@example.org", "events": ["turn"]}, {"url": 7, "events": ["turn"]},
     {"url": "https://example.org/" + "x" * 2000, "events": ["turn"]},
     {"url": "https://example.org", "events": ["turn"], "secret": "mine"}],
)  # fmt: skip
def test_what_is_no_webhook_is_refused(ana: Client, body: Any) -> None:
    assert ana.post("/v1/webhooks", body).status == 422
    assert ana.read("/v1/webhooks")["items"] == []


def test_only_https_and_public_hosts_unless_configured(database_url: str, redis_url: str) -> None:
    with application(database_url, redis_url) as strict:
        eva = Client(over_flask(strict.test_client(use_cookies=False))).player("Eva")
        for url in ("http://example.org", "https://127.0.0.1", "https://localhost", "https://LOCALHOST.", "https://[::1]",
                    "https://2130706433", "https://0x7f.1", "https://127.1", "https://10.0.0.1:8443",
                    "https://169.254.169.254/latest", "https://[::ffff:8.8.8.8]", "https://0"):  # fmt: skip
            refused = eva.post("/v1/webhooks", {"url": url, "events": ["turn"]})
            assert (refused.status, [*refused.json["errors"]]) == (422, ["url"]), url
        for url in ("https://example.org", "https://8.8.8.8/x", "https://[2606:4700::1111]/"):
            eva.made("/v1/webhooks", {"url": url, "events": ["turn"]})


def test_a_player_has_ten_webhooks_at_most(ana: Client, there: Receiver) -> None:
    for _ in range(10):
        hook = hooked(ana, there)
    refused = ana.post("/v1/webhooks", {"url": there.url, "events": ["turn"]})
    assert (refused.status, refused.json["code"]) == (403, "not_allowed")
    assert ana.delete(f"/v1/webhooks/{hook['id']}").status == 204
    hooked(ana, there)


# What arrives


@pytest.mark.usefixtures("sender")
def test_a_message_arrives_signed_and_is_in_the_log(ana: Client, there: Receiver) -> None:
    hook = hooked(ana, there)
    delivery = probe(ana, hook)
    (one,) = there.wait(1)
    message = verified(one, hook["secret"])
    assert one.headers["webhook-id"] == delivery
    assert {name: message[name] for name in ("type", "data")} == {"type": "test", "data": {"webhook": hook["id"]}}
    assert one.headers["content-type"] == "application/json"
    logged = after(ana, hook, 1)
    assert (logged["id"], logged["state"], logged["next_at"]) == (delivery, "delivered", None)
    assert logged["message"] == message
    (attempt,) = logged["attempts"]
    assert (attempt["number"], attempt["status"], attempt["error"]) == (1, 204, None)
    assert ana.read(f"/v1/webhooks/{hook['id']}")["delivered"] == 1


@pytest.mark.usefixtures("sender")
def test_a_match_is_told_once_and_in_order_to_those_who_asked(
    ana: Client, luis: Client, eva: Client, there: Receiver
) -> None:
    mine, his = hooked(ana, there), hooked(luis, there, "invited", "turn", "ended")
    match = started(ana, luis, eva, options={"target": 1})["id"]
    end = played([ana, luis, eva], match)
    wait_for(lambda: all_sent(ana, mine) and all_sent(luis, his))
    told = [verified(one, mine["secret"]) for one in there.received if signed(one, mine["secret"])]
    history = ana.read(f"/v1/matches/{match}/events?limit=200")["items"]
    versions = [message["data"]["version"] for message in told if message["type"] == "event"]
    assert versions == [event["version"] for event in history]
    assert [message["type"] for message in told if message["type"] not in ("event", "turn")] == ["started", "ended"]
    assert len({one.headers["webhook-id"] for one in there.received}) == len(there.received)

    told = [verified(one, his["secret"]) for one in there.received if signed(one, his["secret"])]
    assert (told[0]["type"], told[0]["data"]) == ("invited", {"match": match, "version": 1, "seat": 1})
    assert (told[-1]["type"], told[-1]["data"]["event"]["places"]) == ("ended", end["result"]["places"])
    turns = [message["data"] for message in told[1:-1]]
    words = {event["version"]: event for event in history if event["type"] == "moved" and event["seat"] == 1}
    assert {turn["version"] + 1 for turn in turns} == set(words)
    assert all(words[turn["version"] + 1]["move"] in turn["legal"] for turn in turns)


def signed(one: Received, secret: str) -> bool:
    try:
        verified(one, secret)
    except WebhookVerificationError:
        return False
    return True


def all_sent(client: Client, hook: Any) -> bool:
    """Whether the end of a match was told, and nothing waits."""
    newest = client.read(f"/v1/webhooks/{hook['id']}/deliveries?limit=200")["items"]
    return any(each["type"] == "ended" for each in newest) and all(each["state"] == "delivered" for each in newest)


@pytest.mark.usefixtures("sender")
@pytest.mark.parametrize("name", games())
def test_worlds_that_look_alike_are_told_alike(anybody: Client, there: Receiver, name: str) -> None:
    """C1: what a webhook is sent differs in ids and times alone."""
    players = [anybody.player() for _ in range(SEATS.get(name, 4))]
    hooked(players[0], there)
    left, right = (World(name, players, pack) for pack in two_worlds(name, seed=7))
    for _ in range(STEPS):
        (seat, words, _), (_, others, _) = left.turn(), right.turn()
        common = [word for word in words if word in others]
        if not common:
            break
        for world in (left, right):
            world.say(seat, common[-1])
    told = [plain(there, world) for world in (left, right)]
    assert told[0] == told[1]
    assert len(told[0]) > 6


def plain(to: Receiver, world: World) -> list[str]:
    """The data of all messages about the world, once it is quiet, without its id and the times."""
    version = world.players[0].read(f"/v1/matches/{world.id}")["version"]

    def found() -> list[Any]:
        return [data for one in to.received if (data := one.message["data"])["match"] == world.id]

    wait_for(lambda: any(data["version"] == version for data in found()))
    time.sleep(0.3)
    for data in (told := found()):
        if "event" in data:
            data["event"]["at"] = None
    return [json.dumps(data).replace(world.id, "match") for data in told]


@pytest.mark.usefixtures("sender")
def test_who_has_nothing_to_do_with_a_match_is_told_nothing(
    ana: Client, luis: Client, there: Receiver, conn: db.Connection
) -> None:
    hook = hooked(luis, there)
    ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT, BOT]})
    invited = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, {"player": luis.id}, BOT]})
    assert ana.delete(f"/v1/matches/{invited['id']}/seats/1").status == 204
    wait_for(lambda: notices(conn) == [])
    probe(luis, hook)
    wait_for(lambda: [one for one in there.received if one.message["type"] == "test"])
    assert {one.message["data"].get("match") for one in there.received} <= {invited["id"], None}
    assert [one.message["type"] for one in there.received if one.message["data"].get("version") == 2] == []


def test_c11_nothing_is_told_of_what_is_not_committed(ana: Client, conn: db.Connection, there: Receiver) -> None:
    hook = hooked(ana, there, "event", "started")

    def open_match() -> str:
        proposal = play.Proposal("polignac", [{"player": ana.id}, BOT, BOT, BOT])
        return play.open_match(Events(conn), token_hex(8), ana.id, proposal, lambda: bytes(32)).match.id

    with conn.transaction(force_rollback=True):
        open_match()
    assert notices(conn) == []
    match = open_match()
    (key,) = notices(conn)
    assert key == f"notify:{match}:1:2"
    assert ana.read(f"/v1/webhooks/{hook['id']}/deliveries")["items"] == []
    for _ in range(2):
        work_off(conn, key)  # which a worker may do twice
    assert len(ana.read(f"/v1/webhooks/{hook['id']}/deliveries")["items"]) == 3  # opened, dealt, started


def notices(conn: db.Connection) -> list[str]:
    return [key for (key,) in conn.execute("select key from job where kind = 'notify' and state <> 'done'")]


def test_a_match_in_which_nobody_has_a_webhook_leaves_no_notice(
    ana: Client, luis: Client, eva: Client, conn: db.Connection
) -> None:
    match = started(ana, luis, eva)["id"]
    say([ana, luis, eva], match)
    count = "select count(*) from job where kind = 'notify' and split_part(key, ':', 2) = %s"
    assert conn.execute(count, [match]).fetchone() == (0,)


# When it goes wrong


@pytest.mark.usefixtures("sender")
def test_a_message_that_failed_comes_again_under_its_id_with_the_same_body(
    ana: Client, there: Receiver, owner: psycopg.Connection
) -> None:
    there.reactions = [saying("500 Oops"), saying("404 Gone fishing"), lambda line: None]
    hook = hooked(ana, there)
    probe(ana, hook)
    for attempts in range(1, 5):
        delivery = after(ana, hook, attempts)
        if attempts < 4:
            assert delivery["state"] == "pending" and delivery["next_at"] > delivery["attempts"][-1]["at"]
            hurry(owner, hook)
    errors = ["HTTP 500", "HTTP 404", "the line was closed without an answer", None]
    assert [attempt["error"] for attempt in delivery["attempts"]] == errors
    assert [attempt["status"] for attempt in delivery["attempts"]] == [500, 404, None, 204]
    assert len({(one.headers["webhook-id"], one.body) for one in there.received}) == 1
    shown = ana.read(f"/v1/webhooks/{hook['id']}")
    assert (shown["delivered"], shown["failed"], shown["failing_since"]) == (1, 3, None)


@pytest.mark.usefixtures("sender")
def test_a_failing_receiver_is_left_alone_by_all_its_messages(ana: Client, there: Receiver) -> None:
    there.reaction = saying("500 Oops")
    hook = hooked(ana, there)
    probe(ana, hook)
    after(ana, hook, 1)
    for _ in range(3):
        something_happens(ana)
    time.sleep(0.8)
    assert len(there.received) == 1


def something_happens(client: Client) -> None:
    """A match begins."""
    client.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT, BOT]})


@pytest.mark.usefixtures("sender")
@pytest.mark.parametrize("head", ["429 Too Many", "503 Busy"])
def test_retry_after_is_honoured(ana: Client, there: Receiver, head: str) -> None:
    there.reactions = [saying(f"{head}\r\nRetry-After: 1")]
    hook = hooked(ana, there)
    probe(ana, hook)
    assert after(ana, hook, 2)["state"] == "delivered"
    first, second = there.received
    assert 0.9 < second.at - first.at < 3


@pytest.mark.usefixtures("sender")
def test_410_disables_at_once_and_a_test_message_enables_again(
    ana: Client, there: Receiver, owner: psycopg.Connection
) -> None:
    there.reactions = [saying("410 Gone")]
    hook = hooked(ana, there)
    probe(ana, hook)
    after(ana, hook, 1)
    shown = ana.read(f"/v1/webhooks/{hook['id']}")
    assert (shown["enabled"], shown["disabled_reason"]) == (False, "the receiver answered 410 Gone")
    something_happens(ana)
    hurry(owner, hook)
    time.sleep(0.6)
    assert len(there.received) == 1
    probe(ana, hook)
    there.wait(2)
    wait_for(lambda: ana.read(f"/v1/webhooks/{hook['id']}")["delivered"] == 1)
    assert ana.read(f"/v1/webhooks/{hook['id']}")["enabled"]


@pytest.mark.usefixtures("sender")
def test_a_hook_that_has_failed_for_days_is_disabled_and_says_why(
    ana: Client, there: Receiver, owner: psycopg.Connection
) -> None:
    there.reaction = saying("502 Bad Gateway")
    hook = hooked(ana, there)
    probe(ana, hook)
    after(ana, hook, 1)
    owner.execute("update webhook set failing_since = now() - interval '73 hours' where id = %s", [hook["id"]])
    hurry(owner, hook)
    after(ana, hook, 2)
    shown = ana.read(f"/v1/webhooks/{hook['id']}")
    assert not shown["enabled"]
    assert shown["disabled_reason"] == "it has only failed for 3 days, at last with: HTTP 502"


@pytest.mark.usefixtures("sender")
def test_a_message_that_was_given_up_or_has_arrived_can_be_sent_again(
    ana: Client, there: Receiver, owner: psycopg.Connection
) -> None:
    there.reactions = [saying("500 Oops")]
    hook = hooked(ana, there)
    delivery = probe(ana, hook)
    after(ana, hook, 1)
    owner.execute("update delivery set state = 'failed' where id = %s", [delivery])
    for count in (2, 3):
        again = ana.post(f"/v1/webhooks/{hook['id']}/deliveries/{delivery}/redeliver")
        assert (again.status, again.json["state"]) == (202, "pending")
        there.wait(count)
        assert after(ana, hook, count)["state"] == "delivered"
    assert {one.headers["webhook-id"] for one in there.received} == {delivery}
    assert ana.post(f"/v1/webhooks/{hook['id']}/deliveries/msg_none/redeliver").status == 404


def test_a_sender_that_was_lost_is_followed_by_another_and_counts_for_nothing(
    ana: Client, there: Receiver, conn: db.Connection
) -> None:
    hook = hooked(ana, there)
    delivery = probe(ana, hook)
    lost = deliveries.take(conn, 0.3)
    assert lost and lost.delivery == delivery
    assert deliveries.take(conn, 0.3) is None
    time.sleep(0.35)
    other = deliveries.take(conn, 20)
    assert other and (other.delivery, other.body) == (delivery, lost.body)
    assert not deliveries.record(conn, lost, deliveries.Verdict(500, 1, "late"))
    assert deliveries.record(conn, other, deliveries.Verdict(204, 1, None))
    assert [attempt["status"] for attempt in last(ana, hook)["attempts"]] == [204]
    assert deliveries.take(conn, 20) is None


def test_messages_that_are_made_while_another_is_sent_come_next(
    ana: Client, there: Receiver, conn: db.Connection
) -> None:
    hook = hooked(ana, there)
    first = probe(ana, hook)
    taken = deliveries.take(conn, 20)
    second = probe(ana, hook)
    assert taken and taken.delivery == first and deliveries.take(conn, 20) is None
    assert deliveries.record(conn, taken, deliveries.Verdict(204, 1, None))
    following = deliveries.take(conn, 20)
    assert following and following.delivery == second
    assert ana.delete(f"/v1/webhooks/{hook['id']}").status == 204
    assert not deliveries.record(conn, following, deliveries.Verdict(204, 1, None))


def test_one_player_keeps_no_more_than_two_senders_busy(
    ana: Client, luis: Client, there: Receiver, conn: db.Connection
) -> None:
    hooks = [hooked(ana, there) for _ in range(4)]
    for hook in hooks:
        probe(ana, hook)
    mine = [deliveries.take(conn, 20), deliveries.take(conn, 20)]
    assert all(mine) and deliveries.take(conn, 20) is None
    probe(luis, hooked(luis, there))
    assert deliveries.take(conn, 20)
    assert mine[0] and deliveries.record(conn, mine[0], deliveries.Verdict(204, 1, None))
    assert deliveries.take(conn, 20) and deliveries.take(conn, 20) is None


def test_what_waits_is_bounded_and_what_was_left_out_is_counted(
    ana: Client, there: Receiver, conn: db.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MOST_PENDING", 5)
    hook, now = hooked(ana, there), datetime.now(UTC)
    many = [deliveries.message(hook["id"], f"m:{number}", "test", now, {}) for number in range(8)]
    deliveries.add(conn, many[:3])
    deliveries.add(conn, many)
    waiting = conn.execute("select source from delivery where webhook = %s order by seq", [hook["id"]]).fetchall()
    assert len(waiting) <= 5 and waiting[:3] == [("m:0",), ("m:1",), ("m:2",)]
    assert ana.read(f"/v1/webhooks/{hook['id']}")["dropped"] >= 3
    refused = [ana.post(f"/v1/webhooks/{hook['id']}/test").status for _ in range(6)][-1]
    assert refused == 403


def test_who_leaves_takes_his_webhooks_along(ana: Client, there: Receiver, conn: db.Connection) -> None:
    hook = hooked(ana, there)
    probe(ana, hook)
    assert ana.delete("/v1/me").status == 204
    left = (
        "select count(*) from webhook full join delivery on webhook = webhook.id where webhook.id = %s or webhook = %s"
    )
    assert conn.execute(left, [hook["id"], hook["id"]]).fetchone() == (0,)


def test_metrics_count_what_was_sent(anybody: Client) -> None:
    text = anybody.get("/metrics").text
    for name in ('messages_total{state="failed"}', "messages_pending", "s_disabled", "s_failing"):
        assert f"tapete_webhook_{name} " in text.replace("tapete_webhooks_", "tapete_webhook_s_"), name


def test_old_messages_are_forgotten(ana: Client, there: Receiver, conn: db.Connection) -> None:
    hook = hooked(ana, there)
    probe(ana, hook)
    conn.execute("update delivery set created_at = now() - interval '8 days' where webhook = %s", [hook["id"]])
    assert deliveries.prune(conn, timedelta(days=7)) == 1
    assert ana.read(f"/v1/webhooks/{hook['id']}/deliveries")["items"] == []


@pytest.mark.usefixtures("sender")
def test_the_page_verifies_messages_as_it_says(ana: Client, there: Receiver) -> None:
    page = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], names)
    hook = hooked(ana, there)
    probe(ana, hook)
    (one,) = there.wait(1)
    verify, late = names["verified"], {**one.headers, "webhook-timestamp": str(int(time.time()) - 400)}
    assert verify(one.headers, one.body, hook["secret"])
    assert not verify(one.headers, one.body + b" ", hook["secret"])
    assert not verify({**one.headers, "webhook-id": "msg_other"}, one.body, hook["secret"])
    assert not verify(late, one.body, hook["secret"])
    assert not verify(one.headers, one.body, hooked(ana, there)["secret"])
    assert all(f"| `{kind}` |" in page for kind in [*TYPES, "test"]), "a type is not on the page"
