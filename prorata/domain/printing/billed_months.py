"""The sentences on invoices that explain charges for days of another month, by language."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import Literal, Protocol

from prorata.domain.billing_calendar import Month, month_of, month_with_most_days, months_between, tied_months
from prorata.domain.groups import grouped
from prorata.domain.printing.printed_invoices import PrintedCharge
from prorata.domain.printing.texts import Texts
from prorata.domain.splitting.stays import LineDays

Reason = Literal["days", "tie", "end", "date", "chosen"]
"""The reason why a bill is billed in its billing month.

In this order: the month has most of the bill's service days; it is the last of several months with most; it has the
last service day; the bill is dated in it; a person or a setting has chosen the month for none of these reasons.
"""
BILLED_HERE: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "en": {
        "and": " and ",
        "days": "Billed in {month}, because most of the bill’s days are in this month{names}.",
        "tie": "Billed in {month}, because equally many of the bill’s days are in {tied}, and the last of these months "
        "counts{names}.",
        "end": "Billed in {month}, because the bill’s days end in this month{names}.",
        "date": "Billed in {month}, because the bill is dated in this month{names}.",
        "chosen": "Billed in {month}, the month that was chosen for this bill{names}.",
    },
    "de": {
        "and": " und ",
        "days": "Abgerechnet im Monat {month}, weil die meisten Tage der Rechnung in diesem Monat liegen{names}.",
        "tie": "Abgerechnet im Monat {month}, weil gleich viele Tage der Rechnung auf {tied} entfallen und der letzte "
        "dieser Monate zählt{names}.",
        "end": "Abgerechnet im Monat {month}, weil der Zeitraum der Rechnung in diesem Monat endet{names}.",
        "date": "Abgerechnet im Monat {month}, weil die Rechnung ein Datum in diesem Monat hat{names}.",
        "chosen": "Abgerechnet im Monat {month}, der für diese Rechnung gewählt wurde{names}.",
    },
    "es": {
        "and": " y ",
        "days": "Facturado en {month}, porque la mayoría de los días del recibo son de este mes{names}.",
        "tie": "Facturado en {month}, porque el recibo tiene el mismo número de días en {tied}, y cuenta el último de "
        "estos meses{names}.",
        "end": "Facturado en {month}, porque el periodo del recibo termina en este mes{names}.",
        "date": "Facturado en {month}, porque la fecha del recibo es de este mes{names}.",
        "chosen": "Facturado en {month}, el mes que se eligió para este recibo{names}.",
    },
    "fr": {
        "and": " et ",
        "days": "Facturé en {month}, car la plupart des jours de la facture sont dans ce mois{names}.",
        "tie": "Facturé en {month}, car la facture a le même nombre de jours en {tied}, et c’est le dernier de ces "
        "mois qui compte{names}.",
        "end": "Facturé en {month}, car la période de la facture se termine dans ce mois{names}.",
        "date": "Facturé en {month}, car la facture est datée de ce mois{names}.",
        "chosen": "Facturé en {month}, le mois choisi pour cette facture{names}.",
    },
})  # fmt: skip


class Months(Protocol):
    """The format of a month in a locale."""

    def month(self, month: Month) -> str:
        """Format a month and year, in words."""
        ...


def why_billed_here(month: Month, charges: Iterable[PrintedCharge], texts: Texts, forms: Months) -> Iterator[str]:
    """Explain, once per reason, why charges for another month's days are on an invoice.

    If the charges have different reasons, each sentence names its charges. Corrections are left out, because they
    name the month that they correct.
    """
    shares = ((one, one.explanation) for one in charges if one.explanation and not one.corrects_month)
    its = grouped(
        (
            (reason := reason_for(month, why.days, why.line.bill_date), _tied(reason, why.days)),
            texts.utilities[charge.utility_type or "OTHER"],
        )
        for charge, why in shares
    )
    for (reason, tied), names in its.items():
        if reason is not None:
            named = f" ({', '.join(dict.fromkeys(names))})" if len(its) > 1 else ""
            *first, last = map(forms.month, tied or (month,))
            in_tie = f"{', '.join(first)}{texts.billed_here['and']}{last}" if first else last
            yield texts.billed_here[reason].format(month=forms.month(month), tied=in_tie, names=named)


def _tied(reason: Reason | None, days: LineDays) -> tuple[Month, ...]:
    return tuple(tied_months(*days)) if reason == "tie" else ()


def reason_for(month: Month, days: LineDays, bill_date: date) -> Reason | None:
    """Return the reason for which a bill for these days is billed in a month.

    The result is None if all of the days are in that month.

    >>> reason_for(Month("2026-10"), LineDays(date(2026, 9, 20), date(2026, 10, 19)), date(2026, 11, 2))
    'days'
    """
    if list(months_between(*days)) == [month]:
        return None
    if month_with_most_days(*days) == month:
        return "tie" if tied_months(*days) else "days"
    return "end" if month_of(days.last) == month else "date" if month_of(bill_date) == month else "chosen"
