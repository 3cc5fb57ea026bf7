"""An invoice explained as data, for its tenant: each charge, naming no neighbor (docs/explanations.md)."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.locale_forms import FORMER, PLAIN
from prorata.domain.money import exact_sum, in_figures, in_words
from prorata.domain.splitting.correction_sentences import comes_to
from prorata.domain.splitting.divided_months import share_in_words
from prorata.domain.splitting.explained_lines import ExplainedLine
from prorata.domain.splitting.explained_months import INVOICE, ExplainedMonth
from prorata.domain.splitting.planned_charges import LineKey, charge_type
from prorata.domain.splitting.sealed_json import FORMAT, Content, ratio
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.stays import NOBODY, Presence

SHARE, CORRECTION, BY_HAND, STATED = "share", "correction", "byHand", "stated"
"""What a charge is: a share of a line; a correction of an earlier month; what a person added; or what its sentence
alone says, as the facts of the month give it no other way, nor do a correction's own words.
"""
_SAID = ("kind", "amount", "sentence")
_OF_LINE = ("billId", "line", "utilityType")
FIELDS = {
    SHARE: (
        *("kind", "line", "deductions", "otherLines", "rule", "steps"),
        *("share", "part", "issuedBefore", "amount", "sentence"),
    ),
    CORRECTION: (*_SAID, "correctsMonth", *_OF_LINE),
    BY_HAND: _SAID,
    STATED: (*_SAID, *_OF_LINE),
}
"""The fields of each kind of charge: these and no others."""

_HUNDRED = Fraction(100)


class IssuedInvoice(NamedTuple):
    """What of an invoice its explanation names."""

    id: str
    number: str
    unit_id: str
    unit_label: str
    sequence: int
    tenant_id: str | None


class IssuedCharge(NamedTuple):
    """A charge of an invoice, in cents. Without a bill it is a person's."""

    bill_id: str | None
    line: int | None
    utility_type: str | None
    amount: int
    description: str
    corrects_month: str | None


def explained_invoice(
    month: ExplainedMonth,
    invoice: IssuedInvoice,
    charges: Sequence[IssuedCharge],
    reasons: Mapping[LineKey, str],
) -> Content:
    """All of an invoice of a month, but for the hash; `reasons` say why lines without a utility are not billed."""
    return {
        "format": FORMAT,
        "of": INVOICE,
        "propertyId": month.property_id,
        "month": month.facts.month,
        "currency": month.facts.currency,
        "invoice": {
            "id": invoice.id,
            "number": invoice.number,
            "unit": invoice.unit_label,
            "sequence": invoice.sequence,
            "tenantId": invoice.tenant_id,
        },
        "charges": [_charge(month, invoice, one, reasons) for one in charges],
        "total": in_figures(sum(one.amount for one in charges)),
    }


def _charge(
    month: ExplainedMonth,
    invoice: IssuedInvoice,
    charge: IssuedCharge,
    reasons: Mapping[LineKey, str],
) -> Content:
    said = {"amount": in_figures(charge.amount), "sentence": charge.description}
    if charge.bill_id is None or charge.line is None:
        return {"kind": BY_HAND, **said}
    of_line = {"billId": charge.bill_id, "line": charge.line, "utilityType": charge.utility_type}
    if charge.corrects_month is not None and comes_to(charge.description) in {None, charge.amount}:
        return {"kind": CORRECTION, "correctsMonth": charge.corrects_month, **of_line, **said}
    line = None if charge.corrects_month else month.lines.get((charge.bill_id, charge.line))
    found = None if line is None else _found(month, line, invoice, charge)
    if line is None or line.rule is None or found is None:
        return {"kind": STATED, **of_line, **said}
    at, who, part = found
    steps = list(line.own_steps(at, who))
    return {
        "kind": SHARE,
        "line": line.about,
        **_deductions(month, line, reasons),
        "rule": line.of_rule,
        "steps": steps,
        "share": share_of(steps, line.rule),
        "part": in_figures(part),
        "issuedBefore": in_figures(part - charge.amount),
        **said,
    }


def _deductions(month: ExplainedMonth, line: ExplainedLine, reasons: Mapping[LineKey, str]) -> Content:
    """What of the bill is not billed at all in the month, and what its other lines come to, here or in other months."""
    of = line.line
    not_billed = [one for one in month.facts.lines if one.bill_id == of.bill_id and one.utility_type is None]
    others = of.bill_total - of.amount - sum(one.amount for one in not_billed)
    taken = [{"reason": reasons.get((one.bill_id, one.number)), "amount": in_figures(one.amount)} for one in not_billed]
    return {"deductions": taken, "otherLines": in_figures(others)}


def share_of(steps: Sequence[Content], rule: Rule) -> str:
    """The exact share of the line: not reduced where one method divides it."""
    parts = [_product(one) for one in steps]
    if not rule.blend:
        return ratio(*parts[0])
    left = _HUNDRED - rule.owner_percent
    taken = [Fraction(left * one.percent, _HUNDRED * _HUNDRED) for one in rule.blend]
    whole = exact_sum([of * Fraction(*part) for of, part in zip(taken, parts, strict=True)])
    return ratio(*whole.as_integer_ratio())


def _product(step: Content) -> tuple[int, int]:
    numerator, denominator = 1, 1
    for one in (step["unit"], step["household"]):
        if one is not None:
            part, whole = map(int, one["share"].split("/"))
            if part != whole:
                numerator, denominator = numerator * part, denominator * whole
    return (numerator, denominator) if step["unit"] else (0, 1)


def _found(
    month: ExplainedMonth, line: ExplainedLine, invoice: IssuedInvoice, charge: IssuedCharge
) -> tuple[int, Presence | None, int] | None:
    """Whose share of a line a charge is: where the unit stands, the household, and its part in cents; only where the
    facts give the charge back as it is stored, amount and sentence.
    """
    divided, utility = line.divided, line.line.utility_type
    if divided is None or not divided.shares.units or utility is None or charge.utility_type != charge_type(utility):
        return None
    at = next((at for one, at in month.divided.entries.get(invoice.unit_id, ()) if one is divided), None)
    if at is None:
        return None
    unit, shares = divided.units[at], divided.shares.units[at]
    for who, part in _in_turn(unit.present, shares.households, shares.part, invoice.tenant_id):
        issued = part - charge.amount
        less = f", less {in_words(issued, month.facts.currency)} that was invoiced before" if issued else ""
        said = (share_in_words(divided.shares, at, unit, who, part, write) for write in (PLAIN, FORMER))
        if any(charge.description == f"{divided.about}: {one}{less}" for one in said):
            return at, who, part
    return None


def _in_turn(
    present: Sequence[Presence], parts: Sequence[int], whole: int, tenant_id: str | None
) -> Iterator[tuple[Presence | None, int]]:
    """Who a charge may be for, the household of the tenant first, and last one that was there on no day."""
    if not present:
        yield None, whole
    there = zip(present, parts, strict=True)
    yield from sorted(there, key=lambda one: tenant_id not in one[0].household.tenant_ids)
    yield Presence(NOBODY, 0, 0), 0
