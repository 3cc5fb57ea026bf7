"""What confirmed documents teach about the next bills of their issuer and account number."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from prorata.actions.bills.lines import as_new
from prorata.actions.limits import MOST_LESSONS
from prorata.domain.intake.bill_reading.issuers import Template
from prorata.domain.intake.bill_reading.learned_templates import Confirmed, number_key
from prorata.domain.intake.documents import BILLED
from prorata.domain.search_terms import folded
from prorata.store.bills import bills, held_lines
from prorata.store.database.engine import Tx
from prorata.store.intake import documents, learned_templates
from prorata.store.intake.learned_templates import LessonRow

LEARN = "learn from document"
"""The kind of job that learns from one."""
NO_NUMBER = (
    "Nothing was learned from this file for the next bill: bills are known again by their account number, and this "
    "bill has none."
)
PROTECTED = (
    "Nothing was learned from this file for the next bill: it needs a password, which is not kept. If the next one "
    "comes without a password, Prorata learns from that."
)
NOT_READ = "Nothing was learned from this file for the next bill: its text can't be read by a program."
NOT_SHOWN = (
    "Nothing was learned from this file for the next bill: it does not show the issuer and the account number as they "
    "stand on the bill."
)


class Taught(NamedTuple):
    """A document whose bill somebody has confirmed: what it holds, what was confirmed, and what was learned before."""

    content: bytes
    confirmed: Confirmed
    before: Template | None


def known(tx: Tx, account_id: str, numbers: Sequence[str]) -> list[Template]:
    """What was learned of any of these account numbers, as `lessons.number_key` writes them."""
    rows = learned_templates.of_numbers(tx, account_id, numbers, limit=MOST_LESSONS)
    return [_template(row) for row in rows]


def taught_by(tx: Tx, account_id: str, document_id: str) -> Taught | None:
    """What a document teaches by the bill that came of it; None where that is gone, or has no account number
    (`NO_NUMBER`).
    """
    bill_id = documents.bill_of(tx, account_id, document_id)
    row = bills.find(tx, account_id, bill_id) if bill_id else None
    content = documents.content(tx, account_id, document_id) if row else None
    if row is None or content is None or not row.account_number:
        return None
    lines = bills.lines(tx, account_id, row.id) or held_lines.of_bills(tx, account_id, [row.id])
    bill = as_new(row)
    confirmed = Confirmed(
        issuer=bill.issuer_name,
        account_number=bill.account_number,
        bill_number=bill.bill_number,
        bill_date=bill.bill_date,
        due_date=bill.due_date,
        service_start=bill.service_start,
        service_end=bill.service_end,
        kinds=frozenset(line.utility_type for line in lines if line.utility_type),
    )
    there = learned_templates.of_numbers(tx, account_id, [number_key(row.account_number)], limit=MOST_LESSONS)
    before = next((_template(one) for one in there if one.issuer == folded(row.issuer_name)), None)
    return Taught(content, confirmed, before)


def keep(tx: Tx, account_id: str, confirmed: Confirmed, lesson: Template) -> None:
    """Keep what was learned, in the place of what was learned of the same issuer and account number before."""
    number, text = number_key(confirmed.account_number or ""), msgspec.json.encode(lesson).decode()
    learned_templates.keep(tx, LessonRow(account_id, number, folded(confirmed.issuer), text, tx.now))


def note_nothing(tx: Tx, account_id: str, document_id: str, why: str) -> None:
    """Note in a sentence why nothing is learned from a document; of one whose bill is gone meanwhile, nothing."""
    row = documents.lock(tx, account_id, document_id)
    if row is not None and row.state == BILLED and documents.bill_of(tx, account_id, document_id):
        documents.save(tx, row._replace(said=why, updated_at=tx.now))


def _template(row: LessonRow) -> Template:
    return msgspec.json.decode(row.template, type=Template)
