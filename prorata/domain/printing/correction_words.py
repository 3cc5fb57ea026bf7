"""The words of invoices for corrections and carried credits, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class CorrectionWords(NamedTuple):
    """The words for facts that differed when a corrected amount was charged.

    `before` and `now` are the bill's total, or its part for this utility; `said` is a sentence of the explanation as it
    was then.
    """

    bill: str
    part_of_bill: str
    then: str
    since: str


CORRECTIONS: Mapping[str, CorrectionWords] = MappingProxyType({
    "en": CorrectionWords(
        bill="The bill came to {before} and was corrected to {now}.",
        part_of_bill="Of the bill, {before} was for this, and is {now} now.",
        then="Before: {said}",
        since="Now: {said}",
    ),
    "de": CorrectionWords(
        bill="Die Rechnung belief sich auf {before} und wurde auf {now} korrigiert.",
        part_of_bill="Von der Rechnung galten {before} hierfür, jetzt sind es {now}.",
        then="Zuvor: {said}",
        since="Jetzt: {said}",
    ),
    "es": CorrectionWords(
        bill="El recibo era de {before} y se corrigió a {now}.",
        part_of_bill="Del recibo, {before} eran por este servicio, y ahora son {now}.",
        then="Antes: {said}",
        since="Ahora: {said}",
    ),
    "fr": CorrectionWords(
        bill="La facture s’élevait à {before} et a été corrigée à {now}.",
        part_of_bill="De la facture, {before} étaient pour ce service, et maintenant {now}.",
        then="Auparavant\u00a0: {said}",
        since="Maintenant\u00a0: {said}",
    ),
})  # fmt: skip
CREDIT_CARRIED: Mapping[str, str] = MappingProxyType({
    "en": "Your credit of {amount} is taken off your next invoice.",
    "de": "Ihr Guthaben von {amount} wird mit Ihrer nächsten Rechnung verrechnet.",
    "es": "Su saldo a favor de {amount} se descontará de su próxima factura.",
    "fr": "Votre avoir de {amount} sera déduit de votre prochaine facture.",
})  # fmt: skip
