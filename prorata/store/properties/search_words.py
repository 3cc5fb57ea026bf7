"""The words by which a search finds an account's properties, units and tenants.

The words are written together with their record. Invoices have no words, so that recalculation doesn't have to write
any; a search finds invoices through their property, unit and tenant.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from prorata.domain.privacy.personal_words import FORMER_TENANT
from prorata.domain.search_terms import LAST_CHARACTER, words_of, words_of_email
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, columns_for, is_among, is_one_of, returns
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.schema.tables import search_word

PROPERTY, ADDRESS, UNIT, TENANT = "property", "address", "unit", "tenant"


class WordRow(NamedTuple):
    """A word by which a search finds a record, with the record's property and unit."""

    account_id: str
    word: str
    kind: str
    record_id: str
    property_id: str
    unit_id: str | None


class Match(NamedTuple):
    """A record that has a search word beginning with a searched text."""

    kind: str
    record_id: str
    property_id: str
    unit_id: str | None


_mine = search_word.c.account_id == bindparam("account")
_beginning = select(*columns_for(Match, search_word)).where(
    _mine,
    search_word.c.word >= bindparam("first"),
    search_word.c.word < bindparam("behind"),
    is_one_of(search_word.c.kind, "kinds"),
)
_MATCHES = returns(Match, _beginning.order_by(search_word.c.word).limit(bindparam("limit")))
_MATCHES_IN = returns(Match, _beginning.where(search_word.c.property_id == bindparam("property")))
_MATCHES_WITHIN = returns(
    Match,
    _beginning.where(is_among(search_word.c.property_id, "properties"))
    .order_by(search_word.c.word)
    .limit(bindparam("limit")),
)
_ADD = adds_if_new(search_word)
_its = delete(search_word).where(
    _mine, search_word.c.property_id == bindparam("property"), search_word.c.record_id == bindparam("record")
)
_FORGET_OF_PROPERTY = changes(_its.where(search_word.c.unit_id.is_(None)))
_FORGET_OF_UNIT = changes(_its.where(search_word.c.unit_id == bindparam("unit")))
_OF_PROPERTIES = returns(WordRow, select(search_word).where(_mine, is_one_of(search_word.c.property_id, "properties")))


def of_property(row: PropertyRow) -> list[WordRow]:
    """List the search words of a property's name, code and address."""
    address = words_of(row.street_number, row.street, row.city, row.zip)
    return [
        WordRow(row.account_id, word, kind, row.id, row.id, None)
        for kind, words in ((PROPERTY, words_of(row.name, row.code)), (ADDRESS, address))
        for word in sorted(words)
    ]


def of_unit(row: UnitRow) -> list[WordRow]:
    """List the search words of a unit's label and code."""
    words = sorted(words_of(row.label, row.code))
    return [WordRow(row.account_id, word, UNIT, row.id, row.property_id, row.id) for word in words]


def of_tenant(row: TenantRow) -> list[WordRow]:
    """List the search words of a tenant's name and e-mail addresses.

    An erased tenant has none.
    """
    if row.ended_at is not None and row.name == FORMER_TENANT:
        return []
    words = sorted(words_of(row.name) | words_of_email(row.email) | words_of_email(row.forwarding_email))
    return [WordRow(row.account_id, word, TENANT, row.id, row.property_id, row.unit_id) for word in words]


def add_new(tx: Tx, rows: Sequence[WordRow]) -> None:
    """Add the search words of new records."""
    tx.add_many("search_word", WordRow._fields, rows)


def replace(tx: Tx, row: PropertyRow | UnitRow, rows: Sequence[WordRow]) -> None:
    """Replace the search words of a property or a unit."""
    forget(tx, row)
    add_new(tx, rows)


def add(tx: Tx, rows: Sequence[WordRow]) -> None:
    """Add search words to records, keeping the other words of the records."""
    tx.run_many(_ADD, [row._asdict() for row in rows])


def forget(tx: Tx, row: PropertyRow | UnitRow | TenantRow) -> None:
    """Delete the search words of a record."""
    if isinstance(row, PropertyRow):
        tx.run(_FORGET_OF_PROPERTY, account=row.account_id, property=row.id, record=row.id)
        return
    unit_id = row.id if isinstance(row, UnitRow) else row.unit_id
    tx.run(_FORGET_OF_UNIT, account=row.account_id, property=row.property_id, unit=unit_id, record=row.id)


def matches(tx: Tx, account_id: str, beginning: str, kinds: list[str], *, limit: int) -> list[Match]:
    """Find the records of these kinds with a search word that begins with `beginning`.

    Up to `limit` matches are listed by word. A record is listed once for each such word.
    """
    return tx.all(
        _MATCHES,
        account=account_id, first=beginning, behind=beginning + LAST_CHARACTER, kinds=kinds, limit=limit,
    )  # fmt: skip


def matches_in(tx: Tx, account_id: str, property_id: str, beginning: str, kinds: list[str]) -> list[Match]:
    """Find all records of a property that match, as in `matches`."""
    return tx.all(
        _MATCHES_IN,
        account=account_id, property=property_id, first=beginning, behind=beginning + LAST_CHARACTER, kinds=kinds,
    )  # fmt: skip


def matches_within(
    tx: Tx, account_id: str, beginning: str, kinds: list[str], property_ids: list[str], *, limit: int
) -> list[Match]:
    """Find records of these properties that match, as in `matches`."""
    return tx.all(
        _MATCHES_WITHIN, account=account_id, first=beginning, behind=beginning + LAST_CHARACTER, kinds=kinds,
        properties=property_ids, limit=limit,
    )  # fmt: skip


def of_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[WordRow]:
    """List the search words of these properties, and of their units and tenants."""
    return tx.all(_OF_PROPERTIES, account=account_id, properties=property_ids)
