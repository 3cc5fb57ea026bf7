"""Payments and refunds in invoices' ledgers, and reversals (docs/decisions.md#ledger).

People, payment providers and bank files all enter payments here. Each invoice's status and sums are updated.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.invoices import standing as invoice_standing
from prorata.actions.invoices.ledger import Ledger
from prorata.actions.invoices.standing import Change, Context, Entries
from prorata.actions.recalculation.month_loader import as_entry, standing_of, with_standing
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoice_states import PAID
from prorata.domain.invoices.ledger import (
    PAYMENT,
    REFUND,
    REVERSAL,
    TRANSFER,
    Entry,
    counting,
    entry_problems,
    follow,
    refund_problem,
    refundable,
    reversal_refused,
)
from prorata.domain.limits import MOST_PAYMENT_ENTRIES
from prorata.domain.problems import Problem
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.ids import is_id
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import properties
from prorata.store.recalculation import billing_months as months

VERBS = {PAYMENT: Verb.RECORD_PAYMENT, REFUND: Verb.RECORD_REFUND, REVERSAL: Verb.TAKE_BACK_PAYMENT}

_NO_PAYMENT = Problem("inPlaceOfNoted", say("A refund can’t take the place of the noted amount, which was a payment."))


class Received(NamedTuple):
    """A payment or refund to enter in a ledger.

    `amount` is in cents and positive. `day` is in the account's time zone; `at` is the exact time, if the provider
    gives it. `source`, a provider's name and reference or the fingerprint of a file's row, keeps the same payment
    from being entered twice. With `in_place_of_noted`, the entry replaces the amount with which the invoice was
    marked as paid.
    """

    amount: int
    day: date
    method: str = TRANSFER
    kind: str = PAYMENT
    note: str | None = None
    reference: str | None = None
    provider: str | None = None
    source: str | None = None
    at: str | None = None
    in_place_of_noted: bool = False


class TakenBack(NamedTuple):
    """A reversal to enter: an entry was a mistake, or its payment was charged back.

    The fields have the same meaning as in `Received`. If `day` is None, the reversal is dated today.
    """

    day: date | None = None
    note: str | None = None
    reference: str | None = None
    provider: str | None = None
    source: str | None = None
    at: str | None = None


class _Noted(NamedTuple):
    """The audit note of a new ledger entry.

    The entry replaces `in_place_of_noted` cents of the amount with which the invoice was marked as paid.
    """

    kind: str
    amount: int
    day: str
    method: str
    reference: str | None
    note: str | None
    property_id: str
    in_place_of_noted: int | None


def ledger(tx: Tx, caller: Caller, invoice_id: str) -> Ledger:
    """Load an invoice with its ledger.

    Raises `NotFound` if there is no such invoice.
    """
    row = access.invoice(tx, caller, invoice_id)
    summary = invoices.summary(tx, caller.account_id, row.id)
    assert summary is not None, "it was just found"
    return Ledger(summary, payments.of_invoices(tx, caller.account_id, [row.id]), row.paid_by_status)


def in_dispute(tx: Tx, caller: Caller, its_ledger: Ledger) -> int:
    """Return how many cents of an invoice's open amount its tenant disputes."""
    invoice_id = its_ledger.invoice.id
    return min(its_ledger.position.owed, disputed(tx, caller.account_id, [invoice_id]).get(invoice_id, 0))


def find(tx: Tx, caller: Caller, invoice_id: str, entry_id: str) -> tuple[Ledger, PaymentRow]:
    """Find an entry of an invoice's ledger; return it with the ledger.

    Raises `NotFound` if there is no such invoice or entry.
    """
    its_ledger = ledger(tx, caller, invoice_id)
    row = next((entry for entry in its_ledger.entries if entry.id == entry_id), None)
    if row is None:
        raise NotFound("payment")
    return its_ledger, row


def lost_with(its_ledger: Ledger, row: PaymentRow) -> str:
    """Describe the effect of reversing a ledger entry, for the page that asks for confirmation."""
    if its_ledger.invoice.status != PAID or row.kind == REFUND:
        return say("Do this if it was entered by mistake or the money never arrived: it then no longer counts.")
    left = say("The entry no longer counts, and the invoice stays paid only if the remaining entries cover it.")
    return say("{left} The amount noted by marking it as paid is removed too.", left=left) if its_ledger.noted else left


def receive(tx: Tx, caller: Caller, invoice_id: str, received: Received) -> str:
    """Enter a payment or refund in an invoice's ledger; return the entry's id, `pay_…`.

    If an entry with the same `source` exists, its id is returned and nothing changes. Raises `NotFound` if there is
    no such invoice, and `InvalidRequest` with every problem by field, for instance a refund of more than was
    received.
    """
    (entry_id,) = receive_many(tx, caller, [(invoice_id, received)])
    return entry_id


def enter(tx: Tx, caller: Caller, invoice_id: str, received: Received) -> PaymentRow:
    """Enter a payment or refund as `receive` does, and return the entry."""
    entry_id = receive(tx, caller, invoice_id, received)
    return next(row for row in payments.of_invoices(tx, caller.account_id, [invoice_id]) if row.id == entry_id)


def receive_many(tx: Tx, caller: Caller, wanted: Sequence[tuple[str, Received]]) -> list[str]:
    """Enter payments and refunds as `receive` does; return the entries' ids in the same order."""
    writing = _Writing(tx, caller, [invoice_id for invoice_id, _ in wanted])
    there = {
        row.source: row.id
        for row in payments.by_sources(
            tx, caller.account_id, [received.source for _, received in wanted if received.source]
        )
    }
    ids = []
    for invoice_id, received in wanted:
        entry_id = there.get(received.source) if received.source else None
        if entry_id is None:
            entry_id = writing.enter(invoice_id, received)
            if received.source:
                there[received.source] = entry_id
        ids.append(entry_id)
    writing.write()
    return ids


def take_back(tx: Tx, caller: Caller, invoice_id: str, entry_id: str, taken: TakenBack | None = None) -> str:
    """Reverse an entry of an invoice's ledger; return the reversal's id.

    The entry itself stays. If an entry with the `source` of `taken` exists, nothing changes. Raises `NotFound` if
    there is no such entry; `InvalidRequest` with every problem of `taken`; and `Conflict` if the entry is already
    reversed or is a reversal itself, or if more was refunded than would be left.
    """
    taken = taken or TakenBack()
    writing = _Writing(tx, caller, [invoice_id])
    if taken.source and (there := payments.by_sources(tx, caller.account_id, [taken.source])):
        return there[0].id
    made = writing.reverse(invoice_id, entry_id, taken)
    writing.write()
    return made


def count_once(tx: Tx, caller: Caller, invoice_id: str, entry_id: str) -> None:
    """Replace the amount with which an invoice was marked as paid with a ledger entry.

    At most the entry's own amount is replaced. A reversed entry does not replace anything. Raises `NotFound` if there
    is no such entry.
    """
    writing = _Writing(tx, caller, [invoice_id])
    before, after = writing.replace_noted(invoice_id, entry_id)
    if after != before:
        writing.write(Verb.COUNT_PAYMENT_ONCE)


class _Writing:
    """New ledger entries, collected to be written with all of their effects."""

    def __init__(self, tx: Tx, caller: Caller, invoice_ids: Sequence[str]) -> None:
        self.tx = tx
        self.caller = caller
        self.account = account_actions.the_account(tx, caller)
        self.today = account_actions.today_in(self.account, tx)
        self.before = self._locked(sorted(set(invoice_ids)))
        self.after = dict(self.before)
        paid = [invoice.id for invoice in self.before.values() if invoice.status == PAID]
        self.disputed = disputed(tx, caller.account_id, paid)
        self.new: list[PaymentRow] = []
        self.replaced: dict[str, int] = {}
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        self.rows: dict[str, PaymentRow] = {}
        for row in payments.of_invoices(
            tx, caller.account_id, [invoice.id for invoice in self.before.values() if invoice.entries]
        ):
            self._add(row)

    def _locked(self, invoice_ids: list[str]) -> Mapping[str, InvoiceRow]:
        """Lock the properties of invoices, then their months; return the invoices by id.

        Raises `NotFound` if an invoice does not exist.
        """
        tx, account_id = self.tx, self.caller.account_id
        seen = invoices.find_many(
            tx, account_id, [invoice_id for invoice_id in invoice_ids if is_id(invoice_id, "inv")]
        )
        its_properties = properties.lock_many(tx, account_id, sorted({invoice.property_id for invoice in seen}))
        self.currencies = {row.id: row.currency for row in its_properties}
        named = sorted({invoice.property_id for invoice in seen}), sorted({invoice.month for invoice in seen})
        self.months = {(row.property_id, row.month): row for row in months.lock_many(tx, account_id, *named)}
        by_id = {
            invoice.id: invoice for invoice in invoices.find_many(tx, account_id, [invoice.id for invoice in seen])
        }
        if len(by_id) < len(invoice_ids):
            raise NotFound("invoice")
        return by_id

    def enter(self, invoice_id: str, received: Received) -> str:
        """Add a payment or refund to the entries to write; return its id.

        Raises `InvalidRequest` with every problem, for instance a refund of more than was received, and `Conflict` if
        the ledger is full.
        """
        row = self._row(invoice_id, received)
        if received.kind == REFUND:
            problem = _NO_PAYMENT if received.in_place_of_noted else self._refund_problem(invoice_id, received.amount)
            if problem:
                raise InvalidRequest.because([problem])
        noted = max(self.after[invoice_id].paid_by_status, 0) if received.in_place_of_noted else 0
        self.replaced[row.id] = min(received.amount, noted)
        self._enter(row, self.replaced[row.id])
        return row.id

    def _refund_problem(self, invoice_id: str, amount: int) -> Problem | None:
        row = self.after[invoice_id]
        most = refundable(row.status, row.total, row.paid_by_status, self.entries[invoice_id])
        return refund_problem(amount, most, self.currencies[row.property_id])

    def reverse(self, invoice_id: str, entry_id: str, taken: TakenBack) -> str:
        """Add the reversal of an entry to the entries to write; return its id.

        Raises `NotFound` if there is no such entry, `Conflict` if it can't be reversed or the ledger is full, and
        `InvalidRequest` with every problem of `taken`.
        """
        was = self.rows.get(entry_id)
        if was is None or was.invoice_id != invoice_id:
            raise NotFound("payment")
        if refused := reversal_refused(self.entries[invoice_id], entry_id):
            raise Conflict(refused)
        reversal = Received(
            was.amount, taken.day or self.today, was.method, REVERSAL, taken.note, taken.reference, taken.provider,
            taken.source, taken.at,
        )  # fmt: skip
        row = self._row(invoice_id, reversal, of=was.id)
        self._enter(row, 0)
        return row.id

    def _row(self, invoice_id: str, received: Received, of: str | None = None) -> PaymentRow:
        """Build the row of a new entry; `of` is the id of a reversed entry.

        Raises `InvalidRequest` with every problem of the entry's amount, day, method and texts.
        """
        note, reference = _text(received.note), _text(received.reference)
        latest = max(self.today, received.day) if received.provider else self.today  # a provider's clock is its own
        if problems := entry_problems(received.amount, received.day, received.method, note, reference, today=latest):
            raise InvalidRequest.because(problems)
        at = received.at or account_actions.moment_of(self.tx, self.account, received.day)
        return PaymentRow(
            self.caller.account_id, self.tx.new_id("pay"), invoice_id, received.kind, received.amount,
            received.day.isoformat(), at, received.method, received.provider,
            reference, note, received.source, of, self.caller.actor, self.tx.now,
        )  # fmt: skip

    def _enter(self, row: PaymentRow, in_place_of_noted: int) -> None:
        invoice = self.after[row.invoice_id]
        if invoice.entries >= MOST_PAYMENT_ENTRIES:
            raise Conflict(say("An invoice’s ledger can have at most {f} entries.", f=Count(MOST_PAYMENT_ENTRIES)))
        self._add(row)
        self.new.append(row)
        self._stand(invoice._replace(entries=invoice.entries + 1), in_place_of_noted)

    def replace_noted(self, invoice_id: str, entry_id: str) -> tuple[InvoiceRow, InvoiceRow]:
        """Let an entry replace the amount with which the invoice was marked as paid.

        Return the invoice before and after. Raises `NotFound` if there is no such entry.
        """
        invoice = self.before[invoice_id]
        if self.rows.get(entry_id) is None:
            raise NotFound("payment")
        entry = next(
            (noted_entry for noted_entry in counting(self.entries[invoice_id]) if noted_entry.id == entry_id), None
        )
        if entry is not None and entry.kind == PAYMENT and invoice.paid_by_status > 0:
            self._stand(invoice, min(entry.amount, invoice.paid_by_status))
        return invoice, self.after[invoice_id]

    def _stand(self, invoice: InvoiceRow, in_place_of_noted: int) -> None:
        """Recompute an invoice's status and sums from its ledger."""
        standing = follow(
            standing_of(invoice),
            self.entries[invoice.id],
            today=self.today,
            has_tenant=invoice.tenant_name is not None,
            in_place_of_noted=in_place_of_noted,
            disputed=self.disputed.get(invoice.id, 0),
        )
        self.after[invoice.id] = with_standing(invoice, standing)._replace(updated_at=self.tx.now)

    def _add(self, row: PaymentRow) -> None:
        self.rows[row.id] = row
        self.entries[row.invoice_id].append(as_entry(row))

    def write(self, verb: Verb | None = None) -> None:
        """Write the entries and the updated invoices; `verb` is a further action to audit."""
        changed = [
            Change(self.before[key], after, verb) for key, after in self.after.items() if after != self.before[key]
        ]
        payments.add_many(self.tx, self.new)
        entries = Entries(self.new, list(self.rows.values()), self._noted_of_new())
        invoice_standing.write(
            self.tx, self.caller, changed, Context(account=self.account, months=self.months, entries=entries)
        )

    def _noted_of_new(self) -> dict[Verb, list[tuple[str, None, _Noted]]]:
        """Build the audit notes of new entries, by action.

        Each note is recorded for the invoice rather than the entry, because people look there.
        """
        made = {verb: [row for row in self.new if row.kind == kind] for kind, verb in VERBS.items()}
        return {verb: [(row.invoice_id, None, self._noted(row)) for row in rows] for verb, rows in made.items() if rows}

    def _noted(self, row: PaymentRow) -> _Noted:
        property_id = self.before[row.invoice_id].property_id
        replaced = self.replaced.get(row.id) or None
        return _Noted(row.kind, row.amount, row.day, row.method, row.reference, row.note, property_id, replaced)


def _text(text: str | None) -> str | None:
    return (text or "").strip() or None
