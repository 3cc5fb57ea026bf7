"""The tables that the measured requests need."""

from sqlalchemy import ForeignKeyConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Model(DeclarativeBase):
    """The base class of the tables."""


class Property(Model):
    __tablename__ = "property"

    account_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    street_number: Mapped[str]
    street: Mapped[str]
    city: Mapped[str]
    state: Mapped[str]
    zip: Mapped[str]
    country: Mapped[str]
    currency: Mapped[str]
    is_active: Mapped[bool]
    billing_starts_month: Mapped[str | None]
    created_at: Mapped[str]
    updated_at: Mapped[str]


class Unit(Model):
    __tablename__ = "unit"

    account_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    property_id: Mapped[str]
    label: Mapped[str]
    sqft: Mapped[str | None]
    bedrooms: Mapped[int | None]


class BillingMonth(Model):
    __tablename__ = "billing_month"

    account_id: Mapped[str] = mapped_column(primary_key=True)
    property_id: Mapped[str] = mapped_column(primary_key=True)
    month: Mapped[str] = mapped_column(primary_key=True)
    pending: Mapped[bool]
    missing_count: Mapped[int]


class Invoice(Model):
    __tablename__ = "invoice"
    __table_args__ = (
        ForeignKeyConstraint(["account_id", "unit_id"], ["unit.account_id", "unit.id"]),
        ForeignKeyConstraint(["account_id", "property_id"], ["property.account_id", "property.id"]),
        ForeignKeyConstraint(
            ["account_id", "property_id", "month"],
            ["billing_month.account_id", "billing_month.property_id", "billing_month.month"],
        ),
    )

    account_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    property_id: Mapped[str]
    unit_id: Mapped[str]
    month: Mapped[str]
    status: Mapped[str]
    number: Mapped[str]
    number_key: Mapped[str] = mapped_column(deferred=True)
    invoice_date: Mapped[str]
    due_date: Mapped[str | None]
    total: Mapped[int]
    paid_amount: Mapped[int]
    paid_by_status: Mapped[int]
    paid_at: Mapped[str | None]
    tenant_email: Mapped[str | None]
    tenant_name: Mapped[str | None]
    payment_status: Mapped[str]
    payment_link_id: Mapped[str | None]
    payment_link_url: Mapped[str | None]
    email_sent_at: Mapped[str | None]
    email_status: Mapped[str | None]
    delivery: Mapped[str | None]
    generated_at: Mapped[str]
    updated_at: Mapped[str]

    unit: Mapped[Unit] = relationship(viewonly=True)
    property: Mapped[Property] = relationship(viewonly=True)
    billing_month: Mapped[BillingMonth] = relationship(viewonly=True)
    charges: Mapped[list["Charge"]] = relationship(viewonly=True, order_by="Charge.id")


class Charge(Model):
    __tablename__ = "charge"
    __table_args__ = (ForeignKeyConstraint(["account_id", "invoice_id"], ["invoice.account_id", "invoice.id"]),)

    account_id: Mapped[str] = mapped_column(primary_key=True)
    invoice_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    utility_type: Mapped[str | None]
    amount: Mapped[int]
    description: Mapped[str]


class Event(Model):
    __tablename__ = "event"

    account_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[str]
    actor: Mapped[str]
    verb: Mapped[str]
    record_id: Mapped[str]
    property_id: Mapped[str | None]
    before: Mapped[str | None]
    after: Mapped[str | None]
