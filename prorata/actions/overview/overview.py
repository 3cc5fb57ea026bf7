"""The overview: what a month comes to over all properties, what needs attention and where, what utilities cost."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import tenant_questions
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.intake import documents
from prorata.actions.payments import provider_events
from prorata.actions.webhooks import webhooks
from prorata.domain.billing_calendar import Month, month_of, months_back, read_month
from prorata.domain.groups import grouped
from prorata.domain.intake.documents import DRAFT as DRAFT_READ, UNREADABLE
from prorata.domain.invoice_states import CANCELLED, CLOSING, DRAFT, OVERDUE, SENT
from prorata.domain.invoices.open_money import OpenMoney
from prorata.domain.locale_forms import PLAIN, Forms, counted
from prorata.domain.mail.deliveries import UNDELIVERED
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.accounts import accounts, open_money
from prorata.store.accounts.accounts import Counts
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags as bill_flags
from prorata.store.bills.flags import OpenFlags
from prorata.store.database.engine import Tx
from prorata.store.invoices import open_money as open_invoices, searches as invoice_searches
from prorata.store.invoices.open_money import LeftRow
from prorata.store.months import searches as month_searches
from prorata.store.overview import overview
from prorata.store.overview.overview import MonthNumber, MonthSums, Place, StatusSum

MONTHS_OF_COSTS = 12

Kind = Literal[
    "overdue", "mailFailed", "jobsFailed", "questions", "documents", "mail", "mailNotTaken", "flagged", "waiting",
    "pending", "missingFacts", "handOver", "drafts", "refunds", "webhooksOff", "paymentsToCheck",
]  # fmt: skip
MonthKind = Literal["pending", "missingFacts", "drafts"]
"""Of these the months are named."""


class MonthFigures(NamedTuple):
    """A month in one currency, in cents. `billed` sums what tenants are asked for and is not cancelled: `drafts`, which
    are still to be sent; `sent` and `overdue`, which is owed, and past due or not; and `paid`, which was paid or is a
    credit. `owner` is the owner's part: of the bills, and `vacant` on the invoices of units that stood empty. `counts`
    are those of invoices to tenants, `vacant_drafts` the drafts that are for nobody.
    """

    currency: str
    properties: int
    counts: Counts
    billed: int
    drafts: int
    sent: int
    overdue: int
    paid: int
    owner: int
    vacant: int
    vacant_drafts: int


class Attention(NamedTuple):
    """Something a person should do: how many rows its list has, one sentence, and the first places, or months, to go to
    where it has such. With `has_more` there are older months, whose rows are not counted.
    """

    kind: Kind
    number: int
    message: str
    places: tuple[Place, ...] = ()
    months: tuple[MonthNumber, ...] = ()
    has_more: bool = False


class UtilityCosts(NamedTuple):
    """What one utility cost in each of `Overview.months`, in cents; without a type what is not billed."""

    currency: str
    utility_type: str | None
    amounts: tuple[int, ...]


class OpenFigures(NamedTuple):
    """What is open in one currency, over all months; `credit` is of households that live in their units, and `refund`
    what is due to those that have left, and of cancelled invoices.
    """

    currency: str
    money: OpenMoney


class Overview(NamedTuple):
    """The figures of a month, one for each currency; what is open over all months; what needs attention; costs by
    utility over twelve months.
    """

    month: str
    open: tuple[OpenFigures, ...]
    figures: tuple[MonthFigures, ...]
    attention: tuple[Attention, ...]
    months: tuple[str, ...]
    costs: tuple[UtilityCosts, ...]


def of_month(tx: Tx, caller: Caller, month: str | None = None, write: Forms = PLAIN) -> Overview:
    """The overview of a month, without one of this month where the account is. Sums never mix currencies. Some
    fifteen statements; none reads a charge. Raises `InvalidRequest` where the month is none.
    """
    named = month_of(account_actions.today(tx, caller)) if month is None else read_month(month)
    if named is None:
        raise InvalidRequest.because([Problem("month", "Write the month as YYYY-MM, such as 2026-03.")])
    months = tuple(months_back(named, number) for number in range(MONTHS_OF_COSTS - 1, -1, -1))
    opened = open_figures(tx, caller)
    needed = tuple(attention(tx, caller, named, opened, write))
    return Overview(named, opened, _figures(tx, caller, named), needed, months, _costs(tx, caller, months))


def open_figures(tx: Tx, caller: Caller) -> tuple[OpenFigures, ...]:
    """What is open over all months, in each currency in which something is: two statements, of which none counts
    invoices but for those of households that have left.
    """
    kept = [row for row in open_money.of_account(tx, caller.account_id) if any(row.money)]
    if not any(row.credit_number for row in kept):
        return tuple(OpenFigures(row.currency, row.money) for row in kept)
    today = account_actions.today(tx, caller).isoformat()
    left = {row.currency: row for row in open_invoices.left(tx, caller.account_id, today)}
    return tuple(OpenFigures(row.currency, _without_left(row.money, left.get(row.currency))) for row in kept)


def _without_left(money: OpenMoney, left: LeftRow | None) -> OpenMoney:
    if left is None:
        return money
    return money._replace(
        credit_number=money.credit_number - left.number,
        credit=money.credit - left.credit,
        refund_number=money.refund_number + left.number,
        refund=money.refund + left.credit,
    )


def latest_month(tx: Tx, caller: Caller) -> Month:
    """The month that is at hand: the newest up to this one that has invoices, and this one where none has."""
    now = month_of(account_actions.today(tx, caller))
    months = (
        one.month
        for one in accounts.invoice_counts_by_month(tx, caller.account_id)
        if one.month <= now and any(one[1:])
    )
    return Month(next(months, now))


def _figures(tx: Tx, caller: Caller, month: Month) -> tuple[MonthFigures, ...]:
    by_currency = grouped((row.currency, row) for row in overview.status_sums(tx, caller.account_id, month))
    return tuple(_figure(row, by_currency[row.currency]) for row in overview.sums(tx, caller.account_id, month))


def _figure(row: MonthSums, found: Sequence[StatusSum]) -> MonthFigures:
    billed = {one.status: one for one in found if not one.is_vacant}
    vacant = sum(one.total for one in found if one.is_vacant and one.status != CANCELLED)
    numbers = {status.lower(): one.number for status, one in billed.items()}

    sent, overdue = (billed[status].owed if status in billed else 0 for status in (SENT, OVERDUE))
    return MonthFigures(
        currency=row.currency,
        properties=row.properties,
        counts=Counts(**numbers),
        billed=row.billed - vacant,
        drafts=billed[DRAFT].total if DRAFT in billed else 0,
        sent=sent,
        overdue=overdue,
        paid=sum(billed[status].total for status in CLOSING if status in billed) - sent - overdue,
        owner=row.owner_amount + vacant,
        vacant=vacant,
        vacant_drafts=sum(one.number for one in found if one.is_vacant and one.status == DRAFT),
    )


def attention(
    tx: Tx, caller: Caller, month: Month, opened: Sequence[OpenFigures], write: Forms = PLAIN
) -> Iterator[Attention]:
    """What needs attention in the whole account, what costs money first; drafts that are for somebody are asked for
    `month` alone.
    """
    if number := sum(one.money.overdue_number for one in opened):
        sums = _together(write, [(one.money.overdue, one.currency) for one in opened])
        said = f"{_invoices(number, write)} past due: {sums}. Open one to send it again, or to mark it as paid."
        yield Attention("overdue", number, said)
    if number := sum(one.money.refund_number for one in opened):
        sums = _together(write, [(one.money.refund, one.currency) for one in opened])
        of = counted(number, "invoice", write)
        yield Attention("refunds", number, _REFUND_DUE[number > 1].format(sums=sums, of=of))
    if number := invoice_searches.number_needing(tx, caller.account_id, UNDELIVERED, {}):
        yield Attention("mailFailed", number, _UNDELIVERED[number > 1].format(counted(number, "invoice", write)))
    if number := overview.failed_jobs(tx, caller.account_id):
        again = f"See why, then have {'it' if number == 1 else 'them all'} tried again."
        yield Attention("jobsFailed", number, f"{counted(number, 'background task', write)} failed. {again}")
    if number := tenant_questions.number_waiting(tx, caller):
        wait = "waits" if number == 1 else "wait"
        said = f"{counted(number, 'question', write)} of tenants {wait} for your answer. Note each once it is given."
        yield Attention("questions", number, said)
    if number := provider_events.number_to_check(tx, caller):
        wait = "waits for you: it was" if number == 1 else "wait for you: they were"
        said = f"{counted(number, 'message', write)} of your payment provider {wait} not counted, or may count twice."
        yield Attention("paymentsToCheck", number, said)
    if number := webhooks.number_off(tx, caller):
        took = "It takes" if number == 1 else "They take"
        said = f"{counted(number, 'webhook', write)} {'was' if number == 1 else 'were'} turned off. {took} no messages."
        yield Attention("webhooksOff", number, f"{said} See why, then turn {'it' if number == 1 else 'them'} on again.")
    yield from _brought(tx, caller, write)
    yield from _places(tx, caller, write)
    yield from _to_hand_over(tx, caller, write)
    yield from _drafts(tx, caller, month, write)


def _together(write: Forms, sums: Sequence[tuple[int, str]]) -> str:
    """Sums in several currencies."""
    return " and ".join(write.money(cents, currency) for cents, currency in sums if cents)


def _brought(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    if number := documents.number_in(tx, caller, [DRAFT_READ, UNREADABLE]):
        wait = "waits" if number == 1 else "wait"
        yield Attention("documents", number, f"{counted(number, 'file', write)} in the inbox {wait} to be looked at.")
    if found := bill_flags.open_flags(tx, caller.account_id):
        yield Attention("flagged", found.flagged, _flagged(found, write))
    mails = incoming_mail.number_waiting(tx, caller)
    if number := mails.not_allowed:
        its, wait = ("its sender is", "waits") if number == 1 else ("their senders are", "wait")
        said = f"{counted(number, 'message', write)} {wait}: {its} not allowed, or nothing proves who sent"
        yield Attention("mail", number, f"{said} {'it' if number == 1 else 'them'}.")
    if number := mails.not_taken:
        said = (
            f"{counted(number, 'message', write)} came of which not everything could be taken. See why, and bring the"
        )
        yield Attention("mailNotTaken", number, f"{said} files yourself.")


def _flagged(found: OpenFlags, write: Forms) -> str:
    flagged = f"{counted(found.flagged, 'bill', write)} {'is' if found.flagged == 1 else 'are'} flagged"
    said = f"{flagged}: compare with the paper."
    if not found.held:
        return said
    if found.held == found.flagged:
        return f"{said} {'It is' if found.held == 1 else 'They are'} held, and {_CHARGE[found.held > 1]}"
    held = f"{write.count(found.held)} of them {'is' if found.held == 1 else 'are'} held"
    return f"{said} {held}, and {_CHARGE[found.held > 1]}"


_CHARGE = ("charges nobody before you accept it.", "charge nobody before you accept them.")


def _to_hand_over(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    found = overview.to_hand_over(tx, caller.account_id)
    if not found:
        return
    named = tuple(found[: overview.PLACES])
    number, has_more = sum(one.number for one in named), len(found) > len(named)
    of = f" of {write.month(Month(named[0].month))}" if len(named) == 1 else ""
    those = f"{'More than ' if has_more else ''}{counted(number, 'invoice', write)}{of}"
    said = f"{those} {'is' if number == 1 else 'are'} for you to hand over. {_why_by_hand(tx, caller)}"
    yield Attention("handOver", number, said, months=named, has_more=has_more)


def _why_by_hand(tx: Tx, caller: Caller) -> str:
    if not account_actions.the_account(tx, caller).mail_on:
        return "The account sends no mail. Print them, and note what is done."
    return "Nobody is e-mailed for want of an address. Print them, and note what is done."


def _places(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    number, places = overview.waiting(tx, caller.account_id)
    if number:
        yield Attention("waiting", number, f"{counted(number, 'bill', write)} {_WAITING}", places)
    for kind, said in _OF_MONTHS.items():
        if number := month_searches.number(tx, caller.account_id, kind):
            yield Attention(kind, number, f"{counted(number, 'month', write)} {said}", _first(tx, caller, kind))


def _first(tx: Tx, caller: Caller, kind: MonthKind, month: Month | None = None) -> tuple[Place, ...]:
    of_month = {"month": month} if month else {}
    found = month_searches.walked(tx, caller.account_id, kind, of_month, limit=overview.PLACES, offset=0)
    return tuple(Place(row.property_id, row.property_name, row.month) for row in found)


def _drafts(tx: Tx, caller: Caller, month: Month, write: Forms) -> Iterator[Attention]:
    found = overview.number_of_drafts(tx, caller.account_id, month)
    if found.drafts:
        where = "" if found.places == 1 else f" in {write.count(found.places)} properties"
        number = found.drafts + found.vacant
        those = f"{counted(number, 'draft', write)} of {write.month(month)}{where}"
        vacant = f", {write.count(found.vacant)} of them for vacant units," if found.vacant else ""
        said = f"{those}{vacant} {'waits' if number == 1 else 'wait'} to be looked at and sent."
        yield Attention("drafts", found.places, said, _first(tx, caller, "drafts", month))


_WAITING = (
    "came after the invoices of the month were sent. Choose the month to bill in, or reopen the one that was sent."
)
_OF_MONTHS: Mapping[MonthKind, str] = {
    "missingFacts": "not sent yet, where a rule divides by what nobody has entered: floor area, bedrooms or weights. "
    "Enter them.",
    "pending": "with corrections that wait: tenants were sent something else than is right by now. Look at each "
    "difference, and say what becomes of it.",
}


_REFUND_DUE = (
    "{sums}: a refund is due, of {of} that was cancelled or whose household has left.",
    "{sums}: refunds are due, of {of} that were cancelled or whose households have left.",
)
_UNDELIVERED = (
    "The e-mail of {} did not arrive. See why, then send it again.",
    "The e-mails of {} did not arrive. See why, then send them again together.",
)


def _invoices(number: int, write: Forms) -> str:
    return f"{counted(number, 'invoice', write)} {'is' if number == 1 else 'are'}"


def _costs(tx: Tx, caller: Caller, months: tuple[str, ...]) -> tuple[UtilityCosts, ...]:
    found: dict[tuple[str, str | None], dict[str, int]] = defaultdict(dict)
    for row in overview.costs(tx, caller.account_id, months[0], months[-1]):
        found[row.currency, row.utility_type][row.month] = row.amount
    return tuple(
        UtilityCosts(currency, kind, tuple(by_month.get(month, 0) for month in months))
        for (currency, kind), by_month in sorted(found.items(), key=lambda item: (item[0][0], item[0][1] or "~"))
    )
