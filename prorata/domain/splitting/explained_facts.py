"""Reading the facts in an explanation, from which all of its other numbers follow."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import Any

from prorata.domain.billing_calendar import Month, read_month
from prorata.domain.splitting.month_facts import CarriedCorrection, Line, MonthFacts
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.sealed_json import Content
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import LineDays, Stay, UnitFacts, clipped
from prorata.domain.utility_names import NOT_BILLED_REASONS

_MONEY = re.compile(r"-?[0-9]{1,15}\.[0-9]{2}")
_NUMBER = re.compile(r"[0-9]{1,200}(\.[0-9]{1,200})?|[0-9]{1,200}/0*[1-9][0-9]{0,199}")
_SHARE = re.compile(r"[0-9]{1,400}/0*[1-9][0-9]{0,399}")
_HUNDRED = Fraction(100)


class Misread(ValueError):
    """An error for a missing or malformed field of an explanation.

    Its text is the field's path within the explanation.
    """


class Fields:
    """A JSON object in an explanation, with the path that leads to it."""

    def __init__(self, content: object, path: str) -> None:
        if not isinstance(content, dict):
            raise Misread(path)
        self.content: Content = content
        self.path = path

    def at(self, name: str) -> str:
        """Return the path of a field of the object."""
        return f"{self.path}.{name}" if self.path else name

    def _one(self, name: str, kind: type[Any]) -> Any:
        value = self.content.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise Misread(self.at(name))
        return value

    def lacks(self, name: str) -> bool:
        """True if a field of the object is null."""
        return name in self.content and self.content[name] is None

    def text(self, name: str) -> str:
        """Read a field that is a string.

        Raises `Misread` if the field is not a string.
        """
        return str(self._one(name, str))

    def text_or_none(self, name: str) -> str | None:
        """Read a field that is a string or null; None for null."""
        return None if self.lacks(name) else self.text(name)

    def flag(self, name: str) -> bool:
        """Read a field that is true or false.

        Raises `Misread` if the field is neither.
        """
        return bool(self._one(name, bool))

    def whole(self, name: str) -> int:
        """Read a field that is a nonnegative whole number.

        Raises `Misread` if the field is missing or has another value.
        """
        number_read = int(self._one(name, int))
        if number_read < 0:
            raise Misread(self.at(name))
        return number_read

    def whole_or_none(self, name: str) -> int | None:
        """Read a field that is a nonnegative whole number or null; None for null."""
        return None if self.lacks(name) else self.whole(name)

    def _written(self, name: str, form: re.Pattern[str]) -> str:
        text_written = self.text(name)
        if not form.fullmatch(text_written):
            raise Misread(self.at(name))
        return text_written

    def money(self, name: str) -> int:
        """Read a field that is an amount, and return its cents."""
        return int(self._written(name, _MONEY).replace(".", ""))

    def number(self, name: str) -> Fraction:
        """Read a field that is a nonnegative number, written as a decimal or fraction."""
        return Fraction(self._written(name, _NUMBER))

    def number_or_none(self, name: str) -> Fraction | None:
        """Read a field that is a nonnegative number or null; None for null."""
        return None if self.lacks(name) else self.number(name)

    def percent(self, name: str) -> Fraction:
        """Read a field that is a percentage.

        Raises `Misread` if the percentage exceeds 100.
        """
        percentage = self.number(name)
        if percentage > _HUNDRED:
            raise Misread(self.at(name))
        return percentage

    def share(self, name: str) -> tuple[int, int]:
        """Read a field that is a share, and return its numerator and denominator."""
        part, whole = self._written(name, _SHARE).split("/")
        return int(part), int(whole)

    def day(self, name: str) -> date:
        """Read a field that is a day.

        Raises `Misread` if the field is not a day.
        """
        try:
            return date.fromisoformat(self.text(name))
        except ValueError:
            raise Misread(self.at(name)) from None

    def day_or_none(self, name: str) -> date | None:
        """Read a field that is a day or null; None for null."""
        return None if self.lacks(name) else self.day(name)

    def one_of(self, name: str, values: Iterable[str]) -> str:
        """Read a field that is one of the codes in `values`.

        Raises `Misread` if the field has another value.
        """
        code = self.text(name)
        if code not in values:
            raise Misread(self.at(name))
        return code

    def fields(self, name: str) -> "Fields":
        """Read a field that is an object with fields."""
        return Fields(self.content.get(name), self.at(name))

    def each(self, name: str) -> "Iterator[Fields]":
        """Read a field that is a list, and yield the objects in it."""
        for at, item in enumerate(self._one(name, list)):
            yield Fields(item, f"{self.at(name)}[{at}]")


def object_of(text: str) -> Content | None:
    """Parse a JSON object; None for other text, or if an object repeats a name."""
    try:
        parsed = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> Content:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError
    return content


def _refused(_constant: str) -> None:
    raise ValueError


def read_month_facts(month: Fields) -> tuple[MonthFacts, dict[LineKey, str]]:
    """Read a month's facts from its explanation, and the reasons of unbilled lines.

    Raises `Misread` if a field is missing or malformed.
    """
    name = read_month(month.text("month"))
    if name is None:
        raise Misread(month.at("month"))
    rules = [_rule(fields) for fields in month.each("rules")]
    lines = [_line(fields) for fields in month.each("lines")]
    reasons = {
        (line.bill_id, line.number): fields.one_of("notBilled", NOT_BILLED_REASONS)
        for fields, line in zip(month.each("lines"), lines, strict=True)
        if not fields.lacks("notBilled")
    }
    facts = MonthFacts(
        Month(name),
        month.text("currency"),
        tuple(lines),
        {rule.utility_type: rule for rule in rules},
        tuple(map(_unit, month.each("units"))),
        tuple(map(_correction, month.each("corrections"))),
    )
    return facts, reasons


def read_rule(fields: Fields) -> Rule:
    """Read a rule version, without the units' weights.

    Raises `Misread` if a field is missing or malformed.
    """
    blend = tuple(
        Component(part.one_of("splitMethod", METHODS), part.percent("percent")) for part in fields.each("blend")
    )
    method = "" if blend else fields.one_of("splitMethod", METHODS)
    return Rule(
        fields.text("utilityType"), method, {}, fields.percent("ownerPercent"), fields.number("vacantOccupants"), blend,
        fields.text_or_none("since"),
    )  # fmt: skip


def _rule(fields: Fields) -> Rule:
    weights = fields.fields("weights")
    return read_rule(fields)._replace(weights={unit: weights.number(unit) for unit in weights.content})


def _line(fields: Fields) -> Line:
    return read_line(fields, fields.text_or_none("utilityType"))


def read_line(fields: Fields, utility_type: str | None) -> Line:
    """Read a line with its bill.

    Raises `Misread` if a field is missing or malformed.
    """
    bill, service = fields.fields("bill"), fields.fields("service")
    spread = None if fields.lacks("spread") else fields.fields("spread")
    days = LineDays(service.day("from"), service.day("to"))
    if days.first > days.last:
        raise Misread(service.at("to"))
    return Line(
        bill.text("id"),
        fields.whole("number"),
        fields.money("amount"),
        utility_type,
        bill.text("issuer"),
        bill.day("date"),
        bill.money("total"),
        fields.flag("guessed"),
        None if spread is None else spread.whole("days"),
        None if spread is None else spread.whole("ofDays"),
        days,
    )


def _unit(unit: Fields) -> UnitFacts:
    since, until = unit.day_or_none("activeFrom"), unit.day_or_none("activeTo")
    stays = (
        Stay(stay.text("tenantId"), stay.day_or_none("from"), stay.day_or_none("to"), stay.whole("occupants"))
        for stay in unit.each("stays")
    )
    return UnitFacts(
        unit.text("id"), unit.text("label"), unit.number_or_none("sqft"), unit.whole_or_none("bedrooms"), since, until,
        clipped(stays, since, until),
    )  # fmt: skip


def _correction(fields: Fields) -> CarriedCorrection:
    return CarriedCorrection(
        fields.text("month"),
        fields.text("unitId"),
        fields.text_or_none("tenantId") or "",
        fields.text("billId"),
        fields.whole("line"),
        fields.text_or_none("utilityType"),
        fields.money("amount"),
        fields.text("sentence"),
    )
