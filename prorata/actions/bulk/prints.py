"""Printing chosen invoices on paper, with many invoices in one file."""

from collections.abc import Sequence

from prorata.actions.accounts import access
from prorata.actions.bulk import bulk
from prorata.actions.invoices import lists as invoice_lists, papers
from prorata.actions.invoices.lists import Wish
from prorata.actions.invoices.papers import Paper
from prorata.actions.limits import MOST_BULK_INVOICES, MOST_PRINTED_TOGETHER
from prorata.domain.bulk.bulk import CHANGED
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bulk import bulk as stored
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices


def chosen(tx: Tx, caller: Caller, ids: Sequence[str] | Wish) -> list[Paper]:
    """List the chosen invoices, or all that a list's filters select, as they are printed.

    The order is that of the choice or list. Invoices that no longer exist are left out. Raises `InvalidRequest` if
    none is left, and `Conflict` if there are more than `MOST_PRINTED_TOGETHER`.
    """
    if isinstance(ids, Wish):
        ids = invoice_lists.ids_of(tx, caller, ids, most=MOST_BULK_INVOICES)  # any more are too many to print anyway
    wanted = bulk.ids_of(tx, caller, ids)
    if len(wanted) > MOST_PRINTED_TOGETHER:
        raise Conflict(
            say(
                "A PDF can contain at most {most} invoices, but you selected {number}. Narrow the selection by "
                "property or by month.",
                most=f"{MOST_PRINTED_TOGETHER:,}",
                number=f"{len(wanted):,}",
            )
        )
    rows = {row.id: row for row in invoices.find_many(tx, caller.account_id, wanted)}
    if not rows:
        raise InvalidRequest(say("None of these invoices exists any longer. Reload the list."))
    return papers.of_rows(tx, caller, [rows[invoice_id] for invoice_id in wanted if invoice_id in rows])


def changed(tx: Tx, caller: Caller, bulk_id: str) -> list[Paper]:
    """List the invoices that a bulk change has changed, as they are printed.

    Raises `NotFound` if there is no such bulk change, and everything that `chosen` raises.
    """
    row = access.bulk_change(tx, caller, bulk_id)
    return chosen(tx, caller, [item.invoice_id for item in stored.of_outcome(tx, row.account_id, row.id, CHANGED)])


def that_fit(tx: Tx, caller: Caller, ids: Sequence[str] | Wish) -> list[Paper]:
    """List chosen invoices, or all that a list's filters select, for a program's PDF.

    Raises `Conflict` if there are none, or too many for one PDF.
    """
    try:
        return chosen(tx, caller, ids)
    except InvalidRequest:
        raise Conflict("No invoices match, so there is nothing to print.") from None
