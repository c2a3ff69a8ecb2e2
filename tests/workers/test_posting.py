"""What a receiver may do to us: nothing. Beside it: workers/posting.py."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.webhooks import Target
from tests.workers.receiver import Reaction, Receiver, dripping, flooding, receiver, saying, silent
from workers import posting
from workers.posting import PostError, post

PRIVATE = [
    "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "::1", "::ffff:127.0.0.1",
    "::ffff:7f00:1", "10.0.0.1", "169.254.169.254", "192.168.0.1", "100.100.100.200", "fe80::1", "64:ff9b::7f00:1",
]  # fmt: skip


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def sent(to: Receiver, *, private: bool = True) -> posting.Answer:
    host = "localhost" if to.tls else "127.0.0.1"
    return post(Target(to.tls is not None, host, to.port, "/hook?x=1"), {"webhook-id": "1"}, b"{}", private=private)


def test_a_post_is_one_request_with_all_that_http_asks_for(there: Receiver) -> None:
    assert sent(there) == posting.Answer(204, None)
    (one,) = there.received
    assert (one.target, one.body) == ("/hook?x=1", b"{}")
    assert one.headers == {
        "host": f"127.0.0.1:{there.port}", "content-length": "2", "connection": "close", "accept": "*/*",
        "webhook-id": "1",
    }  # fmt: skip


@pytest.mark.parametrize("host", PRIVATE)
def test_nothing_is_sent_to_an_address_that_is_not_public_however_it_is_written(there: Receiver, host: str) -> None:
    with pytest.raises(PostError, match="not public|no such host"):
        post(Target(False, host, there.port, "/"), {}, b"{}", private=False)
    assert there.connections == 0


def test_a_name_that_leads_to_both_sides_is_refused_and_no_name_is_asked_twice(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolver(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        if host != "rebinding.example":
            return real(host, port, *rest, **more)
        asked.append(host)  # the second time it would lead inside
        first = "93.184.215.14" if len(asked) == 1 else "127.0.0.1"
        return [*real(first, port, *rest, **more), *real("127.0.0.1", port, *rest, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    with pytest.raises(PostError, match="not public"):
        post(Target(False, "rebinding.example", there.port, "/"), {}, b"{}", private=False)
    assert post(Target(False, "rebinding.example", there.port, "/"), {}, b"{}", private=True).status == 204
    assert len(asked) == 2  # once a post: the connection is made to what was checked


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_is_an_answer_and_not_an_order(there: Receiver, status: str) -> None:
    with receiver() as inside:
        there.reaction = saying(f"{status}\r\nLocation: {inside.url}")
        assert sent(there).status == int(status[:3])
        assert inside.connections == 0


@pytest.mark.parametrize("reaction", [dripping, silent])
def test_a_receiver_that_takes_its_time_has_no_more_than_the_deadline(
    there: Receiver, reaction: Reaction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "DEADLINE_SECONDS", 0.6)
    there.reaction, began = reaction, time.monotonic()
    with pytest.raises(PostError, match="no answer within"):
        sent(there)
    assert 0.5 < time.monotonic() - began < 1.5


def test_a_receiver_that_never_takes_the_line_has_no_more_than_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "DEADLINE_SECONDS", 0.6)
    with socket.create_server(("127.0.0.1", 0), backlog=1) as listener:
        port, began = listener.getsockname()[1], time.monotonic()
        with pytest.raises(PostError, match="no answer within"):  # nobody shakes hands
            post(Target(True, "127.0.0.1", port, "/"), {}, b"{}", private=True)
    assert time.monotonic() - began < 1.5


def test_of_an_endless_answer_only_a_piece_is_read(there: Receiver) -> None:
    there.reaction = flooding
    with pytest.raises(PostError, match="too long"):
        sent(there)
    there.reaction = saying("200 OK\r\nContent-Length: 9999999999", b"x" * 3_000_000)
    began = time.monotonic()
    assert sent(there).status == 200
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "head", ["", "hello", "SSH-2.0-x", "HTTP/2 200", "HTTP/1.1 20", "HTTP/1.1 2000 x", "HTTP/1.1 -20 x"]
)
def test_what_is_no_http_is_a_failure_with_a_name(there: Receiver, head: str) -> None:
    there.reaction = lambda line: line.sendall(f"{head}\r\n\r\n".encode())
    with pytest.raises(PostError):
        sent(there)


def test_a_closed_line_and_a_closed_port_are_failures_with_a_name(there: Receiver) -> None:
    there.reaction = lambda line: None
    with pytest.raises(PostError, match="without an answer"):
        sent(there)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(PostError, match="no connection"):
        post(Target(False, "127.0.0.1", port, "/"), {}, b"{}", private=True)


def test_an_answer_on_the_way_is_not_the_answer(there: Receiver) -> None:
    there.reaction = saying("103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Created")
    assert sent(there).status == 201


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("7", 7.0), ("0", 0.0), ("9" * 400, 999999999.0), ("-1", None), ("soon", None), ("1.5", None), ("", None),
     ("Fri, 01 Jan 1999 00:00:00 GMT", 0.0), ("Fri, 99 Jan 1999 00:00:00 GMT", None)],
)  # fmt: skip
def test_retry_after_is_a_number_or_a_date(there: Receiver, value: str, seconds: float | None) -> None:
    there.reaction = saying(f"503 Busy\r\nRetry-After: {value}")
    assert sent(there) == posting.Answer(503, seconds)


# TLS, with a certificate for localhost by an authority of our own


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    openssl = shutil.which("openssl") or pytest.skip("openssl is not installed here")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> Iterator[Receiver]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with receiver(context) as found:
        yield found


@pytest.fixture
def trusting(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    posting._tls.cache_clear()
    yield
    posting._tls.cache_clear()


@pytest.mark.usefixtures("trusting")
def test_over_tls_the_certificate_has_to_be_that_of_the_name(secure: Receiver) -> None:
    assert sent(secure).status == 204
    with pytest.raises(PostError, match="certificate"):
        post(Target(True, "127.0.0.1", secure.port, "/"), {}, b"{}", private=True)
    assert len(secure.received) == 1


def test_over_tls_a_certificate_of_nobodys_is_refused(secure: Receiver) -> None:
    posting._tls.cache_clear()
    with pytest.raises(PostError, match="certificate"):
        sent(secure)
    assert secure.received == []


def test_what_does_not_speak_tls_is_a_failure_with_a_name(there: Receiver) -> None:
    there_is_no_tls = Target(True, "127.0.0.1", there.port, "/")
    with pytest.raises(PostError):
        post(there_is_no_tls, {}, b"{}", private=True)
