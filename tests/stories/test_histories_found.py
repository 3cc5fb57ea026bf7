"""Histories in which the program or the two state machines' books were once wrong.

Each test takes the fewest steps that show the mistake.
"""

from collections.abc import Iterator
from datetime import date

import pytest

from tests.landlord import MovableClock, opened
from tests.stories.test_any_order import AnyOrder
from tests.stories.test_corrections_in_any_order import Corrections

MARCH = "2026-03"
GAS_OF_THE_FIRST_TEN_DAYS = {
    "total": 100_00,
    "types": ["GAS"],
    "on": date(2026, 3, 20),
    "service": (date(2026, 3, 1), 9),
}


class Known(AnyOrder):
    """A house with water bills, in which a test takes one step after another."""

    def agree(self) -> None:
        self.bills_are_those_of_the_books()
        self.invoices_are_those_of_the_books()
        self.rules_are_those_of_the_books()
        self.the_check_finds_nothing()

    def set(self, unit: int, status: str) -> None:
        """Set the status of a unit's March invoice, as a person does."""
        key = list(self.books.units)[unit], MARCH, 0
        self.set_status(list(self.books.invoices).index(key), status)
        self.agree()

    def switch(self, kind: str, *, is_on: bool) -> None:
        """Switch the rule of a utility type on or off."""
        key = next(key for key in self.books.rules if key[1] == kind)
        self.name_method(key, None, {"split_method": "EQUAL", "is_active": is_on})
        self.agree()

    def comes(self, unit: int, move_in: date | None = None, move_out: date | None = None) -> None:
        self.add_tenant(unit, {"move_in": move_in, "move_out": move_out})
        self.agree()


@pytest.fixture
def house(migrated_url: str) -> Iterator[Known]:
    clock = MovableClock()
    with opened(migrated_url, clock) as database:
        known = Known(database, clock)
        known.begin(1, 100_00, "WATER")  # the tenant has the second unit
        known.agree()
        yield known


def test_a_roommate_is_learned_of_after_an_invoice_was_cancelled_that_charged_nothing(house: Known) -> None:
    house.switch("WATER", is_on=False)
    house.set(1, "CANCELLED")
    house.switch("WATER", is_on=True)
    house.set(0, "SENT")
    house.comes(1, date(2026, 1, 1), date(2026, 2, 17))


def test_two_are_learned_of_in_turn_who_had_the_flat_whose_invoice_was_cancelled(house: Known) -> None:
    house.set(0, "CANCELLED")
    house.set(1, "SENT")
    house.comes(0, date(2026, 3, 1), date(2026, 3, 10))
    house.comes(0, date(2026, 3, 11))


def test_the_flat_whose_invoice_was_cancelled_begins_after_the_tenant_it_names_had_left(house: Known) -> None:
    house.comes(0, None, date(2026, 3, 5))
    house.set(0, "CANCELLED")
    house.change_unit(0, {"active_from": date(2026, 3, 8)})
    house.agree()
    house.set(1, "SENT")
    house.comes(0, date(2026, 3, 9))


def test_somebody_is_learned_of_who_came_after_the_days_of_a_line_of_nobodys_cancelled_invoice(house: Known) -> None:
    house.add_bill(0, **GAS_OF_THE_FIRST_TEN_DAYS)
    house.set(0, "CANCELLED")
    house.set(1, "SENT")
    house.comes(0, date(2026, 3, 15))
    house.comes(0, date(2026, 3, 2), date(2026, 3, 5))
    house.set(0, "DRAFT")


def test_what_no_rule_divided_is_divided_where_an_invoice_names_who_was_removed_as_if_never_there(house: Known) -> None:
    house.switch("GAS", is_on=False)
    house.add_bill(0, 50_00, ["GAS"], date(2026, 3, 20), None)
    house.set(0, "SENT")
    house.remove_tenant(0)
    house.agree()
    house.set(1, "SENT")
    house.switch("GAS", is_on=True)


@pytest.fixture
def corrected(migrated_url: str) -> Iterator[Corrections]:
    """A house with February and March sent, and credits for its first unit in April."""
    clock = MovableClock()
    with opened(migrated_url, clock) as database:
        house = Corrections(database, clock)
        house.begin(0, 26, automatic=True, sent=4)
        house.what_must_hold_holds()
        house.change_unit(0, {"active_to": date(2026, 3, 10)})
        house.what_must_hold_holds()
        house.zero_bill(0)
        house.what_must_hold_holds()
        yield house


def its(house: Corrections, month: str, sequence: int, status: str) -> None:
    """Set the status of an invoice of the first unit."""
    house.set_status((next(iter(house.books.units)), month, sequence), status)
    house.what_must_hold_holds()


def test_what_was_noted_becomes_a_payment_where_the_credit_beside_it_is_taken_back(corrected: Corrections) -> None:
    its(corrected, "2026-04", 1, "SENT")
    its(corrected, MARCH, 0, "PAID")
    its(corrected, "2026-04", 1, "CANCELLED")


def test_what_corrects_again_beside_a_cancelled_correction_says_what_it_said_once_its_month_is_closed(
    corrected: Corrections,
) -> None:
    its(corrected, "2026-04", 1, "CANCELLED")
    corrected.correct_bill(1, {}, 297)
    corrected.what_must_hold_holds()
    corrected.send_a_month(list(corrected.ids).index((list(corrected.books.units)[1], "2026-04", 0)))
    corrected.what_must_hold_holds()
