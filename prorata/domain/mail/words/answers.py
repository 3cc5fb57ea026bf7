"""The words of replies to mail with bills, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class AnswerWords(NamedTuple):
    """The words of one language for replies about bills that came by mail.

    `fields` maps the fields of a bill to their names.
    """

    arrived: str
    nothing: str
    no_file: str
    file: str
    total: str
    bill_date: str
    to_say: str
    all_found: str
    by_hand: str
    locked: str
    table: str
    imported: str
    counts: str
    set_aside: str
    removed: str
    not_taken: str
    several: str
    more: str
    confirmed: str
    others: str
    note: str
    fields: Mapping[str, str]


_NAMES = (
    *("issuer", "total", "bill_date", "due_date", "lines", "service_start", "service_end"),
    *("account_number", "bill_number", "service_address"),
)


def _fields(*words: str) -> Mapping[str, str]:
    return MappingProxyType(dict(zip(_NAMES, words, strict=True)))


ANSWERS: Mapping[str, AnswerWords] = MappingProxyType({
    "en": AnswerWords(
        arrived="Your message has arrived. Of what was attached, this was taken:",
        nothing="Your message has arrived. No file in it could be taken.",
        no_file="Your message has arrived. It has no file attached that could be a bill. Send the bill as an "
        "attachment: a PDF, an e-invoice (XML), a picture (JPEG, PNG), a table, or a ZIP of those. Where it is behind "
        "a link, download it and attach it.",
        file="File",
        total="Total",
        bill_date="Date of the bill",
        to_say="Still to be said or confirmed",
        all_found="Nothing: all of it was found",
        by_hand="It could not be read, and is entered by hand",
        locked="It needs a password: send it without one, or it is entered by hand",
        table="It is a table: its rows are imported in the Inbox",
        imported="It is a table, and was imported in the Inbox",
        counts="Nothing: the bill counts",
        set_aside="Nothing: it was set aside in the Inbox, as no bill",
        removed="Its bill was removed: it counts once somebody takes it up again in the Inbox",
        not_taken="Not taken",
        several="{number} files",
        more="and {number} more",
        confirmed="No bill counts before somebody has confirmed it in the Inbox.",
        others="Every other bill counts once somebody has confirmed it in the Inbox.",
        note="This message was sent by Prorata on its own, as an answer to yours.",
        fields=_fields(
            *("sender", "total", "date of the bill", "due date", "what it is for", "first day of service"),
            *("last day of service", "account number", "bill number", "service address"),
        ),
    ),
    "de": AnswerWords(
        arrived="Ihre Nachricht ist angekommen. Vom Anhang wurde übernommen:",
        nothing="Ihre Nachricht ist angekommen. Keine Datei darin konnte übernommen werden.",
        no_file="Ihre Nachricht ist angekommen. Ihr ist keine Datei angehängt, die eine Rechnung sein könnte. Senden "
        "Sie die Rechnung als Anhang: als PDF, E-Rechnung (XML), Bild (JPEG, PNG) oder Tabelle, oder ein ZIP davon. "
        "Steht sie hinter einem Link, laden Sie sie zuerst herunter.",
        file="Datei",
        total="Betrag",
        bill_date="Rechnungsdatum",
        to_say="Noch anzugeben oder zu bestätigen",
        all_found="Nichts: alles wurde gefunden",
        by_hand="Sie konnte nicht gelesen werden und wird von Hand erfasst",
        locked="Sie braucht ein Passwort: senden Sie sie ohne Passwort, sonst wird sie von Hand erfasst",
        table="Sie ist eine Tabelle: ihre Zeilen werden im Eingang importiert",
        imported="Sie ist eine Tabelle und wurde im Eingang importiert",
        counts="Nichts: die Rechnung zählt",
        set_aside="Nichts: sie wurde im Eingang beiseitegelegt, als keine Rechnung",
        removed="Ihre Rechnung wurde entfernt: sie zählt erst, wenn jemand sie im Eingang wieder aufnimmt",
        not_taken="Nicht übernommen",
        several="{number} Dateien",
        more="und {number} weitere",
        confirmed="Eine Rechnung zählt erst, wenn jemand sie im Eingang bestätigt hat.",
        others="Jede andere Rechnung zählt, sobald jemand sie im Eingang bestätigt hat.",
        note="Diese E-Mail wurde automatisch von Prorata versendet, als Antwort auf Ihre.",
        fields=_fields(
            *("Absender", "Betrag", "Rechnungsdatum", "Fälligkeit", "wofür sie ist", "erster Tag des Zeitraums"),
            *("letzter Tag des Zeitraums", "Kundennummer", "Rechnungsnummer", "Verbrauchsstelle"),
        ),
    ),
    "es": AnswerWords(
        arrived="Su mensaje ha llegado. De lo adjunto se ha tomado:",
        nothing="Su mensaje ha llegado. No se pudo tomar ningún archivo.",
        no_file="Su mensaje ha llegado. No lleva adjunto ningún archivo que pueda ser una factura. Envíe la factura "
        "como adjunto: un PDF, una factura electrónica (XML), una imagen (JPEG, PNG), una tabla o un ZIP de ellos. Si "
        "está detrás de un enlace, descárguela antes.",
        file="Archivo",
        total="Importe",
        bill_date="Fecha de la factura",
        to_say="Falta indicar o confirmar",
        all_found="Nada: se encontró todo",
        by_hand="No se pudo leer y se introduce a mano",
        locked="Necesita una contraseña: envíelo sin ella o se introduce a mano",
        table="Es una tabla: sus filas se importan en la bandeja",
        imported="Es una tabla y se importó en la bandeja",
        counts="Nada: la factura cuenta",
        set_aside="Nada: se apartó en la bandeja, por no ser una factura",
        removed="Su factura se eliminó: cuenta cuando alguien lo retome en la bandeja",
        not_taken="No se ha tomado",
        several="{number} archivos",
        more="y {number} más",
        confirmed="Ninguna factura cuenta hasta que alguien la confirme en la bandeja.",
        others="Las demás facturas cuentan cuando alguien las confirme en la bandeja.",
        note="Prorata ha enviado este mensaje automáticamente, en respuesta al suyo.",
        fields=_fields(
            *("emisor", "importe", "fecha de la factura", "vencimiento", "concepto", "primer día del periodo"),
            *("último día del periodo", "número de cuenta", "número de factura", "dirección del suministro"),
        ),
    ),
    "fr": AnswerWords(
        arrived="Votre message est arrivé. Voici ce qui a été pris des pièces jointes\u00a0:",
        nothing="Votre message est arrivé. Aucun fichier n’a pu être pris.",
        no_file="Votre message est arrivé. Aucun fichier joint ne peut être une facture. Envoyez la facture en "
        "pièce jointe\u00a0: un PDF, une facture électronique (XML), une image (JPEG, PNG), un tableau, ou un ZIP "
        "de ceux-ci. Si elle est derrière un lien, téléchargez-la d’abord.",
        file="Fichier",
        total="Montant",
        bill_date="Date de la facture",
        to_say="Reste à indiquer ou à confirmer",
        all_found="Rien\u00a0: tout a été trouvé",
        by_hand="Il n’a pas pu être lu et sera saisi à la main",
        locked="Il demande un mot de passe\u00a0: envoyez-le sans mot de passe, sinon il sera saisi à la main",
        table="C’est un tableau\u00a0: ses lignes sont importées dans la boîte de réception",
        imported="C’est un tableau, qui a été importé dans la boîte de réception",
        counts="Rien\u00a0: la facture compte",
        set_aside="Rien\u00a0: il a été mis de côté dans la boîte de réception, car ce n’est pas une facture",
        removed="Sa facture a été supprimée\u00a0: elle compte dès que quelqu’un le reprend dans la boîte de réception",
        not_taken="Non pris",
        several="{number} fichiers",
        more="et {number} autres",
        confirmed="Aucune facture ne compte avant que quelqu’un ne l’ait confirmée dans la boîte de réception.",
        others="Toute autre facture compte dès que quelqu’un l’a confirmée dans la boîte de réception.",
        note="Ce message a été envoyé automatiquement par Prorata, en réponse au vôtre.",
        fields=_fields(
            *("émetteur", "montant", "date de la facture", "échéance", "objet", "premier jour de la période"),
            *("dernier jour de la période", "numéro de compte", "numéro de facture", "adresse desservie"),
        ),
    ),
})  # fmt: skip
