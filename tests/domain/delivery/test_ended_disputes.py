"""A message states the amount to pay once a dispute has ended."""

from datetime import date

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.ended_disputes import Correction, Owed, owed, what_to_pay
from prorata.domain.locale_forms import PLAIN
from prorata.domain.mail.words.disputes import DISPUTES
from prorata.domain.printing.languages import LANGUAGES

OCTOBER, NOVEMBER = Month("2026-10"), Month("2026-11")
DUE, DUE_DATE = date(2026, 12, 14), "The due date is 2026-12-14."
FULL = Owed(OCTOBER, 144_50, 144_50, DUE)


def said(is_of: Owed, correction: Correction | None, language: str = "en") -> str:
    return what_to_pay(is_of, correction, DISPUTES[language], PLAIN, "USD")


@pytest.mark.parametrize(
    ("is_of", "correction", "expected"),
    [
        (FULL, None, f"The full $144.50 of this invoice is due. {DUE_DATE}"),
        (
            FULL,
            Correction(8_50, NOVEMBER),
            f"The full $144.50 of this invoice is due. {DUE_DATE} The $8.50 is added to your invoice of November 2026.",
        ),
        (
            FULL._replace(due=102_00),
            Correction(-8_50, None),
            f"$102.00 of this invoice is due now. {DUE_DATE} The $8.50 is taken off one of your next invoices.",
        ),
        (
            FULL._replace(due=0),
            Correction(8_50, None),
            "Nothing on this invoice is due now. The $8.50 is added to one of your next invoices.",
        ),
        (Owed(OCTOBER, 136_00, 136_00), Correction(-8_50, OCTOBER), "This invoice comes to $136.00 now."),
        (
            Owed(OCTOBER, 136_00, 36_00),
            Correction(-8_50, OCTOBER),
            "This invoice comes to $136.00 now. $36.00 of this invoice is due now.",
        ),
        (Owed(OCTOBER, 0, 0), Correction(-8_50, OCTOBER), "Nothing on this invoice is due now."),
    ],
)
def test_it_says_what_is_due_and_where_the_correction_is(
    is_of: Owed, correction: Correction | None, expected: str
) -> None:
    assert said(is_of, correction) == expected


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_says_the_amounts_and_the_month(language: str) -> None:
    text = said(FULL, Correction(-8_50, NOVEMBER), language)
    assert all(part in text for part in ("$144.50", "$8.50", "November 2026", "2026-12-14"))


def test_nothing_is_said_of_a_draft_and_a_cancelled_or_paid_invoice_asks_for_nothing() -> None:
    assert owed("DRAFT", OCTOBER, 144_50, 144_50, DUE) is None
    assert owed("CANCELLED", OCTOBER, 144_50, 144_50, DUE) == Owed(OCTOBER, 0, 0, DUE)
    assert owed("PAID", OCTOBER, 144_50, 0, DUE) == Owed(OCTOBER, 144_50, 0, DUE)
    assert owed("SENT", OCTOBER, 144_50, -3_00, DUE) == Owed(OCTOBER, 144_50, 0, DUE)
