"""Lists as spreadsheets, and many invoices as one PDF, as the dashboard hands them out."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.bills import lists as bill_lists
from prorata.actions.bulk import prints
from prorata.actions.exports import list_exports
from prorata.actions.exports.list_exports import Spreadsheet
from prorata.actions.invoices import statements
from prorata.actions.invoices.lists import Wish
from prorata.actions.invoices.papers import Paper
from prorata.domain.invoice_states import Status
from prorata.domain.utility_names import PaymentStatus
from prorata.web.api.payments.statements import StatementQuery
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import LONGEST_IDS_LISTED
from prorata.web.http.list_schemas import NEEDS, Need
from prorata.web.http.operations import FILE, PDF, Call, operation
from prorata.web.http.request_schemas import Body, Filter, given
from prorata.web.http.sent_files import FileAnswer

_COLUMNS = {"property_id": "property", "unit_id": "unit", "month": "month", "status": "status"}
Format = Annotated[Literal["csv", "xlsx"], Meta(description="As what kind of file.")]


class PrintedInvoicesQuery(Body):
    """Which invoices."""

    property_id: Annotated[Filter, Meta(description="Only invoices of this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only invoices of this unit.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    needs: Annotated[Need, Meta(description="As of `GET /invoices`.")] | UnsetType = UNSET
    ids: (
        Annotated[
            str,
            text(LONGEST_IDS_LISTED),
            Meta(description="The ids of invoices, divided by commas: these, whatever else is said."),
        ]
        | UnsetType
    ) = UNSET

    @property
    def chosen(self) -> list[str] | Wish:
        """The invoices that are asked for."""
        if self.ids is not UNSET:
            return self.ids.split(",")
        return _wish(self)


class ExportedInvoicesQuery(Body):
    """Which invoices, and as what."""

    property_id: Annotated[Filter, Meta(description="Only invoices of this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only invoices of this unit.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    needs: Annotated[Need, Meta(description="As of `GET /invoices`.")] | UnsetType = UNSET
    rows: Annotated[Literal["INVOICES", "CHARGES"], Meta(description="What a row is of.")] = "INVOICES"
    format: Format = "csv"


class ExportedBillsQuery(Body):
    """Which bills, and as what."""

    property_id: Annotated[Filter, Meta(description="Only bills of this property.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: PaymentStatus | UnsetType = UNSET
    format: Format = "csv"


class ExportedStatementQuery(StatementQuery):
    """Which days, both counted, and as what."""

    format: Format = "csv"


def _wish(query: PrintedInvoicesQuery | ExportedInvoicesQuery) -> Wish:
    need = given(query.needs)
    return Wish(_filters(query), need=NEEDS[need] if need else None)


def _filters(query: Body) -> dict[str, str]:
    sent = ((column, getattr(query, name, UNSET)) for name, column in _COLUMNS.items())
    return {column: value for column, value in sent if value is not UNSET}


def _written(call: Call[Any, None], name: str, sheet: Spreadsheet) -> FileAnswer:
    return FileAnswer(f"{name}.{call.query.format}", b"".join(call.writer(*sheet)))


@operation(
    "GET", "/exports/invoices", is_long=True, summary="Export invoices", query=ExportedInvoicesQuery, media=FILE,
    conflict="These are more records than one file holds.",
)  # fmt: skip
def export_invoices(call: Call[ExportedInvoicesQuery, None]) -> FileAnswer:
    """The invoices that fit, a row for each, or with `rows=CHARGES` a row for each of their charges: as CSV or XLSX."""
    query = call.query
    read = list_exports.of_charges if query.rows == "CHARGES" else list_exports.of_invoices
    return _written(call, query.rows.lower(), read(call.tx, call.caller, _wish(query)))


@operation(
    "GET", "/exports/bills", is_long=True, summary="Export bills", query=ExportedBillsQuery, media=FILE,
    conflict="These are more records than one file holds.",
)  # fmt: skip
def export_bills(call: Call[ExportedBillsQuery, None]) -> FileAnswer:
    """The bills that fit, as CSV or XLSX: the file reads back as the same bills."""
    wish = bill_lists.Wish(_filters(call.query))
    return _written(call, "bills", list_exports.of_bills(call.tx, call.caller, wish))


@operation(
    "GET", "/tenants/{tenantId}/statement/export", is_long=True, summary="Export a tenant's statement",
    query=ExportedStatementQuery, media=FILE, missing=("tenant",),
)  # fmt: skip
def export_statement(call: Call[ExportedStatementQuery, None]) -> FileAnswer:
    """What a tenant was invoiced and paid, a row for each entry, as CSV or XLSX."""
    first, last = given(call.query.from_), given(call.query.to)
    made = statements.of_tenant(call.tx, call.caller, call.path["tenantId"], first=first, last=last)
    return _written(call, "statement", list_exports.of_statement(made))


@operation(
    "GET", "/exports/invoices/pdf", is_long=True, summary="Print many invoices", query=PrintedInvoicesQuery, media=PDF,
    conflict="No invoice fits, or more than 500 do.",
)  # fmt: skip
def print_invoices(call: Call[PrintedInvoicesQuery, None]) -> list[Paper]:
    """One PDF of the invoices that fit, or of those with these `ids`, each on pages of its own; 500 at most."""
    return prints.that_fit(call.tx, call.caller, call.query.chosen)
