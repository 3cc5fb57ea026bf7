"""Matters that need attention anywhere in the account, with links."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import tenant_questions
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.intake import documents
from prorata.actions.payments import provider_events
from prorata.actions.webhooks import webhooks
from prorata.domain.billing_calendar import Month
from prorata.domain.intake.documents import DRAFT as DRAFT_READ, UNREADABLE
from prorata.domain.invoices.open_money import OpenMoney
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import UNDELIVERED
from prorata.domain.texts import joined, say, say_n
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags as bill_flags
from prorata.store.bills.flags import OpenFlags
from prorata.store.database.engine import Tx
from prorata.store.invoices import searches as invoice_searches
from prorata.store.months import searches as month_searches
from prorata.store.overview import overview
from prorata.store.overview.overview import MonthNumber, Place

Kind = Literal[
    "overdue", "mailFailed", "jobsFailed", "questions", "disputes", "documents", "mail", "mailNotTaken", "flagged",
    "waiting", "pending", "missingFacts", "handOver", "drafts", "refunds", "webhooksOff", "paymentsToCheck",
]  # fmt: skip
MonthKind = Literal["pending", "missingFacts", "drafts"]
"""The kinds of matters for which months are named."""


class Attention(NamedTuple):
    """A task for a person: the size of its list, a sentence, and first places.

    The places are records or months to open, if there are any. With `has_more`, there are older months, whose rows are
    not counted.
    """

    kind: Kind
    number: int
    message: str
    places: tuple[Place, ...] = ()
    months: tuple[MonthNumber, ...] = ()
    has_more: bool = False


class OpenFigures(NamedTuple):
    """The open amounts in one currency over all months.

    `credit` belongs to households that still live in their units; `refund` is due to those that left, and for
    cancelled invoices.
    """

    currency: str
    money: OpenMoney


def attention(
    tx: Tx, caller: Caller, month: Month, opened: Sequence[OpenFigures], write: Forms = PLAIN
) -> Iterator[Attention]:
    """Yield the account's matters that need attention, the costliest first.

    Drafts for tenants are reported for the newest months with drafts, and for `month`.
    """
    if number := sum(one.money.overdue_number for one in opened):
        sums = _together(write, [(one.money.overdue, one.currency) for one in opened])
        said = say_n(
            "{n} invoice is past due: {sums}. Open it to send it again, or to mark it as paid.",
            "{n} invoices are past due: {sums}. Open one to send it again, or to mark it as paid.",
            number,
            n=write.count(number),
            sums=sums,
        )
        yield Attention("overdue", number, said)
    if number := sum(one.money.refund_number for one in opened):
        sums = _together(write, [(one.money.refund, one.currency) for one in opened])
        said = say_n(
            "{sums}: a refund is due. The invoice was cancelled, or its household has moved out.",
            "{sums}: refunds are due for {n} invoices that were cancelled or whose households have moved out.",
            number,
            n=write.count(number),
            sums=sums,
        )
        yield Attention("refunds", number, said)
    if number := invoice_searches.number_needing(tx, caller.account_id, UNDELIVERED, {}):
        said = say_n(
            "The e-mail of {n} invoice didn’t arrive, or is only in the outbox folder. See why, then send it again.",
            "The e-mails of {n} invoices didn’t arrive, or are only in the outbox folder. See why, then send them "
            "again together.",
            number,
            n=write.count(number),
        )
        yield Attention("mailFailed", number, said)
    yield from _failed(tx, caller, write)
    yield from _brought(tx, caller, write)
    yield from _places(tx, caller, write)
    yield from _to_hand_over(tx, caller, write)
    yield from _drafts(tx, caller, month, write)


def _together(write: Forms, sums: Sequence[tuple[int, str]]) -> str:
    """Format sums in several currencies."""
    return ", ".join(write.money(cents, currency) for cents, currency in sums if cents)


def _brought(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    if number := documents.number_in(tx, caller, [DRAFT_READ, UNREADABLE]):
        said = say_n(
            "{n} file in the Inbox to check.", "{n} files in the Inbox to check.", number, n=write.count(number)
        )
        yield Attention("documents", number, said)
    if found := bill_flags.open_flags(tx, caller.account_id):
        yield Attention("flagged", found.flagged, _flagged(found, write))
    mails = incoming_mail.number_waiting(tx, caller)
    if number := mails.not_allowed:
        said = say_n(
            "{n} message is waiting: its sender isn’t allowed, or can’t be verified.",
            "{n} messages are waiting: their senders aren’t allowed, or can’t be verified.",
            number,
            n=write.count(number),
        )
        yield Attention("mail", number, said)
    if number := mails.not_taken:
        said = say_n(
            "{n} message couldn’t be read completely. See why, and upload the files yourself.",
            "{n} messages couldn’t be read completely. See why, and upload the files yourself.",
            number,
            n=write.count(number),
        )
        yield Attention("mailNotTaken", number, said)


def _flagged(found: OpenFlags, write: Forms) -> str:
    said = say_n(
        "{n} bill is flagged: compare it with the original.",
        "{n} bills are flagged: compare them with the originals.",
        found.flagged,
        n=write.count(found.flagged),
    )
    if not found.held:
        return said
    if found.held == found.flagged:
        held = say_n(
            "It’s held: nobody is charged until you accept it.",
            "They’re held: nobody is charged until you accept them.",
            found.held,
        )
    else:
        held = say_n(
            "{n} of them is held: nobody is charged until you accept it.",
            "{n} of them are held: nobody is charged until you accept them.",
            found.held,
            n=write.count(found.held),
        )
    return joined([said, held])


def _to_hand_over(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    found = overview.to_hand_over(tx, caller.account_id)
    if not found:
        return
    named = tuple(found[: overview.PLACES])
    number, has_more = sum(one.number for one in named), len(found) > len(named)
    if has_more:
        said = say("More than {number} invoices to hand over.", number=write.count(number))
    elif len(named) == 1:
        said = say_n(
            "{n} invoice for {month} to hand over.",
            "{n} invoices for {month} to hand over.",
            number,
            n=write.count(number),
            month=write.month(Month(named[0].month)),
        )
    else:
        said = say_n("{n} invoice to hand over.", "{n} invoices to hand over.", number, n=write.count(number))
    why = joined([said, _why_by_hand(tx, caller)])
    yield Attention("handOver", number, why, months=named, has_more=has_more)


def _why_by_hand(tx: Tx, caller: Caller) -> str:
    if not account_actions.the_account(tx, caller).mail_on:
        return say("E-mail is turned off. Print these invoices, and mark the ones you’ve handed over.")
    return say("These invoices aren’t being e-mailed. Print them, and mark the ones you’ve handed over.")


def _places(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    number, places = overview.waiting(tx, caller.account_id)
    if number:
        said = say_n(
            "{n} bill arrived after the invoices for its month were sent. Choose which month to bill it in, or "
            "reopen its month.",
            "{n} bills arrived after the invoices for their months were sent. Choose which month to bill each in, or "
            "reopen its month.",
            number,
            n=write.count(number),
        )
        yield Attention("waiting", number, said, places)
    if number := month_searches.number(tx, caller.account_id, "missingFacts"):
        said = say_n(
            "{n} open month is missing floor areas, bedroom counts or weights that a rule needs.",
            "{n} open months are missing floor areas, bedroom counts or weights that a rule needs.",
            number,
            n=write.count(number),
        )
        yield Attention("missingFacts", number, said, _first(tx, caller, "missingFacts"))
    if number := month_searches.number(tx, caller.account_id, "pending"):
        said = say_n(
            "{n} sent month has corrections: tenants should have been charged different amounts. Decide what to do "
            "about each.",
            "{n} sent months have corrections: tenants should have been charged different amounts. Decide what to do "
            "about each.",
            number,
            n=write.count(number),
        )
        yield Attention("pending", number, said, _first(tx, caller, "pending"))


def _first(tx: Tx, caller: Caller, kind: MonthKind, month: Month | None = None) -> tuple[Place, ...]:
    of_month = {"month": month} if month else {}
    found = month_searches.walked(tx, caller.account_id, kind, of_month, limit=overview.PLACES, offset=0)
    return tuple(Place(row.property_id, row.property_name, row.month) for row in found)


def _drafts(tx: Tx, caller: Caller, month: Month, write: Forms) -> Iterator[Attention]:
    with_any = [one.month for one in accounts.invoice_counts_by_month(tx, caller.account_id) if one.draft]
    asked = sorted({*with_any[: overview.PLACES], month})
    found = overview.drafts_of_months(tx, caller.account_id, asked)
    if not found:
        return
    number, places = sum(one.drafts + one.vacant for one in found), sum(one.places for one in found)
    n, vacant = write.count(number), sum(one.vacant for one in found)
    if len(found) > 1:
        listed = joined(
            [say_n("{month}: {n} draft", "{month}: {n} drafts", one.drafts + one.vacant,
                   n=write.count(one.drafts + one.vacant), month=write.month(Month(one.month))) for one in found], ", ",
        )  # fmt: skip
        said = say("To check and send: {months}.", months=listed)
    elif places == 1:
        said = say_n(
            "{n} draft for {month} to check and send.", "{n} drafts for {month} to check and send.", number,
            n=n, month=write.month(Month(found[0].month)),
        )  # fmt: skip
    else:
        said = say_n(
            "{n} draft for {month} in {places} properties to check and send.",
            "{n} drafts for {month} in {places} properties to check and send.", number,
            n=n, month=write.month(Month(found[0].month)), places=write.count(places),
        )  # fmt: skip
    for_nobody = say_n(
        "{n} of them is for a vacant unit.", "{n} of them are for vacant units.", vacant, n=write.count(vacant)
    )
    said = joined([said, for_nobody if vacant else ""])
    if len(found) > 1:
        months = tuple(MonthNumber(one.month, one.places) for one in found)
        yield Attention("drafts", places, said, months=months, has_more=len(with_any) > overview.PLACES)
    else:
        only = Month(found[0].month)
        yield Attention("drafts", places, said, _first(tx, caller, "drafts", only), (MonthNumber(only, places),))


def _failed(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    if number := overview.failed_jobs(tx, caller.account_id):
        said = say_n(
            "{n} background task failed. See why, then try it again.",
            "{n} background tasks failed. See why, then try them all again.",
            number,
            n=write.count(number),
        )
        yield Attention("jobsFailed", number, said)
    waiting = tenant_questions.number_waiting(tx, caller)
    if number := waiting.questions:
        said = say_n("{n} tenant question to answer.", "{n} tenant questions to answer.", number, n=write.count(number))
        yield Attention("questions", number, said)
    if number := waiting.disputes:
        said = say_n("{n} disputed charge to settle.", "{n} disputed charges to settle.", number, n=write.count(number))
        yield Attention("disputes", number, said)
    if number := provider_events.number_to_check(tx, caller):
        said = say_n(
            "{n} payment message needs checking: it wasn’t counted, or may be counted twice.",
            "{n} payment messages need checking: they weren’t counted, or may be counted twice.",
            number,
            n=write.count(number),
        )
        yield Attention("paymentsToCheck", number, said)
    if number := webhooks.number_off(tx, caller):
        said = say_n(
            "{n} webhook was turned off and receives no messages. See why, then turn it on again.",
            "{n} webhooks were turned off and receive no messages. See why, then turn them on again.",
            number,
            n=write.count(number),
        )
        yield Attention("webhooksOff", number, said)
