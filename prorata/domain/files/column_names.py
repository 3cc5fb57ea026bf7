"""Column names that people use, in English, German, Spanish and French, for every import.

Names are written as `looked_for` returns them. A word whose meaning depends on the kind of file is listed for
each kind: "due" is a day in a file of bills, and an amount among charges.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from prorata.domain.files.column_taxes import without_taxes
from prorata.domain.search_terms import folded
from prorata.domain.utility_names import UTILITY_TYPES

_NOT_WORDS = re.compile(r"[\W_]+")
_NUMBER_SIGN = re.compile(r"#|\bn[°º]|№", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]?")


def looked_for(name: str) -> str:
    """Normalize a column name for look-up, ignoring case and accents.

    A number sign becomes the word "number"; spaces and all other signs are dropped.

    >>> looked_for("Wohnfläche (m²)"), looked_for("Move-in Date"), looked_for("Apt #"), looked_for("N° lot")
    ('wohnflachem2', 'moveindate', 'aptnumber', 'numberlot')
    """
    return _NOT_WORDS.sub("", folded(_NUMBER_SIGN.sub(" number ", name)))


def _with(words: str, *around: str) -> str:
    """List words, both alone and with the texts that may surround them.

    In each of `around`, the braces stand for the word.

    >>> _with("unit flat", "{}number", "numberof{}")
    'unit flat unitnumber flatnumber numberofunit numberofflat'
    """
    return " ".join([words, *(form.format(word) for form in around for word in words.split())])


_HOUSES = (
    "property building bldg house objekt haus gebaude liegenschaft immobilie inmueble edificio finca immeuble batiment"
)
_UNITS = (
    "unit apartment apt flat suite door wohnung whg einheit wohneinheit we mieteinheit nutzeinheit mietobjekt "
    "vivienda unidad piso puerta departamento depto logement appartement appt"
)
_TENANTS = (
    "tenant resident occupant renter lessee leaseholder mieter mieterin bewohner bewohnerin nutzer mietpartei "
    "inquilino inquilina arrendatario arrendataria locataire preneur"
)
_PEOPLE = (
    "residents occupants people persons tenants personen bewohner personnes occupants personas ocupantes habitants "
    "inquilinos"
)
_MONEY = "amount total sum betrag summe gesamtbetrag importe cantidad montant"
_KINDS = (
    "utility utilities utilitytype utilitytypes kostenart kostenarten sparte suministro servicio prestation energie "
    "service services servicetype charge charges chargetype type types"
)
_MONTHS = "month billingmonth billmonth monat abrechnungsmonat mes mesfacturado mois moisdefacturation"
_DAYS = "date datum fecha"
_CURRENCIES = "currency currencycode ccy curr wahrung waehrung wahrungscode devise moneda divisa moeda waluta monnaie"
_NAME = ("{}name", "{}s", "{}names", "nameof{}", "nameofthe{}")
_OF_HOUSES = _with(_HOUSES, "{}name", "{}id", "nombredel{}", "nomdel{}", "nomd{}")
_OF_UNITS = (
    _with(_UNITS, "{}number", "{}no", "{}nr", "{}nummer", "{}snr", "{}snummer", "{}num", "{}name", "{}label",
          "number{}", "numero{}", "numerode{}", "{}bezeichnung")
    + " number bezeichnungderwohnung numberdelogement numberlot"
)  # fmt: skip
_OF_TENANTS = (
    _with(_TENANTS, *_NAME, "current{}", "primary{}", "{}1", "nomdu{}", "nomdela{}", "nombredel{}", "nombredela{}",
          "namedes{}s")
    + " name nom household haushalt foyer hogar "
    "namedermieterin mieterinnen mietername namemieter namevorname nachnamevorname "
    "lastnamefirstname namelastfirst apellidosynombre nombreyapellidos nometprenom nomprenom nombre"
)  # fmt: skip

UNIT_COLUMNS: Mapping[str, str] = {
    "label": _OF_UNITS + " lot",
    "sqft": "sf squarefeet sqfeet sqm squaremeters squaremetres squarefootage area areasqft sqftarea areainsqft "
    "areasquarefeet areasqm areasf sizesqft sizesf size livingarea livingspace floorarea floorspace netarea "
    "rentablearea rentablesf rentablesqft unitsqft unitsf m2 sizem2 aream2 wohnflache wohnflachem2 wohnflacheinm2 "
    "wohnflacheqm wohnflacheinqm wfl wflm2 wflqm flache flachem2 flacheqm flacheinm2 flacheinqm nutzflache "
    "mietflache wohnungsgrosse grosse grossem2 grosseqm qm superficie superficiem2 superficieutil metroscuadrados "
    "metros m2utiles m2construidos surface surfacem2 surfaceenm2 surfacehabitable surfaceutile",
    "bedrooms": "bedroom beds bed br bdrm bdrms bedroomcount numberofbedrooms numberbedrooms numberbeds numberbr "
    "brba bdba bedbath bedsbaths bedroomsbathrooms "
    "schlafzimmer dormitorios habitaciones chambres",
    "monthlyRent": "rent monthlyrentamount rentamount currentrent contractrent actualrent leaserent rentpermonth "
    "monthlycharge miete monatsmiete kaltmiete nettokaltmiete grundmiete nettomiete alquiler alquilermensual renta "
    "rentamensual loyer loyermensuel loyerhc loyerhorscharges",
    "tenantName": _OF_TENANTS,
    "tenantEmail": "email mail emailaddress emailaddr residentemail tenantmail emailtenant emailresident "
    "contactemail emailadresse mieteremail mailadresse correo correoelectronico emailinquilino courriel adressemail "
    "adresseemail emaillocataire mailmieter emailmieter emaildesmieters",
    "moveInDate": "movein movedin moveindt leasestart leasestartdate leasefrom leasebegin leasebegindate tenantsince "
    "occupiedsince since startdate einzug einzugsdatum einzugam mietbeginn vertragsbeginn mieterseit fechadeentrada "
    "entrada fechaentrada iniciocontrato fechainiciocontrato fechadeinicio datedentree dateentree entree debutdubail "
    "debutbail",
    "moveOutDate": "moveout movedout moveoutdt lastday leaseend leaseenddate leaseto "
    "enddate auszug auszugsdatum auszugam mietende vertragsende fechadesalida salida fechasalida "
    "fincontrato fechafincontrato datedesortie datesortie sortie findubail finbail",
    "occupants": _with(_PEOPLE, "numberof{}", "noof{}", "number{}", "anzahl{}", "anzahlder{}", "nombrede{}",
                       "nombred{}", "nb{}", "nbde{}", "nbd{}", "numerode{}", "numberde{}", "{}count", "{}livinghere") +
    " occ numberocc noocc noofocc numberofocc occcount "
    "occupancy headcount householdsize peoplelivinghere personenzahl personenanzahl pers",
    "activeFrom": "active activesince unitsince wohnungseit viviendadesde logementdepuis",
}  # fmt: skip
"""The column names in a file of units with their tenants, by field."""
PROPERTY_COLUMNS: Mapping[str, str] = {
    "property": _OF_HOUSES + " premises residence siteaddress community complex site comunidad residencia",
    "streetNumber": "housenumber streetno houseno hausnummer hausnr hnr numerodelacalle numerodelarue numerorue",
    "street": "address streetaddress propertyaddress buildingaddress addressline1 addressline streetandnumber "
    "adresse anschrift objektadresse strasse strassehausnummer strasseundhausnummer strassenr strasseundnr "
    "strasseundnummer direccion domicilio calle calleynumero rue adressedelimmeuble",
    "city": "town place citystatezip citystatezipcode citystate cityandstate cityzip ort stadt wohnort plzort "
    "plzundort plzstadt postleitzahlort ciudad poblacion localidad municipio cpciudad ville commune cpville "
    "codepostalville",
    "state": "region province county stateorprovince bundesland bundesstaat provincia",
    "zip": "zipcode postcode postalcode plz postleitzahl codigopostal cp codepostal",
    "country": "countrycode land pais pays",
}
"""The column names of properties in a file of units, by field."""
BILL_COLUMNS: Mapping[str, str] = {
    "property": _OF_HOUSES + " premises housename objektname propiedad",
    "issuerName": "issuer provider providername vendor vendorname supplier suppliername biller billername payee "
    "payeename company companyname utilitycompany utilityprovider utilityname utilityvendor utilitysupplier "
    "serviceprovider billedby billfrom versorger lieferant aussteller anbieter rechnungssteller kreditor "
    "dienstleister proveedor emisor compania suministrador empresa comercializadora fournisseur emetteur prestataire",
    "utilityType": _KINDS
    + " types billtype commodity utilityservice svc svctype category expense expensetype accounttype glaccountname "
    "leistung medium versorgungsart kategorie verbrauchsart tipo tipodesuministro tipodeservicio concepto categoria "
    "typedecharge categorie poste",
    "totalAmountDue": _MONEY + " totalamount totaldue amountdue billtotal billamount totalbill invoicetotal "
    "invoiceamount totalcharges totalcost cost amt amtdue totalamt totalamtdue billamt invamount invamt invtotal "
    "amountbilled billedamount totalbilled rechnungsbetrag brutto gross endbetrag rechnungssumme kosten "
    "importetotal totalfactura importefactura importedelafactura montanttotal montantfacture montantdelafacture "
    "ttc cout",
    "amounts": "breakdown amountbreakdown amountsbytype amountbytype amountsbyutilitytype amountsbyutility "
    "betragejekostenart importesporsuministro montantsparservice",
    "currency": _CURRENCIES + " billcurrency billingcurrency invoicecurrency amountcurrency totalcurrency",
    "billDate": _DAYS + " billingdate dateofbill invoicedate issuedate dateissued statementdate invdate stmtdate "
    "billissuedate invoiceissuedate dateofinvoice billeddate datebilled billdated dated billdt invoicedt "
    "rechnungsdatum belegdatum rechnungvom fechafactura fechadefactura fechaderecibo fechadelrecibo fechaemision "
    "fechadeemision datefacture datedefacture datedelafacturerecue datedelafacture datedemission",
    "dueDate": "due datedue dueby duebydate payby paybydate paymentdue paymentduedate billduedate invoiceduedate "
    "invduedate duedt fallig falligam falligkeit falligkeitsdatum zahlbarbis zahlungsziel vencimiento "
    "fechadevencimiento fechavencimiento echeance datedecheance datelimite",
    "billingMonth": _MONTHS + " invoicemonth statementmonth",
    "paymentStatus": "status billstatus invoicestatus invstatus zahlungsstatus estadodelpago etatdupaiement",
    "accountNumber": "account accountno accountid acct acctno acctnumber customernumber customerno accountnum "
    "acctnum acctid accountnbr acctnbr customeraccount customeraccountnumber customernum customerid custno "
    "custnumber custid utilityaccount utilityaccountno utilityaccountnumber kontonummer kundennummer kundennr "
    "vertragskonto vertragsnummer vertragsnr numerodecuenta numerodecliente numerodecontrato contrato numeroclient "
    "numerodeclient numberclient numberdeclient numerodecontrat contrat",
    "billNumber": "bill billno billid invoice invoicenumber invoiceno statementnumber statementno billnum invoicenum "
    "invoiceid inv invno invnumber invnum invid statementnum stmtno stmtnumber stmtnum rechnung rechnungsnummer "
    "rechnungsnr rechnungnr belegnummer belegnr beleg numerodefactura numberfactura numberdefactura factura "
    "numeroderecibo numerodefacture numberfacture numberdefacture facture",
    "servicePeriodStart": "servicestart servicestartdate servicefrom serviceperiodfrom periodstart periodfrom "
    "billingperiodstart startdate fromdate servicefromdate serviceperiodstartdate servicebegin servicebegindate "
    "svcfrom svcfromdate svcstart svcstartdate svcperiodfrom svcperiodstart periodstartdate periodfromdate datefrom "
    "billingperiodfrom billingfrom billingstart billingstartdate billperiodstart billperiodfrom zeitraumvon "
    "leistungvon abrechnungszeitraumvon verbrauchvon serviciodesde servicedu leistungsbeginn desde periododesde "
    "debut periodedebut periodedu dateddebut datededebut fechadesde fechainicio",
    "servicePeriodEnd": "serviceend serviceenddate serviceto servicethrough servicethru serviceperiodto periodend "
    "periodto billingperiodend enddate todate servicetodate serviceperiodenddate svcto svctodate svcend svcenddate "
    "svcperiodto svcperiodend periodenddate periodtodate dateto billingperiodto billingto billingend billingenddate "
    "billperiodend billperiodto zeitraumbis leistungbis abrechnungszeitraumbis verbrauchbis serviciohasta serviceau "
    "leistungsende hasta periodohasta fin periodefin periodeau datedefin fechahasta fechafin",
    "spread": "spreadovermonths spreadbydays spreadoveritsmonths aufseinemonateverteilt distribuidoentresusmeses "
    "etaleesursesmois",
    "usageAndPrice": "usageandpricebytype usagebytype usagebyutilitytype verbrauchundpreis consumoyprecio "
    "consommationetprix",
    "names": "namesfortenants namenfurmieter nombresparainquilinos nomspourleslocataires",
    "notes": "note comment comments remark remarks memo description bemerkung bemerkungen beschreibung notiz notizen "
    "notas observaciones descripcion remarques commentaire commentaires",
}
"""The column names in a file of bills, by field."""
PAYMENT_COLUMNS: Mapping[str, str] = {
    "date": "bookingdate dateposted posteddate postingdate posted transactiondate transdate trandate txndate "
    "valuedate paymentdate datepaid datereceived receiveddate receivedon paidon paiddate depositdate completeddate "
    "buchungstag buchungsdatum buchung datum zahlungsdatum zahlungseingang eingangsdatum valuta wertstellung "
    "dateoperation datedoperation datecomptable datevaleur datedevaleur datedepaiement datepaiement fecha "
    "fechaoperacion fechadeoperacion fechavalor fechadepago fechapago fechacontable",
    "amount": _MONEY + " transactionamount paymentamount amountpaid paidamount value payment umsatz zahlbetrag "
    "zahlung montantpaye pago",
    "received": "credit credits creditamount moneyin paidin deposit deposits depositamt depositamount amountreceived "
    "inflow gutschrift haben eingang einnahmen credit abono abonos ingreso ingresos haber encaissement recettes",
    "paidOut": "debit debits debitamount moneyout withdrawal withdrawals withdrawalamt withdrawalamount outflow soll "
    "lastschrift ausgang ausgaben debit cargo cargos debe gasto gastos depenses",
    "name": "payer payername payor payorname paidby from sender sendername counterparty counterpartyname customer "
    "customername debtor remitter originator receivedfrom payee partnername kunde auftraggeber zahlungspflichtiger "
    "einzahler absender auftraggeberempfanger auftraggeberzahlungsempfanger zahlungsempfangerauftraggeber "
    "auftraggeberbegunstigter auftraggeberbeguenstigter "
    "beguenstigterauftraggeber zahlungsbeteiligter namezahlungsbeteiligter beguenstigterzahlungspflichtiger emetteur "
    "donneurdordre payeur ordenante pagador cliente nombre " + _OF_TENANTS,
    "text": "description memo details detail narrative narration particulars purpose remittance "
    "remittanceinformation paymentdetails transactiondescription originaldescription memodescription notes note "
    "comment comments message verwendungszweck buchungstext zweck libelle libelleoperation motif communication "
    "concepto descripcion observaciones",
    "reference": "ref referenceno referencenumber transactionid transactionreference bankreference paymentreference "
    "fitid checknumber chequenumber checkno chequeno chqrefno confirmationnumber receiptno receiptnumber endtoendid "
    "endtoendreference kundenreferenz referenz reference referencia",
    "invoice": "invoicenumber invoiceno invoiceid invoices rechnungsnummer rechnungsnr rechnung facture "
    "numerofacture numberfacture numerodefacture factura numberfactura numerodefactura",
    "currency": _CURRENCIES,
    "direction": "creditdebit debitcredit credit/debit debit/credit creditordebit debitorcredit creditdebitindicator "
    "creditdebitcode dr/cr cr/dr drcr crdr d/c c/d cdtdbtind sollhaben soll/haben sollhabenkennzeichen s/h sh "
    "sollhabenkz afbij af/bij sens debe/haber direction inout in/out",
}
"""The column names in a bank's file or a ledger of payments, by field."""
CHARGE_COLUMNS: Mapping[str, str] = {
    "property": _OF_HOUSES + " premises housename objektname propiedad",
    "unit": _OF_UNITS + " label lot unitid",
    "tenant": _OF_TENANTS,
    "month": _MONTHS
    + " "
    + _DAYS
    + " period periode periodo chargemonth invoicemonth chargedate billdate billingdate invoicedate postdate "
    "postmonth rechnungsdatum leistungsmonat fechafactura datefacture",
    "utility": _KINDS + " chargecode description category kategorie concepto libelle poste",
    "amount": _MONEY
    + " charge charges charged totalcharge chargeamount amountcharged totalcharges billed billedamount amountbilled "
    "due amountdue invoice invoiceamount tenantcharge tenantshare cost share anteil kosten umlage mieteranteil cargo "
    "cuota part quotepart",
}
"""The column names in a file of earlier charges, by field."""
RULE_COLUMNS: Mapping[str, str] = {
    "property": _OF_HOUSES + " premises housename objektname propiedad",
    "utilityType": _KINDS + " bill category kategorie concepto categoria categorie poste",
    "splitMethod": "method split splitby dividedby division howdivided howthebillisdivided allocation allocationmethod "
    "allocationkey rule sharerule verteilung verteilt wieverteiltwird verteilerschlussel verteilungsschlussel "
    "umlageschlussel umlage schlussel reparto comosereparte metodo metododereparto criterio criteriodereparto "
    "repartition commentcestreparti methode modederepartition cle clederepartition",
    "ownerPercent": "owner ownerpart ownershare ownerspart ownersshare ownpart yourownpart yourownpartinpercent "
    "landlord landlordpart landlordshare landlordspart landlordsshare eigenanteil ihreigeneranteil "
    "ihreigeneranteilinprozent eigentumeranteil vermieteranteil anteileigentumer anteilvermieter partedelpropietario "
    "partedelpropietarioenporcentaje propietario votreproprepart votreproprepartenpourcent partduproprietaire "
    "partproprietaire proprietaire partdubailleur",
    "vacantOccupants": "vacant vacantunit vacantunits peopleinavacantunit peopleassumedinavacantunit leerstand "
    "personenbeileerstand angenommenepersonenineinerleerstehendeneinheit vacia vacias "
    "personassupuestasenunaunidadvacia personnessupposeesdansunlogementvacant",
}
"""The column names in a file of share rules, by field."""
_UTILITIES: Mapping[str, str] = {
    "ELECTRICITY": "electric power commonelectricity strom allgemeinstrom hausstrom betriebsstrom luz electricidad "
    "electricidadcomun electricite electricitedescommuns",
    "WATER": "coldwater wasser kaltwasser frischwasser agua eau",
    "GAS": "naturalgas erdgas gasnatural gaz",
    "SEWER": "sewage sewerage wastewater abwasser alcantarillado assainissement",
    "GARBAGE": "trash refuse refusecollection rubbish solidwaste mull mullabfuhr abfall basura ordures "
    "orduresmenageres",
    "INTERNET": "broadband",
    "OTHER": "sonstiges otros autre",
}
"""The names of utility types, besides their codes."""
_SERVICES_WITHOUT_TYPE = (
    "heat heating heatingcosts districtheating hotwater heizung heizkosten fernwarme warme warmwasser calefaccion "
    "aguacaliente chauffage chauffageurbain eauchaude"
)
_BILLED_AS_OTHER = frozenset(_SERVICES_WITHOUT_TYPE.split())
"""The names of services that have no utility type of their own."""
_BETWEEN_UTILITIES = re.compile(r" ?[&/+,;] ?| (?:and|und|y|et) ", re.IGNORECASE)
_UTILITY_OF = {
    **{looked_for(kind): kind for kind in UTILITY_TYPES},
    **{name: kind for kind, names in _UTILITIES.items() for name in names.split()},
    **dict.fromkeys(_BILLED_AS_OTHER, "OTHER"),
}


def utility_named(name: str) -> str:
    """Return the utility type that a text names, or "".

    The text is the name of a column with amounts, or a cell.

    >>> utility_named("waste  water"), utility_named("Müllabfuhr"), utility_named("Heat"), utility_named("Rent")
    ('SEWER', 'GARBAGE', 'OTHER', '')
    """
    return _UTILITY_OF.get(looked_for(name), "")


def utilities_named(text: str) -> tuple[str, ...]:
    """Return the utility types that a text names.

    The result is empty if the text contains any other word.

    >>> utilities_named("Water & Sewer"), utilities_named("Wasser/Abwasser"), utilities_named("Water and rent")
    (('WATER', 'SEWER'), ('WATER', 'SEWER'), ())
    """
    kinds = [utility_named(part) for part in parts_of(text)]
    return tuple(dict.fromkeys(kinds)) if all(kinds) else ()


def utilities_without_type(texts: Iterable[object]) -> tuple[str, ...]:
    """List the texts that name a service without its own utility type.

    Such a service, for example heating, is billed as OTHER.

    >>> utilities_without_type(["Heizung", "Wasser/Warmwasser", "Sonstiges", "Heizung", None])
    ('Heizung', 'Wasser/Warmwasser')
    """
    written = dict.fromkeys(text.strip() for text in texts if isinstance(text, str))
    return tuple(text for text in written if utilities_named(text) and _names_a_service_without_type(text))


def _names_a_service_without_type(text: str) -> bool:
    return any(looked_for(part) in _BILLED_AS_OTHER for part in parts_of(text))


def parts_of(text: str) -> list[str]:
    """Split a text at the signs and words between utilities.

    Repeated white space is first reduced to single spaces: a pattern that searches for runs of white space takes
    time that grows with the square of their length.
    """
    return _BETWEEN_UTILITIES.split(" ".join(text.split()))


class ColumnNames:
    """A look-up of a file's fields by the names of its columns.

    Brackets after a name are ignored, except for the amounts of money, which are the fields in `whole`: "Amount
    (cents)" means something other than "Amount". However, their names may say that they include taxes.

    >>> bills = ColumnNames(BILL_COLUMNS, whole=["totalAmountDue"])
    >>> [bills.field(name) for name in ("Betrag brutto", "Rechnungsbetrag (brutto)", "Importe (IVA incluido)")]
    ['totalAmountDue', 'totalAmountDue', 'totalAmountDue']
    >>> [bills.field(name) for name in ("Betrag netto", "Montant HT", "Base imponible")]
    [None, None, None]
    """

    def __init__(self, names: Mapping[str, str], whole: Collection[str] = ()) -> None:
        self.fields = tuple(names)
        """The fields that a column may contain, in the order people expect."""
        self._whole = whole
        fields_by_name = {looked_for(name): field for field, its in names.items() for name in its.split()}
        self._field_of = {field.lower(): field for field in names} | fields_by_name
        self._usual = {name: place for place, name in enumerate(self._field_of)}

    def field(self, name: str) -> str | None:
        """Return the field that a column name stands for, or None.

        >>> names = ColumnNames(UNIT_COLUMNS)
        >>> names.field("Whg."), names.field("Sq. Ft."), names.field("Tenant (main)"), names.field("Telefon")
        ('label', 'sqft', 'tenantName', None)
        """
        return self._field_of.get(self._known(name))

    def named(self, header: Sequence[str], several: Collection[str] = ()) -> list[str | None]:
        """Return the fields that the columns of a header stand for.

        Of columns with the same meaning, only the one with the most common name is used, unless `several` contains the
        field.

        >>> ColumnNames(BILL_COLUMNS).named(("Type", "Utility", "Total", "Amount due"), ["totalAmountDue"])
        [None, 'utilityType', 'totalAmountDue', 'totalAmountDue']
        """
        names = [self._known(name) for name in header]
        best: dict[str | None, int] = {}
        for place, name in sorted(enumerate(names), key=lambda pair: self._usual.get(pair[1], 0)):
            best.setdefault(self._field_of.get(name), place)
        fields = [self._field_of.get(name) for name in names]
        return [field if field in several or best[field] == place else None for place, field in enumerate(fields)]

    def _known(self, name: str) -> str:
        """Find the known column name that `name` matches, normalized; empty if it matches none.

        If names are separated by a slash, as in "Lease Start / Move-In", the first name counts if all have the same
        meaning.

        >>> ColumnNames(UNIT_COLUMNS).field("Lease Start / Move-In"), ColumnNames(UNIT_COLUMNS).field("Unit / Tenant")
        ('moveInDate', None)
        """
        whole, bare = looked_for(name), looked_for(_BRACKETS.sub(" ", name))
        if whole in self._field_of:
            return whole
        first, *others = map(looked_for, name.split("/")) if "/" in name else ("",)
        if others and {self._field_of.get(other) for other in others} == {self._field_of.get(first, "")}:
            return first
        if self._field_of.get(bare) not in (None, *self._whole):
            return bare
        taxed = looked_for(without_taxes(name))
        return taxed if self._field_of.get(taxed) in self._whole else ""
