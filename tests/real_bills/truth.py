"""The true contents of bills, and their comparison with what was read."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.spots import key_of
from prorata.domain.intake.pointing.lessons import FIELDS, Shown

_NAMES = {
    "account_number": "accountNumber",
    "bill_number": "billNumber",
    "bill_date": "billDate",
    "due_date": "dueDate",
    "service_start": "serviceStart",
    "service_end": "serviceEnd",
    "total": "total",
}


class Truth(NamedTuple):
    """The true contents of a bill: values by field, and lines in cents.

    Only the facts that a person could determine are included.
    """

    values: dict[str, str | date | int]
    lines: tuple[tuple[str, int], ...]

    def shown(self, issuer: str) -> Shown:
        """The true contents in the form in which a person confirms them."""
        texts = {name: value for name, value in self.values.items() if isinstance(value, str)}
        days = {name: value for name, value in self.values.items() if isinstance(value, date)}
        total = self.values.get("total")
        return Shown(issuer, texts, days, total if isinstance(total, int) else None, self.lines)


def truth_of(bill: Path) -> Truth:
    """The true contents of the bill `X.pdf`, read from `X.json`."""
    said: dict[str, Any] = json.loads(bill.with_suffix(".json").read_text(encoding="utf-8"))
    values = {field: _value(field, said[name]) for field, name in _NAMES.items() if said.get(name) not in (None, "")}
    lines = tuple(
        (line.get("utilityType") or line.get("notBilled"), _cents(line["amount"])) for line in said.get("lines") or ()
    )
    return Truth(values, lines)


def _value(field: str, text: str) -> str | date | int:
    if FIELDS[field] == "money":
        return _cents(text)
    return date.fromisoformat(text) if FIELDS[field] == "day" else text


def _cents(text: str) -> int:
    return round(float(text.replace(",", "")) * 100)


def outcomes(draft: Draft, truth: Truth) -> Iterator[tuple[str, str, str]]:
    """Yield each field with its outcome and its values.

    The outcomes are "right"; "first" or "offered" if the right value is the first or a later choice of a question;
    "asked" if it is no choice; "missing"; "wrong" if a wrong value was found without a question; and "not there".
    """
    for field in FIELDS:
        reading: Any = getattr(draft, field)
        value = truth.values.get(field)
        if value is None:
            yield (
                field,
                "wrong" if reading.surety == "found" and reading.value is not None else "not there",
                str(reading.value),
            )
        else:
            yield field, _outcome(reading, lambda one, value=value: _same(one, value)), f"{reading} for {value}"
    if truth.lines:
        wanted = {kind: cents for kind, cents in truth.lines if cents}
        yield (
            "lines",
            _outcome(draft.lines, lambda one: {line.name: line.cents for line in one} == wanted),
            f"{draft.lines} for {wanted}",
        )


def _same(one: Any, value: Any) -> bool:
    return key_of(one) == key_of(value) if isinstance(value, str) else bool(one == value)


def _outcome(reading: Any, is_right: Any) -> str:
    if reading.surety == "found":
        return "right" if is_right(reading.value) else "wrong"
    if reading.surety == "missing":
        return "missing"
    choices = list(reading.choices) or ([reading.value] if reading.value is not None else [])
    if choices and is_right(choices[0]):
        return "first"
    return "offered" if any(map(is_right, choices)) else "asked"
