"""Moving bills of open months to the months that the account's `billingMonthRule` chooses."""

from prorata.actions.bills import month_moves
from prorata.actions.bills.month_moves import Moves
from prorata.actions.invoices import previews
from prorata.web.api.bills.bill_schemas import BillMove, BillMoves
from prorata.web.http.operations import Call, operation


@operation(
    "GET", "/properties/{propertyId}/bill-moves", at_once=True, summary="List bills that the rule would move",
    answer=BillMoves, missing=("property",),
)  # fmt: skip
def list_bill_moves(call: Call[None, None]) -> BillMoves:
    """List the bills of open months that the `billingMonthRule` would bill in another month.

    A bill whose `billingMonth` someone chose is not listed.
    """
    return _shown(month_moves.would_move(call.tx, call.caller, call.path["propertyId"]))


@operation(
    "POST", "/properties/{propertyId}/bill-moves", summary="Move bills to the month of the rule", answer=BillMoves,
    status=200, missing=("property",), moves=previews.of_property,
)  # fmt: skip
def move_bills(call: Call[None, None]) -> BillMoves:
    """Move bills of open months to the months that the `billingMonthRule` chooses.

    The drafts of all these months are recalculated.
    """
    return _shown(month_moves.move_all(call.tx, call.caller, call.path["propertyId"]))


def _shown(moves: Moves) -> BillMoves:
    shown = [
        BillMove(
            bill_id=its.bill.id, from_month=its.lines[0].month, to_month=its.month, why_left=its.problem or None
        )
        for its in (*moves.good, *moves.left)
    ]  # fmt: skip
    return BillMoves(bills=shown, more=moves.more)
