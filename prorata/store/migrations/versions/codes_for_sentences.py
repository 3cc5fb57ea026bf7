"""Codes where sentences were compared: why a provider's message is not counted, that a run of a job was broken off, that
a document asks for its password, and what was read from a picture and has no other reason to be asked.

A sentence of a provider's message that is none of those that were ever written stays as it is, under the code `said`.
"""

import json
import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "codes_for_sentences"
down_revision = "first_schema"
branch_labels = None
depends_on = None

_SAME_MONEY = "Say at the invoice whether it is the same money."
_REASONS = {
    "It was not paid by a link of ours.": "of_others",
    "It was paid by a payment link of yours that is not known here, as where a backup was restored after the link was made. Enter the payment by hand.": "not_known",
    "Another amount was paid than the link asks for.": "other_amount",
    "Its invoice was deleted.": "invoice_deleted",
    "The payment that it is about was not counted. Where you entered that by hand, enter this too: a refund, or what came back.": "payment_not_counted",
    "The payment that it is about was taken back, so this is not counted. Where another entry stands for that payment, enter this by hand too.": "payment_taken_back",
    "What the dispute took was taken back, so what it gives back is not counted. Where another entry stands for that loss, enter this by hand too.": "loss_taken_back",
    "It gives another amount back than the dispute took.": "gives_other_amount",
    "This refund failed after all. Where you entered it by hand, take that back.": "refund_failed",
    f"Its invoice had been marked as paid before this came, and both count. {_SAME_MONEY}": "marked_as_paid",
    f"A payment of the same amount was entered by hand too, and both count. {_SAME_MONEY}": "paid_twice",
    f"A refund of the same amount was entered by hand too, and both count. {_SAME_MONEY}": "refunded_twice",
}
_NAMING = {
    "not_known_of_invoice": r"It was paid by a payment link of yours .* was made\. It was made for invoice (?P<number>.+): enter the payment by hand\.",
    "other_currency": r"It was paid in (?P<paid_in>[A-Z]{3}), and the link asks for (?P<currency>[A-Z]{3})\.",
    "refund_in_other_currency": r"It is in (?P<currency>[A-Z]{3}), and was paid in (?P<paid_in>[A-Z]{3})\.",
    "of_somebody_else": r"It was paid by the link that (?P<payer>.+) had for invoice (?P<number>.+), which is for (?P<tenant>.+) by now\. Give it back, or enter it by hand where it belongs\.",
}
_COMPARE = json.dumps("It was read from a picture. Compare it with the page.")

_AT_ONCE = 1_000
_TOLD = sa.text(
    "SELECT account_id, provider, event_id, why FROM provider_event "
    "WHERE why IS NOT NULL AND (account_id, provider, event_id) > (:account, :provider, :event) "
    "ORDER BY account_id, provider, event_id LIMIT :at_once"
)
_PUT = sa.text(
    "UPDATE provider_event SET why = :code, why_details = :details "
    "WHERE account_id = :account AND provider = :provider AND event_id = :event"
)


def _key(row: sa.Row[tuple[str, str, str, str]]) -> dict[str, Any]:
    return {"account": row.account_id, "provider": row.provider, "event": row.event_id}


def _code_of(sentence: str) -> tuple[str, str | None]:
    """The code of a sentence, and what that names, as JSON."""
    if sentence in _REASONS:
        return _REASONS[sentence], None
    for code, pattern in _NAMING.items():
        if found := re.fullmatch(pattern, sentence, re.DOTALL):
            return code, json.dumps(found.groupdict(), ensure_ascii=False)
    return "said", json.dumps({"says": sentence}, ensure_ascii=False)


def upgrade() -> None:
    op.add_column("provider_event", sa.Column("why_details", sa.Text()))
    op.add_column("document", sa.Column("asks", sa.String(length=16)))
    connection = op.get_bind()
    seen: dict[str, Any] = {"account": "", "provider": "", "event": "", "at_once": _AT_ONCE}
    while told := connection.execute(_TOLD, seen).all():
        coded = [(row, _code_of(row.why)) for row in told]
        connection.execute(_PUT, [_key(row) | {"code": code, "details": details} for row, (code, details) in coded])
        seen |= _key(told[-1])
    connection.execute(
        sa.text("UPDATE job SET last_error = 'broken_off' WHERE last_error = :sentence"),
        {"sentence": "The worker that did it ended in the middle of it, or could not reach the database for too long."},
    )
    connection.execute(
        sa.text("UPDATE document SET asks = 'password' WHERE said = :locked OR said = :wrong"),
        {
            "locked": "This PDF is protected by a password. Enter its password, or save it without one.",
            "wrong": "This is not the password of this PDF.",
        },
    )
    connection.execute(
        sa.text("UPDATE document SET draft = replace(draft, :reason, 'null') WHERE draft LIKE :like"),
        {"reason": _COMPARE, "like": f"%{_COMPARE}%"},
    )
