"""Webhooks: what an append means to those who listen becomes messages; a message is sent, and judged by the answer.

Read beside it: domain/news.py, store/deliveries.py, senders.py (who sends when), posting.py (how).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from time import monotonic

from domain import webhooks as rules
from domain.event import Event, Job
from domain.match import fold
from domain.news import Item, concerned, news
from domain.webhooks import UrlError
from store import deliveries, webhooks
from store.db import Connection
from store.deliveries import Message, Taken, Verdict
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect
from workers.posting import Answer, PostError, post

GIVE_UP = timedelta(days=3)  # a hook that has only failed for so long is disabled


def notify(conn: Connection, lease: Lease) -> Effect:
    """`notify:<match>:<first>:<last>`: what these events mean to each hook that listens by now, as messages."""
    _, match, first, last = lease.key.split(":")
    history = Events(conn).read_all(match, int(last)).events
    m = fold(match, history)
    events = [event for event in history if event.version >= int(first)]
    messages = [
        _message(each.webhook, item, history[-1])
        for each in webhooks.listening(conn, concerned(m))
        for item in news(m, events, each.player)
        if item["type"] in each.events
    ]

    def store(conn: Connection) -> Sequence[Job]:
        deliveries.add(conn, messages)
        return []

    return store


def _message(webhook: str, item: Item, last: Event) -> Message:
    data = {name: value for name, value in item.items() if name != "type"}
    assert last.at
    return deliveries.message(webhook, f"{item['match']}:{item['version']}:{item['type']}", item["type"], last.at, data)


def sent(taken: Taken, *, private: bool) -> Verdict:
    """Send a message, and judge what came of it."""
    began = monotonic()
    try:
        answer = post(rules.target(taken.url, private=private), _headers(taken), taken.body.encode(), private=private)
        error = None if 200 <= answer.status < 300 else f"HTTP {answer.status}"
        if 300 <= answer.status < 400:
            error = f"HTTP {answer.status}: redirects are not followed"
    except (PostError, UrlError) as fault:
        answer, error = None, str(fault)
    return judged(taken, answer, error, round((monotonic() - began) * 1000))


def judged(taken: Taken, answer: Answer | None, error: str | None, milliseconds: int) -> Verdict:
    """What the attempt means for the message and for its hook."""
    status = answer.status if answer else None
    if error is None:
        return Verdict(status, milliseconds, None)
    if status == 410:
        return Verdict(status, milliseconds, error, disable="the receiver answered 410 Gone")
    asked = answer.retry_after if answer and status in (429, 503) else None
    retry_in = rules.wait_seconds(taken.attempts + 1, random.random(), asked)
    disable = None
    if taken.failing_since and taken.now - taken.failing_since > GIVE_UP:
        disable = f"it has only failed for {GIVE_UP.days} days, at last with: {error}"
    return Verdict(status, milliseconds, error, retry_in, rules.rest_seconds(taken.failures + 1, asked), disable)


def _headers(taken: Taken) -> dict[str, str]:
    at = int(taken.now.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "Tapete-Webhooks/1",
        "webhook-id": taken.delivery,
        "webhook-timestamp": str(at),
        "webhook-signature": rules.signature(taken.secret, taken.delivery, at, taken.body),
    }
