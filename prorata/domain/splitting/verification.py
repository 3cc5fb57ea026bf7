"""The verification of an explanation by itself: its hash and all its numbers.

See docs/explanations.md.
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import read_month
from prorata.domain.countries import in_square_metres
from prorata.domain.groups import grouped
from prorata.domain.locale_forms import FORMER, PLAIN, Forms, counted
from prorata.domain.money import beyond_rounding, in_figures, in_words as money_in_words, part_with_place
from prorata.domain.splitting.correction_sentences import about_correction, comes_to, sentence as correction_sentence
from prorata.domain.splitting.division import Piece, blend_amounts, in_words
from prorata.domain.splitting.explained_facts import Fields, Misread, object_of, read_line, read_month_facts, read_rule
from prorata.domain.splitting.explained_invoices import (
    BY_HAND,
    CORRECTED_SHARE,
    CORRECTION,
    FIELDS,
    SHARE,
    STATED,
    share_of,
)
from prorata.domain.splitting.explained_months import INVOICE, MONTH, ExplainedMonth
from prorata.domain.splitting.month_facts import Line
from prorata.domain.splitting.planned_charges import about_bill, cents_in_words
from prorata.domain.splitting.sealed_json import FORMAT, SEAL, Content, number, ratio, seal_of
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import METHODS, SPLIT_METHODS

_TOLD_AT_ONCE = 20
_ONE, _HUNDRED = Fraction(1), Fraction(100)


class Verified(NamedTuple):
    """The result of a verification, in words: checks, differences and questions.

    Of its charges, `computed` were recomputed, and `taken` were accepted as stated. Correct results may need a
    question (`ask`), too.
    """

    checked: tuple[str, ...]
    differences: tuple[str, ...]
    computed: int = 0
    taken: int = 0
    ask: tuple[str, ...] = ()


class _Found(NamedTuple):
    """The recomputed explanation, and the checks made."""

    checked: tuple[str, ...]
    right: Content
    computed: int
    taken: int
    doubled: tuple[str, ...] = ()
    """The charges of lines that another charge already covers."""
    ask: tuple[str, ...] = ()


class Unverifiable(ValueError):
    """An error, with a sentence, for a text that is not an explanation."""


def verify(text: str) -> Verified:
    """Verify an explanation by itself. Raises `Unverifiable` if it is not one."""
    content = object_of(text)
    if content is None:
        raise Unverifiable("This is no JSON object, or not all of one: it may have been cut off.")
    if "format" not in content:
        raise Unverifiable("This is JSON, and no explanation: it has no “format”.")
    if content["format"] != FORMAT or content.get("of") not in _KINDS:
        raise Unverifiable(f"This is no explanation of the format {FORMAT}, the only one that this program knows.")
    try:
        seal = seal_of(content)
    except (UnicodeEncodeError, ValueError):
        raise Unverifiable("This is JSON, and no explanation: it holds text or a number that none has.") from None
    try:
        out = _KINDS[content["of"]](Fields(content, ""))
    except Misread as error:
        return Verified((), (f"{error}: missing, or not as {FORMAT} has it",))
    except OverflowError:
        return Verified((), ("a day lies beyond the calendar",))
    found = [*_differences(content, {**out.right, SEAL: content.get(SEAL)}, ""), *out.doubled]
    if content.get(SEAL) != seal:
        found.insert(0, f"{SEAL}: the hash of this explanation is {seal}")
    more = len(found) - _TOLD_AT_ONCE
    told = (*found[:_TOLD_AT_ONCE], *((f"and {more} more",) if more > 0 else ()))
    return Verified(out.checked, told, out.computed, out.taken, out.ask)


def _differences(said: object, right: object, path: str) -> Iterator[str]:
    if isinstance(said, dict) and isinstance(right, dict):
        for name in dict.fromkeys((*right, *said)):
            where = f"{path}.{name}" if path else name
            if name not in right:
                yield f"{where}: no field of {FORMAT}"
            elif name not in said:
                yield f"{where}: missing"
            else:
                yield from _differences(said[name], right[name], where)
    elif isinstance(said, list) and isinstance(right, list) and len(said) == len(right):
        for at, (one, other) in enumerate(zip(said, right, strict=True)):
            yield from _differences(one, other, f"{path}[{at}]")
    elif said != right or isinstance(said, bool) is not isinstance(right, bool):
        yield f"{path}: {_shown(said)} is said, {_shown(right)} comes out"


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else "nothing" if value is None else f"“{value}”"


def _month(fields: Fields) -> _Found:
    facts, reasons = read_month_facts(fields)
    right = ExplainedMonth(facts, fields.text("propertyId")).content(reasons)
    parts = sum(len(step["units"]) for line in right["lines"] for step in line["steps"])
    checked = (
        f"{SEAL}: the hash of everything else",
        f"lines: {len(right['lines'])}, divided anew over {len(facts.units)} units: {parts} shares with their cents",
        f"households: {len(right['households'])}, what each bears",
        f"taken as they say: {counted(len(facts.corrections), 'correction')} of earlier months",
        f"total: {right['total']}, of which {right['owner']} are the owner’s",
    )
    computed = sum(len(one["charges"]) for one in right["households"])
    return _Found(checked, right, computed, len(facts.corrections))


def _invoice(fields: Fields) -> _Found:
    charges = [_charge(one, fields.text("currency")) for one in fields.each("charges")]
    total = in_figures(sum(one.money("amount") for one in fields.each("charges")))
    shares, corrected, by_hand, stated = (
        sum(one["kind"] == kind for one in charges) for kind in (SHARE, CORRECTED_SHARE, BY_HAND, STATED)
    )
    read = sum(one["kind"] == CORRECTION and comes_to(one["sentence"]) is not None for one in charges)
    unread = len(charges) - shares - corrected - by_hand - stated - read
    checked = (
        f"{SEAL}: the hash of everything else",
        f"computed anew, with every cent in its bounds: {counted(shares, 'share')}, {counted(corrected, 'correction')}",
        f"held against what is said to be right: {counted(read, 'correction')}",
        f"taken as they say: {by_hand} by hand, {stated} stated, {counted(unread, 'correction')} not to be read",
        f"total: {total}, of {counted(len(charges), 'charge')}",
    )
    right = {**fields.content, "charges": charges, "total": total}
    return _Found(
        checked, right, shares + corrected + read, by_hand + stated + unread,
        tuple(_doubled(charges)), tuple(_beyond_their_bill(charges)),
    )  # fmt: skip


def _beyond_their_bill(charges: list[Content]) -> Iterator[str]:
    """Report bills whose lines exceed their total, for instance because a line appears twice.

    Such a line would have two numbers. An excess may be correct, because other lines, which the invoice does not show,
    can be credits.
    """
    shares = [(f"charges[{at}]", Fields(one, "")) for at, one in enumerate(charges) if "steps" in one]
    of_bills = grouped(
        ((one.fields("line").fields("bill").text("id"), one.content.get("correctsMonth")), (name, one))
        for name, one in shares
    )
    for its in of_bills.values():
        lines = {one.fields("line").whole("number"): one for _, one in its}
        known = sum(one.fields("line").money("amount") for one in lines.values())
        of_bill = its[0][1].fields("line").money("amount") + its[0][1].money("otherLines")
        if len(lines) > 1 and known * (of_bill - known) < 0:
            yield (
                f"{', '.join(name for name, _ in its)}: lines of {in_figures(known)} in all, of a bill with "
                f"{in_figures(of_bill)} to divide; only credits among its other lines make that so"
            )


def _doubled(charges: list[Content]) -> Iterator[str]:
    """Report charges of a bill line that another charge already covers.

    Corrections of one line are distinguished by their sentences.
    """
    seen: dict[object, int] = {}
    for at, one in enumerate(charges):
        line = one.get("line")
        of = (line["bill"]["id"], line["number"]) if isinstance(line, dict) else (one.get("billId"), line)
        corrects = [one.get(name) for name in ("correctsMonth", "correctsTenantId")]
        first = seen.setdefault((*of, *corrects, "" if one["kind"] == SHARE else one["sentence"]), at)
        if one["kind"] != BY_HAND and first != at:
            yield f"charges[{at}]: the same line as charges[{first}]"


_KINDS = {MONTH: _month, INVOICE: _invoice}


def _charge(one: Fields, currency: str) -> Content:
    """Recompute a charge.

    Custom and stated charges are accepted as stated, and a correction by its sentence.
    """
    kind, amount, sentence = one.one_of("kind", FIELDS), one.money("amount"), one.text("sentence")
    own = {name: one.content.get(name) for name in FIELDS[kind]}
    if kind in {SHARE, CORRECTED_SHARE}:
        return own | _share(one, kind, currency)
    if kind == BY_HAND:
        return own
    own |= {"billId": one.text("billId"), "line": one.whole("line"), "utilityType": one.text_or_none("utilityType")}
    if kind == STATED:
        return own
    come = comes_to(sentence)
    return own | {"correctsMonth": one.text("correctsMonth"), "amount": in_figures(amount if come is None else come)}


def _share(one: Fields, kind: str, currency: str) -> Content:
    said = one.fields("line")
    line, rule = read_line(said, said.text("utilityType")), read_rule(one.fields("rule"))
    taken = sum(part.money("amount") for part in one.each("deductions"))
    bill = {**said.fields("bill").content, "total": in_figures(line.amount + taken + one.money("otherLines"))}
    amounts = blend_amounts(line.amount, rule) if rule.blend else [line.amount]
    wanted = rule.blend or ((rule.split_method, None),)
    said_steps = list(one.each("steps"))
    if len(said_steps) != len(wanted):
        raise Misread(one.at("steps"))
    steps = [
        _Step(step, method, percent, amount, rule, line).content()
        for step, (method, percent), amount in zip(said_steps, wanted, amounts, strict=False)
    ]
    part = sum(Fields(step, one.at("steps")).money("part") for step in steps)
    share = share_of(steps, rule)
    less = {name: one.money(name) for name in _LESS[kind]}
    reasons = _reasons(one, line, rule, steps, part)
    plain = [_SENTENCES[kind](one, line, currency, part, why) for why in reasons]
    sentences = [*plain, *map(in_square_metres, plain)]
    return {
        "line": {**said.content, "bill": bill, "service": _days_of(line)},
        "steps": steps,
        "share": share,
        "part": in_figures(part),
        "amount": in_figures(part - sum(less.values())),
        "sentence": one.text("sentence") if one.text("sentence") in sentences else sentences[0],
    }


def _days_of(line: Line) -> Content:
    assert line.service is not None, "a line was read with its days"
    first, last = map(date.isoformat, line.service)
    return {"from": first, "to": last, "days": line.service.number}


class _Step:
    """A step of a charge, recomputed."""

    def __init__(
        self, said: Fields, method: str, percent: Fraction | None, amount: int, rule: Rule, line: Line
    ) -> None:
        self.said = said
        self.method = SPLIT_METHODS[said.one_of("splitMethod", METHODS)]
        self.right: Content = {
            "splitMethod": method,
            "percent": None if percent is None else number(percent),
            "amount": in_figures(amount),
        }
        self.amount = amount
        self.given = _ONE if rule.blend else Fraction(_HUNDRED - rule.owner_percent, _HUNDRED)
        self.line = line

    def content(self) -> Content:
        """The recomputed step."""
        if self.said.lacks("unit"):
            return {**self.right, "unit": None, "household": None, "part": "0.00"}
        unit = self._unit(self.said.fields("unit"))
        household = None if self.said.lacks("household") else self._household(unit, self.said.fields("household"))
        return {**self.right, "unit": unit, "household": household, "part": (household or unit)["part"]}

    def _unit(self, said: Fields) -> Content:
        assert self.line.service is not None, "a line was read with its days"
        measure, active = said.number_or_none("measure"), said.whole("activeDays")
        by_days = said.flag("byDays")
        if self.method.of_hundred:
            by_days = active != self.line.service.number
        weight = measure or Fraction()
        if by_days or (self.method.of_hundred and said.number("weight") == weight * active):
            weight *= active
        return {**said.content, "byDays": by_days, "weight": number(weight), **_parted(said, self.amount, self.given)}

    def _household(self, unit: Content, said: Fields) -> Content:
        amount = Fields(unit, said.path).money("part")
        right = {**said.content, **_parted(said, amount, _ONE)}
        if not self.method.counts_people:
            right |= {"weight": number(said.whole("days")), "weights": number(said.whole("ofDays"))}
        return right


def _parted(said: Fields, amount: int, given: Fraction) -> Content:
    """Recompute the share and part of an amount divided by weights, unreduced."""
    written, whole = said.share("share")
    weight, weights = said.number("weight"), said.number("weights")
    exact = Fraction(weight, weights) * given if weights else Fraction()
    is_right = Fraction(written, whole) == exact and written <= whole
    share = ratio(written, whole) if is_right else ratio(*exact.as_integer_ratio())
    place, left = said.whole("place"), said.whole("centsLeft")
    return {"share": share, "part": in_figures(part_with_place(amount, written, whole, place=place, left=left))}


def _reasons(one: Fields, line: Line, rule: Rule, steps: list[Content], part: int) -> list[str]:
    """The possible reasons for a part of a line, in current and older wording.

    The older wording did not mention a cent.
    """
    exact = line.amount * Fraction(share_of(steps, rule))
    pieces = [_piece(Fields(step, one.at("steps")), line) for step in steps if step["unit"] is not None]
    cents = cents_in_words(beyond_rounding(part, *exact.as_integer_ratio()))
    return [_reason(pieces, rule, PLAIN) + cents, _reason(pieces, rule, FORMER)]


def _of_share(one: Fields, line: Line, currency: str, _part: int, why: str) -> str:
    issued = one.money("issuedBefore")
    less = f", less {money_in_words(issued, currency)} that was invoiced before" if issued else ""
    return f"{about_bill(line, currency)}: {why}{less}"


def _of_correction(one: Fields, line: Line, currency: str, part: int, why: str) -> str:
    month = read_month(one.text("correctsMonth"))
    if month is None:
        raise Misread(one.at("correctsMonth"))
    charged, left, undecided = (one.money(name) for name in _LESS[CORRECTED_SHARE])
    about = about_correction(month, line.issuer, line.bill_date)
    return correction_sentence(about, charged, part, currency, why, left=left, undecided=undecided)


_LESS = {SHARE: ("issuedBefore",), CORRECTED_SHARE: ("charged", "leftToOwner", "undecided")}
"""The parts of a line's share that are not in the charge's amount."""
_SENTENCES = {SHARE: _of_share, CORRECTED_SHARE: _of_correction}


def _reason(pieces: list[Piece], rule: Rule, write: Forms) -> str:
    after = f", after the owner's {write.percent(rule.owner_percent)}" if rule.owner_percent else ""
    return f"{'; '.join(in_words(piece, write) for piece in pieces)}{after}"


def _piece(step: Fields, line: Line) -> Piece:
    assert line.service is not None, "a line was read with its days"
    unit, household = step.fields("unit"), None if step.lacks("household") else step.fields("household")
    method, measure = SPLIT_METHODS[step.one_of("splitMethod", METHODS)], unit.number_or_none("measure")
    part, days, of_days = unit.number("weight"), 1, 1
    if household is not None and method.counts_people:
        part = household.number("weight")
    elif household is not None:
        days, of_days = household.whole("days"), household.whole("ofDays")
    return Piece(
        method.code, step.number_or_none("percent"), measure is not None, measure or Fraction(), unit.flag("byDays"),
        unit.whole("activeDays"), line.service.number, part, unit.number("weights"), days, of_days,
    )  # fmt: skip
