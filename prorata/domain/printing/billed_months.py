"""The sentences on invoices about charges for days of another month, by language.

They state facts that hold whether a rule or a person chose the month.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Literal, Protocol

from prorata.domain.billing_calendar import Month, month_of, month_with_most_days, months_between, tied_months
from prorata.domain.groups import grouped
from prorata.domain.printing.printed_invoices import PrintedCharge
from prorata.domain.printing.texts import Texts
from prorata.domain.splitting.stays import LineDays

Relation = Literal["days", "tie", "end", "date", "chosen"]
"""The relation of a bill to its billing month.

In this order: the month has most of the bill's service days; it is the last of several months with most; it has the
last service day; the bill is dated in it; none of these, so that a person or a setting has chosen the month.
"""
BILLED_HERE: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "en": {
        "and": " and ",
        "days": "Billed in {month}, the month with most of the bill’s days{names}.",
        "tie": "Billed in {month}, the last of the months {tied}, which have equally many of the bill’s days"
        "{names}.",
        "end": "Billed in {month}, the month in which the bill’s days end{names}.",
        "date": "Billed in {month}, the month of the bill’s date; it was on no earlier invoice of yours{names}.",
        "chosen": "Billed in {month}, the month that was chosen for this bill; it was on no earlier invoice of "
        "yours{names}.",
    },
    "de": {
        "and": " und ",
        "days": "Abgerechnet im Monat {month}, in dem die meisten Tage des Belegs liegen{names}.",
        "tie": "Abgerechnet im Monat {month}, dem letzten der Monate {tied}, in denen gleich viele Tage des Belegs "
        "liegen{names}.",
        "end": "Abgerechnet im Monat {month}, in dem der Zeitraum des Belegs endet{names}.",
        "date": "Abgerechnet im Monat {month}, in dem das Datum des Belegs liegt, und auf keiner früheren Ihrer "
        "Rechnungen{names}.",
        "chosen": "Abgerechnet im Monat {month}, der für diesen Beleg gewählt wurde, und auf keiner früheren Ihrer "
        "Rechnungen{names}.",
    },
    "es": {
        "and": " y ",
        "days": "Facturado en {month}, el mes con la mayoría de los días del recibo{names}.",
        "tie": "Facturado en {month}, el último de los meses {tied}, que tienen el mismo número de días del "
        "recibo{names}.",
        "end": "Facturado en {month}, el mes en que termina el periodo del recibo{names}.",
        "date": "Facturado en {month}, el mes de la fecha del recibo, y en ninguna factura anterior suya{names}.",
        "chosen": "Facturado en {month}, el mes que se eligió para este recibo, y en ninguna factura anterior "
        "suya{names}.",
    },
    "fr": {
        "and": " et ",
        "days": "Facturé en {month}, le mois qui compte la plupart des jours de la facture{names}.",
        "tie": "Facturé en {month}, le dernier des mois {tied}, qui ont le même nombre de jours de la facture"
        "{names}.",
        "end": "Facturé en {month}, le mois où se termine la période de la facture{names}.",
        "date": "Facturé en {month}, le mois de la date de la facture, et sur aucune de vos factures "
        "antérieures{names}.",
        "chosen": "Facturé en {month}, le mois choisi pour cette facture, et sur aucune de vos factures "
        "antérieures{names}.",
    },
})  # fmt: skip


class Months(Protocol):
    """The format of a month in a locale."""

    def month(self, month: Month) -> str:
        """Format a month and year, in words."""
        ...


def about_billed_here(month: Month, charges: Sequence[PrintedCharge], texts: Texts, forms: Months) -> Iterator[str]:
    """Relate, once per relation, bills with other months' days to an invoice's month.

    If the charges differ in this, or some are corrections, each sentence names its charges. Corrections are left out,
    because they name the month that they correct.
    """
    shares = ((one, one.explanation) for one in charges if one.explanation and not one.corrects_month)
    its = grouped(
        (
            (relation := relation_to(month, why.days, why.line.bill_date), _tied(relation, why.days)),
            charge.name(texts),
        )
        for charge, why in shares
    )
    corrects = any(charge.corrects_month for charge in charges)
    for (relation, tied), names in its.items():
        if relation is not None:
            named = f" ({', '.join(dict.fromkeys(names))})" if len(its) > 1 or corrects else ""
            *first, last = map(forms.month, tied or (month,))
            in_tie = f"{', '.join(first)}{texts.billed_here['and']}{last}" if first else last
            yield texts.billed_here[relation].format(month=forms.month(month), tied=in_tie, names=named)


def _tied(relation: Relation | None, days: LineDays) -> tuple[Month, ...]:
    return tuple(tied_months(*days)) if relation == "tie" else ()


def relation_to(month: Month, days: LineDays, bill_date: date) -> Relation | None:
    """Return the relation of a bill for these days to its billing month.

    The result is None if all of the days are in that month.

    >>> relation_to(Month("2026-10"), LineDays(date(2026, 9, 20), date(2026, 10, 19)), date(2026, 11, 2))
    'days'
    """
    if list(months_between(*days)) == [month]:
        return None
    if month_with_most_days(*days) == month:
        return "tie" if tied_months(*days) else "days"
    return "end" if month_of(days.last) == month else "date" if month_of(bill_date) == month else "chosen"
