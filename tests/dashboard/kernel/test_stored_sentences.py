"""Sentences stored in English appear in the language of the page.

Numbers, amounts and dates in them are in the page's format too.
"""

import pytest

from prorata.adapters.locale_forms import LocaleForms
from prorata.web.dashboard.kernel.stored_sentences import retold
from prorata.web.dashboard.kernel.translations import OWN, Speech, catalog_of, speak


def in_language(language: str, text: object) -> object:
    speak(Speech(language, catalog_of(language), LocaleForms(language.replace("_", "-"))))
    return retold(text)


def test_a_sentence_with_values_and_one_without_are_said_in_the_language_of_the_page() -> None:
    held = "Look at {name}, which {other}."
    assert in_language("de", held) == held, "what the catalog does not know stays as it is"
    assert in_language("de", "It’s kept as history: nobody is charged.") != "It’s kept as history: nobody is charged."
    english = "Unit 4 stood empty on 6 of 31 days: that part is the owner’s."
    german = in_language("de", english)
    assert german != english
    assert "4" in str(german)
    assert "6" in str(german)
    assert "31" in str(german)
    assert in_language(OWN, english) == english


def test_a_value_that_is_a_sentence_itself_is_said_too() -> None:
    said = in_language(
        "de", "This e-invoice doesn’t state its number. Ask its sender for a complete one, or enter the bill by hand."
    )
    assert "fehlt: die Nummer." in str(said)


def test_a_list_of_known_names_is_said_name_by_name() -> None:
    held = "Enter one or more of these, separated by semicolons: {}."
    assert str(in_language("de", held.format("Electricity, Water, Other"))).endswith(": Strom, Wasser, Sonstiges.")
    assert "Water, Inc" in str(in_language("de", held.format("Water, Inc"))), "not every name is known"


@pytest.mark.parametrize(
    ("language", "money", "day"),
    [("de", "1.234,50\u00a0$", "3. Februar 2026"), ("fr", "1\u202f234,50\u00a0$", "3 février 2026"),
     ("es", "1.234,50\u00a0$", "3 de febrero de 2026"), ("en_GB", "$1,234.50", "3 February 2026")],
)  # fmt: skip
def test_amounts_and_days_are_written_as_the_page_writes_them(language: str, money: str, day: str) -> None:
    said = in_language(language, "A bill from Aqua dated 2026-02-03 for $1,234.50 has already been added.")
    assert money in str(said)
    assert day in str(said)
    days = "A bill from Aqua dated 2026-02-03 for €4.00, covering 2026-01-01 to 2026-01-31, has already been added."
    assert "2026-01" not in str(in_language(language, days))


def test_a_sentence_about_a_number_of_things_is_said_too() -> None:
    gap = "The previous bill ended on 2026-01-31 and this one begins on 2026-02-10: no bill covers the {} between them."
    for days in (gap.format("9 days"), gap.format("1 day")):
        assert "Beleg" in str(in_language("de", days))
        assert "31. Januar 2026" in str(in_language("de", days))
    assert "on January 31, 2026 and" in str(in_language(OWN, gap.format("9 days")))


def test_the_usual_amount_for_a_number_of_days_is_said_too() -> None:
    flag = "The bill charges $500.00 for gas: more than twice the {} in July 2025."
    german = str(in_language("de", flag.format("$50.54 for 31 days")))
    assert "das Doppelte der 50,54\u00a0$ für 31 Tage vom Juli 2025" in german


@pytest.mark.parametrize("text", ["", None, 12, "Müller GmbH & Söhne"])
def test_what_is_no_sentence_of_ours_stays_as_it_is(text: object) -> None:
    assert in_language("fr", text) == text
