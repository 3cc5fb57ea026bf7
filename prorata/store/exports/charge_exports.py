"""Charge files: the invoices for the next file, and the contents of existing files."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, literal_column, or_, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    Asked,
    Statement,
    adds,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
)
from prorata.store.schema.charge_tables import charge_export, exported_invoice
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.tables import earlier_invoice, invoice, property_, unit


class ExportRow(NamedTuple):
    """A charge file with the charges of a month, for the accounting program `system`.

    If the file is limited to one property, `property_id` is its id. Amounts are in cents.
    """

    account_id: str
    id: str
    system: str
    month: str
    property_id: str | None
    name: str
    encoding: str
    head: str
    invoices: int
    rows: int
    total: int
    currency: str
    created_at: str


class ExportedRow(NamedTuple):
    """An invoice as it appears in a charge file.

    `amount` is the invoice's total in cents. `lines` are the invoice's lines in the file, and `place` is their position
    there.
    """

    account_id: str
    export_id: str
    place: int
    number: str
    system: str
    property_id: str
    amount: int
    lines: str
    tenant_id: str | None


class CandidateRow(NamedTuple):
    """An invoice with the values that a charge file may show."""

    id: str
    number: str
    property_id: str
    property_name: str
    unit_id: str
    unit_label: str
    tenant_id: str | None
    tenant_name: str | None
    month: str
    status: str
    invoice_date: str
    due_date: str | None
    total: int
    currency: str
    country: str


class Place(NamedTuple):
    """The ids of an invoice and its property."""

    id: str
    property_id: str


class ChangedRow(NamedTuple):
    """An invoice that has changed since its charge file was made.

    `amount` is the invoice's total in the file. `total` and `status` are the present ones. Both are None if the invoice
    has been deleted or has another number; in the latter case, `replaced_by` is that number. `is_anothers` is set if
    the invoice is now addressed to a different tenant than in the file.
    """

    invoice_id: str | None
    number: str
    amount: int
    total: int | None
    status: str | None
    is_anothers: bool
    replaced_by: str | None


_my_invoice = invoice.c.account_id == bindparam("account")
_went_out = exists().where(
    exported_invoice.c.account_id == invoice.c.account_id,
    exported_invoice.c.system == bindparam("of_system"),
    exported_invoice.c.number == invoice.c.number,
    or_(exported_invoice.c.tenant_id.is_(None), exported_invoice.c.tenant_id == invoice.c.tenant_id),
)
"""The condition that a charge file charges an invoice to its present tenant.

The file must be for the system in question. A file that names no tenant counts, too.
"""


_in_currency = exists().where(
    named_by(property_, invoice.c.property_id),
    property_.c.currency == bindparam("of_currency"),
)


def _scope(narrowed: frozenset[str]) -> list[ColumnElement[bool]]:
    """Build the conditions under which an invoice may be in a month's charge file.

    The invoice must have a tenant, because invoices of vacant units charge nobody, and one of the statuses in the
    parameter `statuses`. `narrowed` names further conditions that apply: "property" and "of_currency".
    """
    conditions = [
        _my_invoice,
        invoice.c.month == bindparam("of_month"),
        invoice.c.tenant_id.is_not(None),
        is_one_of(invoice.c.status, "statuses"),
    ]
    if "property" in narrowed:
        conditions.append(invoice.c.property_id == bindparam("property"))
    return [*conditions, _in_currency] if "of_currency" in narrowed else conditions


@cache
def _next(narrowed: frozenset[str], *, again: bool) -> Statement[Place]:
    """Build the statement that finds the invoices for the next charge file, sorted by number.

    If `again` is set, it also finds invoices that are already in a file.
    """
    conditions = _scope(narrowed) + ([] if again else [~_went_out])
    return returns(
        Place,
        select(invoice.c.id, invoice.c.property_id)
        .where(*conditions)
        .order_by(invoice.c.number_key, invoice.c.id)
        .limit(bindparam("limit")),
    )


@cache
def _number_there(narrowed: frozenset[str]) -> Statement[int]:
    """Build the statement that counts invoices already in a charge file, up to a limit."""
    ids = select(invoice.c.id).where(*_scope(narrowed), _went_out).limit(bindparam("limit"))
    return returns_one(select(func.count()).select_from(ids.subquery()))


_CANDIDATES = returns(
    CandidateRow,
    select(
        *columns_for(CandidateRow, invoice, property_, property_name=property_.c.name, unit_label=unit.c.label),
    )
    .join(unit, named_by(unit, invoice.c.unit_id))
    .join(property_, named_by(property_, invoice.c.property_id))
    .where(_my_invoice, is_one_of(invoice.c.id, "ids")),
)
_mine = charge_export.c.account_id == bindparam("account")
_FIND = returns(ExportRow, select(charge_export).where(_mine, charge_export.c.id == bindparam("id")))
_LATEST = returns(
    ExportRow,
    select(charge_export)
    .where(_mine, charge_export.c.system == bindparam("of_system"))
    .order_by(charge_export.c.id.desc())
    .limit(bindparam("limit")),
)
_ADD = adds(charge_export)
_LINES = returns_one(
    select(exported_invoice.c.lines)
    .where(exported_invoice.c.account_id == bindparam("account"), exported_invoice.c.export_id == bindparam("export"))
    .order_by(exported_invoice.c.place)
)
_OF_PROPERTY = returns(
    ExportedRow,
    select(*columns_for(ExportedRow, exported_invoice))
    .where(
        exported_invoice.c.account_id == bindparam("account"),
        exported_invoice.c.property_id == bindparam("property"),
    )
    .order_by(exported_invoice.c.export_id, exported_invoice.c.place),
)
_later = exported_invoice.alias("later")
_with_now = exported_invoice.outerjoin(invoice, alike(invoice, exported_invoice, "number"))
_is_anothers = and_(
    exported_invoice.c.tenant_id.is_not(None), func.coalesce(invoice.c.tenant_id, "") != exported_invoice.c.tenant_id
)
_is_changed = and_(
    or_(
        invoice.c.id.is_(None),
        _is_anothers,
        invoice.c.status == literal_column("'CANCELLED'"),
        invoice.c.total != exported_invoice.c.amount,
    ),
    ~exists().where(
        alike(_later, exported_invoice, "system", "number"),
        _later.c.export_id > exported_invoice.c.export_id,
        or_(
            _later.c.tenant_id.is_(None),
            exported_invoice.c.tenant_id.is_(None),
            _later.c.tenant_id == exported_invoice.c.tenant_id,
        ),
    ),
)
"""The condition that an invoice has changed since the last charge file that contains it.

Later files count only if they charge the same tenant, or if one of the two files names none.
"""
_newer = invoice.alias("newer")
_replaced_by = (
    select(_newer.c.number)
    .join(earlier_invoice, named_by(_newer, earlier_invoice.c.invoice_id))
    .where(
        alike(earlier_invoice, exported_invoice, "number"),
        _newer.c.number != exported_invoice.c.number,
    )
    .correlate(exported_invoice)
    .scalar_subquery()
)
_its_export = exported_invoice.c.account_id == bindparam("account")
_CHANGED = returns(
    ChangedRow,
    select(
        *columns_for(
            ChangedRow,
            exported_invoice,
            invoice,
            invoice_id=invoice.c.id,
            is_anothers=_is_anothers,
            replaced_by=_replaced_by,
        )
    )
    .select_from(_with_now)
    .where(_its_export, exported_invoice.c.export_id == bindparam("export"), _is_changed)
    .order_by(exported_invoice.c.place)
    .limit(bindparam("limit")),
)
_COUNT_CHANGED = returns_pairs(
    select(exported_invoice.c.export_id, func.count())
    .select_from(_with_now)
    .where(_its_export, is_one_of(exported_invoice.c.export_id, "exports"), _is_changed)
    .group_by(exported_invoice.c.export_id)
)


class Scope(NamedTuple):
    """The criteria for the invoices that a charge file may contain.

    These are the month, the statuses and the accounting program, and optionally a property and a currency.
    """

    system: str
    month: str
    property_id: str | None
    statuses: Collection[str]
    currency: str | None = None

    @property
    def narrowed(self) -> dict[str, str]:
        """The optional criteria that were chosen, by their names in the statements."""
        chosen = {"property": self.property_id, "of_currency": self.currency}
        return {name: value for name, value in chosen.items() if value}

    @property
    def values(self) -> dict[str, object]:
        """The parameters for statements about the invoices of this scope."""
        asked = {"of_system": self.system, "of_month": self.month, "statuses": list(self.statuses)}
        return {**asked, **self.narrowed}


def next_ones(tx: Tx, account_id: str, scope: Scope, *, again: bool, limit: int) -> list[Place]:
    """List up to `limit` invoices for the next charge file, sorted by number.

    If `again` is set, invoices that are already in a file are included.
    """
    values = scope.values
    if again:
        del values["of_system"]
    statement = _next(frozenset(scope.narrowed), again=again)
    return tx.all(statement, account=account_id, **values, limit=limit)


def number_there(tx: Tx, account_id: str, scope: Scope, *, limit: int) -> int:
    """Count the scope's invoices that are already in a charge file, up to `limit`."""
    statement = _number_there(frozenset(scope.narrowed))
    return tx.one(statement, account=account_id, **scope.values, limit=limit) or 0


def candidates(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[CandidateRow]:
    """List the invoices with these ids, in the ids' order, for a charge file."""
    rows = {row.id: row for row in tx.all(_CANDIDATES, account=account_id, ids=invoice_ids)} if invoice_ids else {}
    return [rows[invoice_id] for invoice_id in invoice_ids if invoice_id in rows]


def find(tx: Tx, account_id: str, export_id: str) -> ExportRow | None:
    """Find the account's charge file with this id."""
    return tx.one(_FIND, account=account_id, id=export_id)


def latest(tx: Tx, account_id: str, system: str, limit: int) -> list[ExportRow]:
    """List the account's charge files for an accounting program, latest first."""
    return tx.all(_LATEST, account=account_id, of_system=system, limit=limit)


def add(tx: Tx, row: ExportRow) -> None:
    """Add a charge file, without the invoices in it."""
    tx.run(_ADD, **row._asdict())


def add_invoices(tx: Tx, rows: Sequence[ExportedRow]) -> None:
    """Store the invoices that a charge file contains."""
    tx.add_many("exported_invoice", ExportedRow._fields, rows)


def lines(account_id: str, export_id: str) -> Asked[str]:
    """Build the query for the lines of a charge file, one text per invoice."""
    return Asked(_LINES, {"account": account_id, "export": export_id})


def of_property(tx: Tx, account_id: str, property_id: str) -> list[ExportedRow]:
    """List a property's invoices that are in charge files, sorted by file."""
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def changed(tx: Tx, account_id: str, export_id: str, limit: int) -> list[ChangedRow]:
    """List up to `limit` invoices that changed after their charge file was made.

    An invoice that a later file charges to the same tenant is left out.
    """
    return tx.all(_CHANGED, account=account_id, export=export_id, limit=limit)


def numbers_changed(tx: Tx, account_id: str, export_ids: list[str]) -> dict[str, int]:
    """Count, for each charge file, the invoices that changed after the file was made.

    Files without such invoices are left out.
    """
    return dict(tx.all(_COUNT_CHANGED, account=account_id, exports=export_ids)) if export_ids else {}
