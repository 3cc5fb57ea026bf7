"""German words.

In German, the text after a greeting's comma begins with a small letter. So each of these texts begins with a
word that is always capitalized.
"""

from prorata.domain.mail.words.words import Words

_ASK = "Haben Sie eine Frage, oder stimmt aus Ihrer Sicht etwas nicht?"

GERMAN = Words(
    language="de",
    hello="Guten Tag {name},",
    hello_nobody="Guten Tag,",
    invoice=("Nebenkostenrechnung", "Schlussrechnung"),
    subject_invoice="Ihre {invoice} für {month} ({place})",
    subject_again="Noch einmal: Ihre {invoice} für {month} ({place})",
    subject_before_due="Erinnerung: Ihre {invoice} für {month} ist am {due} fällig",
    subject_due_today="Heute fällig: Ihre {invoice} für {month}",
    subject_overdue="Zahlungserinnerung: Ihre {invoice} für {month}",
    subject_receipt="Ihre Zahlung ist eingegangen: {invoice} für {month}",
    invoice_due="Ihre {invoice} für {month} ist da. Bitte zahlen Sie {amount} bis zum {due}.",
    invoice_here="Ihre {invoice} für {month} ist da.",
    invoice_nothing="Ihre {invoice} für {month} ist da. Für diese Rechnung müssen Sie nichts zahlen.",
    before_due="Ihre {invoice} für {month} ist am {due} fällig. Offen sind noch {amount}.",
    due_today="Ihre {invoice} für {month} ist heute fällig. Offen sind noch {amount}.",
    overdue="Ihre {invoice} für {month} war am {due} fällig. Offen sind noch {amount}. "
    "Bitte zahlen Sie möglichst bald.",
    again="Sie haben diese Rechnung schon einmal erhalten; wir senden sie Ihnen noch einmal.",
    receipt="Ihre Zahlung von {received} zu Ihrer {invoice} für {month} ist eingegangen. Vielen Dank.",
    received={
        "CASH": "{amount} in bar am {day}",
        "TRANSFER": "{amount} per Überweisung am {day}",
        "CHEQUE": "{amount} per Scheck am {day}",
        "CARD": "{amount} per Karte am {day}",
        "OTHER": "{amount} am {day}",
    },
    receipt_refunded="{amount} wurden am {day} zurückgezahlt.",
    receipt_extra="Die Rechnung war bereits vollständig bezahlt.",
    receipt_then="Nach dieser Zahlung waren noch {amount} offen; seither ist mehr eingegangen.",
    receipt_all="Von dieser Rechnung ist nichts mehr offen.",
    receipt_rest="Offen sind noch {amount}.",
    correction="Diese Rechnung enthält eine Korrektur für {months}.",
    corrections="Diese Rechnung enthält Korrekturen für {months}.",
    correction_of="{month}: {amount}",
    already_paid="Falls Sie schon gezahlt haben, vielen Dank: Sie müssen dann nichts weiter tun.",
    number="Rechnung",
    property="Objekt",
    unit="Einheit",
    month="Monat",
    reference="Referenz der Zahlung",
    to_pay="Zu zahlen",
    credit="Guthaben",
    due="Fällig am",
    pay="{amount} online bezahlen",
    how_to_pay="Wie Sie zahlen können, erfahren Sie bei {biller}: {contact}",
    how_to_pay_ask="Wie Sie zahlen können, erfahren Sie bei {biller}.",
    see_online="Rechnung online ansehen oder etwas dazu fragen",
    attached="Die Rechnung finden Sie als PDF im Anhang. Darin steht jeder Posten, und wie Ihr Anteil berechnet wurde.",
    receipt_attached="Die Zahlungsbestätigung finden Sie als PDF im Anhang.",
    ask_by_reply=f"{_ASK} Antworten Sie einfach auf diese E-Mail.",
    ask_contact=f"{_ASK} Wenden Sie sich bitte an {{biller}}: {{contact}}",
    ask_biller=f"{_ASK} Wenden Sie sich bitte an {{biller}}.",
    regards="Freundliche Grüße",
    note="Diese E-Mail wurde automatisch im Auftrag von {biller} versendet.",
    subject_verify="Bestätigen Sie Ihre E-Mail-Adresse",
    subject_reset="Legen Sie ein neues Passwort fest",
    subject_invite="Sie sind zum Konto {account} eingeladen",
    verify="Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist. Sie wurde in Prorata für die Anmeldung angegeben.",
    reset="Für Ihren Zugang zu Prorata wurde ein neues Passwort angefordert.",
    invite="{inviter} lädt Sie zum Konto {account} in Prorata ein. Dort werden Nebenkosten von Mietobjekten aufgeteilt "
    "und den Mietern in Rechnung gestellt.",
    invite_nobody="Sie sind zum Konto {account} in Prorata eingeladen. Dort werden Nebenkosten von Mietobjekten "
    "aufgeteilt und den Mietern in Rechnung gestellt.",
    open_verify="Adresse bestätigen",
    open_reset="Neues Passwort festlegen",
    open_invite="Einladung annehmen",
    link_once="Der Link funktioniert einmal und {time} lang.",
    hour="1 Stunde",
    days="{number} Tage",
    not_asked="Falls Sie diese E-Mail nicht erwartet haben, müssen Sie nichts tun.",
    not_asked_reset="Falls Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.",
    subject_login="Ihr Passwort wurde geändert",
    subject_factor_on="Die Anmeldung in zwei Schritten wurde eingeschaltet",
    subject_factor_off="Die Anmeldung in zwei Schritten wurde ausgeschaltet",
    subject_codes="Mit Ihrem Passwort wurden falsche Codes eingegeben",
    subject_address="Ihre E-Mail-Adresse wurde geändert",
    login_changed="Das Passwort Ihres Zugangs zu Prorata wurde geändert.",
    factor_on="Für Ihren Zugang zu Prorata wurde die Anmeldung in zwei Schritten eingeschaltet: Ab jetzt braucht sie "
    "einen Code Ihrer App.",
    factor_off="Für Ihren Zugang zu Prorata wurde die Anmeldung in zwei Schritten ausgeschaltet: Ab jetzt genügt Ihr "
    "Passwort.",
    wrong_codes="Jemand hat sich mit Ihrem Passwort angemeldet und beim zweiten Schritt mehrere falsche Codes "
    "eingegeben. Niemand ist hineingekommen.",
    address_changed="Ab jetzt meldet sich bei Prorata statt dieser eine andere E-Mail-Adresse an.",
    was_you="Falls Sie das waren, müssen Sie nichts tun.",
    not_you_login="Falls Sie das nicht waren, legen Sie sofort ein neues Passwort fest: Wählen Sie bei der "
    "Anmeldung „Passwort vergessen?“.",
    not_you_factor="Falls Sie das nicht waren, kennt jemand Ihr Passwort. Legen Sie sofort ein neues fest: Wählen Sie "
    "bei der Anmeldung „Passwort vergessen?“. Sagen Sie es dann dem Betreiber Ihres Prorata.",
    not_you_address="Falls Sie das nicht waren, kennt jemand Ihr Passwort. Sagen Sie es sofort einem Eigentümer des "
    "Kontos oder dem Betreiber Ihres Prorata: Sie können diesen Zugang entfernen.",
    subject_webhook_off="Ihr Webhook wurde abgeschaltet",
    webhook_off="Ein Webhook Ihres Prorata-Kontos wurde abgeschaltet: Das Programm an seiner Adresse hat über eine "
    "Woche lang keine Nachricht angenommen oder gemeldet, dass es keine mehr möchte.",
    turn_webhook_on="Bringen Sie das Programm in Ordnung und schalten Sie den Webhook unter „Einstellungen“, "
    "„Webhooks“ wieder ein. Was seither geschah, wird dann nachgeholt, bis zu 30 Tage davon.",
    account_note="Diese E-Mail wurde automatisch von Prorata versendet.",
)
