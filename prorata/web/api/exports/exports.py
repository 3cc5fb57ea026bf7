"""Exports of lists as spreadsheets, and of many invoices as one PDF."""

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
from prorata.web.http.scopes import may_open_tenant_pages
from prorata.web.http.sent_files import FileAnswer

_COLUMNS = {"property_id": "property", "unit_id": "unit", "month": "month", "status": "status"}
Format = Annotated[Literal["csv", "xlsx"], Meta(description="The type of file.")]


class PrintedInvoicesQuery(Body):
    """Filters of the invoices to print."""

    property_id: Annotated[Filter, Meta(description="Only invoices for this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only invoices for this unit.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    needs: Annotated[Need, Meta(description="The same as in `GET /invoices`.")] | UnsetType = UNSET
    ids: (
        Annotated[
            str,
            text(LONGEST_IDS_LISTED),
            Meta(description="The ids of the invoices, separated by commas; if given, all other filters are ignored."),
        ]
        | UnsetType
    ) = UNSET

    @property
    def chosen(self) -> list[str] | Wish:
        """The ids of the invoices to print, or the search that finds these invoices."""
        if self.ids is not UNSET:
            return self.ids.split(",")
        return _wish(self)


class ExportedInvoicesQuery(Body):
    """Filters and file format of an invoice export."""

    property_id: Annotated[Filter, Meta(description="Only invoices for this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only invoices for this unit.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    needs: Annotated[Need, Meta(description="The same as in `GET /invoices`.")] | UnsetType = UNSET
    rows: Annotated[Literal["INVOICES", "CHARGES"], Meta(description="What each row contains.")] = "INVOICES"
    format: Format = "csv"


class ExportedBillsQuery(Body):
    """Filters and file format of a bill export."""

    property_id: Annotated[Filter, Meta(description="Only bills for this property.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: PaymentStatus | UnsetType = UNSET
    format: Format = "csv"


class ExportedStatementQuery(StatementQuery):
    """The first and last day of a statement, both included, and its file format."""

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
    conflict="There are more records than one file can contain.",
)  # fmt: skip
def export_invoices(call: Call[ExportedInvoicesQuery, None]) -> FileAnswer:
    """Export the matching invoices as CSV or XLSX, with one row for each invoice.

    With `rows=CHARGES`, there is one row for each charge instead.
    """
    query = call.query
    read = list_exports.of_charges if query.rows == "CHARGES" else list_exports.of_invoices
    return _written(call, query.rows.lower(), read(call.tx, call.caller, _wish(query)))


@operation(
    "GET", "/exports/bills", is_long=True, summary="Export bills", query=ExportedBillsQuery, media=FILE,
    conflict="There are more records than one file can contain.",
)  # fmt: skip
def export_bills(call: Call[ExportedBillsQuery, None]) -> FileAnswer:
    """Export the matching bills as a CSV or XLSX file that can be imported again."""
    wish = bill_lists.Wish(_filters(call.query))
    return _written(call, "bills", list_exports.of_bills(call.tx, call.caller, wish))


@operation(
    "GET", "/tenants/{tenantId}/statement/export", is_long=True, summary="Export a tenant's statement",
    query=ExportedStatementQuery, media=FILE, missing=("tenant",),
)  # fmt: skip
def export_statement(call: Call[ExportedStatementQuery, None]) -> FileAnswer:
    """Export a tenant's statement as CSV or XLSX, with one row for each entry."""
    first, last = given(call.query.from_), given(call.query.to)
    made = statements.of_tenant(call.tx, call.caller, call.path["tenantId"], first=first, last=last)
    return _written(call, "statement", list_exports.of_statement(made))


@operation(
    "GET", "/exports/invoices/pdf", is_long=True, summary="Print many invoices", query=PrintedInvoicesQuery, media=PDF,
    conflict="No invoices match, or more than 500 do.",
)  # fmt: skip
def print_invoices(call: Call[PrintedInvoicesQuery, None]) -> list[Paper]:
    """Print the invoices that match the filters, or those named in `ids`, as one PDF.

    Each invoice starts on a new page. At most 500 can be printed at once.
    """
    may_write = may_open_tenant_pages(call.grant)
    return [paper.shown_to(may_write=may_write) for paper in prints.that_fit(call.tx, call.caller, call.query.chosen)]
