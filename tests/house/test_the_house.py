"""The project keeps the house rules."""

import re
from pathlib import Path

import pytest

from tests.house import (
    rules_of_citations,
    rules_of_codes,
    rules_of_files,
    rules_of_money,
    rules_of_rings,
    rules_of_shape,
)
from tests.house.licences import licences_of_the_product
from tests.house.rules_of_tables import (
    account_leads_every_key,
    every_table_says_whose_it_is,
    indexes_begin_with_the_account,
)
from tests.house.sources import ROOT, Source, of_the_project
from tests.ocr_extra import needs_ocr

pytestmark = pytest.mark.thorough

RULES = (
    *rules_of_shape.ALL,
    *rules_of_rings.ALL,
    *rules_of_money.ALL,
    *rules_of_files.ALL,
    *rules_of_citations.ALL,
    *rules_of_codes.ALL,
)


def test_the_project_keeps_the_rules():
    """All rules are checked in one test, so that only one process parses the project."""
    broken = {rule.__name__: found for rule in RULES if (found := rule(of_the_project()))}
    assert broken == {}


def test_no_folder_has_more_than_30_python_files():
    assert rules_of_shape.folders_have_at_most_30_files(of_the_project()) == []
    crowded = [Source(f"prorata/actions/bills/file_{number}.py", "") for number in range(31)]
    assert len(rules_of_shape.folders_have_at_most_30_files(crowded)) == 1
    assert rules_of_shape.folders_have_at_most_30_files(crowded[1:]) == []
    history = [Source(f"{rules_of_shape.ONLY_GROWS}/revision_{number}.py", "") for number in range(31)]
    assert rules_of_shape.folders_have_at_most_30_files(history) == []


def test_the_rules_see_the_project():
    paths = {source.path for source in of_the_project()}
    assert {"Makefile", "prorata/errors.py", "requirements/run.txt", "tests/conftest.py"} <= paths
    assert not any(path.startswith(".venv") for path in paths)


def test_every_statement_builder_that_is_excused_still_exists():
    files = {source.path: source for source in of_the_project()}
    for place, reason in rules_of_rings.BUILDS_STATEMENTS.items():
        path, _, name = place.partition("::")
        assert reason
        assert name in {function.name for function in files[path].functions}, place


def test_every_name_that_is_excused_from_a_rule_still_exists():
    files = {source.path: source for source in of_the_project()}
    for place, reason in (
        rules_of_shape.JUDGES | rules_of_shape.TRIES_AGAIN | rules_of_codes.FOUND_BY_ITS_WORDS
    ).items():
        path, _, name = place.partition("::")
        assert reason
        assert re.search(rf"^(?:.*, )?{name}\b.* = |^ *def {name}\b", files[path].text, re.MULTILINE), place


def test_account_id_leads_every_key_of_the_schema():
    from prorata.store.schema import tables

    assert account_leads_every_key(tables.metadata, tables.LOOKUPS_THAT_FIND_THE_ACCOUNT) == []


def test_account_id_leads_every_index_of_the_schema_but_those_that_are_named():
    from prorata.store.schema import tables

    assert indexes_begin_with_the_account(tables.metadata, tables.INDEXES_OVER_ALL_ACCOUNTS) == []


def test_every_table_of_the_schema_says_whose_it_is():
    from prorata.store.schema import tables

    assert every_table_says_whose_it_is(tables.metadata, getattr(tables, "TABLES_OF_NOBODY", frozenset())) == []


def test_licences_of_what_the_product_needs_are_permissive():
    licences = licences_of_the_product(Path(ROOT, "requirements/run.txt").read_text())
    assert rules_of_files.licences_are_permissive(licences) == []


@needs_ocr
def test_licences_of_what_reads_pictures_are_permissive():
    licences = licences_of_the_product(Path(ROOT, "requirements/ocr.txt").read_text())
    bound = {name for name, said in licences.items() if rules_of_files.licence_binds(said)}
    assert bound == set(rules_of_files.NOT_PERMISSIVE_BUT_ACCEPTED_TO_READ_PICTURES)
