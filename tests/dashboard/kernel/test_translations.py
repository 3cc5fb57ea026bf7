"""Pages are in the language of the person who views them.

This includes the texts of templates, and sentences that other code makes.
"""

import ast
import pickle
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from markupsafe import Markup

import prorata
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.billing_calendar import Month, month_in_words
from prorata.domain.texts import joined, say, say_n
from prorata.web.dashboard.kernel.rendering import _environment
from prorata.web.dashboard.kernel.translations import Speech, catalog_of, said, speak
from prorata.web.http.encoding import encode

_GERMAN = {
    "Saved.": "Gespeichert.",
    "{name} was deleted.": "{name} wurde gelöscht.",
    ("{n} bill", "{n} bills"): ("{n} Abrechnung", "{n} Abrechnungen"),
    "Owner": "Inhaber",
    "Open <strong>{name}</strong>": "<strong>{name}</strong> öffnen",
}


@pytest.fixture
def german() -> Speech:
    catalog = Catalog(locale="de")
    for one, other in _GERMAN.items():
        catalog.add(one, other)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Speech("de", GNUTranslations(compiled), LocaleForms("de-DE"))


def test_a_sentence_is_english_until_somebody_says_it_in_another_language(german: Speech) -> None:
    text = say("{name} was deleted.", name=say("Owner"))
    assert text == "Owner was deleted."
    assert said(text, german) == "Inhaber wurde gelöscht."
    assert said("Owner was deleted.", german) == "Owner was deleted.", "what is no sentence of ours stays as it is"


def test_numbers_and_months_are_written_as_the_reader_does(german: Speech) -> None:
    bills = say_n("{n} bill", "{n} bills", 1200)
    assert (bills, said(bills, german)) == ("1,200 bills", "1.200 Abrechnungen")
    assert said(say_n("{n} bill", "{n} bills", 1), german) == "1 Abrechnung"
    assert said(say_n("{n} bill", "{n} bills", 1200, n="some"), german) == "some Abrechnungen"
    gone = say("{name} was deleted.", name=month_in_words(Month("2026-03")))
    assert (gone, said(gone, german)) == ("March 2026 was deleted.", "März 2026 wurde gelöscht.")
    assert said(pickle.loads(pickle.dumps(gone)), german) == "März 2026 wurde gelöscht."


def test_sentences_one_after_another_are_said_each_by_itself(german: Speech) -> None:
    both = joined([say("Saved."), "", say("{name} was deleted.", name="Elm")])
    assert (both, said(both, german)) == ("Saved. Elm was deleted.", "Gespeichert. Elm wurde gelöscht.")


def test_a_sentence_stays_one_when_it_crosses_a_process_and_is_plain_in_an_answer(german: Speech) -> None:
    crossed = pickle.loads(pickle.dumps(say("{name} was deleted.", name="Elm")))
    assert said(crossed, german) == "Elm wurde gelöscht."
    assert encode({"error": crossed}) == b'{"error":"Elm was deleted."}'


def test_a_template_says_its_texts_and_those_it_is_given(german: Speech) -> None:
    template = _environment().from_string(
        '{{ _("Saved.") }}|{{ _n("{n} bill", "{n} bills", 1200) }}|{{ given }}|{{ _("Open <strong>{name}</strong>", name=name) }}'
    )
    values = {"given": say("{name} was deleted.", name="<b>"), "name": "<i>"}
    speak(german)
    assert template.render(values) == (
        "Gespeichert.|1.200 Abrechnungen|&lt;b&gt; wurde gelöscht.|<strong>&lt;i&gt;</strong> öffnen"
    )
    speak(Speech("en_US", catalog_of("en_US"), LocaleForms("en-US")))
    assert template.render(values) == "Saved.|1,200 bills|&lt;b&gt; was deleted.|Open <strong>&lt;i&gt;</strong>"


def test_a_value_that_is_markup_stays_markup(german: Speech) -> None:
    speak(german)
    template = _environment().from_string('{{ _("Open <strong>{name}</strong>", name=name) }}')
    assert template.render(name=Markup("<i>x</i>")) == "<strong><i>x</i></strong> öffnen"


@pytest.mark.thorough
def test_no_sentence_is_made_a_plain_text_before_a_page_translates_it() -> None:
    flattened = [
        f"{file}:{node.lineno}"
        for file in Path(prorata.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "str" and node.args
        if isinstance(node.args[0], ast.Call) and ast.unparse(node.args[0].func) in {"say", "say_n", "joined"}
    ]
    assert flattened == []
