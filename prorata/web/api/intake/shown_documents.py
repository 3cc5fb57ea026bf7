"""Documents in the API's format: values with their certainty and places, and proposed bills."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from prorata.actions.intake.sent_documents import WholeDocument
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft, Line, Reading
from prorata.domain.intake.bill_reading.pictures import COMPARE
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.documents import PASSWORD
from prorata.domain.money import in_figures
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.web.api.bills.bills import shown_usage
from prorata.web.api.intake.document_schemas import (
    STATUSES,
    ChargedItem,
    Document,
    DocumentDraft,
    DocumentInFull,
    DocumentLine,
    DocumentPlace,
    PageSize,
    ProposedBill,
    ProposedLine,
    ReadLines,
    ReadValue,
    points,
)


def listed(whole: WholeDocument) -> Document:
    """Convert a document to an entry of the API's list of documents."""
    return Document(**_fields(whole))


def _fields(whole: WholeDocument) -> dict[str, Any]:
    row, draft = whole.row, whole.draft or UNREAD
    return {
        "id": row.id,
        "name": row.name,
        "status": STATUSES[row.state],
        "came_by": row.way.upper(),
        "size": row.size,
        "is_table": row.rows is not None,
        "reason": row.said,
        "needs_password": row.asks == PASSWORD,
        "issuer_name": draft.issuer.value,
        "total_amount_due": _figures(draft.total.value),
        "bill_date": _day(draft.bill_date.value),
        "currency": draft.currency or None,
        "bill_id": row.bill_id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def in_full(whole: WholeDocument) -> DocumentInFull:
    """Convert a document, with its values and proposed bill, to the API's format."""
    return DocumentInFull(
        **_fields(whole),
        draft=None if whole.draft is None else _draft(whole.draft),
        proposed=_proposed(whole),
        property_reason=whole.proposed.why,
        other_currency=whole.is_of_another_currency,
    )


def _proposed(whole: WholeDocument) -> ProposedBill:
    draft, of, is_other = whole.draft or UNREAD, whole.proposed.property, whole.is_of_another_currency
    lines = () if is_other else draft.lines.value or ()
    return ProposedBill(
        property_id=None if of is None else of.id,
        issuer_name=draft.issuer.value,
        total_amount_due=None if is_other else _figures(draft.total.value),
        bill_date=_day(draft.bill_date.value),
        lines=[ProposedLine(**_line(line)) for line in lines],
        due_date=_day(draft.due_date.value),
        service_period_start=_day(draft.service_start.value),
        service_period_end=_day(draft.service_end.value),
        account_number=draft.account_number.value,
        bill_number=draft.bill_number.value,
    )


def _draft(draft: Draft) -> DocumentDraft:
    return DocumentDraft(
        issuer_name=_value(draft.issuer),
        total_amount_due=_value(draft.total),
        bill_date=_value(draft.bill_date),
        due_date=_value(draft.due_date),
        service_period_start=_value(draft.service_start),
        service_period_end=_value(draft.service_end),
        service_address=_value(draft.service_address),
        account_number=_value(draft.account_number),
        bill_number=_value(draft.bill_number),
        lines=_lines(draft.lines),
        currency=draft.currency or None,
        language=draft.language,
        from_picture=draft.from_picture,
        note=draft.note,
        items=[
            ChargedItem(name=item.name, amount=in_figures(item.cents), kind=item.kind, choices=list(item.choices))
            for item in (draft.stated.items if draft.stated else ())
        ],
        pages=[PageSize(width=points(width), height=points(height)) for width, height in draft.sizes],
    )


def _value(reading: Reading[Any]) -> ReadValue:
    return ReadValue(
        surety=reading.surety.upper(),  # type: ignore[arg-type]
        value=_told(reading.value),
        choices=[_told(choice) or "" for choice in reading.choices],
        reason=_reason(reading),
        places=_places(reading.places),
    )


def _lines(reading: Reading[tuple[Line, ...]]) -> ReadLines:
    return ReadLines(
        surety=reading.surety.upper(),  # type: ignore[arg-type]
        value=None if reading.value is None else _all(reading.value),
        choices=[_all(choice) for choice in reading.choices],
        reason=_reason(reading),
    )


def _all(lines: Sequence[Line]) -> list[DocumentLine]:
    return [DocumentLine(**_line(line), places=_places(line.places)) for line in lines]


def _line(line: Line) -> dict[str, Any]:
    is_billed = line.name in UTILITY_TYPES
    return {
        "utility_type": line.name if is_billed else None,
        "not_billed": None if is_billed else line.name,
        "amount": in_figures(line.cents),
        "usage": shown_usage(line.usage) if line.usage else None,
    }


def _reason(reading: Reading[Any]) -> str | None:
    """Return the reason why a value is uncertain or missing, or None.

    An uncertain value without a reason of its own was read from a picture; all such values get the same reason.
    """
    return reading.reason or (COMPARE if reading.surety == "asked" else None)


def _told(value: object) -> str | None:
    match value:
        case None:
            return None
        case int():
            return in_figures(value)
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _figures(cents: int | None) -> str | None:
    return None if cents is None else in_figures(cents)


def _day(value: date | None) -> str | None:
    return value.isoformat() if value else None


def _places(places: Sequence[Place]) -> list[DocumentPlace]:
    return [
        DocumentPlace(page=page, left=points(left), top=points(top), right=points(right), bottom=points(bottom))
        for page, left, top, right, bottom in places
    ]
