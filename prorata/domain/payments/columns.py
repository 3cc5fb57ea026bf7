"""The columns of a file of payments: what banks and ledgers call them, and which of them hold the account's money."""

from collections.abc import Sequence

from prorata.domain.bills.columns import spelled
from prorata.domain.files.cells import Cell
from prorata.domain.files.column_currencies import may_be_in, without_currency
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake.column_mappings import ColumnMapping, keys_of

_SYNONYMS = {
    "date": "bookingdate dateposted posteddate postingdate posted transactiondate transdate txndate valuedate "
    "paymentdate datepaid datereceived receivedon paidon completeddate buchungstag buchungsdatum buchung datum "
    "zahlungsdatum valuta wertstellung dateoperation dateopération datecomptable datevaleur datedevaleur fecha "
    "fechaoperación fechavalor fechadepago fechacontable",
    "amount": "transactionamount paymentamount amountpaid value sum total betrag umsatz montant importe cantidad",
    "received": "credit credits creditamount moneyin paidin deposit deposits depositamt depositamount amountreceived "
    "inflow gutschrift haben crédit abono abonos ingreso ingresos haber",
    "paidOut": "debit debits debitamount moneyout withdrawal withdrawals withdrawalamt withdrawalamount outflow soll "
    "lastschrift débit cargo cargos debe",
    "name": "payer payername payor paidby from sender sendername counterparty counterpartyname customer customername "
    "debtor tenant tenantname remitter originator receivedfrom payee partnername auftraggeber zahlungspflichtiger "
    "auftraggeberempfänger auftraggeberbegünstigter auftraggeberbeguenstigter beguenstigterauftraggeber "
    "zahlungsbeteiligter namezahlungsbeteiligter beguenstigterzahlungspflichtiger emetteur émetteur donneurdordre "
    "ordenante nombre",
    "text": "description memo details detail narrative narration particulars purpose remittance remittanceinformation "
    "paymentdetails transactiondescription originaldescription memodescription notes note comment message "
    "verwendungszweck buchungstext libelle libellé motif communication concepto descripción observaciones",
    "reference": "ref transactionid transactionreference bankreference paymentreference fitid checknumber chequenumber "
    "checkno chequeno chqrefno endtoendid endtoendreference kundenreferenz referenz référence referencia",
    "invoice": "invoicenumber invoiceno invoiceid invoices rechnungsnummer rechnung facture numérofacture factura",
    "currency": "currencycode ccy währung waehrung devise moneda divisa",
    "direction": "creditdebit debitcredit credit/debit debit/credit creditordebit debitorcredit creditdebitindicator "
    "creditdebitcode dr/cr cr/dr drcr crdr d/c c/d cdtdbtind sollhaben soll/haben sollhabenkennzeichen s/h sh "
    "sollhabenkz afbij af/bij sens debe/haber direction inout in/out",
}
FIELDS = tuple(_SYNONYMS)
"""What a file may say of a payment, in the order in which people think of it."""
SEVERAL = ("text", "reference", "name")
"""What several columns may hold together."""
MONEY_FIELDS = ("amount", "received", "paidOut")
_COLUMN_OF = {name.lower(): name for name in _SYNONYMS}
_COLUMN_OF.update((synonym, name) for name, synonyms in _SYNONYMS.items() for synonym in synonyms.split())


def field_named(name: str) -> str | None:
    """The field that a column's name is known for; of money also where it says a currency, whichever that is.

    >>> field_named("Booking Date"), field_named("Verwendungszweck"), field_named("Balance") is None
    ('date', 'text', True)
    >>> field_named("Betrag (EUR)"), field_named("Débit euros"), field_named("USD Date") is None
    ('amount', 'paidOut', True)
    """
    field = _COLUMN_OF.get(spelled(name))
    if field is not None:
        return field
    field = _COLUMN_OF.get(spelled(without_currency(name)))
    return field if field in MONEY_FIELDS else None


def known_columns(cells: Sequence[Cell]) -> int:
    """How many different columns of such a file a row of cells names."""
    return len({field_named(cell) for cell in cells if isinstance(cell, str)} - {None})


def fields_of(sheet: Sheet, said: ColumnMapping | None, currency: str) -> tuple[str | None, ...]:
    """What each column means, as somebody said, else by its name. Of several whose names mean a date, the first is
    taken. Of columns of money those whose names say another currency are left out, where there are others; alone they
    stay, and each of their rows is a problem.
    """
    keys, found = keys_of(sheet.header), list[str | None]()
    for key, name in zip(keys, sheet.header, strict=True):
        field = said.fields.get(key) if said else None
        if field is None:
            field = field_named(name)
            found.append(None if field == "date" and field in found else field)
        else:
            found.append(field if field in FIELDS else None)
    of_money = [place for place, field in enumerate(found) if field in MONEY_FIELDS]
    foreign = [place for place in of_money if currency and not may_be_in(sheet.header[place], currency)]
    if len(foreign) < len(of_money):
        for place in foreign:
            if said is None or keys[place] not in said.fields:
                found[place] = None
    return tuple(found)
