"""The gross amounts of an e-invoice's lines, including charges and allowances.

These amounts sum to the amount payable plus the prepaid amount, to the cent; only `apportion` rounds.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import add
from typing import NamedTuple

from prorata.domain.groups import added_up
from prorata.domain.intake.bill_reading.utility_words import reasons_in, types_in
from prorata.domain.intake.e_invoices.e_invoice import Charge, EInvoice, InvoiceLine, Tax
from prorata.domain.money import apportion, whole_numbers

_OneForm = tuple[str, Fraction] | None
_Form = Callable[[Tax | None], _OneForm]


class Part(NamedTuple):
    """A line of an invoice with its gross amount in cents.

    A charge that has its own purpose or tax counts as a line.
    """

    of: InvoiceLine
    cents: int


class Parts(NamedTuple):
    """The lines of an e-invoice with their gross amounts in cents.

    The amounts are not `exact` if the invoice's taxes can't be assigned to its lines.
    """

    parts: tuple[Part, ...]
    exact: bool


def parts_of(invoice: EInvoice) -> Parts:
    """Compute the gross amounts of an e-invoice's lines, including charges and allowances.

    Each charge or allowance is divided among the lines with the same tax. An invoice without lines counts as one
    line; so does a charge that names its purpose, or has a tax that no line has.
    """
    whole = invoice.totals.gross + invoice.totals.rounding
    lines = [line for line in invoice.lines if line.cents]
    if not lines:
        return Parts((Part(InvoiceLine("", whole), whole), *_advances(invoice)), exact=True)
    of = _one_form(invoice)
    extras: dict[_OneForm, int] = dict.fromkeys((of(line.tax) for line in lines), 0)
    own = []
    for charge in invoice.charges:
        if _is_own(charge) or of(charge.tax) not in extras:
            own.append(charge)
        else:
            extras[of(charge.tax)] += charge.cents
    nets = [line.cents for line in lines]
    for tax, extra in extras.items():
        nets = list(map(add, nets, _over(extra, _only(nets, lines, of, tax))))
    lines += [InvoiceLine(own_charge.reason, own_charge.cents, own_charge.tax) for own_charge in own]
    nets += [own_charge.cents for own_charge in own]
    stated = added_up((of(tax_sum.tax), tax_sum.cents) for tax_sum in invoice.taxes)
    amounts, known = nets, {of(line.tax) for line in lines}
    for tax in known:
        if tax is not None:
            amounts = list(map(add, amounts, _taxes(_only(nets, lines, of, tax), stated[tax], tax[1])))
    rest = apportion(whole - sum(amounts), [abs(line.cents) for line in lines])
    parts = (Part(line, cents + more) for line, cents, more in zip(lines, amounts, rest, strict=True))
    return Parts((*parts, *_advances(invoice)), exact=all(tax in known for tax, cents in stated.items() if cents))


def _only(nets: Sequence[int], lines: Sequence[InvoiceLine], of: _Form, tax: _OneForm) -> list[int]:
    """List the lines' net amounts, with 0 for each line without the given tax."""
    return [net if of(line.tax) == tax else 0 for net, line in zip(nets, lines, strict=True)]


def _one_form(invoice: EInvoice) -> _Form:
    """Return a function that converts a line's tax for comparison with other taxes.

    If the invoice states a single tax, this tax applies to every line that has none. If a category is missing
    anywhere, only the rates are compared.
    """
    stated = {tax_sum.tax for tax_sum in invoice.taxes}
    only = stated.copy().pop() if len(stated) == 1 else None
    of_parts = {line.tax for line in invoice.lines} | {charge.tax for charge in invoice.charges}
    by_category = all(tax is None or tax.category for tax in stated | of_parts)

    def of(tax: Tax | None) -> _OneForm:
        tax = tax or only
        return None if tax is None else (tax.category if by_category else "", tax.rate)

    return of


def _is_own(charge: Charge) -> bool:
    """True if a charge names its own purpose: a utility or an unbilled reason."""
    named = types_in(charge.reason) or reasons_in(charge.reason)
    return not charge.is_allowance and bool(named)


def _advances(invoice: EInvoice) -> Iterator[Part]:
    return (Part(InvoiceLine(advance.reason, advance.cents), advance.cents) for advance in invoice.advances)


def _taxes(nets: Sequence[int], tax: int, rate: Fraction) -> list[int]:
    """Divide the sum of a tax among the net amounts that are taxed.

    Amounts whose sign is opposite to that of the net amounts' sum are taxed at the rate. The other amounts share
    the remaining tax.

    >>> _taxes([100_00, -20_00], 15_20, Fraction(19)), _taxes([90_00, 45_01], 25_65, Fraction(19))
    ([1900, -380], [1710, 855])
    """
    is_below = sum(nets) < 0
    others = [max(net, 0) if is_below else min(net, 0) for net in nets]
    of_others = apportion(sum(others), whole_numbers([rate, 100 - rate]))[0]
    return list(map(add, _over(tax - of_others, nets), _over(of_others, others)))


def _over(amount: int, nets: Sequence[int]) -> list[int]:
    """Divide an amount among net amounts, in proportion to them.

    Only the net amounts with the sign of their sum get a part; the others get 0. A sum of zero counts as positive.
    If every net amount is 0, nothing is divided.
    """
    is_below = sum(nets) < 0
    weights = [max(-net if is_below else net, 0) for net in nets]
    return apportion(amount, weights) if any(weights) else weights
