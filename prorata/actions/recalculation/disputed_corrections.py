"""Corrections of disputed charges (docs/decisions.md#disputes).

A correction of the disputed charge ends the dispute; if the correction is revoked, the dispute is reopened. Amounts
are in cents.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.mail import queue as mail_queue
from prorata.actions.mail.tenant_addresses import address_of
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.disputes import OPEN, answer_by
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
from prorata.store.recalculation.corrections import CarriedIn, CorrectionRow
from prorata.store.webhooks import event_outbox

_NAME = "z disputes"
"""The name that sorts this work after the recalculation, whose corrections it needs."""


class Correction(NamedTuple):
    """The correction of a disputed charge: the difference since the dispute was opened.

    It is on the invoices of the month `carrier`, which is None as long as there is no such month. `credited` is the
    amount that a person credited on the disputed charge's own invoice.

    `waits` is set if some of the amount is undecided, `is_pending` if some is on no sent invoice yet, and `is_left`
    if the owner bears some.
    """

    amount: int = 0
    carrier: str | None = None
    credited: int = 0
    waits: bool = False
    is_pending: bool = False
    is_left: bool = False

    @property
    def ends_dispute(self) -> bool:
        """True if a dispute can end with the correction.

        The correction must have an amount, and all of the amount must be decided.
        """
        return self.amount != 0 and not self.waits


class Reopened(NamedTuple):
    """The audit note of a reopened dispute, kept with its invoice.

    `amount` is the disputed amount.
    """

    property_id: str
    amount: int
    dispute: str


def issued_of(tx: Tx, invoice: InvoiceRow, charge: ChargeRow) -> int:
    """Return the amount that sent invoices charge a household for the line of a charge.

    The amount includes corrections. For a charge without a bill, it is the charge's own amount.
    """
    kept = corrections.of_months(
        tx, invoice.account_id, [invoice.property_id], [charge.corrects_month or invoice.month]
    )
    its = _of_line(kept, invoice, invoice.tenant_id, charge)
    return (0 if charge.corrects_month else charge.amount) + sum(correction.elsewhere_amount for correction in its)


def corrections_of(tx: Tx, account_id: str, rows: Sequence[DisputeRow]) -> Mapping[str, Correction]:
    """Map disputes to the current corrections of their charges.

    A correction is the current cost of the charge's line to the household, less the cost when the dispute was opened.
    Charges on later invoices are included. Credits that a person has since added to the disputed invoice are included
    as well.

    This takes a few SQL statements for any number of disputes.
    """
    tx.catch_up()
    return _corrections_on(tx, account_id, rows, _invoices_of(tx, account_id, rows))


def _invoices_of(tx: Tx, account_id: str, rows: Sequence[DisputeRow]) -> dict[str, InvoiceRow]:
    """Map ids to the invoices of these disputes."""
    return {
        invoice.id: invoice for invoice in invoices.find_many(tx, account_id, sorted({row.invoice_id for row in rows}))
    }


def _corrections_on(
    tx: Tx, account_id: str, rows: Sequence[DisputeRow], of: Mapping[str, InvoiceRow]
) -> Mapping[str, Correction]:
    charges = grouped((charge.invoice_id, charge) for charge in invoices.charges(tx, account_id, sorted(of)))
    properties = sorted({invoice.property_id for invoice in of.values()})
    months = {row.corrects_month or of[row.invoice_id].month for row in rows}
    kept = corrections.of_months(tx, account_id, properties, sorted(months))
    bills = {row.bill_id for row in rows if row.bill_id}
    carried = corrections.carried_in(tx, account_id, sorted(bills & {correction.bill_id for correction in kept}))
    taken = grouped(
        (credited_dispute.invoice_id, credited_dispute)
        for credited_dispute in disputes.credited(tx, account_id, sorted(of))
    )
    return {
        row.question_id: _correction(
            row, of[row.invoice_id], charges[row.invoice_id], kept, carried,
            sum(credit.credited for credit in taken[row.invoice_id] if credit.question_id != row.question_id),
        )
        for row in rows
    }  # fmt: skip


def _correction(
    row: DisputeRow,
    invoice: InvoiceRow,
    charges: Sequence[ChargeRow],
    kept: Iterable[CorrectionRow],
    carried: Iterable[CarriedIn],
    taken: int,
) -> Correction:
    """Compute the correction of one disputed charge.

    `charges` are all charges of its invoice, `kept` the stored corrections, and `carried` the months that carry
    corrections on other invoices. `taken` is the sum of the credits that ended other disputes about the invoice.
    """
    if invoice.status == DRAFT:
        return Correction()
    standing = () if invoice.status == CANCELLED else charges
    own = (
        0
        if row.corrects_month
        else sum(charge.amount for charge in standing if _is_in_question(charge, row)) - row.charged
    )
    its = _of_line(kept, invoice, row.tenant_id, row)
    before = row.issued - (0 if row.corrects_month else row.charged)
    elsewhere = sum(correction.elsewhere_amount for correction in its) - before
    placed = sum(correction.to_charge_amount for correction in its)
    credited = min(0, _credits(row, standing) - taken)
    carrier: str | None = invoice.month
    if placed:
        carrier = next((correction.carrier for correction in its if correction.carrier), None)
    elif elsewhere:
        carrier = max(
            (carried_in.carrier for carried_in in carried if any(_is_of(carried_in, row) for row in its)),
            default=carrier,
        )
    return Correction(
        own + elsewhere + placed + credited,
        carrier,
        credited,
        any(correction.waiting_amount for correction in its),
        bool(placed),
        any(correction.left_amount for correction in its),
    )


def _is_in_question(charge: ChargeRow, row: DisputeRow) -> bool:
    """True if a charge is the disputed one, or has replaced it in a recalculation."""
    return charge.id == row.charge_id if row.bill_id is None else _line_of(charge) == _line_of(row)


def _line_of(charge: ChargeRow | DisputeRow) -> tuple[str | None, int | None, str | None, str | None]:
    return charge.bill_id, charge.line, charge.corrects_month, charge.corrects_tenant


def _credits(row: DisputeRow, charges: Iterable[ChargeRow]) -> int:
    """Sum a person's credits on the invoice since the dispute was opened, in cents."""
    since = id_bytes(row.question_id)
    return sum(
        charge.amount
        for charge in charges
        if charge.bill_id is None and charge.amount < 0 and charge.id != row.charge_id and id_bytes(charge.id) > since
    )


def _of_line(
    kept: Iterable[CorrectionRow], invoice: InvoiceRow, tenant_id: str | None, line: ChargeRow | DisputeRow
) -> list[CorrectionRow]:
    """List the corrections of a charge's or dispute's line for a tenant's household."""
    at = invoice.property_id, line.corrects_month or invoice.month, invoice.unit_id
    return [
        correction
        for correction in kept
        if (correction.property_id, correction.month, correction.unit_id) == at
        and (correction.bill_id, correction.line) == (line.bill_id, line.line)
        and (line.corrects_tenant or tenant_id) in correction.household.split()
    ]


def _is_of(carried: CarriedIn, row: CorrectionRow) -> bool:
    key = row.bill_id, row.line, row.month, row.unit_id
    return (carried.bill_id, carried.line, carried.month, carried.unit_id) == key and carried.tenant_id in (
        row.household.split()
    )


class _Asked:
    """Bills and invoices whose corrections changed, collected to recheck their disputes once."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.bills: set[str] = set()
        self.invoices: set[str] = set()

    def write(self, tx: Tx) -> None:
        """Recheck the disputes that corrections of the collected bills or invoices have ended.

        Before that, all disputes about deleted charges of these invoices move to the charges that replaced them.
        """
        account_id = self._caller.account_id
        disputes.follow_charges(tx, account_id, sorted(self.invoices))
        if rows := disputes.corrected(tx, account_id, sorted(self.bills), sorted(self.invoices)):
            tx.catch_up()
            of = _invoices_of(tx, account_id, rows)
            its_corrections = _corrections_on(tx, account_id, rows, of)
            for row in rows:
                _look_again(tx, self._caller, row, of[row.invoice_id], its_corrections[row.question_id])


def look_again(tx: Tx, caller: Caller, *, bills: Iterable[str] = (), invoices: Iterable[str] = ()) -> None:
    """Queue a recheck of disputes that corrections of these bills or invoices have ended.

    A dispute whose correction is gone is reopened. If the correction is not completely on sent invoices yet, its
    current amount is stored with the dispute.
    """
    bill_ids, invoice_ids = set(bills), set(invoices)
    if bill_ids or invoice_ids:
        asked = tx.before_the_end(f"{_NAME} {caller.account_id}", partial(_Asked, caller))
        asked.bills |= bill_ids
        asked.invoices |= invoice_ids


def look_again_at_sent(tx: Tx, caller: Caller, changes: Iterable[tuple[InvoiceRow, InvoiceRow]]) -> None:
    """Queue a recheck of disputes about invoices that are sent again.

    Their charges may again be as they were before the correction. `changes` contains each invoice before and after
    the change.
    """
    again = [after.id for was, after in changes if was.issued and was.status in UNSENT and after.status in CLOSING]
    look_again(tx, caller, invoices=again)


def _look_again(tx: Tx, caller: Caller, row: DisputeRow, invoice: InvoiceRow, correction: Correction) -> None:
    if invoice.status == DRAFT or (correction.amount and not row.is_pending):
        return
    if correction.amount or _is_disputed_again(tx, row):
        after = ended_with(row, correction)
        if after != row:
            disputes.save_ends(tx, [after])
        if (after.corrected, after.carrier) != (row.corrected, row.carrier):
            event_outbox.note_dispute(tx, row.account_id, "dispute.resolved", row.question_id, invoice.property_id)
        return
    account = accounts.the_account(tx, caller)
    opened = row._replace(
        state=OPEN, ended_at=None, ended_by=None, reason=None, corrected=None, carrier=None, credited=None,
        is_pending=None, answer_by=answer_by(accounts.today_in(account, tx), account.answer_days).isoformat(),
    )  # fmt: skip
    disputes.save_ends(tx, [opened])
    tenant_pages.wait_again(tx, row.account_id, row.question_id)
    question = tenant_pages.find_question(tx, row.account_id, row.question_id)
    assert question is not None, "a dispute is a question"
    noted = Reopened(invoice.property_id, row.amount, question.asked)
    audit.record(tx, caller, Verb.REOPEN_DISPUTE, invoice.id, after=noted)
    event_outbox.note_dispute(tx, row.account_id, "dispute.opened", row.question_id, invoice.property_id)
    address = address_of(tx, invoice, row.tenant_id)
    if address is not None and account.mail_on:
        mail_queue.queue(
            tx, row.account_id, OUTCOME, str(address), occasion=row.question_id, to_name=question.tenant_name
        )


def ended_with(row: DisputeRow, correction: Correction) -> DisputeRow:
    """Return the row of a dispute that a correction ends, with the correction's amounts."""
    return row._replace(
        corrected=correction.amount,
        carrier=correction.carrier,
        credited=correction.credited,
        is_pending=correction.is_pending,
    )


def _is_disputed_again(tx: Tx, row: DisputeRow) -> bool:
    """True if an ended dispute's charge is disputed again.

    A charge can have only one open dispute.
    """
    its = disputes.of_invoices(tx, row.account_id, [row.invoice_id])
    return any(
        (dispute.state, dispute.charge_id, dispute.tenant_id) == (OPEN, row.charge_id, row.tenant_id) for dispute in its
    )
