"""A spreadsheet of share rules is shown first, and then imported as a whole."""

import io
import re
from collections.abc import Mapping
from decimal import Decimal
from html import unescape

import httpx
import pytest
from openpyxl import Workbook

from prorata.actions.splitting import share_rules, split_methods
from prorata.domain.splitting.split_methods import SPLIT_METHODS, method_named
from prorata.store.properties.properties import PropertyRow
from prorata.store.splitting.share_rules import SplitMethodRow
from prorata.web.dashboard.kernel.translations import in_words
from prorata.web.dashboard.splitting.rule_imports import FIELD_NAMES
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.kernel.test_form_previews import PART, flats, maple, rows
from tests.dashboard.properties.test_units import add_tenant, add_unit
from tests.dashboard.sent_files import send
from tests.dashboard.splitting.test_rule_copies import rules_of
from tests.dashboard.splitting.test_rule_dates import send_all
from tests.dashboard.splitting.test_share_rules import EQUALLY, add_bill
from tests.every_row import every_row

AT = "/import/rules"
HEADER = "Property,Utility,Split method,Your own part,Vacant\n"
__all__ = ["maple"]


def fields(page: httpx.Response | str) -> dict[str, str]:
    """The fields of the form that saves the rules on a page."""
    text = page if isinstance(page, str) else page.text
    form = text.split('action="/import/rules/add"')[1].split("</form>")[0]
    found = re.findall(r'name="(rules|mark|left_out|effectiveFrom)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in found}


def save(browser: Browser, page: httpx.Response) -> httpx.Response:
    return browser.post(f"{AT}/add", fields(page))


def test_rules_of_many_properties_are_looked_at_first_and_then_saved_at_once(office: Office) -> None:
    browser, elm, oak = office.browser("manager"), office.add_property(name="Elm"), office.add_property(name="Oak")
    text = (
        "Rules of our houses,,,,\n,,,,\n"
        + HEADER
        + "Elm,Water & Sewer,By occupants,,1\n,Gas,SQFT,10%,\nOak,Gas,Equal,,\n"
    )
    before = rules_of(office, elm)
    looked = send(browser, text, AT)
    assert looked.status_code == 200, looked.text
    for said in (
        "3 rules that exist are replaced.", "1 rule is already as in the file.", "Equally", "Line 5 takes the",
    ):  # fmt: skip
        assert said in looked.text, said
    assert "(your own part: 10% )".replace(" )", ")") in looked.text
    vacant = "count nobody in a vacant unit unless the file says how many"
    assert vacant not in looked.text
    assert vacant in send(browser, text.replace(",1\n", ",0\n"), AT).text
    assert rules_of(office, elm) == before, "nothing is saved yet"
    done = save(browser, looked)
    assert "3 share rules were replaced." in browser.get(done.headers["location"]).text
    rules = rules_of(office, elm)
    assert (rules["WATER"].split_method, rules["WATER"].vacant_occupants) == ("OCCUPANTS", Decimal(1))
    assert rules["SEWER"] == rules["WATER"]
    assert (rules["GAS"].split_method, rules["GAS"].owner_percent) == ("SQFT", Decimal(10))
    assert rules["ELECTRICITY"] == before["ELECTRICITY"], "what the file doesn't contain stays"
    assert rules_of(office, oak)["GAS"].split_method == "EQUAL"
    again = send(browser, text, AT).text
    assert "4 rules are already as in the file." in again
    assert "/import/rules/add" not in again


def test_a_rule_keeps_what_the_file_omits_and_an_own_way_to_divide_has_its_name(office: Office) -> None:
    browser, elm = office.browser("manager"), office.add_property(name="Elm")
    browser.post("/split-methods", {"name": "Half, half", "equal": "50", "sqft": "50"})
    browser.post(f"/properties/{elm.id}/rules/water", EQUALLY | {"ownerPercent": "20"})
    looked = send(browser, 'Haus;Kostenart;Schlüssel\nElm;Wasser;"Half, half"\n', AT)
    assert "Half, half: 50% equally and 50% by floor area" in looked.text
    save(browser, looked)
    water = rules_of(office, elm)["WATER"]
    assert water.split_method_id is not None
    assert water.owner_percent == Decimal(20)


def test_a_blend_is_found_by_its_parts_and_one_that_does_not_exist_is_added(quick_office: Office) -> None:
    browser, elm = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    browser.post("/split-methods", {"name": "Gemischt", "occupants": "30", "sqft": "70"})
    text = (
        "Objekt;Wasser;Strom;Gas;Müll\nElm;70% Fläche / 30% Personen;30 % nach Personen und 70,0 % m²;gleich;Gemischt\n"
    )
    looked = send(browser, text, AT)
    assert looked.text.count("Gemischt: 70% by floor area and 30% by occupants") == 3
    save(browser, looked)
    rules = rules_of(quick_office, elm)
    assert rules["WATER"].split_method_id == rules["ELECTRICITY"].split_method_id == rules["GARBAGE"].split_method_id
    assert rules["WATER"].split_method_id is not None
    looked = send(browser, text.replace("30", "20").replace("70", "80"), AT)
    assert "New ways to divide, which are added: 80% Fläche / 20% Personen</p>" in looked.text, "once for both columns"
    assert looked.text.count("80% Fläche / 20% Personen: 80% by floor area and 20% by occupants") == 2
    assert len(own_methods(quick_office)) == 1, "nothing is stored by looking"
    assert save(browser, looked).status_code == 303
    (_, added) = own_methods(quick_office)
    rules = rules_of(quick_office, elm)
    assert rules["WATER"].split_method_id == rules["ELECTRICITY"].split_method_id == added.id
    assert (added.name, added.components) == ("80% Fläche / 20% Personen", '[["SQFT", "80"], ["OCCUPANTS", "20"]]')


def test_people_in_vacant_units_change_only_rules_that_count_people(quick_office: Office) -> None:
    browser, elm = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    text = (
        "Objekt;Wasser;Strom;Gas;Müll;Leerstand\nElm;Personen;gleich;50% Fläche / 50% gleich;50% m² / 50% Personen;{}\n"
    )
    save(browser, send(browser, text.format(""), AT))
    looked = send(browser, text.format("1"), AT)
    assert "2 rules that exist are replaced." in looked.text
    assert "2 rules are already as in the file." in looked.text
    assert '<form class="acts-row" method="post" action="/import/rules/add"' in looked.text, "a gap between buttons"
    save(browser, looked)
    vacant = {kind: rule.vacant_occupants for kind, rule in rules_of(quick_office, elm).items()}
    assert (vacant["WATER"], vacant["GARBAGE"], vacant["ELECTRICITY"], vacant["GAS"]) == (1, 1, 0, 0)
    assert "4 rules are already as in the file." in send(browser, text.format("1"), AT).text


def test_imported_rules_leave_sent_months_alone_unless_one_is_chosen(office: Office) -> None:
    browser, elm = office.browser("manager"), office.add_property(name="Elm")
    add_tenant(office, add_unit(office, elm, "1"), "Ann")
    add_bill(office, elm, 100_00)
    send_all(office, elm.id, ["2026-02"])
    text = "Objekt;Wasser\nElm;Fläche\n"

    def since() -> list[str | None]:
        versions = office.database.read(lambda tx: share_rules.of_type(tx, office.caller, elm.id, "WATER"))[1]
        return [version.effective_from for version in versions if version.terms.split_method == "SQFT"]

    looked = send(browser, text, AT)
    assert "The first month that wasn’t sent, in each property" in looked.text
    save(browser, looked)
    assert since() == ["2026-03"], "the month after the one that was sent"
    assert "1 rule is already as in the file." in send(browser, text, AT).text
    looked = send(browser, text, AT, effectiveFrom="2026-02")
    assert '<option value="2026-02" selected>' in looked.text
    assert "1 rule that exists is replaced." in looked.text
    save(browser, looked)
    assert since() == ["2026-02", "2026-03"]


def own_methods(office: Office) -> list[SplitMethodRow]:
    return office.database.read(lambda tx: split_methods.all_own(tx, office.caller))


def test_parts_of_a_blend_that_are_not_the_whole_are_refused(quick_office: Office) -> None:
    looked = send(quick_office.browser("manager"), HEADER + "Elm,Water,50% area / 40% people,,\n", AT).text
    assert "The percentages must add up to 100, but these add up to 90." in looked


@pytest.mark.parametrize(
    "cell", ["50/50 area/people", "50% area and 50% luck", "30% consumption / 70% area", "100% area"]
)
def test_the_form_of_a_blend_that_is_written_differently_is_told(quick_office: Office, cell: str) -> None:
    looked = send(quick_office.browser("manager"), HEADER + f"Elm,Water,{cell},,\n", AT).text
    assert "Enter a blend with a percentage for each part, such as “50% by floor area" in unescape(looked)


def test_problems_are_told_once_with_their_lines_and_the_rest_can_be_saved(office: Office) -> None:
    browser, elm = office.browser("manager"), office.add_property(name="Elm")
    text = HEADER + (
        "Elm,Water,SQFT,,\nElm,Gas,By meter,,\nElm,Sewer,By meter,,\nFir,Gas,Equal,,\nElm,Internet,By percentage,,\n"
        "Elm,Water,Equal,,\nElm,Garbage,Equal,0.1,\n"
    )
    looked = send(browser, text, AT)
    for said in (
        "6 lines have problems", "<td>3–4<", "This is not a way to divide.", "No property has this",
        "“By percentage” needs a number for each unit.", "Line 2 has another rule", "This may be a part of 1",
        "Leave these 6 lines out and save the other rules", 'href="/split-methods"',
    ):  # fmt: skip
        assert said in unescape(looked.text), said
    assert looked.text.count("This is not a way to divide.") == 1
    done = browser.get(save(browser, looked).headers["location"]).text
    assert "1 share rule was replaced." in done
    assert "Left out: lines 3–8." in done
    assert rules_of(office, elm)["WATER"].split_method == "SQFT"


def _asked_and_remembered(browser: Browser, text: str, chosen: Mapping[str, str]) -> httpx.Response:
    """Send a table, choose its columns, and check that they are remembered."""
    asked = send(browser, text, AT)
    assert "Choose which column contains:" in asked.text
    (held,) = set(re.findall(r'name="packed" value="([^"]+)"', asked.text))
    looked = send(browser, None, AT, packed=held, name="rules.csv", **chosen)
    assert "1 rule that exists is replaced." in looked.text
    assert "1 rule that exists is replaced." in send(browser, text, AT).text, "the columns are known now"
    return looked


def test_columns_are_asked_for_and_remembered(office: Office) -> None:
    browser, elm = office.browser("manager"), office.add_property(name="Elm")
    text = "Wo,Was,Wie\nElm,Gas,m2\n"
    chosen = {"column.0": "property", "column.1": "utilityType", "column.2": "splitMethod", "remember": "true"}
    looked = _asked_and_remembered(browser, text, chosen)
    save(browser, looked)
    assert rules_of(office, elm)["GAS"].split_method == "SQFT"


def test_a_rule_that_has_changed_since_is_not_replaced_unseen(quick_office: Office) -> None:
    office = quick_office
    browser, elm = office.browser("manager"), office.add_property(name="Elm")
    looked = send(browser, HEADER + "Elm,Water,SQFT,,\n", AT)
    browser.post(f"/properties/{elm.id}/rules/water", EQUALLY | {"ownerPercent": "20"})
    refused = save(browser, looked)
    assert refused.status_code == 409
    assert "Something here has changed in the meantime." in refused.text
    assert rules_of(office, elm)["WATER"].split_method == "EQUAL"


def test_the_invoices_that_would_change_are_previewed(office: Office, maple: PropertyRow, url: str) -> None:
    browser = office.browser("manager")
    flats(office, maple)
    looked = send(browser, HEADER + "Maple Court,Water,Equal,50,\n", AT)
    assert "/import/rules/add/preview" in looked.text
    before = every_row(url)
    assert len(rows(browser.post(f"{AT}/add/preview", fields(looked), **PART).text)) > 1
    assert every_row(url) == before


@pytest.fixture
def url(migrated_url: str) -> str:
    return migrated_url


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "de-DE", "es-ES", "fr-FR"])
def test_the_words_of_the_pages_are_read_in_every_language(quick_office: Office, locale: str) -> None:
    for method in SPLIT_METHODS.values():
        for word in in_words([method.name, method.by], locale):
            assert method_named(word) == method.code, word
    names = in_words(FIELD_NAMES.values(), locale)
    looked = send(quick_office.browser("manager"), ";".join(names) + "\nNowhere;x;y;1;1\n", AT).text
    assert "Choose which column" not in looked, names
    assert all(f'<option value="{field}" selected>' in looked for field in FIELD_NAMES)


def test_the_sample_is_read(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    for name in ("Maple Court", "Elm House"):
        quick_office.add_property(name=name)
    assert "2 rules that exist are replaced." in send(browser, browser.get(f"{AT}/sample").text, AT).text


def test_what_is_no_file_of_rules_is_told_beside_the_field(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    for content in ("", "%PDF-1.7"):
        answer = send(browser, content, AT)
        assert answer.status_code == 400
        assert 'aria-describedby="wrong-file"' in answer.text
    assert "Choose the file again." in browser.post(f"{AT}/add", {"rules": "x", "mark": "y"}).text


def test_percentages_of_a_workbook_that_may_mean_two_things_are_refused(quick_office: Office) -> None:
    quick_office.add_property(name="Elm")
    book, kept = Workbook(), io.BytesIO()
    assert book.active is not None
    for row in (("Property", "Utility", "Split", "Owner"), ("Elm", "Water", "Equal", 0.1), ("Elm", "Gas", "Equal", 10)):
        book.active.append(row)
    book.save(kept)
    looked = send(quick_office.browser("manager"), kept.getvalue(), AT).text
    assert "This may be a part of 1" in looked
    assert "(your own part: 10%)" in looked


def test_a_word_without_an_own_utility_is_said_to_be_billed_as_other_and_an_unknown_one_gets_the_names(
    office: Office,
) -> None:
    browser, elm = office.browser("manager"), office.add_property(name="Elm")
    looked = send(browser, HEADER + "Elm,Heizung,SQFT,,\nElm,Allgemeinstrom,Equal,,\nElm,Rent,Equal,,\n", AT)
    assert (
        "<strong>Heizung</strong>: Prorata has no utility of its own for this. It is billed as “Other”" in looked.text
    )
    names = "Electricity, Water, Gas, Internet, Sewer, Garbage, Other"
    assert f"Enter one or more of these, separated by semicolons: {names}." in looked.text
    save(browser, looked)
    rules = rules_of(office, elm)
    assert (rules["OTHER"].split_method, rules["ELECTRICITY"].split_method) == ("SQFT", "EQUAL")
    assert "utility of its own" not in send(browser, HEADER + "Elm,Other,SQFT,,\n", AT).text


MATRIX = "Objekt;Wasser;Strom;Müll/Abwasser;Eigenanteil;Notiz\n"


def test_a_column_for_each_utility_is_read_like_a_row_for_each(office: Office) -> None:
    browser, elm, oak = office.browser("manager"), office.add_property(name="Elm"), office.add_property(name="Oak")
    before = rules_of(office, oak)
    looked = send(browser, MATRIX + "Elm;Personen;Wohnfläche;nach Fläche;10;alt\nOak;;Wohnfläche;gleich;;\n", AT)
    assert "5 rules that exist are replaced." in looked.text, "four of Elm, because of its own part, and one of Oak"
    assert "2 rules are already as in the file." in looked.text
    for column, examples in (("Objekt", "Elm · Oak"), ("Müll/Abwasser", "nach Fläche · gleich"), ("Notiz", "alt")):
        assert f'{column}<span class="sub">{examples}' in looked.text
    assert '<option value="splitMethod:GARBAGE,SEWER" selected>How garbage and sewer is divided<' in looked.text
    assert "Nothing is read from the column <strong>Notiz</strong>." in looked.text
    save(browser, looked)
    rules = {kind: (rule.split_method, rule.owner_percent) for kind, rule in rules_of(office, elm).items()}
    assert rules["WATER"] == ("OCCUPANTS", 10)
    assert rules["ELECTRICITY"] == rules["GARBAGE"] == rules["SEWER"] == ("SQFT", 10)
    after = rules_of(office, oak)
    assert (after["WATER"], after["ELECTRICITY"].split_method) == (before["WATER"], "SQFT"), "an empty cell is no rule"


def test_a_bad_cell_of_a_matrix_is_named_by_its_row_and_column_with_its_text(quick_office: Office) -> None:
    browser, elm = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    quick_office.add_property(name="Oak")
    text = (
        "Regeln unserer Häuser;;;\nObjekt;Wasser;Strom;Hausstrom\nElm;Laune;m²;\nOak;;m²;gleich\nFir;m²;;\nElm;;;m²\n"
    )
    looked = send(browser, text, AT)
    problems = unescape(looked.text.split('class="rows problems"')[1].split("</table>")[0])
    for said in (
        '<td>3<span class="sub">Elm</span></td><td><strong>Wasser</strong> <span class="quiet">Laune</span><br>This is not',
        '<td>4<span class="sub">Oak</span></td><td>The columns “Strom” and “Hausstrom” all mean Electricity. Keep one',
        '<td>5</td><td><strong>Objekt</strong> <span class="quiet">Fir</span><br>No property has this',
    ):
        assert said in problems, problems
    done = save(browser, looked)
    assert "Left out: lines 3–5." in browser.get(done.headers["location"]).text
    assert rules_of(quick_office, elm)["ELECTRICITY"].split_method == "SQFT"


def test_two_columns_of_one_utility_are_refused_once_unless_they_agree(quick_office: Office) -> None:
    browser, elm = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    quick_office.add_property(name="Oak")
    text = "Objekt;Heizung;Warmwasser\nElm;m²;m²\n"
    save(browser, send(browser, text, AT))
    assert rules_of(quick_office, elm)["OTHER"].split_method == "SQFT"
    looked = unescape(send(browser, text.replace("m²;m²", "m²;gleich") + "Oak;gleich;m²\n", AT).text)
    told = (
        "“Heizung” and “Warmwasser” are both billed as “Other”, and Prorata has one rule for everything that is billed"
    )
    assert looked.count(told) == 1
    assert "<td>2–3<" in looked
    looked = unescape(send(browser, HEADER + "Elm,Heizung,m²,,\nElm,Warmwasser,Equal,,\n", AT).text)
    assert told in looked, "in rows too"
    assert "<td>3<" in looked


def test_a_matrix_with_too_many_rules_is_refused_without_reading_all(quick_office: Office) -> None:
    quick_office.add_property(name="Elm")
    text = "Objekt" + ";Wasser" * 99 + "\n" + ("Elm" + ";m²" * 99 + "\n") * 1_000
    asked = send(quick_office.browser("manager"), text, AT).text
    assert "The table has more than 7,000 rows. Import it in parts." in asked


def test_a_rule_without_a_header_above_it_is_no_header(quick_office: Office) -> None:
    browser, _ = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    asked = send(browser, "Elm;Water;Equal\nElm;Gas;By occupants\n", AT).text
    assert "Choose which column contains:" in asked
    assert 'Equal<span class="sub">By occupants' in asked
    assert "1 rule that exists is replaced." in send(browser, "Property;Water\nElm;By occupants\n", AT).text


def test_the_property_of_a_matrix_is_asked_for_and_remembered(quick_office: Office) -> None:
    browser, _ = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    text = "Wo,Water,Gas\nElm,By people,\n"
    chosen = {
        "column.0": "property",
        "column.1": "splitMethod:WATER",
        "column.2": "splitMethod:GAS",
        "remember": "true",
    }
    _asked_and_remembered(browser, text, chosen)


def test_columns_that_no_utility_names_are_given_one_by_a_person(quick_office: Office) -> None:
    browser, elm = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    text, asks = (
        "Property,Caretaker,Lift\nElm,By occupants,–\n",
        "Then choose what each of them says",
    )
    asked = send(browser, text, AT)
    assert asks in asked.text
    assert asks not in send(browser, "Property,Utility,Way\nElm,Water,Equal\n", AT).text
    chosen = {"column.0": "property", "column.1": "splitMethod:OTHER", "column.2": "splitMethod:ELECTRICITY"}
    before = rules_of(quick_office, elm)
    save(browser, send(browser, text, AT, remember="true", **chosen))
    assert rules_of(quick_office, elm)["OTHER"].split_method == "OCCUPANTS"
    assert rules_of(quick_office, elm)["ELECTRICITY"] == before["ELECTRICITY"], "a dash is no rule"
    assert "1 rule is already as in the file." in send(browser, text, AT).text, "the columns are known now"


def test_an_unread_column_of_a_matrix_is_given_a_utility_or_none(quick_office: Office) -> None:
    browser, elm = quick_office.browser("manager"), quick_office.add_property(name="Elm")
    text = "Objekt,Wasser,Hausreinigung\nElm,gleich,Fläche\nOak,,Laune\n"
    quick_office.add_property(name="Oak")
    assert "choose below for which utility." in send(browser, text, AT).text
    chosen = {"column.0": "property", "column.1": "splitMethod:WATER", "column.2": "splitMethod:OTHER"}
    looked = send(browser, text, AT, **chosen)
    assert '<strong>Hausreinigung</strong> <span class="quiet">Laune</span><br>This is not a way' in looked.text
    save(browser, looked)
    assert rules_of(quick_office, elm)["OTHER"].split_method == "SQFT"
    assert "1 rule is already as in the file." in send(browser, text, AT, **chosen | {"column.2": ""}).text
