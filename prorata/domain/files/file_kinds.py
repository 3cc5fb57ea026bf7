"""Detection of a file's kind from its bytes.

The file's name doesn't determine the kind. It is only checked for an extension that contradicts the bytes.
"""

import re
import struct
from collections.abc import Iterator
from typing import Literal, NamedTuple

from prorata.domain.limits import LONGEST_ZIP_COMMENT, MOST_ARCHIVE_NAMES
from prorata.domain.texts import joined, say

FileKind = Literal["text", "xlsx", "ods", "xls", "pdf", "zip", "jpeg", "png", "xml"]
IN_WORDS: dict[FileKind, str] = {
    "text": say("a text file"),
    "xlsx": say("a workbook"),
    "ods": say("a workbook"),
    "xls": say("a workbook"),
    "pdf": say("a PDF"),
    "zip": say("a ZIP archive"),
    "jpeg": say("a picture"),
    "png": say("a picture"),
    "xml": say("an e-invoice"),
}
TABLE_KINDS, PICTURE_KINDS = frozenset(("text", "xlsx", "ods", "xls")), frozenset(("jpeg", "png"))
_MEANT: dict[str, frozenset[str]] = {
    **dict.fromkeys(("csv", "tsv", "tab", "txt", "xlsx", "xlsm", "xls", "ods"), TABLE_KINDS),
    "pdf": frozenset(("pdf",)),
    "zip": frozenset(("zip",)),
    "xml": frozenset(("xml",)),
    **dict.fromkeys(("jpg", "jpeg", "jpe", "png"), PICTURE_KINDS),
}
"""The kinds of file that a file name extension may stand for.

Programs often save one kind of table under the extension of another.
"""
_PROGRAMS = frozenset(
    (
        *("exe", "scr", "pif", "msi", "dll", "bat", "cmd", "ps1", "vbs", "vbe", "js", "jse", "wsf", "hta"),
        *("lnk", "jar", "sh", "apk", "reg", "html", "htm", "xhtml", "svg"),
        *("py", "pyw", "pyc", "pyz", "rb", "pl", "php", "lua", "psm1", "vb", "bash", "zsh", "command"),
    )
)
"""Extensions of files that a computer runs or a browser opens.

A bill never has such an extension, whatever its bytes.
"""

SEND = say("Send a table (CSV, XLSX, ODS, XLS), a PDF, a picture (JPEG, PNG), an e-invoice (XML), or a ZIP of those.")
SEND_PDF_OR_PICTURE = say("Send a PDF or a picture (JPEG, PNG).")
EMPTY = say("This file is empty.")
PROGRAM = joined([say("This is a program, or something that a browser would run, and not a bill."), SEND])
WEB_PAGE = say("This is a web page. Open it and save its contents as a PDF or XLSX file.")
WORD = say("This is a text document. Save it as a PDF.")
PACKED = say("This kind of archive can’t be read. Unpack it and send its files, or a ZIP of them.")
STATEMENT = say(
    "This is a bank statement in {kind} format, which can’t be read. Export it as CSV or as a spreadsheet, and send "
    "that."
)
XML = say(
    "This is an XML file, which can be read only if it is an e-invoice (UBL, or a Cross Industry Invoice). Save it "
    "as CSV or XLSX, or send the PDF."
)
OTHER_PICTURE = say("This kind of picture can’t be read. Save it as JPEG or PNG.")
UNKNOWN = joined([say("The type of this file can't be determined from its contents."), SEND])

_PDF = re.compile(rb"%PDF-[12]\.[0-9]")
_WITHIN = 1024
"""The number of first bytes among which the beginning of a PDF is looked for."""
_SAMPLE = 64 * 1024
_HEAD = 200
"""The number of first bytes in which an OpenDocument file states its kind."""
_BEGINNINGS: tuple[tuple[bytes, FileKind], ...] = (
    (b"%PDF-", "pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
)
_OF_PROGRAMS = (
    *(b"MZ", b"\x7fELF", b"#!/", b"\xca\xfe\xba\xbe", b"L\x00\x00\x00\x01\x14\x02\x00"),
    *(b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"),
)
_REFUSED: tuple[tuple[bytes, str], ...] = (
    *((begin, PACKED) for begin in (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"MSCF")),
    *((begin, OTHER_PICTURE) for begin in (b"GIF8", b"II*\x00", b"MM\x00*", b"RIFF", b"BM")),
    (b"{\\rtf", WORD),
)
_PHOTO = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif", b"ftypmsf1")
"""The beginnings, from the fifth byte on, of phone pictures such as HEIC."""
_WEB_PAGE = re.compile(
    rb"\s*+(?:<\?xml[^>]{0,200}>\s*+)?(?><!--.{0,2000}?-->\s*)*+<(?:!doctype|html|head|body|script|svg|meta|table)\b",
    re.IGNORECASE | re.DOTALL,
)
_STATEMENTS = (
    ("OFX", re.compile(rb"\s*+(?:OFXHEADER\b|(?:<\?[^>]{0,200}>\s*+){0,3}<OFX>)", re.IGNORECASE)),
    ("QIF", re.compile(rb"\s*+!(?:type|account|option)\b", re.IGNORECASE)),
    ("CAMT", re.compile(rb"\s*+<\?xml(?=.{0,1000}?\bcamt\.05[0-9])", re.DOTALL)),
    ("MT940", re.compile(rb"\s*+(?:\{1:F|:20:[^\n]{0,40}\n(?:[^\n]{0,100}\n){0,3}:25)")),
)
"""Patterns for the beginnings of bank statements in formats other than tables."""
_XML = re.compile(rb"\s*+<\?xml\b")
_E_INVOICE = re.compile(
    rb"<(?:[\w.-]{1,40}:)?(?:CrossIndustry(?:Invoice|Document)|Invoice|CreditNote)\s[^>]{0,4000}?"
    rb"urn:(?:un:unece:uncefact:data:standard:CrossIndustryInvoice:"
    rb"|ferd:CrossIndustryDocument:|oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)-2)"
)
"""The outermost element of an e-invoice, or one within another document, with its namespace."""
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
"""The beginnings (byte order marks) of UTF-16 and UTF-32 texts."""
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class Told(NamedTuple):
    """A file's kind, or the reason why the file is refused.

    `kind` is None if the file is refused; otherwise, `refused` is None. `is_program` means that the file is a
    program, so that refusing it can't make anybody miss a bill.
    """

    kind: FileKind | None
    refused: str | None = None
    is_program: bool = False


_PROGRAM = Told(None, PROGRAM, is_program=True)


def told(name: str, data: bytes) -> Told:
    r"""Detect the kind of a file, or explain why the file is refused.

    The contents decide the kind. Files of unsupported kinds are refused. So are files whose name has the extension
    of another kind, because the name is all that people see of a file.

    >>> told("bills.csv", b"property,total\n").kind, told("bill.pdf", b"%PDF-1.7").kind
    ('text', 'pdf')
    >>> told("bills.csv", b"%PDF-1.7").refused
    'The name of this file ends in .csv, but it is a PDF. Rename it to match, or check whether it is the right file.'
    >>> told("bill.pdf", b"MZ\x90\x00").is_program
    True
    """
    if not data:
        return Told(None, EMPTY)
    ending = name.rpartition(".")[2].strip().lower() if "." in name else ""
    if ending in _PROGRAMS:
        return Told(None, WEB_PAGE) if ending in ("html", "htm", "xhtml") else _PROGRAM
    by_bytes = _told_by_bytes(data)
    kind = by_bytes.kind
    if kind is not None and kind not in _MEANT.get(ending, (kind,)):
        return Told(
            None,
            say(
                "The name of this file ends in .{ending}, but it is {kind}. Rename it to match, or check whether it "
                "is the right file.",
                ending=ending,
                kind=IN_WORDS[kind],
            ),
        )
    return by_bytes


def _told_by_bytes(data: bytes) -> Told:
    for begin, kind in _BEGINNINGS:
        if data.startswith(begin):
            return Told(kind)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _told_by_names(data)
    if any(_begins(data, begin) for begin in _OF_PROGRAMS):
        return _PROGRAM
    is_e_invoice = _is_e_invoice(data)
    refused = None if is_e_invoice else _known_to_be_other(data)
    if refused is not None:
        return Told(None, refused)
    if _PDF.search(data, 0, _WITHIN) and b"startxref" in data[-2 * _WITHIN :]:
        return Told("pdf")
    return Told(None, UNKNOWN) if _is_binary(data) else Told("xml" if is_e_invoice else "text")


def _begins(data: bytes, begin: bytes) -> bool:
    return data.startswith(begin) and (len(begin) > 2 or _is_binary(data))  # noqa: PLR2004 - two letters begin texts too


def _known_to_be_other(data: bytes) -> str | None:
    for begin, refused in _REFUSED:
        if _begins(data, begin):
            return refused
    if data[4:12] in _PHOTO:
        return OTHER_PICTURE
    letters = _letters(data)
    return WEB_PAGE if _WEB_PAGE.match(letters) else format_of(letters)


def _letters(data: bytes) -> bytes:
    """Return the beginning of a text, without its byte order mark and zero bytes."""
    return data[:_SAMPLE].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")


def _is_e_invoice(data: bytes) -> bool:
    letters = _letters(data)
    return letters.lstrip().startswith(b"<") and _E_INVOICE.search(letters) is not None


def format_of(data: bytes) -> str | None:
    """Explain why a bank statement or an XML file can't be read as a table.

    The result is None for any other text.

    >>> format_of(b"OFXHEADER:100"), format_of(b"property,total")
    ('This is a bank statement in OFX format, which can’t be read. Export it as CSV or as a spreadsheet, and send
    that.', None)
    """
    letters = _letters(data)
    for name, begins in _STATEMENTS:
        if begins.match(letters):
            return STATEMENT.format(kind=name)
    return XML if _XML.match(letters) else None


def _is_binary(data: bytes) -> bool:
    """True if the bytes can't be text.

    Zero bytes are allowed in UTF-16, which is recognized by its byte order mark, or by a zero in every other byte.
    """
    sample = data[:_SAMPLE]
    if sample.startswith(_WIDE):
        return False
    if b"\x00" in sample:
        return not any(_is_every_other_zero(sample[first::2], sample[1 - first :: 2]) for first in (0, 1))
    return _CONTROL.search(sample) is not None


def _is_every_other_zero(ones: bytes, others: bytes) -> bool:
    """True if most bytes of `ones` and few of `others` are zero.

    That is so in UTF-16 without a byte order mark, if the two contain every other byte.
    """
    return 10 * ones.count(0) > 7 * len(ones) and 20 * others.count(0) < len(others)


def _told_by_names(data: bytes) -> Told:
    """Detect the kind of a ZIP file, such as a workbook, by its file names."""
    names = {name.lower() for name in names_in(data)}
    if b"word/document.xml" in names:
        return Told(None, WORD)
    if b"[content_types].xml" in names and any(name.startswith(b"xl/") for name in names):
        return Told("xlsx")
    if b"mimetype" in names and b"content.xml" in names:
        return Told(None, WORD) if b"opendocument.text" in data[:_HEAD] else Told("ods")
    if b"meta-inf/manifest.mf" in names or b"classes.dex" in names:
        return _PROGRAM
    return Told("zip")


_END, _END_64, _ENTRY = b"PK\x05\x06", b"PK\x06\x06", b"PK\x01\x02"


def names_in(data: bytes, most: int = MOST_ARCHIVE_NAMES) -> Iterator[bytes]:
    """Yield up to `most` file names from a ZIP's directory.

    There are none if the directory is damaged. Nothing is unpacked. The positions and lengths that the archive
    states are checked against its actual length.
    """
    end = data.rfind(_END, max(len(data) - LONGEST_ZIP_COMMENT - 22, 0))
    if end < 0 or end + 22 > len(data):
        return
    (size,) = struct.unpack_from("<I", data, end + 12)
    if size == 0xFFFFFFFF and data[end - 76 : end - 72] == _END_64:  # noqa: PLR2004 - the longer form's mark
        end -= 76
        (size,) = struct.unpack_from("<Q", data, end + 40)
    at, seen = end - size, 0
    while 0 <= at <= end - 46 and data[at : at + 4] == _ENTRY and seen < most:
        lengths = struct.unpack_from("<3H", data, at + 28)
        yield data[at + 46 : at + 46 + lengths[0]]
        at, seen = at + 46 + sum(lengths), seen + 1
