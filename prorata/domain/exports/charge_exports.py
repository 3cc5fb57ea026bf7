"""Invoices as lines of another program's charge file, with exact amounts and without formulas.

If any part of an invoice can't be written, the whole invoice is left out, with the reason.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import first_day, month_of
from prorata.domain.exports.charge_layouts import ACCOUNT, CUSTOM, IIF, WHOLE, Asked, Column, Layout, Rows
from prorata.domain.files.spreadsheet_cells import safe
from prorata.domain.invoice_states import CANCELLED, CLOSING, DRAFT
from prorata.domain.money import in_figures
from prorata.domain.splitting.planned_charges import charge_type
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_NAMES, UTILITY_TYPES

EXPORTED = CLOSING
"""The statuses of the invoices exported by default: all that were sent."""
WITH_DRAFTS = (*CLOSING, DRAFT)
ROW_NAMES: Mapping[str, str] = {
    **UTILITY_NAMES,
    "OTHER": say("Other utilities"),
    CUSTOM: say("Charges of your own"),
    WHOLE: say("The whole invoice"),
}
"""The display names of the purposes that a row may have."""
_UTILITY_OF = {charge_type(utility): utility for utility in UTILITY_TYPES}
_WHOLE_INVOICE = "Utilities"
_BEGINS_A_FORMULA = "=+@-＝＋＠－\t\r\n'"
Names = Mapping[tuple[str, str], str]
"""The names used by the other program.

The keys are a field and the id of our record, the utility, or ACCOUNT.
"""


class ExportedCharge(NamedTuple):
    """An invoice's charge, or a row of a charge file, with its amount in cents.

    `utility` is the utility type of a charge from a bill, CUSTOM for a custom charge, or WHOLE for a whole invoice.
    """

    utility: str
    amount: int
    description: str


class ExportedInvoice(NamedTuple):
    """An invoice with everything that a charge file may contain about it.

    The month is in words, and amounts are in cents.
    """

    number: str
    property_id: str
    property_name: str
    unit_id: str
    unit_label: str
    tenant_id: str
    tenant_name: str
    month_in_words: str
    invoice_date: date
    due_date: date | None
    total: int
    charges: tuple[ExportedCharge, ...]


class Lacking(NamedTuple):
    """A missing name in the other program, for a record that Prorata calls `ours`."""

    field: str
    record_id: str
    ours: str


class Written(NamedTuple):
    """An invoice as lines of a file, or the reason why it is left out.

    `text` contains the lines, and `rows` is the number of charges in them; `text` is empty if the invoice is left
    out. The reason is then either that nobody has entered the names in `lacking`, or the sentence in `problem`.
    """

    text: str
    rows: int
    lacking: tuple[Lacking, ...] = ()
    problem: str = ""

    @property
    def is_left_out(self) -> bool:
        """True if the invoice is left out of the file."""
        return not self.text


class _Long(Exception):
    """Raised if a value is too long for its column and must not be cut.

    The exception's text is a sentence for the user.
    """


def head(layout: Layout) -> str:
    """Write the header lines: the column names that the program expects."""
    lines = []
    for record in layout.records:
        marked = (f"!{record.keyword}",) if record.keyword else ()
        lines.append((*marked, *(column.name for column in record.columns)))
    if layout.first_line:
        lines.insert(0, (layout.first_line, *("" for _ in lines[0][1:])))
    return "".join(_line(layout, cells) for cells in lines)


def written(layout: Layout, invoice: ExportedInvoice, names: Names, rows: Rows) -> Written:
    """Write an invoice as lines of a layout, or state why it is left out.

    The invoice has a row for each nonzero charge, or a single row, depending on `rows`.
    """
    assert sum(charge.amount for charge in invoice.charges) == invoice.total, "charges sum to their invoice"
    if invoice.total <= 0:
        return _not(
            say(
                "Its total is {amount}, so there is nothing to charge. Enter a credit by hand.",
                amount=in_figures(invoice.total),
            )
        )
    parts = _parts(invoice, rows)
    if not layout.takes_credits and any(part.amount < 0 for part in parts):
        return _not(
            say(
                "It has a negative charge, which {title} may not accept among charges. Choose one row for each "
                "invoice, or enter it by hand.",
                title=layout.title,
            )
        )
    lacking = _lacking(layout, invoice, parts, names)
    if lacking:
        return Written("", 0, lacking)
    try:
        return Written("".join(_lines(layout, invoice, parts, names)), len(parts))
    except _Long as long:
        return _not(str(long))


def _not(why: str) -> Written:
    return Written("", 0, problem=why)


def _parts(invoice: ExportedInvoice, rows: Rows) -> tuple[ExportedCharge, ...]:
    if rows == "invoice":
        return (ExportedCharge(WHOLE, invoice.total, f"{_WHOLE_INVOICE}, {invoice.month_in_words}"),)
    return tuple(
        ExportedCharge(charge.utility, charge.amount, _described(charge, invoice.month_in_words))
        for charge in invoice.charges
        if charge.amount
    )


def _described(charge: ExportedCharge, month: str) -> str:
    """Describe a charge and its month, for a column of the other program's file.

    >>> _described(ExportedCharge("WATER", 1, "Aqua: 1 of 2 units"), "March 2026")
    'Water, March 2026: Aqua: 1 of 2 units'
    >>> _described(ExportedCharge(CUSTOM, 1, "Garage"), "March 2026")
    'Garage, March 2026'
    """
    if charge.utility == CUSTOM:
        return f"{charge.description}, {month}"
    return f"{ROW_NAMES[charge.utility]}, {month}: {charge.description}"


def utility_of(charge_type: str | None, *, is_of_bill: bool) -> str:
    """Map a charge type to a utility: TRASH to GARBAGE, and None to OTHER.

    A charge that does not come from a bill (`is_of_bill` is false) is CUSTOM.

    >>> utility_of("TRASH", is_of_bill=True), utility_of(None, is_of_bill=True), utility_of(None, is_of_bill=False)
    ('GARBAGE', 'OTHER', 'CUSTOM')
    """
    return _UTILITY_OF[charge_type] if is_of_bill else CUSTOM


def record_of(asked: Asked, invoice: ExportedInvoice, utility: str) -> tuple[str, str]:
    """Find the record whose name in the other program is needed for a charge.

    Returns the record's id and Prorata's name for the record. The record is the invoice's property, unit or tenant,
    the `utility`, or the account, depending on `asked`.
    """
    match asked.of:
        case "property":
            return invoice.property_id, invoice.property_name
        case "unit":
            return invoice.unit_id, f"{invoice.property_name}, {invoice.unit_label}"
        case "tenant":
            return invoice.tenant_id, f"{invoice.tenant_name} ({invoice.property_name}, {invoice.unit_label})"
        case "utility":
            return utility, ROW_NAMES[utility]
        case "system":
            return ACCOUNT, asked.title


def _lacking(
    layout: Layout, invoice: ExportedInvoice, parts: Sequence[ExportedCharge], names: Names
) -> tuple[Lacking, ...]:
    lacking: dict[Lacking, None] = {}
    for asked in layout.asks:
        if asked.is_needed:
            for part in parts:
                record_id, ours = record_of(asked, invoice, part.utility)
                if (asked.field, record_id) not in names:
                    lacking[Lacking(asked.field, record_id, ours)] = None
    return tuple(lacking)


def _lines(layout: Layout, invoice: ExportedInvoice, parts: Sequence[ExportedCharge], names: Names) -> list[str]:
    """Write the lines of an invoice, in the order of the layout's records.

    A record that is written per row has a line for each row of the invoice; a record that is written per invoice
    has one line.
    """
    lines: list[str] = []
    facts = _facts(layout, invoice)
    values = [_values(layout, invoice, part, names, facts) for part in parts]
    for record in layout.records:
        marked = (record.keyword,) if record.keyword else ()
        lines += (
            _line(layout, (*marked, *(_fitting(layout, column, value) for column in record.columns)))
            for value in (values if record.per == "row" else values[:1])
        )
    return lines


def _facts(layout: Layout, invoice: ExportedInvoice) -> dict[str, str]:
    """Map facts that columns can contain to the values shared by an invoice's rows."""
    memo = f"{invoice.number}, {invoice.property_name}, {invoice.unit_label}, {invoice.month_in_words}"
    return {
        "number": invoice.number,
        "tenant": safe(_plain(invoice.tenant_name)),
        "invoice-date": layout.day(invoice.invoice_date),
        "due-date": layout.day(invoice.due_date or invoice.invoice_date),
        "post-month": layout.day(first_day(month_of(invoice.invoice_date))),
        "total": in_figures(invoice.total),
        "memo": safe(_plain(memo)),
    }


def _values(
    layout: Layout, invoice: ExportedInvoice, part: ExportedCharge, names: Names, facts: Mapping[str, str]
) -> Mapping[str, str]:
    """Map the facts and names that columns can contain to the values of one row."""
    theirs = {
        asked.field: names.get((asked.field, record_of(asked, invoice, part.utility)[0]), "") for asked in layout.asks
    }
    return {
        **facts,
        "amount": in_figures(part.amount),
        "amount-taken-off": in_figures(-part.amount),
        "description": safe(_plain(part.description)),
        **theirs,
    }


def _fitting(layout: Layout, column: Column, value: Mapping[str, str]) -> str:
    """Fit a cell's contents into its column.

    Raises `_Long` if the contents are too long and must not be cut.
    """
    text = value[column.holds] if column.holds else column.says
    if not column.most or len(text) <= column.most:
        return text
    if column.when_long == "problem":
        raise _Long(
            say(
                "{text} is longer than the {most} characters that {title} accepts for {name}. Enter it by hand.",
                text=text,
                most=column.most,
                title=layout.title,
                name=column.name,
            )
        )
    return text[: column.most] if column.when_long == "cut" else ""


def _line(layout: Layout, cells: Sequence[str]) -> str:
    r"""Write a line of the file, with its line ending.

    In a format without quotes (IIF), a cell can't contain a tab or a line ending: `_plain` and `name_problem`
    ensure that. A quotation mark is written as an apostrophe there.
    """
    if layout.delimiter == IIF:
        return "\t".join(cell.replace('"', "'") for cell in cells) + "\r\n"
    return layout.delimiter.join(_quoted(cell, layout.delimiter) for cell in cells) + "\r\n"


def _quoted(cell: str, delimiter: str) -> str:
    """Quote a cell that contains a delimiter, line ending or quote (RFC 4180).

    >>> _quoted('12" pipe, leaking', ","), _quoted("Unit 1", ",")
    ('"12"" pipe, leaking"', 'Unit 1')
    """
    if delimiter in cell or '"' in cell or "\r" in cell or "\n" in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _plain(text: str) -> str:
    """Turn text into one printable line with single spaces."""
    if not text.isprintable():
        text = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(text.split())


def name_problem(layout: Layout, asked: Asked, name: str) -> str | None:
    """Return the problem with a name in the other program; None if it is valid.

    Names go into files unchanged. A name that a spreadsheet would take for a formula is refused, because with an
    apostrophe before it, the other program would no longer recognize it.
    """
    if len(name) > asked.most:
        return say("Enter at most {most} characters: {title} doesn’t accept more.", most=asked.most, title=layout.title)
    if name != _plain(name):
        return say("Enter a single line without invisible characters.")
    if safe(name) != name or name.startswith(tuple(_BEGINS_A_FORMULA)):
        signs = "= + - @ or an apostrophe, also behind a ; or |"
        return say("It can’t begin with {signs}, because spreadsheets treat that as a formula.", signs=signs)
    if layout.delimiter == IIF and '"' in name:
        return say("It can’t contain a quotation mark, because {title} would misread it.", title=layout.title)
    if name.encode(layout.encoding, "ignore").decode(layout.encoding) != name:
        return say("It contains a character that can't be used in files for {title}.", title=layout.title)
    return None


class Change(NamedTuple):
    """A change of an invoice's total since its export, in cents.

    `exported` is the total at the export, and `now` the total to charge now.
    """

    invoice_id: str | None
    number: str
    exported: int
    now: int
    why: str

    @property
    def difference(self) -> int:
        """The amount still to charge, in cents; negative if too much was charged."""
        return self.now - self.exported


def change_of(
    invoice_id: str | None, number: str, exported: int, total: int | None, status: str | None, *,
    is_anothers: bool = False, replaced_by: str | None = None,
) -> Change | None:  # fmt: skip
    """Return the change of an invoice since its export; None if it did not change.

    `exported` is the total at the export, in cents. `total` and `status` are the current ones. They are None if the
    invoice no longer exists, or if the invoice with the number `replaced_by` has replaced it. `is_anothers` means
    that the invoice now belongs to a different tenant. The slice in the example is the total at the export, the
    total to charge now, and the reason.

    >>> change_of("inv_1", "M-1", 50_00, 45_00, "SENT").difference, change_of("inv_1", "M-1", 50_00, 50_00, "PAID")
    (-500, None)
    >>> change_of("inv_1", "M-1", 50_00, 50_00, "CANCELLED").why
    'It was cancelled.'
    >>> change_of("inv_1", "M-1", 50_00, 50_00, "SENT", is_anothers=True)[2:]
    (5000, 0, 'It no longer belongs to this tenant.')
    >>> change_of(None, "M-1", 50_00, None, None, replaced_by="M.R1-1").why
    'It was replaced by M.R1-1, which will be charged in the next file.'
    """
    if replaced_by is not None:
        says = say("It was replaced by {replaced_by}, which will be charged in the next file.", replaced_by=replaced_by)
        return Change(invoice_id, number, exported, 0, says)
    if total is None or status is None:
        return Change(None, number, exported, 0, say("It no longer exists."))
    if status == CANCELLED:
        return Change(invoice_id, number, exported, 0, say("It was cancelled."))
    if is_anothers:
        return Change(invoice_id, number, exported, 0, say("It no longer belongs to this tenant."))
    if total != exported:
        return Change(invoice_id, number, exported, total, say("Its amount has changed."))
    return None


def statuses(*, drafts: bool) -> Collection[str]:
    """Return the statuses of invoices to export.

    They are the statuses of sent invoices and, if `drafts` is True, also DRAFT.
    """
    return WITH_DRAFTS if drafts else EXPORTED
