"""Delivery reports are read in the forms in which servers write them.

The samples are captured, or have the same form with words of our own. Nobody can make the reader do harm.
"""

import random
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from prorata.adapters.limits import (
    LONGEST_DIAGNOSTIC,
    LONGEST_REPORTED_ADDRESS,
    MOST_REPORT_BYTES_READ,
    MOST_REPORT_CHARACTERS,
    MOST_REPORT_PARTS,
    MOST_REPORT_PIECES,
    MOST_REPORT_RECIPIENTS,
)
from prorata.adapters.mail.delivery_reports import read_report
from prorata.domain.mail.delivery_reports import ACTIONS, DeliveryReport, RecipientReport, status_after
from tests.pace import slowness

FOLDER = Path(__file__).parents[1] / "delivery_reports"
SAMPLES = {file.stem: file.read_bytes() for file in sorted(FOLDER.glob("*.eml"))}
OURS = "<mail_01hx9k2@bills.example.com>"
ANN, BOB = "ann@tenants.example", "bob@tenants.example"
AWAY, ZOE = "ann@away.example", "zoe@tenants.example"
REFUSED = f"550 5.1.1 <{AWAY}>: Recipient address rejected: User unknown"


def report(*recipients: RecipientReport, message_id: str | None = OURS) -> DeliveryReport:
    return DeliveryReport(recipients, message_id)


EXPECTED = {
    "postfix_failed": report(
        RecipientReport(
            "failed",
            ANN,
            "5.1.1",
            f"550 5.1.1 <{ANN}>: Recipient address rejected: User unknown in virtual mailbox table",
        )
    ),
    "postfix_delayed": report(
        RecipientReport("delayed", ANN, "4.4.1", "connect to mx.tenants.example[198.51.100.7]:25: Connection timed out")
    ),
    "postfix_delivered": report(RecipientReport("delivered", ANN, "2.0.0", "delivered to maildir")),
    "postfix_two_recipients": report(
        RecipientReport("expanded", ANN, "2.0.0", None),
        RecipientReport("failed", ANN, "5.2.2", "552 5.2.2 Mailbox full"),
    ),
    "exchange_failed": report(
        RecipientReport(
            "failed",
            ANN,
            "5.1.10",
            f"550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {ANN} not found by SMTP address lookup",
        )
    ),
    "gmail_failed": report(
        RecipientReport(
            "failed",
            ANN,
            "5.1.1",
            "550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the "
            "recipient's email address for typos or 550 5.1.1 unnecessary spaces.",
        )
    ),
    "exim_failed": report(RecipientReport("failed", ANN, "5.0.0", "550 No such user")),
    "exim_plain": report(
        RecipientReport(
            "failed",
            ANN,
            "5.1.1",
            f"SMTP error from remote mail server after RCPT TO:<{ANN}>: host mx.tenants.example [198.51.100.7]: 550 5.1.1 unknown user",
        ),
        RecipientReport("failed", BOB, None, "retry timeout exceeded"),
    ),
    "sendmail_failed": report(RecipientReport("failed", ANN, "5.7.1", "554 5.7.1 Message rejected")),
    "sendmail_relayed": report(RecipientReport("relayed", ANN, "2.1.9", "250 ok")),
    "ses_failed": report(
        RecipientReport("failed", ANN, "5.4.1", "550 5.4.1 Recipient address rejected: Access denied"),
        message_id="<0102018f1111-0000-4000-8000-000000000000-000000@eu-west-1.amazonses.com>",
    ),
    "qmail_failed": report(
        RecipientReport(
            "failed",
            ANN,
            "5.1.1",
            "198.51.100.7 does not like recipient. Remote host said: 550 5.1.1 no mailbox here Giving up on 198.51.100.7.",
        ),
        RecipientReport("failed", BOB, "5.1.1", "Sorry, no mailbox here by that name. (#5.1.1)"),
    ),
    "global_encoded_failed": report(
        RecipientReport("failed", "jörg@tenants.example", "5.1.1", "550 5.1.1 Für diese Adresse gibt es kein Postfach")
    ),
    "captured_postfix_failed": report(RecipientReport("failed", AWAY, "5.1.1", REFUSED)),
    "captured_postfix_unknown": report(RecipientReport("failed", ZOE, "5.1.1", 'unknown user: "zoe"')),
    "captured_postfix_expanded": report(
        RecipientReport("expanded", ANN, "2.0.0", "delivery via local: alias expanded")
    ),
    "captured_postfix_delivered": report(
        RecipientReport("delivered", ANN, "2.0.0", "delivery via virtual: delivered to maildir")
    ),
    "captured_exim_failed": report(RecipientReport("failed", AWAY, "5.0.0", REFUSED)),
    "captured_exim_unrouteable": report(RecipientReport("failed", ZOE, "5.0.0", None)),
    "captured_exim_delivered": report(RecipientReport("delivered", ANN, "2.0.0", "relayed via non SMTP router")),
    "no_report_vacation": None,
    "no_report_read_receipt": None,
    "no_report_forwarded": None,
    "no_report_exim_warning": None,
}


def test_every_sample_has_its_expectation() -> None:
    assert SAMPLES.keys() == EXPECTED.keys()


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_a_report_is_read_in_every_form_it_comes_in(name: str, line_end: bytes) -> None:
    assert read_report(SAMPLES[name].replace(b"\r\n", line_end)) == EXPECTED[name]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("postfix_failed", "bounced"),
        ("postfix_delayed", "sent"),
        ("postfix_delivered", "delivered"),
        ("postfix_two_recipients", "bounced"),
        ("sendmail_relayed", "sent"),
        ("qmail_failed", "bounced"),
        ("captured_postfix_failed", "bounced"),
        ("captured_postfix_expanded", "sent"),
        ("captured_postfix_delivered", "delivered"),
        ("captured_exim_unrouteable", "bounced"),
        ("captured_exim_delivered", "delivered"),
    ],
)
def test_a_report_moves_the_status_of_its_message(name: str, status: str) -> None:
    found = read_report(SAMPLES[name])
    assert found is not None
    assert status_after("sent", found) == status


def notification(*groups: str, kind: str = "message/delivery-status") -> bytes:
    fields = "\r\n\r\n".join(["Reporting-MTA: dns; mx.example.com", *groups])
    return f"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: {kind}\r\n\r\n{fields}\r\n\r\n--b--\r\n".encode()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            "FINAL-RECIPIENT: RFC822;ann@x.example\r\nACTION: Failed\r\nSTATUS: 5.1.1 (no mailbox)",
            RecipientReport("failed", "ann@x.example", "5.1.1"),
        ),
        ("Final-Recipient: ann@x.example\r\nAction: delivered", RecipientReport("delivered", "ann@x.example")),
        (
            "Final-Recipient: rfc822; <ann@x.example>\r\nStatus: 5.0.0",
            RecipientReport("failed", "ann@x.example", "5.0.0"),
        ),
        (
            "Final-Recipient: rfc822; ann@x.example\r\nStatus: 4.2.2",
            RecipientReport("delayed", "ann@x.example", "4.2.2"),
        ),
        (
            "Action: failed\r\nDiagnostic-Code: smtp; 550 5.7.1 no\r\nStatus: garbage",
            RecipientReport("failed", None, "5.7.1", "550 5.7.1 no"),
        ),
        ("Final-Recipient: rfc822; ann@x.example\r\nAction: pondered\r\nStatus: 5.0.0", None),
        ("Final-Recipient: rfc822; ann@x.example", None),
        ("Status: 5.0.0", None),
    ],
)
def test_fields_are_read_as_they_are_written_in_the_wild(fields: str, expected: RecipientReport | None) -> None:
    found = read_report(notification(fields))

    assert found == (None if expected is None else DeliveryReport((expected,)))


def test_what_is_shown_is_one_short_line_without_control_characters() -> None:
    found = read_report(
        notification(
            f"Action: failed\r\nFinal-Recipient: rfc822; {'a' * 999}\x1b\r\nDiagnostic-Code: smtp; \x1b[31m{'x ' * 999}\u202e"
        )
    )

    assert found is not None
    assert found.recipients[0].address is not None
    assert len(found.recipients[0].address) == LONGEST_REPORTED_ADDRESS
    assert found.recipients[0].diagnostic is not None
    assert len(found.recipients[0].diagnostic) == LONGEST_DIAGNOSTIC
    assert found.recipients[0].diagnostic.isprintable()


def test_only_so_many_recipients_are_read() -> None:
    found = read_report(
        notification(*(f"Action: failed\r\nFinal-Recipient: rfc822; a{number}@x.example" for number in range(500)))
    )

    assert found is not None
    assert len(found.recipients) == MOST_REPORT_RECIPIENTS


@pytest.mark.parametrize("kind", ["multipart/mixed", "message/rfc822", "multipart/digest"])
def test_parts_within_parts_are_not_followed_for_ever(kind: str) -> None:
    nested = b"".join(
        b"Content-Type: %s; boundary=b%d\r\n\r\n--b%d\r\n" % (kind.encode(), number, number) for number in range(5000)
    )

    assert read_report(nested) is None
    assert read_report(nested[: nested.index(b"b%d" % (MOST_REPORT_PARTS - 1))] + SAMPLES["postfix_failed"]) is None


@pytest.mark.parametrize(
    "piece",
    [
        b"\r\n",
        b"\n ",
        b"\r\na:b",
        b"--b\r\n\r\n",
        b"a: b\r\n\r\n",
        b"Action: failed\r\n\r\n",
        b"Message-ID:\r\n",
        b"Message-ID: <",
        b"--b\r\n",
        b" ",
        b"<a>:\n",
        b"a,",
        b"\xff",
    ],
)
@pytest.mark.thorough
def test_a_report_of_any_size_is_read_in_a_moment(piece: bytes) -> None:
    head = b"X-Failed-Recipients: " + b"a," * 20_000 + b"\r\n" if piece == b"a," else b""
    within, end = notification("Action: failed\r\nX: @").split(b"@")
    punycode = b"Content-Type: text/plain; charset=punycode\r\n\r\nHi. This is the "
    for start in (within, b"X: y\r\n\r\nHi. This is the qmail\n\n", head + b"\r\n", b"", punycode):
        size = MOST_REPORT_BYTES_READ - len(start) - len(end)
        started = time.process_time()
        check(read_report(start + piece * (size // len(piece)) + end + b"x" * MOST_REPORT_BYTES_READ))
        assert time.process_time() - started < 2 * slowness()


@pytest.mark.parametrize("piece", [b"\r\n", b"--b\r\n\r\n", b"\r\na:b"])
@pytest.mark.thorough
def test_a_report_of_any_size_takes_little_memory(piece: bytes) -> None:
    within, end = notification("Action: failed\r\nX: @").split(b"@")
    raw = within + piece * ((MOST_REPORT_BYTES_READ - 1000) // len(piece)) + end
    tracemalloc.start()
    try:
        check(read_report(raw))
        assert tracemalloc.get_traced_memory()[1] < 64 * MOST_REPORT_BYTES_READ
    finally:
        tracemalloc.stop()


def test_fields_behind_the_most_that_is_read_are_not_there() -> None:
    failed = "Action: failed\r\nFinal-Recipient: rfc822; ann@x.example"
    assert read_report(notification("X: " + "y" * (MOST_REPORT_CHARACTERS - 1000), failed)) is not None
    assert read_report(notification("X: " + "y" * MOST_REPORT_CHARACTERS, failed)) is None


def test_a_report_of_many_parts_is_none() -> None:
    part = b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n"
    head, status = notification("Action: failed").split(b"--b\r\n", 1)
    assert read_report(head + part * (MOST_REPORT_PIECES - 1) + b"--b\r\n" + status) is not None
    assert read_report(head + part * MOST_REPORT_PIECES + b"--b\r\n" + status) is None


def test_the_report_is_found_however_large_the_message_it_quotes() -> None:
    raw = SAMPLES["postfix_failed"].replace(b"\r\n--4XyZ12345.1775046605/mx.example.com--", b"A" * 76 * 100_000)

    assert read_report(raw) == EXPECTED["postfix_failed"]


def check(found: DeliveryReport | None) -> None:
    if found is None:
        return
    assert 0 < len(found.recipients) <= MOST_REPORT_RECIPIENTS
    for recipient in found.recipients:
        assert recipient.action in ACTIONS
        for text in (recipient.address, recipient.diagnostic, recipient.status, found.message_id):
            assert text is None or (text != "" and "\n" not in text and "\x00" not in text)


@given(st.sampled_from(sorted(SAMPLES)), st.randoms(use_true_random=False))
def test_no_change_to_a_report_makes_its_reader_fail(name: str, dice: random.Random) -> None:
    raw = bytearray(SAMPLES[name])
    for _ in range(dice.randrange(1, 30)):
        at = dice.randrange(len(raw))
        match dice.randrange(4):
            case 0:
                raw[at] = dice.randrange(256)
            case 1:
                del raw[at : at + dice.randrange(200)]
            case 2:
                raw[at:at] = dice.choice(
                    [b"\r\n", b"\r\n\r\n", b"--", b"\x00", b"=?utf-8?b?//?=", b"\xed\xa0\x80", b'"', b";", b"boundary="]
                )
            case _:
                raw[at:at] = raw[dice.randrange(len(raw)) :][:300]
        if not raw:
            break
    check(read_report(bytes(raw)))


@given(st.binary(max_size=2000))
def test_no_bytes_make_the_reader_fail(raw: bytes) -> None:
    check(read_report(raw))
    check(read_report(notification("Action: failed").replace(b"Action: failed", raw)))


charsets = st.sampled_from(
    [
        b"utf-8",
        b"utf-7",
        b"idna",
        b"punycode",
        b"rot13",
        b"hex",
        b"unknown-8bit",
        b"\xff",
        b"utf-8''x",
        b"undefined",
        b"",
    ]
)
encodings = st.sampled_from(
    [b"base64", b"quoted-printable", b"uuencode", b"x-uuencode", b"8bit", b"\xff", b"nonsense", b""]
)


@given(charsets, encodings, st.binary(max_size=300))
def test_no_charset_and_no_encoding_makes_the_reader_fail(charset: bytes, encoding: bytes, body: bytes) -> None:
    head = b"Content-Transfer-Encoding: " + encoding + b"\r\nContent-Type: "
    start = b"Hi. This is the qmail-send program\n\n<ann@x.example>:\n"
    check(read_report(head + b"text/plain; charset=" + charset + b"\r\n\r\n" + start + body))
    check(
        read_report(
            b"X-Failed-Recipients: ann@x.example\r\n" + head + b"text/plain; charset*=" + charset + b"\r\n\r\n" + body
        )
    )
    parts = (
        b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n" + head + b"message/delivery-status\r\n\r\n" + body
    )
    check(
        read_report(
            parts
            + b"\r\n--b\r\n"
            + head
            + b"text/rfc822-headers; charset="
            + charset
            + b"\r\n\r\n"
            + body
            + b"\r\n--b--"
        )
    )
