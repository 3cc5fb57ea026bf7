"""A message's bytes contain only what belongs there.

The standard library's parser reads them back, and no name or text can add anything.
"""

import email
import email.policy
import re
from datetime import UTC, datetime, timedelta, timezone
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parseaddr

import pytest
from hypothesis import given, strategies as st

from prorata.adapters.mail.message import Message, Pdf, build_message, file_name, message_id
from prorata.domain.mail.message_body import Facts, Letter, Link, Text, header_line, one_line
from prorata.domain.mail_addresses import MailAddress, NotAnAddress, read_address
from tests.adapters.files.test_logos import picture

LETTER = Letter(
    "de",
    "Ihre Rechnung",
    (Text("Guten Tag,\nGrüße"), Facts((("Monat", "März"),)), Link("Zahlen", "https://x.example/?a=1&b=2")),
)
MESSAGE = Message(
    message_id=message_id("mail_01hx9k2", "bills.example.com"),
    date=datetime(2026, 4, 1, 12, 30, tzinfo=UTC),
    sender_name="Maple Homes",
    sender=read_address("bills@example.com"),
    recipient=read_address("ann@example.com"),
    letter=LETTER,
    recipient_name="Ann Smith",
    reply_to=read_address("office@example.com"),
    pdf=Pdf("MAPLE-2B-2026-03.pdf", b"%PDF-1.7\r\n\x00\xff\n." * 500),
)
names = st.text(max_size=120) | st.text("ab ,.;:<>@\"'\\()[]=?_\r\n\t\x00\x7fü漢🏠\u202e\u00a0", max_size=120)
atoms = st.text("abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+/=?^_`{|}~-", min_size=1, max_size=20).filter(
    lambda text: "=?" not in text
)
addresses = st.builds(
    lambda local, domain: MailAddress(local, f"{domain}.example"),
    atoms,
    st.from_regex(r"[a-z0-9]{1,60}", fullmatch=True),
)


def parsed(raw: bytes) -> EmailMessage:
    found = email.message_from_bytes(raw, policy=email.policy.SMTP)
    assert isinstance(found, EmailMessage)
    return found


def lines(raw: bytes) -> list[bytes]:
    assert raw.endswith(b"\r\n")
    found = raw.split(b"\r\n")
    assert not any(b"\r" in line or b"\n" in line for line in found), "a line end that is not CRLF"
    return found


def header_names(raw: bytes) -> list[str]:
    return [name for name, _ in email.message_from_bytes(raw).items()]


def display_name(raw: bytes, header: str) -> str:
    """A name as RFC 2047 requires it.

    The parser of Python 3.11 puts a space between two encoded words that belong together.
    """
    name, _ = parseaddr(str(email.message_from_bytes(raw)[header]).replace("\r\n", ""))
    return str(make_header(decode_header(name)))


def test_a_message_is_read_as_it_was_written() -> None:
    found = parsed(build_message(MESSAGE))

    assert found["message-id"] == "<mail_01hx9k2@bills.example.com>"
    assert found["date"].datetime == MESSAGE.date
    assert str(found["from"]) == "Maple Homes <bills@example.com>"
    assert str(found["to"]) == "Ann Smith <ann@example.com>"
    assert (found["reply-to"], found["subject"]) == ("office@example.com", "Ihre Rechnung")
    assert (found["auto-submitted"], found["content-language"]) == ("auto-generated", "de")
    assert found.get_content_type() == "multipart/mixed"
    alternative, pdf = found.iter_parts()
    plain, html = alternative.iter_parts()
    assert [part.get_content_type() for part in (alternative, plain, html, pdf)] == [
        *("multipart/alternative", "text/plain", "text/html", "application/pdf")
    ]
    assert (
        plain.get_content().replace("\r\n", "\n")
        == "Guten Tag,\nGrüße\n\nMonat: März\n\nZahlen:\nhttps://x.example/?a=1&b=2\n"
    )
    assert '<a href="https://x.example/?a=1&amp;b=2"' in html.get_content()
    assert (pdf.get_content_disposition(), pdf.get_filename()) == ("attachment", "MAPLE-2B-2026-03.pdf")
    assert MESSAGE.pdf is not None
    assert pdf.get_content() == MESSAGE.pdf.content
    assert not any(part.defects for part in found.walk())


def test_the_same_message_is_the_same_bytes_and_another_is_not() -> None:
    elsewhere = MESSAGE._replace(date=MESSAGE.date.astimezone(timezone(timedelta(hours=9))))

    assert build_message(MESSAGE) == build_message(MESSAGE) == build_message(elsewhere)
    other = build_message(MESSAGE._replace(message_id=message_id("mail_02hx9k2", "bills.example.com")))
    boundaries = re.compile(rb'boundary="([^"]+)"')
    assert not set(boundaries.findall(other)) & set(boundaries.findall(build_message(MESSAGE)))


def test_a_message_without_name_answer_address_and_pdf_has_none_of_them() -> None:
    raw = build_message(MESSAGE._replace(recipient_name=None, reply_to=None, pdf=None))

    assert parsed(raw).get_content_type() == "multipart/alternative"
    assert parsed(raw)["to"] == "ann@example.com"
    assert "Reply-To" not in header_names(raw)


@given(names, names, names, addresses, addresses, st.binary(max_size=300))
def test_whatever_names_and_subjects_hold_it_is_read_again_and_adds_no_header(
    sender_name: str, recipient_name: str, subject: str, sender: MailAddress, recipient: MailAddress, content: bytes
) -> None:
    letter = Letter("en", subject, (Text(one_line(subject, 10_000)),))
    message = MESSAGE._replace(sender_name=sender_name, recipient_name=recipient_name, letter=letter, sender=sender)
    message = message._replace(recipient=recipient, pdf=Pdf(subject, content))

    raw = build_message(message)

    assert raw.isascii()
    assert sorted(header_names(raw)) == sorted(header_names(build_message(MESSAGE)))
    found = parsed(raw)
    for header, name, address in (("from", sender_name, sender), ("to", recipient_name, recipient)):
        (mailbox,) = found[header].addresses
        assert mailbox.addr_spec == str(address)
        assert display_name(raw, header) == header_line(name)
    assert found["subject"] == header_line(subject)
    *_, pdf = found.iter_parts()
    assert pdf.get_content() == content


@pytest.mark.parametrize(
    "name", ["security@bank.example", "Bank <b@bank.example>", "https://bank.example/pay", "＜b＠bank.example＞"]
)
def test_no_name_stands_in_a_header_as_an_address_or_a_link(name: str) -> None:
    """The name may have been stored before, or come from a file."""
    letter = Letter("en", f"Your invoice for {name}", (Text("Hello"),))
    found = parsed(build_message(MESSAGE._replace(sender_name=name, recipient_name=name, letter=letter)))
    for shown in (found["subject"], found["from"].addresses[0].display_name, found["to"].addresses[0].display_name):
        assert "bank.example" in shown
        assert not any(mark in shown for mark in ("@", "<", ">", "://", "＜", "＠", "＞"))
    assert found["from"].addresses[0].addr_spec == "bills@example.com"


@given(names, names, st.text(max_size=3000).map(lambda text: one_line(text, 5000)))
def test_no_line_is_longer_than_it_may_be(sender_name: str, subject: str, text: str) -> None:
    letter = Letter(
        "en", subject, (Text(text), Facts(((text, text),)), Link("x" * 2000, f"https://x.example/{'y' * 2000}"))
    )

    raw = build_message(MESSAGE._replace(sender_name=sender_name, letter=letter))

    assert max(map(len, lines(raw))) <= 78


def test_the_longest_address_stays_whole_on_a_line_below_the_limit() -> None:
    address = read_address(f"{'a' * 64}@{'.'.join(['b' * 40] * 4)}.example")

    raw = build_message(MESSAGE._replace(recipient=address))

    assert f"\r\n <{address}>\r\n".encode() in raw
    assert max(map(len, lines(raw))) < 998


def test_a_domain_in_any_script_goes_out_in_ascii() -> None:
    raw = build_message(MESSAGE._replace(recipient=read_address("ann@bücher.example")))

    assert raw.isascii()
    assert b"<ann@xn--bcher-kva.example>" in raw


def test_a_local_part_in_another_script_stands_in_the_message_as_it_is() -> None:
    raw = build_message(MESSAGE._replace(recipient=read_address("jörg@example.com"), recipient_name="Jörg"))

    assert "<jörg@example.com>".encode() in raw
    assert b"=?utf-8?b?SsO2cmc=?=" in raw


@pytest.mark.parametrize("mark", ["\r", "\n", "\r\n", "\x00", "\x0b", "\x7f", "\x85", "\u2028", " "])
def test_an_address_with_what_could_end_a_line_is_no_address(mark: str) -> None:
    for text in (
        f"ann{mark}@example.com",
        f"ann@exam{mark}ple.com",
        f"{mark}ann@example.com",
        f"ann@example.com{mark}",
    ):
        with pytest.raises(NotAnAddress) as refused:
            read_address(text)
        assert text not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("MAPLE-2B-2026-03.pdf", "MAPLE-2B-2026-03.pdf"),
        ("../Büro\r\nX: 1.pdf", "B-ro-X-1.pdf"),
        ("東京.pdf", "invoice.pdf"),
    ],
)
def test_of_a_file_name_only_plain_characters_are_left(name: str, safe: str) -> None:
    assert file_name(name) == safe


@given(st.text(max_size=200))
def test_a_file_name_is_safe_on_every_system(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,59}\.pdf", file_name(name))


def test_a_message_id_holds_nothing_but_what_it_is_made_of() -> None:
    for token, domain in (("a b", "example.com"), ("a", "ex\r\nample.com"), ("a>", "example.com"), ("", "example.com")):
        with pytest.raises(AssertionError, match="Message-ID"):
            message_id(token, domain)


def test_a_logo_goes_with_the_page_and_nothing_is_loaded_from_elsewhere():
    logo = picture(600, 100)
    raw = build_message(MESSAGE._replace(letter=LETTER._replace(logo=logo, color="#c00000")))
    found = parsed(raw)
    assert [part.get_content_type() for part in found.walk()] == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
        "application/pdf",
    ]  # fmt: skip
    page, inline = (
        next(part for part in found.walk() if part.get_content_type() == one) for one in ("text/html", "image/png")
    )
    text = page.get_content()
    assert inline.get_content() == logo
    assert inline.get_content_disposition() == "inline"
    assert f'src="cid:{inline["Content-ID"].strip("<>")}"' in text
    assert 'width="222" height="37"' in text
    assert text.count("src=") == 1
    assert "background-color:#c00000" in text
    assert build_message(MESSAGE._replace(letter=LETTER._replace(logo=logo, color="#c00000"))) == raw
    assert lines(raw)
