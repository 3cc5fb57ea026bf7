"""The amount to pay after a dispute, as e-mails and tenants' pages state it."""

from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.invoice_states import CANCELLED, DRAFT, UNPAID
from prorata.domain.locale_forms import Forms
from prorata.domain.mail.words.disputes import DisputeWords


class Owed(NamedTuple):
    """The `month`, current total and amount due of a disputed invoice; amounts are in cents."""

    month: Month
    total: int
    due: int
    due_date: date | None = None


class Correction(NamedTuple):
    """The correction of a disputed charge, with its amount in cents.

    `carrier` is the month of the invoice with the correction, or None if a future invoice will carry it.
    """

    amount: int
    carrier: Month | None


def owed(status: str, month: Month, total: int, asked: int, due_date: date | None) -> Owed | None:
    """Return the amounts of a disputed invoice; None if it is a draft.

    A draft may still change, so it has no final amounts.
    """
    if status == DRAFT:
        return None
    return Owed(month, 0 if status == CANCELLED else total, max(0, asked) if status in UNPAID else 0, due_date)


def what_to_pay(is_of: Owed, correction: Correction | None, words: DisputeWords, write: Forms, currency: str) -> str:
    """State the amount due on an invoice and, if there is one, its correction.

    The correction may be on a different invoice, which the text then names. `is_of` contains the amounts of the
    invoice on which a charge was disputed. `words` are the sentences in the tenant's language.

    >>> from prorata.domain.locale_forms import PLAIN
    >>> from prorata.domain.mail.words.disputes import DISPUTES
    >>> its = Owed(Month("2026-10"), 144_50, 144_50, date(2026, 12, 14))
    >>> print(what_to_pay(its, None, DISPUTES["en"], PLAIN, "USD"))
    The full $144.50 of this invoice is due. The due date is 2026-12-14.
    """
    is_here = correction is not None and correction.carrier == is_of.month
    sentences = [words.comes_to] if is_here and is_of.total else []
    if not is_of.due:
        sentences.append(words.nothing_due)
    elif is_of.due != is_of.total:
        sentences.append(words.due_now)
    elif not is_here:
        sentences.append(words.due_full)
    if is_of.due and is_of.due_date:
        sentences.append(words.due_date)
    if correction is not None and not is_here:
        off, more = (words.taken_off, words.added) if correction.carrier else (words.taken_off_next, words.added_next)
        sentences.append(off if correction.amount < 0 else more)
    return " ".join(sentences).format(
        due=write.money(is_of.due, currency),
        day=write.day(is_of.due_date) if is_of.due_date else "",
        total=write.money(is_of.total, currency),
        size=write.money(abs(correction.amount), currency) if correction else "",
        carrier=write.month(correction.carrier) if correction and correction.carrier else "",
    )
