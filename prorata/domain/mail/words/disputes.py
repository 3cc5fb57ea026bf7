"""The words of e-mails about a charge that is disputed, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class DisputeWords(NamedTuple):
    """What a language has to say about a dispute. Texts may hold `{name}`, `{number}`, `{place}`, `{month}`,
    `{biller}`, `{amount}`, `{day}`, `{difference}` and `{carrier}`.
    """

    subject: str
    disputes: str
    due: str
    """Until when the biller is to answer."""
    subject_answer: str
    answers: str
    subject_end: str
    resolved: str
    """Above the reason."""
    corrected: str
    corrected_next: str
    """Where it is not known yet which invoice has the correction."""
    withdrawn: str
    subject_open_again: str
    open_again: str
    counts_again: str
    was_disputed: str
    """Above the text of the dispute."""
    not_asked: str
    """Of an invoice of whose `{balance}` `{disputed}` is in question; it says what is to be paid now beside this."""
    none_asked: str
    """Of one whose whole `{balance}` is."""

    def of(self, balance: str, disputed: str) -> str:
        """What is said of a balance of which so much is in dispute, both as they are written."""
        said = self.none_asked if disputed == balance else self.not_asked
        return said.format(balance=balance, disputed=disputed)


DISPUTES: Mapping[str, DisputeWords] = MappingProxyType({
    "en": DisputeWords(
        subject="A charge of invoice {number} is disputed ({place})",
        disputes="{name} disputes {amount} of a charge of invoice {number} of {month}:",
        due="An answer is due by {day}.",
        subject_answer="Answer to your dispute about invoice {number}",
        answers="{biller} answers your dispute of {amount} of a charge of invoice {number} of {month}:",
        subject_end="Your dispute about invoice {number} has ended",
        resolved="{biller} has ended your dispute of {amount} of a charge of invoice {number} of {month}. The reason:",
        corrected="{biller} has corrected the charge of invoice {number} of {month} that you disputed: by "
        "{difference}, on the invoice of {carrier}.",
        corrected_next="{biller} has corrected the charge of invoice {number} of {month} that you disputed: by "
        "{difference}, on one of your next invoices.",
        withdrawn="Your dispute of {amount} of a charge of invoice {number} of {month} was withdrawn.",
        subject_open_again="Your dispute about invoice {number} is open again",
        open_again="The correction of the charge of invoice {number} of {month} that you disputed was taken back. "
        "Your dispute of {amount} is open again; {biller} will answer it.",
        counts_again="Any open balance on the invoice is due again.",
        was_disputed="You had written:",
        not_asked="The balance is {balance}; {disputed} of it is in dispute, and not asked for until that has ended.",
        none_asked="The balance of {balance} is in dispute, and not asked for until that has ended.",
    ),
    "de": DisputeWords(
        subject="Ein Posten der Rechnung {number} wird beanstandet ({place})",
        disputes="{name} beanstandet {amount} eines Postens der Rechnung {number} für {month}:",
        due="Eine Antwort ist bis zum {day} fällig.",
        subject_answer="Antwort auf Ihre Beanstandung der Rechnung {number}",
        answers="{biller} antwortet auf Ihre Beanstandung von {amount} eines Postens der Rechnung {number} für "
        "{month}:",
        subject_end="Ihre Beanstandung der Rechnung {number} ist abgeschlossen",
        resolved="{biller} hat Ihre Beanstandung von {amount} eines Postens der Rechnung {number} für {month} "
        "abgeschlossen. Der Grund:",
        corrected="{biller} hat den Posten der Rechnung {number} für {month} korrigiert, den Sie beanstandet haben: um "
        "{difference}, auf der Rechnung für {carrier}.",
        corrected_next="{biller} hat den Posten der Rechnung {number} für {month} korrigiert, den Sie beanstandet "
        "haben: um {difference}, auf einer Ihrer nächsten Rechnungen.",
        withdrawn="Ihre Beanstandung von {amount} eines Postens der Rechnung {number} für {month} wurde "
        "zurückgenommen.",
        subject_open_again="Ihre Beanstandung der Rechnung {number} ist wieder offen",
        open_again="Die Korrektur des Postens der Rechnung {number} für {month}, den Sie beanstandet haben, wurde "
        "zurückgenommen. Ihre Beanstandung von {amount} ist wieder offen; {biller} wird sie beantworten.",
        counts_again="Was von der Rechnung noch offen ist, ist wieder fällig.",
        was_disputed="Sie hatten geschrieben:",
        not_asked="Offen sind {balance}; davon sind {disputed} beanstandet und werden vorerst nicht verlangt.",
        none_asked="Die offenen {balance} sind beanstandet und werden vorerst nicht verlangt.",
    ),
    "es": DisputeWords(
        subject="Se reclama un cargo de la factura {number} ({place})",
        disputes="{name} reclama {amount} de un cargo de la factura {number} de {month}:",
        due="La respuesta debe darse hasta el {day}.",
        subject_answer="Respuesta a su reclamación sobre la factura {number}",
        answers="{biller} responde a su reclamación de {amount} de un cargo de la factura {number} de {month}:",
        subject_end="Su reclamación sobre la factura {number} ha terminado",
        resolved="{biller} ha cerrado su reclamación de {amount} de un cargo de la factura {number} de {month}. El "
        "motivo:",
        corrected="{biller} ha corregido el cargo de la factura {number} de {month} que usted reclamó: en "
        "{difference}, en la factura de {carrier}.",
        corrected_next="{biller} ha corregido el cargo de la factura {number} de {month} que usted reclamó: en "
        "{difference}, en una de sus próximas facturas.",
        withdrawn="Se ha retirado su reclamación de {amount} de un cargo de la factura {number} de {month}.",
        subject_open_again="Su reclamación sobre la factura {number} vuelve a estar abierta",
        open_again="La corrección del cargo de la factura {number} de {month} que usted reclamó se ha retirado. Su "
        "reclamación de {amount} vuelve a estar abierta; {biller} le responderá.",
        counts_again="Lo que quede por pagar de la factura vuelve a ser exigible.",
        was_disputed="Usted había escrito:",
        not_asked="El saldo es de {balance}; de él se reclaman {disputed}, que por ahora no se piden.",
        none_asked="El saldo de {balance} está reclamado, y por ahora no se pide.",
    ),
    "fr": DisputeWords(
        subject="Un montant de la facture {number} est contesté ({place})",
        disputes="{name} conteste {amount} d’un montant de la facture {number} ({month})\u00a0:",
        due="Une réponse est due d’ici le {day}.",
        subject_answer="Réponse à votre contestation de la facture {number}",
        answers="{biller} répond à votre contestation de {amount} d’un montant de la facture {number} ({month})\u00a0:",
        subject_end="Votre contestation de la facture {number} est close",
        resolved="{biller} a clos votre contestation de {amount} d’un montant de la facture {number} ({month}). La "
        "raison\u00a0:",
        corrected="{biller} a corrigé le montant de la facture {number} ({month}) que vous avez contesté\u00a0: de "
        "{difference}, sur la facture de {carrier}.",
        corrected_next="{biller} a corrigé le montant de la facture {number} ({month}) que vous avez contesté\u00a0: "
        "de {difference}, sur une de vos prochaines factures.",
        withdrawn="Votre contestation de {amount} d’un montant de la facture {number} ({month}) a été retirée.",
        subject_open_again="Votre contestation de la facture {number} est rouverte",
        open_again="La correction du montant de la facture {number} de {month} que vous avez contesté a été "
        "annulée. Votre contestation de {amount} est rouverte\u00a0; {biller} y répondra.",
        counts_again="Ce qui reste à payer de la facture est de nouveau dû.",
        was_disputed="Vous aviez écrit\u00a0:",
        not_asked="Le solde est de {balance}\u00a0; {disputed} en sont contestés, et ne sont pas demandés.",
        none_asked="Le solde de {balance} est contesté, et n’est pas demandé.",
    ),
})  # fmt: skip
