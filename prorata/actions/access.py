"""The only doors to an account's records: each finds the caller's own record or refuses with the 404 of its kind.

`…_to_change` also locks the property the record belongs to, before anything else is read (house rule 4).
"""

from prorata.errors import ChangedMeanwhile, NotFound
from prorata.ids import is_id
from prorata.store import bills, bulk, invoices, properties, share_rules, units
from prorata.store.audit import Caller
from prorata.store.bills import BillRow
from prorata.store.bulk import BulkRow
from prorata.store.engine import Tx
from prorata.store.invoices import InvoiceRow
from prorata.store.properties import PropertyRow
from prorata.store.share_rules import RuleRow, SplitMethodRow
from prorata.store.units import TenantRow, UnitRow


def require_seen(updated_at: str, seen: str | None) -> None:
    """Refuse to change a record that was changed since a person looked at it: `seen` is the `updated_at` it had then,
    None where that is not said. Asked once the record is locked. Raises `ChangedMeanwhile`.
    """
    if seen is not None and seen != updated_at:
        raise ChangedMeanwhile


def property_(tx: Tx, caller: Caller, property_id: str) -> PropertyRow:
    """A property of the caller. Raises `NotFound` (PROPERTY_NOT_FOUND)."""
    row = properties.find(tx, caller.account_id, property_id) if is_id(property_id, "prop") else None
    if row is None:
        raise NotFound("property")
    return row


def property_to_change(tx: Tx, caller: Caller, property_id: str) -> PropertyRow:
    """A property of the caller, locked. Raises `NotFound` (PROPERTY_NOT_FOUND)."""
    row = properties.lock(tx, caller.account_id, property_id) if is_id(property_id, "prop") else None
    if row is None:
        raise NotFound("property")
    return row


def unit(tx: Tx, caller: Caller, unit_id: str) -> UnitRow:
    """A unit of the caller. Raises `NotFound` (UNIT_NOT_FOUND)."""
    row = units.find(tx, caller.account_id, unit_id) if is_id(unit_id, "unit") else None
    if row is None:
        raise NotFound("unit")
    return row


def unit_to_change(tx: Tx, caller: Caller, unit_id: str) -> tuple[PropertyRow, UnitRow]:
    """A unit of the caller with its property, locked. Raises `NotFound` (UNIT_NOT_FOUND)."""
    locked = properties.lock(tx, caller.account_id, unit(tx, caller, unit_id).property_id)
    if locked is None:
        raise NotFound("unit")
    return locked, unit(tx, caller, unit_id)


def tenant(tx: Tx, caller: Caller, tenant_id: str) -> TenantRow:
    """A tenant of the caller who was not removed. Raises `NotFound` (TENANT_NOT_FOUND)."""
    row = units.find_tenant(tx, caller.account_id, tenant_id) if is_id(tenant_id, "tenant") else None
    if row is None:
        raise NotFound("tenant")
    return row


def tenant_to_change(tx: Tx, caller: Caller, tenant_id: str) -> tuple[PropertyRow, TenantRow]:
    """A tenant of the caller with the property, locked. Raises `NotFound` (TENANT_NOT_FOUND)."""
    locked = properties.lock(tx, caller.account_id, tenant(tx, caller, tenant_id).property_id)
    if locked is None:
        raise NotFound("tenant")
    return locked, tenant(tx, caller, tenant_id)


def rule(tx: Tx, caller: Caller, rule_id: str) -> RuleRow:
    """A share rule of the caller. Raises `NotFound` (SHARE_RULE_NOT_FOUND)."""
    row = share_rules.find(tx, caller.account_id, rule_id) if is_id(rule_id, "rule") else None
    if row is None:
        raise NotFound("share rule")
    return row


def rule_to_change(tx: Tx, caller: Caller, rule_id: str) -> tuple[PropertyRow, RuleRow]:
    """A share rule of the caller with its property, locked. Raises `NotFound` (SHARE_RULE_NOT_FOUND)."""
    locked = properties.lock(tx, caller.account_id, rule(tx, caller, rule_id).property_id)
    if locked is None:
        raise NotFound("share rule")
    return locked, rule(tx, caller, rule_id)


def split_method(tx: Tx, caller: Caller, method_id: str) -> SplitMethodRow:
    """A split method of the caller. Raises `NotFound` (SPLIT_METHOD_NOT_FOUND)."""
    row = share_rules.find_method(tx, caller.account_id, method_id) if is_id(method_id, "split") else None
    if row is None:
        raise NotFound("split method")
    return row


def split_method_to_change(tx: Tx, caller: Caller, method_id: str) -> SplitMethodRow:
    """A split method of the caller, locked. Raises `NotFound` (SPLIT_METHOD_NOT_FOUND)."""
    row = share_rules.lock_method(tx, caller.account_id, method_id) if is_id(method_id, "split") else None
    if row is None:
        raise NotFound("split method")
    return row


def bill(tx: Tx, caller: Caller, bill_id: str) -> BillRow:
    """A bill of the caller. Raises `NotFound` (UTILITY_BILL_NOT_FOUND)."""
    row = bills.find(tx, caller.account_id, bill_id) if is_id(bill_id, "bill") else None
    if row is None:
        raise NotFound("utility bill")
    return row


def bill_to_change(tx: Tx, caller: Caller, bill_id: str) -> tuple[PropertyRow, BillRow]:
    """A bill of the caller with its property, locked. Raises `NotFound` (UTILITY_BILL_NOT_FOUND)."""
    found = bills.find(tx, caller.account_id, bill_id) if is_id(bill_id, "bill") else None
    locked = properties.lock(tx, caller.account_id, found.property_id) if found else None
    again = bills.find(tx, caller.account_id, bill_id) if locked else None
    if locked is None or again is None:
        raise NotFound("utility bill")
    return locked, again


def bulk_change(tx: Tx, caller: Caller, bulk_id: str) -> BulkRow:
    """A bulk change of the caller. Raises `NotFound` (CHANGE_OF_INVOICES_NOT_FOUND)."""
    row = bulk.find(tx, caller.account_id, bulk_id) if is_id(bulk_id, "bulk") else None
    if row is None:
        raise NotFound("change of invoices")
    return row


def bulk_change_to_change(tx: Tx, caller: Caller, bulk_id: str) -> BulkRow:
    """A bulk change of the caller, locked by itself: its properties are locked before. Raises `NotFound`."""
    row = bulk.lock(tx, caller.account_id, bulk_id) if is_id(bulk_id, "bulk") else None
    if row is None:
        raise NotFound("change of invoices")
    return row


def invoice(tx: Tx, caller: Caller, invoice_id: str) -> InvoiceRow:
    """An invoice of the caller. Raises `NotFound` (INVOICE_NOT_FOUND)."""
    row = invoices.find(tx, caller.account_id, invoice_id) if is_id(invoice_id, "inv") else None
    if row is None:
        raise NotFound("invoice")
    return row


def invoice_to_change(tx: Tx, caller: Caller, invoice_id: str) -> tuple[PropertyRow, InvoiceRow]:
    """An invoice of the caller with its property, locked. Raises `NotFound` (INVOICE_NOT_FOUND)."""
    property_id = invoices.property_of(tx, caller.account_id, invoice_id) if is_id(invoice_id, "inv") else None
    locked = properties.lock(tx, caller.account_id, property_id) if property_id else None
    again = invoices.find(tx, caller.account_id, invoice_id) if locked else None
    if locked is None or again is None:
        raise NotFound("invoice")
    return locked, again
