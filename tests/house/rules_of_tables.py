"""Rules about the schema: each key begins with the row's account (house rule 6)."""

from collections.abc import Iterator

from sqlalchemy import ForeignKeyConstraint, Index, MetaData, PrimaryKeyConstraint, Table, UniqueConstraint

OWNER = "account_id"


def account_leads_every_key(metadata: MetaData, lookups: frozenset[str]) -> list[str]:
    """account_id is the first column of each key of an owned table.

    That includes primary, unique and foreign keys. `lookups` names the unique keys that find the account.
    """
    offences = []
    met = set()
    for table in metadata.tables.values():
        if OWNER not in table.columns:
            continue
        for kind, name, columns in _keys(table):
            met.add(name)
            if name not in lookups and columns[:1] != [OWNER]:
                offences.append(f"{table.name}: {kind} {name} begins with {columns[:1]}, not with {OWNER}")
        for key in table.foreign_key_constraints:
            target = key.elements[0].column
            if target.name != OWNER and target.table.name != "account":
                offences.append(f"{table.name}: foreign key {key.name} does not point at an {OWNER}")
    return offences + [f"{name} is named as a look-up, and is no key" for name in sorted(lookups - met)]


def _keys(table: Table) -> Iterator[tuple[str, str, list[str]]]:
    kinds = {PrimaryKeyConstraint: "primary key", UniqueConstraint: "unique key", ForeignKeyConstraint: "foreign key"}
    for constraint in table.constraints:
        if type(constraint) in kinds:
            yield kinds[type(constraint)], str(constraint.name), [column.name for column in constraint.columns]
    for index in table.indexes:
        if index.unique:
            yield "unique index", str(index.name), _columns(index)


def _columns(index: Index) -> list[str]:
    return [getattr(expression, "name", str(expression)) for expression in index.expressions]


def indexes_begin_with_the_account(metadata: MetaData, over_all: frozenset[str]) -> list[str]:
    """account_id is the first column of each index of an owned table.

    `over_all` names the indexes by which a worker finds due work of all accounts.
    """
    offences = []
    met = set()
    for table in metadata.tables.values():
        for index in table.indexes if OWNER in table.columns else ():
            met.add(str(index.name))
            if index.name not in over_all and _columns(index)[:1] != [OWNER]:
                offences.append(f"{table.name}: index {index.name} begins with {_columns(index)[:1]}, not with {OWNER}")
    return offences + [f"{name} is named as an index over all accounts, and is none" for name in sorted(over_all - met)]


def every_table_says_whose_it_is(metadata: MetaData, ownerless: frozenset[str]) -> list[str]:
    """Each table except `account` has an account_id, or is listed as ownerless."""
    tables = {name: table for name, table in metadata.tables.items() if name not in {"account", *ownerless}}
    return [f"{name} has no {OWNER}" for name, table in tables.items() if OWNER not in table.columns]
