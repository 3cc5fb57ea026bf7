"""The words of bills in four locales.

Sets 0 to 5 were used to develop the reader; sets 6 and 7 are held out.
"""

ISSUERS = {
    "en-US": {
        "ELECTRICITY": [("Cedar Valley Electric Cooperative", "www.cedarvalley.example"), ("Northwind Power Company", "www.northwindpower.example")],
        "GAS": [("Summit Gas Company", "www.summitgas.example"), ("Prairie Natural Gas Inc.", "www.prairienatural.example")],
        "WATER": [("Aqua Water Co.", "www.aquawater.example")],
        "INTERNET": [("Bluejay Fiber Internet LLC", "www.bluejayfiber.example")],
        "CITY": [("City of Marlow Utilities", "www.cityofmarlow.example"), ("Harper County Utility District", "www.harpercounty.example")],
    },
    "de-DE": {
        "ELECTRICITY": [("Nordlicht Strom GmbH", "www.nordlichtstrom.example"), ("Stadtwerke Lindental GmbH", "www.stadtwerke-lindental.example")],
        "GAS": [("Erdgas Westheim AG", "www.erdgas-westheim.example")],
        "INTERNET": [("Glasfaser Mitte GmbH", "www.glasfasermitte.example")],
        "CITY": [("Stadtwerke Lindental GmbH", "www.stadtwerke-lindental.example"), ("Gemeindewerke Auental", "www.gemeindewerke-auental.example")],
    },
    "fr-FR": {
        "ELECTRICITY": [("Lumière Énergie SA", "www.lumiereenergie.example")],
        "GAS": [("Gaz du Littoral SAS", "www.gazdulittoral.example")],
        "WATER": [("Eaux du Val Clair", "www.eauxduvalclair.example")],
        "INTERNET": [("Fibre Azur Télécom", "www.fibreazur.example")],
        "CITY": [("Régie des Eaux de Clairval", "www.regiedeseaux.example"), ("Syndicat Énergies du Sud", "www.syndicatenergies.example")],
    },
    "es-ES": {
        "ELECTRICITY": [("Energía Levante S.L.", "www.energialevante.example")],
        "GAS": [("Gas del Ebro S.A.", "www.gasdelebro.example")],
        "WATER": [("Aguas de Montealto S.A.", "www.aguasdemontealto.example")],
        "INTERNET": [("Fibra Norte Telecom S.A.", "www.fibranorte.example")],
        "CITY": [("Aguas de Montealto S.A.", "www.aguasdemontealto.example"), ("Canal de Ribera S.A.", "www.canalderibera.example")],
    },
}  # fmt: skip
PLACES = {
    "en-US": [("118 Oak Street Apt 4", "Marlow, OH 43017"), ("2207 Harbor Avenue", "Portview, OR 97204"), ("75 W 9th St", "Denby, CO 80203")],
    "de-DE": [("Lindenweg 14", "50667 Köln"), ("Hauptstraße 3a", "80331 München"), ("Am Markt 7", "04109 Leipzig")],
    "fr-FR": [("12 rue des Lilas", "69003 LYON"), ("8 avenue de la Gare", "33000 BORDEAUX"), ("27 bd Victor Hugo", "06000 NICE")],
    "es-ES": [("Calle Mayor 21", "28013 Madrid"), ("Av. de la Playa 5", "46011 Valencia"), ("Plaza del Sol 2", "08012 Barcelona")],
}  # fmt: skip
ITEMS = {
    "en-US": {
        "ELECTRICITY": ["Customer charge", "Energy charge", "Delivery charge", "State sales tax"],
        "GAS": ["Basic service charge", "Gas supply cost", "Distribution charge", "Franchise tax"],
        "WATER": ["Water base charge", "Water usage"],
        "SEWER": ["Sewer base charge", "Sewer volume charge"],
        "GARBAGE": ["Residential trash cart", "Recycling"],
        "INTERNET": ["Fiber 500 internet", "Router rental", "Taxes and fees"],
    },
    "de-DE": {
        "ELECTRICITY": ["Grundpreis", "Arbeitspreis", "Stromsteuer", "Umsatzsteuer 19 %"],
        "GAS": ["Grundpreis", "Arbeitspreis Erdgas", "CO2-Umlage", "Umsatzsteuer 19 %"],
        "WATER": ["Grundgebühr Wasser", "Mengenpreis Trinkwasser"],
        "SEWER": ["Schmutzwassergebühr", "Grundgebühr Abwasser"],
        "GARBAGE": ["Restmülltonne 120 l", "Biotonne 80 l"],
        "INTERNET": ["Glasfaser 250 Anschluss", "Router Miete", "Umsatzsteuer 19 %"],
    },
    "fr-FR": {
        "ELECTRICITY": ["Abonnement", "Consommation heures pleines", "Consommation heures creuses", "Accise et contributions"],
        "GAS": ["Abonnement", "Consommation gaz", "Contribution tarifaire"],
        "WATER": ["Abonnement eau", "Consommation eau potable"],
        "SEWER": ["Collecte et traitement des eaux usées", "Redevance assainissement"],
        "INTERNET": ["Abonnement fibre", "Location box", "TVA 20 %"],
    },
    "es-ES": {
        "ELECTRICITY": ["Término de potencia", "Término de energía", "Impuesto eléctrico", "IVA 21 %"],
        "GAS": ["Término fijo", "Término variable gas", "IVA 21 %"],
        "WATER": ["Cuota de servicio agua", "Consumo agua"],
        "SEWER": ["Cuota alcantarillado", "Depuración"],
        "GARBAGE": ["Tasa de basura", "Recogida de residuos"],
        "INTERNET": ["Fibra 600", "Alquiler router", "IVA 21 %"],
    },
}  # fmt: skip
TYPES = {
    "en-US": {"ELECTRICITY": "Electric", "GAS": "Natural gas", "WATER": "Water", "SEWER": "Sewer", "GARBAGE": "Trash", "INTERNET": "Internet"},
    "de-DE": {"ELECTRICITY": "Strom", "GAS": "Erdgas", "WATER": "Trinkwasser", "SEWER": "Abwasser", "GARBAGE": "Abfall", "INTERNET": "Internet"},
    "fr-FR": {"ELECTRICITY": "Électricité", "GAS": "Gaz naturel", "WATER": "Eau potable", "SEWER": "Assainissement", "INTERNET": "Internet"},
    "es-ES": {
        "ELECTRICITY": "Electricidad", "GAS": "Gas natural", "WATER": "Agua", "SEWER": "Alcantarillado", "GARBAGE": "Basura", "INTERNET": "Internet",
    },
}  # fmt: skip
UNITS = {"ELECTRICITY": "kWh", "GAS": "m³", "WATER": "m³", "SEWER": "m³", "GARBAGE": "", "INTERNET": "Mbit/s"}

# In this order: title, account, number, billed, due, period, address, payee, previous, payment, carried, current, total,
# late, deposit, credit, instalment, used, sum of one utility, after the due date, message
_KEYS = [
    "title",
    "account",
    "number",
    "billed",
    "due",
    "period",
    "address",
    "payee",
    "previous",
    "payment",
    "carried",
    "current",
    "total",
    "late",
    "deposit",
    "credit",
    "instalment",
    "used",
    "sum",
    "after",
    "message",
]
_SETS = {
    "en-US": (
        (
            "Utility bill|Account number|Invoice number|Bill date|Due date|Service period|Service address|Make checks payable to|"
            "Previous balance|Payments received - thank you|Balance forward|Current charges|Total amount due|Late payment charge|Security deposit|"
            "Bill credit|Budget billing amount|Actual charges this month|Total {} charges|Amount due after {}|"
            "A late charge of $5.00 may be added to bills that are not paid in time."
        ),
        (
            "Statement|Account no.|Bill number|Statement date|Payment due date|Billing period|Service location|Remit to|"
            "Prior balance|Payment received|Past due balance|Current month charges|Amount due|Late fee|Deposit|"
            "Adjustment|Levelized billing amount|Actual cost of usage|{} subtotal|If paid after {}|"
            "Call before you dig. Save paper with electronic bills."
        ),
        (
            "Your monthly statement|Customer account|Document number|Issued|Please pay by|Service from|Premises|Pay to|"
            "Balance from last bill|Amount paid since last bill|Remaining balance|New charges|Please pay this amount|Penalty for late payment|Deposit required|"
            "Rebate|Equal payment plan|Actual usage charges|Your {} services|Pay {} or later|"
            "Your average daily cost was $3.41, compared with $3.80 in the same month last year."
        ),
        (
            "Invoice|Acct #|Invoice #|Date of issue|Pay on or before|Usage period|Property served|Send payment to|"
            "Opening balance|Receipts|Outstanding|This month's charges|Balance payable|Late charge|Deposit assessed|"
            "Courtesy credit|Average payment plan|Metered charges|Charges for {}|After {} pay|"
            "Questions? Call 1-800-555-0142. Meter reading next month: 04/12."
        ),
        (
            "Utility account statement|Account ID|Bill no.|Bill issue date|Payment due|Dates of service|Service for|Please remit to|"
            "Amount of your last bill|We received - thank you|Still owed from earlier bills|Total new charges|Your total balance due|Late payment fee|New account deposit|"
            "Goodwill credit|Budget plan payment|Actual cost this period|Subtotal - {}|If we receive payment after {}|"
            "Budgeting made easy: ask for our plan of even payments."
        ),
        (
            "Account statement|Your account no.|Statement number|Statement issued|Due by|Billing cycle|Service delivered to|Mail payment to|"
            "Balance on last statement|Payments since last statement|Balance carried forward|Charges this period|Total to pay|Interest on overdue balance|Security deposit billed|"
            "Account credit|Levelized payment|Actual usage cost|{} services total|Due after {}|"
            "Last year at this time you used 10% more. 811: call before you dig."
        ),
        (
            "Your utility bill|Customer account number|Bill ID|Date billed|Payment is due|Service dates|Service address|Payable to|"
            "Last month's balance|Payment posted|Past due amount|Total charges this month|Amount now due|Late payment penalty|Deposit installment|"
            "Promotional discount|Budget amount due|Actual amount used|{} total|Late amount after {}|"
            "Paperless billing saves trees. Your usage was 4% lower than last month."
        ),
        (
            "Service invoice|Acct. number|Invoice number|Invoice date|Pay this bill by|Period of service|Location of service|Remit payment to|"
            "Prior bill amount|Less payments|Unpaid balance|Current period charges|Total due|Delinquent charge|Security deposit|"
            "Loyalty rebate|Level pay amount|Actual usage charges|Sum of {} charges|Gross amount after {}|"
            "For emergencies call 1-888-555-0199 at any time."
        ),
    ),
    "de-DE": (
        (
            "Rechnung|Vertragskonto|Rechnungsnummer|Rechnungsdatum|Fällig am|Abrechnungszeitraum|Verbrauchsstelle|Zahlungsempfänger|"
            "Vorheriger Saldo|Abzüglich Zahlungen|Saldovortrag|Rechnungsbetrag|Zu zahlender Betrag|Mahngebühr|Kaution|"
            "Gutschrift|Monatlicher Abschlag|Tatsächliche Kosten|Summe {}|Betrag nach dem {}|"
            "Bitte geben Sie bei Zahlungen Ihr Vertragskonto an."
        ),
        (
            "Jahresrechnung|Vertragskontonummer|Rechnung Nr.|Ausstellungsdatum|Zahlbar bis|Lieferzeitraum|Lieferstelle|Kontoinhaber|"
            "Letzte Rechnung|Zahlungseingang|Offene Forderung|Gesamtbetrag|Zahlbetrag|Mahnkosten|Sicherheitsleistung|"
            "Bonus|Abschlagsbetrag|Verbrauchskosten|Gesamtkosten {}|Bei Zahlung nach dem {}|"
            "Ihr Verbrauch im Vorjahr: 2.345 kWh."
        ),
        (
            "Verbrauchsabrechnung|Ihr Vertragskonto|Belegnummer|Datum|Bitte zahlen Sie bis|Zeitraum|Lieferanschrift|Empfänger|"
            "Saldo Vormonat|Ihre Zahlung|Rückstand|Kosten dieser Abrechnung|Noch zu zahlen|Säumniszuschlag|Kaution neu|"
            "Rabatt|Teilbetrag|Kosten nach Verbrauch|{} gesamt|Nach dem {}|"
            "Durchschnitt je Tag: 1,23 €. Servicetelefon 0800 5550142."
        ),
        (
            "Abrechnung|Kundennummer|Rechnungs-Nr.|Rechnung vom|Zahlungsziel|Verbrauchszeitraum|Objekt|Zahlbar an|"
            "Übertrag|Bereits gezahlt|Restforderung alt|Summe aller Kosten|Überweisungsbetrag|Verzugskosten|Kautionszahlung|"
            "Nachlass|Vorauszahlung|Ist-Kosten|Kosten {}|Ab {}|"
            "Zählerstände wurden abgelesen."
        ),
        (
            "Rechnung über Ihren Verbrauch|Vertragskonto-Nr.|Rechnungsnr.|Datum der Rechnung|Zahlungstermin|Abgerechneter Zeitraum|Abnahmestelle|Bitte überweisen an|"
            "Saldo der letzten Abrechnung|Zahlungen seither|Verbleibender Rückstand|Rechnungssumme|Offener Gesamtbetrag|Mahnspesen|Sicherheitsbetrag|"
            "Treuebonus|Abschlagszahlung|Tatsächlicher Verbrauch in Euro|{} insgesamt|Betrag ab {}|"
            "Für Rückfragen halten Sie bitte Ihre Rechnung bereit."
        ),
        (
            "Ihre Abrechnung|Vertragsnummer|Rechnungs-Nr|Erstellt am|Fälligkeit|Rechnungszeitraum|Lieferort|Empfänger der Zahlung|"
            "Alter Kontostand|Eingegangene Zahlungen|Noch offen aus Vormonaten|Neue Kosten|Bitte zahlen Sie|Gebühr für Zahlungserinnerung|Barkaution|"
            "Preisnachlass|Monatsabschlag|Kosten des tatsächlichen Verbrauchs|Zwischensumme {}|Später als {}|"
            "Ihr neuer Abschlag wird Ihnen gesondert mitgeteilt."
        ),
        (
            "Rechnung|Kontonummer beim Versorger|Rechnungsnummer|Rechnungsdatum|Zu zahlen bis|Zeitraum der Abrechnung|Anschrift der Verbrauchsstelle|Zahlungen an|"
            "Saldo aus voriger Rechnung|Ihre Zahlungen|Offener Rest|Gesamtsumme dieser Rechnung|Zu zahlen|Mahnkosten|Kaution|"
            "Sofortbonus|Abschlag|Tatsächliche Kosten laut Ablesung|Summe {}|Nach dem {} zu zahlen|"
            "Ihr Stromzähler wurde von Ihnen selbst abgelesen."
        ),
        (
            "Gebührenbescheid|Vertragskonto|Bescheidnummer|Ausgestellt am|Fällig zum|Leistungszeitraum|Lieferstelle|Zahlungsempfänger|"
            "Vortrag|Gutgeschriebene Zahlungen|Rückstand|Gesamtbetrag der Rechnung|Fälliger Betrag|Mahngebühren|Sicherheitsleistung|"
            "Rabatt|Monatlicher Teilbetrag|Tatsächliche Verbrauchskosten|Gesamt {}|Bei späterer Zahlung ab {}|"
            "Im Vorjahr waren es 1.987,00 € bei 365 Tagen."
        ),
    ),
    "fr-FR": (
        (
            "Facture|Numéro de compte|N° de facture|Date de facture|Date d'échéance|Période de facturation|Adresse de consommation|À l'ordre de|"
            "Solde précédent|Paiement reçu|Impayé|Total TTC|Montant à payer|Frais de retard|Dépôt de garantie|"
            "Remise|Mensualité|Consommation réelle|Total {}|Après le {}|"
            "Pour toute question, rendez-vous dans votre espace client."
        ),
        (
            "Votre facture|N° de compte|Numéro de facture|Date d'émission|À payer avant le|Période de consommation|Lieu de consommation|Bénéficiaire|"
            "Ancien solde|Vos règlements|Reste dû|Montant de la facture|Net à payer|Pénalité de retard|Caution|"
            "Avoir|Échéance mensuelle|Coût réel|Sous-total {}|Passé le {}|"
            "Votre consommation moyenne par jour : 4,12 €."
        ),
        (
            "Relevé|Compte client|Facture n°|Émise le|Date limite de paiement|Période|Adresse desservie|Créancier|"
            "Report de la facture précédente|Versement|Arriéré|Montant total de cette facture|Total à régler|Majoration de retard|Dépôt|"
            "Geste commercial|Mensualisation|Dépense réelle|{} : total|Au-delà du {}|"
            "Prochain relevé du compteur dans un mois."
        ),
        (
            "Facture du mois|Référence client|Facture no|Établie le|À régler avant le|Consommation du|Point de livraison|Payable à|"
            "Dû antérieur|Encaissements|Solde restant|Facturé sur la période|Somme à payer|Intérêts de retard|Garantie|"
            "Avoir commercial|Acompte|Montant consommé|Ensemble {}|À partir du {}|"
            "Service client : 09 69 00 00 00."
        ),
        (
            "Facture détaillée|N° de contrat|N° facture|Facture du|Échéance|Période facturée|Adresse du logement|Votre fournisseur|"
            "Montant de votre dernière facture|Paiements enregistrés|Solde non réglé|Montant de la période|Total à payer|Pénalités|Avance remboursable|"
            "Réduction|Paiement mensualisé|Coût de votre consommation réelle|Montant {}|Si paiement après le {}|"
            "Pensez à la facture en ligne. Taux de pénalité : trois fois le taux légal."
        ),
        (
            "Votre facture d'énergie et de services|Compte n°|Référence de facture|Date de facturation|Date de prélèvement|Consommation relevée|Site desservi|Règlement à|"
            "Solde de la facture précédente|Règlement reçu, merci|Reste à devoir|Facture de ce mois|Montant dû|Frais de rappel|Consignation|"
            "Ristourne|Mensualité prévue|Montant réel consommé|Total pour {}|Au delà du {}|"
            "TVA acquittée sur les débits. Prochaine facture dans un mois."
        ),
        (
            "Facture|Numéro client|Numéro de la facture|Émise le|Date limite de règlement|Période de consommation|Adresse de fourniture|Bénéficiaire|"
            "Facture précédente|Paiement reçu le mois dernier|Solde impayé|Montant de cette facture|Net à régler|Pénalité de retard|Dépôt de garantie|"
            "Remise fidélité|Mensualité|Consommation réelle|Total {}|À payer après le {}|"
            "Le médiateur de l'énergie peut être saisi gratuitement."
        ),
        (
            "Facture de services|Contrat n°|Facture N°|Date|Payable avant le|Période du|Logement concerné|Ordre|"
            "Solde antérieur|Vos versements|Impayés|Total de la facture|Reste à payer|Intérêts de retard|Caution|"
            "Rabais|Échéance mensuelle|Coût réel de la période|Montant total {}|Montant après le {}|"
            "Consommation de l'an passé : 3 210 kWh."
        ),
    ),
    "es-ES": (
        (
            "Factura|Número de contrato|Número de factura|Fecha de factura|Fecha de vencimiento|Periodo de facturación|Dirección de suministro|Beneficiario|"
            "Saldo anterior|Pago recibido|Saldo pendiente|Total factura|Total a pagar|Recargo por demora|Fianza|"
            "Descuento|Cuota fija mensual|Consumo real|Total {}|Después del {}|"
            "Gracias por confiar en nosotros."
        ),
        (
            "Recibo|N.º de contrato|N.º factura|Fecha de emisión|Vencimiento|Periodo de consumo|Punto de suministro|Emisor|"
            "Factura anterior|Pagos recibidos|Deuda pendiente|Importe total|Importe a pagar|Intereses de demora|Depósito|"
            "Bonificación|Cuota plana|Coste real|Subtotal {}|Pasado el {}|"
            "Su consumo medio diario ha sido de 2,15 €."
        ),
        (
            "Su factura|Referencia de contrato|Factura n.º|Emitida el|Fecha límite de pago|Periodo facturado|Domicilio de suministro|A favor de|"
            "Importe del recibo anterior|Abonado|Pendiente de pago|Importe de esta factura|A pagar|Mora|Fianza a constituir|"
            "Abono|Plan fijo|Gasto real|{}: total|A partir del {}|"
            "Atención al cliente: 900 555 142."
        ),
        (
            "Documento de cobro|Contrato|Factura|Fecha|Pagar antes del|Periodo|Finca|Titular de la cuenta|"
            "Deuda de recibos previos|Cobros|Resto|Cargos del mes|Cantidad a pagar|Penalización|Depósito de garantía|"
            "Ajuste a su favor|Pago fijo|Consumo medido|Importe {}|Desde el {}|"
            "La próxima lectura será en un mes."
        ),
        (
            "Factura de suministro|Nº de contrato|Nº factura|Fecha de expedición|Pago hasta el|Periodo de lectura|Dirección del suministro|Entidad emisora|"
            "Importe de la factura anterior|Sus pagos|Importe aún pendiente|Importe de la factura|Total importe a pagar|Recargo por impago|Depósito en garantía|"
            "Descuento comercial|Cuota mensual fija|Coste del consumo real|Suma {}|Pagando después del {}|"
            "Consulte su consumo en nuestra oficina virtual."
        ),
        (
            "Resumen de su factura|Contrato n.º|Número factura|Fecha emisión|Fecha de cargo|Facturación del|Lugar de consumo|Titular|"
            "Saldo del recibo anterior|Abonos recibidos|Saldo deudor|Total del periodo|Cantidad total a pagar|Interés de demora|Fianza inicial|"
            "Regularización|Plan de cuota fija|Gasto según lectura|{} - total|A pagar desde el {}|"
            "Si tiene dudas llame al 900 555 142. Ahorre con la factura electrónica."
        ),
        (
            "Factura de su consumo|Contrato|Número de la factura|Fecha de emisión de la factura|Fecha de pago|Periodo de consumo|Dirección de suministro|Beneficiario|"
            "Factura anterior|Pago realizado|Deuda anterior|Total facturado|Importe total a pagar|Intereses por demora|Fianza|"
            "Bonificación social|Cuota fija|Consumo real del periodo|Total por {}|Importe después del {}|"
            "Puede leer su contador en nuestra web."
        ),
        (
            "Recibo|Número de cuenta|Recibo número|Emitido el|Vence|Periodo del|Inmueble|Acreedor|"
            "Recibo anterior|Pagado|Impagado|Importe del periodo|Total del recibo a pagar|Recargo de mora|Depósito|"
            "Descuento por domiciliación|Cuota mensual|Coste según consumo real|Subtotal de {}|A partir del {} se pagarán|"
            "Horario de atención: de 9 a 14 horas."
        ),
    ),
}
WORDS = {
    locale: tuple(dict(zip(_KEYS, text.split("|"), strict=True)) for text in sets) for locale, sets in _SETS.items()
}
