"""Carrying credits from a household's overpaid invoices to its other invoices.

Whenever an invoice or its ledger changes, this module decides which carries are reversed and made, and computes the
resulting state of both invoices (docs/decisions.md#a-tenants-balance).

It runs the same few SQL statements for any number of invoices, and only one if no invoice is overpaid.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.recalculation.month_loader import as_entry, as_unit, standing_of, with_standing
from prorata.domain.audit.verbs import Verb
from prorata.domain.due_times import day_in
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CLOSING, DRAFT, PAID, SENT
from prorata.domain.invoices.carries import (
    Carry,
    Holding,
    Settled,
    has_left as household_has_left,
    household_of,
    settle,
)
from prorata.domain.invoices.ledger import CARRY, OTHER, PAYMENT, REVERSAL, Entry, follow
from prorata.domain.limits import MOST_ENTRIES_TO_CARRY
from prorata.domain.splitting.month_facts import UnitRecord, stays_of
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import carries, payments
from prorata.store.payments.carries import CarryRow
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import units
from prorata.store.recalculation import billing_months as months

VERBS = {CARRY: Verb.CARRY_CREDIT, REVERSAL: Verb.TAKE_BACK_CREDIT, PAYMENT: Verb.RECORD_PAYMENT}
"""The audit verb for each kind of ledger entry that carrying a credit makes."""


class Noted(NamedTuple):
    """The audit note of a carried credit, written for each of its two invoices.

    `reference` is the number of the other invoice. The amount is in cents, and negative on the invoice that gave the
    credit.
    """

    amount: int
    reference: str | None
    property_id: str


class Carried(NamedTuple):
    """The invoices that give or take credits, and their new ledger entries.

    `before` maps ids to these invoices as they were, and `invoices` maps ids to the changed invoices.
    """

    before: Mapping[str, InvoiceRow] = {}
    invoices: Mapping[str, InvoiceRow] = {}
    entries: Sequence[PaymentRow] = ()


def settled(tx: Tx, caller: Caller, changed: Sequence[tuple[InvoiceRow, InvoiceRow]]) -> Carried:
    """Compute which credits to carry after invoices changed, without writing anything.

    `changed` contains each changed invoice before and after. The invoices' properties must be locked, and all other
    ledger entries stored.
    """
    touched = {after.id: after for was, after in changed if _counts_otherwise(was, after)}
    if not touched:
        return Carried()
    unit_ids = sorted({row.unit_id for row in touched.values()})
    invoices_by_id = {row.id: row for row in carries.unbalanced_of_units(tx, caller.account_id, unit_ids)}
    invoices_by_id |= {after.id: after for _, after in changed if after.unit_id in set(unit_ids)}
    of_units: list[CarryRow] = []
    if any(row.entries and (row.status not in CLOSING or row.paid_amount < row.total) for row in touched.values()):
        of_units = carries.of_units(tx, caller.account_id, unit_ids)
    if not of_units and not _may_be_carried(invoices_by_id.values()):
        return Carried()
    further = sorted({carry.invoice_id for carry in of_units} - invoices_by_id.keys())
    invoices_by_id |= {row.id: row for row in carries.invoices_of(tx, caller.account_id, further)}
    account = account_actions.the_account(tx, caller)
    holdings = _holdings(tx, account.id, list(invoices_by_id.values()))
    done = settle(holdings, _as_carries(of_units), makes=bool(account.carry_credits))
    return _Writing(tx, caller, account, invoices_by_id).write(done)


def moved_by(tx: Tx, account: AccountRow, invoice: InvoiceRow) -> dict[str, int]:
    """Compute the credits that a draft would take (positive) or give if sent now.

    The result maps numbers of other invoices to amounts in cents. It is empty for an invoice that is not a draft.
    """
    carried = if_sent(tx, account, [invoice])
    takes = {giver.number: cents for giver, taker, cents in carried if taker.id == invoice.id}
    return takes | {taker.number: -cents for giver, taker, cents in carried if giver.id == invoice.id}


def if_sent(tx: Tx, account: AccountRow, invoices: Iterable[InvoiceRow]) -> list[tuple[InvoiceRow, InvoiceRow, int]]:
    """List the credits that drafts would take or give if they were sent together now.

    Each has the invoice that gives, the invoice that takes, and the amount in cents. Invoices that are not drafts are
    left out.
    """
    drafts = {row.id: row._replace(status=SENT) for row in invoices if row.status == DRAFT}
    if not drafts or not account.carry_credits:
        return []
    rows = carries.unbalanced_of_units(tx, account.id, sorted({row.unit_id for row in drafts.values()}))
    as_sent = {row.id: row for row in rows} | drafts
    if not _may_be_carried(as_sent.values()):
        return []
    made = settle(_holdings(tx, account.id, list(as_sent.values())), ()).made
    its = [carry for carry in made if drafts.keys() & {carry.giver, carry.taker}]
    return [(as_sent[carry.giver], as_sent[carry.taker], carry.amount) for carry in its]


def credits_kept(tx: Tx, account: AccountRow, invoice: InvoiceRow) -> list[InvoiceRow]:
    """List the household's overpaid invoices whose credit is not carried to a draft.

    Their credit is not carried because nothing is due on the draft. The list is empty if the invoice is not a draft,
    if an amount is due on it, or if the account carries no credits.
    """
    if invoice.status != DRAFT or not account.carry_credits or invoice.total > invoice.paid_amount:
        return []
    rows = carries.unbalanced_of_units(tx, account.id, [invoice.unit_id])
    overpaid = [row for row in rows if row.paid_amount > row.total]
    draft, *others = _holdings(tx, account.id, [invoice, *overpaid])
    return [row for row, its in zip(overpaid, others, strict=True) if its.is_of_household(draft)]


def has_left(tx: Tx, invoice: InvoiceRow, today: date) -> bool:
    """True if an invoice's household has moved out and gets no further invoices."""
    if invoice.tenant_id is None:
        return False
    unit = units.find(tx, invoice.account_id, invoice.unit_id)
    assert unit is not None, "an invoice's unit is kept"
    tenants = units.tenants_of_unit(tx, invoice.account_id, invoice.unit_id)
    return household_has_left(invoice.tenant_id, stays_of(as_unit(unit, tenants), None), today)


def _counts_otherwise(was: InvoiceRow, after: InvoiceRow) -> bool:
    """True if an invoice was sent or taken back, or a sent one's amounts changed."""
    if was.status not in CLOSING and after.status not in CLOSING:
        return False
    has_other = (was.total, was.paid_amount) != (after.total, after.paid_amount)
    return has_other or (was.status in CLOSING) != (after.status in CLOSING)


def _may_be_carried(rows: Iterable[InvoiceRow]) -> bool:
    """True if a unit has both an overpaid and an underpaid sent invoice."""
    rows = [row for row in rows if row.tenant_id is not None]
    having = {row.unit_id for row in rows if row.status in CLOSING and row.paid_amount > row.total}
    return any(row.unit_id in having and row.status in CLOSING and row.paid_amount < row.total for row in rows)


def _as_carries(rows: Iterable[CarryRow]) -> list[Carry]:
    sides = grouped((row.id, row) for row in rows)
    pairs = (sorted(its, key=lambda row: row.amount) for its in sides.values())
    return [Carry(giver.id, giver.invoice_id, taker.invoice_id, taker.amount) for giver, taker in pairs]


def _holdings(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> list[Holding]:
    """Build each invoice's balance with its household, for settling credits.

    A closed month's household is made of the tenants whom Prorata knew when the month was first closed.
    """
    unit_ids = sorted({row.unit_id for row in rows})
    tenants = grouped((tenant.unit_id, tenant) for tenant in units.tenants_of_units(tx, account_id, unit_ids))
    known = {row.id: as_unit(row, tenants[row.id]) for row in units.find_many(tx, account_id, unit_ids)}
    places = sorted({row.property_id for row in rows}), sorted({row.month for row in rows})
    closed = {row.key: row.first_closed_at for row in months.find_many(tx, account_id, *places)}
    return [_holding(row, known[row.unit_id], closed.get((row.property_id, row.month))) for row in rows]


def _holding(row: InvoiceRow, unit: UnitRecord, first_closed: str | None) -> Holding:
    return Holding(
        row.id,
        row.unit_id,
        row.tenant_id,
        household_of(row.tenant_id, stays_of(unit, first_closed)),
        (row.month, row.sequence, row.id),
        row.status in CLOSING,
        row.total,
        row.paid_amount,
        row.entries < MOST_ENTRIES_TO_CARRY,
    )


class _Writing:
    """The writer of the ledger entries of carried credits, and of the resulting invoices."""

    def __init__(self, tx: Tx, caller: Caller, account: AccountRow, invoices: Mapping[str, InvoiceRow]) -> None:
        self.tx = tx
        self.caller = caller
        self.found = invoices
        self.today, self.timezone = account_actions.today_in(account, tx), account.timezone
        self.disputed = disputed(
            tx, caller.account_id, [key for key, invoice in invoices.items() if invoice.status == PAID]
        )
        self.new: dict[str, list[PaymentRow]] = defaultdict(list)

    def write(self, done: Settled) -> Carried:
        """Make the ledger entries of the carries, and update both invoices of each carry."""
        for carry in done.taken_back:
            self._add(carry, self.tx.new_id("pay"), REVERSAL)
        for carry in done.made:
            self._add(carry, self.tx.new_id("pay"), CARRY)
        ids = sorted(invoice_id for invoice_id in self.new if self.found[invoice_id].entries)
        entered = payments.of_invoices(self.tx, self.caller.account_id, ids)
        known = grouped((row.invoice_id, as_entry(row)) for row in entered)
        taking = {carry.taker for carry in done.made}
        standing = {
            key: self._standing(self.found[key], [*known[key], *map(as_entry, rows)], is_more=key in taking)
            for key, rows in tuple(self.new.items())
        }
        return Carried(self.found, standing, [row for rows in self.new.values() for row in rows])

    def _add(self, carry: Carry, entry_id: str, kind: str) -> None:
        for own, other, sign in ((carry.giver, carry.taker, -1), (carry.taker, carry.giver, 1)):
            row = PaymentRow(
                self.caller.account_id, entry_id, own, kind, sign * carry.amount, self.today.isoformat(), self.tx.now,
                OTHER, None, self.found[other].number, None, None, carry.id or None, self.caller.actor, self.tx.now,
            )  # fmt: skip
            self.new[own].append(row)

    def _entry_of_noted(self, invoice: InvoiceRow) -> Entry:
        """Make a payment entry for the amount recorded by marking an invoice as paid.

        That amount counts only while the invoice is PAID. As a ledger entry, it remains when the status changes.
        """
        assert invoice.paid_at is not None, "what was noted was noted at a moment"
        moment = datetime.fromisoformat(invoice.paid_at)
        row = PaymentRow(
            self.caller.account_id, self.tx.new_id("pay"), invoice.id, PAYMENT, invoice.paid_by_status,
            day_in(moment, self.timezone).isoformat(), invoice.paid_at, OTHER, None, None,
            "Noted when the invoice was marked as paid", None, None, self.caller.actor, self.tx.now,
        )  # fmt: skip
        self.new[invoice.id].append(row)
        return as_entry(row)

    def _standing(self, invoice: InvoiceRow, entries: Sequence[Entry], *, is_more: bool) -> InvoiceRow:
        was, has_tenant = standing_of(invoice), invoice.tenant_name is not None
        in_question = self.disputed.get(invoice.id, 0)
        standing = follow(was, entries, today=self.today, has_tenant=has_tenant, is_more=is_more, disputed=in_question)
        if was.paid_by_status > standing.paid_by_status == 0:
            noted = self._entry_of_noted(invoice)
            standing = follow(
                was, [*entries, noted], today=self.today, has_tenant=has_tenant, is_more=is_more,
                in_place_of_noted=was.paid_by_status, disputed=in_question,
            )  # fmt: skip
        entries_then = invoice.entries + len(self.new[invoice.id])
        return with_standing(invoice, standing)._replace(entries=entries_then, updated_at=self.tx.now)
