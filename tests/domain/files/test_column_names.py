"""The columns of files are recognized by the names that people use."""

from collections import defaultdict

import pytest

from prorata.domain.bills.columns import fields_named
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
    ],
)  # fmt: skip
def test_bills_are_known_by_the_names_that_bookkeepers_give_their_columns(
    header: tuple[str, ...], fields: tuple[str | None, ...]
) -> None:
    assert fields_named(header) == fields


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
