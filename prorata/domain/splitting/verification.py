"""The verification of an explanation from its own content: its hash and all its numbers.

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
    """The result of a verification: sentences about checks, differences and questions.

    `computed` is the number of charges that were recomputed, and `taken` the number of charges that were accepted
    as stated. `ask` are sentences about doubts that remain even if there are no differences.
    """

    checked: tuple[str, ...]
    differences: tuple[str, ...]
    computed: int = 0
    taken: int = 0
    ask: tuple[str, ...] = ()


class _Found(NamedTuple):
    """The result of recomputing an explanation: the right content, and the checks made."""

    checked: tuple[str, ...]
    right: Content
    computed: int
    taken: int
    doubled: tuple[str, ...] = ()
    """The names of charges whose bill line another charge already covers."""
    ask: tuple[str, ...] = ()


class Unverifiable(ValueError):
    """Raised, with the reason as a sentence, if a text is not an explanation."""


def verify(text: str) -> Verified:
    """Verify an explanation by recomputing its hash and numbers from its own content.

    Raises `Unverifiable` if the text is not an explanation.
    """
    content = object_of(text)
    if content is None:
        raise Unverifiable("This isn’t a complete JSON object. It may have been cut off.")
    if "format" not in content:
        raise Unverifiable("This is JSON, but not an explanation: it has no “format”.")
    if content["format"] != FORMAT or content.get("of") not in _KINDS:
        raise Unverifiable(f"This explanation isn’t in the format {FORMAT}, the only one that this program reads.")
    try:
        seal = seal_of(content)
    except (UnicodeEncodeError, ValueError):
        raise Unverifiable(
            "This is JSON, but not an explanation: it contains text or a number that no explanation has."
        ) from None
    try:
        out = _KINDS[content["of"]](Fields(content, ""))
    except Misread as error:
        return Verified((), (f"{error}: missing, or not as {FORMAT} has it",))
    except OverflowError:
        return Verified((), ("a day lies beyond the calendar",))
    differences = [*_differences(content, {**out.right, SEAL: content.get(SEAL)}, ""), *out.doubled]
    if content.get(SEAL) != seal:
        differences.insert(0, f"{SEAL}: the hash of this explanation is {seal}")
    more = len(differences) - _TOLD_AT_ONCE
    told = (*differences[:_TOLD_AT_ONCE], *((f"and {more} more",) if more > 0 else ()))
    return Verified(out.checked, told, out.computed, out.taken, out.ask)


def _differences(stated: object, right: object, path: str) -> Iterator[str]:
    if isinstance(stated, dict) and isinstance(right, dict):
        for name in dict.fromkeys((*right, *stated)):
            where = f"{path}.{name}" if path else name
            if name not in right:
                yield f"{where}: no field of {FORMAT}"
            elif name not in stated:
                yield f"{where}: missing"
            else:
                yield from _differences(stated[name], right[name], where)
    elif isinstance(stated, list) and isinstance(right, list) and len(stated) == len(right):
        for at, (item, other) in enumerate(zip(stated, right, strict=True)):
            yield from _differences(item, other, f"{path}[{at}]")
    elif stated != right or isinstance(stated, bool) is not isinstance(right, bool):
        yield f"{path}: {_shown(stated)} is said, {_shown(right)} comes out"


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
    computed = sum(len(household["charges"]) for household in right["households"])
    return _Found(checked, right, computed, len(facts.corrections))


def _invoice(fields: Fields) -> _Found:
    charges = [_charge(charge, fields.text("currency")) for charge in fields.each("charges")]
    total = in_figures(sum(charge.money("amount") for charge in fields.each("charges")))
    shares, corrected, by_hand, stated = (
        sum(charge["kind"] == kind for charge in charges) for kind in (SHARE, CORRECTED_SHARE, BY_HAND, STATED)
    )
    read = sum(charge["kind"] == CORRECTION and comes_to(charge["sentence"]) is not None for charge in charges)
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
    """Report bills whose lines on an invoice exceed the amount to divide.

    A line may have been repeated, possibly under another number. An excess may also be correct: lines that the
    invoice does not show can be credits.
    """
    shares = [(f"charges[{at}]", Fields(charge, "")) for at, charge in enumerate(charges) if "steps" in charge]
    of_bills = grouped(
        ((share.fields("line").fields("bill").text("id"), share.content.get("correctsMonth")), (name, share))
        for name, share in shares
    )
    for its in of_bills.values():
        lines = {share.fields("line").whole("number"): share for _, share in its}
        known = sum(line.fields("line").money("amount") for line in lines.values())
        of_bill = its[0][1].fields("line").money("amount") + its[0][1].money("otherLines")
        if len(lines) > 1 and known * (of_bill - known) < 0:
            yield (
                f"{', '.join(name for name, _ in its)}: lines of {in_figures(known)} in all, of a bill with "
                f"{in_figures(of_bill)} to divide; only credits among its other lines make that so"
            )


def _doubled(charges: list[Content]) -> Iterator[str]:
    """Report each charge of a bill line that an earlier charge already covers.

    Corrections of the same line count as different if their sentences differ.
    """
    seen: dict[object, int] = {}
    for at, charge in enumerate(charges):
        line = charge.get("line")
        of = (line["bill"]["id"], line["number"]) if isinstance(line, dict) else (charge.get("billId"), line)
        corrects = [charge.get(name) for name in ("correctsMonth", "correctsTenantId")]
        first = seen.setdefault((*of, *corrects, "" if charge["kind"] == SHARE else charge["sentence"]), at)
        if charge["kind"] != BY_HAND and first != at:
            yield f"charges[{at}]: the same line as charges[{first}]"


_KINDS = {MONTH: _month, INVOICE: _invoice}


def _charge(charge: Fields, currency: str) -> Content:
    """Recompute a charge.

    Custom charges and charges without a calculation are accepted as stated. The amount of a correction without a
    calculation is read from its sentence.
    """
    kind, amount, sentence = charge.one_of("kind", FIELDS), charge.money("amount"), charge.text("sentence")
    own = {name: charge.content.get(name) for name in FIELDS[kind]}
    if kind in {SHARE, CORRECTED_SHARE}:
        return own | _share(charge, kind, currency)
    if kind == BY_HAND:
        return own
    own |= {
        "billId": charge.text("billId"),
        "line": charge.whole("line"),
        "utilityType": charge.text_or_none("utilityType"),
    }
    if kind == STATED:
        return own
    come = comes_to(sentence)
    return own | {"correctsMonth": charge.text("correctsMonth"), "amount": in_figures(amount if come is None else come)}


def _share(charge: Fields, kind: str, currency: str) -> Content:
    line_fields = charge.fields("line")
    line, rule = read_line(line_fields, line_fields.text("utilityType")), read_rule(charge.fields("rule"))
    taken = sum(part.money("amount") for part in charge.each("deductions"))
    bill = {**line_fields.fields("bill").content, "total": in_figures(line.amount + taken + charge.money("otherLines"))}
    amounts = blend_amounts(line.amount, rule) if rule.blend else [line.amount]
    wanted = rule.blend or ((rule.split_method, None),)
    said_steps = list(charge.each("steps"))
    if len(said_steps) != len(wanted):
        raise Misread(charge.at("steps"))
    steps = [
        _Step(step, method, percent, amount, rule, line).content()
        for step, (method, percent), amount in zip(said_steps, wanted, amounts, strict=False)
    ]
    part = sum(Fields(step, charge.at("steps")).money("part") for step in steps)
    share = share_of(steps, rule)
    less = {name: charge.money(name) for name in _LESS[kind]}
    reasons = _reasons(charge, line, rule, steps, part)
    plain = [_SENTENCES[kind](charge, line, currency, part, why) for why in reasons]
    sentences = [*plain, *map(in_square_metres, plain)]
    return {
        "line": {**line_fields.content, "bill": bill, "service": _days_of(line)},
        "steps": steps,
        "share": share,
        "part": in_figures(part),
        "amount": in_figures(part - sum(less.values())),
        "sentence": charge.text("sentence") if charge.text("sentence") in sentences else sentences[0],
    }


def _days_of(line: Line) -> Content:
    assert line.service is not None, "a line was read with its days"
    first, last = map(date.isoformat, line.service)
    return {"from": first, "to": last, "days": line.service.number}


class _Step:
    """A step of a charge's calculation, recomputed for comparison with the stated step."""

    def __init__(
        self, stated: Fields, method: str, percent: Fraction | None, amount: int, rule: Rule, line: Line
    ) -> None:
        self.said = stated
        self.method = SPLIT_METHODS[stated.one_of("splitMethod", METHODS)]
        self.right: Content = {
            "splitMethod": method,
            "percent": None if percent is None else number(percent),
            "amount": in_figures(amount),
        }
        self.amount = amount
        self.given = _ONE if rule.blend else Fraction(_HUNDRED - rule.owner_percent, _HUNDRED)
        self.line = line

    def content(self) -> Content:
        """Return the recomputed step in the form in which the explanation states it."""
        if self.said.lacks("unit"):
            return {**self.right, "unit": None, "household": None, "part": "0.00"}
        unit = self._unit(self.said.fields("unit"))
        household = None if self.said.lacks("household") else self._household(unit, self.said.fields("household"))
        return {**self.right, "unit": unit, "household": household, "part": (household or unit)["part"]}

    def _unit(self, stated: Fields) -> Content:
        assert self.line.service is not None, "a line was read with its days"
        measure, active = stated.number_or_none("measure"), stated.whole("activeDays")
        by_days = stated.flag("byDays")
        if self.method.of_hundred:
            by_days = active != self.line.service.number
        weight = measure or Fraction()
        if by_days or (self.method.of_hundred and stated.number("weight") == weight * active):
            weight *= active
        return {
            **stated.content,
            "byDays": by_days,
            "weight": number(weight),
            **_parted(stated, self.amount, self.given),
        }

    def _household(self, unit: Content, stated: Fields) -> Content:
        amount = Fields(unit, stated.path).money("part")
        right = {**stated.content, **_parted(stated, amount, _ONE)}
        if not self.method.counts_people:
            right |= {"weight": number(stated.whole("days")), "weights": number(stated.whole("ofDays"))}
        return right


def _parted(stated: Fields, amount: int, given: Fraction) -> Content:
    """Recompute the share and the part of an amount that is divided by weights.

    A correct share is returned as stated, even if its fraction isn't reduced.
    """
    written, whole = stated.share("share")
    weight, weights = stated.number("weight"), stated.number("weights")
    exact = Fraction(weight, weights) * given if weights else Fraction()
    is_right = Fraction(written, whole) == exact and written <= whole
    share = ratio(written, whole) if is_right else ratio(*exact.as_integer_ratio())
    place, left = stated.whole("place"), stated.whole("centsLeft")
    return {"share": share, "part": in_figures(part_with_place(amount, written, whole, place=place, left=left))}


def _reasons(charge: Fields, line: Line, rule: Rule, steps: list[Content], part: int) -> list[str]:
    """Return the possible sentences about a part of a line, in current and older wording.

    The older wording did not mention an added or subtracted cent.
    """
    exact = line.amount * Fraction(share_of(steps, rule))
    pieces = [_piece(Fields(step, charge.at("steps")), line) for step in steps if step["unit"] is not None]
    cents = cents_in_words(beyond_rounding(part, *exact.as_integer_ratio()))
    return [_reason(pieces, rule, PLAIN) + cents, _reason(pieces, rule, FORMER)]


def _of_share(share: Fields, line: Line, currency: str, _part: int, why: str) -> str:
    issued = share.money("issuedBefore")
    less = f", less {money_in_words(issued, currency)} that was invoiced before" if issued else ""
    return f"{about_bill(line, currency)}: {why}{less}"


def _of_correction(correction: Fields, line: Line, currency: str, part: int, why: str) -> str:
    month = read_month(correction.text("correctsMonth"))
    if month is None:
        raise Misread(correction.at("correctsMonth"))
    charged, left, undecided = (correction.money(name) for name in _LESS[CORRECTED_SHARE])
    about = about_correction(month, line.issuer, line.bill_date)
    return correction_sentence(about, charged, part, currency, why, left=left, undecided=undecided)


_LESS = {SHARE: ("issuedBefore",), CORRECTED_SHARE: ("charged", "leftToOwner", "undecided")}
"""The fields of a charge that are deducted from its share of the line."""
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
