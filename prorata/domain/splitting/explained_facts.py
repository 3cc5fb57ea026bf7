"""The facts in an explanation, parsed from JSON, on which all other numbers are based."""

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

    Its text is the field's path.
    """


class Fields:
    """An object in an explanation, and its path."""

    def __init__(self, content: object, path: str) -> None:
        if not isinstance(content, dict):
            raise Misread(path)
        self.content: Content = content
        self.path = path

    def at(self, name: str) -> str:
        """The path of one of its fields."""
        return f"{self.path}.{name}" if self.path else name

    def _one(self, name: str, kind: type[Any]) -> Any:
        value = self.content.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise Misread(self.at(name))
        return value

    def lacks(self, name: str) -> bool:
        """True if a field is null."""
        return name in self.content and self.content[name] is None

    def text(self, name: str) -> str:
        """Read a string."""
        return str(self._one(name, str))

    def text_or_none(self, name: str) -> str | None:
        """Read a string, or null."""
        return None if self.lacks(name) else self.text(name)

    def flag(self, name: str) -> bool:
        """Read a boolean."""
        return bool(self._one(name, bool))

    def whole(self, name: str) -> int:
        """Read a nonnegative whole number."""
        found = int(self._one(name, int))
        if found < 0:
            raise Misread(self.at(name))
        return found

    def whole_or_none(self, name: str) -> int | None:
        """Read a whole number, or null."""
        return None if self.lacks(name) else self.whole(name)

    def _written(self, name: str, form: re.Pattern[str]) -> str:
        found = self.text(name)
        if not form.fullmatch(found):
            raise Misread(self.at(name))
        return found

    def money(self, name: str) -> int:
        """Read an amount, in cents."""
        return int(self._written(name, _MONEY).replace(".", ""))

    def number(self, name: str) -> Fraction:
        """Read a nonnegative number."""
        return Fraction(self._written(name, _NUMBER))

    def number_or_none(self, name: str) -> Fraction | None:
        """Read a number, or null."""
        return None if self.lacks(name) else self.number(name)

    def percent(self, name: str) -> Fraction:
        """Read a percentage of at most 100."""
        found = self.number(name)
        if found > _HUNDRED:
            raise Misread(self.at(name))
        return found

    def share(self, name: str) -> tuple[int, int]:
        """Read a share from its two numbers."""
        part, whole = self._written(name, _SHARE).split("/")
        return int(part), int(whole)

    def day(self, name: str) -> date:
        """Read a day."""
        try:
            return date.fromisoformat(self.text(name))
        except ValueError:
            raise Misread(self.at(name)) from None

    def day_or_none(self, name: str) -> date | None:
        """Read a day, or null."""
        return None if self.lacks(name) else self.day(name)

    def one_of(self, name: str, values: Iterable[str]) -> str:
        """Read one of these codes."""
        found = self.text(name)
        if found not in values:
            raise Misread(self.at(name))
        return found

    def fields(self, name: str) -> "Fields":
        """Read an object."""
        return Fields(self.content.get(name), self.at(name))

    def each(self, name: str) -> "Iterator[Fields]":
        """Read a list of objects."""
        for at, one in enumerate(self._one(name, list)):
            yield Fields(one, f"{self.at(name)}[{at}]")


def object_of(text: str) -> Content | None:
    """Parse a JSON object; None for anything else, or if names repeat."""
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> Content:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _refused(_constant: str) -> None:
    raise ValueError


def read_month_facts(month: Fields) -> tuple[MonthFacts, dict[LineKey, str]]:
    """Read a month's facts, and the reasons for unbilled lines. Raises `Misread`."""
    name = read_month(month.text("month"))
    if name is None:
        raise Misread(month.at("month"))
    rules = [_rule(one) for one in month.each("rules")]
    lines = [_line(one) for one in month.each("lines")]
    reasons = {
        (line.bill_id, line.number): one.one_of("notBilled", NOT_BILLED_REASONS)
        for one, line in zip(month.each("lines"), lines, strict=True)
        if not one.lacks("notBilled")
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


def read_rule(one: Fields) -> Rule:
    """Read a rule version, without weights of units. Raises `Misread`."""
    blend = tuple(Component(part.one_of("splitMethod", METHODS), part.percent("percent")) for part in one.each("blend"))
    method = "" if blend else one.one_of("splitMethod", METHODS)
    return Rule(
        one.text("utilityType"), method, {}, one.percent("ownerPercent"), one.number("vacantOccupants"), blend,
        one.text_or_none("since"),
    )  # fmt: skip


def _rule(one: Fields) -> Rule:
    weights = one.fields("weights")
    return read_rule(one)._replace(weights={unit: weights.number(unit) for unit in weights.content})


def _line(one: Fields) -> Line:
    return read_line(one, one.text_or_none("utilityType"))


def read_line(one: Fields, utility_type: str | None) -> Line:
    """Read a line with its bill. Raises `Misread`."""
    bill, service = one.fields("bill"), one.fields("service")
    spread = None if one.lacks("spread") else one.fields("spread")
    days = LineDays(service.day("from"), service.day("to"))
    if days.first > days.last:
        raise Misread(service.at("to"))
    return Line(
        bill.text("id"),
        one.whole("number"),
        one.money("amount"),
        utility_type,
        bill.text("issuer"),
        bill.day("date"),
        bill.money("total"),
        one.flag("guessed"),
        None if spread is None else spread.whole("days"),
        None if spread is None else spread.whole("ofDays"),
        days,
    )


def _unit(one: Fields) -> UnitFacts:
    since, until = one.day_or_none("activeFrom"), one.day_or_none("activeTo")
    stays = (
        Stay(stay.text("tenantId"), stay.day_or_none("from"), stay.day_or_none("to"), stay.whole("occupants"))
        for stay in one.each("stays")
    )
    return UnitFacts(
        one.text("id"), one.text("label"), one.number_or_none("sqft"), one.whole_or_none("bedrooms"), since, until,
        clipped(stays, since, until),
    )  # fmt: skip


def _correction(one: Fields) -> CarriedCorrection:
    return CarriedCorrection(
        one.text("month"),
        one.text("unitId"),
        one.text_or_none("tenantId") or "",
        one.text("billId"),
        one.whole("line"),
        one.text_or_none("utilityType"),
        one.money("amount"),
        one.text("sentence"),
    )
