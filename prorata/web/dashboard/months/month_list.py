"""The list of all properties' months, which can be searched, filtered, sorted and sent."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.accounts import access, accounts
from prorata.actions.bulk import bulk, bulk_questions
from prorata.actions.limits import LONGEST_CURSOR, MOST_MONTHS_CHECKED
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.months import checks, lists as month_lists
from prorata.actions.months.lists import Sort, Wish
from prorata.actions.months.sums import MonthKey, MonthSums
from prorata.actions.overview import onboarding
from prorata.domain.billing_calendar import Month, read_month
from prorata.domain.bulk.bulk import Question
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.groups import added_up
from prorata.domain.months.findings import named_by_kind
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.ids import is_id
from prorata.store.months.searches import PlacedMonth, Which
from prorata.web.dashboard.bulk.bulk import question_page
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.rendering import query_of
from prorata.web.dashboard.months.months import month_of_address
from prorata.web.http.fields import MonthText, text

ROWS = MOST_MONTHS_CHECKED
_CONFLICT = 409


class MonthsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and page of the list of properties' months.

    The page comes after the cursor `after` or before the cursor `before`; `page` is the page's number.
    """

    only: Which = "drafts"
    search: Annotated[str, text(255, least=0)] = ""
    month: MonthText | UnsetType = UNSET
    sort: Sort = "-month"
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


class ChosenMonths(MonthsQuery, kw_only=True):
    """The ticked months of properties, each written as property id and month.

    `seen` identifies the question that the person was asked.
    """

    chosen: Annotated[list[Annotated[str, text(64)]], msgspec.Meta(max_length=ROWS)] = msgspec.field(
        default_factory=list
    )
    seen: Annotated[str, text(64, least=0)] = ""


@page("GET", "/months", may="read", query=MonthsQuery)
def months_page(ask: Ask[Any, Any]) -> Shown:
    """Show all properties' months that match the filters, with each month's checks."""
    query = ask.query if isinstance(ask.query, MonthsQuery) else MonthsQuery()
    month = Month(query.month) if query.month else None
    wish = Wish(query.only, month, query.search, query.sort)
    leaf = Leaf((query.page - 1) * ROWS, query.after, query.before)
    found = month_lists.page(ask.tx, ask.caller, wish, limit=ROWS, leaf=leaf)
    checks_of = _checked(ask, found.rows)
    is_done = query.only == "drafts" and not found.total
    history = onboarding.all_history(ask.tx, ask.caller, ask.write) if is_done else ""
    values = {"found": found, "query": query, "limit": ROWS, "parameters": _asked_for(query), "all_history": history}
    return Shown("months_of_all.html", values | checks_of | {"ticked": ask.each("chosen")})


def _checked(ask: Ask[Any, Any], rows: Sequence[PlacedMonth]) -> dict[str, Any]:
    """Collect the checks and totals of each month, and the sums of all months.

    Each month's checks are grouped by kind.
    """
    late_bills = accounts.the_account(ask.tx, ask.caller).late_bills
    keys = [(row.property_id, row.month) for row in rows]
    checked = checks.of_months(ask.tx, ask.caller, keys, late_bills, ask.write)
    its = {key: one.sums for key, one in checked.items()}
    kinds = {key: named_by_kind(one.to_check, ask.write) for key, one in checked.items()}
    return {"kinds": kinds, "accounts": its, "sums": _sums(rows, its)}


def _sums(rows: Sequence[PlacedMonth], sums: Mapping[MonthKey, MonthSums]) -> list[tuple[str, int, int]]:
    """Sum the amounts of these months by currency.

    Each sum is a tuple of the currency, the total of the invoices, and the part of it for vacant units. The
    months' corrections are left out, because invoices of other months contain them.
    """
    its = [(row, sums[row.property_id, row.month]) for row in rows]
    billed = added_up((row.currency, row.billed - one.outdated) for row, one in its)
    vacant = added_up((row.currency, row.billed - one.outdated - one.billed) for row, one in its)
    return [(currency, cents, vacant[currency]) for currency, cents in sorted(billed.items())]


@page("POST", "/months/chosen", may="write", form=ChosenMonths, again=months_page, only_reads=True)
def ask_to_send_months(ask: Ask[None, ChosenMonths]) -> Shown:
    """Ask to confirm sending all drafts of the chosen months."""
    form = ask.form
    back = f"/months{query_of(_asked_for(form), page=form.page)}"
    return _question(ask, form.chosen, back, _asked(ask, _keys(form.chosen)))


@page("GET", "/properties/{id}/months/{month}/send", may="write")
def ask_to_send_month(ask: Ask[None, None]) -> Shown | GoTo:
    """Ask to confirm sending all drafts of one month."""
    its = access.property_(ask.tx, ask.caller, ask.path["id"])
    month = month_of_address(ask.path["month"])
    back = f"/properties/{its.id}/months/{month}"
    drafts = bulk.drafts_of(ask.tx, ask.caller, [(its.id, month)])
    if not drafts:
        return GoTo(back, say("{month} has no drafts to send.", month=ask.write.month(month)), warns=True)
    return _question(ask, [f"{its.id} {month}"], back, _asked(ask, [(its.id, month)]))


@page("POST", "/months/send", may="write", form=ChosenMonths, again=months_page)
def send_months(ask: Ask[None, ChosenMonths]) -> GoTo | Shown:
    """Send all drafts of the chosen months, once a person has confirmed this.

    If anything has changed since the person was asked, ask again.
    """
    form = ask.form
    drafts = _drafts(ask, _keys(form.chosen))
    begun = bulk_questions.begin_as_asked(
        ask.tx, ask.caller, BulkVerb.SEND, drafts, ask.write, seen=form.seen or None, mail_held=ask.outside.mail_held
    )
    if isinstance(begun, Question):
        return _question(ask, form.chosen, "/months", begun)._replace(status=_CONFLICT)
    return GoTo(f"/invoices/changes/{begun.id}")


def _asked_for(query: MonthsQuery) -> dict[str, str]:
    return {name: getattr(query, name) or "" for name in ("only", "search", "month", "sort")}


def _asked(ask: Ask[Any, Any], keys: Sequence[MonthKey]) -> Question:
    drafts = _drafts(ask, keys)
    return bulk_questions.preview(ask.tx, ask.caller, BulkVerb.SEND, drafts, ask.write, ask.outside.mail_held)


def _drafts(ask: Ask[Any, Any], keys: Sequence[MonthKey]) -> list[str]:
    """Return the ids of the drafts in these months.

    Raises `Conflict` if there are none.
    """
    drafts = bulk.drafts_of(ask.tx, ask.caller, keys)
    if not drafts:
        raise Conflict(say("These months have no drafts to send. Choose months with drafts."))
    return drafts


def _question(ask: Ask[Any, Any], chosen: Sequence[str], back: str, asked: Question) -> Shown:
    return question_page(ask, asked, [("chosen", one) for one in chosen], "/months/send", back)


def _keys(chosen: Sequence[str]) -> list[MonthKey]:
    """Parse the ticked months, each written as property id and month.

    Raises `InvalidRequest` if no month is ticked.
    """
    keys = [(property_id, month) for property_id, _, month in (one.partition(" ") for one in chosen)]
    keys = [(property_id, month) for property_id, month in keys if is_id(property_id, "prop") and read_month(month)]
    if not keys:
        raise InvalidRequest(say("You haven’t chosen any months. Choose at least one."))
    return keys
