"""Places in a list of invoices, as addresses of its pages name them: what an invoice had in the order's columns.

A page that begins behind such a place stays the same page when the invoice there is changed or goes.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from prorata.domain.names import invoice_number_order
from prorata.errors import InvalidRequest
from prorata.store.invoice_orders import SORTS, Place, columns_of
from prorata.store.invoices import InvoiceSummary

LONGEST_MARK = 2_000
_LARGEST = 2**63


def mark_of(sort: str, row: InvoiceSummary) -> str:
    """The place of an invoice in an order."""
    values = {**row._asdict(), "number_key": invoice_number_order(row.number)}
    place = [values[name] for name in columns_of(sort)]
    return urlsafe_b64encode(json.dumps(place, ensure_ascii=False).encode()).decode().rstrip("=")


def place_of(sort: str, mark: str) -> Place:
    """The place that a mark names. Raises `InvalidRequest` for what is none of this order."""
    try:
        place = json.loads(urlsafe_b64decode(mark + "=" * (-len(mark) % 4)))
    except (ValueError, RecursionError):
        place = None
    if not isinstance(place, list) or not _fits(sort, place):
        raise InvalidRequest("The address of this page can't be read. Begin at the first page of the list.")
    return tuple(place)


def _fits(sort: str, place: list[object]) -> bool:
    """Whether a place has a value for each column of an order, of the kind that the column has."""
    names = columns_of(sort)
    may_lack = {group.columns[0].key for group in SORTS[sort] if group.may_lack}
    return len(place) == len(names) and all(
        (value is None and name in may_lack) or _is_value(name, value) for name, value in zip(names, place, strict=True)
    )


def _is_value(name: str, value: object) -> bool:
    if name == "total":
        return type(value) is int and abs(value) < _LARGEST
    return isinstance(value, str) and "\0" not in value and value == value.encode(errors="replace").decode()
