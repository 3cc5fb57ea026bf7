"""What each line of an e-invoice comes to with all that is its part: tax, and what is charged or allowed on the whole.

The parts sum to what is to be paid and what was prepaid, to the cent; `apportion` alone rounds.
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
    """A line, or a charge that is one of its own, and what it comes to in all, in cents."""

    of: InvoiceLine
    cents: int


class Parts(NamedTuple):
    """What an e-invoice charges. They are not `exact` where it does not say which tax is of which line."""

    parts: tuple[Part, ...]
    exact: bool


def parts_of(invoice: EInvoice) -> Parts:
    """The lines of an e-invoice with their tax, and with their part of what is charged or allowed on all of that tax.
    An invoice without lines is one; a charge that names what it is for, or is of a tax that no line is of, is a line.
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
    lines += [InvoiceLine(one.reason, one.cents, one.tax) for one in own]
    nets += [one.cents for one in own]
    stated = added_up((of(one.tax), one.cents) for one in invoice.taxes)
    amounts, known = nets, {of(line.tax) for line in lines}
    for tax in known:
        if tax is not None:
            amounts = list(map(add, amounts, _taxes(_only(nets, lines, of, tax), stated[tax], tax[1])))
    rest = apportion(whole - sum(amounts), [abs(line.cents) for line in lines])
    parts = (Part(line, cents + more) for line, cents, more in zip(lines, amounts, rest, strict=True))
    return Parts((*parts, *_advances(invoice)), exact=all(tax in known for tax, cents in stated.items() if cents))


def _only(nets: Sequence[int], lines: Sequence[InvoiceLine], of: _Form, tax: _OneForm) -> list[int]:
    """The net amounts of the lines of one tax, and nothing for the others."""
    return [net if of(line.tax) == tax else 0 for net, line in zip(nets, lines, strict=True)]


def _one_form(invoice: EInvoice) -> _Form:
    """Tells taxes apart as the invoice does: the only one is that of every line; by their rates alone where a category
    is left out anywhere.
    """
    stated = {one.tax for one in invoice.taxes}
    only = stated.copy().pop() if len(stated) == 1 else None
    of_parts = {one.tax for one in invoice.lines} | {one.tax for one in invoice.charges}
    by_category = all(tax is None or tax.category for tax in stated | of_parts)

    def of(tax: Tax | None) -> _OneForm:
        tax = tax or only
        return None if tax is None else (tax.category if by_category else "", tax.rate)

    return of


def _is_own(charge: Charge) -> bool:
    """Whether a charge names what it is for: another utility, or what no tenant pays."""
    named = types_in(charge.reason) or reasons_in(charge.reason)
    return not charge.is_allowance and bool(named)


def _advances(invoice: EInvoice) -> Iterator[Part]:
    return (Part(InvoiceLine(one.reason, one.cents), one.cents) for one in invoice.advances)


def _taxes(nets: Sequence[int], tax: int, rate: Fraction) -> list[int]:
    """The tax of each net amount, where all of it is of them. Those of the other sign than their sum have theirs by the
    rate, and what is left is that of the others.

    >>> _taxes([100_00, -20_00], 15_20, Fraction(19)), _taxes([90_00, 45_01], 25_65, Fraction(19))
    ([1900, -380], [1710, 855])
    """
    is_below = sum(nets) < 0
    others = [max(net, 0) if is_below else min(net, 0) for net in nets]
    of_others = apportion(sum(others), whole_numbers([rate, 100 - rate]))[0]
    return list(map(add, _over(tax - of_others, nets), _over(of_others, others)))


def _over(amount: int, nets: Sequence[int]) -> list[int]:
    """An amount over those of others that have the sign of their sum, in proportion; nothing over nothing."""
    is_below = sum(nets) < 0
    weights = [max(-net if is_below else net, 0) for net in nets]
    return apportion(amount, weights) if any(weights) else weights
