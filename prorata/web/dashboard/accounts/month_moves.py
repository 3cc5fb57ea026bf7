"""The page that moves bills to the months that their billing month rule chooses.

Only bills of open months are moved.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.bills import month_moves
from prorata.actions.bills.late_bills import Settled
from prorata.actions.bills.month_moves import Moves
from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.domain.texts import Text
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text

AT = "/bills/months"


class MovesQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The property whose bills are to be moved.

    If it is empty, the bills of all properties are moved.
    """

    property: Annotated[str, text(64, least=0)] = ""


class MovesForm(MovesQuery, kw_only=True):
    """A person's confirmation that bills may be moved to other months.

    `seen` identifies the moves that the page showed.
    """

    seen: Annotated[str, text(64, least=0)] = ""


@page("GET", AT, may="write", query=MovesQuery)
def ask_to_move_bills(ask: Ask[Any, Any]) -> Shown:
    """Show which bills of open months would move to other months, and ask for confirmation."""
    property_id = ask.typed.get("property") or (ask.query.property if isinstance(ask.query, MovesQuery) else "")
    moves = month_moves.would_move(ask.tx, ask.caller, property_id or None, ask.write)
    sent = 0 if moves.good else month_moves.count_sent(ask.tx, ask.caller, property_id or None)
    return _shown(moves, property_id, sent=sent)


@page("POST", AT, may="write", form=MovesForm, again=ask_to_move_bills)
def move_bills(ask: Ask[None, MovesForm]) -> Shown:
    """Move the bills to other months, and show the result for each bill."""
    its = ask.form.property
    moves = month_moves.move_all(ask.tx, ask.caller, its or None, seen=ask.form.seen, write=ask.write)
    return _shown(moves, its, is_done=True)


def after_rule(ask: Ask[Any, Any], property_id: str, said: Text) -> GoTo | None:
    """Redirect to the bills that a changed billing month rule would move to other months.

    The page then shows the message `said`. Return None if the rule would move no bill.
    """
    moves = month_moves.would_move(ask.tx, ask.caller, property_id or None, ask.write)
    if not moves.good:
        return None
    return GoTo(f"{AT}?property={property_id}" if property_id else AT, said)


def _shown(moves: Moves, property_id: str, *, is_done: bool = False, sent: int = 0) -> Shown:
    values = {"moves": moves, "sums": _sums(moves.good), "is_done": is_done, "sent": sent, "property": property_id}
    return Shown("bill_months.html", values | {"back": f"/properties/{property_id}" if property_id else "/settings"})


def _sums(good: Sequence[Settled]) -> list[tuple[Month, Month, str, int, int]]:
    """Sum the moves of bills by old month, new month and currency.

    Each sum is a tuple of these three, the number of bills, and their total in cents.
    """
    of_months = grouped(((Month(its.lines[0].month), its.month, its.bill.currency), its.amount) for its in good)
    return [(*key, len(amounts), sum(amounts)) for key, amounts in sorted(of_months.items())]
