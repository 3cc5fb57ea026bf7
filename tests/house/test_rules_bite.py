"""Each rule finds planted offenses, and ignores text that only looks like one."""

import pytest
from sqlalchemy import Column, ForeignKeyConstraint, Index, MetaData, Table, Text, UniqueConstraint

from tests.house import (
    rules_of_files as files,
    rules_of_money as money,
)
from tests.house.planted import ALREADY_THERE, DOMAIN, PLANTED
from tests.house.rules_of_tables import (
    account_leads_every_key,
    every_table_says_whose_it_is,
    indexes_begin_with_the_account,
)
from tests.house.sources import Source
from tests.house.test_the_house import RULES


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.rule.__name__)
def test_the_rule_finds_what_is_planted(planted):
    offences = planted.rule(
        [
            Source(planted.path, planted.text.replace("~", "")),
            *(there for there in ALREADY_THERE if there.path != planted.path),
        ]
    )
    offences = [offence for offence in offences if offence.startswith(planted.path + ":")]
    assert len(offences) == planted.found, offences


def test_a_program_without_apportion_is_an_offence():
    assert money.apportion_is_defined_once([Source(DOMAIN, "")])


def test_every_rule_is_proved_to_bite():
    assert {planted.rule for planted in PLANTED if planted.found} == set(RULES)


def test_a_licence_that_binds_is_found_unless_it_is_excused():
    excused = dict.fromkeys(files.NOT_PERMISSIVE_BUT_ACCEPTED, "LGPL-3.0-only")
    permissive = {"a": "MIT", "b": "GPL-3.0 OR Apache-2.0", "c": "BSD License"}
    binding = {"a": "GPL-3.0", "b": "MIT AND MPL-2.0", "c": "nothing said"}
    assert files.licences_are_permissive(excused | permissive) == []
    assert len(files.licences_are_permissive(excused | binding)) == 3
    excused.pop("psycopg")
    assert files.licences_are_permissive(excused) == ["psycopg: an exception that nothing needs"]


def _schema() -> tuple[MetaData, Table]:
    metadata = MetaData()
    Table("account", metadata, Column("id", Text, primary_key=True))
    Table("property", metadata, Column("account_id", Text, primary_key=True), Column("id", Text, primary_key=True))
    unit = Table(
        "unit",
        metadata,
        Column("account_id", Text, primary_key=True),
        Column("id", Text, primary_key=True),
        Column("property_id", Text),
        Column("name", Text),
        ForeignKeyConstraint(["account_id"], ["account.id"]),
        ForeignKeyConstraint(["account_id", "property_id"], ["property.account_id", "property.id"]),
        UniqueConstraint("account_id", "name", name="unit_name"),
    )
    return metadata, unit


def test_a_schema_whose_keys_begin_with_the_account_is_in_order():
    metadata, _ = _schema()
    assert account_leads_every_key(metadata, frozenset()) == []
    assert every_table_says_whose_it_is(metadata, frozenset()) == []


def test_a_key_that_does_not_begin_with_the_account_is_found():
    metadata, unit = _schema()
    unit.append_constraint(UniqueConstraint("name", "account_id", name="backwards"))
    unit.append_constraint(ForeignKeyConstraint(["property_id"], ["property.id"], name="bare"))
    Index("unique_name", unit.c.name, unique=True)
    Index("merely_fast", unit.c.name)
    Table("note", metadata, Column("id", Text, primary_key=True), Column("account_id", Text))
    offences = account_leads_every_key(metadata, frozenset())
    assert len(offences) == 5
    assert all(any(name in offence for offence in offences) for name in ("backwards", "bare", "unique_name", "note"))
    assert len(account_leads_every_key(metadata, frozenset({"unique_name", "backwards"}))) == 3


def test_a_lookup_that_is_no_key_is_found():
    metadata, _ = _schema()
    assert account_leads_every_key(metadata, frozenset({"gone"})) == ["gone is named as a look-up, and is no key"]


def test_an_index_that_does_not_begin_with_the_account_is_found_unless_it_is_named():
    metadata, unit = _schema()
    Index("by_name", unit.c.name)
    Index("by_property", unit.c.account_id, unit.c.property_id)
    (offence,) = indexes_begin_with_the_account(metadata, frozenset())
    assert "by_name" in offence
    assert indexes_begin_with_the_account(metadata, frozenset({"by_name"})) == []
    assert len(indexes_begin_with_the_account(metadata, frozenset({"by_name", "gone"}))) == 1


def test_a_table_that_does_not_say_whose_it_is_is_found():
    metadata, _ = _schema()
    Table("lock", metadata, Column("name", Text, primary_key=True))
    assert every_table_says_whose_it_is(metadata, frozenset()) == ["lock has no account_id"]
    assert every_table_says_whose_it_is(metadata, frozenset({"lock"})) == []
