"""The words of a tenant's page beyond those of the invoice, in each invoice language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class PageWords(NamedTuple):
    """One language's words for a tenant's page.

    They may contain `{biller}`, `{contact}`, `{day}`, `{host}`, `{amount}`, `{number}`, `{disputed}`
    and `{most}`.
    """

    pdf: str
    bill: str
    no_bill: str
    compared: str
    """The words before the amounts of earlier months."""
    check: str
    check_how: str
    pays_there: str
    pays_all: str
    """The text beside the button that pays the whole balance, including a disputed part."""
    pay_failed: str
    pay_soon: str
    corrected_on: str
    will_be_corrected: str
    paid: str
    not_confirmed: str
    under_way: str
    ask: str
    ask_goes: str
    answer_by_mail: str
    answer_here: str
    answer_how: str
    question: str
    about: str
    about_all: str
    thread: str
    replied: str
    asked_on: str
    not_answered: str
    answered: str
    send: str
    asked: str
    empty: str
    too_long: str
    too_many: str
    not_sent: str
    kept: str
    kept_short: str
    revised_title: str
    revised: str
    still_paid: str
    """The text about money that was received for an invoice that is withdrawn or cancelled."""
    over_title: str
    over: str
    none_title: str
    none: str
    busy_title: str
    busy: str


PAGE_WORDS: Mapping[str, PageWords] = MappingProxyType({
    "en": PageWords(
        pdf="Invoice as PDF",
        bill="See this bill",
        no_bill="You can ask for a copy of this bill below.",
        compared="For comparison,",
        check="For experts: the calculation as data",
        check_how="How each amount came about, as a file (JSON) with which a program can work it out anew.",
        pays_there="You pay at {host}.",
        pays_all="Pays all {amount}, including the {disputed} in dispute.",
        pay_failed="A payment of this invoice has failed: no money was taken. Please try again, or pay another way.",
        pay_soon="The button to pay is back in a moment.",
        corrected_on="Corrected on invoice {number}: {amount}",
        will_be_corrected="Will be corrected on your next invoice: {amount}",
        paid="Thank you. {biller} has received your payment.",
        not_confirmed="Thank you. This page shows your payment as soon as it is confirmed.",
        under_way="Your payment is on its way. This page shows it once it has arrived; there is no need to pay again.",
        ask="Ask a question",
        ask_goes="It goes to {biller}, with the number of this invoice.",
        answer_by_mail="The answer appears on this page, and comes by e-mail.",
        answer_here="The answer appears on this page.",
        answer_how="Say how you can be reached: {biller} has no e-mail address of yours.",
        question="Your question",
        about="What is it about?",
        about_all="The whole invoice",
        thread="What you asked",
        replied="{biller} replied on {day}:",
        asked_on="You asked on {day}:",
        not_answered="Not answered yet.",
        answered="Answered on {day} by other means.",
        send="Send the question",
        asked="{biller} has received your question.",
        empty="Write your question first.",
        too_long="Enter at most {most} characters.",
        too_many="These are many questions at once, so this one was not sent. Wait a while, or ask {contact}.",
        not_sent="Your question was not sent yet. Please send it once more.",
        kept="Whoever has the address of this page sees what is on it. It works until {day}.",
        kept_short="This address works until {day}; the one in the e-mail with your invoice, longer.",
        revised_title="This invoice is being changed",
        revised="There is nothing to pay for this invoice at the moment. {biller} sends it again when it is ready.",
        still_paid="The {amount} that you have paid for it still counts.",
        over_title="This link no longer works",
        over="It was stopped, or it is too old. Ask {contact} for another.",
        none_title="There is nothing here",
        none="The address is not complete, or leads nowhere any more. Open the link in the latest e-mail about your "
        "invoice, or ask the person who sent you this one.",
        busy_title="Please wait a little",
        busy="Many pages were opened from your network. Wait some minutes, then try again.",
    ),
    "de": PageWords(
        pdf="Rechnung als PDF",
        bill="Diesen Beleg ansehen",
        no_bill="Nach einer Kopie dieses Belegs können Sie unten fragen.",
        compared="Zum Vergleich",
        check="Für Fachleute: die Berechnung als Daten",
        check_how="Wie jeder Betrag zustande kam, als Datei (JSON), mit der ein Programm nachrechnen kann.",
        pays_there="Sie zahlen bei {host}.",
        pays_all="Zahlt alle {amount}, auch die beanstandeten {disputed}.",
        pay_failed="Eine Zahlung dieser Rechnung ist fehlgeschlagen: Es wurde nichts abgebucht. Bitte versuchen Sie es "
        "noch einmal, oder zahlen Sie anders.",
        pay_soon="Der Knopf zum Bezahlen ist gleich wieder da.",
        corrected_on="Korrigiert auf Rechnung {number}: {amount}",
        will_be_corrected="Wird auf Ihrer nächsten Rechnung korrigiert: {amount}",
        paid="Vielen Dank. Ihre Zahlung ist bei {biller} eingegangen.",
        not_confirmed="Vielen Dank. Sobald Ihre Zahlung bestätigt ist, steht sie hier.",
        under_way="Ihre Zahlung ist unterwegs. Sobald sie eingegangen ist, steht sie hier; Sie müssen nicht "
        "noch einmal zahlen.",
        ask="Frage stellen",
        ask_goes="Sie geht an {biller}, mit der Nummer dieser Rechnung.",
        answer_by_mail="Die Antwort erscheint auf dieser Seite und kommt per E-Mail.",
        answer_here="Die Antwort erscheint auf dieser Seite.",
        answer_how="Sagen Sie, wie Sie zu erreichen sind: {biller} hat keine E-Mail-Adresse von Ihnen.",
        question="Ihre Frage",
        about="Worum geht es?",
        about_all="Um die ganze Rechnung",
        thread="Was Sie gefragt haben",
        replied="{biller} hat am {day} geantwortet:",
        asked_on="Sie haben am {day} gefragt:",
        not_answered="Noch nicht beantwortet.",
        answered="Am {day} auf anderem Weg beantwortet.",
        send="Frage absenden",
        asked="{biller} hat Ihre Frage erhalten.",
        empty="Schreiben Sie zuerst Ihre Frage.",
        too_long="Schreiben Sie höchstens {most} Zeichen.",
        too_many="Das sind viele Fragen auf einmal; diese wurde nicht versendet. Warten Sie etwas, oder fragen Sie "
        "{contact}.",
        not_sent="Ihre Frage wurde noch nicht versendet. Bitte senden Sie sie noch einmal.",
        kept="Wer die Adresse dieser Seite hat, sieht, was darauf steht. Sie gilt bis zum {day}.",
        kept_short="Diese Adresse gilt bis zum {day}; die in der E-Mail mit Ihrer Rechnung gilt länger.",
        revised_title="Diese Rechnung wird geändert",
        revised="Für diese Rechnung ist vorerst nichts zu zahlen. {biller} sendet sie noch einmal, sobald sie fertig "
        "ist.",
        still_paid="Die {amount}, die Sie dafür gezahlt haben, bleiben erfasst.",
        over_title="Dieser Link gilt nicht mehr",
        over="Er wurde gesperrt oder ist zu alt. Fragen Sie {contact} nach einem neuen.",
        none_title="Hier ist nichts",
        none="Die Adresse ist nicht vollständig oder führt nirgends mehr hin. Öffnen Sie den Link in der letzten "
        "E-Mail zu Ihrer Rechnung, oder fragen Sie die Person, die Ihnen den Link geschickt hat.",
        busy_title="Bitte warten Sie etwas",
        busy="Aus Ihrem Netz wurden viele Seiten geöffnet. Warten Sie einige Minuten, und versuchen Sie es dann noch "
        "einmal.",
    ),
    "es": PageWords(
        pdf="Factura en PDF",
        bill="Ver este recibo",
        no_bill="Puede pedir una copia de este recibo más abajo.",
        compared="Para comparar,",
        check="Para expertos: el cálculo como datos",
        check_how="Cómo se calculó cada importe, en un archivo (JSON) para que lo calcule un programa.",
        pays_there="Se paga en {host}.",
        pays_all="Paga los {amount} completos, también los {disputed} reclamados.",
        pay_failed="Un pago de esta factura ha fallado: no se ha cobrado nada. Inténtelo otra vez o pague de otra "
        "forma.",
        pay_soon="El botón de pago vuelve en un momento.",
        corrected_on="Corregida en la factura {number}: {amount}",
        will_be_corrected="Se corregirá en su próxima factura: {amount}",
        paid="Muchas gracias. {biller} ha recibido su pago.",
        not_confirmed="Muchas gracias. Su pago aparecerá aquí en cuanto se confirme.",
        under_way="Su pago está en camino. Aparecerá aquí en cuanto llegue; no hace falta que pague otra vez.",
        ask="Hacer una pregunta",
        ask_goes="Llega a {biller} con el número de esta factura.",
        answer_by_mail="La respuesta aparece en esta página y llega por correo electrónico.",
        answer_here="La respuesta aparece en esta página.",
        answer_how="Indique cómo se le puede localizar: {biller} no tiene su dirección de correo.",
        question="Su pregunta",
        about="¿De qué se trata?",
        about_all="De toda la factura",
        thread="Lo que usted ha preguntado",
        replied="{biller} respondió el {day}:",
        asked_on="Usted preguntó el {day}:",
        not_answered="Aún sin respuesta.",
        answered="Respondida el {day} por otro medio.",
        send="Enviar la pregunta",
        asked="{biller} ha recibido su pregunta.",
        empty="Escriba primero su pregunta.",
        too_long="Escriba como máximo {most} caracteres.",
        too_many="Son muchas preguntas a la vez y esta no se ha enviado. Espere un poco o pregunte a {contact}.",
        not_sent="Su pregunta aún no se ha enviado. Envíela otra vez, por favor.",
        kept="Quien tenga la dirección de esta página ve lo que hay en ella. Funciona hasta el {day}.",
        kept_short="Esta dirección funciona hasta el {day}; la del correo con su factura, más tiempo.",
        revised_title="Esta factura se está modificando",
        revised="Por ahora no hay nada que pagar por esta factura. {biller} la volverá a enviar cuando esté lista.",
        still_paid="Los {amount} que pagó por ella siguen contando.",
        over_title="Este enlace ya no funciona",
        over="Se ha anulado o es demasiado antiguo. Pida otro a {contact}.",
        none_title="Aquí no hay nada",
        none="La dirección no está completa o ya no lleva a ningún sitio. Abra el enlace del último correo sobre su "
        "factura o pregunte a la persona que le envió este.",
        busy_title="Espere un momento, por favor",
        busy="Se han abierto muchas páginas desde su red. Espere unos minutos e inténtelo de nuevo.",
    ),
    "fr": PageWords(
        pdf="Facture en PDF",
        bill="Voir la facture du fournisseur",
        no_bill="Vous pouvez demander une copie de la facture du fournisseur plus bas.",
        compared="À titre de comparaison,",
        check="Pour les spécialistes\u00a0: le calcul sous forme de données",
        check_how="Comment chaque montant a été calculé, dans un fichier (JSON) à recalculer par un programme.",
        pays_there="Vous payez chez {host}.",
        pays_all="Paie la totalité, soit {amount}, y compris les {disputed} contestés.",
        pay_failed="Un paiement de cette facture a échoué\u00a0: rien n’a été prélevé. Réessayez, ou payez autrement.",
        pay_soon="Le bouton de paiement revient dans un instant.",
        corrected_on="Corrigée sur la facture {number}\u00a0: {amount}",
        will_be_corrected="Sera corrigée sur votre prochaine facture\u00a0: {amount}",
        paid="Merci. {biller} a bien reçu votre paiement.",
        not_confirmed="Merci. Votre paiement figurera ici dès qu’il sera confirmé.",
        under_way="Votre paiement est en cours. Il figurera ici dès son arrivée\u00a0; inutile de payer une seconde "
        "fois.",
        ask="Poser une question",
        ask_goes="Elle parvient à {biller}, avec le numéro de cette facture.",
        answer_by_mail="La réponse apparaît sur cette page et vient par e-mail.",
        answer_here="La réponse apparaît sur cette page.",
        answer_how="Dites comment vous joindre\u00a0: {biller} n’a pas votre adresse e-mail.",
        question="Votre question",
        about="De quoi s’agit-il\u00a0?",
        about_all="De toute la facture",
        thread="Ce que vous avez demandé",
        replied="{biller} a répondu le {day}\u00a0:",
        asked_on="Vous avez demandé le {day}\u00a0:",
        not_answered="Pas encore de réponse.",
        answered="Réponse donnée le {day} par un autre moyen.",
        send="Envoyer la question",
        asked="{biller} a bien reçu votre question.",
        empty="Écrivez d’abord votre question.",
        too_long="Écrivez {most} caractères au plus.",
        too_many="Cela fait beaucoup de questions à la fois\u00a0; celle-ci n’a pas été envoyée. Attendez un peu, ou "
        "demandez à {contact}.",
        not_sent="Votre question n’a pas encore été envoyée. Envoyez-la encore une fois, s’il vous plaît.",
        kept="Qui a l’adresse de cette page voit ce qui y figure. Elle fonctionne jusqu’au {day}.",
        kept_short="Cette adresse fonctionne jusqu’au {day}\u00a0; celle de l’e-mail, plus longtemps.",
        revised_title="Cette facture est en cours de modification",
        revised="Pour le moment, il n’y a rien à payer pour cette facture. {biller} l’enverra de nouveau quand elle "
        "sera prête.",
        still_paid="Les {amount} que vous avez payés pour elle comptent toujours.",
        over_title="Ce lien n’est plus valable",
        over="Il a été bloqué, ou il est trop ancien. Demandez-en un autre à {contact}.",
        none_title="Il n’y a rien ici",
        none="L’adresse n’est pas complète, ou ne mène plus nulle part. Ouvrez le lien du dernier e-mail sur votre "
        "facture, ou adressez-vous à la personne qui vous a envoyé celui-ci.",
        busy_title="Attendez un peu, s’il vous plaît",
        busy="Beaucoup de pages ont été ouvertes depuis votre réseau. Attendez quelques minutes, puis réessayez.",
    ),
})  # fmt: skip
