"""Lessons about issuers, learned from confirmed documents.

An issuer's lesson has one part about the pages of its bills and another about its e-invoices.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from prorata.actions.bills import lines as bill_lines
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.e_invoices.drafts import E_INVOICE, lesson_of, with_lesson
from prorata.store.bills import bills, held_lines
from prorata.store.database.engine import Tx
from prorata.store.intake import issuer_lessons
from prorata.store.intake.issuer_lessons import IssuerLesson

Lesson = Mapping[str, Any]
_NOTHING: Lesson = {}


def known(tx: Tx, account_id: str, issuer_key: str, part: str) -> Lesson:
    """Return the given part of an issuer's lesson; empty if nothing was learned."""
    row = issuer_lessons.find(tx, account_id, issuer_key)
    return _NOTHING if row is None else _parts(row).get(part, _NOTHING)


def keep(tx: Tx, account_id: str, issuer_key: str, issuer_name: str, part: str, lesson: Lesson) -> None:
    """Store one part of an issuer's lesson, leaving the other parts unchanged."""
    row = issuer_lessons.lock(tx, account_id, issuer_key)
    parts = {**(_parts(row) if row else {}), part: lesson}
    text = msgspec.json.encode(parts).decode()
    issuer_lessons.keep(tx, IssuerLesson(account_id, issuer_key, issuer_name, text, tx.now))


def forget(tx: Tx, account_id: str, issuer_key: str, part: str) -> None:
    """Delete one part of an issuer's lesson."""
    row = issuer_lessons.lock(tx, account_id, issuer_key)
    parts = _parts(row) if row else {}
    if parts.pop(part, None) is None or row is None:
        return
    if parts:
        text = msgspec.json.encode(parts).decode()
        issuer_lessons.keep(tx, row._replace(lesson=text, updated_at=tx.now))
    else:
        issuer_lessons.forget(tx, account_id, issuer_key)


def applied(tx: Tx, account_id: str, draft: Draft) -> Draft:
    """Return an e-invoice's draft after applying the lesson about its issuer."""
    if draft.stated is None:
        return draft
    return with_lesson(draft, known(tx, account_id, draft.stated.seller, E_INVOICE))


def teach(tx: Tx, account_id: str, draft: Draft | None, bill_id: str) -> bool:
    """Learn from an e-invoice and its confirmed bill; return False if it isn't an e-invoice."""
    if draft is None or draft.stated is None:
        return False
    bill = bills.find(tx, account_id, bill_id)
    assert bill is not None, "it was added just now"
    amounts = amounts_of(tx, account_id, bill_id)
    before = known(tx, account_id, draft.stated.seller, E_INVOICE)
    lesson = lesson_of(with_lesson(draft, before), before, amounts, bill.account_number)
    keep(tx, account_id, draft.stated.seller, bill.issuer_name, E_INVOICE, lesson)
    return True


def amounts_of(tx: Tx, account_id: str, bill_id: str) -> Mapping[str, int]:
    """Map a bill's utility types and unbilled reasons to cents, even for a held bill."""
    return bill_lines.amounts_of(bills.lines(tx, account_id, bill_id) or held_lines.of_bills(tx, account_id, [bill_id]))


def is_known(tx: Tx, account_id: str, draft: Draft) -> bool:
    """True if anything was learned about an e-invoice's issuer."""
    return draft.stated is not None and bool(known(tx, account_id, draft.stated.seller, E_INVOICE))


def _parts(row: IssuerLesson) -> dict[str, Any]:
    return msgspec.json.decode(row.lesson, type=dict[str, Any])
