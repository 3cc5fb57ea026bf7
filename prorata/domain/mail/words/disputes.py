"""The words of e-mails about a disputed charge, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class DisputeWords(NamedTuple):
    """The words of one language for e-mails about a dispute.

    The texts may contain `{name}`, `{number}`, `{place}`, `{month}`, `{biller}`, `{amount}`, `{day}` and
    `{difference}`; those about the amount to pay may contain `{due}`, `{day}`, `{total}`, `{size}` and `{carrier}`.
    """

    subject: str
    disputes: str
    see: str
    """The label of the button that leads the biller to the dispute."""
    due: str
    """The label of the day by which the biller should answer."""
    subject_answer: str
    answers: str
    still_open: str
    """The sentences after an answer, which does not end the dispute."""
    subject_end: str
    resolved: str
    """The sentence that the biller ended the dispute, followed by the reason."""
    corrected: str
    withdrawn: str
    subject_open_again: str
    open_again: str
    due_full: str
    due_now: str
    """The words for an amount due now that is not the invoice's whole total."""
    due_date: str
    nothing_due: str
    comes_to: str
    """The words for a correction on the invoice itself.

    A `taken_off…` or `added…` field is used for a correction on any other invoice.
    """
    taken_off: str
    taken_off_next: str
    """The words for a reduction when the invoice that carries it is still unknown."""
    added: str
    added_next: str
    was_disputed: str
    """The text above the quotation of what the tenant wrote."""
    not_asked: str
    """The sentence for an invoice with `{disputed}` of its `{balance}` in dispute.

    The sentence also states the amount to pay now.
    """
    none_asked: str
    """The sentence for an invoice whose whole `{balance}` is in dispute."""

    def of(self, balance: str, disputed: str) -> str:
        """State which part of a balance is not requested because of a dispute.

        Both amounts are already formatted.
        """
        sentence = self.none_asked if disputed == balance else self.not_asked
        return sentence.format(balance=balance, disputed=disputed)


DISPUTES: Mapping[str, DisputeWords] = MappingProxyType({
    "en": DisputeWords(
        subject="A charge on invoice {number} is disputed ({place})",
        disputes="{name} disputes {amount} of a charge on invoice {number} for {month}:",
        see="See the invoice, and answer the dispute",
        due="An answer is due by {day}.",
        subject_answer="Answer to your dispute about invoice {number}",
        answers="{biller} answers your dispute of a charge on invoice {number} for {month} ({amount} in dispute):",
        still_open="Your dispute is still open, and the amount in question is not asked for until it ends. If you "
        "agree with the answer, withdraw the dispute on the page of your invoice; if not, tell {biller} why.",
        subject_end="Your dispute about invoice {number} has ended",
        resolved="{biller} has ended your dispute of a charge on invoice {number} for {month} ({amount} in dispute). "
        "The reason:",
        corrected="{biller} has corrected the charge on invoice {number} for {month} that you disputed: by "
        "{difference}.",
        withdrawn="Your dispute of a charge on invoice {number} for {month} ({amount} in dispute) was withdrawn.",
        subject_open_again="Your dispute about invoice {number} is open again",
        open_again="The correction of the charge on invoice {number} for {month} that you disputed was taken back. "
        "Your dispute of {amount} is open again; {biller} will answer it.",
        due_full="The full {due} of this invoice is due.",
        due_now="{due} of this invoice is due now.",
        due_date="The due date is {day}.",
        nothing_due="Nothing on this invoice is due now.",
        comes_to="This invoice comes to {total} now.",
        taken_off="The {size} is taken off your invoice of {carrier}.",
        taken_off_next="The {size} is taken off one of your next invoices.",
        added="The {size} is added to your invoice of {carrier}.",
        added_next="The {size} is added to one of your next invoices.",
        was_disputed="You had written:",
        not_asked="The balance is {balance}; {disputed} of it is in dispute, and not asked for until that has ended.",
        none_asked="The balance of {balance} is in dispute, and not asked for until that has ended.",
    ),
    "de": DisputeWords(
        subject="Ein Posten der Rechnung {number} wird beanstandet ({place})",
        disputes="{name} beanstandet einen Posten der Rechnung {number} für {month} (strittig: {amount}):",
        see="Rechnung ansehen und die Beanstandung beantworten",
        due="Eine Antwort ist bis zum {day} fällig.",
        subject_answer="Antwort auf Ihre Beanstandung der Rechnung {number}",
        answers="{biller} antwortet auf Ihre Beanstandung eines Postens der Rechnung {number} für {month} (strittig: "
        "{amount}):",
        still_open="Ihre Beanstandung ist weiter offen, und der strittige Betrag wird so lange nicht von Ihnen "
        "verlangt. Sind Sie mit der Antwort einverstanden, nehmen Sie die Beanstandung auf der Seite Ihrer Rechnung "
        "zurück; wenn nicht, schreiben Sie {biller}, warum.",
        subject_end="Ihre Beanstandung der Rechnung {number} ist abgeschlossen",
        resolved="{biller} hat Ihre Beanstandung eines Postens der Rechnung {number} für {month} (strittig: {amount}) "
        "abgeschlossen. Der Grund:",
        corrected="{biller} hat den Posten der Rechnung {number} für {month} korrigiert, den Sie beanstandet haben: um "
        "{difference}.",
        withdrawn="Ihre Beanstandung eines Postens der Rechnung {number} für {month} (strittig: {amount}) wurde "
        "zurückgenommen.",
        subject_open_again="Ihre Beanstandung der Rechnung {number} ist wieder offen",
        open_again="Die Korrektur des Postens der Rechnung {number} für {month}, den Sie beanstandet haben, wurde "
        "zurückgenommen. Ihre Beanstandung (strittig: {amount}) ist wieder offen; {biller} wird sie beantworten.",
        due_full="Von dieser Rechnung sind die vollen {due} fällig.",
        due_now="Von dieser Rechnung sind jetzt {due} fällig.",
        due_date="Der Fälligkeitstag ist der {day}.",
        nothing_due="Von dieser Rechnung ist jetzt nichts zu zahlen.",
        comes_to="Diese Rechnung beläuft sich jetzt auf {total}.",
        taken_off="Die {size} werden von Ihrer Rechnung für {carrier} abgezogen.",
        taken_off_next="Die {size} werden von einer Ihrer nächsten Rechnungen abgezogen.",
        added="Die {size} kommen zu Ihrer Rechnung für {carrier} hinzu.",
        added_next="Die {size} kommen zu einer Ihrer nächsten Rechnungen hinzu.",
        was_disputed="Sie hatten geschrieben:",
        not_asked="Offen sind {balance}; davon sind {disputed} beanstandet und werden vorerst nicht verlangt.",
        none_asked="Die offenen {balance} sind beanstandet und werden vorerst nicht verlangt.",
    ),
    "es": DisputeWords(
        subject="Se reclama un cargo de la factura {number} ({place})",
        disputes="{name} reclama {amount} de un cargo de la factura {number} de {month}:",
        see="Ver la factura y responder a la reclamación",
        due="La respuesta debe darse hasta el {day}.",
        subject_answer="Respuesta a su reclamación sobre la factura {number}",
        answers="{biller} responde a su reclamación sobre un cargo de la factura {number} de {month} (importe "
        "reclamado: {amount}):",
        still_open="Su reclamación sigue abierta y, mientras lo esté, no se le pide el importe reclamado. Si está de "
        "acuerdo con la respuesta, retire la reclamación en la página de su factura; si no, explique a {biller} por "
        "qué.",
        subject_end="Su reclamación sobre la factura {number} ha terminado",
        resolved="{biller} ha cerrado su reclamación sobre un cargo de la factura {number} de {month} (importe "
        "reclamado: {amount}). El motivo:",
        corrected="{biller} ha corregido el cargo de la factura {number} de {month} que usted reclamó: en "
        "{difference}.",
        withdrawn="Se ha retirado su reclamación sobre un cargo de la factura {number} de {month} (importe reclamado: "
        "{amount}).",
        subject_open_again="Su reclamación sobre la factura {number} vuelve a estar abierta",
        open_again="La corrección del cargo de la factura {number} de {month} que usted reclamó se ha retirado. Su "
        "reclamación de {amount} vuelve a estar abierta; {biller} le responderá.",
        due_full="De esta factura deben pagarse los {due} completos.",
        due_now="De esta factura deben pagarse ahora {due}.",
        due_date="La fecha de vencimiento es el {day}.",
        nothing_due="De esta factura no hay nada que pagar ahora.",
        comes_to="El importe de esta factura es ahora de {total}.",
        taken_off="Los {size} se descuentan de su factura de {carrier}.",
        taken_off_next="Los {size} se descuentan de una de sus próximas facturas.",
        added="Los {size} se suman a su factura de {carrier}.",
        added_next="Los {size} se suman a una de sus próximas facturas.",
        was_disputed="Usted había escrito:",
        not_asked="El saldo es de {balance}; de él se reclaman {disputed}, que por ahora no se piden.",
        none_asked="El saldo de {balance} está reclamado, y por ahora no se pide.",
    ),
    "fr": DisputeWords(
        subject="Un montant de la facture {number} est contesté ({place})",
        disputes="{name} conteste un montant de la facture {number} ({month}, somme contestée\u00a0: {amount})\u00a0:",
        see="Voir la facture et répondre à la contestation",
        due="Une réponse est due d’ici le {day}.",
        subject_answer="Réponse à votre contestation de la facture {number}",
        answers="{biller} répond à votre contestation d’un montant de la facture {number} ({month}, somme "
        "contestée\u00a0: {amount})\u00a0:",
        still_open="Votre contestation reste ouverte, et la somme contestée ne vous est pas demandée tant qu’elle "
        "l’est. Si la réponse vous convient, retirez la contestation sur la page de votre facture\u00a0; sinon, dites "
        "à {biller} pourquoi.",
        subject_end="Votre contestation de la facture {number} est close",
        resolved="{biller} a clos votre contestation d’un montant de la facture {number} ({month}, somme "
        "contestée\u00a0: {amount}). La raison\u00a0:",
        corrected="{biller} a corrigé le montant de la facture {number} ({month}) que vous avez contesté\u00a0: de "
        "{difference}.",
        withdrawn="Votre contestation d’un montant de la facture {number} ({month}, somme contestée\u00a0: {amount}) a "
        "été retirée.",
        subject_open_again="Votre contestation de la facture {number} est rouverte",
        open_again="La correction du montant de la facture {number} ({month}) que vous avez contesté a été "
        "annulée. Votre contestation (somme contestée\u00a0: {amount}) est rouverte\u00a0; {biller} y répondra.",
        due_full="La totalité de cette facture, {due}, est due.",
        due_now="De cette facture, {due} sont à payer maintenant.",
        due_date="La date d’échéance est le {day}.",
        nothing_due="De cette facture, rien n’est à payer maintenant.",
        comes_to="Cette facture s’élève maintenant à {total}.",
        taken_off="Les {size} sont déduits de votre facture de {carrier}.",
        taken_off_next="Les {size} sont déduits d’une de vos prochaines factures.",
        added="Les {size} s’ajoutent à votre facture de {carrier}.",
        added_next="Les {size} s’ajoutent à une de vos prochaines factures.",
        was_disputed="Vous aviez écrit\u00a0:",
        not_asked="Le solde est de {balance}\u00a0; {disputed} en sont contestés, et ne sont pas demandés.",
        none_asked="Le solde de {balance} est contesté, et n’est pas demandé.",
    ),
})  # fmt: skip
