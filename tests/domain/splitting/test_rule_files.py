"""A file of share rules is read with the meaning of each column."""

from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import Sheet
from prorata.domain.properties.property_names import KnownProperty
from prorata.domain.splitting.rule_files import OwnMethods, ReadRules, read_rules, understood

ELM = KnownProperty("prop_1", "Elm", "", "US", "USD")


def read(header: tuple[str, ...], row: tuple[str, ...], fields: dict[str, str]) -> ReadRules:
    return read_rules(understood(Sheet(header, ((2, row),)), ColumnMapping(fields)), [ELM], OwnMethods(), 9)


def test_columns_with_the_same_name_are_of_their_own_utilities() -> None:
    chosen = {"objekt": "property", "schlüssel": "splitMethod:WATER", "schlüssel 2": "splitMethod:GAS"}
    header = ("Objekt", "Schlüssel", "Schlüssel")
    for row, methods in (
        (("Elm", "Personen", ""), [("WATER", "OCCUPANTS")]),
        (("Elm", "", "m²"), [("GAS", "SQFT")]),
        (("Elm", "Personen", "m²"), [("WATER", "OCCUPANTS"), ("GAS", "SQFT")]),
    ):
        found = read(header, row, chosen)
        assert [(rule.utility_type, rule.split_method) for rule in found.rules] == methods
        assert not found.problems


def test_two_columns_with_the_same_name_for_one_utility_contradict_each_other() -> None:
    chosen = {"objekt": "property", "schlüssel": "splitMethod:OTHER", "schlüssel 2": "splitMethod:OTHER"}
    found = read(("Objekt", "Schlüssel", "Schlüssel"), ("Elm", "Personen", "m²"), chosen)
    assert [str(one.message) for one in found.problems] == [
        "The columns “Schlüssel” and “Schlüssel” all mean Other. Keep one of them."
    ]


def test_the_name_of_a_new_blend_is_at_most_as_long_as_in_the_form() -> None:
    header, parts = ("Objekt", "Wasser"), "50 % {}Fläche / 50 % Personen"
    assert read(header, ("Elm", parts.format("  nach " * 10)), {}).rules[0].own_method
    found = read(header, ("Elm", parts.format("nach " * 60)), {})
    assert not found.rules
    assert [str(one.message) for one in found.problems] == ["This text can have at most 100 characters."]
