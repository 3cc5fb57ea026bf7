"""The export of a property with all its records as JSON, before its deletion."""

import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, flags as bill_flags, held_lines
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, rule_announcements, tenant_pages
from prorata.store.exports import charge_exports, charge_names
from prorata.store.invoices import invoices
from prorata.store.mail import messages as mail
from prorata.store.payments import payments
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months
from prorata.store.splitting import explanations, share_rules
from prorata.store.splitting.explanations import InvoiceExplanationRow, MonthExplanationRow


def export_of(tx: Tx, caller: Caller, row: PropertyRow) -> str:
    """Export a property with all its records as JSON.

    Besides the property's own records, the export contains the files of tenants' disputes, stored explanations, names
    in other programs, charge files for these programs, and the account's blends.

    Amounts are in cents, and the content of files is in Base64.
    """
    account, ids = caller.account_id, [row.id]
    months = billing_months.lock_many(tx, account, ids)
    named = [month.month for month in months]
    its_invoices = invoices.of_months(tx, account, ids, named)
    invoice_ids = [invoice.id for invoice in its_invoices]
    its_disputes = disputes.of_invoices(tx, account, invoice_ids)
    files = disputes.whole_files_of(tx, account, [dispute.question_id for dispute in its_disputes])
    parts: dict[str, Sequence[Any]] = {
        "shareRules": share_rules.of_properties(tx, account, ids),
        "formerShareRules": share_rules.former_of_properties(tx, account, ids),
        "splitMethods": share_rules.methods(tx, account),
        "units": units.of_properties(tx, account, ids),
        "tenants": units.tenants_of_properties(tx, account, ids),
        "bills": bills.all_of_property(tx, account, row.id),
        "lines": bills.lines_of_property(tx, account, row.id),
        "heldLines": held_lines.of_property(tx, account, row.id),
        "billFlags": bill_flags.of_property(tx, account, row.id),
        "months": months,
        "invoices": its_invoices,
        "charges": invoices.charges(tx, account, invoice_ids),
        "payments": payments.of_invoices(tx, account, invoice_ids),
        "messages": mail.of_invoices(tx, account, invoice_ids),
        "questions": tenant_pages.questions_of(tx, account, invoice_ids),
        "ruleAnnouncements": rule_announcements.of_property(tx, account, row.id),
        "disputes": its_disputes,
        "chargeNames": charge_names.of_property(tx, account, row.id),
        "exportedCharges": charge_exports.of_property(tx, account, row.id),
    }
    document = {
        "exportedAt": tx.now,
        "property": row._asdict(),
        **{name: [part._asdict() for part in rows] for name, rows in parts.items()},
        "disputeFiles": [file._asdict() | {"content": b64encode(file.content).decode()} for file in files],
        "monthExplanations": _texts(explanations.of_months(tx, account, ids, named)),
        "invoiceExplanations": _texts(explanations.of_invoices(tx, account, invoice_ids)),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _texts(rows: Sequence[MonthExplanationRow | InvoiceExplanationRow]) -> list[dict[str, Any]]:
    """Return stored explanations with their JSON as text, unchanged so that its hash matches."""
    return [row._asdict() | {"content": row.text} for row in rows]
