"""The words for disputed charges on a tenant's page, in each language of invoices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class DisputePageWords(NamedTuple):
    """One language's words for disputes on a tenant's page.

    They may contain `{biller}`, `{contact}`, `{day}`, `{amount}`, `{most}`, `{name}`, `{names}`, `{number}`, `{each}`
    and `{megabytes}`.
    """

    dispute: str
    in_dispute: str
    """The label, beside a charge, of the link to its dispute."""
    how: str
    """The sentence below the charges on when to dispute one, and when to ask.

    `{day}` is the last day for the answer to a dispute that is sent today, also in `would_be_due`.
    """
    goes: str
    while_open: str
    """The sentence after `goes` if the invoice is still to be paid; otherwise, it is `once_paid`."""
    once_paid: str
    would_be_due: str
    why: str
    amount: str
    amount_hint: str
    credit_hint: str
    """The hint for a charge below zero, which the tenant may find too small."""
    files: str
    files_hint: str
    send: str
    back: str
    opened: str
    since: str
    was: str
    """The label, beside a charge, of the link to a dispute that has ended."""
    with_files: str
    due: str
    was_due: str
    resolved: str
    corrected: str
    withdrawn: str
    withdraw: str
    withdrawn_now: str
    ended_before: str
    """The message for a tenant who withdraws a dispute that has already ended."""
    empty: str
    wrong_amount: str
    empty_file: str
    wrong_files: str
    too_large_files: str
    open_already: str
    not_sent: str


DISPUTE_WORDS: Mapping[str, DisputePageWords] = MappingProxyType({
    "en": DisputePageWords(
        dispute="Dispute this charge",
        in_dispute="In dispute",
        how="Is an amount wrong? Dispute the charge: if you do it today, {biller} has to answer by {day}. For anything "
        "else, ask a question.",
        goes="Your dispute goes to {biller}.",
        while_open="While it is open, you are not reminded of the amount in question; the rest is due as before.",
        once_paid="If the charge is corrected, the difference is on one of your next invoices, or is paid back.",
        would_be_due="If you send it today, an answer is due by {day}.",
        why="What is wrong with this charge?",
        amount="Amount in question",
        amount_hint="The part of it that is wrong, at most {most}.",
        credit_hint="How much more you should get, at most {most}. If it is more than that, write it above.",
        files="Photos or PDFs, if you have any",
        files_hint="Up to {number} files (JPEG, PNG, PDF), {megabytes} MB together.",
        send="Send the dispute",
        back="Back to the invoice",
        opened="{biller} has received your dispute. An answer is due by {day}.",
        since="{amount} in dispute since {day}:",
        was="Disputed on {day}, {amount}:",
        with_files="With: {names}",
        due="An answer is due by {day}.",
        was_due="An answer was due by {day}.",
        resolved="{biller} ended the dispute on {day}:",
        corrected="{biller} corrected the charge on {day}: by {amount}.",
        withdrawn="The dispute was withdrawn on {day}.",
        withdraw="Withdraw the dispute",
        withdrawn_now="The dispute is withdrawn.",
        ended_before="The dispute had ended already.",
        empty="Write first what is wrong.",
        wrong_amount="Enter an amount above zero, and at most {most}.",
        empty_file="Nothing was sent yet: {name} is empty. Choose the file again, or send the dispute without it.",
        wrong_files="Choose at most {number} files, each a JPEG, PNG or PDF.",
        too_large_files="These files are too large: at most {each} MB each, and {megabytes} MB together. Choose "
        "smaller or fewer ones.",
        open_already="This charge is in dispute already.",
        not_sent="This charge can’t be disputed any more, so your dispute was not sent.",
    ),
    "de": DisputePageWords(
        dispute="Diesen Posten beanstanden",
        in_dispute="Beanstandet",
        how="Stimmt ein Betrag nicht? Beanstanden Sie den Posten: Tun Sie es heute, muss {biller} bis zum {day} "
        "antworten. Für alles andere stellen Sie eine Frage.",
        goes="Ihre Beanstandung geht an {biller}.",
        while_open="Solange sie offen ist, werden Sie an den strittigen Betrag nicht erinnert; der Rest ist fällig wie "
        "bisher.",
        once_paid="Wird der Posten korrigiert, steht der Unterschied auf einer Ihrer nächsten Rechnungen oder wird "
        "ausgezahlt.",
        would_be_due="Senden Sie die Beanstandung heute ab, ist eine Antwort bis zum {day} fällig.",
        why="Was stimmt an diesem Posten nicht?",
        amount="Strittiger Betrag",
        amount_hint="Der Teil, der nicht stimmt, höchstens {most}.",
        credit_hint="Um wie viel die Gutschrift zu klein ist, höchstens {most}. Ist es mehr, schreiben Sie das oben.",
        files="Fotos oder PDFs, falls Sie welche haben",
        files_hint="Bis zu {number} Dateien (JPEG, PNG, PDF), zusammen {megabytes} MB.",
        send="Beanstandung absenden",
        back="Zurück zur Rechnung",
        opened="{biller} hat Ihre Beanstandung erhalten. Eine Antwort ist bis zum {day} fällig.",
        since="{amount} beanstandet seit {day}:",
        was="Beanstandet am {day}, {amount}:",
        with_files="Dazu: {names}",
        due="Eine Antwort ist bis zum {day} fällig.",
        was_due="Eine Antwort war bis zum {day} fällig.",
        resolved="{biller} hat die Beanstandung am {day} abgeschlossen:",
        corrected="{biller} hat den Posten am {day} korrigiert: um {amount}.",
        withdrawn="Die Beanstandung wurde am {day} zurückgenommen.",
        withdraw="Beanstandung zurücknehmen",
        withdrawn_now="Die Beanstandung ist zurückgenommen.",
        ended_before="Die Beanstandung war schon abgeschlossen.",
        empty="Schreiben Sie zuerst, was nicht stimmt.",
        wrong_amount="Geben Sie einen Betrag über null und von höchstens {most} ein.",
        empty_file="Noch wurde nichts gesendet: {name} ist leer. Wählen Sie die Datei noch einmal, oder senden Sie "
        "die Beanstandung ohne sie.",
        wrong_files="Wählen Sie höchstens {number} Dateien, jede als JPEG, PNG oder PDF.",
        too_large_files="Diese Dateien sind zu groß: höchstens {each} MB je Datei und zusammen {megabytes} MB. Wählen "
        "Sie kleinere oder weniger.",
        open_already="Dieser Posten ist schon beanstandet.",
        not_sent="Dieser Posten kann nicht mehr beanstandet werden; Ihre Beanstandung wurde nicht versendet.",
    ),
    "es": DisputePageWords(
        dispute="Reclamar este cargo",
        in_dispute="Reclamado",
        how="¿Hay un importe equivocado? Reclame el cargo: si lo hace hoy, {biller} deberá responder hasta el {day}. "
        "Para todo lo demás, haga una pregunta.",
        goes="Su reclamación llega a {biller}.",
        while_open="Mientras esté abierta, no se le recordará el importe en cuestión; el resto vence como antes.",
        once_paid="Si se corrige el cargo, la diferencia figura en una de sus próximas facturas o se devuelve.",
        would_be_due="Si envía hoy la reclamación, la respuesta debe darse hasta el {day}.",
        why="¿Qué está mal en este cargo?",
        amount="Importe en cuestión",
        amount_hint="La parte que está mal, como máximo {most}.",
        credit_hint="Cuánto más debería recibir, como máximo {most}. Si es más, escríbalo arriba.",
        files="Fotos o PDF, si los tiene",
        files_hint="Hasta {number} archivos (JPEG, PNG, PDF), {megabytes} MB en total.",
        send="Enviar la reclamación",
        back="Volver a la factura",
        opened="{biller} ha recibido su reclamación. La respuesta debe darse hasta el {day}.",
        since="{amount} en reclamación desde el {day}:",
        was="Reclamado el {day}, {amount}:",
        with_files="Con: {names}",
        due="La respuesta debe darse hasta el {day}.",
        was_due="La respuesta debía darse hasta el {day}.",
        resolved="{biller} cerró la reclamación el {day}:",
        corrected="{biller} corrigió el cargo el {day}: en {amount}.",
        withdrawn="La reclamación se retiró el {day}.",
        withdraw="Retirar la reclamación",
        withdrawn_now="La reclamación está retirada.",
        ended_before="La reclamación ya había terminado.",
        empty="Escriba primero qué está mal.",
        wrong_amount="Indique un importe mayor que cero y de {most} como máximo.",
        empty_file="Aún no se ha enviado nada: {name} está vacío. Elija el archivo otra vez o envíe la reclamación "
        "sin él.",
        wrong_files="Elija como máximo {number} archivos, cada uno JPEG, PNG o PDF.",
        too_large_files="Estos archivos son demasiado grandes: como máximo {each} MB cada uno y {megabytes} MB en "
        "total. Elija archivos más pequeños o menos.",
        open_already="Este cargo ya está reclamado.",
        not_sent="Este cargo ya no se puede reclamar, así que su reclamación no se envió.",
    ),
    "fr": DisputePageWords(
        dispute="Contester ce montant",
        in_dispute="Contesté",
        how="Un montant est faux\u00a0? Contestez-le\u00a0: si vous le faites aujourd’hui, {biller} doit répondre "
        "d’ici le {day}. Pour toute autre chose, posez une question.",
        goes="Votre contestation parvient à {biller}.",
        while_open="Tant qu’elle est ouverte, le montant contesté ne vous est pas rappelé\u00a0; le reste est dû comme "
        "avant.",
        once_paid="Si le montant est corrigé, la différence figure sur une prochaine facture, ou est remboursée.",
        would_be_due="Si vous envoyez la contestation aujourd’hui, une réponse est due d’ici le {day}.",
        why="Qu’est-ce qui est faux dans ce montant\u00a0?",
        amount="Somme contestée",
        amount_hint="La partie qui est fausse, au plus {most}.",
        credit_hint="Combien vous devriez recevoir de plus, au plus {most}. Si c’est davantage, écrivez-le ci-dessus.",
        files="Photos ou PDF, si vous en avez",
        files_hint="Jusqu’à {number} fichiers (JPEG, PNG, PDF), {megabytes} Mo en tout.",
        send="Envoyer la contestation",
        back="Retour à la facture",
        opened="{biller} a bien reçu votre contestation. Une réponse est due d’ici le {day}.",
        since="{amount} contestés depuis le {day}\u00a0:",
        was="Contesté le {day}, {amount}\u00a0:",
        with_files="Avec\u00a0: {names}",
        due="Une réponse est due d’ici le {day}.",
        was_due="Une réponse était due avant le {day}.",
        resolved="{biller} a clos la contestation le {day}\u00a0:",
        corrected="{biller} a corrigé le montant le {day}\u00a0: de {amount}.",
        withdrawn="La contestation a été retirée le {day}.",
        withdraw="Retirer la contestation",
        withdrawn_now="La contestation est retirée.",
        ended_before="La contestation était déjà close.",
        empty="Écrivez d’abord ce qui est faux.",
        wrong_amount="Indiquez une somme supérieure à zéro, et de {most} au plus.",
        empty_file="Rien n’a encore été envoyé\u00a0: {name} est vide. Choisissez le fichier encore une fois, ou "
        "envoyez la contestation sans lui.",
        wrong_files="Choisissez {number} fichiers au plus, chacun JPEG, PNG ou PDF.",
        too_large_files="Ces fichiers sont trop volumineux\u00a0: {each} Mo au plus chacun, et {megabytes} Mo en tout. "
        "Choisissez-en de plus petits, ou moins.",
        open_already="Ce montant est déjà contesté.",
        not_sent="Ce montant ne peut plus être contesté\u00a0: votre contestation n’a pas été envoyée.",
    ),
})  # fmt: skip
