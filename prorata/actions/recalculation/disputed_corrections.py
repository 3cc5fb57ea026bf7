"""Corrections of disputed charges: what ends a dispute, and opens it again where it is taken back.

See docs/decisions.md#disputes. Amounts in cents.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.mail import queue as mail_queue
from prorata.actions.mail.tenant_addresses import address_of
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.disputes import OPEN
from prorata.domain.delivery.question_mail import OUTCOME
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED, CLOSING, DRAFT, UNSENT
from prorata.ids import id_bytes
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages
from prorata.store.delivery.disputes import DisputeRow
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.recalculation import corrections
from prorata.store.recalculation.corrections import CorrectionRow
from prorata.store.webhooks import event_outbox

_NAME = "z disputes"
"""Sorts behind the recalculation, whose corrections are looked at."""


class Correction(NamedTuple):
    """By how much a disputed charge is corrected, on the invoice of the month `carrier`, None where that is to come.
    It `waits` where part of it is not decided, and is `invoiced` where a tenant has it.
    """

    amount: int = 0
    carrier: str | None = None
    waits: bool = False
    invoiced: bool = False


class Reopened(NamedTuple):
    """What is written down of a dispute that is open again in the history of its invoice; `amount` is in question."""

    property_id: str
    amount: int
    dispute: str


def corrections_of(tx: Tx, account_id: str, rows: Sequence[DisputeRow]) -> Mapping[str, Correction]:
    """The corrections of disputed charges as they stand, by dispute: a charge that its own invoice has otherwise by
    now, a credit that a person added to that, or what is placed or invoiced of the bill's correction.

    It takes a few statements, however many disputes; one more for each that was invoiced.
    """
    tx.catch_up()
    of = {one.id: one for one in invoices.find_many(tx, account_id, sorted({row.invoice_id for row in rows}))}
    charges = grouped((one.invoice_id, one) for one in invoices.charges(tx, account_id, sorted(of)))
    properties = sorted({one.property_id for one in of.values()})
    months = {one.month for one in of.values()}
    months |= {one.corrects_month for its in charges.values() for one in its if one.corrects_month}
    kept = corrections.of_months(tx, account_id, properties, sorted(months))
    return {row.question_id: _correction(tx, row, of[row.invoice_id], charges[row.invoice_id], kept) for row in rows}


def _correction(
    tx: Tx, row: DisputeRow, invoice: InvoiceRow, charges: Sequence[ChargeRow], kept: Iterable[CorrectionRow]
) -> Correction:
    if invoice.status == DRAFT:
        return Correction()
    charge = next((one for one in charges if one.id == row.charge_id), None)
    standing = () if invoice.status == CANCELLED else charges
    since = id_bytes(row.question_id)
    now = sum(
        one.amount for one in standing if one.id == row.charge_id or (one.bill_id is None and id_bytes(one.id) > since)
    )
    if now != row.charged:
        return Correction(now - row.charged, invoice.month, invoiced=True)
    month = (charge.corrects_month if charge else None) or invoice.month
    its = [
        one
        for one in kept
        if (one.property_id, one.month, one.unit_id) == (invoice.property_id, month, invoice.unit_id)
        and (one.bill_id, one.line) == (row.bill_id, row.line)
        and row.tenant_id in one.household.split()
    ]
    placed = sum(one.to_charge_amount for one in its)
    carrier = next((one.carrier for one in its if one.carrier), None)
    is_invoiced = any(one.elsewhere_amount for one in its)
    if is_invoiced and not carrier:
        carrier = corrections.carried_in(tx, its[0])
    amount = placed + sum(one.elsewhere_amount for one in its)
    return Correction(amount, carrier, any(one.waiting_amount for one in its), is_invoiced)


class _Asked:
    """The bills and invoices that were corrected otherwise: once, however many changes of one piece of work ask."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.bills: set[str] = set()
        self.invoices: set[str] = set()

    def write(self, tx: Tx) -> None:
        """Look at the disputes that ended with a correction of these."""
        account_id = self._caller.account_id
        if rows := disputes.corrected(tx, account_id, sorted(self.bills), sorted(self.invoices)):
            found = corrections_of(tx, account_id, rows)
            for row in rows:
                _look_again(tx, self._caller, row, found[row.question_id])


def look_again(tx: Tx, caller: Caller, *, bills: Iterable[str] = (), invoices: Iterable[str] = ()) -> None:
    """Have the disputes looked at again that ended with a correction of these bills or invoices: one whose correction
    is not there any more is open again, and one that is not invoiced says what is placed by now.
    """
    bill_ids, invoice_ids = set(bills), set(invoices)
    if bill_ids or invoice_ids:
        asked = tx.before_the_end(f"{_NAME} {caller.account_id}", partial(_Asked, caller))
        asked.bills |= bill_ids
        asked.invoices |= invoice_ids


def look_again_at_sent(tx: Tx, caller: Caller, changes: Iterable[tuple[InvoiceRow, InvoiceRow]]) -> None:
    """The same of invoices, given before and after a change, that are sent once more, as they may be what they were."""
    again = [after.id for was, after in changes if was.issued and was.status in UNSENT and after.status in CLOSING]
    look_again(tx, caller, invoices=again)


def _look_again(tx: Tx, caller: Caller, row: DisputeRow, found: Correction) -> None:
    invoice = invoices.find(tx, row.account_id, row.invoice_id)
    assert invoice is not None, "a dispute is of an invoice"
    if invoice.status == DRAFT or (found.amount and (found.invoiced or found[:2] == (row.corrected, row.carrier))):
        return
    if found.amount or _is_disputed_again(tx, row):
        disputes.save_ends(tx, [row._replace(corrected=found.amount, carrier=found.carrier)])
        event_outbox.note_dispute(tx, row.account_id, "dispute.resolved", row.question_id, invoice.property_id)
        return
    opened = row._replace(state=OPEN, ended_at=None, ended_by=None, reason=None, corrected=None, carrier=None)
    disputes.save_ends(tx, [opened])
    tenant_pages.wait_again(tx, row.account_id, row.question_id)
    question = tenant_pages.find_question(tx, row.account_id, row.question_id)
    assert question is not None, "a dispute is a question"
    noted = Reopened(invoice.property_id, row.amount, question.asked)
    audit.record(tx, caller, Verb.REOPEN_DISPUTE, invoice.id, after=noted)
    event_outbox.note_dispute(tx, row.account_id, "dispute.opened", row.question_id, invoice.property_id)
    address = address_of(tx, invoice, row.tenant_id)
    if address is not None and accounts.the_account(tx, caller).mail_on:
        mail_queue.queue(
            tx, row.account_id, OUTCOME, str(address), occasion=row.question_id, to_name=question.tenant_name
        )


def _is_disputed_again(tx: Tx, row: DisputeRow) -> bool:
    """Whether the charge has another dispute that is open: it has one at most."""
    its = disputes.of_invoices(tx, row.account_id, [row.invoice_id])
    return any((one.state, one.charge_id, one.tenant_id) == (OPEN, row.charge_id, row.tenant_id) for one in its)
