"""Printed invoices, leases and letters as PDF/A-2a and PDF/UA-1, typeset reproducibly by typst.

A template receives all text as JSON, so that no text can be read as markup. Only the fonts shipped with Prorata are
used.
"""

import base64
import ctypes
import io
import json
import re
import struct
import threading
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import segno
import typst

from prorata.adapters.files.qr_svg import transfer_qr
from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.printing.font_coverage import FONTS, LINK, NARROW, WIDE, can_print, printable
from prorata.domain.accounts.letterheads import Letterhead
from prorata.domain.countries import uses_letter
from prorata.domain.languages import language_of
from prorata.domain.mail.message_body import Block, Facts, Link
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.lease_pages import PrintedLease, write_lease
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.printing.printed_letters import Printed, PrintedLetter
from prorata.domain.printing.rendering import write
from prorata.domain.printing.sections import Section

TEMPLATE, LEASE_TEMPLATE, LETTER_TEMPLATE = (
    Path(__file__).with_name(name) for name in ("invoice.typ", "lease.typ", "letter.typ")
)
STANDARDS: list[Any] = ["a-2a", "ua-1"]
_GIVE_BACK = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""The function of glibc that returns freed memory to the system, if there is one.

A call takes 0.3 ms, and returns the 8 MB that a worker has freed after typesetting.
"""
_COUNTRY = re.compile("[A-Z]{2}")
_PNG_SIZE = 16
"""The offset of the width and height in a PNG, in bytes.

See W3C PNG, third edition, section 11.2.1.
"""
_LINKED = ("https://", "http://")


class TypstPrinter:
    """A printer of one document at a time.

    Its compiler is kept in memory, and not shared between threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._compilers: dict[Path, typst.Compiler] = {}

    def __call__(self, printed: Printed) -> bytes:
        """Print an invoice, a lease's utility terms or a letter as PDF."""
        if isinstance(printed, PrintedLetter):
            return self._printed(LETTER_TEMPLATE, "letter", data_of_letter(printed), _began(printed.day))
        if isinstance(printed, PrintedInvoice):
            return self._printed(TEMPLATE, "invoice", data_of(printed), datetime.fromisoformat(printed.made_at))
        return self._printed(LEASE_TEMPLATE, "lease", data_of_lease(printed), _began(printed.terms.day))

    def _printed(self, template: Path, name: str, data: dict[str, Any], made_at: datetime) -> bytes:
        text = json.dumps(data, ensure_ascii=False)
        with self._lock:
            # After a failure another is made: a failed one may not be used again.
            compiler = self._compilers.pop(template, None) or _new_compiler(template)
            printed = compiler.compile(
                sys_inputs={name: text}, format="pdf", pdf_standards=STANDARDS, timestamp=int(made_at.timestamp())
            )
            self._compilers[template] = compiler
        if _GIVE_BACK is not None:
            _GIVE_BACK(0)
        assert isinstance(printed, bytes)
        return printed


def _new_compiler(template: Path) -> typst.Compiler:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])
    return typst.Compiler(template, root=template.parent, font_paths=fonts)


def _began(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def data_of(invoice: PrintedInvoice) -> dict[str, Any]:
    """Build the data for an invoice's template: texts, paper, language, and QR codes as SVG."""
    locale = invoice.copy.locale
    language = language_of(locale)
    forms = LocaleForms(locale, can_print)
    written = write(invoice, texts_for(locale), forms)
    return {
        **_texts(written),
        "biller": printable(written.biller, NARROW),
        "addressee": _texts(written.addressee, NARROW),
        "facts": _texts(written.beside_address, NARROW),
        "sections": [_section(section) for section in written.sections],
        **_paper(forms, language, invoice.copy.place.country, invoice.letterhead),
        "made": _made(datetime.fromisoformat(invoice.made_at)),
    }


def data_of_letter(printed: PrintedLetter) -> dict[str, Any]:
    """Build the data for a letter's template.

    A letter has the same head as an invoice, and below it blocks of text.
    """
    invoice, letter = printed.invoice, printed.letter
    forms = LocaleForms(invoice.copy.locale, can_print)
    written = write(invoice, texts_for(invoice.copy.locale), forms)
    return {
        "title": printable(letter.subject, WIDE),
        "biller": printable(written.biller, NARROW),
        "biller_lines": _texts(written.biller_lines),
        "addressee": _texts(written.addressee, NARROW),
        "day": forms.day(printed.day),
        "blocks": [_block(one) for one in letter.blocks],
        **_paper(forms, letter.language, invoice.copy.place.country, invoice.letterhead),
        "made": _made(printed.day),
    }


def _block(block: Block) -> dict[str, Any]:
    """Convert a letter's block to lines of text, or to labels with values."""
    match block:
        case Facts(lines):
            return {"lines": [], "facts": _texts(lines, NARROW)}
        case Link(label, url):
            return {"lines": [printable(label, WIDE), printable(url, LINK)], "facts": []}
        case _:
            return {"lines": [printable(line, WIDE) for line in block.text.split("\n")], "facts": []}


def _paper(forms: LocaleForms, language: str, country: str, letterhead: Letterhead) -> dict[str, Any]:
    """Collect the language, paper, logo and color of a document."""
    return {
        "language": language,
        "region": _region(forms.locale.territory) if forms.locale.language == language else None,
        "paper": "us-letter" if uses_letter(country) else "a4",
        "logo": _logo(letterhead),
        "color": letterhead.color,
    }


def _made(day: date) -> list[int]:
    return [day.year, day.month, day.day]


def data_of_lease(lease: PrintedLease) -> dict[str, Any]:
    """Build the data for a lease's template."""
    forms, language = LocaleForms(lease.locale, can_print), language_of(lease.locale)
    return {
        **_texts(write_lease(lease, forms)),
        **_paper(forms, language, lease.place.country, lease.letterhead),
        "made": _made(lease.terms.day),
    }


def _region(territory: str | None) -> str | None:
    """Return a locale's territory if it is a country's code, or None.

    Typst does not accept numeric regions such as 419 in es-419.
    """
    return territory if territory is not None and _COUNTRY.fullmatch(territory) else None


def _texts(value: Any, longest: int = WIDE) -> Any:
    """Convert a value for a template, with `printable` applied to each text in it.

    A named tuple becomes an object with its fields, and any other tuple becomes a list. `longest` is passed to
    `printable`.
    """
    if isinstance(value, str):
        return printable(value, longest)
    if hasattr(value, "_fields"):
        return {name: _texts(field, longest) for name, field in zip(value._fields, value, strict=True)}
    return [_texts(part, longest) for part in value] if isinstance(value, tuple) else value


def _section(section: Section) -> dict[str, Any]:
    link = section.link
    return {
        **_texts(section),
        "link": link,
        "shown": printable(link or "", LINK),
        "linked": link is not None and link.startswith(_LINKED),
        "code": _code(section),
    }


def _logo(letterhead: Letterhead) -> str | None:
    """Return a logo inside an SVG drawing, because a template receives only text."""
    if letterhead.logo is None:
        return None
    data, svg = base64.b64encode(letterhead.logo).decode("ascii"), "http://www.w3.org/2000/svg"
    width, height = struct.unpack_from(">II", letterhead.logo, _PNG_SIZE)
    return (
        f'<svg xmlns="{svg}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/></svg>'
    )


def _code(section: Section) -> str | None:
    """Return a section's bank transfer or link as a QR code in SVG.

    Return None if it has neither, or if the contents are too long for a code.
    """
    try:
        if section.transfer:
            code = transfer_qr(section.transfer)
        elif section.link:
            code = segno.make_qr(section.link, error="m")
        else:
            return None
    except segno.DataOverflowError:
        return None
    drawn = io.BytesIO()
    code.save(drawn, kind="svg", border=0, xmldecl=False, dark="#1b2126", omitsize=True)
    return drawn.getvalue().decode()
