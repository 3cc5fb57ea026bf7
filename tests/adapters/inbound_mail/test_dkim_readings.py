"""Tests of signatures that do not cover how a message is to be read.

The signatures of many providers are like this.
"""

import pytest

from tests.adapters.inbound_mail.test_dkim_check import MAIL, checked, says, signed

QUOTED = b"--evil\r\nContent-Type: application/pdf; name=bill.pdf\r\n\r\n%PDF-1.4\r\n--evil--\r\n"
FORWARDED = b"---------- Forwarded message ---------\r\n" + QUOTED
LIKE_MANY = [b"from", b"to", b"subject", b"mime-version"]
"""The headers that the signatures of large providers cover."""


def of_kind(kind: bytes, body: bytes) -> bytes:
    return b"MIME-Version: 1.0\r\nContent-Type: " + kind + b"\r\n" + MAIL.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    ("body", "other"),
    [
        (b"You wrote:\r\n" + QUOTED, b"multipart/mixed; boundary=evil"),
        (FORWARDED, b"multipart/mixed; boundary=evil"),
        (FORWARDED, b'multipart/mixed; boundary="-------- Forwarded message ---------"'),
        (b"------\r\n\r\nAnn\r\n" + QUOTED, b"multipart/mixed; boundary=----"),
        (b"%PDF-1.4", b"application/pdf; name=bill.pdf"),
        (b"unit,amount\r\n", b"text/csv"),
        (b"unit,amount\r\n", b"text/plain\r\nContent-Disposition: attachment; filename=bill.csv"),
        (b"From: x@example.org\r\n\r\nHello", b"message/rfc822"),
        (
            b"=62egin 644 bill.pdf\r\n#86%T\r\n \r\nend\r\n",
            b"text/plain\r\nContent-Transfer-Encoding: quoted-printable",
        ),
    ],
)
def test_what_is_quoted_becomes_no_file_by_a_field_that_is_not_covered(body, other):
    kind = b"text/plain; charset=utf-8"
    genuine = signed(of_kind(kind, body), include_headers=LIKE_MANY)
    assert checked(genuine).passed
    forged = genuine.replace(b"Content-Type: " + kind, b"Content-Type: " + other)
    assert says(forged) == (
        "The message's signature doesn't cover the header fields that define its format, so the message could "
        "be read in more than one way."
    )


@pytest.mark.parametrize("above", [b"", b"This is a multi-part message in MIME format.\r\n", b"\r\n"])
def test_a_message_of_parts_is_signed_though_its_signature_does_not_say_that_it_is_one(above):
    mail = of_kind(b'multipart/mixed; boundary="=_b1"', above + QUOTED.replace(b"evil", b"=_b1"))
    assert checked(signed(mail, include_headers=LIKE_MANY)).passed
    said = "text/plain" if above else "application/pdf"
    alone = signed(of_kind(said.encode(), b"%PDF-1.4"))  # covers its type, and what it is written in
    assert checked(alone.replace(b"Subject", b"Content-Disposition: inline\r\nSubject")).passed
