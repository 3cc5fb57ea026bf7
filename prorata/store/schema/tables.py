"""The schema of the main tables, described once for SQLite and PostgreSQL.

`account_id` leads every primary, unique and foreign key, so that a record of one account can't refer to a record of
another; the few columns by which an account is found are named in LOOKUPS_THAT_FIND_THE_ACCOUNT. Money is in cents.
Timestamps, days and months are ISO 8601 text, which sorts and compares correctly and is the same from either
driver. Keys and such texts are compared byte by byte.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    func,
    literal_column,
)

from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO
from prorata.domain.accounts.permissions import ROLES
from prorata.domain.invoice_states import STATUSES
from prorata.domain.privacy.personal_words import FORMER_TENANT
from prorata.store.schema import (
    announcement_tables,
    audit_tables,
    balance_tables,
    bill_tables,
    charge_tables,
    column_types,
    correction_tables,
    dispute_tables,
    earlier_invoice_tables,
    explanation_tables,
    incoming_mail_tables,
    invoice_indexes,
    job_tables,
    letterhead_tables,
    mail_tables,
    month_run_tables,
    payment_link_tables,
    payment_tables,
    privacy_tables,
    share_rule_tables,
    sign_in_tables,
    tenant_page_tables,
    webhook_tables,
)
from prorata.store.schema.column_types import (
    DAY as _DAY,
    ID as _ID,
    MONTH as _MONTH,
    NUMBER as _NUMBER,
    ORDER as _ORDER,
    TIME as _TIME,
    bytewise as _bytewise,
    needed as _needed,
    of as _of,
    one_of as _one_of,
    owned as _owned,
    partial_index as _partial_index,
    table as _table,
)

LOOKUPS_THAT_FIND_THE_ACCOUNT = (
    frozenset({"uq_member_email"})
    | mail_tables.LOOKUPS
    | sign_in_tables.LOOKUPS
    | incoming_mail_tables.LOOKUPS
    | payment_link_tables.LOOKUPS
)
INDEXES_OVER_ALL_ACCOUNTS = job_tables.INDEXES_OVER_ALL_ACCOUNTS | webhook_tables.INDEXES_OVER_ALL_ACCOUNTS
TABLES_OF_NOBODY = frozenset({"hold", "turn"})
metadata = column_types.metadata

account = _table(
    "account",
    Column("id", _ID, primary_key=True),
    _needed("name", Text),
    _needed("timezone", Text),
    _needed("locale", Text),
    _needed("currency", String(3)),
    _needed("address", Text),
    _needed("contact", Text),
    _needed("payment_terms", Integer),
    _needed("late_bills", String(16)),
    _needed("hold_flagged", Boolean),
    _needed("shows_bills", Boolean),
    _needed("carry_credits", Boolean),
    _needed("mail_on", Boolean),
    _needed("mail_hold", Integer),
    _needed("reminders_before", Text),
    _needed("reminders_after", Text),
    Column("send_at", String(5)),
    _needed("automatic", String(8)),
    _needed("automatic_day", Integer),
    Column("automatic_from", _MONTH),
    Column("automatic_sends_from", _MONTH),
    Column("mail_capped_until", _TIME),
    _needed("property_count", Integer),
    _needed("bill_count", Integer),
    _needed("created_at", _TIME),
    _needed("updated_at", _TIME),
    _needed("corrections", String(16)),
    *(_needed(name, Text) for name in PAY_TO),
    _needed("phone", Text),
    _needed("mail_subject", Text),
    _needed("mail_opening", Text),
    _needed("announce_days", Integer),
    _needed("answer_days", Integer),
    _needed("keep_invoices_years", Integer),
    _needed("keep_tenants_years", Integer),
    _needed("keep_bank_files_days", Integer),
    _needed("billing_month_rule", String(16)),
    _one_of("late_bills", ("ask", "next open month")),
)

member = _owned(
    "member",
    _needed("email", Text),
    _needed("password_hash", Text),
    _needed("role", String(16)),
    _needed("name", Text),
    Column("verified_at", _TIME),
    Column("totp_secret", Text),
    Column("totp_on_at", _TIME),
    Column("totp_last_step", BigInteger),
    _needed("created_at", _TIME),
    _needed("locale", Text),
    UniqueConstraint("email", name="email"),
    _one_of("role", ROLES),
)

property_ = _owned(
    "property",
    _needed("name", Text),
    _needed("street_number", Text),
    _needed("street", Text),
    _needed("city", Text),
    _needed("state", Text),
    _needed("zip", Text),
    _needed("country", String(2)),
    _needed("currency", String(3)),
    _needed("code", _bytewise(16)),
    _needed("is_active", Boolean),
    Column("billing_starts_month", _MONTH),
    _needed("created_at", _TIME),
    _needed("updated_at", _TIME),
    _needed("name_key", _ORDER),
    *(_needed(name, Text) for name in PAY_TO),
    Column("billing_month_rule", String(16)),
    UniqueConstraint("account_id", "code", name="code"),
    Index("ix_property_name", "account_id", "name_key", "id"),
)
PAID_ITS_OWN_WAY = property_.c.pay_text + property_.c.pay_iban + property_.c.pay_number != literal_column("''")
"""The condition that a property has its own payment instructions.

It checks only the fields without which the other payment fields are not used.
"""
_partial_index("ix_property_paid_its_own_way", property_.c.account_id, where=PAID_ITS_OWN_WAY)

unit = _owned(
    "unit",
    _needed("property_id", _ID),
    _needed("label", Text),
    _needed("label_key", _ORDER),
    _needed("code", _bytewise(16)),
    Column("sqft", _NUMBER),
    Column("bedrooms", Integer),
    Column("monthly_rent", BigInteger),
    Column("active_from", _DAY),
    Column("active_to", _DAY),
    _needed("created_at", _TIME),
    _needed("updated_at", _TIME),
    UniqueConstraint("account_id", "property_id", "label_key", name="label"),
    UniqueConstraint("account_id", "property_id", "code", name="code"),
    UniqueConstraint("account_id", "property_id", "id", name="property"),
    CheckConstraint("monthly_rent >= 0", name="monthly_rent"),
    CheckConstraint("bedrooms >= 0", name="bedrooms"),
    _of("property", "property_id"),
    _needed("order_key", _ORDER),
    Index("ix_unit_order", "account_id", "order_key", "id"),
)

_is_past: ColumnElement[bool] = literal_column(
    f"(move_out IS NOT NULL OR ended_at IS NOT NULL) AND (name <> '{FORMER_TENANT}' OR ended_at IS NULL)"
)
tenant = _owned(
    "tenant",
    _needed("property_id", _ID),
    _needed("unit_id", _ID),
    _needed("name", Text),
    Column("email", Text),
    Column("move_in", _DAY),
    Column("move_out", _DAY),
    Column("ended_at", _TIME),
    _needed("created_at", _TIME),
    _needed("updated_at", _TIME),
    _needed("name_key", _ORDER),
    _needed("stay_key", _ORDER),
    _needed("occupants", Integer),
    Column("forwarding_email", Text),
    Column("forwarding_address", Text),
    _of("unit", "unit_id"),
    Index("ix_tenant_name", "account_id", "name_key", "id"),
    Index("ix_tenant_stay", "account_id", "stay_key", "id"),
    Index("ix_tenant_unit", "account_id", "unit_id", "id"),
    Index("ix_tenant_property", "account_id", "property_id", "id"),
    _partial_index("ix_tenant_past", "account_id", "name_key", "id", where=_is_past),
)

tenant_mail_address = func.coalesce(tenant.c.forwarding_email, tenant.c.email)
"""The e-mail address for a tenant's invoices."""

search_word = _owned(
    "search_word",
    _needed("word", _ORDER),
    _needed("kind", String(8)),
    _needed("record_id", _ID),
    _needed("property_id", _ID),
    Column("unit_id", _ID),
    _one_of("kind", ("property", "address", "unit", "tenant")),
    _of("property", "property_id"),
    ForeignKeyConstraint(
        ["account_id", "property_id", "unit_id"], ["unit.account_id", "unit.property_id", "unit.id"], ondelete="CASCADE"
    ),
    Index("ix_search_word_place", "account_id", "property_id", "unit_id", "record_id"),
    key=("word", "kind", "record_id"),
)

used_code = _owned("used_code", _needed("scope", _ID), _needed("code", _bytewise(16)), key=("scope", "code"))

split_method, share_rule = share_rule_tables.split_method, share_rule_tables.share_rule
former_share_rule = share_rule_tables.former_share_rule
bill, bill_line = bill_tables.bill, bill_tables.bill_line
held_line, bill_flag = bill_tables.held_line, bill_tables.bill_flag
earlier_invoice, earlier_facts = earlier_invoice_tables.earlier_invoice, earlier_invoice_tables.earlier_facts
month_explanation, invoice_explanation = explanation_tables.month_explanation, explanation_tables.invoice_explanation
tenant_link, tenant_question = tenant_page_tables.tenant_link, tenant_page_tables.tenant_question
shown_bill = tenant_page_tables.shown_bill
dispute, dispute_file = dispute_tables.dispute, dispute_tables.dispute_file

_COUNTS = ("draft", "sent", "paid", "overdue", "cancelled")

billing_month = _owned(
    "billing_month",
    _needed("property_id", _ID),
    _needed("month", _MONTH),
    *(_needed(count, Integer) for count in _COUNTS),
    _needed("billed", BigInteger),
    _needed("received", BigInteger),
    _needed("owner_amount", BigInteger),
    _needed("line_count", Integer),
    _needed("missing_count", Integer),
    _needed("pending", Boolean),
    Column("first_closed_at", _TIME),
    Column("snapshot", Text),
    _needed("computed_at", _TIME),
    _needed("settles", Boolean),
    *(CheckConstraint(f"{count} >= 0", name=count) for count in _COUNTS),
    CheckConstraint("snapshot is null or sent + paid + overdue > 0", name="snapshot"),
    _of("property", "property_id"),
    Index("ix_billing_month_month", "account_id", "month", "property_id"),
    Index("ix_billing_month_billed", "account_id", "billed", "month", "property_id"),
    _partial_index(
        "ix_billing_month_pending",
        "account_id",
        "month",
        "property_id",
        where=literal_column("pending = 1"),
        postgresql_where=literal_column("pending"),
    ),
    _partial_index("ix_billing_month_due", "account_id", "property_id", where=literal_column("computed_at = ''")),
    _partial_index(
        "ix_billing_month_missing", "account_id", "month", "property_id", where=literal_column("missing_count > 0")
    ),
    key=("property_id", "month"),
)

tally = _owned(
    "tally",
    _needed("property_id", _ID),
    _needed("month", _MONTH),
    *(_needed(count, Integer) for count in _COUNTS),
    *(CheckConstraint(f"{count} >= 0", name=count) for count in _COUNTS),
    key=("property_id", "month"),
)

invoice = _owned(
    "invoice",
    _needed("property_id", _ID),
    _needed("unit_id", _ID),
    _needed("month", _MONTH),
    _needed("sequence", Integer),
    _needed("status", String(16)),
    _needed("number", _bytewise(48)),
    _needed("number_key", _ORDER),
    _needed("invoice_date", _DAY),
    Column("due_date", _DAY),
    _needed("total", BigInteger),
    _needed("paid_amount", BigInteger),
    _needed("paid_by_status", BigInteger),
    _needed("entries", Integer),
    Column("paid_at", _TIME),
    _needed("payment_status", String(16)),
    Column("tenant_id", _ID),
    Column("tenant_name", _ORDER),
    Column("tenant_email", Text),
    _needed("issued", Boolean),
    Column("printed", Text),
    Column("payment_link_id", Text),
    Column("payment_link_url", Text),
    Column("email_sent_at", _TIME),
    Column("email_status", String(16)),
    Column("delivery", String(16)),
    _needed("generated_at", _TIME),
    _needed("updated_at", _TIME),
    _needed("revision", Integer),
    Column("replaces_number", _bytewise(48)),
    UniqueConstraint("account_id", "unit_id", "month", "sequence", name="unit_month"),
    UniqueConstraint("account_id", "number", name="number"),
    _one_of("status", STATUSES),
    _one_of("payment_status", ("pending", "paid", "failed", "cancelled")),
    _one_of("email_status", ("sent", "delivered", "bounced")),
    _of("billing_month", "property_id", "month"),
    ForeignKeyConstraint(["account_id", "property_id", "unit_id"], ["unit.account_id", "unit.property_id", "unit.id"]),
    Index("ix_invoice_total", "account_id", "total", "id"),
    Index("ix_invoice_due_date", "account_id", "due_date", "id"),
    Index("ix_invoice_tenant", "account_id", "tenant_name", "id"),
)
Index("ix_invoice_list", invoice.c.account_id, invoice.c.month.desc(), invoice.c.number_key, invoice.c.id)
Index(
    "ix_invoice_property",
    invoice.c.account_id, invoice.c.property_id, invoice.c.month.desc(), invoice.c.number_key, invoice.c.id,
)  # fmt: skip
Index(
    "ix_invoice_status",
    invoice.c.account_id, invoice.c.status, invoice.c.month.desc(), invoice.c.number_key, invoice.c.id,
)  # fmt: skip
for _name, _status in (("due", "SENT"), ("overdue", "OVERDUE")):
    _has = invoice.c.status == literal_column(f"'{_status}'")
    _partial_index(f"ix_invoice_{_name}", invoice.c.account_id, invoice.c.due_date, where=_has)

column_types.indexed_by_change(property_, unit, tenant, invoice)
NEEDING = invoice_indexes.of_needs(invoice)
UNBALANCED = invoice_indexes.of_unbalanced(invoice)
OWED, SURPLUS = balance_tables.of_owed(invoice), balance_tables.of_surplus(invoice)
open_money = balance_tables.open_money
letterhead = letterhead_tables.letterhead
rule_announcement = announcement_tables.rule_announcement

charge = _owned(
    "charge",
    _needed("invoice_id", _ID),
    Column("bill_id", _ID),
    Column("line", Integer),
    Column("utility_type", String(16)),
    _needed("amount", BigInteger),
    _needed("description", Text),
    Column("corrects_month", _MONTH),
    Column("corrects_tenant", _ID),
    CheckConstraint("(bill_id is null) = (line is null)", name="line"),
    CheckConstraint("bill_id is not null or utility_type is null", name="custom"),
    _of("invoice", "invoice_id"),
    _partial_index("ix_charge_corrects", "account_id", "bill_id", where=literal_column("corrects_month is not null")),
    key=("invoice_id", "id"),
)
correction = correction_tables.correction

payment, payment_file = payment_tables.payment, payment_tables.payment_file
recorded_row = payment_tables.recorded_row
charge_name, charge_export = charge_tables.charge_name, charge_tables.charge_export
exported_invoice = charge_tables.exported_invoice

idempotency_key = _owned(
    "idempotency_key",
    _needed("key", _ORDER),
    _needed("request_hash", _bytewise(64)),
    _needed("status", Integer),
    _needed("body", Text),
    _needed("created_at", _TIME),
    Index("ix_idempotency_key_created", "account_id", "created_at"),
    key=("key",),
)

erasure = privacy_tables.erasure
month_run, month_round = month_run_tables.month_run, month_run_tables.month_round
event, audit_link, audit_chain = audit_tables.event, audit_tables.audit_link, audit_tables.audit_chain
