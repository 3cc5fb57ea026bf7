"""Charge files for accounting programs, and your records' names in these programs (docs/charge-files.md)."""

from collections.abc import Iterable
from typing import Any

from prorata.actions.exports import charge_exports, charge_names
from prorata.actions.exports.charge_exports import Looked, Wish
from prorata.actions.exports.charge_names import AskedName
from prorata.domain.billing_calendar import Month
from prorata.domain.exports.charge_layouts import Layout
from prorata.domain.exports.charge_name_files import read_names
from prorata.domain.money import in_figures
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.exports.charge_exports import ExportRow
from prorata.web.api.exports import charge_schemas as schemas
from prorata.web.api.exports.charge_schemas import (
    ChargeFileInFull,
    ChargeFilesQuery,
    ChargeFileWanted,
    ChargeNames,
    ChargeNamesKept,
    ChargeNamesOfProperty,
    ChargeNamesQuery,
    ChargeNamesSent,
    ChargeNamesUpload,
    ChargeSystem,
    ListedChargeFile,
    NextChargeFile,
)
from prorata.web.http.limits import MOST_UPLOAD_BYTES
from prorata.web.http.operations import FILE, FORM, Call, operation
from prorata.web.http.request_schemas import given
from prorata.web.http.sent_files import FileAnswer

_NO_SYSTEM = "This program isn't available: `GET /charge-systems` lists those that are."
_WANTED = {"system": "quickbooks-online", "month": "2026-03"}


def _layout(call: Call[Any, Any], system: str) -> Layout:
    """Return the layout of an accounting program's charge files.

    Raises `InvalidRequest` if the program has no such layout.
    """
    assert call.tools is not None, "operations are served with their tools"
    layout = call.tools.layouts.get(system)
    if layout is None:
        raise InvalidRequest.because([Problem("system", _NO_SYSTEM)])
    return layout


def _wish(wanted: ChargeFileWanted, layout: Layout) -> Wish:
    rows = given(wanted.rows)
    return Wish(
        Month(wanted.month), given(wanted.property_id), wanted.drafts, wanted.again,
        "invoice" if rows == "INVOICE" else "charge" if rows else layout.rows, wanted.most, given(wanted.currency),
    )  # fmt: skip


def _made(row: ExportRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "system": row.system,
        "name": row.name,
        "month": row.month,
        "property_id": row.property_id,
        "invoices": row.invoices,
        "rows": row.rows,
        "total": in_figures(row.total),
        "currency": row.currency,
        "created_at": row.created_at,
    }


def read(call: Call[Any, Any], file_id: str) -> ChargeFileInFull:
    """Read a charge file in the API's format.

    Raises `NotFound` if there is no such file.
    """
    row = charge_exports.find(call.tx, call.caller, file_id)
    return ChargeFileInFull(
        **_made(row),
        changes=[
            schemas.ChangedSince(
                invoice_id=change.invoice_id,
                invoice_number=change.number,
                exported=in_figures(change.exported),
                now=in_figures(change.now),
                reason=change.why,
            )
            for change in charge_exports.changes(call.tx, call.caller, row)
        ],
    )


@operation("GET", "/charge-systems", summary="List programs that take charges", answer=list[ChargeSystem])
def list_charge_systems(call: Call[None, None]) -> list[ChargeSystem]:
    """List the accounting programs for which charge files can be created.

    For each program, the names that its charge files need are listed.
    """
    assert call.tools is not None, "operations are served with their tools"
    return [_system(layout) for layout in call.tools.layouts.values()]


def _system(layout: Layout) -> ChargeSystem:
    return ChargeSystem(
        system=layout.system,
        title=layout.title,
        rows=layout.rows.upper(),  # type: ignore[arg-type]
        how=layout.how,
        known_from=layout.seen,
        asks=[
            schemas.ChargeNameAsked(
                field=asked.field, of=asked.of, title=asked.title, hint=asked.hint, is_needed=asked.is_needed
            )
            for asked in layout.asks
        ],
    )


@operation(
    "GET", "/charge-files/next", at_once=True, summary="Look at the next charge file", query=ChargeFileWanted,
    answer=NextChargeFile, missing=("property",),
)  # fmt: skip
def look_at_charge_file(call: Call[ChargeFileWanted, None]) -> NextChargeFile:
    """Preview the next charge file: contents, missing names, and invoices that it can't contain."""
    layout = _layout(call, call.query.system)
    return _next(charge_exports.look(call.tx, call.caller, layout, _wish(call.query, layout)))


def _next(looked: Looked) -> NextChargeFile:
    return NextChargeFile(
        invoices=looked.invoices,
        drafts=looked.drafts,
        rows=looked.rows,
        totals=[schemas.ChargeTotal(currency=currency, total=in_figures(cents)) for currency, cents in looked.totals],
        in_files_already=looked.there,
        lacking=[
            schemas.ChargeNameLacking(
                **lacking_name.lacking._asdict(), property_id=lacking_name.property_id, invoices=lacking_name.invoices
            )
            for lacking_name in looked.lacking
        ],
        left_out=[
            schemas.InvoiceLeftOut(invoice_id=left_out.invoice_id, invoice_number=left_out.number, reason=left_out.why)
            for left_out in looked.left_out
        ],
        has_more=looked.has_more,
    )


@operation(
    "GET", "/charge-files", at_once=True, summary="List charge files", query=ChargeFilesQuery,
    answer=list[ListedChargeFile],
)  # fmt: skip
def list_charge_files(call: Call[ChargeFilesQuery, None]) -> list[ListedChargeFile]:
    """List the latest charge files for an accounting program."""
    files = charge_exports.listed(call.tx, call.caller, _layout(call, call.query.system))
    return [ListedChargeFile(**_made(charge_file.row), changed=charge_file.changed) for charge_file in files]


@operation(
    "POST", "/charge-files", summary="Make a charge file", body=ChargeFileWanted, answer=ChargeFileInFull, status=201,
    missing=("property",), example=_WANTED,
    conflict="Nothing can be added to a file, for example because names are missing, or the invoices are in several "
             "currencies.",
)  # fmt: skip
def make_charge_file(call: Call[None, ChargeFileWanted]) -> ChargeFileInFull:
    """Create and store a charge file for an accounting program.

    Unless you ask for them again, invoices that are in an earlier file are left out, so that nobody is charged
    twice.
    """
    layout = _layout(call, call.body.system)
    return read(call, charge_exports.make(call.tx, call.caller, layout, _wish(call.body, layout)).id)


@operation(
    "GET", "/charge-files/{id}", at_once=True, summary="Read a charge file", answer=ChargeFileInFull,
    missing=("charge file",),
)  # fmt: skip
def read_charge_file(call: Call[None, None]) -> ChargeFileInFull:
    """Read a charge file, and the changes to its invoices since the file was created."""
    return read(call, call.path["id"])


@operation(
    "GET", "/charge-files/{id}/file", at_once=True, summary="Get a charge file", missing=("charge file",), media=FILE
)
def get_charge_file(call: Call[None, None]) -> FileAnswer:
    """Download a charge file, byte for byte as it was created."""
    row = charge_exports.find(call.tx, call.caller, call.path["id"])
    return FileAnswer(row.name, b"".join(charge_exports.pieces(call.tx, row)))


def _names(names: Iterable[AskedName]) -> list[schemas.ChargeName]:
    return [
        schemas.ChargeName(
            field=asked_name.asked.field,
            record_id=asked_name.record_id,
            ours=asked_name.ours,
            name=asked_name.name,
            proposal=asked_name.proposal,
        )
        for asked_name in names
    ]


@operation(
    "GET", "/charge-names", at_once=True, summary="List names of another program", query=ChargeNamesQuery,
    answer=ChargeNames, missing=("property",),
)  # fmt: skip
def list_charge_names(call: Call[ChargeNamesQuery, None]) -> ChargeNames:
    """List the names that an accounting program needs in charge files.

    With `propertyId`, these are the names of the property and of one page of its units, with their tenants.
    Otherwise, they are the names of utility types and of the account.
    """
    layout, property_id = _layout(call, call.query.system), given(call.query.property_id)
    if property_id is None:
        return ChargeNames(names=_names(charge_names.general(call.tx, call.caller, layout)), units=0)
    property_names = charge_names.of_property(call.tx, call.caller, layout, property_id, page=call.query.page)
    asked = (*property_names.of_property, *(name for _, names in property_names.of_units for name in names))
    return ChargeNames(names=_names(asked), units=property_names.number_of_units)


@operation(
    "POST", "/charge-names", summary="Say names of another program", body=ChargeNamesSent, answer=ChargeNamesKept,
    status=200, missing=("property",),
    example={"system": "quickbooks-online", "names": [{"field": "item", "recordId": "WATER", "name": "Water income"}]},
)  # fmt: skip
def say_charge_names(call: Call[None, ChargeNamesSent]) -> ChargeNamesKept:
    """Store the names of your records in an accounting program.

    With `propertyId`, the names of that property, its units and tenants are stored. Otherwise, the names of
    utility types and of the account are stored. All other names in the request are ignored. An empty name deletes
    the stored one. Charge files that are created later use the names.
    """
    body = call.body
    names = {(name.field, name.record_id): name.name for name in body.names}
    layout = _layout(call, body.system)
    return ChargeNamesKept(changed=charge_names.enter(call.tx, call.caller, layout, names, given(body.property_id)))


@operation(
    "POST", "/charge-names/proposed", summary="Keep proposed names", body=ChargeNamesOfProperty, status=200,
    answer=ChargeNamesKept, example={"system": "quickbooks-online", "propertyId": "prop_01kkcefq80ekhfeqe3ye3b6zrg"},
)  # fmt: skip
def keep_proposed_names(call: Call[None, ChargeNamesOfProperty]) -> ChargeNamesKept:
    """Store the proposed names for a property, its units and tenants.

    Names that are already stored are kept.
    """
    layout = _layout(call, call.body.system)
    changed = charge_names.take_ours(call.tx, call.caller, layout, [call.body.property_id])
    return ChargeNamesKept(changed=changed)


@operation(
    "POST", "/charge-names/file", summary="Bring names of another program", body=ChargeNamesUpload, takes=FORM,
    table="charge names", most_bytes=MOST_UPLOAD_BYTES, answer=ChargeNamesKept, status=200, missing=("property",),
)  # fmt: skip
def bring_charge_names(call: Call[None, ChargeNamesUpload]) -> ChargeNamesKept:
    """Import an accounting program's names for your records from a spreadsheet.

    The spreadsheet can be the program's own export. Either all names are imported or, if there is a problem, none.
    """
    assert call.sheet is not None, "its file was read"
    layout, property_id = _layout(call, call.body.system), given(call.body.property_id)
    names = read_names(call.sheet, layout, names_property=property_id is None)
    report = charge_names.bring(call.tx, call.caller, layout, names, property_id)
    if report.problems:
        raise InvalidRequest.because(
            [Problem("file", f"Line {problem.line}: {problem.message}") for problem in report.problems]
        )
    return ChargeNamesKept(changed=report.names)
