"""Planned charges, their sentences, and the changes from the stored charges."""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.domain.money import in_words
from prorata.domain.splitting.month_facts import Line

_NO_CHARGE_TYPE = "OTHER"
_CHARGE_TYPES = {"GARBAGE": "TRASH"}
_LINE_TYPES = {charged: billed for billed, charged in _CHARGE_TYPES.items()}

LineKey = tuple[str, int]
"""The key of a line: its bill, and its number in the bill."""


CorrectionKey = tuple[str, int, str | None, str | None]
"""The key of a correction: a line, and the month and tenant corrected."""


class PlannedCharge(NamedTuple):
    """A household's amount of one line, in cents, and the reason.

    If there is no utility type, the charge is a custom charge (OTHER). `corrects_month` is the closed month that
    the charge corrects, for the household of `corrects_tenant`; it is None for a charge of the invoice's own
    month.
    """

    bill_id: str
    line: int
    utility_type: str | None
    amount: int
    description: str
    corrects_month: str | None = None
    corrects_tenant: str | None = None

    @property
    def place(self) -> CorrectionKey:
        """The key of a charge on its invoice."""
        return self.bill_id, self.line, self.corrects_month, self.corrects_tenant


def charge_type(utility_type: str) -> str | None:
    """Return the utility type of a line's charges; None for custom charges."""
    return None if utility_type == _NO_CHARGE_TYPE else _CHARGE_TYPES.get(utility_type, utility_type)


def line_type(of_charge: str | None) -> str:
    """Return the utility type of the line that a bill's charge belongs to.

    >>> line_type(charge_type("GARBAGE")), line_type(charge_type("OTHER")), line_type("WATER")
    ('GARBAGE', 'OTHER', 'WATER')
    """
    return _NO_CHARGE_TYPE if of_charge is None else _LINE_TYPES.get(of_charge, of_charge)


def cents_in_words(cents: int) -> str:
    """Return the end of a charge's sentence, about cents added or subtracted in rounding.

    >>> cents_in_words(0), cents_in_words(-1)
    ('', ', and one cent less, so that all shares add up to the bill')
    """
    if not cents:
        return ""
    number = "one cent" if cents in (1, -1) else f"{abs(cents)} cents"
    return f", and {number} {'more' if cents > 0 else 'less'}, so that all shares add up to the bill"


def about_bill(line: Line, currency: str) -> str:
    """Write the first half of a charge's sentence: the bill and the line's part.

    "Aqua Water Co., bill of 2026-03-14, $320.10", or, for a combined bill, "…, $320.10, of which water $120.00". For a
    bill that is spread over its months, it is "…, of which water $160.05 for 31 of 62 days".
    """
    sentence = f"{line.issuer}, bill of {line.bill_date.isoformat()}, {in_words(line.bill_total, currency)}"
    if line.amount == line.bill_total:
        return sentence
    sentence = f"{sentence}, of which {(line.utility_type or '').lower()} {in_words(line.amount, currency)}"
    if line.days is not None:
        sentence = f"{sentence} for {line.days} of {line.of_days} days"
    return f"{sentence} (divided equally, as the bill gives no amounts)" if line.guessed else sentence


class ChargeChanges(NamedTuple):
    """The changes that turn an invoice's stored charges into the planned ones.

    Unchanged charges aren't listed; changed ones keep their ids.
    """

    add: tuple[PlannedCharge, ...]
    change: tuple[tuple[str, PlannedCharge], ...]
    """The changed charges: the id of each, and its new contents."""
    remove: tuple[str, ...]

    def __bool__(self) -> bool:
        """True if a charge was added, changed or removed."""
        return bool(self.add or self.change or self.remove)


def compare(
    before: Iterable[tuple[str, PlannedCharge]], planned: Iterable[PlannedCharge], *, keeps_words: bool = False
) -> ChargeChanges:
    """Compare the stored charges of an invoice with the planned ones.

    `before` are pairs of a charge's id and contents. With `keeps_words`, as for a closed month, a charge that
    differs only in its sentence is unchanged. The last example shows the new amount of a changed charge.

    >>> old = PlannedCharge("bill_1", 1, "WATER", 500, "…")
    >>> compare([("chg_1", old)], [old])
    ChargeChanges(add=(), change=(), remove=())
    >>> compare([("chg_1", old)], [old._replace(amount=600)]).change[0][1].amount
    600
    """
    stored = {charge.place: (charge_id, charge) for charge_id, charge in before}
    add, change = [], []
    for charge in planned:
        charge_id, was = stored.pop(charge.place, (None, None))
        if charge_id is None:
            add.append(charge)
        elif was != (charge._replace(description=was.description) if keeps_words and was else charge):
            change.append((charge_id, charge))
    return ChargeChanges(tuple(add), tuple(change), tuple(charge_id for charge_id, _ in stored.values()))
