"""The words of invoices for corrections, by language."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.labels import about_unit
from prorata.domain.splitting.changed_days import DaysChange


class CorrectionWords(NamedTuple):
    """The words for facts that were different when a corrected amount was charged.

    In `bill` and `part_of_bill`, `{before}` and `{now}` are amounts. `method` says that there was another split
    method. `included` says that an amount of an earlier month includes its corrections. In `then`, `{said}` is replaced
    by the sentences of the former explanation that differ. `more` and `less` state the sum of a correction. `changes`
    are sentences about changes in a unit's stays, by the kind of change (`changed_days.What`). A key ending in `_new`
    is for a day that was unknown before, and a key ending in `_open` for a day that is unknown now.
    """

    bill: str
    part_of_bill: str
    method: str
    then: str
    more: str
    less: str
    included: str
    changes: Mapping[str, str]


CORRECTIONS: Mapping[str, CorrectionWords] = MappingProxyType({
    "en": CorrectionWords(
        bill="The bill came to {before} and was corrected to {now}.",
        part_of_bill="Of the bill, {before} was for this, and is {now} now.",
        method="The way in which this cost is divided was corrected; {biller} can tell you why.",
        then="Before the correction, it said: {said}",
        more="{amount} more",
        less="{amount} less",
        included="{amount} (including corrections)",
        changes={
            "in": "The tenant of unit {unit} moved in on {now}, not on {before}.",
            "in_new": "The tenant of unit {unit} moved in on {now}.",
            "in_open": "The tenant of unit {unit} was there from the start, not only from {before}.",
            "out": "The tenant of unit {unit} moved out on {now}, not on {before}.",
            "out_new": "The tenant of unit {unit} moved out on {now}.",
            "out_open": "The tenant of unit {unit} stayed on after {before}.",
            "people": "The number of people in unit {unit} is {now}, not {before}.",
            "came": "Unit {unit} had a tenant who was not counted before.",
            "gone": "Unit {unit} did not have a tenant who was counted before.",
            "others": "The days or the number of people of other tenants were corrected.",
        },
    ),
    "de": CorrectionWords(
        bill="Der Beleg lautete auf {before} und wurde auf {now} korrigiert.",
        part_of_bill="Vom Beleg galten {before} hierfür, jetzt sind es {now}.",
        method="Die Art, wie diese Kosten verteilt werden, wurde berichtigt; den Grund kennt {biller}.",
        then="Vor der Korrektur hieß es: {said}",
        more="{amount} mehr",
        less="{amount} weniger",
        included="{amount} (Korrekturen eingerechnet)",
        changes={
            "in": "Der Mieter von Einheit {unit} ist am {now} eingezogen, nicht am {before}.",
            "in_new": "Der Mieter von Einheit {unit} ist am {now} eingezogen.",
            "in_open": "Der Mieter von Einheit {unit} war von Anfang an da, nicht erst ab {before}.",
            "out": "Der Mieter von Einheit {unit} ist am {now} ausgezogen, nicht am {before}.",
            "out_new": "Der Mieter von Einheit {unit} ist am {now} ausgezogen.",
            "out_open": "Der Mieter von Einheit {unit} blieb über den {before} hinaus.",
            "people": "Die Zahl der Personen in Einheit {unit} ist {now}, nicht {before}.",
            "came": "Einheit {unit} hatte einen Mieter, der zuvor nicht mitgezählt war.",
            "gone": "Einheit {unit} hatte einen Mieter nicht, der zuvor mitgezählt war.",
            "others": "Bei anderen Mietern wurden Tage oder Personenzahl berichtigt.",
        },
    ),
    "es": CorrectionWords(
        bill="El recibo era de {before} y se corrigió a {now}.",
        part_of_bill="Del recibo, {before} eran por este servicio, y ahora son {now}.",
        method="Se corrigió la forma de repartir este gasto; {biller} puede decirle por qué.",
        then="Antes de la corrección decía: {said}",
        more="{amount} más",
        less="{amount} menos",
        included="{amount} (con las correcciones)",
        changes={
            "in": "El inquilino de la unidad {unit} entró el {now}, no el {before}.",
            "in_new": "El inquilino de la unidad {unit} entró el {now}.",
            "in_open": "El inquilino de la unidad {unit} estaba desde el principio, no solo desde el {before}.",
            "out": "El inquilino de la unidad {unit} se fue el {now}, no el {before}.",
            "out_new": "El inquilino de la unidad {unit} se fue el {now}.",
            "out_open": "El inquilino de la unidad {unit} se quedó después del {before}.",
            "people": "El número de personas en la unidad {unit} es {now}, no {before}.",
            "came": "La unidad {unit} tenía un inquilino que antes no contaba.",
            "gone": "La unidad {unit} no tenía un inquilino que antes contaba.",
            "others": "Se corrigieron los días o el número de personas de otros inquilinos.",
        },
    ),
    "fr": CorrectionWords(
        bill="La facture du fournisseur s’élevait à {before} et a été corrigée à {now}.",
        part_of_bill="De la facture du fournisseur, {before} étaient pour ce service, et maintenant {now}.",
        method="La façon de répartir cette dépense a été corrigée\u00a0; {biller} peut vous dire pourquoi.",
        then="Avant la correction, il était écrit\u00a0: {said}",
        more="{amount} de plus",
        less="{amount} de moins",
        included="{amount} (corrections comprises)",
        changes={
            "in": "Le locataire du logement {unit} a emménagé le {now}, et non le {before}.",
            "in_new": "Le locataire du logement {unit} a emménagé le {now}.",
            "in_open": "Le locataire du logement {unit} était là dès le début, et pas seulement à partir du {before}.",
            "out": "Le locataire du logement {unit} est parti le {now}, et non le {before}.",
            "out_new": "Le locataire du logement {unit} est parti le {now}.",
            "out_open": "Le locataire du logement {unit} est resté après le {before}.",
            "people": "Dans le logement {unit}, le nombre de personnes est {now}, et non {before}.",
            "came": "Le logement {unit} avait un locataire qui n’était pas compté auparavant.",
            "gone": "Le logement {unit} n’avait pas un locataire qui était compté auparavant.",
            "others": "Les jours ou le nombre de personnes d’autres locataires ont été corrigés.",
        },
    ),
})  # fmt: skip


def sum_of_correction(cents: int, language: str, money: Callable[[int], str]) -> str:
    """State how much more or less a household pays because of a correction."""
    words = CORRECTIONS[language]
    form = words.more if cents > 0 else words.less if cents < 0 else "{amount}"
    return form.format(amount=money(abs(cents)))


def changes_in_words(changes: Iterable[DaysChange], language: str, day: Callable[[date], str]) -> list[str]:
    """Write each distinct sentence in a language about changes in the stays of units."""
    return list(dict.fromkeys(_in_words(one, CORRECTIONS[language].changes, day) for one in changes))


def _in_words(one: DaysChange, words: Mapping[str, str], day: Callable[[date], str]) -> str:
    before, now = (day(value) if isinstance(value, date) else str(value) for value in (one.before, one.now))
    form: str = one.what
    if form not in {"came", "gone", "others"} and one.before is None:
        form += "_new"
    elif form not in {"came", "gone", "others"} and one.now is None:
        form += "_open"
    return about_unit(words[form], one.label).format(unit=one.label, before=before, now=now)
