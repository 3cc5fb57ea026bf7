"""French words, with the spaces that French sets before a colon and a semicolon."""

from prorata.domain.mail.words.words import Words

_ASK = "Si vous avez une question, ou si quelque chose vous semble inexact,"

FRENCH = Words(
    language="fr",
    hello="Bonjour {name},",
    hello_nobody="Bonjour,",
    invoice=("facture de charges", "facture finale de charges"),
    subject_invoice="Votre {invoice} pour {month} ({place})",
    subject_again="De nouveau\u00a0: votre {invoice} pour {month} ({place})",
    subject_before_due="Rappel\u00a0: votre {invoice} pour {month} est à régler au plus tard le {due}",
    subject_due_today="À régler aujourd’hui\u00a0: votre {invoice} pour {month}",
    subject_overdue="Rappel de paiement\u00a0: votre {invoice} pour {month}",
    subject_receipt="Votre paiement est arrivé\u00a0: {invoice} pour {month}",
    invoice_due="Voici votre {invoice} pour {month}. Merci de régler {amount} au plus tard le {due}.",
    invoice_here="Voici votre {invoice} pour {month}.",
    invoice_nothing="Voici votre {invoice} pour {month}. Vous n’avez rien à payer pour cette facture.",
    before_due="Votre {invoice} pour {month} est à régler au plus tard le {due}. Il reste {amount} à payer.",
    due_today="Votre {invoice} pour {month} est à régler aujourd’hui. Il reste {amount} à payer.",
    overdue="Votre {invoice} pour {month} était à régler au plus tard le {due}, et il reste {amount} à payer. "
    "Merci de la régler dès que possible.",
    again="Vous avez déjà reçu cette facture\u00a0; nous vous l’envoyons une nouvelle fois.",
    receipt="Nous avons bien reçu votre paiement de {received} pour votre {invoice} pour {month}. Merci.",
    received={
        "CASH": "{amount} en espèces le {day}",
        "TRANSFER": "{amount} par virement le {day}",
        "CHEQUE": "{amount} par chèque le {day}",
        "CARD": "{amount} par carte le {day}",
        "OTHER": "{amount} le {day}",
    },
    receipt_refunded="{amount} ont été remboursés le {day}.",
    receipt_extra="La facture était déjà entièrement payée.",
    receipt_then="Après ce paiement, il restait {amount} à payer\u00a0; d’autres montants sont arrivés depuis.",
    receipt_all="De cette facture, il ne reste rien à payer.",
    receipt_rest="Il reste {amount} à payer.",
    correction="Cette facture comprend une correction pour {months}.",
    corrections="Cette facture comprend des corrections pour {months}.",
    correction_of="{month}\u00a0: {amount}",
    already_paid="Si vous avez déjà payé, nous vous en remercions\u00a0: vous n’avez rien d’autre à faire.",
    number="Facture",
    property="Immeuble",
    unit="Logement",
    month="Mois",
    reference="Référence du paiement",
    to_pay="À payer",
    credit="Avoir",
    due="Échéance",
    pay="Payer {amount} en ligne",
    how_to_pay="Pour savoir comment payer, adressez-vous à {biller}\u00a0: {contact}",
    how_to_pay_ask="Pour savoir comment payer, adressez-vous à {biller}.",
    see_online="Voir la facture en ligne ou poser une question",
    attached="Vous trouverez la facture en pièce jointe au format PDF. Elle détaille chaque montant et explique "
    "comment votre part a été calculée.",
    receipt_attached="Vous trouverez le reçu en pièce jointe au format PDF.",
    ask_by_reply=f"{_ASK} répondez simplement à cet e-mail.",
    ask_contact=f"{_ASK} adressez-vous à {{biller}}\u00a0: {{contact}}",
    ask_biller=f"{_ASK} adressez-vous à {{biller}}.",
    regards="Cordialement,",
    note="Cet e-mail a été envoyé automatiquement au nom de {biller}.",
    subject_verify="Confirmez votre adresse e-mail",
    subject_reset="Choisissez un nouveau mot de passe",
    subject_invite="Vous êtes invité(e) à rejoindre le compte {account}",
    verify="Merci de confirmer que cette adresse e-mail est bien la vôtre. Elle a été indiquée dans Prorata pour la "
    "connexion.",
    reset="Un nouveau mot de passe a été demandé pour votre accès à Prorata.",
    invite="{inviter} vous invite à rejoindre le compte {account} dans Prorata, qui répartit les charges de logements "
    "loués et les facture aux locataires.",
    invite_nobody="Vous êtes invité(e) à rejoindre le compte {account} dans Prorata, qui répartit les charges de "
    "logements loués et les facture aux locataires.",
    open_verify="Confirmer l’adresse",
    open_reset="Choisir un nouveau mot de passe",
    open_invite="Accepter l’invitation",
    link_once="Le lien ne fonctionne qu’une fois, et pendant {time}.",
    hour="1\u00a0heure",
    days="{number}\u00a0jours",
    not_asked="Si vous n’attendiez pas cet e-mail, vous n’avez rien à faire.",
    not_asked_reset="Si vous n’êtes pas à l’origine de cette demande, vous n’avez rien à faire\u00a0: votre mot de "
    "passe ne change pas.",
    subject_login="Votre mot de passe a été modifié",
    subject_factor_on="La connexion en deux étapes a été activée",
    subject_factor_off="La connexion en deux étapes a été désactivée",
    subject_codes="Des codes erronés ont été saisis avec votre mot de passe",
    subject_address="Votre adresse e-mail a été modifiée",
    login_changed="Le mot de passe de votre accès à Prorata a été modifié.",
    factor_on="La connexion en deux étapes a été activée pour votre accès à Prorata\u00a0: un code de votre "
    "application est désormais demandé.",
    factor_off="La connexion en deux étapes a été désactivée pour votre accès à Prorata\u00a0: votre mot de passe "
    "suffit désormais.",
    wrong_codes="Quelqu’un a utilisé votre mot de passe et a saisi plusieurs codes erronés à la seconde étape. "
    "Personne n’est entré.",
    address_changed="Désormais, une autre adresse e-mail remplace celle-ci pour la connexion à Prorata.",
    was_you="Si c’était vous, vous n’avez rien à faire.",
    not_you_login="Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe\u00a0: à la connexion, "
    "cliquez sur «\u00a0Mot de passe oublié\u00a0?\u00a0».",
    not_you_factor="Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Choisissez-en tout de suite un "
    "nouveau\u00a0: à la connexion, cliquez sur «\u00a0Mot de passe oublié\u00a0?\u00a0». Prévenez "
    "ensuite la personne qui gère votre Prorata.",
    not_you_address="Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Prévenez aussitôt un propriétaire "
    "du compte ou la personne qui gère votre Prorata\u00a0: cet accès peut être supprimé.",
    subject_webhook_off="Votre webhook a été désactivé",
    webhook_off="Un webhook de votre compte Prorata a été désactivé\u00a0: le programme à son adresse n’a accepté "
    "aucun message pendant plus d’une semaine, ou a indiqué qu’il n’en voulait plus.",
    turn_webhook_on="Réparez le programme, puis réactivez le webhook sous Paramètres, Webhooks. Ce qui s’est passé "
    "depuis sera alors envoyé, jusqu’à 30 jours.",
    account_note="Cet e-mail a été envoyé automatiquement par Prorata.",
)
