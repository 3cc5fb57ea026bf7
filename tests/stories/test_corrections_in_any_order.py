"""Corrections are right, whatever becomes known or is decided, in whatever order.

Every line is borne once, every household comes to the right amount, sent invoices stay as they are, and no money is
lost between the invoices of a household.
"""

from typing import Any

import pytest
from hypothesis.stateful import invariant
from sqlalchemy import bindparam, select

from prorata.actions.invoices import invoices
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.payments import payments
from prorata.actions.recalculation import correction_decisions, recalculation
from prorata.store.bills import bills as stored_bills
from prorata.store.database.engine import Database, Tx
from prorata.store.database.statements import Statement
from prorata.store.properties import properties
from prorata.store.schema.correction_tables import correction
from prorata.store.schema.payment_tables import payment
from prorata.store.schema.tables import bill_line, billing_month, charge, invoice
from tests.landlord import MovableClock
from tests.stories.any_order.correction_checks import CorrectionChecks
from tests.stories.any_order.correction_steps import CorrectionSteps
from tests.stories.any_order.driving import SECONDS_OF_A_FAILURE, drive
from tests.stories.any_order.explained import explanations_come_out
from tests.stories.any_order.money_checks import Entry, MoneyChecks, Purse
from tests.stories.any_order.seen_books import Shown

OF_MONEY = {
    table.name: Statement(select(table).where(table.c.account_id == bindparam("account")), tuple)
    for table in (bill_line, billing_month, charge, correction, invoice, payment)
}


class Corrections(CorrectionSteps):
    """Steps with corrections, and checks of the books after each step."""

    def __init__(self, database: Database, clock: MovableClock) -> None:
        super().__init__(database, clock)
        self.seen: CorrectionChecks | None = None
        self.money: MoneyChecks | None = None

    def look(self) -> None:
        shown, _ = self.landlord.see(invoices.page, {}, limit=1_000, offset=0, details=True)
        there, purses = {}, {}
        self.ids, self.entries = {}, {}
        for one in shown:
            row, charges = one.summary, one.charges or ()
            key = row.unit_id, row.month, row.sequence
            self.ids[key] = row.id
            there[key] = {
                "property": row.property_id,
                "status": row.status,
                "tenant": row.tenant_id,
                "custom": {charge.id: charge.amount for charge in charges if charge.bill_id is None},
                "charges": {
                    (charge.bill_id, charge.line, charge.corrects_month): (charge.amount, charge.utility_type)
                    for charge in charges
                    if charge.bill_id is not None
                },
                "parts": [
                    (
                        (charge.bill_id, charge.line),
                        charge.corrects_month,
                        charge.corrects_tenant or row.tenant_id,
                        charge.amount,
                    )
                    for charge in charges
                    if charge.bill_id is not None
                ],
                "by_id": {
                    charge.id: ((charge.bill_id, charge.line, charge.corrects_month), charge.amount)
                    for charge in charges
                },
            }
            ledger = self.landlord.see(payments.ledger, row.id).entries
            self.entries[row.id] = [entry.id for entry in ledger]
            purses[key] = Purse(
                row.status,
                row.tenant_id,
                row.total,
                row.paid_amount,
                tuple(Entry(entry.id, entry.kind, entry.amount, entry.reverses) for entry in ledger),
            )
        self.books.see(there, self.charged(), {of: self.corrections(of) for of in self.books.properties})
        self.purses = purses

    def charged(self) -> dict[tuple[str, int], tuple[bool, int]]:
        named = sorted({line["month"] for bill in self.books.bills.values() for line in bill["lines"].values()})
        lines = self.landlord.read(stored_bills.billed_lines, list(self.books.properties), named)
        return {(line.bill_id, line.number): (bool(line.charged), line.owner_amount) for line in lines}

    def corrections(self, of: str) -> list[Shown]:
        rows = [one.row for one in self.landlord.see(correction_decisions.of_property, of)]
        return [
            Shown(
                row.month,
                row.unit_id,
                row.tenant_id,
                (row.bill_id, row.line),
                row.waiting_amount,
                row.to_charge_amount,
                row.left_amount,
            )
            for row in rows
        ]

    def checked(self) -> None:
        now, money = CorrectionChecks(self.books), MoneyChecks(self.purses)
        if self.seen is not None and self.money is not None:
            now.all(self.seen, self.done, self.about)
            money.all(self.money, self.done, self.about)
        self.seen, self.money = now, money

    @invariant()
    def what_must_hold_holds(self) -> None:
        self.look()
        self.checked()
        self.check_finds_nothing()
        self.settling_again_changes_nothing()
        self.done, self.about = "", set()

    def check_finds_nothing(self) -> None:
        found = list(check_account(self.landlord.database, self.landlord.account.id))
        assert found == [], found

    def settling_again_changes_nothing(self) -> None:
        """Check, row by row, that recalculating changes nothing."""
        before = self.landlord.database.read(self.rows)
        self.landlord.run(self.settle)
        assert self.landlord.database.read(self.rows) == before

    @invariant()
    def explanations_are_of_what_is_charged(self) -> None:
        explanations_come_out(self.landlord)

    def settle(self, tx: Tx) -> None:
        locked = properties.lock_many(tx, self.landlord.account.id, sorted(self.books.properties))
        recalculation.recalculate(tx, self.landlord.caller, locked)

    def rows(self, tx: Tx) -> dict[str, Any]:
        """Every row of the account that has to do with money."""
        account = self.landlord.account.id
        return {name: sorted(map(repr, tx.all(statement, account=account))) for name, statement in OF_MONEY.items()}


@pytest.mark.sample
@pytest.mark.timeout(SECONDS_OF_A_FAILURE)
def test_corrections_come_to_what_is_right_whatever_is_done_in_whatever_order(migrated_url):
    drive(Corrections, migrated_url, 12, 20)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_corrections_come_to_what_is_right_for_a_long_time(migrated_url):
    drive(Corrections, migrated_url, 4_000, 30)
