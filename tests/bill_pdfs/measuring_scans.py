"""Measure how often the fields of scanned bills are proposed correctly.

The command prints the table of the documentation:

    python -m tests.bill_pdfs.measuring_scans [bills of each layout] [N for every Nth layout]

Both numbers are 1 by default.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from prorata.adapters.intake import ocr_files
from prorata.adapters.intake.pdf_files import framed
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.measuring import FIELDS, comparable, truth_of
from tests.bill_pdfs.photographed import pictures_of, scanned
from tests.bill_pdfs.printing import printed
from tests.read_bills import read_bill

RESULTS = ("right", "offered", "not there", "misread", "believed")
HEADS = ("proposed rightly", "among those offered", "not offered", "another proposed", "accepted automatically")


class Scans(NamedTuple):
    """The results of measuring scanned bills.

    They are the count of each result by field, the wrong proposals in words, the number of pages, and the seconds that
    reading the pages took.
    """

    counts: dict[str, Counter[str]]
    misread: list[str]
    pages: int
    seconds: float


def seen_in(pdf: bytes, numbers: str = "1,2,3") -> tuple[Page, ...]:
    """Read pages of a PDF, or a photo, as pictures in this process."""
    return tuple(ocr_files.in_parts(framed(pdf), numbers))


def judged(draft: Draft, facts: Facts) -> dict[str, tuple[str, Any, Any]]:
    """Judge each field, and return the result, the proposed value, and the true value."""
    truth = truth_of(facts)
    return {name: _judged(name, getattr(draft, name), truth[name]) for name in FIELDS}


def _judged(name: str, reading: Any, true: Any) -> tuple[str, Any, Any]:
    if reading.surety == "found":
        return "believed", reading.value, true
    if reading.value is None:
        return ("offered" if true in [comparable(name, one) for one in reading.choices] else "not there"), None, true
    value = comparable(name, reading.value)
    return ("right" if value == true else "misread"), value, true


def measured(layouts: Iterable[Layout], seeds: Iterable[int], dpi: int = 200) -> Scans:
    """Print, scan and read bills in some layouts."""
    counts = {name: Counter[str]() for name in FIELDS}
    misread, number, seconds, seeds = [], 0, 0.0, list(seeds)
    for layout in layouts:
        for seed in seeds:
            facts = facts_of(layout.locale, seed)
            pictures = pictures_of(printed(facts, layout), dpi)
            scan = scanned(pictures, dpi)
            begun = time.process_time()
            pages = seen_in(scan, ",".join(str(place + 1) for place in range(len(pictures))))
            seconds, number = seconds + time.process_time() - begun, number + len(pages)
            for name, (result, read, true) in judged(read_bill(pages), facts).items():
                counts[name][result] += 1
                if result in ("misread", "believed"):
                    misread.append(f"{layout.locale} {layout.name}, bill {seed}, {name}: {read} for {true}")
    return Scans(counts, misread, number, seconds)


def table(counts: dict[str, Counter[str]]) -> str:
    """Format the figures as in the documentation, in percent with one decimal."""
    rows = [f"| field | {' | '.join(HEADS)} |", f"|---{'|---' * len(HEADS)}|"]
    for name, count in counts.items():
        shares = " | ".join(f"{100 * count[result] / count.total():.1f} %" for result in RESULTS)
        rows.append(f"| {FIELDS[name]} | {shares} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table of the held-out layouts."""
    number, step = [int(said) for said in sys.argv[1:]] + [1, 1][len(sys.argv) - 1 :]
    layouts = [layout for layout in LAYOUTS if layout.held_out][::step]
    scans = measured(layouts, range(number))
    sys.stdout.write(f"{len(layouts)} layouts, {number} bills of each: {scans.pages} pages, ")
    sys.stdout.write(f"{scans.seconds / scans.pages:.1f} s of a processor each\n\n{table(scans.counts)}\n")
    for line in scans.misread:
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
