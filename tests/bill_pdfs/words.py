"""The words of bills in four locales. Sets 0 and 1 are those the reader was made with; 2 and 3 are held out."""

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
    ),
}
WORDS = {
    locale: tuple(dict(zip(_KEYS, text.split("|"), strict=True)) for text in sets) for locale, sets in _SETS.items()
}
