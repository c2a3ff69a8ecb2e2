"""Where webhooks go, how they are signed (the standard's own package is the oracle), how long they wait."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from domain import webhooks
from domain.webhooks import Target, UrlError, is_public, target, wait_seconds

ACCEPTED = [
    ("https://example.org", Target(True, "example.org", 443, "/")),
    ("https://example.org:8443/a/b?c=d&e", Target(True, "example.org", 8443, "/a/b?c=d&e")),
    ("https://example.org?c=d", Target(True, "example.org", 443, "/?c=d")),
    ("https://[2606:4700::1111]:444/x", Target(True, "2606:4700::1111", 444, "/x")),
    ("https://xn--mykonos-uxa.example/", Target(True, "xn--mykonos-uxa.example", 443, "/")),
]
REFUSED = [
    ("plain http", "http://example.org/"),
    ("another scheme", "ftp://example.org/"),
    ("no scheme", "example.org/x"),
    ("credentials", "https://me:word@example.org/"),
    ("a name before an at", "https://example.org@127.0.0.1/"),
    ("a backslash", "https://example.org\\@127.0.0.1/"),
    ("a fragment", "https://example.org/#x"),
    ("a space", "https://example.org/a b"),
    ("a line break", "https://example.org/\r\nHost: other"),
    ("a line break at the end", "https://example.org/\n"),
    ("another alphabet", "https://exämple.org/"),
    ("full-width digits", "https://１２７.0.0.1/"),
    ("a percent in the host", "https://127.0.0.1%2f@example.org/"),
    ("no host", "https:///x"),
    ("port nought", "https://example.org:0/"),
    ("a port that is none", "https://example.org:70000/"),
    ("an empty port", "https://example.org:/"),
    ("what is no IPv6", "https://[::1::2]/"),
    ("a zone", "https://[fe80::1%25eth0]/"),
    ("two dots", "https://example..org/"),
    ("too long", "https://example.org/" + "x" * 2000),
    ("nothing", ""),
]
PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700::1111", "2a00:1450:4003::200e"]
HIDDEN = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "168.63.129.16", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "3fff::1", "2002:7f00:1::",
    "2002:808:808::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
    "2130706433", "0x7f.1", "127.1", "", "localhost",
]  # fmt: skip


@pytest.mark.parametrize(("url", "where"), ACCEPTED)
def test_a_url_leads_where_it_says(url: str, where: Target) -> None:
    assert target(url, private=False) == where


@pytest.mark.parametrize(("why", "url"), REFUSED)
def test_a_url_is_refused_that_has(why: str, url: str) -> None:
    with pytest.raises(UrlError):
        target(url, private=False)


def test_private_receivers_may_speak_http_where_that_is_configured() -> None:
    assert target("http://127.0.0.1:8080/x", private=True) == Target(False, "127.0.0.1", 8080, "/x")
    with pytest.raises(UrlError):
        target("http://me@127.0.0.1/", private=True)


def test_the_host_header_names_a_port_only_where_it_is_not_the_usual_one() -> None:
    assert target("https://example.org:443/", private=False).authority == "example.org"
    assert target("https://[2606:4700::1]:8443/", private=False).authority == "[2606:4700::1]:8443"


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", HIDDEN)
def test_no_other_address_is_public(address: str) -> None:
    assert not is_public(address)


def test_the_standards_own_package_signs_and_verifies_alike() -> None:
    draw = random.Random(4)
    for _ in range(50):
        secret, body = draw.randbytes(32), '{"type":"turn","name":"Mýkonos ' + str(draw.random()) + '"}'
        now = datetime.now(UTC)
        oracle = Webhook(webhooks.shown_secret(secret))
        ours = webhooks.signature(secret, "msg_1", int(now.timestamp()), body)
        assert ours == oracle.sign("msg_1", now, body)
        oracle.verify(body, {"webhook-id": "msg_1", "webhook-timestamp": str(int(now.timestamp())),
                             "webhook-signature": ours})  # fmt: skip


def test_a_message_waits_longer_each_time_and_is_given_up_in_the_end() -> None:
    least = [wait_seconds(number, 0.0) or 0 for number in range(1, webhooks.MOST_ATTEMPTS)]
    most = [wait_seconds(number, 1.0) or 0 for number in range(1, webhooks.MOST_ATTEMPTS)]
    assert all(0 < a < b for a, b in zip(least, most, strict=True))  # what failed together does not come back together
    assert all(a < b for a, b in zip(most, least[1:], strict=False))
    assert wait_seconds(webhooks.MOST_ATTEMPTS, 0.5) is None


def test_retry_after_is_honoured_within_bounds() -> None:
    assert wait_seconds(1, 0.5, 90) == 90
    assert wait_seconds(5, 0.5, 0) == 1
    assert wait_seconds(1, 0.5, 10**9) == webhooks.MOST_RETRY_AFTER
    assert wait_seconds(webhooks.MOST_ATTEMPTS, 0.5, 1) is None


def test_a_failing_receiver_rests_longer_each_time_but_never_for_long() -> None:
    rests = [webhooks.rest_seconds(failures) for failures in range(1, 20)]
    assert rests == sorted(rests)
    assert rests[-1] == webhooks.MOST_REST
