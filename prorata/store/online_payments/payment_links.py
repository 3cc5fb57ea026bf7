"""Payment links, each created once at a provider."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, false, literal_column, null, select, true, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    row_values,
    saves,
)
from prorata.store.schema.joins import named_by
from prorata.store.schema.payment_link_tables import payment_link
from prorata.store.schema.tables import invoice


class LinkRow(NamedTuple):
    """A payment link that asks for `amount` cents of the invoice with this `number`.

    The amount and the number are those at the time when the link was requested. `provider_id` and `url` come from
    the provider once it has created the link. `is_former` is set if the link was made with the provider's former
    key. `tenant_id` is the tenant for whose payment the link was made, or None if unknown.
    """

    account_id: str
    id: str
    invoice_id: str
    provider: str
    amount: int
    currency: str
    state: str
    provider_id: str | None
    url: str | None
    created_at: str
    updated_at: str
    number: str
    is_former: bool = False
    tenant_id: str | None = None


class ShownLink(NamedTuple):
    """The payment link that a tenant sees on an invoice.

    `payment_link_id` is the provider's id.
    """

    id: str
    property_id: str
    payment_link_id: str | None
    payment_link_url: str | None


class FormerLink(NamedTuple):
    """An open payment link that was made with the provider's former key.

    `number` is the number of the link's invoice, or None if the invoice no longer exists.
    """

    id: str
    provider_id: str | None
    amount: int
    currency: str
    invoice_id: str
    number: str | None


_AT_ONCE = 1_000
_mine = payment_link.c.account_id == bindparam("account")
_FIND = returns(LinkRow, select(payment_link).where(_mine, payment_link.c.id == bindparam("id")))
_OF_PROVIDER = returns(
    LinkRow,
    select(payment_link).where(
        _mine, payment_link.c.provider == bindparam("provider"), payment_link.c.provider_id == bindparam("theirs")
    ),
)
_OPEN_OF_INVOICE = returns(
    LinkRow,
    select(payment_link)
    .where(_mine, payment_link.c.invoice_id == bindparam("invoice"), payment_link.c.state != literal_column("'closed'"))
    .order_by(payment_link.c.id),
)
_WITH_OPEN = returns_one(
    select(payment_link.c.invoice_id)
    .distinct()
    .where(_mine, is_one_of(payment_link.c.invoice_id, "invoices"), payment_link.c.state != literal_column("'closed'"))
    .order_by(payment_link.c.invoice_id)
)
_is_open = payment_link.c.state != literal_column("'closed'")
_ALL_OPEN = returns_one(
    select(payment_link.c.invoice_id)
    .distinct()
    .where(_mine, _is_open, payment_link.c.invoice_id > bindparam("after"))
    .order_by(payment_link.c.invoice_id)
    .limit(bindparam("limit"))
)
_SET_FORMER = changes(
    update(payment_link)
    .where(_mine, _is_open, payment_link.c.provider == bindparam("provider"))
    .values(is_former=bindparam("is_one"), updated_at=bindparam("now"))
)
_FORMER = returns(
    FormerLink,
    select(*columns_for(FormerLink, payment_link, number=invoice.c.number))
    .outerjoin(invoice, named_by(invoice, payment_link.c.invoice_id))
    .where(_mine, _is_open, payment_link.c.is_former.is_(true()))
    .order_by(payment_link.c.invoice_id, payment_link.c.id)
    .limit(bindparam("limit")),
)
_OF_NOW = returns_one(
    select(payment_link.c.id).where(_mine, _is_open, payment_link.c.is_former.is_(false())).limit(literal_column("1"))
)
_CLOSE = changes(
    update(payment_link)
    .where(_mine, is_one_of(payment_link.c.invoice_id, "invoices"), _is_open)
    .values(state=literal_column("'closed'"), updated_at=bindparam("now"))
)
_CLOSE_FORMER = changes(
    update(payment_link)
    .where(
        _mine, is_one_of(payment_link.c.invoice_id, "invoices"), _is_open, payment_link.c.is_former.is_(true())
    )
    .values(state=literal_column("'closed'"), updated_at=bindparam("now"))
)  # fmt: skip
_SHOWN = returns(
    ShownLink,
    select(*columns_for(ShownLink, invoice))
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.id, "invoices"),
        invoice.c.payment_link_id.is_not(None),
    )
    .order_by(invoice.c.id),
)
_PLACES_OF_OPEN = returns_one(
    select(invoice.c.property_id)
    .distinct()
    .join(payment_link, named_by(invoice, payment_link.c.invoice_id))
    .where(_mine, _is_open)
    .order_by(invoice.c.property_id)
)
_HIDE = changes(
    update(invoice)
    .where(invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "invoices"))
    .values(payment_link_id=null(), payment_link_url=null(), updated_at=bindparam("now"))
)
_EVER = returns_one(
    select(literal_column("1"))
    .select_from(payment_link)
    .where(_mine, payment_link.c.provider == bindparam("provider"))
    .limit(bindparam("limit"))
)
_ADD = adds(payment_link)
_SAVE = saves(payment_link, "is_former")
_SHOW = changes(
    update(invoice)
    .where(invoice.c.account_id == bindparam("account"), invoice.c.id == bindparam("invoice"))
    .values(payment_link_id=bindparam("link"), payment_link_url=bindparam("url"), updated_at=bindparam("now"))
)


def find(tx: Tx, account_id: str, link_id: str) -> LinkRow | None:
    """Find the payment link with this id."""
    return tx.one(_FIND, account=account_id, id=link_id)


def of_provider(tx: Tx, account_id: str, provider: str, provider_id: str) -> LinkRow | None:
    """Find the payment link with this id at the provider."""
    return tx.one(_OF_PROVIDER, account=account_id, provider=provider, theirs=provider_id)


def open_of_invoice(tx: Tx, account_id: str, invoice_id: str) -> list[LinkRow]:
    """List the open payment links of an invoice, oldest first."""
    return tx.all(_OPEN_OF_INVOICE, account=account_id, invoice=invoice_id)


def invoices_with_open_links(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[str]:
    """List the ids of these invoices that have payment links that are not closed."""
    return tx.all(_WITH_OPEN, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def with_open_links(tx: Tx, account_id: str) -> Iterator[list[str]]:
    """Yield the ids of the account's invoices with open payment links.

    They are yielded in lists of up to 1,000 ids.
    """
    after = ""
    while some := tx.all(_ALL_OPEN, account=account_id, after=after, limit=_AT_ONCE):
        yield some
        after = some[-1]


def were_noted(tx: Tx, account_id: str, provider: str) -> bool:
    """True if the account ever requested a payment link from a provider."""
    return tx.one(_EVER, account=account_id, provider=provider, limit=1) is not None


def former(tx: Tx, account_id: str, limit: int) -> list[FormerLink]:
    """List up to `limit` open payment links made with a provider's former key."""
    return tx.all(_FORMER, account=account_id, limit=limit)


def are_open_of_now(tx: Tx, account_id: str) -> bool:
    """True if the account has an open payment link made with the current key.

    A link that is requested, but not created yet, counts as open.
    """
    return tx.one(_OF_NOW, account=account_id) is not None


def set_former(tx: Tx, account_id: str, provider: str, *, is_former: bool) -> bool:
    """Mark a provider's open payment links as made with its former or its current key.

    This is done when the key is replaced. Return True if the provider has any open link.
    """
    return tx.run(_SET_FORMER, account=account_id, provider=provider, is_one=is_former, now=tx.now) > 0


def shown_by(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[ShownLink]:
    """List the payment links that these invoices show, sorted by invoice id."""
    return tx.all(_SHOWN, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def places_of_open(tx: Tx, account_id: str) -> list[str]:
    """List the ids of the properties that have invoices with open payment links."""
    return tx.all(_PLACES_OF_OPEN, account=account_id)


def hide(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Remove the payment links from these invoices; the caller has locked their properties."""
    if invoice_ids:
        tx.run(_HIDE, account=account_id, invoices=list(invoice_ids), now=tx.now)


def close(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Mark the open payment links of these invoices as closed."""
    tx.run(_CLOSE, account=account_id, invoices=list(invoice_ids), now=tx.now)


def close_former(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Mark as closed these invoices' open payment links from the provider's former key."""
    tx.run(_CLOSE_FORMER, account=account_id, invoices=list(invoice_ids), now=tx.now)


def add(tx: Tx, row: LinkRow) -> None:
    """Add a payment link that is not requested from the provider yet."""
    tx.run(_ADD, **row._asdict())


def save(tx: Tx, row: LinkRow) -> None:
    """Save all fields of a payment link except `is_former`, which other functions set."""
    tx.run(_SAVE, **row_values(payment_link, row))


def show(tx: Tx, account_id: str, invoice_id: str, provider_id: str | None, url: str | None) -> None:
    """Save the payment link that an invoice shows, or remove it."""
    tx.run(_SHOW, account=account_id, invoice=invoice_id, link=provider_id, url=url, now=tx.now)
