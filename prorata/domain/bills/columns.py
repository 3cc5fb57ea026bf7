"""The columns of a bills file: what each is called in a header, and which one a file lacks, has twice or misspells."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.files.column_currencies import without_currency
from prorata.domain.files.column_mappings import spelled
from prorata.domain.files.sheets import ALIKE, FEWEST_COLUMNS, HEADER_WITHIN, KnownIn, Row, RowProblem, Sheet, is_blank
from prorata.domain.limits import LONGEST_BILL_COLUMN_NAME
from prorata.domain.problems import shown
from prorata.domain.texts import say

REQUIRED = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
_SYNONYMS = {
    "property": "propertyid propertyname building bldg buildingname premises house housename "
    "objekt objektname liegenschaft haus gebäude immobilie inmueble edificio propiedad finca immeuble bâtiment",
    "issuerName": "issuer provider providername vendor vendorname supplier suppliername biller billername payee "
    "company utilitycompany utilityprovider utilityname utilityvendor serviceprovider "
    "versorger lieferant aussteller anbieter rechnungssteller proveedor emisor compañía suministrador "
    "fournisseur émetteur",
    "utilityType": "utility utilities utilitytypes type types service services servicetype billtype commodity "
    "utilityservice svc svctype kostenart kostenarten sparte leistung suministro servicio énergie prestation",
    "totalAmountDue": "total totalamount totaldue amount amountdue billtotal billamount totalbill invoicetotal "
    "invoiceamount totalcharges amt amtdue totalamt totalamtdue billamt invamount invamt "
    "invtotal amountbilled billedamount totalbilled betrag gesamtbetrag rechnungsbetrag bruttobetrag endbetrag "
    "summe importe importetotal montant montanttotal montantttc totalttc",
    "amounts": "breakdown amountbreakdown amountsbytype amountbytype amountsbyutilitytype amountsbyutility "
    "beträgejekostenart importesporsuministro montantsparservice",
    "currency": "currencycode ccy curr billcurrency billingcurrency invoicecurrency amountcurrency totalcurrency "
    "währung waehrung währungscode devise moneda divisa moeda waluta monnaie",
    "billDate": "date billingdate dateofbill invoicedate issuedate dateissued statementdate invdate stmtdate "
    "billissuedate invoiceissuedate dateofinvoice billeddate datebilled billdated dated "
    "datum rechnungsdatum belegdatum fecha fechafactura fechaderecibo fechadelrecibo datefacture "
    "datedefacture datedelafacturereçue",
    "dueDate": "due datedue dueby duebydate payby paybydate paymentdue paymentduedate billduedate invoiceduedate "
    "invduedate fällig fälligam fälligkeit fälligkeitsdatum zahlbarbis vencimiento fechadevencimiento échéance "
    "datedéchéance",
    "billingMonth": "month billmonth invoicemonth statementmonth abrechnungsmonat monat mes mesfacturado mois "
    "moisdefacturation",
    "paymentStatus": "status billstatus invoicestatus invstatus zahlungsstatus estadodelpago étatdupaiement",
    "accountNumber": "account accountno accountid acct acctno acctnumber customernumber customerno accountnum "
    "acctnum acctid accountnbr acctnbr customeraccount customeraccountnumber customernum "
    "customerid custno custnumber custid utilityaccount utilityaccountno utilityaccountnumber "
    "kontonummer kundennummer kundennr vertragskonto vertragsnummer númerodecuenta "
    "númerodecliente contrato numéroclient numérodeclient contrat",
    "billNumber": "bill billno billid invoice invoicenumber invoiceno statementnumber statementno billnum "
    "invoicenum invoiceid inv invno invnumber invnum invid statementnum stmtno stmtnumber stmtnum "
    "rechnungsnummer rechnungsnr belegnummer belegnr númerodefactura númeroderecibo numérodefacture",
    "servicePeriodStart": "servicestart servicestartdate servicefrom serviceperiodfrom periodstart periodfrom "
    "billingperiodstart startdate fromdate servicefromdate serviceperiodstartdate "
    "servicebegin servicebegindate svcfrom svcfromdate svcstart svcstartdate svcperiodfrom "
    "svcperiodstart periodstartdate periodfromdate datefrom billingperiodfrom billingfrom "
    "billingstart billingstartdate billperiodstart billperiodfrom "
    "zeitraumvon leistungvon serviciodesde servicedu leistungsbeginn desde periododesde début périodedu",
    "servicePeriodEnd": "serviceend serviceenddate serviceto serviceperiodto periodend periodto billingperiodend "
    "enddate todate servicetodate serviceperiodenddate svcto svctodate svcend svcenddate "
    "svcperiodto svcperiodend periodenddate periodtodate dateto billingperiodto billingto "
    "billingend billingenddate billperiodend billperiodto "
    "zeitraumbis leistungbis serviciohasta serviceau leistungsende hasta periodohasta fin périodeau",
    "spread": "spreadovermonths spreadbydays",
    "usageAndPrice": "usageandpricebytype usagebytype usagebyutilitytype verbrauchundpreis "
    "consumoyprecio consommationetprix",
    "notes": "note comment comments remark remarks memo bemerkung bemerkungen notiz notizen notas "
    "observaciones remarques",
}
_SERVICE_DAYS = ("servicePeriodStart", "servicePeriodEnd")
_FROM_TO = (("from", "to"), ("from", "through"), ("from", "thru"), ("von", "bis"), ("du", "au"), ("de", "a"))
"""Names of the first and the last day of service that are known where both stand there, as `spelled` has them."""
_UNREAD = "was not read. Choose it, or import it as a file of its own."
FIELDS = tuple(_SYNONYMS)
"""What a bills file may say of a bill, in the order in which people think of it."""
MONEY_FIELDS, DATE_FIELDS = ("totalAmountDue",), ("billDate", "dueDate", "servicePeriodStart", "servicePeriodEnd")
IN_A_CURRENCY = ("totalAmountDue", "amounts")
"""Fields of money, whose columns may say in their names which."""
CURRENCY = "currency"
"""What several columns may say, each of which has to agree with the property."""
NOTHING = ""
"""What a column means from which nothing is read, because somebody has said so."""
_COLUMN_OF = {name.lower(): name for name in _SYNONYMS}
_COLUMN_OF.update((synonym, name) for name, synonyms in _SYNONYMS.items() for synonym in synonyms.split())
_OTHER_COLUMNS = frozenset(["paymentdate", "paiddate", "datepaid", "accountname", "billingaddress"])


class HowRead(NamedTuple):
    """How the rows of a file are read. `fields` says what each column of its header means: a field, `NOTHING` where
    somebody has said so, None where nobody knows. `fixed` holds for every row that lacks the field; `words` are what
    somebody said that texts of a field mean. `decimal` is the mark before decimals, and `dates` the order of day and
    month, DMY or MDY; without them each row is read as its property's country writes.
    """

    fields: tuple[str | None, ...]
    fixed: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    decimal: str = ""
    dates: str = ""


class Columns(NamedTuple):
    """Where each field stands; None when the header can't be used; and what is wrong with it."""

    places: dict[str, int] | None
    problems: list[RowProblem]


def field_named(name: str) -> str | None:
    """The field that a column's name is known for; of money also where it says a currency, whichever that is.

    >>> field_named("Bill Date"), field_named("Datum"), field_named("Farbe")
    ('billDate', 'billDate', None)
    >>> field_named("Amount (EUR)"), field_named("USD Date") is None
    ('totalAmountDue', True)
    """
    return _COLUMN_OF.get(spelled(name)) or _of_money(name)


def _of_money(name: str) -> str | None:
    """The field of money that a name is known for without the currency that it says."""
    field = _COLUMN_OF.get(spelled(without_currency(name))) if len(name) <= LONGEST_BILL_COLUMN_NAME else None
    return field if field in IN_A_CURRENCY else None


def fields_named(header: Sequence[str], taken: Collection[str] = ()) -> tuple[str | None, ...]:
    """The fields that the columns of a header are known for. One of money whose name says a currency too is known where
    no other column is that field, by its name or as `taken` says: of "Amount" and "Amount (EUR)" the first is read.

    "From" and "To" are the first and last day of service where both stand there.

    >>> fields_named(("Amount", "Amount (EUR)")), fields_named(("Date", "Amount (EUR)"))
    (('totalAmountDue', None), ('billDate', 'totalAmountDue'))
    >>> fields_named(("Von", "Bis", "Datum")), fields_named(("Von", "Datum"))
    (('servicePeriodStart', 'servicePeriodEnd', 'billDate'), (None, 'billDate'))
    """
    names = [spelled(name) for name in header]
    plain = [_COLUMN_OF.get(name) for name in names]
    if not any(field in _SERVICE_DAYS for field in plain):
        pair = next((pair for pair in _FROM_TO if set(names).issuperset(pair)), ())
        for name, day in zip(pair, _SERVICE_DAYS, strict=False):
            plain[names.index(name)] = day
    there = {*plain, *taken} - {None}
    of_money = [None if (field := _of_money(name)) in there else field for name in header]
    return tuple(one or other for one, other in zip(plain, of_money, strict=True))


def find_header(rows: Iterable[Row], known_in: KnownIn | None = None) -> int | None:
    """Which of the rows is the header: the one of the first rows that names most columns, or None. `known_in` counts
    the columns that a row names; without it they are those of bills.
    """
    best, most = None, FEWEST_COLUMNS - 1
    for index, (_, cells) in zip(range(HEADER_WITHIN), rows, strict=False):
        known = (known_in or known_columns)(cells)
        if known > most:
            best, most = index, known
    return best


def known_columns(cells: Sequence[Cell]) -> int:
    """How many different columns of a bills file a row of cells names."""
    return len({field_named(cell) for cell in cells if isinstance(cell, str)} - {None})


def unread_columns(sheet: Sheet, how: HowRead) -> tuple[str, ...]:
    """The columns that nothing is read from, as the file names them."""
    return tuple(
        shown(name.strip()) for name, field in zip(sheet.header, how.fields, strict=True) if name.strip() and not field
    )


def columns_of(sheet: Sheet, how: HowRead) -> Columns:
    """Where each column stands, or None when the header can't be used, and what is wrong with it."""
    places: dict[str, list[int]] = defaultdict(list)
    unknown = []
    for place, field in enumerate(how.fields):
        if field:
            places[field].append(place)
        elif field is None and sheet.header[place].strip():
            unknown.append(place)
    faults = []
    missing = [column for column in REQUIRED if column not in places and not how.fixed.get(column)]
    if missing:
        faults.append(f"The header lacks {listed(missing)}. Add what is missing.")
    for column, found in places.items():
        if len(found) > 1 and column != CURRENCY:
            names = listed([f"“{shown(sheet.header[place].strip())}”" for place in found])
            faults.append(say("The columns {names} all mean {column}. Keep one of them.", names=names, column=column))
    problems = [RowProblem(sheet.header_line, None, " ".join(faults))] if faults else []
    problems.extend(_slips(sheet, unknown, places.keys()))
    problems.extend(
        RowProblem(sheet.header_line, None, f"The sheet “{shown(name)}” {_UNREAD}") for name in sheet.unread
    )
    return Columns(None if faults else {column: found[0] for column, found in places.items()}, problems)


def _slips(sheet: Sheet, unknown: Sequence[int], present: Iterable[str]) -> Iterator[RowProblem]:
    """A problem for each unknown column that holds something and whose name is almost that of a column not there."""
    there = set(present)
    absent = [spelling for spelling, column in _COLUMN_OF.items() if column not in there]
    for place in unknown:
        name = sheet.header[place].strip()
        alike = get_close_matches(spelled(name)[:LONGEST_BILL_COLUMN_NAME], absent, n=1, cutoff=ALIKE)
        if not alike or spelled(name) in _OTHER_COLUMNS:
            continue
        if any(place < len(cells) and not is_blank(cells[place]) for _, cells in sheet.rows):
            meant = _COLUMN_OF[alike[0]]
            message = say(
                "This column is not known. If it is meant to be {meant}, name it so; if not, remove it.", meant=meant
            )
            yield RowProblem(sheet.header_line, shown(name), message)


def listed(words: Sequence[str]) -> str:
    """Words as a sentence has them.

    >>> listed(["property", "issuerName", "billDate"])
    'property, issuerName and billDate'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
