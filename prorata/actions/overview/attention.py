"""Tasks for the account's members: everything that needs a person, with links."""

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
from prorata.domain.payments.files import OPEN as OPEN_FILE
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
from prorata.store.payments import files as payment_files

Kind = Literal[
    "overdue", "mailFailed", "jobsFailed", "questions", "disputes", "documents", "mail", "mailNotTaken", "flagged",
    "waiting", "pending", "missingFacts", "handOver", "drafts", "refunds", "webhooksOff", "paymentsToCheck",
    "statements",
]  # fmt: skip
MonthKind = Literal["otherwise", "missingFacts", "drafts"]
"""The kinds of tasks that are listed by month."""


class Attention(NamedTuple):
    """A task for a person, as a sentence with the number of records concerned.

    `places` are the records to open, and `months` the months to open, each with a number of records. `has_more` is
    set if there are older months, whose records `number` does not count.
    """

    kind: Kind
    number: int
    message: str
    places: tuple[Place, ...] = ()
    months: tuple[MonthNumber, ...] = ()
    has_more: bool = False


class OpenFigures(NamedTuple):
    """All open amounts in one currency.

    In `money`, `credit` belongs to households that still live in their units, and `refund` is due to households that
    moved out, or for cancelled invoices.
    """

    currency: str
    money: OpenMoney


def attention(
    tx: Tx, caller: Caller, month: Month, opened: Sequence[OpenFigures], write: Forms = PLAIN
) -> Iterator[Attention]:
    """Yield the account's tasks that need a person, the costliest kinds first.

    Drafts for tenants are reported for the newest months that have any, and for `month`.
    """
    if number := sum(open_figures.money.overdue_number for open_figures in opened):
        sums = _together(write, [(open_figures.money.overdue, open_figures.currency) for open_figures in opened])
        sentence = say_n(
            "{n} invoice is past due: {sums}. Remind its tenant, or open it to send it again or mark it as paid.",
            "{n} invoices are past due: {sums}. Remind their tenants, or open one to send it again or mark it as paid.",
            number,
            n=write.count(number),
            sums=sums,
        )
        yield Attention("overdue", number, sentence)
    if number := sum(open_figures.money.refund_number for open_figures in opened):
        sums = _together(write, [(open_figures.money.refund, open_figures.currency) for open_figures in opened])
        sentence = say_n(
            "{sums}: a refund is due. The invoice was cancelled, or its household has moved out.",
            "{sums}: refunds are due for {n} invoices that were cancelled or whose households have moved out.",
            number,
            n=write.count(number),
            sums=sums,
        )
        yield Attention("refunds", number, sentence)
    if number := invoice_searches.number_needing(tx, caller.account_id, UNDELIVERED, {}):
        sentence = say_n(
            "The e-mail with {n} invoice didn’t arrive, or is only in the outbox folder. See why, then send it again.",
            "The e-mails of {n} invoices didn’t arrive, or are only in the outbox folder. See why, then send them "
            "again together.",
            number,
            n=write.count(number),
        )
        yield Attention("mailFailed", number, sentence)
    yield from _failed(tx, caller, write)
    yield from _brought(tx, caller, write)
    if number := payment_files.number_in(tx, caller.account_id, OPEN_FILE):
        sentence = say_n(
            "{n} bank statement isn’t finished: record its payments, or set aside those that aren’t tenants’.",
            "{n} bank statements aren’t finished: record their payments, or set aside those that aren’t tenants’.",
            number,
            n=write.count(number),
        )
        yield Attention("statements", number, sentence)
    yield from _places(tx, caller, write)
    yield from _to_hand_over(tx, caller, write)
    yield from _drafts(tx, caller, month, write)


def _together(write: Forms, sums: Sequence[tuple[int, str]]) -> str:
    """Format amounts in several currencies as one text, leaving out zero amounts."""
    return ", ".join(write.money(cents, currency) for cents, currency in sums if cents)


def _brought(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    if number := documents.number_in(tx, caller, [DRAFT_READ, UNREADABLE]):
        sentence = say_n(
            "{n} file in the Inbox to check.", "{n} files in the Inbox to check.", number, n=write.count(number)
        )
        yield Attention("documents", number, sentence)
    if open_flags := bill_flags.open_flags(tx, caller.account_id):
        yield Attention("flagged", open_flags.flagged, _flagged(open_flags, write))
    mails = incoming_mail.number_waiting(tx, caller)
    if number := mails.not_allowed:
        sentence = say_n(
            "{n} message is waiting: its sender isn’t allowed, or can’t be verified.",
            "{n} messages are waiting: their senders aren’t allowed, or can’t be verified.",
            number,
            n=write.count(number),
        )
        yield Attention("mail", number, sentence)
    if number := mails.not_taken:
        sentence = say_n(
            "{n} message couldn’t be read completely. See why, and upload the files yourself.",
            "{n} messages couldn’t be read completely. See why, and upload the files yourself.",
            number,
            n=write.count(number),
        )
        yield Attention("mailNotTaken", number, sentence)


def _flagged(open_flags: OpenFlags, write: Forms) -> str:
    sentence = say_n(
        "{n} bill is flagged: compare it with the original.",
        "{n} bills are flagged: compare them with the originals.",
        open_flags.flagged,
        n=write.count(open_flags.flagged),
    )
    if not open_flags.held:
        return sentence
    if open_flags.held == open_flags.flagged:
        held = say_n(
            "It’s held: nobody is charged until you accept it.",
            "They’re held: nobody is charged until you accept them.",
            open_flags.held,
        )
    else:
        held = say_n(
            "{n} of them is held: nobody is charged until you accept it.",
            "{n} of them are held: nobody is charged until you accept them.",
            open_flags.held,
            n=write.count(open_flags.held),
        )
    return joined([sentence, held])


def _to_hand_over(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    to_hand_over = overview.to_hand_over(tx, caller.account_id)
    if not to_hand_over:
        return
    named = tuple(to_hand_over[: overview.PLACES])
    number, has_more = sum(month_number.number for month_number in named), len(to_hand_over) > len(named)
    if has_more:
        sentence = say("More than {number} invoices to hand over.", number=write.count(number))
    elif len(named) == 1:
        sentence = say_n(
            "{n} invoice for {month} to hand over.",
            "{n} invoices for {month} to hand over.",
            number,
            n=write.count(number),
            month=write.month(Month(named[0].month)),
        )
    else:
        sentence = say_n("{n} invoice to hand over.", "{n} invoices to hand over.", number, n=write.count(number))
    why = joined([sentence, _why_by_hand(tx, caller), say("Once an invoice is paid, it isn’t counted here.")])
    yield Attention("handOver", number, why, months=named, has_more=has_more)


def _why_by_hand(tx: Tx, caller: Caller) -> str:
    if not account_actions.the_account(tx, caller).mail_on:
        return say("E-mail is turned off. Print these invoices, and mark the ones you’ve handed over.")
    return say("These invoices aren’t being e-mailed. Print them, and mark the ones you’ve handed over.")


def _places(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    number, places = overview.waiting(tx, caller.account_id)
    if number:
        sentence = say_n(
            "{n} bill arrived after the invoices for its month were sent. Choose which month to bill it in, or "
            "reopen its month.",
            "{n} bills arrived after the invoices for their months were sent. Choose which month to bill each in, or "
            "reopen its month.",
            number,
            n=write.count(number),
        )
        yield Attention("waiting", number, sentence, places)
    if number := month_searches.number(tx, caller.account_id, "missingFacts"):
        sentence = say_n(
            "{n} open month is missing floor areas, bedroom counts or weights that a rule needs.",
            "{n} open months are missing floor areas, bedroom counts or weights that a rule needs.",
            number,
            n=write.count(number),
        )
        yield Attention("missingFacts", number, sentence, _first(tx, caller, "missingFacts"))
    if number := month_searches.number(tx, caller.account_id, "otherwise"):
        sentence = say_n(
            "{n} sent month has corrections: tenants should have been charged different amounts. Decide what to do "
            "about each.",
            "{n} sent months have corrections: tenants should have been charged different amounts. Decide what to do "
            "about each.",
            number,
            n=write.count(number),
        )
        yield Attention("pending", number, sentence, _first(tx, caller, "otherwise"))


def _first(tx: Tx, caller: Caller, kind: MonthKind, month: Month | None = None) -> tuple[Place, ...]:
    of_month = {"month": month} if month else {}
    month_rows = month_searches.walked(tx, caller.account_id, kind, of_month, limit=overview.PLACES, offset=0)
    return tuple(Place(row.property_id, row.property_name, row.month) for row in month_rows)


def _drafts(tx: Tx, caller: Caller, month: Month, write: Forms) -> Iterator[Attention]:
    with_any = [
        invoice_count.month
        for invoice_count in accounts.invoice_counts_by_month(tx, caller.account_id)
        if invoice_count.draft
    ]
    asked = sorted({*with_any[: overview.PLACES], month})
    month_drafts = overview.drafts_of_months(tx, caller.account_id, asked)
    if not month_drafts:
        return
    number, places = (
        sum(draft_count.drafts + draft_count.vacant for draft_count in month_drafts),
        sum(draft_count.places for draft_count in month_drafts),
    )
    n, vacant = write.count(number), sum(draft_count.vacant for draft_count in month_drafts)
    if len(month_drafts) > 1:
        listed = joined(
            [say_n("{month}: {n} draft", "{month}: {n} drafts", count.drafts + count.vacant,
                   n=write.count(count.drafts + count.vacant),
                   month=write.month(Month(count.month))) for count in month_drafts], ", ",
        )  # fmt: skip
        sentence = say("To check and send: {months}.", months=listed)
    elif places == 1:
        sentence = say_n(
            "{n} draft for {month} to check and send.", "{n} drafts for {month} to check and send.", number,
            n=n, month=write.month(Month(month_drafts[0].month)),
        )  # fmt: skip
    else:
        sentence = say_n(
            "{n} draft for {month} in {places} properties to check and send.",
            "{n} drafts for {month} in {places} properties to check and send.", number,
            n=n, month=write.month(Month(month_drafts[0].month)), places=write.count(places),
        )  # fmt: skip
    for_nobody = say_n(
        "{n} of them is for a vacant unit.", "{n} of them are for vacant units.", vacant, n=write.count(vacant)
    )
    sentence = joined([sentence, for_nobody if vacant else ""])
    if len(month_drafts) > 1:
        months = tuple(MonthNumber(draft_count.month, draft_count.places) for draft_count in month_drafts)
        yield Attention("drafts", places, sentence, months=months, has_more=len(with_any) > overview.PLACES)
    else:
        only = Month(month_drafts[0].month)
        yield Attention("drafts", places, sentence, _first(tx, caller, "drafts", only), (MonthNumber(only, places),))


def _failed(tx: Tx, caller: Caller, write: Forms) -> Iterator[Attention]:
    if number := overview.failed_jobs(tx, caller.account_id):
        sentence = say_n(
            "{n} background task failed. See why, then try it again.",
            "{n} background tasks failed. See why, then try them all again.",
            number,
            n=write.count(number),
        )
        yield Attention("jobsFailed", number, sentence)
    waiting = tenant_questions.number_waiting(tx, caller)
    if number := waiting.questions:
        sentence = say_n(
            "{n} tenant question to answer.", "{n} tenant questions to answer.", number, n=write.count(number)
        )
        yield Attention("questions", number, sentence)
    if number := waiting.disputes:
        sentence = say_n(
            "{n} disputed charge to settle.", "{n} disputed charges to settle.", number, n=write.count(number)
        )
        yield Attention("disputes", number, sentence)
    if number := provider_events.number_to_check(tx, caller):
        sentence = say_n(
            "{n} payment message needs checking: it wasn’t counted, or may be counted twice.",
            "{n} payment messages need checking: they weren’t counted, or may be counted twice.",
            number,
            n=write.count(number),
        )
        yield Attention("paymentsToCheck", number, sentence)
    if number := webhooks.number_off(tx, caller):
        sentence = say_n(
            "{n} webhook was turned off and receives no messages. See why, then turn it on again.",
            "{n} webhooks were turned off and receive no messages. See why, then turn them on again.",
            number,
            n=write.count(number),
        )
        yield Attention("webhooksOff", number, sentence)
