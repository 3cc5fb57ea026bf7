"""A file that nobody has confirmed keeps the month from being sent by itself that it may be a bill of."""

from datetime import date

import pytest

from prorata.actions import documents, month_reviews
from prorata.domain.bill_reading.draft import UNREAD, Draft, asked, found
from prorata.store.properties import PropertyRow
from tests.landlord import Landlord

FEBRUARY = UNREAD._replace(bill_date=found(date(2026, 2, 20)), account_number=found("A-1"))


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    """A property with a bill for February."""
    maple = landlord.property_()
    (unit, _) = landlord.units(maple, "1", "2")
    landlord.tenant(unit, "Ann", email="ann@example.com")
    landlord.bill(maple, 90_00, on=date(2026, 2, 3), account_number="A-1")
    return maple


def brought(landlord: Landlord, draft: Draft, way: str = "mail") -> str:
    """The id of a file that was read as this."""
    row = landlord.do(documents.take, "bill.pdf", repr(draft).encode(), way).row
    landlord.run(lambda tx: documents.note_draft(tx, landlord.account.id, row.id, draft))
    return row.id


def waits(landlord: Landlord, of: PropertyRow, month: str = "2026-02") -> bool:
    return landlord.see(month_reviews.review, of.id, month).is_to_wait


@pytest.mark.parametrize("way", ["mail", "upload"])
def test_a_month_waits_while_a_file_may_be_a_bill_of_it(landlord: Landlord, maple: PropertyRow, way: str) -> None:
    assert not waits(landlord, maple)
    document = brought(landlord, FEBRUARY, way)
    assert waits(landlord, maple)
    landlord.do(documents.set_aside, document)
    assert not waits(landlord, maple)


@pytest.mark.parametrize(
    ("draft", "is_to_wait"),
    [
        (FEBRUARY._replace(bill_date=found(date(2026, 1, 9))), False),
        (FEBRUARY._replace(bill_date=asked("It reads two ways.")), True),
        (FEBRUARY._replace(account_number=found("B-2"), issuer=found("Volt")), True),
        (FEBRUARY._replace(account_number=found("B-2"), bill_date=found(date(2026, 1, 9))), False),
    ],
    ids=["another month", "no month that is plain", "a new account number of this month", "one of another month"],
)
def test_a_file_is_for_the_months_that_it_may_be_for(
    landlord: Landlord, maple: PropertyRow, draft: Draft, is_to_wait: bool
) -> None:
    brought(landlord, draft)
    assert waits(landlord, maple) is is_to_wait


def test_a_known_account_number_keeps_no_other_property_waiting(landlord: Landlord, maple: PropertyRow) -> None:
    elm = landlord.property_("Elm")
    landlord.tenant(landlord.unit(elm, "1"), "Ben")
    landlord.bill(elm, 10_00, on=date(2026, 2, 3))
    brought(landlord, FEBRUARY)
    assert (waits(landlord, maple), waits(landlord, elm)) == (True, False)
