"""Access to an account's records: find the caller's own record or raise a 404.

The caller is the member, API key or job that acts for an account; the caller's records are the records of that
account. A function named `…_to_change` also locks the record's property, before it reads anything else.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from prorata.errors import ChangedMeanwhile, NotFound
from prorata.ids import is_id
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.bills.bills import BillRow
from prorata.store.bulk import bulk
from prorata.store.bulk.bulk import BulkRow
from prorata.store.database.engine import Tx
from prorata.store.delivery import tenant_pages
from prorata.store.inbound_mail import incoming_mail as stored_incoming_mail
from prorata.store.inbound_mail.incoming_mail import IncomingMailRow
from prorata.store.intake import documents
from prorata.store.intake.documents import DocumentRow
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, SplitMethodRow
from prorata.store.webhooks import webhooks
from prorata.store.webhooks.webhooks import DeliveryRow, EndpointRow

Row = TypeVar("Row")


def require_seen(updated_at: str, seen: str | None) -> None:
    """Refuse to change a record that was changed since a person saw it.

    `seen` is the record's `updated_at` at the time when the person saw it. If it is None, nothing is refused. The
    record must be locked before this is called. Raises `ChangedMeanwhile` if `updated_at` differs from `seen`.
    """
    if seen is not None and seen != updated_at:
        raise ChangedMeanwhile


def there(row: Row | None, noun: str) -> Row:
    """Return `row`, or raise `NotFound` if it is None.

    `noun` names the kind of record in the error, such as "invoice".
    """
    if row is None:
        raise NotFound(noun)
    return row


def the_one(
    find: Callable[[Tx, str, str], Row | None], tx: Tx, caller: Caller, record_id: str, prefix: str, noun: str
) -> Row:
    """Find the caller's record by its id.

    Raises `NotFound` if there is no such record; `noun` names the kind of record in the error.
    """
    return there(find(tx, caller.account_id, record_id) if is_id(record_id, prefix) else None, noun)


def property_(tx: Tx, caller: Caller, property_id: str) -> PropertyRow:
    """Find a property of the caller.

    Raises `NotFound` (PROPERTY_NOT_FOUND).
    """
    return the_one(properties.find, tx, caller, property_id, "prop", "property")


def property_to_change(tx: Tx, caller: Caller, property_id: str) -> PropertyRow:
    """Find a property of the caller, and lock it.

    Raises `NotFound` (PROPERTY_NOT_FOUND).
    """
    return the_one(properties.lock, tx, caller, property_id, "prop", "property")


def unit(tx: Tx, caller: Caller, unit_id: str) -> UnitRow:
    """Find a unit of the caller.

    Raises `NotFound` (UNIT_NOT_FOUND).
    """
    return the_one(units.find, tx, caller, unit_id, "unit", "unit")


def unit_to_change(tx: Tx, caller: Caller, unit_id: str) -> tuple[PropertyRow, UnitRow]:
    """Find a unit of the caller, with its property locked.

    Raises `NotFound` (UNIT_NOT_FOUND).
    """
    locked = there(properties.lock(tx, caller.account_id, unit(tx, caller, unit_id).property_id), "unit")
    return locked, unit(tx, caller, unit_id)


def tenant(tx: Tx, caller: Caller, tenant_id: str) -> TenantRow:
    """Find a tenant of the caller, unless the tenant was removed.

    Raises `NotFound` (TENANT_NOT_FOUND).
    """
    return the_one(units.find_tenant, tx, caller, tenant_id, "tenant", "tenant")


def tenant_to_change(tx: Tx, caller: Caller, tenant_id: str) -> tuple[PropertyRow, TenantRow]:
    """Find a tenant of the caller, and lock the tenant's property.

    Raises `NotFound` (TENANT_NOT_FOUND).
    """
    locked = there(properties.lock(tx, caller.account_id, tenant(tx, caller, tenant_id).property_id), "tenant")
    return locked, tenant(tx, caller, tenant_id)


def rule(tx: Tx, caller: Caller, rule_id: str) -> RuleRow:
    """Find a share rule of the caller.

    Raises `NotFound` (SHARE_RULE_NOT_FOUND).
    """
    return the_one(share_rules.find, tx, caller, rule_id, "rule", "share rule")


def rule_to_change(tx: Tx, caller: Caller, rule_id: str) -> tuple[PropertyRow, RuleRow]:
    """Find a share rule of the caller, with its property locked.

    Raises `NotFound` (SHARE_RULE_NOT_FOUND).
    """
    locked = there(properties.lock(tx, caller.account_id, rule(tx, caller, rule_id).property_id), "share rule")
    return locked, rule(tx, caller, rule_id)


def split_method(tx: Tx, caller: Caller, method_id: str) -> SplitMethodRow:
    """Find a split method of the caller.

    Raises `NotFound` (SPLIT_METHOD_NOT_FOUND).
    """
    return the_one(share_rules.find_method, tx, caller, method_id, "split", "split method")


def split_method_to_change(tx: Tx, caller: Caller, method_id: str) -> SplitMethodRow:
    """Find a split method of the caller, and lock it.

    Raises `NotFound` (SPLIT_METHOD_NOT_FOUND).
    """
    return the_one(share_rules.lock_method, tx, caller, method_id, "split", "split method")


def bill(tx: Tx, caller: Caller, bill_id: str) -> BillRow:
    """Find a bill of the caller.

    Raises `NotFound` (UTILITY_BILL_NOT_FOUND).
    """
    return the_one(bills.find, tx, caller, bill_id, "bill", "utility bill")


def bill_to_change(tx: Tx, caller: Caller, bill_id: str) -> tuple[PropertyRow, BillRow]:
    """Find a bill of the caller, with its property locked.

    Raises `NotFound` (UTILITY_BILL_NOT_FOUND).
    """
    locked = there(properties.lock(tx, caller.account_id, bill(tx, caller, bill_id).property_id), "utility bill")
    return locked, bill(tx, caller, bill_id)


def bulk_change(tx: Tx, caller: Caller, bulk_id: str) -> BulkRow:
    """Find a bulk change of the caller.

    Raises `NotFound` (CHANGE_OF_INVOICES_NOT_FOUND).
    """
    return the_one(bulk.find, tx, caller, bulk_id, "bulk", "change of invoices")


def bulk_change_to_change(tx: Tx, caller: Caller, bulk_id: str) -> BulkRow:
    """Find a bulk change of the caller; lock its invoices' properties, then the bulk change.

    Raises `NotFound` if there is no such bulk change.
    """
    return the_one(bulk.lock, tx, caller, bulk_id, "bulk", "change of invoices")


def document(tx: Tx, caller: Caller, document_id: str) -> DocumentRow:
    """Find a document of the caller.

    Raises `NotFound` (DOCUMENT_NOT_FOUND).
    """
    return the_one(documents.find, tx, caller, document_id, "doc", "document")


def document_to_change(tx: Tx, caller: Caller, document_id: str) -> DocumentRow:
    """Find a document of the caller, and lock the document's property, then the document.

    Raises `NotFound` if there is no such document.
    """
    return the_one(documents.lock, tx, caller, document_id, "doc", "document")


def incoming_mail(tx: Tx, caller: Caller, mail_id: str) -> IncomingMailRow:
    """Find a message that the caller's account received.

    Raises `NotFound` (MESSAGE_NOT_FOUND).
    """
    return the_one(stored_incoming_mail.find, tx, caller, mail_id, "incoming", "message")


def incoming_mail_to_change(tx: Tx, caller: Caller, mail_id: str) -> IncomingMailRow:
    """Find a message that the caller's account received, and lock it.

    Raises `NotFound` (MESSAGE_NOT_FOUND).
    """
    return the_one(stored_incoming_mail.lock, tx, caller, mail_id, "incoming", "message")


def invoice(tx: Tx, caller: Caller, invoice_id: str) -> InvoiceRow:
    """Find an invoice of the caller.

    Raises `NotFound` (INVOICE_NOT_FOUND).
    """
    return the_one(invoices.find, tx, caller, invoice_id, "inv", "invoice")


def invoice_to_change(tx: Tx, caller: Caller, invoice_id: str) -> tuple[PropertyRow, InvoiceRow]:
    """Find an invoice of the caller, with its property locked.

    Raises `NotFound` (INVOICE_NOT_FOUND).
    """
    property_id = invoices.property_of(tx, caller.account_id, invoice_id) if is_id(invoice_id, "inv") else None
    locked = properties.lock(tx, caller.account_id, property_id) if property_id else None
    again = invoices.find(tx, caller.account_id, invoice_id) if locked else None
    if locked is None or again is None:
        raise NotFound("invoice")
    return locked, again


def locked_invoice(tx: Tx, account_id: str, invoice_id: str) -> InvoiceRow | None:
    """Lock an invoice's property and find the invoice, for background work.

    Return None if the invoice was deleted.
    """
    property_id = invoices.property_of(tx, account_id, invoice_id)
    if property_id is None or properties.lock(tx, account_id, property_id) is None:
        return None
    return invoices.find(tx, account_id, invoice_id)


def webhook_endpoint(tx: Tx, caller: Caller, endpoint_id: str) -> EndpointRow:
    """Find a webhook endpoint of the caller.

    Raises `NotFound` (WEBHOOK_ENDPOINT_NOT_FOUND).
    """
    return the_one(webhooks.find, tx, caller, endpoint_id, "hook", "webhook endpoint")


def webhook_endpoint_to_change(tx: Tx, caller: Caller, endpoint_id: str) -> EndpointRow:
    """Find a webhook endpoint of the caller, and lock it.

    Raises `NotFound` if there is no such endpoint.
    """
    return the_one(webhooks.lock, tx, caller, endpoint_id, "hook", "webhook endpoint")


def _question_to_change(tx: Tx, caller: Caller, question_id: str) -> None:
    question = the_one(tenant_pages.find_question, tx, caller, question_id, "ask", "question")
    invoice_to_change(tx, caller, question.invoice_id)


_LOCKS: Mapping[str, Callable[[Tx, Caller, str], object]] = {
    "prop": property_to_change, "unit": unit_to_change, "tenant": tenant_to_change, "rule": rule_to_change,
    "split": split_method_to_change, "bill": bill_to_change, "inv": invoice_to_change, "ask": _question_to_change,
    "doc": document_to_change, "incoming": incoming_mail_to_change, "bulk": bulk_change_to_change,
    "hook": webhook_endpoint_to_change,
}  # fmt: skip


def lock(tx: Tx, caller: Caller, record_id: str) -> None:
    """Lock the record with this id against other people's changes until this transaction ends.

    Nothing is locked if the record is missing, or of a kind that is never locked, such as a member. If it is
    missing, the function that reads it next raises `NotFound`.
    """
    if to_change := _LOCKS.get(record_id.rpartition("_")[0]):
        with suppress(NotFound):
            to_change(tx, caller, record_id)


def webhook_delivery(tx: Tx, caller: Caller, endpoint: EndpointRow, delivery_id: str) -> DeliveryRow:
    """Find a delivery to a webhook endpoint of the caller.

    Raises `NotFound` (WEBHOOK_DELIVERY_NOT_FOUND).
    """
    delivery = None
    if is_id(delivery_id, "whd"):
        delivery = webhooks.find_delivery(tx, caller.account_id, endpoint.id, delivery_id)
    return there(delivery, "webhook delivery")
