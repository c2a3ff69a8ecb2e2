"""Webhooks: where a player wants to be told, the log of what was sent, and sending it again.

Read beside it: docs/webhooks.md, domain/webhooks.py, store/webhooks.py and deliveries.py; workers/senders.py sends.
"""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from typing import Any

from flask import Response, request

from api import cursors
from api.answers import answer, nothing
from api.call import Call, new_id
from api.errors import ProblemError, invalid
from api.operation import Blueprint
from api.schemas import NewWebhook, Paging
from domain.webhooks import TEST, UrlError, is_public, shown_secret, target
from store import deliveries, webhooks
from store.deliveries import Delivery
from store.webhooks import Webhook

MOST_HOOKS = 10  # of a player

blueprint = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks", description="Being told by a request of ours")


@blueprint.operation("POST", "", scope="manage", status=201, body=NewWebhook(), answer="NewWebhookAnswer",
                     headers="Location", problems="not_allowed", secret=True)  # fmt: skip
def add_webhook(call: Call, body: dict[str, Any]) -> Response:
    """Ask to be told, under a URL, of events of these types. The answer shows the secret that signs, this once."""
    _check(call, body["url"])
    secret, events = secrets.token_bytes(32), list(dict.fromkeys(body["events"]))
    hook = webhooks.create(call.conn, new_id(), call.player, body["url"], events, secret, MOST_HOOKS)
    if hook is None:
        raise ProblemError("not_allowed", f"you have {MOST_HOOKS} webhooks, which is the most there can be")
    call.made = hook.id
    shown = {**_shown(hook), "secret": shown_secret(secret)}
    return answer(shown, 201, {"Location": f"{request.path}/{hook.id}"})


def _check(call: Call, url: str) -> None:
    """What can be known of a URL without asking anybody; where its name leads is looked at whenever it is used."""
    private = call.backing.settings.webhook_private
    try:
        host = target(url, private=private).host
    except UrlError as fault:
        raise invalid("url", str(fault)) from None
    literal = ":" in host or host.rstrip(".").rpartition(".")[2][:1].isdigit()  # no name ends so
    if not private and (literal and not is_public(host) or host.rstrip(".").lower() == "localhost"):
        raise invalid("url", "names no public host")


def _shown(hook: Webhook) -> dict[str, Any]:
    return {**hook._asdict(), "enabled": hook.disabled_at is None}


@blueprint.operation("GET", "", scope="manage", query=Paging(), answer="Webhooks", headers="Link",
                     problems="forged_cursor")  # fmt: skip
def list_webhooks(call: Call, query: dict[str, Any]) -> Response:
    """My webhooks, newest first; their secrets are shown to nobody again."""
    limit = query["limit"]
    found = webhooks.page(call.conn, call.player, limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [_shown(hook) for hook in found[:limit]], more)


@blueprint.operation("GET", "/<id:webhook>", scope="manage", answer="Webhook", problems="not_found")
def read_webhook(call: Call, webhook: str) -> Response:
    """One of my webhooks: how it does, and why it is disabled if it is."""
    return answer(_shown(_mine(call, webhook)))


def _mine(call: Call, webhook: str) -> Webhook:
    found = webhooks.get(call.conn, call.player, webhook)
    if found is None:
        raise ProblemError("not_found", f"you have no webhook {webhook!r}")
    return found


@blueprint.operation("DELETE", "/<id:webhook>", scope="manage", status=204, problems="not_found")
def remove_webhook(call: Call, webhook: str) -> Response:
    """Be told no more: the webhook goes with its log and all it was still to send."""
    if not webhooks.delete(call.conn, call.player, webhook):
        raise ProblemError("not_found", f"you have no webhook {webhook!r}")
    return nothing()


@blueprint.operation("GET", "/<id:webhook>/deliveries", scope="manage", query=Paging(), answer="Deliveries",
                     headers="Link", problems="not_found forged_cursor")  # fmt: skip
def list_deliveries(call: Call, webhook: str, query: dict[str, Any]) -> Response:
    """What was sent or is to be, newest first, with every attempt; of what the receiver said, the status alone."""
    hook, limit = _mine(call, webhook), query["limit"]
    found = deliveries.log(call.conn, hook.id, limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [_logged(delivery) for delivery in found[:limit]], more)


def _logged(delivery: Delivery) -> dict[str, Any]:
    attempts = [{**each, "at": datetime.fromisoformat(each["at"])} for each in delivery.attempts]
    shown = delivery._asdict() | {"attempts": attempts, "message": json.loads(delivery.body)}
    del shown["body"]
    return shown


@blueprint.operation("POST", "/<id:webhook>/deliveries/<id:delivery>/redeliver", scope="manage", status=202,
                     answer="Delivery", problems="not_found")  # fmt: skip
def redeliver(call: Call, webhook: str, delivery: str) -> Response:
    """Send a message once more, under the id it has; a disabled webhook is enabled by it."""
    hook = _mine(call, webhook)
    if not deliveries.again(call.conn, hook.id, delivery):
        raise ProblemError("not_found", f"the webhook has no delivery {delivery!r}")
    return _accepted(call, hook, delivery)


@blueprint.operation("POST", "/<id:webhook>/test", scope="manage", status=202, answer="Delivery",
                     problems="not_found not_allowed")  # fmt: skip
def test_webhook(call: Call, webhook: str) -> Response:
    """Send a message of type `test`; a disabled webhook is enabled by it."""
    hook = _mine(call, webhook)
    message = deliveries.message(hook.id, f"{TEST}:{new_id()}", TEST, datetime.now(UTC), {"webhook": hook.id})
    with call.conn.transaction():
        deliveries.enable(call.conn, hook.id)
        deliveries.add(call.conn, [message])
    return _accepted(call, hook, message.id)


def _accepted(call: Call, hook: Webhook, delivery: str) -> Response:
    found = deliveries.one(call.conn, hook.id, delivery)
    if found is None:
        raise ProblemError("not_allowed", f"{deliveries.MOST_PENDING} messages wait already")
    return answer(_logged(found), 202)
