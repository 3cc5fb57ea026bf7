"""Many invoices are joined in one PDF without much memory or delay.

The tests check its contents and cost, and that no other invoice has to wait for it.
"""

import sys
import threading
import time
from pathlib import Path

import pypdfium2
import pytest

from prorata.adapters.printing.joined_pdfs import PdfJoiner
from prorata.adapters.printing.print_process import PrintProcess
from prorata.errors import InvalidRequest
from tests.adapters.printing.test_pdf import LINK, PRINTER, read, seven_charges
from tests.domain.printing.test_rendering import invoice

MANY = 300
MOST_PEAK = 250
"""Megabytes that the process which prints may have held: it holds one invoice at a time."""
MOST_WAIT = 1 / 4
"""The longest wait for a single invoice, as a part of the time in which all others are printed."""


def test_pages_stand_in_the_order_of_their_files_and_keep_their_size():
    files = [PRINTER(invoice(tenant_name=name)) for name in ("Ann", "Bo")]
    files.insert(1, PRINTER(invoice(tenant_name="Cy", charges=seven_charges())))
    joined = read(PdfJoiner()(files))
    apart = [read(one) for one in files]
    assert joined.sizes == [size for one in apart for size in one.sizes]
    assert joined.pages == [page for one in apart for page in one.pages]
    assert "Page 2 of 2" in joined.pages[2]


def test_one_file_alone_stays_as_it_is():
    assert PdfJoiner()([b"anything"]) == b"anything"


def test_what_is_no_pdf_is_refused():
    with pytest.raises(InvalidRequest):
        PdfJoiner()([b"no PDF", b"nor this"])


@pytest.mark.thorough
def test_three_hundred_long_invoices_take_little_memory_and_one_between_them_does_not_wait_for_all():
    printer, charges = PrintProcess(), seven_charges()
    many = [
        invoice(payment_link=f"{LINK}{at}", charges=charges, number=f"MAPLE-{at}-2026-03", tenant_name=f"Tenant {at}")
        for at in range(MANY)
    ]
    printer(many[0])
    waited: list[float] = []

    def print_one() -> None:
        time.sleep(1)
        began = time.monotonic()
        printer(invoice())
        waited.append(time.monotonic() - began)

    between = threading.Thread(target=print_one)
    between.start()
    began = time.monotonic()
    files = [printer(one) for one in many]
    printed = time.monotonic()
    joined = PdfJoiner()(files)
    ended = time.monotonic()
    between.join()
    status = Path(f"/proc/{printer.pid}/status").read_text(encoding="ascii")
    peak = int(status.partition("VmHWM:")[2].split()[0]) >> 10
    printer.close()
    with pypdfium2.PdfDocument(joined) as document:
        assert len(document) == 2 * MANY
    sys.stdout.write(
        f"{MANY} invoices of two pages: printed in {printed - began:.1f} s, joined in {ended - printed:.1f} s, "
        f"{len(joined) / 1e6:.1f} MB; the process that prints held {peak} MB at most\n"
    )
    assert peak < MOST_PEAK
    assert waited[0] < MOST_WAIT * (printed - began)
