"""Tests of signatures that dkimpy makes or RFC 8463 shows; a dictionary replaces name servers."""

import base64
import socket
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from dns import flags, message as dns_message, rcode, rrset
from hypothesis import given, strategies as st

from prorata.adapters.inbound_mail.dkim_check import DkimCheck, NotLookedUpError
from prorata.adapters.inbound_mail.dns_records import DnsTxtRecords
from prorata.adapters.limits import MOST_SIGNATURES
from prorata.ports.mail import Authenticity
from tests.hostile_mail.messages import every_message

NOW = datetime.now(UTC)  # dkimpy signs at the time of the system
MAIL = b"From: Ann <ann@example.com>\r\nTo: bills@example.org\r\nSubject: March\r\n\r\nThe bill  follows.  \r\n\r\n\r\n"
RFC_8463 = b"""DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
"""
RFC_KEYS = {
    "brisbane._domainkey.football.example.com": b"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "test._domainkey.football.example.com": b"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3id"
    b"Y6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO"
    b"2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB",
}


@cache
def key(bits: int = 2048, which: int = 0) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def record(bits: int = 2048, tags: str = "v=DKIM1; k=rsa;", which: int = 0) -> bytes:
    der = key(bits, which).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return tags.encode() + b" p=" + base64.b64encode(der)


def signed(
    mail: bytes = MAIL, domain: str = "example.com", bits: int = 2048, which: int = 0, **options: object
) -> bytes:
    pem = key(bits, which).private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    return dkim.sign(mail, b"sel", domain.encode(), pem, **options) + mail


def by_hand(mail: bytes, tags: str) -> bytes:
    """Sign a message with tags that dkimpy can't write."""
    bare = signed(mail, include_headers=[b"from", b"subject"])
    header, _, rest = bare.partition(b"\r\nFrom")
    return header.replace(b"v=1;", f"v=1; {tags}".encode()) + b"\r\nFrom" + rest


class Names:
    """Name servers that know some names, and record all questions."""

    def __init__(self, known: dict[str, bytes | Sequence[bytes]] | None = None, *, is_silent: bool = False) -> None:
        self._known = {"sel._domainkey.example.com": record()} if known is None else known
        self._is_silent = is_silent
        self.asked: list[str] = []

    def __call__(self, name: str) -> Sequence[bytes]:
        self.asked.append(name)
        if self._is_silent:
            raise NotLookedUpError
        found = self._known.get(name, ())
        return (found,) if isinstance(found, bytes) else found


def checked(raw: bytes, names: Names | None = None, at: datetime = NOW) -> Authenticity:
    return DkimCheck(names or Names(), lambda: at)(raw)


def says(raw: bytes, names: Names | None = None, at: datetime = NOW) -> str:
    found = checked(raw, names, at)
    assert (found.passed, found.domain) == (False, None)
    return found.why


@pytest.mark.parametrize("way", [(head, body) for head in (b"simple", b"relaxed") for body in (b"simple", b"relaxed")])
@pytest.mark.parametrize(
    "body", [b"", b"\r\n", b"x", b"a \t b \r\n \t\r\n\r\n", b"\r\n\r\nx\r\n", b"a\r\r\n\r\n", b" \r\n"]
)
def test_what_another_program_signed_is_signed(way, body):
    mail = b"From:  Ann\r\n\t<ann@example.com> \r\nSubject: a  b\r\n\t c\r\nX-One:\t1\r\nx-one:2\r\n\r\n" + body
    found = checked(signed(mail, canonicalize=way))
    assert found == Authenticity(passed=True, domain="example.com", why="The message is signed by example.com (DKIM).")


@given(
    st.lists(st.sampled_from([b" ", b"\t", b"a", b"\r\n", b"\xff", b"\r\n\r\n", b"  \r\n"]), max_size=30), st.booleans()
)
def test_every_body_is_read_as_the_other_program_reads_it(pieces, is_relaxed):
    way = (b"relaxed", b"relaxed") if is_relaxed else (b"simple", b"simple")
    assert checked(signed(MAIL + b"".join(pieces) + b"\r\n", canonicalize=way)).passed


def test_the_example_of_the_standard_is_signed_in_both_its_ways():
    raw = RFC_8463.replace(b"\n", b"\r\n")
    assert checked(raw, Names(RFC_KEYS)).passed
    for name, known in RFC_KEYS.items():
        assert checked(raw, Names({name: known})).passed
        assert (
            says(raw.replace(b"game", b"gain"), Names({name: known})) == "The message was changed after it was signed."
        )
    assert checked(RFC_8463, Names(RFC_KEYS)).passed  # however the lines end


def test_what_was_changed_is_not_signed():
    raw = signed()
    for before, after in ((b"March", b"April"), (b"follows", b"folds"), (b"Ann <ann", b"Bob <bob")):
        assert says(raw.replace(before, after)).startswith("The message was changed after it was signed")
    assert says(signed(which=1)) == "The message was changed after it was signed, or was signed by someone else."


def test_a_second_sender_is_no_sender():
    second = b"From: Bob <bob@example.com>\r\n"
    alone = signed(include_headers=[b"from", b"subject"])
    for raw in (second + signed(), signed(second + MAIL), second + alone, alone.replace(b"To:", second + b"To:")):
        assert (
            says(raw)
            == "It isn’t clear who sent this message, because its From header names nobody or several senders."
        )
    assert (
        says(MAIL.replace(b"From", b"X-From"))
        == "It isn’t clear who sent this message, because its From header names nobody or several senders."
    )


@pytest.mark.parametrize("name", ["Content-Type", "content-transfer-encoding", "Subject", "MESSAGE-ID", "Reply-To"])
def test_a_field_that_says_how_to_read_it_stands_once(name):
    mail = f"{name}: one\r\n".encode() + MAIL.replace(b"Subject: March\r\n", b"")
    assert checked(signed(mail)).passed
    twice = f"{name}: another\r\n".encode() + signed(
        mail
    )  # the signature covers the last of a name, readers take the first
    assert says(twice) == "One of the message's header fields appears twice, so the message is ambiguous."


def test_who_sent_it_must_be_covered_and_so_must_all_of_it():
    assert says(by_hand(MAIL, "l=5;")) == "The message's signature covers only part of the message."
    assert says(signed(MAIL, length=True)) == "The message's signature covers only part of the message."
    uncovered = signed(include_headers=[b"from", b"to"]).replace(b"h=from : to", b"h=to").replace(b"h=from", b"h=to")
    assert says(uncovered) == "The message's signature doesn't cover the sender."


@pytest.mark.parametrize(
    ("sender", "domain", "passes"),
    [
        ("ann@example.com", "example.com", True),
        ("ann@EXAMPLE.com", "Example.COM", True),
        ("ann@mail.example.com", "example.com", True),
        ("ann@example.com", "mail.example.com", False),
        ("ann@example.com", "example.org", False),
        ("ann@badexample.com", "example.com", False),
        ("ann@example.com", "com", False),
        ("ann@bücher.example.com", "xn--bcher-kva.example.com", True),
    ],
)
def test_the_signing_domain_is_the_senders_or_one_above_it(sender, domain, passes):
    mail = MAIL.replace(b"ann@example.com", sender.encode())
    names = Names({f"sel._domainkey.{domain.lower()}": record()})
    found = checked(signed(mail, domain), names)
    assert found.passed is passes
    if not passes:
        assert found.why.startswith("The message is signed by a domain other than the sender's")
        assert names.asked == []


def test_a_signature_holds_from_when_to_when_it_says():
    ahead, past = int((NOW + timedelta(hours=2)).timestamp()), int(NOW.timestamp()) - 100
    assert says(by_hand(MAIL, f"x={past};")) == "The message's signature has expired."
    assert says(signed(), at=NOW - timedelta(hours=2)) == "The message's signature is dated in the future."
    assert (
        says(by_hand(MAIL, f"x={ahead};").replace(b" t=", b" t=9")) == "The message's signature is dated in the future."
    )
    assert says(by_hand(MAIL, "x=soon;")) == "The message's signature contains an invalid time."
    assert checked(signed(), at=NOW + timedelta(days=300)).passed


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ({}, "example.com doesn't publish a key under the name given in the message's signature, or no longer does."),
        (
            [record(), record(which=1)],
            "example.com doesn't publish a key under the name given in the message's signature, or no longer does.",
        ),
        (b"v=DKIM1; p=", "example.com has withdrawn the key of the message's signature."),
        (record(tags="v=DKIM1; t=y;"), "The DKIM key of example.com is marked as being only for testing."),
        (record(tags="v=DKIM1; s=tlsrpt;"), "The DKIM key of example.com doesn't permit this signature."),
        (record(tags="v=DKIM1; h=sha1;"), "The DKIM key of example.com doesn't permit this signature."),
        (
            record(tags="v=DKIM1; k=ed25519;"),
            "The DKIM key of example.com is of a different type than this message's signature.",
        ),
        (b"v=DKIM1; p=AAAA", "The DKIM key that example.com publishes is invalid or unsupported."),
        (b"v=DKIM1; p=!!!", "The message's signature, or the signature's key, isn't in the correct format."),
        (b"v=spf1 -all", "example.com has withdrawn the key of the message's signature."),
        (
            b"v=DKIM1; p=" + b"A" * 100_000,
            "example.com doesn't publish a key under the name given in the message's signature, or no longer does.",
        ),
    ],
)
def test_a_key_that_is_none_proves_nothing(known, why):
    assert says(signed(), Names({"sel._domainkey.example.com": known} if known else {})) == why


def bare_key(bits: int) -> bytes:
    """A key in the form of the standard, with an otherwise arbitrary odd number."""

    def number(value: int) -> bytes:
        return of(b"\x02", value.to_bytes(value.bit_length() // 8 + 1))

    def of(kind: bytes, content: bytes) -> bytes:
        length = len(content)
        return kind + (bytes([length]) if length < 128 else b"\x82" + length.to_bytes(2)) + content

    return b"v=DKIM1; p=" + base64.b64encode(of(b"\x30", number((1 << (bits - 1)) + 1) + number(65537)))


def test_a_key_may_be_neither_small_nor_huge():
    for bits in (1024, 3072):
        assert checked(signed(bits=bits), Names({"sel._domainkey.example.com": record(bits)})).passed
    for bits in (512, 1008, 4104, 40_000):
        assert says(signed(), Names({"sel._domainkey.example.com": bare_key(bits)})).startswith(
            ("The DKIM key of ", "The DKIM key that ", "The key of the message's ")
        )


def test_what_proves_nothing_any_more_or_is_not_known_is_no_signature():
    assert (
        says(signed(signature_algorithm=b"rsa-sha1"))
        == "The message's signature uses an unsupported or insecure algorithm."
    )
    for tags, why in {
        "v=2;": "The message's signature, or the signature's key, isn't in the correct format.",
        "novalue;": "The message's signature, or the signature's key, isn't in the correct format.",
    }.items():
        assert says(by_hand(MAIL, tags)) == why
    for before, after, why in (
        (b"v=1;", b"v=2;", "The message's signature has an unknown version."),
        (b"v=1;", b"", "The message's signature is incomplete."),
        (b"c=relaxed/", b"c=nowsp/", "The message's signature uses an unknown format."),
        (
            b"q=dns/txt",
            b"q=http",
            "The message's signature uses a key that isn't stored in DNS, so Prorata can't check it.",
        ),
        (b"i=@", b"i=ann@not", "The message's signature names a signer from another domain."),
        (b"i=@example.com", b"i=ann@example.org", "The message's signature names a signer from another domain."),
        (b"s=sel", b"s=../sel", "The message's signature doesn't name a key."),
        (b" b=", b" b=!", "The message's signature, or the signature's key, isn't in the correct format."),
    ):
        assert says(signed().replace(before, after, 1)) == why


def test_what_a_message_says_of_itself_is_not_believed():
    claim = b"Authentication-Results: mx.example.org; dkim=pass header.d=example.com\r\nARC-Seal: i=1; cv=pass\r\n"
    names = Names()
    assert says(claim + MAIL, names) == "The message is not signed by example.com (DKIM)."
    assert names.asked == []


def test_name_servers_that_do_not_answer_are_no_reason_for_good():
    found = checked(signed(), Names(is_silent=True))
    why = "The key of example.com could not be looked up, because its name servers did not answer."
    assert found == Authenticity(passed=False, domain=None, why=why, may_pass_later=True)


def test_one_signature_that_counts_is_enough_and_few_are_looked_at():
    others = signed(signed(MAIL, "example.net"), "example.org")
    own = b"".join(signed().partition(b"\r\nFrom")[:1]) + b"\r\n" + others
    assert checked(own).passed
    broken = signed().partition(b"\r\nFrom")[0].replace(b"s=sel", b"s=old") + b"\r\n"
    assert checked(broken + signed()).passed
    names = Names()
    assert not checked(broken * 50 + signed(), names).passed
    assert len(names.asked) == MOST_SIGNATURES
    assert says(others + b"") == "The message is signed by a domain other than the sender's (example.com)."


def test_messages_that_do_harm_are_not_signed():
    begins = signed().partition(b"From: Ann")[0]
    for hostile in every_message():
        raw = hostile.make()
        if len(raw) < 12_000_000:
            assert not checked(begins + raw).passed


def test_white_space_takes_time_in_proportion():
    def seconds(make: Callable[[int], bytes], size: int) -> float:
        raw = make(size)
        began = time.process_time()
        checked(raw)
        return time.process_time() - began

    for make in (
        lambda size: signed() + b"\r\n" * size + b"x",
        lambda size: signed() + b" " * size + b"x",
        lambda size: signed() + b" \t\r\n" * size,
        lambda size: signed() + b"\r" * size + b"\n",
    ):
        small, large = (min(seconds(make, size) for _ in range(3)) for size in (200_000, 800_000))
        assert large < 12 * small + 0.5


@given(st.binary(max_size=200), st.integers(0, 900), st.integers(0, 20))
def test_any_bytes_are_signed_or_not(noise, at, cut):
    raw = signed()
    found = checked(raw[:at] + noise + raw[at + cut :])
    assert found.why.endswith(".")


class NameServer:
    """A name server that answers one question over the network, or does not answer."""

    def __init__(self, answer: Callable[[dns_message.Message], dns_message.Message] | None) -> None:
        self._answer = answer
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]

    def records(self, name: str, seconds: float = 20) -> Sequence[bytes]:
        from threading import Thread

        thread = Thread(target=self._serve, daemon=True)
        thread.start()
        try:
            return DnsTxtRecords(["127.0.0.1"], self.port, seconds)(name)
        finally:
            if self._answer:
                thread.join(10)
            self.socket.close()

    def _serve(self) -> None:
        if self._answer is None:
            return
        question, whom = self.socket.recvfrom(4096)
        self.socket.sendto(self._answer(dns_message.from_wire(question)).to_wire(), whom)


def answering(*texts: str, code: int = rcode.NOERROR) -> Callable[[dns_message.Message], dns_message.Message]:
    def answer(question: dns_message.Message) -> dns_message.Message:
        reply = dns_message.make_response(question)
        reply.flags |= flags.RA
        reply.set_rcode(code)
        if texts:
            reply.answer.append(rrset.from_text(question.question[0].name, 60, "IN", "TXT", *texts))
        return reply

    return answer


def test_records_are_looked_up_and_put_together():
    name = "sel._domainkey.example.com"
    assert NameServer(answering('"v=DKIM1; " "p=AAAA"')).records(name) == [b"v=DKIM1; p=AAAA"]
    assert sorted(NameServer(answering('"a"', '"b"')).records(name)) == [b"a", b"b"]
    assert NameServer(answering(code=rcode.NXDOMAIN)).records(name) == ()
    assert NameServer(answering()).records(name) == ()


def test_name_servers_that_are_silent_or_fail_are_told_from_those_that_know_of_nothing():
    with pytest.raises(NotLookedUpError):
        NameServer(None).records("sel._domainkey.example.com", seconds=0.5)
    with pytest.raises(NotLookedUpError):
        NameServer(answering(code=rcode.SERVFAIL)).records("sel._domainkey.example.com", seconds=5)
    with pytest.raises(NotLookedUpError):
        DnsTxtRecords(["127.0.0.1"], 9, 0.5)("a" * 70 + ".example.com")
