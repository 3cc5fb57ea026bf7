"""Every word that a printed invoice says by itself, in each language it speaks.

Whoever adds a language adds one `Texts` here, names it in `invoice_languages`, and says how each of the `split_methods`
divides. Names in braces are put in by
`invoice_words`; a test holds that every language has the same ones. Money, dates and numbers come already written in
the account's locale.
"""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.domain.splitting.split_methods import Printed, printed
from prorata.domain.utility_names import CHARGE_NAMES


class Texts(NamedTuple):
    """The words of one language. `methods` are by split method, `utilities` by type, `area` by its unit."""

    invoice: str
    corrected: str
    replaces: str
    replaced_by: str
    changed: str
    small_names: bool
    """Whether what utilities are called begins with a small letter within a sentence."""
    number: str
    date: str
    billed_to: str
    place: str
    unit: str
    period: str
    nobody: str
    draft: str
    cancelled: str
    not_yet_due: str
    total_so_far: str
    amount_due: str
    due_by: str
    overdue: str
    was_due: str
    paid_in_full: str
    paid_on: str
    nothing_due: str
    credit: str
    no_payment: str
    withdrawn: str
    received: str
    owners_cost: str
    vacant: str
    charges: str
    charge: str
    how_it_came: str
    your_part: str
    bill: str
    part_of_bill: str
    days_of_bill: str
    guessed: str
    methods: Mapping[str, Printed]
    area: Mapping[str, str]
    nobody_has: str
    assumed: str
    assumed_here: str
    by_days: str
    in_days: str
    for_days: str
    for_your_days: str
    days_here: str
    person_days_here: str
    people: str
    moving_day: str
    no_days_here: str
    percent_first: str
    cent_more: str
    cent_less: str
    owner: str
    total: str
    paid: str
    balance: str
    how_to_pay: str
    pay_online: str
    pay_code: str
    pay_biller: str
    pay_ask: str
    credit_ask: str
    wrong: str
    wrong_ask: str
    page: str
    utilities: Mapping[str, str]


ENGLISH = Texts(
    invoice="Invoice",
    corrected="Corrected invoice",
    replaces="Corrected invoice {number}, replaces {replaced} of {day}: {changes}",
    replaced_by="Replaced by {number}",
    changed="{name} {was} → {became}",
    small_names=True,
    number="Invoice number",
    date="Invoice date",
    billed_to="Billed to",
    place="Property",
    unit="Unit",
    period="Billing month",
    nobody="No tenant",
    draft="Draft",
    cancelled="Cancelled",
    not_yet_due="Not a request for payment yet",
    total_so_far="Total so far",
    amount_due="Amount due",
    due_by="Due by {day}",
    overdue="Overdue",
    was_due="Was due on {day}",
    paid_in_full="Paid in full",
    paid_on="On {day}. Thank you.",
    nothing_due="Nothing to pay",
    credit="Credit in your favour",
    no_payment="Nothing to pay",
    withdrawn="Nothing to pay: this invoice is no longer valid",
    received="{amount} was received for it.",
    owners_cost="The owner's cost",
    vacant="Nobody lived here: nothing to pay",
    charges="Charges for {month}",
    charge="Charge",
    how_it_came="How your part was worked out",
    your_part="Your part",
    bill="{issuer}, bill of {day}: {total}",
    part_of_bill="{bill}, of which {amount} is for this",
    days_of_bill="{bill}, for {part} of its {whole} days",
    guessed="The bill gives no amounts per utility, so it was divided equally over them.",
    methods=printed("en"),
    area={"sq ft": "sq ft", "m²": "m²"},
    nobody_has="No unit has any of it, so this part is the owner's.",
    assumed="Of the {whole} person-days {days} are assumed, for units that nobody lived in.",
    assumed_here="Nobody lived in this unit, so its person-days are assumed.",
    by_days="Each unit counts for the days on which it was in use: this one {measure} × {active} of {service} days.",
    in_days="each unit counts for the days on which it was in use, this one {measure} × {active} of {service} days: "
    "{part} of {whole} in all.",
    for_days="For {first} to {last}.",
    for_your_days="For {first} to {last}; yours are {since} to {until}.",
    days_here="Of the days that this share is for, {days} of {whole} are yours.",
    person_days_here="Of the {whole} person-days of this unit, {days} are yours.",
    people="People × days here: {sum}.",
    moving_day="A day of moving counts for both.",
    no_days_here="None of the days that this share is for is yours.",
    percent_first="The owner's {percent} comes off first.",
    cent_more="{rounded}, and one cent more, so that all shares add up to the bill: {amount}",
    cent_less="{rounded}, and one cent less, so that all shares add up to the bill: {amount}",
    owner="The owner's part of {amount} is {owner}.",
    total="Total",
    paid="Paid",
    balance="Balance",
    how_to_pay="How to pay",
    pay_online="Pay {amount} online:",
    pay_code="QR code with the link for paying invoice {number}",
    pay_biller="Pay {amount} to {biller} and give the invoice number {number}.",
    pay_ask="For payment details ask {contact}.",
    credit_ask="Ask {contact} how your credit of {amount} will be paid out or set off.",
    wrong="Is something wrong?",
    wrong_ask="Tell {contact}. Give the invoice number {number}, and say which charge you question and why.",
    page="Page {page} of {pages}",
    utilities=CHARGE_NAMES,
)
AMERICAN = ENGLISH._replace(credit="Credit in your favor")
"""English as the United States spell it."""

GERMAN = Texts(
    invoice="Rechnung",
    corrected="Korrigierte Rechnung",
    replaces="Korrigierte Rechnung {number}, ersetzt {replaced} vom {day}: {changes}",
    replaced_by="Ersetzt durch {number}",
    changed="{name} {was} → {became}",
    small_names=False,
    number="Rechnungsnummer",
    date="Rechnungsdatum",
    billed_to="Rechnung an",
    place="Objekt",
    unit="Einheit",
    period="Abrechnungsmonat",
    nobody="Kein Mieter",
    draft="Entwurf",
    cancelled="Storniert",
    not_yet_due="Noch keine Zahlungsaufforderung",
    total_so_far="Bisherige Summe",
    amount_due="Zu zahlen",
    due_by="Bis {day}",
    overdue="Überfällig",
    was_due="War fällig am {day}",
    paid_in_full="Bezahlt",
    paid_on="Am {day}. Vielen Dank.",
    nothing_due="Nichts zu zahlen",
    credit="Guthaben zu Ihren Gunsten",
    no_payment="Nichts zu zahlen",
    withdrawn="Nichts zu zahlen: Diese Rechnung gilt nicht mehr",
    received="Darauf wurden {amount} gezahlt.",
    owners_cost="Kosten des Eigentümers",
    vacant="Hier wohnte niemand: nichts zu zahlen",
    charges="Kosten für {month}",
    charge="Kosten",
    how_it_came="So ergibt sich Ihr Anteil",
    your_part="Ihr Anteil",
    bill="{issuer}, Rechnung vom {day}: {total}",
    part_of_bill="{bill}, davon {amount} hierfür",
    days_of_bill="{bill}, für {part} von {whole} Tagen",
    guessed="Die Rechnung nennt keine einzelnen Beträge; sie wurde gleichmäßig auf die Kostenarten verteilt.",
    methods=printed("de"),
    area={"sq ft": "Quadratfuß", "m²": "m²"},
    nobody_has="Keine Einheit hat etwas davon; diesen Teil trägt der Eigentümer.",
    assumed="Von den {whole} Personentagen sind {days} für Einheiten angenommen, in denen niemand wohnte.",
    assumed_here="In dieser Einheit wohnte niemand; ihre Personentage sind angenommen.",
    by_days="Jede Einheit zählt für die Tage, an denen es sie gab, diese mit {measure} × {active} von {service} Tagen.",
    in_days="Jede Einheit zählt für die Tage, an denen es sie gab, diese mit {measure} × {active} von {service} Tagen, "
    "also {part} von insgesamt {whole}.",
    for_days="Für die Tage vom {first} bis {last}.",
    for_your_days="Für die Tage vom {first} bis {last}; Ihre gehen vom {since} bis {until}.",
    days_here="Von den Tagen, für die dieser Anteil gilt, sind {days} von {whole} Ihre.",
    person_days_here="Von den {whole} Personentagen dieser Einheit sind {days} Ihre.",
    people="Personen mal Tage ergeben hier {sum}.",
    moving_day="Ein Umzugstag zählt für beide.",
    no_days_here="Keiner der Tage, für die dieser Anteil gilt, ist Ihrer.",
    percent_first="Zuerst gehen {percent} ab, die der Eigentümer trägt.",
    cent_more="{rounded}, und ein Cent mehr, damit alle Anteile zusammen die Rechnung ergeben: {amount}",
    cent_less="{rounded}, und ein Cent weniger, damit alle Anteile zusammen die Rechnung ergeben: {amount}",
    owner="Der Anteil des Eigentümers an {amount} ist {owner}.",
    total="Summe",
    paid="Bezahlt",
    balance="Offen",
    how_to_pay="So können Sie zahlen",
    pay_online="{amount} online zahlen:",
    pay_code="QR-Code mit dem Link zur Zahlung der Rechnung {number}",
    pay_biller="Zahlen Sie {amount} an {biller} und geben Sie die Rechnungsnummer {number} an.",
    pay_ask="Die Zahlungsdaten erfahren Sie bei {contact}.",
    credit_ask="Fragen Sie {contact}, wie Ihr Guthaben von {amount} ausgezahlt oder verrechnet wird.",
    wrong="Stimmt etwas nicht?",
    wrong_ask="Wenden Sie sich an {contact}. Nennen Sie die Rechnungsnummer {number} und sagen Sie, welche Kosten Sie "
    "bezweifeln und warum.",
    page="Seite {page} von {pages}",
    utilities={
        "ELECTRICITY": "Strom",
        "WATER": "Wasser",
        "GAS": "Gas",
        "INTERNET": "Internet",
        "SEWER": "Abwasser",
        "TRASH": "Müllabfuhr",
        "OTHER": "Sonstiges",
    },
)

SPANISH = Texts(
    invoice="Factura",
    corrected="Factura corregida",
    replaces="Factura corregida {number}, sustituye a {replaced} del {day}: {changes}",
    replaced_by="Sustituida por {number}",
    changed="{name} {was} → {became}",
    small_names=True,
    number="Número de factura",
    date="Fecha de factura",
    billed_to="Facturado a",
    place="Inmueble",
    unit="Unidad",
    period="Mes facturado",
    nobody="Sin inquilino",
    draft="Borrador",
    cancelled="Anulada",
    not_yet_due="Todavía no es una solicitud de pago",
    total_so_far="Total hasta ahora",
    amount_due="Importe por pagar",
    due_by="Hasta el {day}",
    overdue="Vencida",
    was_due="Venció el {day}",
    paid_in_full="Pagada",
    paid_on="El {day}. Gracias.",
    nothing_due="Nada que pagar",
    credit="Saldo a su favor",
    no_payment="Nada que pagar",
    withdrawn="Nada que pagar: esta factura ya no es válida",
    received="Se recibieron {amount} por ella.",
    owners_cost="A cargo del propietario",
    vacant="Nadie vivió aquí: nada que pagar",
    charges="Cargos de {month}",
    charge="Cargo",
    how_it_came="Cómo se calculó su parte",
    your_part="Su parte",
    bill="{issuer}, recibo del {day}: {total}",
    part_of_bill="{bill}, de los cuales {amount} son de este servicio",
    days_of_bill="{bill}, por {part} de sus {whole} días",
    guessed="El recibo no da importes por servicio, así que se repartió por igual entre ellos.",
    methods=printed("es"),
    area={"sq ft": "pies cuadrados", "m²": "m²"},
    nobody_has="Ninguna unidad tiene nada de ello; esta parte la paga el propietario.",
    assumed="De los {whole} días-persona, {days} son supuestos, por unidades en las que no vivió nadie.",
    assumed_here="En esta unidad no vivió nadie; sus días-persona son supuestos.",
    by_days="Cada unidad cuenta por los días en que estuvo en uso: esta, {measure} × {active} de {service} días.",
    in_days="cada unidad cuenta por los días en que estuvo en uso, esta {measure} × {active} de {service} días: "
    "{part} de {whole} en total.",
    for_days="Por los días del {first} al {last}.",
    for_your_days="Por los días del {first} al {last}; los suyos van del {since} al {until}.",
    days_here="De los días de esta parte, {days} de {whole} son suyos.",
    person_days_here="De los {whole} días-persona de esta unidad, {days} son suyos.",
    people="Personas × días aquí: {sum}.",
    moving_day="El día de mudanza cuenta para ambos.",
    no_days_here="Ninguno de los días de esta parte es suyo.",
    percent_first="Primero se descuenta el {percent}, que paga el propietario.",
    cent_more="{rounded}, y un céntimo más, para que todas las partes sumen el recibo: {amount}",
    cent_less="{rounded}, y un céntimo menos, para que todas las partes sumen el recibo: {amount}",
    owner="La parte del propietario en {amount} es {owner}.",
    total="Total",
    paid="Pagado",
    balance="Saldo",
    how_to_pay="Cómo pagar",
    pay_online="Pague {amount} en línea:",
    pay_code="Código QR con el enlace para pagar la factura {number}",
    pay_biller="Pague {amount} a {biller} e indique el número de factura {number}.",
    pay_ask="Pida los datos de pago a {contact}.",
    credit_ask="Pregunte a {contact} cómo se pagará o compensará su saldo de {amount}.",
    wrong="¿Hay algún error?",
    wrong_ask="Diríjase a {contact}. Indique el número de factura {number}, qué cargo cuestiona y por qué.",
    page="Página {page} de {pages}",
    utilities={
        "ELECTRICITY": "Electricidad",
        "WATER": "Agua",
        "GAS": "Gas",
        "INTERNET": "Internet",
        "SEWER": "Alcantarillado",
        "TRASH": "Basura",
        "OTHER": "Otros",
    },
)

FRENCH = Texts(
    invoice="Facture",
    corrected="Facture corrigée",
    replaces="Facture corrigée {number}, remplace {replaced} du {day} : {changes}",
    replaced_by="Remplacée par {number}",
    changed="{name} {was} → {became}",
    small_names=True,
    number="Numéro de facture",
    date="Date de facture",
    billed_to="Facturé à",
    place="Immeuble",
    unit="Logement",
    period="Mois facturé",
    nobody="Aucun locataire",
    draft="Brouillon",
    cancelled="Annulée",
    not_yet_due="Pas encore une demande de paiement",
    total_so_far="Total provisoire",
    amount_due="Montant à payer",
    due_by="Avant le {day} inclus",
    overdue="En retard",
    was_due="Était à payer le {day}",
    paid_in_full="Payée",
    paid_on="Le {day}. Merci.",
    nothing_due="Rien à payer",
    credit="Avoir en votre faveur",
    no_payment="Rien à payer",
    withdrawn="Rien à payer\u00a0: cette facture n’est plus valable",
    received="{amount} ont été reçus pour elle.",
    owners_cost="À la charge du propriétaire",
    vacant="Personne n’habitait ici\u00a0: rien à payer",
    charges="Charges – {month}",
    charge="Charge",
    how_it_came="Comment votre part est calculée",
    your_part="Votre part",
    bill="{issuer}, facture du {day}\u00a0: {total}",
    part_of_bill="{bill}, dont {amount} pour ce service",
    days_of_bill="{bill}, pour {part} de ses {whole} jours",
    guessed="La facture ne donne pas de montant par service\u00a0; elle est répartie également entre eux.",
    methods=printed("fr"),
    area={"sq ft": "pieds carrés", "m²": "m²"},
    nobody_has="Aucun logement n’en a\u00a0; cette partie est à la charge du propriétaire.",
    assumed="Sur les {whole} jours-personnes, {days} sont supposés, pour des logements où personne n’habitait.",
    assumed_here="Personne n’habitait ce logement\u00a0; ses jours-personnes sont supposés.",
    by_days="Chaque logement compte pour ses jours\u00a0: celui-ci {measure} × {active} sur {service} jours.",
    in_days="chaque logement compte pour ses jours, celui-ci {measure} × {active} sur {service} jours\u00a0: "
    "{part} sur {whole} au total.",
    for_days="Pour les jours du {first} au {last}.",
    for_your_days="Pour les jours du {first} au {last}\u00a0; les vôtres vont du {since} au {until}.",
    days_here="Des jours de cette part, {days} sur {whole} sont à vous.",
    person_days_here="Des {whole} jours-personnes de ce logement, {days} sont à vous.",
    people="Personnes × jours ici\u00a0: {sum}.",
    moving_day="Le jour du déménagement compte deux fois.",
    no_days_here="Aucun des jours de cette part n’est à vous.",
    percent_first="Les {percent} du propriétaire sont d’abord déduits.",
    cent_more="{rounded}, et un centime de plus, pour que la somme des parts égale la facture\u00a0: {amount}",
    cent_less="{rounded}, et un centime de moins, pour que la somme des parts égale la facture\u00a0: {amount}",
    owner="La part du propriétaire sur {amount} est de {owner}.",
    total="Total",
    paid="Payé",
    balance="Solde",
    how_to_pay="Comment payer",
    pay_online="Payez {amount} en ligne\u00a0:",
    pay_code="Code QR du lien de paiement de la facture {number}",
    pay_biller="Payez {amount} à {biller} en indiquant le numéro de facture {number}.",
    pay_ask="Demandez les coordonnées de paiement à {contact}.",
    credit_ask="Demandez à {contact} comment votre avoir de {amount} sera versé ou déduit.",
    wrong="Une erreur\u00a0?",
    wrong_ask="Adressez-vous à {contact}. Indiquez le numéro de facture {number}, la charge que vous contestez et "
    "pourquoi.",
    page="Page {page} sur {pages}",
    utilities={
        "ELECTRICITY": "Électricité",
        "WATER": "Eau",
        "GAS": "Gaz",
        "INTERNET": "Internet",
        "SEWER": "Assainissement",
        "TRASH": "Ordures ménagères",
        "OTHER": "Autres",
    },
)
