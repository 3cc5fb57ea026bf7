"""Every hostile file: its name, the function that makes it, and the expected refusal."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from prorata.adapters.files.file_process import LIMITS
from tests.adapters import old_workbooks
from tests.e_invoices.made import cii
from tests.hostile_files import archives, odd_pdfs, odd_pictures, odd_tables, odd_xml, pdfs, workbooks

ANY = ""
"""It may be read, or refused with whatever reason: it is a file that something is missing of."""


class HostileFile(NamedTuple):
    """A file that is made to do harm.

    Every refusal of the file and of its parts must match `said`; `said` is None if the file is read and its oddity does
    nothing. A file that `kills` ends the process that reads it, after at most `seconds` seconds.
    """

    title: str
    name: str
    make: Callable[[], bytes]
    said: str | None
    kills: bool = False
    seconds: int = LIMITS.seconds


def every_file() -> Iterator[HostileFile]:
    """Yield every hostile file."""
    for ending, given in (
        ("pdf", odd_pdfs.FILES),
        ("xlsx", odd_tables.XLSX),
        ("ods", odd_tables.ODS),
        ("xls", odd_tables.XLS),
        ("csv", odd_tables.CSV),
        ("zip", odd_tables.ZIP),
        ("png", odd_pictures.PNG),
        ("jpeg", odd_pictures.JPEG),
        ("xml", odd_xml.XML),
    ):
        for title, (said, make) in given.items():
            yield HostileFile(f"{ending}: {title}", f"bills.{ending}", make, said)
    for ending, deadly in (("pdf", odd_pdfs.DEADLY), ("xlsx", odd_tables.DEADLY), ("jpeg", odd_pictures.DEADLY)):
        for title, (pattern, make) in deadly.items():
            seconds = 1 if "seconds" in pattern else LIMITS.seconds
            yield HostileFile(f"{ending}: {title}", f"bills.{ending}", make, pattern, kills=True, seconds=seconds)
    for name, (said, make) in odd_tables.MISNAMED.items():
        yield HostileFile(f"named {name}", name, make, said)
    yield from _cut_off()


def _cut_off() -> Iterator[HostileFile]:
    """Yield honest files of each kind that end too early."""
    whole = {
        "pdf": pdfs.pdf_of(pdfs.one_page()),
        "xlsx": workbooks.xlsx(),
        "ods": workbooks.ods(),
        "xls": old_workbooks.xls(("Bills", [odd_tables.HEADER_CELLS, odd_tables.ROW_CELLS])),
        "csv": odd_tables.TABLE.decode().encode("utf-16"),
        "png": odd_pictures.photo("PNG"),
        "jpeg": odd_pictures.photo("JPEG"),
        "xml": cii(),
        "zip": archives.honest(a_csv=odd_tables.TABLE, b_pdf=pdfs.pdf_of(pdfs.one_page())),
    }
    for ending, content in whole.items():
        for eighth in range(1, 8):
            end = len(content) * eighth // 8
            make = partial(bytes, content[:end])
            yield HostileFile(f"{ending}: cut off after {eighth} of 8 parts", f"bills.{ending}", make, ANY)
