"""The printing of chosen invoices on paper, many in one file."""

from collections.abc import Sequence

from prorata.actions.bulk import bulk
from prorata.actions.invoices import papers
from prorata.actions.invoices.lists import Wish
from prorata.actions.invoices.papers import Paper
from prorata.actions.limits import MOST_PRINTED_TOGETHER
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices


def chosen(tx: Tx, caller: Caller, ids: Sequence[str] | Wish) -> list[Paper]:
    """List these invoices, or all that match a list, in printed form and in order.

    Those that no longer exist are left out. Raises `InvalidRequest` if there are none, and `Conflict` if there are
    more than `MOST_PRINTED_TOGETHER`.
    """
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


def that_fit(tx: Tx, caller: Caller, ids: Sequence[str] | Wish) -> list[Paper]:
    """List these invoices, or all that match a list, in printed form for a program.

    Raises `Conflict` if there are none, or too many for one PDF.
    """
    try:
        return chosen(tx, caller, ids)
    except InvalidRequest:
        raise Conflict("No invoices match, so there is nothing to print.") from None
