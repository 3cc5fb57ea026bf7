"""Nothing on a scanned bill is accepted without a question.

Most of the proposed values are correct.
"""

import pytest

from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.measuring_scans import measured
from tests.ocr_extra import needs_ocr

HELD_OUT = [layout for layout in LAYOUTS if layout.held_out]
FLOOR = {"total": 75, "account_number": 75, "bill_date": 75, "issuer": 75}
"""Percent of bills of which the right value is on offer, at least (docs/reading-bills.md has the figures)."""


@pytest.mark.thorough
@needs_ocr
def test_of_scanned_bills_nothing_is_taken_without_asking_and_the_totals_are_proposed() -> None:
    some = [next(one for one in HELD_OUT if one.locale == locale) for locale in ("en-US", "es-ES")]
    scans = measured(some, [3], dpi=150)

    assert sum(count["believed"] for count in scans.counts.values()) == 0
    assert scans.counts["total"]["right"] + scans.counts["total"]["offered"] == len(some), scans.misread


@needs_ocr
@pytest.mark.soak
def test_of_a_scanned_bill_of_each_layout_nothing_is_taken_without_asking_and_the_floor_is_kept() -> None:
    scans = measured(HELD_OUT, [5])

    assert sum(count["believed"] for count in scans.counts.values()) == 0
    kept = {
        name: 100 * (scans.counts[name]["right"] + scans.counts[name]["offered"]) >= floor * len(HELD_OUT)
        for name, floor in FLOOR.items()
    }
    assert kept == dict.fromkeys(FLOOR, True), scans.misread
