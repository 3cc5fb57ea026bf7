"""A lease describes utilities in each language, with money and days in plain forms."""

import string
from fractions import Fraction

import pytest

from prorata.domain.accounts.letterheads import Letterhead
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.printing.lease_pages import PrintedLease, WrittenLease, WrittenUtility, write_lease
from prorata.domain.printing.lease_words import LEASE_WORDS
from prorata.domain.splitting.lease_terms import lease_terms
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Component
from tests.domain.printing.test_rendering import COPY, PlainForms
from tests.domain.splitting.test_lease_terms import BILLS, BY_AREA, DAY, EQUAL, HOUSE

BY_PEOPLE = EQUAL._replace(split_method="OCCUPANTS")
TWENTY = Fraction(20)
HALVES = EQUAL._replace(blend=(Component("SQFT", Fraction(50)), Component("OCCUPANTS", Fraction(50))))


def written(versions, *, locale="en-US", bills=BILLS, biller=COPY.biller, place=COPY.place) -> WrittenLease:
    terms = lease_terms(DAY, "USD", {"WATER": versions}, HOUSE, bills)
    return write_lease(PrintedLease(terms, biller, place, locale, Letterhead(), 14), PlainForms())


def water(versions, **other) -> WrittenUtility:
    return written(versions, **other).utilities[1]


def test_a_utility_says_its_rule_its_bills_and_a_sum_that_can_be_followed():
    said = water({ALWAYS: EQUAL, "2026-02": BY_AREA._replace(owner_percent=Fraction(10)), "2026-05": None})
    assert said.name == "Water"
    assert said.facts == (
        ("How", "Divided by floor area"),
        ("Since", "2026-02"),
        ("Before", "Divided equally. Common areas: Nothing comes off first"),
        ("From 2026-05", "Not divided: the owner pays it"),
        ("Common areas", "The owner pays 10% of each bill first"),
        ("Empty units", "The owner pays their part"),
        ("Bills of the last 12 months", "2, $320.10 on average"),
    )
    assert said.example is not None
    assert (said.example.title, said.example.amount) == ("Example: an average bill, unit 1", "$166.58")
    assert [line.text for line in said.example.lines] == [
        "The owner’s 10% comes off first.",
        "Divided by floor area: this unit has 850 of the property’s 1,470 sq ft.",
        "$320.10 × 90% × 850 ÷ 1,470 = $166.58",
    ]


def test_what_else_changes_is_said_of_what_was_before_and_of_what_comes():
    five, ten = (EQUAL._replace(owner_percent=Fraction(percent)) for percent in (5, 10))
    said = dict(water({ALWAYS: five, "2026-02": EQUAL, "2026-05": ten, "2026-06": BY_PEOPLE, "2026-07": None}).facts)
    assert said["Before"] == "Divided equally. Common areas: The owner pays 5% of each bill first"
    assert said["From 2026-05"] == "Divided equally. Common areas: The owner pays 10% of each bill first"
    assert said["From 2026-06"] == (
        "Divided by people × days. Common areas: Nothing comes off first. "
        "Empty units: They don’t count: all is divided among the people who are there"
    )
    assert said["From 2026-07"] == "Not divided: the owner pays it"


def test_without_bills_it_says_so():
    said = water({ALWAYS: EQUAL}, bills=())
    assert said.facts[-1] == ("Bills of the last 12 months", "None, and so there is no example")
    assert said.example is None
    assert water({ALWAYS: EQUAL}, bills=BILLS[:1]).facts[-1][1] == "One, of $300.10"


def test_where_people_count_the_example_names_no_unit_and_empty_units_are_told_apart():
    nobody, two = water({ALWAYS: BY_PEOPLE}), water({ALWAYS: BY_PEOPLE._replace(vacant_occupants=Fraction(2))})
    assert nobody.example is not None
    assert nobody.example.title == "Example: an average bill, a household of 2 people"
    assert dict(nobody.facts)["Empty units"].startswith("They don’t count")
    assert dict(two.facts)["Empty units"] == "They count as 2 people each, and the owner pays that part"
    halves = dict(water({ALWAYS: HALVES}).facts)
    assert halves["How"] == "50%: Divided by floor area. 50%: Divided by people × days"
    assert halves["Empty units"].startswith("50%: The owner pays their part. 50%: They don’t count")
    area, people, equal = (
        Component("SQFT", Fraction(30)),
        Component("OCCUPANTS", Fraction(50)),
        Component("EQUAL", TWENTY),
    )
    thirds = dict(water({ALWAYS: EQUAL._replace(blend=(area, people, equal))}).facts)
    assert thirds["Empty units"].startswith("50%: The owner pays their part. 50%: They don’t count")
    whole = EQUAL._replace(blend=(Component("EQUAL", Fraction(50)), Component("SQFT", Fraction(50))))
    assert dict(water({ALWAYS: whole}).facts)["Empty units"] == "The owner pays their part"


def test_a_version_that_reads_like_the_one_before_is_not_listed():
    by_weights = EQUAL._replace(split_method="CUSTOM", weights={"u1": Fraction(1), "u2": Fraction(2)})
    others = by_weights._replace(weights={"u1": Fraction(1), "u2": Fraction(3)})
    facts = water({ALWAYS: by_weights, "2026-02": others, "2026-05": by_weights}).facts
    assert [label for label, _ in facts if label in ("Since", "Before") or label.startswith("From")] == ["Since"]
    assert dict(facts)["Since"] == "2026-02"


def test_whose_days_count_is_said_where_people_move():
    (_, moving), *_ = written({ALWAYS: EQUAL}).sections
    assert moving == (
        "Whoever moves in or out pays for the days of living there; the first and the last count.",
        "The days of each bill’s service period count; without one, those of its billing month.",
        "On a day on which one household moves out and another in, it counts for both.",
    )


def test_whoever_is_to_be_asked_is_named_by_contact_or_by_name():
    for contact, named in (("a@example.org\n555-0100", "a@example.org, 555-0100"), ("", "Harbor Rentals")):
        sections = written({ALWAYS: EQUAL}, biller=COPY.biller._replace(contact=contact)).sections
        assert sections[-1][1][1] == f"Ask {named}."


def test_floor_areas_are_told_as_where_the_property_lies():
    example = water({ALWAYS: BY_AREA}, locale="de-DE", place=COPY.place._replace(country="DE")).example
    assert example is not None
    assert example.lines[0].text == "Nach Fläche verteilt: Diese Einheit hat 850 von insgesamt 1,470 m²."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_and_puts_in_every_value(language):
    versions = {ALWAYS: EQUAL, "2026-02": HALVES._replace(owner_percent=Fraction(5)), "2026-05": BY_PEOPLE}
    said, english = written(versions, locale=language), written(versions)
    assert len(said.utilities[1].facts) == len(english.utilities[1].facts) == 7
    assert [len(sentences) for _, sentences in said.sections] == [len(sentences) for _, sentences in english.sections]
    assert "{" not in repr(said._replace(page=""))
    for words, same in zip(LEASE_WORDS[language], LEASE_WORDS["en"], strict=True):
        assert places(words) == places(same)


def places(words) -> set[str]:
    texts = [words] if isinstance(words, str) else [text for one in words for text in _texts(one)]
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def _texts(value):
    return [value] if isinstance(value, str) else [text for one in value for text in _texts(one)]


def test_how_a_charge_is_disputed_and_what_percents_lack_is_said_in_every_language():
    by_percents = BY_AREA._replace(split_method="PERCENTAGE", weights={"u1": Fraction(60), "u2": Fraction(35)})
    assert dict(water({ALWAYS: by_percents}).facts)["Common areas"] == (
        "Nothing comes off first. The owner pays whatever the units’ percentages leave of 100%"
    )
    for locale in ("en-US", "de-DE", "es-ES", "fr-FR"):
        (_, asked) = written({ALWAYS: EQUAL}, locale=locale).sections[-1]
        assert "14" in asked[-1]
