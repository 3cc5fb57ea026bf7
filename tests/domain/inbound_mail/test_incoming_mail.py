import base64
import quopri
from binascii import b2a_uu
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given, strategies as st

from prorata.domain.inbound_mail import incoming_mail
from prorata.domain.inbound_mail.incoming_mail import NO_SENDER, read_message
from prorata.domain.inbound_mail.message_parts import DAMAGED, ELSEWHERE, ENCRYPTED, IN_PIECES, NO_BOUNDARY
from prorata.domain.inbound_mail.tnef import SIGNATURE
from prorata.domain.limits import LEAST_PICTURE, LONGEST_SUBJECT, MOST_ATTACHMENTS
from tests.hostile_mail import tnef

PDF = b"%PDF-1.7\r\n\x00\xff a bill"
PNG = b"\x89PNG\r\n\x1a\n"


def written(**headers: str) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = headers.pop("From", "Ann <ann@example.com>")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content("Please find the bill attached.\n")
    return message


def with_file(name: str = "bill.pdf", content: bytes = PDF, **headers: str) -> EmailMessage:
    message = written(**headers)
    message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message


def raw(*head: str, body: bytes = b"Hello") -> bytes:
    return "\r\n".join((*head, "", "")).encode() + body


def of_parts(*parts: bytes, kind: str = "multipart/mixed", closed: bool = True) -> bytes:
    lines = [b"--b\r\n" + part + b"\r\n" for part in parts]
    head = raw("From: ann@example.com", f"Content-Type: {kind}; boundary=b", body=b"")
    return head + b"".join(lines) + (b"--b--\r\n" if closed else b"")


def encoded(content: bytes = PDF, head: bytes = b'Content-Type: application/pdf; name="bill.pdf"') -> bytes:
    return head + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(content)


def names(message: bytes) -> list[str]:
    return [file.name for file in read_message(message).attachments]


def test_who_and_what_are_read():
    message = read_message(
        with_file(
            From='"Müller, Änne" <aenne@example.com>',
            Subject="Rechnung März " + "sehr " * 60,
            Date="Mon, 02 Mar 2026 10:00:00 +0100",
            Message_ID="<one@example.com>",
            To="Bills <in-abc@bills.example.com>, b@example.com",
        ).as_bytes()
    )
    assert str(message.from_address) == "aenne@example.com"
    assert message.subject.startswith("Rechnung März sehr sehr")
    assert len(message.subject) <= LONGEST_SUBJECT
    assert message.message_id == "<one@example.com>"
    assert message.attachments == (("bill.pdf", PDF),)
    assert message.problems == ()
    assert not message.is_automatic


@pytest.mark.parametrize(
    "head",
    [
        ["From: a@example.com", "From: b@example.com"],
        ["From: a@example.com, b@example.com"],
        ["From: a@example.com <b@example.com>, c@example.com"],
        ["From: <a@example.com> <b@example.com>"],
        ["From: a@example.com, <b@example.com>"],
        ["From: group: a@example.com;"],
        ["From: =?utf-8?q?a=40example.com?="],
        ["From:", "From : a@example.com"],
        ["From: a@[127.0.0.1]"],
        ["From: " + "(" * 3_000 + "a@example.com"],
        ["Subject: nobody"],
    ],
)
def test_a_sender_who_could_be_read_in_two_ways_is_none(head):
    message = read_message(raw(*head))
    assert message.from_address is None
    assert message.problems == (NO_SENDER,)


@pytest.mark.parametrize(
    "value",
    [
        "a@example.com (Ann (of the office))",
        '"b@example.com, c" <a@example.com>',
        "=?utf-8?q?=3Cb=40example.com=3E?= <a@example.com>",
        "Miller, Ann <a@example.com>",
        '"Ann \\" <b@example.com>" <a@EXAMPLE.com>',
        "b@example.com <a@example.com>",
        "<a@example.com>",
        "Änne <a@Example.com>",
    ],
)
def test_a_name_is_never_taken_for_the_sender(value):
    assert str(read_message(raw(f"From: {value}")).from_address) == "a@example.com"


def test_an_address_beyond_ascii_is_read_as_the_network_knows_it():
    assert str(read_message(raw("From: aenne@bücher.example")).from_address) == "aenne@xn--bcher-kva.example"


def test_files_of_forwarded_messages_are_found_however_they_were_forwarded():
    inner = with_file("March.pdf")
    attached, inline = written(), written()
    attached.add_attachment(inner)
    inline.add_attachment(inner, disposition="inline")
    as_file = with_file("Fwd.eml", inner.as_bytes())
    thrice = written()
    thrice.add_attachment(attached)
    for message in (attached, inline, as_file, thrice):
        assert names(message.as_bytes()) == ["March.pdf"]
    encoded_message = b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    assert names(of_parts(encoded_message + base64.encodebytes(inner.as_bytes()))) == ["March.pdf"]
    digest = of_parts(b"\r\n" + inner.as_bytes(), b"\r\n" + with_file("b.pdf").as_bytes(), kind="multipart/digest")
    assert names(digest) == ["March.pdf", "b.pdf"]


def test_files_of_outlook_are_unpacked_and_its_pictures_left_out():
    packed = tnef.stream(
        tnef.file("BILL~1.PDF", PDF, long_name="Bill.pdf"),
        tnef.file("logo.png", PNG, is_hidden=True),
        tnef.file("logo.gif", b"GIF89a" + bytes(LEAST_PICTURE), is_hidden=True),
        tnef.file("Fwd", b"", object_=tnef.stream(tnef.file("b.csv", b"a,b"))),
    )
    for name in ("winmail.dat", "noname"):
        message = read_message(with_file(name, packed).as_bytes())
        assert message.attachments == (("Bill.pdf", PDF), ("b.csv", b"a,b"))
        assert message.problems == ()
    broken = read_message(with_file("winmail.dat", packed[:-10]).as_bytes())
    assert [file.name for file in broken.attachments] == ["Bill.pdf"]
    assert broken.problems == (incoming_mail.WINMAIL,)


def in_related(content: bytes, disposition: str, kind: bytes = b"image/png") -> bytes:
    head = b"Content-Type: %s; name=p.png\r\nContent-ID: <p>\r\nContent-Disposition: %s" % (kind, disposition.encode())
    letter = b'Content-Type: text/html\r\n\r\n<img src="cid:p">'
    return of_parts(letter, encoded(content, head), kind="multipart/related")


def test_a_small_picture_that_the_letter_shows_is_decoration_and_any_other_is_taken():
    small, large = PNG + b"x" * 100, PNG + b"x" * LEAST_PICTURE
    assert names(in_related(small, "inline")) == []
    assert names(in_related(large, "inline")) == ["p.png"]
    assert names(in_related(large, "inline", b"image/gif")) == []
    assert names(in_related(small, "attachment")) == ["p.png"]
    photo = b"Content-Type: image/jpeg; name=IMG_1.jpeg\r\nContent-Disposition: inline"
    assert names(of_parts(b"\r\nsee below", encoded(small, photo))) == ["IMG_1.jpeg"]


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Type: text/plain; charset=utf-8",
        b"Content-Type: text/html",
        b"Content-Type: text/calendar; name=invite.ics",
        b"Content-Type: text/vcard; name=ann.vcf",
        b"Content-Type: application/pgp-signature; name=signature.asc",
        b"Content-Type: application/pkcs7-signature; name=smime.p7s",
        b"Content-Type: text/plain; name=ATT00001.txt",
        b"Content-Type: application/applefile; name=._bill.pdf",
    ],
)
def test_what_belongs_to_a_letter_is_no_file(head):
    message = of_parts(b"\r\nHello", head + b"\r\n\r\nx", encoded())
    assert names(message) == ["bill.pdf"]


def test_files_have_safe_names_of_their_own():
    parts = [
        encoded(head=b"Content-Type: application/pdf"),
        encoded(head=b'Content-Type: application/pdf; name="../../etc/bill.pdf"'),
        encoded(head=b'Content-Type: application/pdf; name="=?utf-8?b?TcOkcno=?=.pdf"'),
        encoded(
            head=b"Content-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename*=iso-8859-1''M%E4rz.pdf"
        ),
        encoded(head='Content-Type: application/pdf; name="Fläche.pdf"'.encode()),
        encoded(head=b'Content-Type: application/pdf; name="a\x00\x1b\xe2\x80\xaeb.pdf"'),
        encoded(head=b"Content-Type: text/csv\r\nContent-Disposition: attachment"),
        encoded(head=b"Content-Type: text/plain\r\nContent-Disposition: attachment"),
    ]
    assert names(of_parts(*parts)) == [
        "file.pdf",
        "etc/bill.pdf",
        "März.pdf",
        "März (2).pdf",
        "Fläche.pdf",
        "ab.pdf",
        "file.csv",
        "file.txt",
    ]


def test_files_arrive_in_every_way_that_they_are_written():
    csv = "Größe;1\r\nx=y;2".encode()
    uu = (
        b"begin 644 bill.csv\r\n"
        + b"".join(b2a_uu(csv[at : at + 45]) for at in range(0, len(csv), 45))
        + b"`\r\nend\r\n"
    )
    head = b"Content-Type: text/csv; name=bill.csv\r\nContent-Transfer-Encoding: "
    for way, body in {
        b"base64": base64.encodebytes(csv),
        b"BASE64": base64.b64encode(csv).rstrip(b"="),
        b"quoted-printable": quopri.encodestring(csv.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n"),
        b"8bit": csv,
        b"x-uuencode": uu,
    }.items():
        assert read_message(of_parts(head + way + b"\r\n\r\n" + body)).attachments == (("bill.csv", csv),)
    assert read_message(raw("From: a@example.com", body=b"See:\r\n" + uu + b"\r\nAnn")).attachments == (
        ("bill.csv", csv),
    )
    alone = raw(
        "From: a@example.com",
        "Content-Type: application/pdf",
        "Content-Transfer-Encoding: base64",
        body=base64.encodebytes(PDF),
    )
    assert read_message(alone).attachments == (("file.pdf", PDF),)


def test_what_did_not_arrive_whole_is_left_out_and_said():
    cut = of_parts(b"\r\nHello", encoded(), closed=False)
    noise = of_parts(
        b'Content-Type: text/csv; name="bill.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxi\x00!!Cg=='
    )
    one_more = of_parts(b'Content-Type: text/csv; name="bill.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiY')
    in_pieces = of_parts(
        b'Content-Type: text/csv; name="bill.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==\r\nYg=='
    )
    uu = raw("From: a@example.com", body=b"begin 644 bill.pdf\r\n" + b2a_uu(b"a,b"))
    for message in (cut, noise, one_more, in_pieces, uu):
        read = read_message(message)
        assert read.attachments == ()
        assert read.problems == ("The file bill.pdf arrived incomplete and was left out. Send it again.",)
    footer = encoded() + b"\r\n_______\r\nYou get this because you asked for it."
    assert names(of_parts(footer)) == ["bill.pdf"]
    within = of_parts(b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiY")
    assert read_message(within).problems == (DAMAGED,)


def test_a_part_that_lacks_its_last_line_is_whole_where_the_next_begins():
    inner = b"Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n" + encoded()
    assert names(of_parts(inner, b"\r\nBye")) == ["bill.pdf"]
    assert names(of_parts(inner, closed=False)) == []


def test_what_is_no_file_that_we_can_have_is_said():
    for part, problem in {
        b"Content-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nx": ENCRYPTED,
        b"Content-Type: multipart/encrypted; boundary=x\r\n\r\n--x\r\n\r\n--x--": ENCRYPTED,
        b"Content-Type: message/partial; number=1; total=2; id=x\r\n\r\nx": IN_PIECES,
        b'Content-Type: message/external-body; access-type=URL; URL="http://x"\r\n\r\nx': ELSEWHERE,
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--y\r\n\r\n--y--": NO_BOUNDARY,
        b"Content-Type: multipart/mixed\r\n\r\n--y\r\n\r\n--y--": NO_BOUNDARY,
    }.items():
        message = read_message(of_parts(part, encoded()))
        assert message.problems == (problem,)
        assert [file.name for file in message.attachments] == ["bill.pdf"]


def test_the_invoice_in_a_report_that_comes_back_is_no_bill():
    ours = b"Content-Type: message/rfc822\r\n\r\n" + with_file("our-invoice.pdf").as_bytes()
    status = b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x"
    report = of_parts(b"\r\nFailed", status, ours, kind="multipart/report; report-type=delivery-status")
    message = read_message(report)
    assert message.is_automatic
    assert message.attachments == ()
    assert message.problems == ()
    assert not read_message(of_parts(b"Content-Type: multipart/report; boundary=c\r\n\r\n--c--")).is_automatic


def test_fifty_files_are_taken_and_what_is_too_many_is_said():
    fifty = read_message(of_parts(*[encoded()] * 50))
    assert len({file.name for file in fifty.attachments}) == 50
    assert fifty.problems == ()
    many = read_message(of_parts(*[encoded()] * (MOST_ATTACHMENTS + 1)))
    assert len(many.attachments) == MOST_ATTACHMENTS
    assert many.problems == (incoming_mail.TOO_MANY_FILES,)


FILES = st.lists(
    st.tuples(
        st.text("abcäß ._-日本", min_size=1, max_size=60).map(lambda name: f"x{name}x.csv"),
        st.binary(max_size=400).filter(lambda data: not data.startswith(SIGNATURE)),
    ),
    max_size=5,
)


@given(FILES, st.text("Märzabc 日本,;", max_size=100), st.integers(0, 3), st.booleans())
def test_what_the_standard_library_writes_is_read_as_it_was_meant(files, subject, forwarded, has_bare_ends):
    message = written(Subject=subject)
    for name, content in files:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    for _ in range(forwarded):
        outer = written(Subject=subject)
        outer.add_attachment(message)
        message = outer
    data = message.as_bytes()
    read = read_message(data.replace(b"\r\n", b"\n") if has_bare_ends else data)
    assert [file.content for file in read.attachments] == [content for _, content in files]
    assert read.subject.split() == subject.split()
    assert read.problems == ()
    unlike = {name.strip() for name, _ in files}
    if len({name.casefold() for name in unlike}) == len(files):
        assert {file.name.replace(" ", "") for file in read.attachments} == {name.replace(" ", "") for name in unlike}
