"""Descriptions of disputes, shown on the tenant's page with the questions and the charges."""

from datetime import date
from typing import NamedTuple

from prorata.actions.delivery.tenant_pages import TenantPage
from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.dispute_words import DISPUTE_WORDS
from prorata.domain.delivery.disputes import CORRECTED, OPEN, RESOLVED, WITHDRAWN
from prorata.domain.delivery.ended_disputes import Correction, owed, what_to_pay
from prorata.domain.languages import language_of
from prorata.domain.locale_forms import Forms
from prorata.domain.mail.words.disputes import DISPUTES
from prorata.store.delivery.disputes import ListedDispute
from prorata.store.delivery.tenant_pages import QuestionRow

_ANSWERED = (CORRECTED, RESOLVED)


class WrittenDispute(NamedTuple):
    """A dispute as the tenant's page describes it: amount, start, files, deadline and end.

    While the dispute is open, `due` is shown: the deadline for the landlord's answer or, after an answer, what
    follows from it. Afterwards, `ended` and `reason` are shown instead.
    """

    since: str
    files: str
    due: str
    ended: str
    reason: str
    is_open: bool


class WayToDispute(NamedTuple):
    """A way to dispute a charge on the tenant's page, or the charge's open dispute.

    `charge_id` is the charge's id, or empty if the charge can't be disputed now. `dispute_id` is the id of the
    charge's open dispute, or empty. If earlier disputes of the charge have ended, `ended` states how the latest of
    them ended.
    """

    charge_id: str
    dispute_id: str
    ended: str = ""


def ways_to_dispute(page: TenantPage, forms: Forms) -> list[WayToDispute]:
    """List, for each charge on a tenant's page, the way to dispute it."""
    ways = list[WayToDispute]()
    for charge_id, charge in zip(page.charge_ids, page.printed.charges, strict=True):
        its = page.open_dispute_of(charge_id)
        if its:
            ways.append(WayToDispute("", its.question_id))
            continue
        answered = [
            dispute
            for dispute in page.disputes.values()
            if dispute.charge_id == charge_id and dispute.state in _ANSWERED
        ]
        last = max(answered, key=lambda dispute: dispute.ended_at or "", default=None)
        ended = _ended(last, page, forms) + (f" {last.reason}" if last.reason else "") if last else ""
        ways.append(WayToDispute(charge_id if charge.amount else "", "", ended))
    return ways


def written_dispute(page: TenantPage, question: QuestionRow, forms: Forms) -> WrittenDispute | None:
    """Describe a question that is a dispute; return None for any other question."""
    row = page.disputes.get(question.id)
    if row is None:
        return None
    words, currency = DISPUTE_WORDS[language_of(page.printed.copy.locale)], page.printed.copy.currency
    is_open = row.state == OPEN
    begun = words.since if is_open else words.was
    since = begun.format(amount=forms.money(row.amount, currency), day=forms.day(page.day_of(row.asked_at)))
    answer_by = date.fromisoformat(row.answer_by)
    due = (words.was_due if answer_by < page.today else words.due).format(day=forms.day(answer_by))
    if row.answered_at:
        still_open = DISPUTES[language_of(page.printed.copy.locale)].still_open
        due = still_open.format(biller=page.printed.copy.biller.name)
    ended = "" if is_open else _ended(row, page, forms)
    names = page.files.get(question.id, ())
    files = words.with_files.format(names=", ".join(names)) if names else ""
    return WrittenDispute(since, files, due if is_open else "", ended, row.reason or "", is_open)


def _ended(row: ListedDispute, page: TenantPage, forms: Forms) -> str:
    printed, language = page.printed, language_of(page.printed.copy.locale)
    words, currency = DISPUTE_WORDS[language], printed.copy.currency
    by_state = {RESOLVED: words.resolved, CORRECTED: words.corrected, WITHDRAWN: words.withdrawn}
    sentence = by_state[row.state].format(
        biller=printed.copy.biller.name,
        day=forms.day(page.day_of(row.ended_at or row.asked_at)),
        amount=forms.money(row.corrected or 0, currency),
    )
    by_now = owed(printed.status, printed.month, printed.total, printed.asked, printed.due_date)
    if row.state != CORRECTED or by_now is None:
        return sentence
    correction = Correction(row.corrected or 0, Month(row.carrier) if row.carrier else None)
    return f"{sentence} {what_to_pay(by_now, correction, DISPUTES[language], forms, currency)}"
