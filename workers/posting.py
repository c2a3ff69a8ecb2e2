"""One message, posted to a receiver that nobody trusts.

It goes to a public address that was looked up here, over TLS that is verified against the name. All of it has a
deadline, no redirect is followed, and of the answer the head alone is read. Beside it: webhooks.py (who calls),
domain/webhooks.py (which addresses are public).
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from http.client import HTTPException, HTTPMessage, parse_headers
from io import BytesIO
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import NamedTuple

from domain.webhooks import Target, is_public

DEADLINE_SECONDS = 10.0  # for all of it, however slowly the receiver drips
LOOKUP_SECONDS = 4.0
MOST_HEAD_BYTES = 16 * 1024


class PostError(Exception):
    """Nobody answered. The message names no address: what a name leads to is not the hook's owner's to know."""


class Answer(NamedTuple):
    """What the receiver says. `retry_after` in seconds, when it asks for something."""

    status: int
    retry_after: float | None


def post(target: Target, headers: Mapping[str, str], body: bytes, *, private: bool) -> Answer:
    """Post the body. Raises PostError, within DEADLINE_SECONDS."""
    deadline = monotonic() + DEADLINE_SECONDS
    addresses = _addresses(target, private)
    try:
        with closing(_connected(target, addresses, deadline)) as line:
            line.settimeout(_left(deadline))
            line.sendall(_request(target, headers, body))
            return _answer(line, deadline)
    except TimeoutError:
        raise PostError(f"no answer within {DEADLINE_SECONDS:.0f} seconds") from None
    except ssl.SSLCertVerificationError as fault:
        raise PostError(f"the certificate is not to be trusted: {fault.verify_message}") from None
    except ssl.SSLError as fault:
        raise PostError(f"no TLS: {fault.reason}") from None
    except OSError as fault:
        raise PostError(f"no connection: {fault.strerror or 'broken off'}") from None


def _addresses(target: Target, private: bool) -> list[str]:
    """Where the name leads, all of it public: one that leads to both sides is up to something."""
    found = _looked_up(target)
    if not private and not all(is_public(address) for address in found):
        raise PostError("the host has an address that is not public")
    return found


def _looked_up(target: Target) -> list[str]:
    """In a thread of its own, for the resolver knows no deadline."""
    answers: SimpleQueue[list[str]] = SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
            answers.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))
        except (OSError, UnicodeError):
            answers.put([])

    Thread(target=look_up, name="lookup", daemon=True).start()
    try:
        found = answers.get(timeout=LOOKUP_SECONDS)
    except Empty:
        raise PostError(f"the name was not found within {LOOKUP_SECONDS:.0f} seconds") from None
    if not found:
        raise PostError("there is no such host")
    return found


def _connected(target: Target, addresses: list[str], deadline: float) -> socket.socket:
    """A line to the first address that takes one; TLS is verified against the name that the owner gave."""
    for number, address in enumerate(addresses, 1):
        try:
            line = socket.create_connection((address, target.port), _left(deadline, len(addresses) - number + 1))
            break
        except OSError:
            if number == len(addresses):
                raise
    if not target.secure:
        return line
    line.settimeout(_left(deadline))
    try:
        return _tls().wrap_socket(line, server_hostname=target.host.rstrip("."))
    except BaseException:
        line.close()
        raise


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _left(deadline: float, shares: int = 1) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left / shares


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    fixed = {"Host": target.authority, "Content-Length": str(len(body)), "Connection": "close", "Accept": "*/*"}
    lines = [f"POST {target.path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**fixed, **headers}.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _answer(line: socket.socket, deadline: float) -> Answer:
    """The first answer that is a final one. Each read has only what is left of the time, so a drip gains nothing."""
    read = b""
    while True:
        head, end, rest = read.partition(b"\r\n\r\n")
        if end:
            answer = _parsed(head)
            if answer.status >= 200:
                return answer
            read = rest
            continue
        if len(read) > MOST_HEAD_BYTES:
            raise PostError("the head of the answer is too long")
        line.settimeout(_left(deadline))
        more = line.recv(4096)
        if not more:
            raise PostError("the line was closed without an answer")
        read += more


def _parsed(head: bytes) -> Answer:
    first, _, rest = head.partition(b"\r\n")
    words = first.split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or len(words[1]) != 3 or not words[1].isdigit():
        raise PostError("what answers does not speak HTTP")
    try:
        headers = parse_headers(BytesIO(rest + b"\r\n\r\n"))
    except HTTPException:
        raise PostError("what answers does not speak HTTP") from None
    return Answer(int(words[1]), _retry_after(headers))


def _retry_after(headers: HTTPMessage) -> float | None:
    """Seconds, of a number or of a date; None for anything else."""
    text = (headers.get("Retry-After") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max((then - datetime.now(UTC)).total_seconds(), 0.0)
