"""Bulk changes that e-mail invoices again after their first e-mails failed.

The mail server may have been down for a day. Each invoice is sent as `deliveries.send_again` does, but only while
its e-mail counts as failed, and not to an address known to be wrong. Thus, nobody gets an invoice twice, however
often such a bulk change is requested.
"""

from collections.abc import Sequence

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import deliveries, send_schedule
from prorata.domain.bulk import resends
from prorata.domain.bulk.bulk import CHANGED, REFUSED, Question
from prorata.domain.bulk.resends import Undelivered, part_of, why_not
from prorata.domain.delivery.send_schedule import of_many
from prorata.domain.locale_forms import Forms
from prorata.domain.mail.deliveries import WITH_THE_INVOICE
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bulk.bulk import ItemRow
from prorata.store.database.engine import Tx
from prorata.store.mail import messages as mail


def preview(tx: Tx, caller: Caller, ids: Sequence[str], write: Forms, mail_held: str | None = None) -> Question:
    """Build the confirmation for e-mailing these invoices again.

    `mail_held` is the reason why no mail server accepts messages. Raises `InvalidRequest` if none of the invoices
    exists.
    """
    rows = _found(tx, caller, ids)
    if not rows:
        raise InvalidRequest(say("None of these invoices exists any longer. Reload the list."))
    account = account_actions.the_account(tx, caller)
    mail_on = bool(account.mail_on)
    going = sum(part_of(row, mail_on=mail_on) == "goes" for row in rows)
    now = send_schedule.of_account(tx, account, mail_held)._replace(
        at=None
    )  # a resend does not wait for the time of day
    leaves = of_many(now, going, write) if going else ""
    return resends.ask(rows, mail_on=mail_on, leaves=leaves, write=write)


def wanted(tx: Tx, caller: Caller, ids: Sequence[str]) -> list[tuple[str, str]]:
    """List the given invoices whose e-mails failed, each with its status.

    The status does not change. Raises `Conflict` if none can be e-mailed again.
    """
    mail_on = bool(account_actions.the_account(tx, caller).mail_on)
    rows = [(part_of(undelivered, mail_on=mail_on), undelivered) for undelivered in _found(tx, caller, ids)]
    if not any(part == "goes" for part, _ in rows):
        raise Conflict(say("None of these invoices can be e-mailed again. Reload the list to see why."))
    return [(undelivered.invoice_id, undelivered.status) for part, undelivered in rows if part != "not failed"]


def sent(tx: Tx, caller: Caller, items: Sequence[ItemRow]) -> list[ItemRow]:
    """E-mail the invoices of one locked property again; return the outcome of each."""
    mail_on = bool(account_actions.the_account(tx, caller).mail_on)
    by_invoice = {
        undelivered.invoice_id: undelivered for undelivered in _found(tx, caller, [item.invoice_id for item in items])
    }
    return [_sent(tx, caller, item, by_invoice.get(item.invoice_id), mail_on=mail_on) for item in items]


def _sent(tx: Tx, caller: Caller, item: ItemRow, undelivered: Undelivered | None, *, mail_on: bool) -> ItemRow:
    if undelivered is None:
        return item._replace(outcome=REFUSED, why=NotFound("invoice").message)
    if why := why_not(undelivered, mail_on=mail_on):
        return item._replace(outcome=REFUSED, why=why, before=undelivered.status)
    try:
        deliveries.send_again(tx, caller, item.invoice_id)
    except (Conflict, NotFound) as refusal:
        return item._replace(outcome=REFUSED, why=refusal.message, before=undelivered.status)
    return item._replace(outcome=CHANGED, before=undelivered.status)


def _found(tx: Tx, caller: Caller, ids: Sequence[str]) -> list[Undelivered]:
    return mail.undelivered(tx, caller.account_id, list(ids), WITH_THE_INVOICE)
