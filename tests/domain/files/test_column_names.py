"""The columns of files are recognized by the names that people use."""

from collections import defaultdict

import pytest

from prorata.domain.bills.columns import doubled, fields_named
from prorata.domain.bills.line_names import own_names_in_headers
from prorata.domain.files import column_names
from prorata.domain.files.column_names import looked_for
from prorata.domain.files.sheets import Sheet
from prorata.domain.payments.columns import fields_of


@pytest.mark.parametrize("kind", ["UNIT", "PROPERTY", "BILL", "PAYMENT", "CHARGE"])
def test_a_name_means_one_thing_in_a_kind_of_file(kind: str) -> None:
    fields: dict[str, set[str]] = defaultdict(set)
    for field, names in getattr(column_names, f"{kind}_COLUMNS").items():
        for name in names.split():
            fields[looked_for(name)].add(field)
    of_two = {name for name, its in fields.items() if len(its) > 1}
    of_people = {"residents", "tenants", "occupants", "bewohner", "inquilinos"}
    of_charges = {"charge", "charges"}
    of_houses = {"housenumber", "houseno", "hausnr"}
    assert of_two <= of_people | of_charges | of_houses


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        (("Building", "Vendor Name", "Category", "Invoice Total", "Invoice Date", "Acct #", "Invoice #", "Usage", "kWh"),
         ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "accountNumber", "billNumber", None, None)),
        (("Objekt", "Kreditor", "Kostenart", "Brutto", "Rechnungsdatum", "Fällig am", "Vertragsnr.", "Rechnungs-Nr.", "Verbrauch"),
         ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "dueDate", "accountNumber", "billNumber", None)),
        (("Finca", "Compañía", "Suministro", "Importe total", "Fecha de factura", "Nº factura", "Vencimiento", "Desde", "Hasta"),
         ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "billNumber", "dueDate", "servicePeriodStart",
          "servicePeriodEnd")),
        (("Immeuble", "Fournisseur", "Poste", "Montant TTC", "Date de facture", "N° facture", "Échéance", "N° client"),
         ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "billNumber", "dueDate", "accountNumber")),
        (("Property", "Property Name", "Type", "Utility", "Total", "Date"),
         ("property", None, None, "utilityType", "totalAmountDue", "billDate")),
        (("Total", "Amount due", "Date"), ("totalAmountDue", "totalAmountDue", "billDate")),
        (("Betrag netto", "MwSt.", "Betrag brutto", "Datum"), (None, None, "totalAmountDue", "billDate")),
        (("Objekt", "Wasser netto", "Wasser brutto", "Gas (brutto)"), ("property", None, "amount:WATER", "amount:GAS")),
    ],
)  # fmt: skip
def test_bills_are_known_by_the_names_that_bookkeepers_give_their_columns(
    header: tuple[str, ...], fields: tuple[str | None, ...]
) -> None:
    assert fields_named(header) == fields


@pytest.mark.parametrize(
    "name",
    ["Bruttobetrag", "Gesamtbetrag brutto", "Rechnungsbetrag (brutto)", "Brutto-Rechnungsbetrag", "Betrag brutto (EUR)",
     "Betrag inkl. 19 % MwSt.", "Gross amount", "Invoice total (incl. VAT)", "Importe con IVA", "Total factura (IVA incluido)",
     "Montant de la facture TTC", "Montant toutes taxes comprises", "Brutto", "Betrag inklusive MwSt", "Betrag einschl. MwSt.",
     "Betrag einschließlich USt.", "TotalInclVAT", "gross_amount", "Montant T.T.C."],
)  # fmt: skip
def test_an_amount_that_includes_taxes_is_the_amount_of_a_bill(name: str) -> None:
    assert fields_named(("Datum", name)) == ("billDate", "totalAmountDue")


@pytest.mark.parametrize(
    ("name", "field"),
    [("Wasser inkl. MwSt.", "amount:WATER"), ("Betrag brutto Wasser (EUR)", "amount:WATER"), ("Bruttokosten Gas", "amount:GAS"),
     ("Water incl. 5% VAT", "amount:WATER"), ("Agua con I.V.A.", "amount:WATER"), ("Agua (IVA incluido)", "amount:WATER"),
     ("Montant eau TTC", "amount:WATER"), ("Heizkosten inkl. MwSt.", "amount:OTHER"), ("Wasser ohne MwSt.", None),
     ("Water excl. VAT", None), ("Agua sin IVA", None), ("Eau HT", None)],
)  # fmt: skip
def test_an_amount_of_a_utility_may_include_taxes_too(name: str, field: str | None) -> None:
    assert fields_named(("Datum", name)) == ("billDate", field)


def test_the_taxes_are_no_part_of_the_name_of_what_is_billed() -> None:
    named = [("OTHER", name) for name in ("Heizkosten inkl. MwSt.", "Aufzug (brutto)", "Grossreinigung")]
    assert own_names_in_headers(named) == {"OTHER": "Heizkosten, Aufzug, Grossreinigung"}


@pytest.mark.parametrize(
    "name",
    ["Betrag netto", "Nettobetrag", "Betrag (netto)", "Betrag netto (EUR)", "Betrag ohne MwSt.", "Net amount", "Amount excl. VAT",
     "Importe sin IVA", "Base imponible", "Montant HT", "MwSt.", "Tax"],
)  # fmt: skip
def test_an_amount_without_taxes_or_the_taxes_alone_are_never_taken_for_it(name: str) -> None:
    assert fields_named(("Datum", name)) == ("billDate", None)


def test_an_amount_that_may_be_without_taxes_beside_one_that_includes_them_is_asked_about() -> None:
    assert doubled(fields_named(("Betrag", "Betrag brutto"))) == ("totalAmountDue",)


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        (("Received Date", "Tenant Name", "Paid Amount", "Check #", "Memo", "Unit"),
         ("date", "name", "amount", "reference", "text", None)),
        (("Buchungstag", "Auftraggeber", "Verwendungszweck", "Betrag"), ("date", "name", "text", "amount")),
        (("Fecha de operación", "Ordenante", "Concepto", "Importe"), ("date", "name", "text", "amount")),
        (("Date d'opération", "Donneur d'ordre", "Libellé opération", "Montant"), ("date", "name", "text", "amount")),
        (("Eingangsdatum", "Mieter", "Zahlbetrag", "Rechnungsnr."), ("date", "name", "amount", "invoice")),
    ],
)  # fmt: skip
def test_payments_are_known_by_the_names_that_banks_and_ledgers_give_their_columns(
    header: tuple[str, ...], fields: tuple[str | None, ...]
) -> None:
    assert fields_of(Sheet(header, ((2, ("",) * len(header)),)), None, "EUR") == fields
