"""An account's first steps: a checklist, and the choice of the first month to bill.

Bills of earlier months become history.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery import how_to_pay
from prorata.actions.limits import MOST_FIRST_MONTHS_AT_ONCE
from prorata.actions.properties import properties as property_actions
from prorata.domain.accounts.settings import BY_DATE, BY_DAYS, BY_END
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, first_day, months_between, read_month
from prorata.domain.groups import grouped
from prorata.domain.labels import natural_order
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem, problems_of_month
from prorata.domain.texts import joined, say, say_n
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.accounts import accounts
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.overview import onboarding
from prorata.store.overview.onboarding import BillsOfMonths, MonthBefore
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow

Step = Literal["property", "units", "tenants", "pay", "rules", "bill", "review", "send"]
STEPS: dict[Step, str] = {
    "property": say("Add your first property"),
    "units": say("Add its units, one by one or from a spreadsheet"),
    "tenants": say("Add the tenants who’ll get the invoices"),
    "pay": say("Say how tenants pay you"),
    "rules": say("Check how each utility is divided"),
    "bill": say("Add the first bill"),
    "review": say("Check the first month’s invoices"),
    "send": say("Send the first invoices"),
}
CONFIRMED = {"rules": Verb.LOOK_AT_SHARE_RULES, "review": Verb.REVIEW_MONTH}
"""The steps that a person marks as done, each with its audit verb."""
_OF_RULES = [CONFIRMED["rules"], Verb.CREATE_SHARE_RULE, Verb.CHANGE_SHARE_RULE, Verb.DELETE_SHARE_RULE]
_CHANGED = say("Bills or drafts have changed. Below is what would happen now. Nothing has been changed yet.")
_EVERY = Month("")
"""A month that sorts before all others."""
LOOKED_AT = 20
"""The number of properties that the checklist examines, the oldest first."""
EXAMPLES = 20
"""The number of bills that are searched for an example, the newest first."""


class History(NamedTuple):
    """The effects of making `first_month` a property's first month to bill.

    `bills` counts the bills that become history, and `partly` the spread bills of which only some months do.
    `billed_again` counts those of which any month leaves the history. `drafts` counts the drafts that are deleted.
    `sent_months` stay unchanged. If `first_month` is empty, every month is billed. `seen` is a fingerprint of these
    effects, with which a person confirms them.
    """

    property: PropertyRow
    first_month: str
    bills: int
    drafts: int
    kept_invoices: int
    sent_months: tuple[str, ...]
    billed_again: int
    partly: int
    message: str
    seen: str


class ChecklistStep(NamedTuple):
    """A step of the checklist, and the sentence that asks for it.

    `is_done` is set once nothing is left to do for it.
    """

    step: Step
    message: str
    is_done: bool


def preview_history(tx: Tx, caller: Caller, property_id: str, first_month: str, write: Forms = PLAIN) -> History:
    """Preview the effects of `make_history` without writing anything.

    Raises `NotFound` if there is no such property, and `InvalidRequest` if the month is invalid.
    """
    return _histories(tx, caller, [access.property_(tx, caller, property_id)], _month(first_month), write)[0]


def make_history(
    tx: Tx, caller: Caller, property_id: str, first_month: str, write: Forms = PLAIN, *, seen: str | None = None
) -> History:
    """Set a property's first month to bill (billingStartsMonth); earlier bills become history.

    History has no invoices. Drafts of earlier months are deleted, unless they were sent before or have a custom
    charge. Months with a sent invoice stay as they are.

    Raises `Conflict` if the effects differ from those that a person has `seen` (`History.seen`).
    """
    month = _month(first_month)
    (done,) = _histories(tx, caller, [access.property_to_change(tx, caller, property_id)], month, write)
    if seen is not None and seen != done.seen:
        raise Conflict(_CHANGED)
    property_actions.change(tx, caller, property_id, {"billing_starts_month": month})
    return done


def preview_every_month(tx: Tx, caller: Caller, property_id: str, write: Forms = PLAIN) -> History:
    """Preview the effects of `bill_every_month` without writing anything.

    Raises `NotFound` if there is no such property.
    """
    return _histories(tx, caller, [access.property_(tx, caller, property_id)], _EVERY, write)[0]


def bill_every_month(tx: Tx, caller: Caller, property_id: str) -> PropertyRow:
    """Bill all months of a property that have bills; nothing is history any more.

    Raises `NotFound` if there is no such property.
    """
    return property_actions.change(tx, caller, property_id, {"billing_starts_month": None})


def preview_histories(tx: Tx, caller: Caller, first_month: str, write: Forms = PLAIN) -> list[History]:
    """Preview the effects of `make_histories` on properties with another first month to bill.

    Properties that have none come first, and then the others; both are sorted by name. At most
    `MOST_FIRST_MONTHS_AT_ONCE` properties are included. The preview writes nothing. Raises `InvalidRequest` if the
    month is invalid.
    """
    month = _month(first_month)
    rows = [row for row in properties.all_of(tx, caller.account_id) if row.billing_starts_month != month]
    rows.sort(key=lambda row: (row.billing_starts_month is not None, natural_order(row.name)))
    return _histories(tx, caller, rows[:MOST_FIRST_MONTHS_AT_ONCE], month, write)


def make_histories(tx: Tx, caller: Caller, seen: Mapping[str, str], first_month: str) -> list[History]:
    """Set the first month to bill of several properties, each as `make_history` does.

    `seen` maps the ids of these properties to fingerprints of the effects that a person has seen (`History.seen`).
    Raises `NotFound` if a property does not exist, `InvalidRequest` if there are no properties, and `Conflict` if the
    effects have changed since.
    """
    month = _month(first_month)
    if not seen:
        raise InvalidRequest(say("No properties are selected. Choose at least one."))
    rows = properties.lock_many(tx, caller.account_id, sorted(seen))
    if len(rows) < len(seen):
        raise NotFound("property")
    done = _histories(tx, caller, rows, month, PLAIN)
    if any(seen[history.property.id] != history.seen for history in done):
        raise Conflict(_CHANGED)
    property_actions.bill_from(tx, caller, rows, month)
    return done


_MONTH_RULES = {
    BY_DAYS: say(
        "A bill belongs to the month that contains most days of its service period or, if it has none, to the month "
        "of its date."
    ),
    BY_END: say(
        "A bill belongs to the month in which its service period ends or, if it has none, to the month of its date."
    ),
    BY_DATE: say("A bill belongs to the month of its date."),
}

_SPREAD = say(
    "A bill that’s spread over its months is charged for this month and later ones, but not for the months before."
)


def which_month(tx: Tx, caller: Caller, of: PropertyRow | None = None, write: Forms = PLAIN) -> str:
    """Explain a property's or the account's billing month rule, with a recent bill.

    The example is a bill for one month, preferably a month other than that of its bill date.
    """
    account = account_actions.the_account(tx, caller)
    rule = _MONTH_RULES[(of.billing_month_rule if of else None) or account.billing_month_rule]
    total = account.bill_count
    newest = bills.page(tx, caller.account_id, limit=EXAMPLES, offset=0, total=total)
    example = min(
        (bill_summary for bill_summary in newest if bill_summary.last_month == bill_summary.billing_month),
        key=lambda bill_summary: bill_summary.billing_month in (None, bill_summary.bill_date[:7]),
        default=None,
    )
    if example is None or example.billing_month is None:
        return joined([rule, _SPREAD])
    shown = say(
        "Your bill from {issuer}, dated {day}, belongs to {month}.",
        issuer=example.issuer_name,
        day=write.day(date.fromisoformat(example.bill_date)),
        month=write.month(Month(example.billing_month)),
    )
    return joined([rule, shown, _SPREAD])


def all_history(tx: Tx, caller: Caller, write: Forms = PLAIN) -> str:
    """Say which properties charge nobody because all of their bills are history.

    The text is empty if there are none.
    """
    starts = {row.id: row.billing_starts_month or "" for row in properties.all_of(tx, caller.account_id)}
    newest = {its.property_id: its.last for its in onboarding.bills_by_months(tx, caller.account_id, list(starts))}
    ids = [property_id for property_id, month in newest.items() if month < starts[property_id]]
    if not ids:
        return ""
    return say_n(
        "All bills of {n} property are from before its first month to bill: they are history and charge nobody. Its "
        "newest bill is from {newest}, and billing starts with {starts}.",
        "All bills of {n} properties are from before their first month to bill: they are history and charge nobody. "
        "Their newest bill is from {newest}, and billing starts with {starts}.",
        len(ids),
        n=write.count(len(ids)),
        newest=write.month(Month(max(newest[of_property] for of_property in ids))),
        starts=write.month(Month(min(starts[of_property] for of_property in ids))),
    )


def checklist(tx: Tx, caller: Caller) -> list[ChecklistStep]:
    """List the steps of the checklist, each with True if it is done.

    Once an invoice has been sent, all steps count as done and nothing more is queried.
    """
    account = account_actions.the_account(tx, caller)
    if _has_sent(tx, account.id):
        return [ChecklistStep(step, message, is_done=True) for step, message in STEPS.items()]
    ids = [row.id for row in properties.page(tx, account.id, limit=LOOKED_AT, offset=0)]
    done: dict[Step, bool] = {
        "property": bool(ids),
        "units": onboarding.has_unit(tx, account.id, ids),
        "tenants": onboarding.has_tenant(tx, account.id, ids),
        "pay": how_to_pay.is_told(tx, account),
        "rules": onboarding.was_done(tx, account.id, ids, _OF_RULES),
        "bill": account.bill_count > 0,
        "review": onboarding.was_done(tx, account.id, ids, [CONFIRMED["review"]]),
        "send": False,
    }
    return [ChecklistStep(step, message, done[step]) for step, message in STEPS.items()]


def may_be_history(tx: Tx, caller: Caller) -> list[PropertyRow]:
    """List the properties for which a new account may need a first month to bill.

    They have bills for several months and no first month to bill. Only the oldest `LOOKED_AT` properties are
    examined, and none are listed once an invoice has been sent.
    """
    account = account_actions.the_account(tx, caller)
    if _has_sent(tx, account.id):
        return []
    rows = [
        property_row
        for property_row in properties.page(tx, account.id, limit=LOOKED_AT, offset=0)
        if not property_row.billing_starts_month
    ]
    spread = onboarding.spread_of_bills(tx, account.id, [row.id for row in rows]) if rows else []
    several = {spread_bills.property_id for spread_bills in spread if spread_bills.months > 1}
    return [row for row in rows if row.id in several]


def first_property(tx: Tx, caller: Caller) -> PropertyRow | None:
    """Return the account's oldest property, to which the checklist's steps refer."""
    return next(iter(properties.page(tx, caller.account_id, limit=1, offset=0)), None)


def confirm(tx: Tx, caller: Caller, property_id: str, step: str) -> None:
    """Audit that a person has checked a property's rules or reviewed one of its months.

    Raises `NotFound` if there is no such property.
    """
    if step not in CONFIRMED:
        raise InvalidRequest(say("The step to confirm must be one of {names}.", names=", ".join(CONFIRMED)))
    property_row = access.property_to_change(tx, caller, property_id)
    audit.record(tx, caller, CONFIRMED[step], property_row.id)


def _has_sent(tx: Tx, account_id: str) -> bool:
    counts = accounts.invoice_counts(tx, account_id)
    return bool(counts.sent + counts.paid + counts.overdue)


def _month(text: str) -> Month:
    month = read_month(text)
    if month is None:
        raise InvalidRequest.because([Problem("firstMonth", say("Enter the month as YYYY-MM, such as 2026-03."))])
    if problems := problems_of_month("firstMonth", month):
        raise InvalidRequest.because(problems)
    return month


def _histories(tx: Tx, caller: Caller, rows: Sequence[PropertyRow], month: Month, write: Forms) -> list[History]:
    ids = [row.id for row in rows]
    before = grouped(
        (month_before.property_id, month_before)
        for month_before in onboarding.months_before(tx, caller.account_id, ids, month)
    )
    counted = grouped((bill.property_id, bill) for bill in onboarding.bills_by_months(tx, caller.account_id, ids))
    return [_history(row, month, before[row.id], counted[row.id], write) for row in rows]


def _history(
    row: PropertyRow, month: Month, before: Sequence[MonthBefore], counted: Sequence[BillsOfMonths], write: Forms
) -> History:
    starts = row.billing_starts_month or ""
    is_open = [month_before for month_before in before if not month_before.is_closed]
    drafts, kept = (
        sum(month_before.free_drafts for month_before in is_open),
        sum(month_before.others for month_before in is_open),
    )
    sent = tuple(month_before.month for month_before in before if month_before.is_closed)
    becoming, partly = _becoming(counted, month, sent)
    again = sum(its.bills for its in counted if any(month <= of < starts for of in _months(its)))
    history = History(row, month, becoming, drafts, kept, sent, again, partly, "", "")
    seen = f"{becoming} {partly} {drafts} {kept} {again} {starts or '-'}"
    return history._replace(message=_sentence(history, month, write), seen=seen)


def _becoming(counted: Sequence[BillsOfMonths], month: Month, sent: Collection[str]) -> tuple[int, int]:
    """Count the bills that become history entirely, and those that do in part."""
    becoming = partly = 0
    for its in counted:
        is_history = [of < month and of not in sent for of in _months(its)]
        if all(is_history):
            becoming += its.bills
        elif any(is_history):
            partly += its.bills
    return becoming, partly


def _months(its: BillsOfMonths) -> Iterator[Month]:
    return months_between(first_day(Month(its.first)), first_day(Month(its.last)))


def _sentence(history: History, month: Month, write: Forms) -> str:
    of_month = write.month(month) if month else ""
    becoming, partly, again = history.bills, history.partly, history.billed_again
    drafts, kept, sent = history.drafts, history.kept_invoices, len(history.sent_months)
    starts = say("Billing starts with {month}.", month=of_month)
    sentences = [starts if month else say("Every month that has bills is billed.")]
    if month and not (becoming or partly or again or sent):
        sentences.append(
            say("Bills for earlier months that you add later are kept as history: nobody is charged for them.")
        )
    counted = (
        (becoming, say_n("{n} earlier bill is kept as history.", "{n} earlier bills are kept as history.", becoming)),
        (
            partly,
            say_n(
                "{n} spread bill is charged in part, but not for months before {month}.",
                "{n} spread bills are charged in part, but not for months before {month}.",
                partly,
            ),
        ),
        (drafts, say_n("{n} earlier draft will be deleted.", "{n} earlier drafts will be deleted.", drafts)),
        (
            kept,
            say_n(
                "{n} invoice that was sent before, or has a custom charge, stays.",
                "{n} invoices that were sent before, or have a custom charge, stay.",
                kept,
            ),
        ),
        (sent, say_n("{n} sent month stays as it is.", "{n} sent months stay as they are.", sent)),
        (
            again,
            say_n("{n} bill that was history will be billed.", "{n} bills that were history will be billed.", again),
        ),
    )
    return joined([*sentences, *(text.format(n=write.count(n), month=of_month) for n, text in counted if n)])
