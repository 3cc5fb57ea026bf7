"""Reading a bill's pages by their labels.

A person is asked for unclear values and for the lines.
"""

import re

from prorata.domain.intake.bill_reading.addresses import address_of
from prorata.domain.intake.bill_reading.bill_facts import day_of, in_their_order, number_of, period_of
from prorata.domain.intake.bill_reading.draft import Budget, Draft, asked
from prorata.domain.intake.bill_reading.issuers import issuer_of
from prorata.domain.intake.bill_reading.label_values import beside_labels
from prorata.domain.intake.bill_reading.locale_evidence import evidence_in
from prorata.domain.intake.bill_reading.pictures import with_care, with_found
from prorata.domain.intake.bill_reading.spots import Sheet, key_of
from prorata.domain.intake.bill_reading.totals import total_of
from prorata.domain.texts import say

_SEVERAL = 2
SEVERAL_BILLS = say(
    "The pages show different account numbers. If they are several bills, send each one as a separate file."
)
_BUDGET = re.compile(
    r"\b(budget|equal|level(ized)?|average) (monthly )?(billing|payment|plan|bill)|\bbbp\b"
    r"|abschlag|mensualis|cuota fija"
)
_LINES = say("Say what the total is for. This company’s next bill will be divided in the same way.")


def read_sheet(sheet: Sheet) -> Draft:
    """Build the draft of a bill from its pages.

    If some pages are pictures, only the values that the other pages show by themselves are `found`. A person is
    asked for all other values.
    """
    draft, pages = _read(sheet), sheet.pages
    if not any(page.from_picture for page in pages):
        return draft
    printed = [page._replace(words=()) if page.from_picture else page for page in pages]
    return with_found(with_care(draft, pages), _read(Sheet(printed)))


def _read(sheet: Sheet) -> Draft:
    pages, lines = sheet.pages, sheet.rows
    evidence = evidence_in([row for rows in lines for row in rows])
    beside = beside_labels(lines)
    billed, due, first, last = in_their_order(
        day_of("billDate", beside, evidence.order, "bill date"),
        day_of("dueDate", beside, evidence.order, "due date"),
        *period_of(beside, evidence.order),
    )
    draft = Draft(
        issuer=issuer_of(pages, lines, beside),
        account_number=number_of("accountNumber", beside, "account number"),
        bill_number=number_of("billNumber", beside, "bill number"),
        bill_date=billed,
        due_date=due,
        service_start=first,
        service_end=last,
        service_address=address_of(lines, beside),
        total=total_of(sheet, evidence),
        lines=asked(_LINES),
        budget=_budget_in(sheet),
        language=evidence.language,
        currency=evidence.currency,
        pages=len(pages),
        sizes=tuple((page.width, page.height) for page in pages),
    )
    return _of_one_bill(draft, sheet)


def _of_one_bill(draft: Draft, sheet: Sheet) -> Draft:
    """Ask about the total if the pages may be several bills for the same amount."""
    total = draft.total
    if is_of_several(draft, sheet) and total.surety == "found" and total.value is not None:
        return draft._replace(total=asked(SEVERAL_BILLS, total.value, places=total.places))
    return draft


def is_of_several(draft: Draft, sheet: Sheet) -> bool:
    """True if the pages show different account numbers, as several bills do.

    A single bill has its number on each of these pages; other numbers, such as that of a meter, are on some of them.
    """
    numbers = draft.account_number
    shown = {place.page for place in numbers.places}
    pages_of = [
        {spot.place.page for spot in sheet.spots("number") if spot.key == key_of(number)} for number in numbers.choices
    ]
    others = [pages for pages in pages_of if not shown <= pages]
    is_on_each = len(others) < len(pages_of) and not shown <= set().union(*others)
    return min(len(pages_of), len(shown)) >= _SEVERAL and not is_on_each


def _budget_in(sheet: Sheet) -> Budget | None:
    """Find the places of budget billing amounts; None if there are none."""
    spots = [spot for spot in sheet.spots("money") if spot.cents and _BUDGET.search(f"{spot.left} {spot.above}")]
    return Budget(None, tuple(spot.place for spot in spots)) if spots else None
