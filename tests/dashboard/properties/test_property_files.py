"""Spreadsheets of units, or of properties with their units.

A spreadsheet is shown first, and then imported as a whole.
"""

import io
import re
from html import unescape

import httpx
import pytest
from openpyxl import Workbook

from tests.dashboard.conftest import Browser, Office
from tests.dashboard.sent_files import held, send

UNITS = "Unit,Sq Ft,Tenant,Email\n1A,850,Ann Lee,ann@example.org\n1B,620,,\n"
BAD = UNITS + "2A,huge,Eve,eve\n"
AT = "/import/units"


def bring(browser: Browser, content: str | bytes | None, property_id: str = "") -> httpx.Response:
    """Upload a file, or submit the form without one if `content` is None."""
    token = browser.get("/import/units").text.split('name="form_token" value="')[1].split('"')[0]
    sent = {"form_token": token, "property": property_id}
    data = content.encode() if isinstance(content, str) else content
    files = None if data is None else {"file": ("units.csv", data)}
    headers = {"Sec-Fetch-Site": "same-origin"}
    return browser.client.post(AT, data=sent, files=files, headers=headers, follow_redirects=False)


def test_the_units_of_a_property_are_looked_at_first_and_then_added(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    assert "Import units for Maple Court" in browser.get(f"{AT}?property={its.id}").text
    looked = bring(browser, UNITS, its.id)
    assert looked.status_code == 200
    assert "Add them" in looked.text
    assert "Add the units first" in browser.get(f"/properties/{its.id}").text
    done = send(browser, None, f"{AT}/add", property=its.id, **held(looked))
    assert done.headers["location"] == f"/properties/{its.id}"
    page = browser.get(done.headers["location"]).text
    assert "Added: 2 units, 1 tenant." in page
    assert "Ann Lee" in page
    assert "Everything in this file already" in bring(browser, UNITS, its.id).text


def test_a_file_brings_properties_with_their_units_and_its_sample_reads(office: Office) -> None:
    browser = office.browser("owner")
    sample = browser.get(f"{AT}/sample")
    assert sample.headers["content-disposition"].startswith("attachment")
    looked = bring(browser, sample.text)
    done = send(browser, None, f"{AT}/add", property="", **held(looked))
    page = browser.get(done.headers["location"]).text
    assert "Added: 1 property, 2 units, 2 tenants." in page
    assert "Maple Court" in page


def test_a_title_may_stand_above_the_header(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, "Rent roll of Maple Court,,,\n,,,\n" + UNITS, its.id)
    assert "Add them" in looked.text


def test_problems_are_told_by_line_and_column_and_nothing_can_be_added(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    looked = bring(browser, BAD, its.id)
    assert "1 line has problems." in looked.text
    for said in (">4<", "Sq Ft", "Email", "This is not a valid e-mail address"):
        assert said in looked.text
    assert "Add them" not in looked.text
    refused = send(browser, None, f"{AT}/add", property=its.id, **held(bring(browser, UNITS, its.id)) | {"packed": "x"})
    assert refused.status_code == 400
    assert "Choose the file again." in refused.text
    assert "Add the units first" in browser.get(f"/properties/{its.id}").text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "Choose a file that contains units."),
        ("", "This file is empty."),
        (UNITS, "The file has no property column."),
        ("%PDF-1.7", "This is not a CSV file."),
    ],
)
def test_what_is_no_file_of_units_is_told_beside_the_field(
    quick_office: Office, content: str | None, said: str
) -> None:
    answer = bring(quick_office.browser("manager"), content)
    assert answer.status_code == 400
    assert said in answer.text
    assert 'aria-describedby="wrong-file"' in answer.text


def test_nobody_brings_units_to_a_strangers_property(quick_office: Office) -> None:
    theirs = quick_office.add_property(quick_office.stranger_id)
    browser = quick_office.browser("owner")
    assert browser.get(f"{AT}?property={theirs.id}").status_code == 404
    assert bring(browser, UNITS, theirs.id).status_code == 404


def test_what_a_corrected_file_says_otherwise_is_shown_and_taken_as_it_was_shown(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    send(browser, None, f"{AT}/add", property=its.id, **held(bring(browser, UNITS, its.id)))
    other = UNITS.replace("850", "900")
    looked = bring(browser, other, its.id)
    assert "What differs in the file" in looked.text
    for said in ("sqft", "850", "900", "Update to match the file"):
        assert said in looked.text
    mark = looked.text.split('name="differs" value="')[1].split('"')[0]
    form = {"property": its.id, "take": "true", "differs": mark} | held(looked)
    stale = send(browser, None, f"{AT}/add", **form | {"differs": "0" * 64})
    assert stale.status_code == 409
    assert "Nothing has been done yet: review the differences first." in stale.text
    done = send(browser, None, f"{AT}/add", **form)
    page = browser.get(done.headers["location"]).text
    assert "Updated to match the file: 1." in page
    assert "Everything in this file already" in bring(browser, other, its.id).text
    more = bring(browser, other.replace("900", "950") + "3C,700,,\n", its.id)
    assert "Also update what differs" in more.text


FOREIGN = (
    "Mieterliste 2026,,,\n,,,\nBezeichnung,Nutzer,Groesse,Kaution\nEG,Ann Lee,80,x\nOG,LEERSTAND,70,x\nSumme,,150,\n"
)


def said(looked: httpx.Response, *fields: str) -> dict[str, str]:
    """The form that assigns fields to the columns."""
    return held(looked) | {f"column.{place}": field for place, field in enumerate(fields)}


def test_unknown_columns_are_asked_shown_as_read_and_remembered_for_the_next_file(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    asked = bring(browser, FOREIGN, its.id)
    assert "Choose which column contains:" in asked.text
    assert "Add them" not in asked.text
    form = said(asked, "label", "tenantName", "sqft", "") | {"property": its.id, "remember": "true"}
    looked = send(browser, None, f"{AT}/columns", **form)
    for shown in ("1 unit in the file is vacant.", "line 6 (Summe)", "Ann Lee", "The first rows as they were read"):
        assert shown in looked.text
    mapping = unescape(looked.text.split('name="mapping" value="')[1].split('"')[0])
    assert "Choose which column contains:" in bring(browser, FOREIGN, its.id).text
    send(browser, None, f"{AT}/add", property=its.id, mapping=mapping, remember="true", **held(looked))
    assert "Ann Lee" in browser.get(f"/properties/{its.id}").text
    assert "Everything in this file already" in bring(browser, FOREIGN.replace("2026", "2027"), its.id).text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (("label", "label", "sqft", ""), "Keep one of them."),
        (("", "tenantName", "sqft", ""), "Choose which column contains:"),
        (("nobody", "tenantName", "sqft", ""), "Choose which column contains:"),
    ],
)
def test_columns_that_are_chosen_twice_or_not_at_all_are_asked_again(
    quick_office: Office, fields: tuple[str, ...], told: str
) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    form = said(bring(browser, FOREIGN, its.id), *fields) | {"property": its.id}
    answer = send(browser, None, f"{AT}/columns", **form)
    assert told in answer.text
    assert "Add them" not in answer.text
    added = send(browser, None, f"{AT}/add", property=its.id, mapping='[{"bezeichnung": ""}]', **held(answer))
    assert added.status_code == 409
    assert send(browser, None, f"{AT}/add", property=its.id, mapping="[", **held(answer)).status_code == 400


def test_the_column_of_the_properties_is_asked_where_no_property_was_chosen(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    asked = bring(browser, f"Anlage,Whg.,Mieter\n{its.name},1A,Ann\n")
    assert "<strong>Property</strong>" in asked.text
    looked = send(browser, None, f"{AT}/columns", **said(asked, "property", "label", "tenantName"))
    assert "Add them" in looked.text


def test_a_unit_with_two_tenants_of_the_same_first_day_is_named_with_their_lines(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    rows = "301,Ann,2026-01-01", "302,Eve,2026-01-01", "301,Bob,2026-01-01", "302,Cy,2026-02-01"
    looked = bring(browser, "\n".join(("Unit,Tenant,Move In", *rows)), its.id)
    said = "Unit 301 at Maple Court has 2 tenants starting on the same day (lines 2, 4). They form one household of 2 people, and its invoice is addressed to"
    assert said in looked.text
    assert looked.text.count("starting on the same day") == 1


def test_equal_problems_are_said_once_with_their_lines(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, "Unit,Sq Ft,Tenant,Move In\n1,-5,,\n2,-6,,\n3,1,Ann,31.02.2026\n", its.id)
    said = '<td>2–3<span class="sub">1 · 2</span></td><td><strong>Sq Ft</strong> <span class="quiet">-5 · -6</span><br>'
    assert said in looked.text, "with the rows and what they have there"
    assert looked.text.count("An area must be between 0") == 1
    assert "31.02.2026 is not a date" in looked.text


def test_why_a_file_is_not_read_is_said_in_the_language_of_the_page(german_office: Office) -> None:
    page = bring(german_office.browser("manager"), "%PDF-1.7\n")
    assert page.status_code == 400
    assert "Das ist keine CSV-Datei." in page.text


def test_what_is_wrong_with_a_row_is_said_in_the_language_of_the_page(german_office: Office) -> None:
    browser, its = german_office.browser("manager"), german_office.add_property()
    page = bring(browser, "label,sqft,monthlyRent,Tenant,Move In\n1A,viel,oben,Ann,31.02.2026\n", its.id).text
    assert "Das ist keine Wohnfläche." in page
    assert "This is" not in page
    assert "is not a date" not in page


# --- a corrected file, and rows that are left out --------------------------------------------------------------------


def mapping_in(answer: httpx.Response) -> dict[str, str]:
    """The columns of the earlier file, as the form for the corrected file contains them."""
    form = answer.text.split('action="/import/units" ')[1].split("</form>")[0]
    found = dict(re.findall(r'name="(mapping|remember)" value="([^"]*)"', form))
    return {name: unescape(value) for name, value in found.items()}


@pytest.mark.parametrize("remember", ["true", ""])
def test_what_was_said_of_columns_stays_for_the_corrected_file(quick_office: Office, remember: str) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    form = said(bring(browser, FOREIGN.replace("80", "gross"), its.id), "label", "tenantName", "sqft", "")
    refused = send(browser, None, f"{AT}/columns", **form, property=its.id, remember=remember)
    assert "1 line has problems." in refused.text
    kept = mapping_in(refused)
    assert kept.get("remember", "") == remember
    again = send(browser, FOREIGN.replace("80", "riesig").encode(), AT, property=its.id, **kept)
    assert "1 line has problems." in again.text
    assert mapping_in(again) == kept
    tick = again.text.split('id="f-remember"')[1].split(">")[0]
    assert ("checked" in tick) is (remember == "true")
    looked = send(browser, FOREIGN.encode(), AT, property=its.id, **kept)
    assert "Add them" in looked.text
    send(browser, None, f"{AT}/add", property=its.id, **kept, **held(looked))
    remembered = "Choose which column contains:" not in bring(browser, FOREIGN.replace("2026", "2027"), its.id).text
    assert remembered is (remember == "true")


def test_a_file_with_other_columns_is_read_by_its_own_names(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    form = said(bring(browser, FOREIGN, its.id), "label", "tenantName", "sqft", "")
    kept = mapping_in(send(browser, None, f"{AT}/columns", **form, property=its.id))
    assert "Ann Lee" in send(browser, UNITS.encode(), AT, property=its.id, **kept).text


def test_rows_with_problems_are_left_out_where_somebody_says_so(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    looked = bring(browser, BAD, its.id)
    assert "Leave this row out and add the rest" in looked.text
    assert "The rest: 2 units, 1 tenant." in looked.text
    form = held(looked) | {"property": its.id}
    assert send(browser, None, f"{AT}/add", **form).status_code == 409, "all or nothing, unless it is said"
    other = send(browser, None, f"{AT}/add", **form | {"left_out": "3 4"})
    assert other.status_code == 409, "others were shown"
    done = send(browser, None, f"{AT}/add", **form | {"left_out": "4"})
    page = browser.get(done.headers["location"]).text
    assert "Added: 2 units, 1 tenant. 1 row was left out: line 4." in page
    assert "2A" not in page


def test_rows_that_need_one_that_is_left_out_are_left_out_too(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    header = "House,Street,City,Unit,Sq Ft\n"
    rows = 'Elm,5 Elm St,"Reno, NV 89501",1,huge\nElm,,,2,500\nOak,1 Oak St,"Reno, NV 89501",1,500\n'
    looked = bring(browser, header + rows)
    assert "1 line has problems." in looked.text
    assert "Leave these 2 rows out and add the rest" in looked.text
    assert "Rows that depend on one of them are left out, too." in looked.text
    done = send(browser, None, f"{AT}/add", left_out="2 3", **held(looked))
    page = browser.get(done.headers["location"]).text
    assert "Added: 1 property, 1 unit, 0 tenants. 2 rows were left out: lines 2–3." in page


def test_what_is_wrong_with_all_rows_can_not_be_left_out(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, "Unit,Sq Ft\n1,huge\n2,huge\n", its.id)
    assert "2 lines have problems." in looked.text
    assert "add the rest" not in looked.text


NAMED_ONCE = (
    "Property,Street,City,ST,Zip,Unit,Tenant\nElm,12 Main St,Reno,NV,89501,1,Ann Lee\n,,,,,2,\n,,,,,3,\n"
    "Oak,14 Main St,Reno,NV,89501,1,Bo Cruz\n,,,,,2,\n"
)


def test_units_below_a_property_that_is_named_once_are_its_own_and_the_page_says_so(office: Office) -> None:
    browser = office.browser("owner")
    looked = bring(browser, NAMED_ONCE)
    assert "Lines 3–4 take the property of line 2: Elm." in looked.text
    assert "Line 6 takes the property of line 5: Oak." in looked.text
    assert "Nothing is read from" not in looked.text
    done = send(browser, None, f"{AT}/add", property="", **held(looked))
    assert "Added: 2 properties, 5 units, 2 tenants." in browser.get(done.headers["location"]).text


def test_whose_a_unit_is_that_names_no_property_is_asked_where_it_is_not_clear(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    named = NAMED_ONCE.replace(",,,,,2,\n,,,,,3,\nOak", "Elm,,,,,2,\n,,,,,3,\nOak")
    asked = bring(browser, named)
    assert "Lines 4, 6 name no property." in asked.text
    assert "Add them" not in asked.text
    fields = "property", "street", "city", "state", "zip", "label", "tenantName"
    looked = send(browser, None, f"{AT}/columns", **said(asked, *fields) | {"fixed.property": "above"})
    assert "Line 4 takes the property of line 3: Elm." in looked.text
    assert "Add them" in looked.text


def plain(page: str) -> str:
    """The text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def previewed(browser: Browser, looked: httpx.Response, **fields: str) -> str:
    """The text of the preview of a file that has been uploaded."""
    return plain(send(browser, None, f"{AT}/add/preview", **held(looked) | fields).text)


def test_a_preview_lists_what_is_new_changed_and_unchanged(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    first = bring(browser, UNITS, its.id)
    assert "Maple Court 2 new 1 new" in plain(first.text)
    assert "Maple Court 2 new 1 new By line 3 Line Unit Tenant Status 2 1A New 2 1A Ann Lee New 3 1B New" in previewed(
        browser, first, property=its.id
    )
    send(browser, None, f"{AT}/add", property=its.id, **held(first))
    looked = bring(browser, UNITS.replace("850", "900") + "2A,500,Bo Cruz,\n", its.id)
    assert "Maple Court 1 new, 1 different, 1 unchanged 1 new, 1 unchanged" in plain(looked.text)
    told = previewed(browser, looked, property=its.id)
    assert "2 1A Different 4 2A New 4 2A Bo Cruz New" in told
    assert "Differences are left as they are here" in told
    mark = looked.text.split('name="differs" value="')[1].split('"')[0]
    told = previewed(browser, looked, property=its.id, take="true", differs=mark)
    assert "Maple Court 1 new, 1 changed, 1 unchanged 1 new, 1 unchanged" in told


def test_a_preview_without_the_rows_that_are_left_out_lists_the_others(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, BAD, its.id)
    lines = looked.text.split('name="left_out" value="')[1].split('"')[0]
    assert "Maple Court 2 new 1 new" in previewed(browser, looked, property=its.id, left_out=lines)


def test_rows_that_say_the_same_count_once_and_are_named(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    ann = "1A,850,Ann Lee,ann@example.org\n"
    looked = plain(bring(browser, UNITS + ann + "1C,620,,\n1C,,,\n" + ann, its.id).text)
    assert "Lines 4, 7 repeat line 2 and are counted only once." in looked
    assert "Line 6 repeats line 5 and is counted only once." in looked
    assert "Maple Court 3 new 1 new" in looked


def test_sheets_that_are_not_read_are_named(quick_office: Office) -> None:
    workbook = Workbook()
    assert workbook.active is not None
    for sheet in (workbook.active, workbook.create_sheet("Elm"), workbook.create_sheet("Notes")):
        for cells in (("Call Ann",),) if sheet.title == "Notes" else (("Unit", "Tenant"), ("1A", "Ann Lee")):
            sheet.append(cells)
    workbook.save(written := io.BytesIO())
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = plain(bring(browser, written.getvalue(), its.id).text)
    assert "Only the sheet Sheet is read. Upload the sheet Elm as a separate file." in looked
