"""The words of e-mails that announce a changed share rule, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class AnnouncementWords(NamedTuple):
    """The words of one language for the announcement of a changed share rule.

    The texts may contain `{utility}`, `{property}`, `{place}`, `{month}`, `{day}`, `{how}`, `{label}`, `{bills}`
    and `{amount}`.
    """

    subject: str
    subject_again: str
    again: str
    opening: str
    until_then: str
    from_then: str
    bills: str
    part_before: str
    part_after: str


ANNOUNCEMENTS: Mapping[str, AnnouncementWords] = MappingProxyType(
    {
        "en": AnnouncementWords(
            subject="{utility} is divided another way from {month} ({place})",
            subject_again="Corrected: {utility} is divided another way from {month} ({place})",
            again="This replaces what we wrote to you on {day}.",
            opening="{utility} of {property} will be divided another way, from the bills for {month} on.",
            until_then="Until then: {how}.",
            from_then="From {month}: {how}.",
            bills="Bills of the last 12 months: {bills}.",
            part_before="Your part of an average bill by the rule until then: {amount}",
            part_after="Your part of an average bill by the new rule: {amount}",
        ),
        "de": AnnouncementWords(
            subject="{utility} wird ab {month} anders verteilt ({place})",
            subject_again="Korrigiert: {utility} wird ab {month} anders verteilt ({place})",
            again="Dies ersetzt, was wir Ihnen am {day} geschrieben haben.",
            opening="{utility} für {property} wird anders verteilt, ab den Rechnungen für {month}.",
            until_then="Bis dahin: {how}.",
            from_then="Ab {month}: {how}.",
            bills="Rechnungen der letzten 12 Monate: {bills}.",
            part_before="Ihr Anteil an einer durchschnittlichen Rechnung nach der Regel bis dahin: {amount}",
            part_after="Ihr Anteil an einer durchschnittlichen Rechnung nach der neuen Regel: {amount}",
        ),
        "es": AnnouncementWords(
            subject="{utility}: otro reparto a partir de {month} ({place})",
            subject_again="Corrección: {utility}: otro reparto a partir de {month} ({place})",
            again="Esto sustituye lo que le escribimos el {day}.",
            opening="{utility} de {property}: el reparto cambia a partir de los recibos de {month}.",
            until_then="Hasta entonces: {how}.",
            from_then="A partir de {month}: {how}.",
            bills="Recibos de los últimos 12 meses: {bills}.",
            part_before="Su parte de un recibo medio según la regla hasta entonces: {amount}",
            part_after="Su parte de un recibo medio según la nueva regla: {amount}",
        ),
        "fr": AnnouncementWords(
            subject="{utility}\u00a0: autre répartition à partir de {month} ({place})",
            subject_again="Correction\u00a0: {utility}\u00a0: autre répartition à partir de {month} ({place})",
            again="Ce message remplace celui que nous vous avons écrit le {day}.",
            opening="{utility} de {property}\u00a0: la répartition change à partir des factures de {month}.",
            until_then="Jusque-là\u00a0: {how}.",
            from_then="À partir de {month}\u00a0: {how}.",
            bills="Factures des 12 derniers mois\u00a0: {bills}.",
            part_before="Votre part d’une facture moyenne selon la règle jusque-là\u00a0: {amount}",
            part_after="Votre part d’une facture moyenne selon la nouvelle règle\u00a0: {amount}",
        ),
    }
)
