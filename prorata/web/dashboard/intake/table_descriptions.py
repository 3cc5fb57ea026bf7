"""How a table is read, in words: what it is, where its header stands, how its amounts and dates are written."""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.actions.intake.table_documents import Outcome, Table
from prorata.domain.files.number_formats import Form, in_words
from prorata.domain.files.sheets import About, Sheet
from prorata.domain.intake.column_mappings import in_spite_in_words
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_NAMES
from prorata.ports import Forms

FIELD_NAMES = {
    "property": "Property",
    "issuerName": "Who sent the bill",
    "utilityType": "Utility",
    "totalAmountDue": "Total",
    "amounts": "Amounts by utility",
    "currency": "Currency",
    "billDate": "Date of the bill",
    "dueDate": "Due",
    "billingMonth": "Billing month",
    "paymentStatus": "Payment status",
    "accountNumber": "Account number",
    "billNumber": "Bill number",
    "servicePeriodStart": "First day of service",
    "servicePeriodEnd": "Last day of service",
    "spread": "Spread over its months",
    "notes": "Notes",
}
"""What people call the fields of a bill."""
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_ENCODINGS = {
    "utf": "Unicode",
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1257": "Windows-1257 (Baltic)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
}
MARKS = {".": "a decimal point, as in 1,234.50", ",": "a decimal comma, as in 1.234,50"}
ORDERS = {"DMY": "the day first, as in 25/03/2026", "MDY": "the month first, as in 03/25/2026"}
_UNKNOWN = say("Say below which column has them.")


class Told(NamedTuple):
    """One thing that is said of how a file is read; `is_asked` where a person has to say it."""

    name: str
    says: str
    is_asked: bool = False


def how_read(table: Table, properties: Mapping[str, str], write: Forms) -> list[Told]:
    """How a table is read; `properties` are the names of the account's by id."""
    found, fields = table.understood, table.understood.how.fields
    fixed = [
        Told(f"{FIELD_NAMES[field]} of all rows", _in_words(field, value, properties))
        for field, value in found.how.fixed.items()
    ]
    told = told_of(
        found.sheet,
        found.amounts if "totalAmountDue" in fields else None,
        found.dates if "billDate" in fields else None,
        write,
    )
    kept = [Told("Currency", in_spite_in_words(found.currencies))] if found.currencies else []
    return told + kept + fixed


def _in_words(field: str, value: str, properties: Mapping[str, str]) -> str:
    """What somebody said for all rows, as people call it.

    >>> _in_words("utilityType", "WATER;SEWER", {}), _in_words("property", "prop_1", {"prop_1": "Maple Court"})
    ('Water, Sewer', 'Maple Court')
    """
    if field == "utilityType":
        return ", ".join(UTILITY_NAMES.get(kind.strip(), kind.strip()) for kind in value.split(";"))
    return properties.get(value, value) if field == "property" else value


def told_of(sheet: Sheet, amounts: Form | None, dates: Form | None, write: Forms) -> list[Told]:
    """How a file is read, and how its amounts and dates are written; None of those that no column has."""
    above = sheet.header_line - 1
    passed = f"; the {_lines(above, write)} above it {'is' if above == 1 else 'are'} passed over" if above else ""
    return [
        Told("File", _file(sheet.about)),
        Told("Header", say("In line {header_line}{passed}.", header_line=sheet.header_line, passed=passed)),
        Told("Amounts", in_words(amounts) if amounts else _UNKNOWN, amounts is not None and amounts.how == "asked"),
        Told("Dates", in_words(dates) if dates else _UNKNOWN, dates is not None and dates.how == "asked"),
    ]


def _lines(number: int, write: Forms) -> str:
    return "line" if number == 1 else f"{write.count(number)} lines"


def _file(about: About) -> str:
    """What a file is.

    >>> _file(About("cp1252", ";")), _file(About(sheet="Bills"))
    ('Text with semicolons between cells, in Windows-1252 (Western European).', 'The sheet “Bills” of a workbook.')
    """
    if about.sheet:
        return say("The sheet “{sheet}” of a workbook.", sheet=about.sheet)
    encoding = next((name for begins, name in _ENCODINGS.items() if about.encoding.startswith(begins)), about.encoding)
    return say(
        "Text with {delimiter} between cells, in {encoding}.",
        delimiter=_DELIMITERS.get(about.delimiter, "nothing"),
        encoding=encoding,
    )


def outcome_in_words(outcome: Outcome | None, write: Forms) -> str:
    """What came of a table."""
    if outcome is None:
        return ""
    said = [f"{write.count(outcome.added)} {'bill was' if outcome.added == 1 else 'bills were'} added from this file."]
    if outcome.skipped:
        there = "row was there already" if outcome.skipped == 1 else "rows were there already"
        said.append(f"{write.count(outcome.skipped)} {there}.")
    if outcome.left_out:
        rows = "row with problems was" if outcome.left_out == 1 else "rows with problems were"
        said.append(f"{write.count(outcome.left_out)} {rows} left out.")
    return " ".join(said)
