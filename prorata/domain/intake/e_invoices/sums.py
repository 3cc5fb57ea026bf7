"""Checks of an e-invoice's sums against the European standard EN 16931.

The rules are BR-CO-10 to BR-CO-17, and those for each tax category.
"""

from collections.abc import Iterator

from prorata.domain.groups import added_up
from prorata.domain.intake.e_invoices.e_invoice import EInvoice
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.money import CENTS, in_figures, quantity

CONTRADICTS = (
    "The sums in this e-invoice contradict each other: {}. Nothing was taken from it. Ask its sender for a "
    "corrected one."
)
_LEEWAY = 10**CENTS
"""The tolerance, in cents, between stated and computed taxes and their bases.

Sellers round by line or by sum, and the standard's own rules allow such differences.
"""


def contradiction(invoice: EInvoice) -> str | None:
    """Name a wrong sum of an e-invoice in a sentence; None if all sums agree.

    >>> from datetime import date
    >>> from prorata.domain.intake.e_invoices.e_invoice import InvoiceLine, Totals
    >>> totals = Totals(100_00, None, None, 100_00, 19_00, 119_00, 0, 0, 119_00)
    >>> one = EInvoice(False, "City", "", "1", date(2026, 3, 1), "EUR", totals, lines=(InvoiceLine("Water", 100_00),))
    >>> contradiction(one)
    >>> contradiction(one._replace(totals=totals._replace(payable=120_00)))
    'The sums in this e-invoice contradict each other: what is to be paid should be 119.00, and it says 120.00. \
Nothing was taken from it. Ask its sender for a corrected one.'
    """
    sentence = next(_contradictions(invoice), None)
    return None if sentence is None else CONTRADICTS.format(sentence)


def _contradictions(invoice: EInvoice) -> Iterator[str]:
    totals = invoice.totals
    if invoice.is_credit and totals.payable < 0:
        yield "it is a credit note, and what is to be paid is below zero"
    if any(abs(value) > LARGEST_AMOUNT for value in totals if value is not None):
        yield "it comes to more than a bill can"
    charged, allowed = totals.charges or 0, totals.allowances or 0
    if invoice.lists_charges:
        charged = sum(charge.cents for charge in invoice.charges if not charge.is_allowance)
        allowed = -sum(charge.cents for charge in invoice.charges if charge.is_allowance)
    net = totals.lines
    if invoice.lines:
        net = sum(line.cents for line in invoice.lines)
        yield from _differs("the sum of its lines", net, totals.lines)
    yield from _differs("the sum of its charges", charged, totals.charges)
    yield from _differs("the sum of its allowances", allowed, totals.allowances)
    if net is not None:
        yield from _differs("the sum without tax", net - allowed + charged, totals.net)
    if invoice.taxes:
        yield from _differs("the tax", sum(tax.cents for tax in invoice.taxes), totals.tax)
    if totals.net is not None:
        yield from _differs("the sum with tax", totals.net + (totals.tax or 0), totals.gross)
    advanced = sum(advance.cents for advance in invoice.advances)
    yield from _differs(
        "what is to be paid", totals.gross - totals.prepaid + totals.rounding + advanced, totals.payable
    )
    yield from _contradictions_of_taxes(invoice)


def _contradictions_of_taxes(invoice: EInvoice) -> Iterator[str]:
    taxed = [
        *((line.tax, line.cents) for line in invoice.lines),
        *((charge.tax, charge.cents) for charge in invoice.charges),
    ]
    by_rate = added_up((tax and tax.rate, cents) for tax, cents in taxed)
    is_listed = invoice.lines and invoice.lists_charges and None not in by_rate
    for rate in dict.fromkeys(tax_sum.tax.rate for tax_sum in invoice.taxes):
        stated = [tax_sum for tax_sum in invoice.taxes if tax_sum.tax.rate == rate]
        nets = [tax_sum.net for tax_sum in stated if tax_sum.net is not None]
        if len(nets) < len(stated):
            continue
        net, tax = sum(nets), sum(tax_sum.cents for tax_sum in stated)
        if is_listed and abs(by_rate[rate] - net) >= _LEEWAY:
            come_to = in_figures(by_rate[rate])
            yield f"what it taxes at {quantity(rate)} % comes to {come_to}, and it says {in_figures(net)}"
        if abs(net * rate - 100 * tax) >= 100 * _LEEWAY:
            yield f"{in_figures(tax)} is not {quantity(rate)} % of {in_figures(net)}"


def _differs(what: str, computed: int, stated: int | None) -> Iterator[str]:
    if stated is not None and computed != stated:
        yield f"{what} should be {in_figures(computed)}, and it says {in_figures(stated)}"
