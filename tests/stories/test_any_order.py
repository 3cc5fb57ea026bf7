"""The program and a landlord's books agree, whatever the landlord does, in whatever order.

The books (`books.py`) are kept in the simplest way. They agree with the program to the cent after each step, and every
invariant of `prorata check` holds.
"""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import bindparam, update

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.overview.consistency_checks import check_account
from prorata.domain.bills.bills import NewBill
from prorata.store.bills import bills as stored_bills
from prorata.store.database.engine import Database
from prorata.store.database.statements import changes
from prorata.store.schema.tables import account
from tests.landlord import MovableClock
from tests.stories.any_order.books import CLOSING, Refused
from tests.stories.any_order.days import days_from, hand_out
from tests.stories.any_order.driving import SECONDS_OF_A_FAILURE, drive
from tests.stories.any_order.explained import explanations_come_out
from tests.stories.any_order.rule_steps import RuleSteps
from tests.stories.any_order.steps import a_day, kinds, months, which

SET_LATE_BILLS = changes(
    update(account).where(account.c.id == bindparam("account")).values(late_bills=bindparam("late"))
)
cents = st.integers(-5_000, 50_000)
amounts = st.dictionaries(kinds | st.sampled_from(["LATE_FEE", "PREVIOUS_BALANCE"]), cents, min_size=1, max_size=3)
some_kinds = st.lists(kinds, min_size=1, max_size=3, unique=True)
statuses = st.sampled_from(["DRAFT", "SENT", "SENT", "PAID", "OVERDUE", "CANCELLED"])


class AnyOrder(RuleSteps):
    """Steps with bills and invoices, and checks of the program after each step."""

    def __init__(self, database: Database, clock: MovableClock) -> None:
        super().__init__(database, clock)
        self.given: dict[str, NewBill] = {}
        self.ids: dict[tuple[str, str, int], str] = {}
        self.numbers: dict[tuple[tuple[str, str, int], int], str] = {}
        self.expected: dict[tuple[str, str, int], Any] = {}
        self.written: dict[tuple[str, str, int], Any] = {}

    @initialize(at=which, total=cents, kind=kinds)
    def begin(self, at: int, total: int, kind: str) -> None:
        self.begin_with_a_house(at)
        for on in (date(2026, 2, 20), date(2026, 3, 4)):
            self.add_bill(0, total, [kind], on, None)

    @rule(by=st.sampled_from([1, 5, 26, 15 * 24, 40 * 24]))
    def wait(self, by: int) -> None:
        self.clock.forward(hours=by)

    # --- bills

    @precondition(lambda self: self.books.properties)
    @rule(at=which, total=cents, types=some_kinds, on=a_day, service=st.none() | st.tuples(a_day, st.integers(0, 70)))
    def add_bill(self, at: int, total: int, types: list[str], on: date, service: tuple[date, int] | None) -> None:
        start, end = (service[0], service[0] + timedelta(days=service[1])) if service else (None, None)
        parts = dict(zip(types, hand_out(total, [Fraction(1, len(types))] * len(types)), strict=True))
        of = self.pick(self.books.properties, at)
        new = NewBill(of, self.name(), tuple(types), total, on, service_start=start, service_end=end)
        served = days_from(start, end) if start and end else None
        self.add(new, self.books.late_month(of, self.month_for(on, start, end)), parts, served)

    @precondition(lambda self: self.books.properties)
    @rule(at=which, parts=amounts, on=a_day, chosen=st.none() | months)
    def add_bill_with_amounts(self, at: int, parts: dict[str, int], on: date, chosen: str | None) -> None:
        of, types = self.pick(self.books.properties, at), tuple(kind for kind in parts if "_" not in kind)
        new = NewBill(of, self.name(), types or ("WATER",), sum(parts.values()), on, billing_month=chosen,
                      amounts=tuple(parts.items()))  # fmt: skip
        self.add(new, chosen or self.books.late_month(of, f"{on:%Y-%m}"), parts)

    def add(self, new: NewBill, month: str, parts: dict[str, int], served: list[date] | None = None) -> None:
        ((row,), skipped) = self.do(bills.add, [new])
        assert not skipped
        lines = {
            number: {
                "type": None if "_" in kind else kind,
                "amount": part,
                "month": month,
                "served": served,
                "owner": 0,
                "charged": False,
            }
            for number, (kind, part) in enumerate(parts.items(), 1)
        }
        self.books.bills[row.id] = {"property": new.property_id, "lines": lines}
        self.given[row.id] = new
        self.books.settle(new.property_id)

    def month_for(self, on: date, start: date | None, end: date | None) -> str:
        """The billing month of a bill.

        It is the month with most days of the service period, or the later month on a tie. Without a service period, it
        is the month of the bill's date.
        """
        if start is None or end is None:
            return f"{on:%Y-%m}"
        served = [f"{start + timedelta(days=day):%Y-%m}" for day in range((end - start).days + 1)]
        return max(served, key=lambda month: (served.count(month), month))

    @precondition(lambda self: self.books.bills)
    @rule(at=which)
    def add_a_bill_that_is_there(self, at: int) -> None:
        assert self.do(bills.add, [self.given[self.pick(self.books.bills, at)]]) == ((), (0,))

    @precondition(lambda self: self.books.bills)
    @rule(at=which, month=months)
    def move_bill(self, at: int, month: str) -> None:
        bill_id = self.pick(self.books.bills, at)

        def move() -> None:
            self.books.refuse_charged(bill_id)
            for line in self.books.bills[bill_id]["lines"].values():
                line |= {"month": month, "charged": False, "owner": 0}
            self.books.settle(self.books.bills[bill_id]["property"])

        self.both(move, bills.move, bill_id, month)

    @precondition(lambda self: self.books.bills)
    @rule(at=which)
    def remove_bill(self, at: int) -> None:
        bill_id = self.pick(self.books.bills, at)

        def remove() -> None:
            self.books.refuse_charged(bill_id)
            self.books.settle(self.books.bills.pop(bill_id)["property"])

        self.both(remove, bills.remove, bill_id)

    @rule(by_itself=st.booleans())
    def set_late_bills(self, by_itself: bool) -> None:
        late = "next open month" if by_itself else "ask"
        self.landlord.run(lambda tx: tx.run(SET_LATE_BILLS, account=self.landlord.account.id, late=late))
        self.books.by_itself = by_itself

    # --- invoices

    def set_status(self, at: int, status: str) -> None:
        key = self.pick(self.books.invoices, at)
        self.both(lambda: self.books.set_status(key, status), invoices.set_status, self.ids[key], status)

    @precondition(lambda self: self.books.invoices)
    @rule(at=which, status=statuses)
    def set_any_status(self, at: int, status: str) -> None:
        self.set_status(at, status)

    @precondition(lambda self: self.books.invoices)
    @rule(at=which, status=statuses)
    def set_some_status(self, at: int, status: str) -> None:
        self.set_status(at, status)

    @precondition(lambda self: self.books.invoices)
    @rule(at=which, status=statuses)
    def set_another_status(self, at: int, status: str) -> None:
        self.set_status(at, status)

    @precondition(lambda self: self.books.frozen)
    @rule(at=which, status=st.sampled_from(["DRAFT", "CANCELLED"]))
    def open_a_month(self, at: int, status: str) -> None:
        of, month = self.pick(self.books.frozen, at)
        for key, one in self.books.of_month(of, month).items():
            if one["status"] in CLOSING:
                self.both(
                    lambda key=key: self.books.set_status(key, status), invoices.set_status, self.ids[key], status
                )

    @precondition(lambda self: any(one["status"] == "SENT" for one in self.books.invoices.values()))
    @rule()
    def let_the_clock_mark_overdue(self) -> None:
        row = self.landlord.run(lambda tx: accounts.the_account(tx, self.landlord.caller))
        self.landlord.run(lambda tx: invoices.mark_overdue(tx, row))
        self.books.now = self.clock()
        self.books.mark_overdue()

    @precondition(lambda self: self.books.invoices)
    @rule(at=which, amount=cents)
    def add_custom_charge(self, at: int, amount: int) -> None:
        key = self.pick(self.books.invoices, at)
        one = self.books.invoices[key]

        def refuse() -> None:
            if one["status"] != "DRAFT":
                raise Refused(409)

        shown = self.both(refuse, invoices.add_custom_charge, self.ids[key], "Key lost", amount)
        if shown:
            (new,) = {charge.id for charge in shown.charges if charge.bill_id is None} - one["custom"].keys()
            one["custom"][new] = amount

    @precondition(lambda self: any(one["custom"] for one in self.books.invoices.values()))
    @rule(at=which)
    def remove_custom_charge(self, at: int) -> None:
        held = {key: one for key, one in self.books.invoices.items() if one["custom"]}
        key = self.pick(held, at)
        charge_id = next(iter(held[key]["custom"]))

        def remove() -> None:
            if held[key]["status"] != "DRAFT":
                raise Refused(409)
            del held[key]["custom"][charge_id]
            self.books.settle(held[key]["property"])

        self.both(remove, invoices.remove_custom_charge, self.ids[key], charge_id)

    # --- what must hold after each step

    @invariant()
    def the_check_finds_nothing(self) -> None:
        assert list(check_account(self.landlord.database, self.landlord.account.id)) == []

    @invariant()
    def invoices_are_those_of_the_books(self) -> None:
        shown, total = self.landlord.see(invoices.page, {}, limit=10_000, offset=0, details=True)
        there = {(one.summary.unit_id, one.summary.month, one.summary.sequence): one for one in shown}
        assert total == len(shown) == len(there)
        expected = {key: self.expected_of(key) for key in self.books.invoices}
        assert {key: as_in_books(one) for key, one in there.items()} == expected
        for key, one in there.items():
            replaces = self.books.invoices[key]["replaces"]
            assert self.numbers.setdefault((key, replaces), one.summary.number) == one.summary.number
            assert one.summary.number.endswith((f"R{replaces}-" if replaces else "-") + key[1])
        assert len({one.summary.number for one in shown}) == len(shown)
        self.ids = {key: one.summary.id for key, one in there.items()}
        self.unchanged_ones_are_not_written(there)

    @invariant()
    def explanations_are_of_what_is_charged(self) -> None:
        explanations_come_out(self.landlord)

    def expected_of(self, key: tuple[str, str, int]) -> dict[str, Any]:
        one = self.books.invoices[key]
        total, status = self.books.total(one), one["status"]
        return {
            **{name: one[name] for name in ("property", "status", "date", "name", "email", "custom")},
            "total": total,
            "paid": (total, True) if status == "PAID" else (0, False),
            "payment": {"PAID": "paid", "CANCELLED": "cancelled"}.get(status, "pending"),
            "due": one["due"] if status in CLOSING else None,
            "pending": self.books.pending(one["property"], key[1]),
            "charges": {line: charge[:2] for line, charge in one["charges"].items()},
        }

    def unchanged_ones_are_not_written(self, there: dict[tuple[str, str, int], ShownInvoice]) -> None:
        """Check that unchanged invoices were not written.

        Their times stay the same, and unchanged charges keep their ids.
        """
        expected = {key: repr(one) for key, one in self.books.invoices.items()}
        written = {
            key: (one.summary.id, one.summary.generated_at, one.summary.updated_at) for key, one in there.items()
        }
        charges = {key: set(one.charges or ()) for key, one in there.items()}
        for key in expected.keys() & self.expected.keys():
            if expected[key] == self.expected[key]:
                assert (written[key], charges[key]) == self.written[key]
        self.expected, self.written = expected, {key: (written[key], charges[key]) for key in there}

    @invariant()
    def bills_are_those_of_the_books(self) -> None:
        shown, total = self.landlord.see(bills.page, limit=10_000, offset=0)
        assert total == len(shown)
        waiting = {}
        for bill_id, bill in self.books.bills.items():
            waits = any(self.books.waits(bill["property"], line) for line in bill["lines"].values())
            waiting[bill_id] = (min(line["month"] for line in bill["lines"].values()), waits)
        assert {one.id: (one.billing_month, bool(one.waiting)) for one in shown} == waiting
        named = sorted({line["month"] for bill in self.books.bills.values() for line in bill["lines"].values()})
        lines = self.landlord.read(stored_bills.billed_lines, list(self.books.properties), named)
        assert {
            (line.bill_id, line.number): (line.utility_type, line.amount, line.owner_amount, bool(line.charged))
            for line in lines
        } == {
            (bill_id, number): (line["type"], line["amount"], line["owner"], line["charged"])
            for bill_id, bill in self.books.bills.items()
            for number, line in bill["lines"].items()
        }


def as_in_books(shown: ShownInvoice) -> dict[str, Any]:
    row, charges = shown.summary, shown.charges or ()
    return {
        "property": row.property_id,
        "status": row.status,
        "date": date.fromisoformat(row.invoice_date),
        "name": row.tenant_name,
        "email": row.tenant_email,
        "custom": {charge.id: charge.amount for charge in charges if charge.bill_id is None},
        "total": row.total,
        "paid": (row.paid_amount, row.paid_at is not None),
        "payment": row.payment_status,
        "due": date.fromisoformat(row.due_date) if row.due_date and row.status in CLOSING else None,
        "pending": bool(row.pending),
        "charges": {
            (charge.bill_id, charge.line, charge.corrects_month): (charge.amount, charge.utility_type)
            for charge in charges
            if charge.bill_id is not None
        },
    }


@pytest.mark.timeout(SECONDS_OF_A_FAILURE)
def test_the_program_and_the_books_agree_whatever_is_done_in_whatever_order(migrated_url):
    drive(AnyOrder, migrated_url, 18, 40)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_the_program_and_the_books_agree_for_a_long_time(migrated_url):
    drive(AnyOrder, migrated_url, 1_000, 60)
