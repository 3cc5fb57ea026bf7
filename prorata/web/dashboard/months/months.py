"""The list of a property's months, and the page that reviews a month."""

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access, accounts
from prorata.actions.bills import names_of_lines, unusual_amounts
from prorata.actions.delivery import send_schedule
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import Wish
from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.months import (
    checks,
    lists as month_lists,
    reviews as month_reviews,
    runs as month_runs,
)
from prorata.actions.months.lists import OnlyOfProperty, SortOfProperty
from prorata.actions.months.reviews import MonthReview
from prorata.actions.printing.roommates import names_beside
from prorata.actions.splitting import explanations
from prorata.domain.billing_calendar import Month, is_in_reach, months_back, next_month, read_month
from prorata.domain.invoice_states import CLOSING
from prorata.domain.mail.deliveries import reached_nobody
from prorata.domain.months.expected_bills import USUAL_FROM
from prorata.domain.months.findings import KEEPS_FROM_SENDING, Finding, named_by_kind
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_NAMES
from prorata.errors import NotFound
from prorata.web.dashboard.kernel.pages import Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.properties.property import above
from prorata.web.http.fields import text
from prorata.web.http.operation_runner import NoQuery

MONTHS = 24
ROWS = 50


class MonthsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filter, order and page of the list of a property's months."""

    only: OnlyOfProperty = ""
    sort: SortOfProperty = "-month"
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1


class ReviewQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and page of the list of a month's invoices.

    The page comes after the cursor `after` or before the cursor `before`; `page` is the page's number.
    """

    search: Annotated[str, text(255, least=0)] = ""
    sort: Literal["number", "-number", "tenant", "-tenant", "status", "-status", "total", "-total"] = "number"
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


class UnusualForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The reason for accepting the unusual amount of several bills, and these bills."""

    bills: Annotated[str, text(8_000, least=0)] = ""
    reason: Annotated[str, text(1_000, least=0)] = ""


class Way(NamedTuple):
    """A button beside one of a month's checks: its label and its address."""

    says: str
    to: str


@page("GET", "/properties/{id}/months", may="read", query=MonthsQuery)
def months_page(ask: Ask[MonthsQuery, None]) -> Shown:
    """Show the months of a property."""
    row, query = access.property_(ask.tx, ask.caller, ask.path["id"]), ask.query
    months_of_property = month_lists.of_property(
        ask.tx, ask.caller, row.id, only=query.only, sort=query.sort, limit=MONTHS, offset=(query.page - 1) * MONTHS
    )
    late_bills = accounts.the_account(ask.tx, ask.caller).late_bills
    keys = [(row.id, month_of_property.row.month) for month_of_property in months_of_property.rows]
    checked = checks.of_months(ask.tx, ask.caller, keys, late_bills, ask.write)
    values = {
        "found": months_of_property, "query": query, "limit": MONTHS,
        "accounts": {key: month_checked.sums for key, month_checked in checked.items()},
        "kinds": {key: named_by_kind(month_checked.to_check, ask.write) for key, month_checked in checked.items()},
        "parameters": msgspec.to_builtins(query),
    }  # fmt: skip
    return Shown("months.html", values | above(row, "months"))


@page("GET", "/properties/{id}/months/{month}", may="read", query=ReviewQuery)
def month_page(ask: Ask[Any, None]) -> Shown:
    """Show a month's totals, its checks, and the effect of sending it.

    If a person searches, sorts or pages the month's invoices, only the invoices are shown: computing the rest of
    the page takes longer the more units the property has.
    """
    if ask.query not in (ReviewQuery(), NoQuery()):
        return _only_invoices(ask)
    month = _month(ask)
    found = month_reviews.review(ask.tx, ask.caller, ask.path["id"], month, ask.write)
    values = {
        "found": found,
        "findings": [(one, _ways(found, one)) for one in found.findings],
        "names": UTILITY_NAMES,
        "closing": sum(one.invoices for one in found.statuses if one.status in CLOSING),
        "sums": found.sums,
        "runs": month_runs.of_month(ask.tx, ask.caller, found, ask.write),
        "keeps": KEEPS_FROM_SENDING, "usual_from": USUAL_FROM,
    }  # fmt: skip
    return Shown("month.html", values | _onward(ask, found) | _invoices(ask, month) | above(found.property, "months"))


def _onward(ask: Ask[Any, Any], found: MonthReview) -> dict[str, Any]:
    """Collect the months before and after a month, and facts about its invoices.

    The facts are whether there are invoices, whether the month is history, how many invoices have reached nobody,
    whether e-mails must wait for another day, and how bills name what they charge.
    """
    undelivered = [row for row, _ in found.invoices if row.tenant_id and reached_nobody(row.status, row.delivery)]
    month = Month(found.month)
    around = [one for one in (months_back(month, 1), next_month(month)) if is_in_reach(one)]
    values: dict[str, Any] = {"has_invoices": bool(found.invoices), "is_of_before": found.is_history}
    values |= {"mail_waits": send_schedule.beyond_today(ask.tx, ask.caller, ask.write)}
    values |= {"names_of_lines": names_of_lines.of_month(ask.tx, ask.caller, found.property.id, month)}
    return values | {"undelivered": len(undelivered), "around": around}


@page("POST", "/properties/{id}/months/{month}/unusual", may="write", form=UnusualForm, again=month_page)
def accept_unusual_amount(ask: Ask[None, UnusualForm]) -> GoTo:
    """Accept an unusual amount of a month's bills as right, with the person's reason."""
    month, bills = _month(ask), ask.form.bills.split()
    unusual_amounts.accept(ask.tx, ask.caller, ask.path["id"], month, bills, ask.form.reason)
    return GoTo(f"/properties/{ask.path['id']}/months/{month}", say("Accepted. This is noted with the bill."))


@page("GET", "/properties/{id}/months/{month}/explanation", may="read")
def month_explanation(ask: Ask[None, None]) -> Download:
    """Download the explanation of how the month's lines were divided, as JSON.

    The command `prorata verify` recomputes the division from this file.
    """
    month = _month(ask)
    content = explanations.of_month(ask.tx, ask.caller, ask.path["id"], month)
    return Download(f"explanation-{month}.json", "application/json", content.encode())


def _only_invoices(ask: Ask[Any, None]) -> Shown:
    """Show a page of the month's invoices, without the month's totals and checks."""
    row, month = access.property_(ask.tx, ask.caller, ask.path["id"]), _month(ask)
    values = {"has_invoices": True, "is_of_before": False}
    return Shown("month_found.html", values | _invoices(ask, month) | above(row, "months"))


def _invoices(ask: Ask[Any, None], month: str) -> dict[str, Any]:
    """Collect a page of the month's invoices, and how many invoices must be handed over.

    The invoices are searched and sorted as in the list of all invoices.
    """
    query = ask.query if isinstance(ask.query, ReviewQuery) else ReviewQuery()
    by, goes_down = query.sort.removeprefix("-"), query.sort.startswith("-")
    wish = Wish({"property": ask.path["id"], "month": month}, query.search or None, by, reverse=goes_down)
    leaf = Leaf((query.page - 1) * ROWS, query.after, query.before)
    listed = invoice_lists.page(ask.tx, ask.caller, wish, limit=ROWS, leaf=leaf)
    parameters = {"search": query.search, "sort": query.sort}
    on_paper = invoice_lists.number_on_paper(ask.tx, ask.caller, ask.path["id"], month)
    beside = names_beside(ask.tx, ask.caller.account_id, listed.rows)
    values = {
        "beside": beside,
        "month": month,
        "listed": listed,
        "query": query,
        "parameters": parameters,
        "limit": ROWS,
    }
    return values | {"on_paper": on_paper, "lived_in": invoice_lists.lived_in_since(ask.tx, ask.caller, listed.rows)}


def _month(ask: Ask[Any, Any]) -> Month:
    return month_of_address(ask.path["month"])


def month_of_address(text: str) -> Month:
    """Parse the month that the path names.

    Raises `NotFound` if it is not a month, or is too far in the past or future.
    """
    month = read_month(text)
    if month is None or not is_in_reach(month):
        refusal = NotFound()
        refusal.message = say("This month doesn’t exist. Choose one of the property’s months.")
        raise refusal
    return month


def _ways(review: MonthReview, finding: Finding) -> list[Way]:
    """List the buttons beside a check: to its records, and to the advised rules."""
    way, rules = _way(review, finding), finding.advised_rules
    ways = [way] if way else []
    here = f"/properties/{review.property.id}/rules"
    if len(rules) == 1:
        ways.append(Way(say("See the rule"), f"{here}/{rules[0].lower()}"))
    elif rules:
        ways.append(Way(say("See the rules"), here))
    return ways


def _way(review: MonthReview, finding: Finding) -> Way | None:
    """Return the button beside a check, or None if the check has no button.

    The button opens the record that the check is about or, if there are several, their list.
    """
    here = f"/properties/{review.property.id}"
    if finding.rule:
        return Way(say("See the rule"), f"{here}/rules/{finding.rule.lower()}")
    of_month = f"property={review.property.id}&month={review.month}"
    record_id = finding.records[0] if len(finding.records) == 1 else None
    bills = (
        Way(say("See the bill"), f"/bills/{record_id}")
        if record_id
        else Way(say("See the bills"), f"/bills?{of_month}")
    )
    units = Way(say("See the units"), here)
    to_address = Way(say("Add the address"), f"/tenants/{review.to_address}/edit") if review.to_address else None
    ways: dict[str, Way | None] = {
        "held": bills if record_id else bills._replace(to=f"{bills.to}&only=flagged"),
        "flagged": bills if record_id else bills._replace(to=f"{bills.to}&only=flagged"),
        "unconfirmed": Way(say("See the inbox"), "/inbox"),
        "waitingMail": Way(say("See the messages"), "/inbox/mail"),
        "missingBill": Way(
            say("Enter the bill"),
            f"{here}/bills/new?" + (f"like={record_id}&" if record_id else "") + f"month={review.month}",
        ),
        "unusualAmount": bills,
        "guessed": bills if record_id else bills._replace(to=f"{bills.to}&only=guessed"),
        "waiting": bills if record_id else bills._replace(to=f"{bills.to}&only=waiting"),
        "missingFacts": Way(say("Edit the unit"), f"/units/{record_id}/edit") if record_id else units,
        "vacant": Way(say("Add a tenant"), f"/units/{record_id}/tenants/new") if record_id else units,
        "tenantChange": Way(say("See the unit"), f"/units/{record_id}") if record_id else units,
        "shortOverlap": Way(say("See the unit"), f"/units/{record_id}") if record_id else units,
        "sameAddress": Way(say("See the unit"), f"/units/{record_id}") if record_id else units,
        "countedTogether": Way(say("See the unit"), f"/units/{record_id}") if record_id else units,
        "noAddress": to_address if record_id else units,
        "disputed": Way(say("See the invoice"), f"/invoices/{record_id}")
        if record_id
        else Way(say("See them"), "/questions"),
        "anothersCharge": Way(say("See the invoice"), f"/invoices/{record_id}")
        if record_id
        else Way(say("See them"), f"/invoices?{of_month}"),
        "earlierCorrections": Way(say("Decide them"), f"{here}/months/{record_id}/corrections"),
        "pending": Way(say("See each difference"), f"{here}/months/{review.month}/corrections")
        if review.settles
        else Way(say("See its invoices"), f"/invoices?{of_month}"),
    }
    return ways.get(finding.kind)
