"""Descriptions of how a table is read: its file type, header line, amounts and dates."""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.actions.intake.table_documents import Outcome, Table
from prorata.domain.bills.columns import AMOUNT_FOR, dated_by, has_amount_columns
from prorata.domain.files.number_formats import Form, in_words
from prorata.domain.files.sheets import NO_HEADER, About, Sheet
from prorata.domain.intake.column_mappings import in_spite_in_words
from prorata.domain.texts import joined, say, say_n
from prorata.domain.utility_names import LINE_NAMES, UTILITY_NAMES
from prorata.ports import Forms

FIELD_NAMES = {
    "property": say("Property"),
    "issuerName": say("Who sent the bill"),
    "utilityType": say("Utility"),
    "totalAmountDue": say("Total"),
    "amounts": say("Amounts by utility"),
    **{field: say("Amount for: {utility}", utility=LINE_NAMES[kind]) for field, kind in AMOUNT_FOR.items()},
    "currency": say("Currency"),
    "billDate": say("Date of the bill"),
    "dueDate": say("Due"),
    "billingMonth": say("Billing month"),
    "paymentStatus": say("Payment status"),
    "accountNumber": say("Account number"),
    "billNumber": say("Bill number"),
    "servicePeriodStart": say("First day of service"),
    "servicePeriodEnd": say("Last day of service"),
    "spread": say("Spread over its months"),
    "usageAndPrice": say("Usage and price"),
    "names": say("Names for tenants"),
    "notes": say("Notes"),
}
"""The display names of a bill's fields."""
_DELIMITERS = {",": say("commas"), ";": say("semicolons"), "\t": say("tabs"), "|": say("bars")}
_ENCODINGS = {
    "utf": "Unicode",
    "cp1252": say("Windows-1252 (Western European)"),
    "cp1250": say("Windows-1250 (Central European)"),
    "cp1254": say("Windows-1254 (Turkish)"),
    "cp1257": say("Windows-1257 (Baltic)"),
    "cp1251": say("Windows-1251 (Cyrillic)"),
    "cp1253": say("Windows-1253 (Greek)"),
}
MARKS = {".": say("a decimal point, as in 1,234.50"), ",": say("a decimal comma, as in 1.234,50")}
ORDERS = {"DMY": say("the day first, as in 25/03/2026"), "MDY": say("the month first, as in 03/25/2026")}
_UNKNOWN = say("Choose the column that contains them below.")
_BY_MONTH = say("No column contains the bill date, so the last day of the billing month is used.")
_BY_SERVICE = say("No column contains it, so the last day of service is used.")
_SUMMED = say("No column contains it, so the utilities’ amounts are added up.")


class Told(NamedTuple):
    """A sentence about how a file is read.

    `is_asked` means that a person must decide how the file is read.
    """

    name: str
    says: str
    is_asked: bool = False


def how_read(table: Table, properties: Mapping[str, str], write: Forms) -> list[Told]:
    """Describe how a table of bills is read.

    `properties` are the names of the account's properties by id.
    """
    understanding, fields = table.understood, table.understood.how.fields
    fixed = [
        Told(say("{field} of all rows", field=FIELD_NAMES[field]), _in_words(field, value, properties))
        for field, value in understanding.how.fixed.items()
        if field != "spread"  # the preview says it
    ]
    is_wide = has_amount_columns(fields)
    told = told_of(
        understanding.sheet,
        understanding.amounts if is_wide or "totalAmountDue" in fields else None,
        understanding.dates if dated_by(fields) != "billingMonth" else None,
        write,
    )
    if dated_by(fields) == "billingMonth":
        told[-1] = told[-1]._replace(says=_BY_MONTH)
    elif dated_by(fields) == "servicePeriodEnd":
        fixed.insert(0, Told(FIELD_NAMES["billDate"], _BY_SERVICE))
    if is_wide and "totalAmountDue" not in fields:
        fixed.insert(0, Told(FIELD_NAMES["totalAmountDue"], _SUMMED))
    kept = [Told(say("Currency"), in_spite_in_words(understanding.currencies))] if understanding.currencies else []
    return told + kept + fixed


def _in_words(field: str, value: str, properties: Mapping[str, str]) -> str:
    """Describe in words a value that a person set for a table's rows.

    The value applies to all rows. Utility types and the ids of `properties` become names. Values of any other field
    stay as they are.

    >>> _in_words("utilityType", "WATER;SEWER", {}), _in_words("property", "prop_1", {"prop_1": "Maple Court"})
    ('Water, Sewer', 'Maple Court')
    """
    if field == "utilityType":
        return joined((UTILITY_NAMES.get(kind.strip(), kind.strip()) for kind in value.split(";")), ", ")
    return properties.get(value, value) if field == "property" else value


def told_of(sheet: Sheet, amounts: Form | None, dates: Form | None, write: Forms) -> list[Told]:
    """Describe a file's type and header, and how its amounts and dates are read.

    `amounts` and `dates` are the formats in which the file's amounts and dates are written. Either is None if no
    column contains such values.
    """
    above = sheet.header_line - 1
    header = say("On line {line}.", line=sheet.header_line)
    if sheet.header_line == NO_HEADER:
        header = say("None: the first row is read like the others.")
    elif above:
        header = say_n(
            "On line {line}; the line above it is skipped.",
            "On line {line}; the {n} lines above it are skipped.",
            above, n=write.count(above), line=sheet.header_line,
        )  # fmt: skip
    return [
        Told(say("File"), _file(sheet.about)),
        Told(say("Header"), header),
        Told(
            say("Amounts"), in_words(amounts) if amounts else _UNKNOWN, amounts is not None and amounts.how == "asked"
        ),
        Told(say("Dates"), in_words(dates) if dates else _UNKNOWN, dates is not None and dates.how == "asked"),
    ]


def _file(about: About) -> str:
    """Describe the type of a file.

    >>> _file(About("cp1252", ";")), _file(About(sheet="Bills"))
    ('Text with cells separated by semicolons, encoded in Windows-1252 (Western European).',
    'The sheet “Bills” in a workbook.')
    """
    if about.sheet:
        return say("The sheet “{sheet}” in a workbook.", sheet=about.sheet)
    encoding = next((name for begins, name in _ENCODINGS.items() if about.encoding.startswith(begins)), about.encoding)
    return say(
        "Text with cells separated by {delimiter}, encoded in {encoding}.",
        delimiter=_DELIMITERS.get(about.delimiter, say("nothing")),
        encoding=encoding,
    )


def outcome_in_words(outcome: Outcome | None, write: Forms) -> str:
    """Describe how many bills were added from a table, and how many rows weren't imported."""
    if outcome is None:
        return ""
    added = say_n("{n} bill was added from this file.", "{n} bills were added from this file.", 2)
    there = say_n("{n} row had already been added.", "{n} rows had already been added.", 2)
    left = say_n("{n} row was left out.", "{n} rows were left out.", 2)
    others = ((outcome.skipped, there), (outcome.left_out, left))
    sentences = [(outcome.added, added), *((number, text) for number, text in others if number)]
    return joined(text.of(number, write.count(number)) for number, text in sentences)
