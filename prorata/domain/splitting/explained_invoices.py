"""An invoice explained as data for its tenant, naming no neighbor (docs/explanations.md)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.countries import in_area_unit
from prorata.domain.locale_forms import FORMER, PLAIN
from prorata.domain.money import exact_sum, in_figures, in_words
from prorata.domain.splitting.correction_sentences import about_correction, comes_to, read, sentence
from prorata.domain.splitting.divided_months import share_in_words
from prorata.domain.splitting.explained_lines import ExplainedLine
from prorata.domain.splitting.explained_months import INVOICE, ExplainedMonth
from prorata.domain.splitting.planned_charges import LineKey, about_bill, charge_type
from prorata.domain.splitting.sealed_json import FORMAT, Content, ratio
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.stays import NOBODY, Presence

SHARE, CORRECTED_SHARE, CORRECTION = "share", "correctedShare", "correction"
BY_HAND, STATED = "byHand", "stated"
"""The kinds of charges.

A charge is a share of a line; a correction of an earlier month's share, either divided again or explained by its
sentence alone; an amount that a person added; or an amount that only its sentence explains, because neither the facts
of the month nor a correction's own words give it.
"""
_SAID = ("kind", "amount", "sentence")
_OF_LINE = ("billId", "line", "utilityType")
_DIVIDED = ("kind", "line", "deductions", "otherLines", "rule", "steps", "share", "part")
FIELDS = {
    SHARE: (*_DIVIDED, "issuedBefore", "amount", "sentence"),
    CORRECTED_SHARE: (
        *(*_DIVIDED, "correctsMonth", "correctsTenantId"),
        *("charged", "leftToOwner", "undecided", "amount", "sentence"),
    ),
    CORRECTION: (*_SAID, "correctsMonth", *_OF_LINE),
    BY_HAND: _SAID,
    STATED: (*_SAID, *_OF_LINE),
}
"""The names of the fields that each kind of charge has in an explanation."""

_HUNDRED = Fraction(100)


class IssuedInvoice(NamedTuple):
    """The fields of an invoice that the invoice's explanation names."""

    id: str
    number: str
    unit_id: str
    unit_label: str
    sequence: int
    tenant_id: str | None


class IssuedCharge(NamedTuple):
    """A charge of an invoice, in cents; without a bill, it is a custom charge."""

    bill_id: str | None
    line: int | None
    utility_type: str | None
    amount: int
    description: str
    corrects_month: str | None = None
    corrects_tenant: str | None = None


def explained_invoice(
    month: ExplainedMonth,
    invoice: IssuedInvoice,
    charges: Sequence[IssuedCharge],
    reasons: Mapping[LineKey, str],
    corrected: Mapping[str, ExplainedMonth] = MappingProxyType({}),
) -> Content:
    """Explain an invoice of a month as data, without the hash that seals the explanation.

    `reasons` are the reasons of the bills' unbilled lines. `corrected` are the explained months, by month, whose
    corrections the invoice charges; they are computed from current facts.
    """
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
        "charges": [_charge(month, invoice, charge, reasons, corrected) for charge in charges],
        "total": in_figures(sum(charge.amount for charge in charges)),
    }


def _charge(
    month: ExplainedMonth,
    invoice: IssuedInvoice,
    charge: IssuedCharge,
    reasons: Mapping[LineKey, str],
    corrected: Mapping[str, ExplainedMonth],
) -> Content:
    facts = {"amount": in_figures(charge.amount), "sentence": charge.description}
    if charge.bill_id is None or charge.line is None:
        return {"kind": BY_HAND, **facts}
    of_line = {"billId": charge.bill_id, "line": charge.line, "utilityType": charge.utility_type}
    if charge.corrects_month is not None:
        correction = _correction(corrected.get(charge.corrects_month), invoice, charge, reasons)
        if correction is not None:
            return {**correction, **facts}
        if comes_to(charge.description) in {None, charge.amount}:
            return {"kind": CORRECTION, "correctsMonth": charge.corrects_month, **of_line, **facts}
        return {"kind": STATED, **of_line, **facts}

    def gives_back(line: ExplainedLine, why: str, part: int) -> bool:
        issued, currency = part - charge.amount, month.facts.currency
        less = f", less {in_words(issued, currency)} that was invoiced before" if issued else ""
        return charge.description == f"{about_bill(line.line, currency)}: {why}{less}"

    divided = _divided(month, invoice, charge, invoice.tenant_id, reasons, gives_back)
    if divided is None:
        return {"kind": STATED, **of_line, **facts}
    content, part = divided
    return {"kind": SHARE, **content, "issuedBefore": in_figures(part - charge.amount), **facts}


def _correction(
    month: ExplainedMonth | None, invoice: IssuedInvoice, charge: IssuedCharge, reasons: Mapping[LineKey, str]
) -> Content | None:
    """Explain a correction by the division of the month that it corrects.

    The result is None unless the division gives the correction's right amount and reproduces its stored sentence.
    """
    correction = read(charge.description)
    if month is None or correction is None or correction.right is None or correction.amount != charge.amount:
        return None
    right, currency = correction.right, month.facts.currency

    def gives_back(line: ExplainedLine, why: str, part: int) -> bool:
        about = about_correction(month.facts.month, line.line.issuer, line.line.bill_date)
        words = sentence(
            about, correction.charged, part, currency, why, left=correction.left, undecided=correction.undecided
        )
        return part == right and words == charge.description

    divided = _divided(month, invoice, charge, charge.corrects_tenant, reasons, gives_back)
    if divided is None:
        return None
    return {
        "kind": CORRECTED_SHARE,
        **divided[0],
        "correctsMonth": charge.corrects_month,
        "correctsTenantId": charge.corrects_tenant,
        "charged": in_figures(correction.charged),
        "leftToOwner": in_figures(correction.left),
        "undecided": in_figures(correction.undecided),
    }


def _divided(
    month: ExplainedMonth,
    invoice: IssuedInvoice,
    charge: IssuedCharge,
    tenant_id: str | None,
    reasons: Mapping[LineKey, str],
    gives_back: Callable[[ExplainedLine, str, int], bool],
) -> tuple[Content, int] | None:
    """Explain how a charge's line is divided, down to the charged household's part in cents.

    The result is None unless the month's facts reproduce the stored charge, both amount and sentence. The function
    `gives_back` checks this for a line, a reason and a part.
    """
    line = month.lines.get((charge.bill_id or "", charge.line or 0))
    divided, utility = (None, None) if line is None else (line.divided, line.line.utility_type)
    if line is None or line.rule is None or divided is None or utility is None or not divided.shares.units:
        return None
    if charge.utility_type != charge_type(utility):
        return None
    at = next(
        (at for divided_line, at in month.divided.entries.get(invoice.unit_id, ()) if divided_line is divided), None
    )
    if at is None:
        return None
    unit, shares = divided.units[at], divided.shares.units[at]
    for who, part in _in_turn(unit.present, shares.households, shares.part, tenant_id):
        possible_reasons = (share_in_words(divided.shares, at, unit, who, part, write) for write in (PLAIN, FORMER))
        if any(gives_back(line, reason, part) for reason in possible_reasons):
            steps = list(line.own_steps(at, who))
            content = {
                "line": line.about,
                **_deductions(month, line, reasons),
                "rule": line.of_rule,
                "steps": steps,
                "share": share_of(steps, line.rule),
                "part": in_figures(part),
            }
            return content, part
    return None


def _deductions(month: ExplainedMonth, line: ExplainedLine, reasons: Mapping[LineKey, str]) -> Content:
    """Return the unbilled parts of a bill, and the sum of its other lines.

    The bill is that of the charge's line. The unbilled parts are those in this month; the other lines may also be
    in other months.
    """
    of = line.line
    not_billed = [
        its_line for its_line in month.facts.lines if its_line.bill_id == of.bill_id and its_line.utility_type is None
    ]
    others = of.bill_total - of.amount - sum(its_line.amount for its_line in not_billed)
    taken = [
        {"reason": reasons.get((its_line.bill_id, its_line.number)), "amount": in_figures(its_line.amount)}
        for its_line in not_billed
    ]
    return {"deductions": taken, "otherLines": in_figures(others)}


def told_in(content: Content, country: str) -> Content:
    """Convert areas in an explanation's sentences to a country's unit, such as m².

    Text that a person wrote is not converted.

    >>> charges = [{"kind": kind, "sentence": "Boilers: 2 of 8 sq ft"} for kind in (SHARE, BY_HAND)]
    >>> [one["sentence"] for one in told_in({"of": INVOICE, "charges": charges}, "IE")["charges"]]
    ['Boilers: 2 of 8 m²', 'Boilers: 2 of 8 sq ft']
    """

    def told(charge: Content) -> Content:
        is_ours = charge.get("kind") != BY_HAND
        return {**charge, "sentence": in_area_unit(charge["sentence"], country)} if is_ours else charge

    name = "charges" if content["of"] == INVOICE else "corrections"
    return {**content, name: [told(its_charge) for its_charge in content[name]]}


def share_of(steps: Sequence[Content], rule: Rule) -> str:
    """Return a household's exact share of a line, as a fraction, from the explanation's steps.

    The fraction is not reduced if a single method divides the line.
    """
    parts = [_product(step) for step in steps]
    if not rule.blend:
        return ratio(*parts[0])
    left = _HUNDRED - rule.owner_percent
    taken = [Fraction(left * component.percent, _HUNDRED * _HUNDRED) for component in rule.blend]
    whole = exact_sum([of * Fraction(*part) for of, part in zip(taken, parts, strict=True)])
    return ratio(*whole.as_integer_ratio())


def _product(step: Content) -> tuple[int, int]:
    numerator, denominator = 1, 1
    for fraction in (step["unit"], step["household"]):
        if fraction is not None:
            part, whole = map(int, fraction["share"].split("/"))
            if part != whole:
                numerator, denominator = numerator * part, denominator * whole
    return (numerator, denominator) if step["unit"] else (0, 1)


def _in_turn(
    present: Sequence[Presence], parts: Sequence[int], whole: int, tenant_id: str | None
) -> Iterator[tuple[Presence | None, int]]:
    """Yield the households that a charge may be for, each with its part in cents.

    The household of `tenant_id` comes first. A household without days, which bears nothing, comes last.
    """
    if not present:
        yield None, whole
    there = zip(present, parts, strict=True)
    yield from sorted(there, key=lambda pair: tenant_id not in pair[0].household.tenant_ids)
    yield Presence(NOBODY, 0, 0), 0
