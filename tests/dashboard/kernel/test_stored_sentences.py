"""A sentence that was stored in English is said in the language of the page, with its values as they are."""

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
        "de", "This e-invoice does not say its number. Ask its sender for a whole one, or enter the bill by hand."
    )
    assert "fehlt: die Nummer." in str(said)


@pytest.mark.parametrize("text", ["", None, 12, "Müller GmbH & Söhne"])
def test_what_is_no_sentence_of_ours_stays_as_it_is(text: object) -> None:
    assert in_language("fr", text) == text
