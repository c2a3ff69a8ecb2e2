"""Webhooks, as far as they need no network: which URLs and addresses they go to, how a message is signed, how long a
failed one waits.

Signatures are those of Standard Webhooks (https://www.standardwebhooks.com). Read beside it: news.py, season_news.py
(what is told), docs/webhooks.md.
"""

from __future__ import annotations

import base64
import hmac
import re
from hashlib import sha256
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from domain import news, season_news

TYPES = {**news.TYPES, **season_news.TYPES}  # what a webhook may be asked to tell
TEST = "test"  # what nobody subscribes to

MOST_URL = 2000
WAITS = (5, 30, 120, 600, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600)  # seconds after the first failure, …
MOST_ATTEMPTS = len(WAITS) + 1
JITTER = 0.2
MOST_REST = 600.0  # seconds that a failing receiver is left alone by all its messages
MOST_RETRY_AFTER = 24 * 3600.0  # seconds that a receiver may ask for

# One reading of a URL, for the check and for the connection: nobody else's parser is asked. No credentials.
_URL = re.compile(
    r"(?P<scheme>https?)://(?:(?P<name>[A-Za-z0-9_.-]{1,253})|\[(?P<v6>[0-9A-Fa-f:.]{2,45})\])"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?(?P<target>[/?][!-~]*)?"
)

_GLOBAL_V6 = ip_network("2000::/3")  # which leaves out mapped addresses and 64:ff9b::/96, NAT64
_SPECIAL = [  # some of which some versions of Python hold to be global
    ip_network("168.63.129.16/32"),  # a cloud's own
    ip_network("192.0.0.0/24"),
    ip_network("192.88.99.0/24"),
    ip_network("2001::/23"),  # with Teredo: another address inside
    ip_network("2002::/16"),  # 6to4: the same
    ip_network("3fff::/20"),
]


class UrlError(ValueError):
    """No webhook goes to such a URL; the message says why."""


class Target(NamedTuple):
    """Where a webhook goes. `host` is a name or an address, `path` what is asked for there."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def target(url: str, *, private: bool) -> Target:
    """Where `url` leads. `private` allows http, and addresses that are not public. Raises UrlError."""
    found = _URL.fullmatch(url) if len(url) <= MOST_URL else None
    if found is None or "#" in url or "\\" in url:
        raise UrlError(
            f"must be https://host[:port]/path in ASCII, without credentials, of {MOST_URL} characters at most"
        )
    secure = found["scheme"] == "https"
    if not secure and not private:
        raise UrlError("must begin with https://")
    port = int(found["port"] or (443 if secure else 80))
    host = found["name"] or found["v6"]
    if port > 65535 or not _sane(host):
        raise UrlError("names no host and port")
    path = found["target"] or "/"
    return Target(secure, host, port, path if path.startswith("/") else f"/{path}")


def _sane(host: str) -> bool:
    if ":" not in host:
        return ".." not in host and not host.startswith(".")
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether the address is one of the public internet, and nothing stands inside it that is not."""
    try:
        ip = ip_address(address)
    except ValueError:  # with a zone, for one
        return False
    if ip.is_multicast or ip.is_reserved or not ip.is_global or any(ip in network for network in _SPECIAL):
        return False
    return ip.version == 4 or ip in _GLOBAL_V6


def shown_secret(secret: bytes) -> str:
    """The secret as Standard Webhooks writes it."""
    return f"whsec_{base64.b64encode(secret).decode()}"


def signature(secret: bytes, message: str, timestamp: int, body: str) -> str:
    """The webhook-signature of a message with this id and body, sent at this second."""
    digest = hmac.new(secret, f"{message}.{timestamp}.{body}".encode(), sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def wait_seconds(attempts: int, chance: float, retry_after: float | None = None) -> float | None:
    """How long a message waits that has failed so often; None when it is given up. `chance` is 0 to 1."""
    if attempts >= MOST_ATTEMPTS:
        return None
    if retry_after is not None:
        return min(max(retry_after, 1.0), MOST_RETRY_AFTER)
    return WAITS[attempts - 1] * (1 + JITTER * (2 * chance - 1))


def rest_seconds(failures: int, retry_after: float | None = None) -> float:
    """How long a receiver is left alone that has failed so often in a row, whatever the message."""
    if retry_after is not None:
        return min(max(retry_after, 1.0), MOST_RETRY_AFTER)
    return min(WAITS[min(failures, len(WAITS)) - 1], MOST_REST)
