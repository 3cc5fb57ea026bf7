"""Messages that harm a reader which trusts the mail it gets.

All of them are made here; none of them was received.
"""

import base64
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.hostile_mail import tnef

MB = 1 << 20
FROM = b"From: Ann <ann@example.com>\r\nSubject: March\r\n"
PDF = b"%PDF-1.7 a bill"
FILE = (
    b"Content-Type: application/pdf; name=bill.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    + base64.encodebytes(PDF).replace(b"\n", b"\r\n")
)
TNEF_HEAD = b"Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n"


class HostileMessage(NamedTuple):
    """A message, the number of files to take from it, and its problems.

    `says` is a pattern that every reported problem must match; it is empty if there must be no problems.
    """

    title: str
    make: Callable[[], bytes]
    files: int = 0
    says: str = ""


def multipart(*parts: bytes, boundary: bytes = b"b", head: bytes = FROM, end: bytes = b"--b--\r\n") -> bytes:
    begins = head + b"Content-Type: multipart/mixed; boundary=" + boundary + b"\r\n\r\n"
    return begins + b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts) + end


def nested(depth: int, kind: bytes = b"multipart/mixed") -> bytes:
    inner = FILE
    for level in range(depth):
        mark = b"b%d" % level
        inner = b"Content-Type: %s; boundary=%s\r\n\r\n--%s\r\n%s\r\n--%s--\r\n" % (kind, mark, mark, inner, mark)
    return FROM + inner


def forwarded(depth: int) -> bytes:
    inner = FROM + FILE
    for _ in range(depth):
        inner = FROM + b"Content-Type: message/rfc822\r\n\r\n" + inner
    return inner


def encoded_again(depth: int) -> bytes:
    inner = FROM + FILE
    for _ in range(depth):
        head = b'Content-Type: application/octet-stream; name="a.eml"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
        inner = FROM + head + base64.b64encode(inner)
    return inner


def tnef_within(depth: int) -> bytes:
    inner = tnef.stream(tnef.file("bill.pdf", PDF))
    for _ in range(depth):
        inner = tnef.stream(tnef.file("a", b"", object_=inner))
    return multipart(TNEF_HEAD + base64.encodebytes(inner))


def in_base64(content: bytes) -> bytes:
    return multipart(FILE.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + content)


def noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


def of_text(body: bytes) -> bytes:
    return FROM + b"\r\n" + body


def field(name: bytes, value: bytes) -> bytes:
    return b"From: ann@example.com\r\n" + name + b": " + value + b"\r\n\r\n"


def _of_structure() -> Iterator[HostileMessage]:
    yield HostileMessage("nothing", bytes, says="who sent")
    yield HostileMessage("one end of a line", lambda: b"\n", says="who sent")
    yield HostileMessage("noise", lambda: noise(MB), says="who sent")
    yield HostileMessage("NULs", lambda: bytes(MB), says="who sent|too long")
    yield HostileMessage(
        "no boundary", lambda: FROM + b"Content-Type: multipart/mixed\r\n\r\n--b\r\n", says="split into its parts"
    )
    yield HostileMessage(
        "another boundary", lambda: multipart(FILE).replace(b"=b\r", b"=c\r"), says="split into its parts"
    )
    yield HostileMessage(
        "an empty boundary", lambda: multipart(FILE).replace(b"=b\r", b'=""\r'), says="split into its parts"
    )
    yield HostileMessage("a huge boundary", lambda: multipart(FILE, boundary=b"b" * 3_000), says="split into its parts")
    yield HostileMessage("a boundary of hyphens", lambda: multipart(FILE, boundary=b"--", end=b"------"), 1)
    yield HostileMessage("a boundary that is the last line", lambda: multipart(FILE, end=b"--b"), 1)
    yield HostileMessage("no last line", lambda: multipart(FILE, end=b""), says="arrived incomplete")
    yield HostileMessage("text after the last line", lambda: multipart(FILE, end=b"--b--\r\n" + FILE), 1)
    yield HostileMessage("50 attachments", lambda: multipart(*[FILE] * 50), 50)
    yield HostileMessage("500 attachments", lambda: multipart(*[FILE] * 500), 100, "more than 100 files")
    yield HostileMessage("10,000 parts", lambda: multipart(*[FILE] * 10_000), 100, "more than 1000? (files|parts)")
    yield HostileMessage("10,000 empty parts", lambda: multipart(*[b""] * 10_000), 0, "more than 1000 parts")
    yield HostileMessage(
        "a million boundaries", lambda: multipart(end=b"--b\r\n" * 1_000_000), 0, "more than 1000 parts"
    )
    yield HostileMessage("boundaries in one line", lambda: multipart(FILE, end=b"--b " * MB), 0, "arrived incomplete")
    yield HostileMessage(
        "spaces after a boundary", lambda: multipart(FILE, end=b"--b" + b" " * MB + b"x"), 0, "incomplete"
    )
    yield HostileMessage("nested 100 deep", lambda: nested(100), says="deep")
    yield HostileMessage("nested 5,000 deep", lambda: nested(5_000), says="deep")
    yield HostileMessage(
        "the same boundary in each",
        lambda: FROM + FILE.join([b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"] * 200),
        says="incomplete|deep|split into its parts",
    )
    yield HostileMessage("alternatives 100 deep", lambda: nested(100, b"multipart/alternative"), says="deep")
    yield HostileMessage(
        "a fan at each depth", lambda: fan(6, 8), says="more than 1000 parts|more than 100 files", files=100
    )
    yield HostileMessage("a bill 15 deep", lambda: nested(15), 1)
    yield HostileMessage("forwarded 100 times", lambda: forwarded(100), says="deep")
    yield HostileMessage("encoded 10 times", lambda: encoded_again(10), 1)
    yield HostileMessage("encoded 25 times", lambda: encoded_again(25), says="deep")
    yield HostileMessage("a message that is its own part", lambda: forwarded(3) + forwarded(3), says="incomplete")


def fan(width: int, depth: int) -> bytes:
    """A message with parts within parts, `width` of them at each level.

    Without a limit on their number, reading all of the innermost parts would take too long.
    """
    inner = FILE
    for level in range(min(depth, 5)):
        mark = b"f%d" % level
        parts = b"".join(b"--" + mark + b"\r\n" + inner + b"\r\n" for _ in range(width))
        inner = b"Content-Type: multipart/mixed; boundary=" + mark + b"\r\n\r\n" + parts + b"--" + mark + b"--\r\n"
    return FROM + inner


def _of_fields() -> Iterator[HostileMessage]:
    yield HostileMessage("a head without end", lambda: FROM + b"X: y\r\n" * 200_000, says="head|who sent")
    yield HostileMessage("a field of 10 MB", lambda: FROM + b"X: " + b"y" * 10 * MB + b"\r\n\r\n", says="head|who sent")
    yield HostileMessage("a subject of 100 kB", lambda: field(b"Subject", b"x" * 100_000))
    yield HostileMessage("a subject folded 10,000 times", lambda: field(b"Subject", b"x\r\n " * 10_000))
    yield HostileMessage("words in words", lambda: field(b"Subject", b"=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?=" * 90))
    yield HostileMessage("words without end", lambda: field(b"Subject", b"=?utf-8?b?" * 400))
    yield HostileMessage(
        "words in a slow character set", lambda: field(b"Subject", b"=?punycode?q?" + b"a" * 3_900 + b"?=")
    )
    yield HostileMessage("words in idna", lambda: field(b"Subject", b"=?idna?q?" + b"xn--" * 900 + b"?="))
    yield HostileMessage(
        "words in utf-7", lambda: field(b"Subject", b"=?utf-7?q?+AAA-?= =?unicode_escape?q?=5Cud800?=")
    )
    yield HostileMessage("brackets in brackets", lambda: FROM.replace(b"Ann", b"(" * 3_000), says="who sent")
    yield HostileMessage("quotes", lambda: FROM.replace(b"Ann", b'"\\' * 1_500), says="who sent")
    yield HostileMessage("angle brackets", lambda: FROM.replace(b"Ann", b"<" * 3_000), says="who sent")
    yield HostileMessage("two senders", lambda: b"From: bob@example.com\r\n" + of_text(b"x"), says="who sent")
    yield HostileMessage("a name that is an address", lambda: of_text(b"x").replace(b"Ann", b'"ceo@example.org"'))
    yield HostileMessage(
        "8-bit in each field", lambda: bytes(FROM.replace(b"March", bytes(range(128, 256)))) + b"\r\nx"
    )
    yield HostileMessage("NULs in fields", lambda: FROM.replace(b"March", b"Ma\x00rch\x1b[2J") + b"\r\nx")
    yield HostileMessage("a line that goes back", lambda: field(b"Subject", b"a\rBcc: all@example.com\x0b\x85"))
    yield HostileMessage("parameters without end", lambda: field(b"Content-Type", b"a/b" + b";a" * 1_900), 1)
    yield HostileMessage(
        "quotes in parameters", lambda: field(b"Content-Type", b'text/plain; name="' + b'\\"' * 1_900), 1
    )
    yield HostileMessage(
        "a million pieces of a name",
        lambda: field(b"Content-Type", b"a/b" + b"".join(b"; name*%d=x" % n for n in range(400))),
        1,
    )
    yield HostileMessage(
        "a piece of a name with a huge number", lambda: field(b"Content-Type", b"a/b; name*" + b"9" * 3_000 + b"=x"), 1
    )
    yield HostileMessage(
        "a name in a slow character set", lambda: field(b"Content-Type", b"a/b; name*=punycode''" + b"a" * 3_900), 1
    )
    yield HostileMessage(
        "a name of bytes that are none", lambda: field(b"Content-Type", b"a/b; name*=utf-8''%FF%00%ZZ%"), 1
    )
    yield HostileMessage("a content type that is none", lambda: field(b"Content-Type", b'/;;="') + b"x", 1)
    yield HostileMessage("a date that is none", lambda: field(b"Date", b"Mon, 99 Foo 99999999999999 99:99:99 +9999"))
    yield HostileMessage("the last date", lambda: field(b"Date", b"Fri, 31 Dec 9999 23:59:59 -2359"))
    yield HostileMessage("the first date", lambda: field(b"Date", b"Mon, 01 Jan 0001 00:00:00 +2359"))
    yield HostileMessage("100,000 recipients", lambda: field(b"To", b"a@example.com," * 100_000), says="head|who sent")
    yield HostileMessage("at signs", lambda: field(b"To", b"@" * 3_900) + field(b"Cc", b"a@" * 1_900))
    yield HostileMessage(
        "letters in a row",
        lambda: (
            field(b"To", b"a" * 4_000).rstrip()
            + b"\r\n"
            + b"".join(b"To: " + b"a" * 3_990 + b"\r\n" for _ in range(60))
            + b"\r\n"
        ),
    )
    yield HostileMessage("a loop", lambda: b"Received: from a by a\r\n" * 500 + of_text(b"x"))


def _of_contents() -> Iterator[HostileMessage]:
    yield HostileMessage("base64 that is none", lambda: in_base64(b"!" * MB), says="arrived incomplete")
    yield HostileMessage("base64 of noise", lambda: in_base64(noise(MB)), says="arrived incomplete")
    yield HostileMessage("base64 of ends", lambda: in_base64(b"=" * MB), says="arrived incomplete")
    yield HostileMessage("base64 of white space", lambda: in_base64(b" \r\n" * MB), 1)
    yield HostileMessage("20 MB", lambda: in_base64(base64.encodebytes(noise(15 * MB))), 1)
    yield HostileMessage("more than is taken", lambda: of_text(bytes(65 * MB)), says="larger than")
    yield HostileMessage(
        "quoted-printable that is none",
        lambda: FROM + b"Content-Type: a/b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=" * MB,
        1,
    )
    yield HostileMessage(
        "a way of writing that is none",
        lambda: FROM + b"Content-Type: a/b\r\nContent-Transfer-Encoding: x-bomb\r\n\r\nx",
        1,
    )
    yield HostileMessage("uuencode", lambda: of_text(b"begin 644 bill.pdf\r\n#86)C\r\n`\r\nend\r\n"), 1)
    yield HostileMessage(
        "uuencode without end", lambda: of_text(b"begin 644 bill.pdf\r\n" + b"#86)C\r\n" * 100_000), says="incomplete"
    )
    yield HostileMessage("uuencode that is none", lambda: of_text(b"begin 644 all\r\nthat is said below\r\n" * 20_000))
    yield HostileMessage("uuencode begun and begun", lambda: of_text(b"begin 644 a" + b" " * 490 + b"x\r" * 20_000))
    yield HostileMessage(
        "uuencode 5,000 times", lambda: of_text(b"begin 644 a\n#86)C\n`\nend\n" * 5_000), 100, "more than 100 files"
    )
    yield HostileMessage("a line of 10 MB", lambda: of_text(b"begin 644 a\n" + b"#" * 10 * MB), says="incomplete")
    yield HostileMessage(
        "winmail.dat of noise", lambda: multipart(TNEF_HEAD + base64.encodebytes(noise(MB))), says="winmail"
    )
    yield HostileMessage(
        "winmail.dat that begins well",
        lambda: multipart(TNEF_HEAD + base64.encodebytes(tnef.SIGNATURE + noise(MB))),
        says="winmail",
    )
    yield HostileMessage(
        "winmail.dat of 50,000 attributes",
        lambda: multipart(TNEF_HEAD + base64.encodebytes(tnef.stream(tnef.attribute(2, 1, b"") * 50_000))),
        says="winmail",
    )
    yield HostileMessage(
        "winmail.dat of 500 files",
        lambda: multipart(TNEF_HEAD + base64.encodebytes(tnef.stream(tnef.file("a", b"a") * 500))),
        100,
        "winmail",
    )
    yield HostileMessage("winmail.dat in itself", lambda: tnef_within(50), says="winmail")
    yield HostileMessage(
        "winmail.dat of many winmail.dat",
        lambda: multipart(*[TNEF_HEAD + base64.encodebytes(tnef.stream(tnef.file("a", b"a") * 90))] * 90),
        100,
        "more than 100 files",
    )
    yield HostileMessage("a name without end", lambda: multipart(FILE.replace(b"bill.pdf", b"x" * 3_000 + b".pdf")), 1)
    yield HostileMessage(
        "a name that leads out", lambda: multipart(FILE.replace(b"bill.pdf", b'"../../../etc/passwd"')), 1
    )
    yield HostileMessage("names that are the same", lambda: multipart(*[FILE] * 100), 100)


def every_message() -> Iterator[HostileMessage]:
    yield from _of_structure()
    yield from _of_fields()
    yield from _of_contents()
