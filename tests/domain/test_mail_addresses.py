"""Tests of e-mail addresses.

They check which texts are addresses, how domains are written, and the addresses to which reports return.
"""

import time

import idna
import pytest
from hypothesis import given, strategies as st

from prorata.domain.limits import LONGEST_LOCAL_PART, LONGEST_MAIL_ADDRESS
from prorata.domain.mail_addresses import (
    MailAddress,
    NotAnAddress,
    ascii_domain,
    is_loopback,
    read_address,
    read_return_address,
    return_address,
    why_mail_is_held,
)
from tests.pace import slowness

tokens = st.from_regex(r"[a-z0-9_]{8,48}", fullmatch=True)


@pytest.mark.parametrize(
    "text", ["ann@example.com", "o'neil+x@example.com", "jörg@example.com", "a.b@example.co.uk", "a@localhost"]
)
def test_an_address_is_read_as_it_is_written(text: str) -> None:
    assert str(read_address(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "ann",
            "@tenants.example",
            "ann@",
            "ann@@tenants.example",
            "a b@tenants.example",
            '"a b"@tenants.example',
            ".a@tenants.example",
            "=?utf-8?q?eve=40x.example?=@tenants.example",
        ),
        *(
            "a..b@tenants.example",
            "Ann <ann@tenants.example>",
            "ann@[127.0.0.1]",
            "ann@127.0.0.1",
            "ann@-x.com",
            "ann@x-.com",
        ),
        *(
            "ann@exa_mple.com",
            "ann@.com",
            "ann@tenants.example.",
            "ann@x..com",
            "a,b@tenants.example",
            "ann@a\u202eb.com",
            "ann@\u00ad.com",
        ),
        *(
            f"{'a' * 65}@tenants.example",
            f"{'ü' * 33}@tenants.example",
            f"ann@{'a' * 64}.com",
            f"ann@{'.'.join(['a' * 60] * 5)}",
        ),
    ],
)
def test_what_is_no_address_is_said_without_repeating_it(text: str) -> None:
    with pytest.raises(NotAnAddress) as refused:
        read_address(text)
    assert not text or text not in str(refused.value)


def test_a_domain_of_any_length_is_answered_in_a_moment() -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 5_000)))
    started = time.process_time()
    for domain in (letters, f"{letters}.example", ".".join([letters[:60]] * 80), "\ufdfa" * 255):
        with pytest.raises(NotAnAddress):
            ascii_domain(domain)
    assert time.process_time() - started < 0.5 * slowness()


@given(st.text(max_size=80))
def test_any_text_is_a_safe_address_or_none(text: str) -> None:
    try:
        found = read_address(text)
    except NotAnAddress:
        return
    assert found.domain.isascii()
    assert len(str(found).encode()) <= LONGEST_MAIL_ADDRESS
    assert str(found).isprintable()
    assert not set(str(found)) & set(' <>()[]:;,\\"')
    assert str(read_address(str(found))) == str(found)


@given(
    st.lists(st.text("abzABZ09-äöüßÉñçσςÅΣЖя漢字かなカナ한글ﬁａ", min_size=1, max_size=12), min_size=1, max_size=3).map(
        lambda labels: ".".join([*labels, "example"])
    )
)
def test_a_domain_is_written_as_the_idna_of_today_writes_it(domain: str) -> None:
    try:
        expected = idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return
    assert ascii_domain(domain) == expected


def test_the_codec_of_the_standard_library_would_write_to_somebody_else() -> None:
    assert "straße.example".encode("idna") == b"strasse.example"
    assert ascii_domain("straße.example") == "xn--strae-oqa.example"


@given(tokens)
def test_a_return_address_gives_its_token_back_in_whatever_case(token: str) -> None:
    made = return_address("bills@example.com", token)

    assert len(made.local_part) <= LONGEST_LOCAL_PART
    for written in (str(made), str(made).upper()):
        assert read_return_address(written, "bills@example.com") == token


def test_a_sender_with_a_plus_of_its_own_has_return_addresses_too() -> None:
    made = return_address("me+bills@example.com", "mail_01hx9k2")

    assert made == MailAddress("me+bills+mail_01hx9k2", "example.com")
    assert read_return_address(str(made), "me+bills@example.com") == "mail_01hx9k2"


def test_a_sender_too_long_for_a_return_address_is_refused() -> None:
    with pytest.raises(NotAnAddress, match="too long to use in a return address"):
        return_address(f"{'a' * 60}@example.com", "mail_01hx9k2")


@pytest.mark.parametrize(
    "recipient",
    [
        *(
            "bills@example.com",
            "bills+short@example.com",
            "bills+mail_01hx9k2@elsewhere.example",
            "other+mail_01hx9k2@example.com",
        ),
        *("bills+mail-01hx9k2@example.com", "bills+x+mail_01hx9k2@example.com", "no address", ""),
    ],
)
def test_what_is_no_return_address_has_no_token(recipient: str) -> None:
    assert read_return_address(recipient, "bills@example.com") is None


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        *((host, True) for host in ("localhost", "LOCALHOST.", "127.1.2.3", "::1", "[::1]", "a.localhost")),
        *((host, False) for host in ("localhost.example.com", "10.0.0.1", "128.0.0.1", "::2", "", "0.0.0.0")),
    ],
)
def test_loopback_is_this_machine_and_nothing_else(host: str, *, loopback: bool) -> None:
    assert is_loopback(host) is loopback
    assert (why_mail_is_held(host, "mail.example.com") is not None) is loopback
    assert why_mail_is_held(host, "127.0.0.1") is None
