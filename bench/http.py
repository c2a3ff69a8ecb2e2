"""The leanest client that is still one: a kept-alive connection, bytes out, status and body in.

Whatever it costs, it costs both sides of a comparison.
"""

from __future__ import annotations

import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

IDLE_SECONDS = 2.0  # the server closes after 5


def free_port() -> int:
    """A port of this machine on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Connection:
    """One connection to one server, used by one thread."""

    def __init__(self, base: str) -> None:
        url = urlsplit(base)
        self.host, self.address = f"{url.hostname}:{url.port}", (url.hostname, url.port or 80)
        self._connect()

    def _connect(self) -> None:
        self.used = time.monotonic()
        self.socket = socket.create_connection(self.address, timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def post(self, path: str, body: dict[str, Any], token: str = "", version: int | None = None) -> Any:
        """The answer's JSON. Raises RuntimeError for anything but a success."""
        status, text = self.send(self.request(path, body, token, version))
        if status >= 300:
            raise RuntimeError(f"POST {path}: {status} {text[:500]!r}")
        return json.loads(text) if text else None

    def get(self, path: str, token: str) -> Any:
        """The JSON that stands there. Raises RuntimeError for anything but a success."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.host}", f"Authorization: Bearer {token}"]
        status, text = self.send("\r\n".join(lines).encode() + b"\r\n\r\n")
        if status != 200:
            raise RuntimeError(f"GET {path}: {status} {text[:500]!r}")
        return json.loads(text)

    def request(self, path: str, body: dict[str, Any], token: str = "", version: int | None = None) -> bytes:
        text = json.dumps(body).encode()
        lines = [f"POST {path} HTTP/1.1", f"Host: {self.host}", "Content-Type: application/json"]
        lines += [f"Content-Length: {len(text)}"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += [f'If-Match: "{version}"'] if version is not None else []
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + text

    def send(self, request: bytes) -> tuple[int, bytes]:
        """Status and body; on a new connection where this one was idle, as while the other side was measured."""
        if time.monotonic() - self.used > IDLE_SECONDS:
            self._connect()
        self.used = time.monotonic()
        self.socket.sendall(request)
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        head = data[:end].lower()
        at = head.find(b"content-length:")
        size = int(head[at + 15 :].split(b"\r\n", 1)[0])
        while len(data) < end + 4 + size:
            data += self._more()
        return int(data[9:12]), data[end + 4 :]

    def _more(self) -> bytes:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data
