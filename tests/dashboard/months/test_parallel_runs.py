"""What the old way charged beside what we charge: brought, its columns said, and compared."""

import html
import re

import pytest

from prorata.adapters.files.spreadsheet_files import xlsx_file
from prorata.domain.accounts.login_throttling import COMPARISONS_OF_A_MEMBER
from tests.dashboard.conftest import OWN_SITE, Office
from tests.dashboard.months.test_months import MONTH, furnished
from tests.dashboard.properties.test_units import add_unit
from tests.dashboard.splitting.test_share_rules import add_bill


def test_the_sum_below_what_was_pasted_is_left_out_and_told(office: Office) -> None:
    its, browser = furnished(office), office.browser("viewer")
    pasted = "Unit 1\t30.00\nUnit 2\t30.00\nUnit 3\t30.00\n<Total>\t90.00"
    page = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted}).text
    assert "Line 4, “&lt;Total&gt;”, is a sum, and was left out." in page
    assert "No unit of this property has this label." not in page
    other = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted.replace("<Total>", "<All>")})
    assert "The last row, “&lt;All&gt;”, is the sum of the others, and was left out." in other.text
    wrong = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted.replace("90.00", "95.00")})
    assert "It says $95.00, but the rows above come to $90.00." in wrong.text


WIDE = "Maple Court, March\n\nFlat\tResident\tW\tS\n1\tAnn\t20.00\t10.00\n2\tvacant\t\t\n3\tCy\t30.00\t-\n"


def test_columns_that_nobody_knows_are_asked_about_and_remembered_by_who_may_change_things(office: Office) -> None:
    its, browser, viewer = furnished(office), office.browser("manager"), office.browser("viewer")
    at = f"/properties/{its}/months/{MONTH}/compare"
    asked = viewer.post(at, {"pasted": WIDE}).text
    assert "Say which column has the units" in asked
    assert "remember these columns" not in asked
    assert 'name="line" value="3"' in asked
    assert re.findall(r'name="column.(\d)".*?<option value="(\w+)" selected>', asked) == [("0", "unit")]
    said = {"pasted": WIDE, "line": "3", "column.0": "unit", "column.2": "amount", "column.3": "amount"}
    refused = viewer.post(at, said | {"column.1": "unit"})
    assert refused.status_code == 400
    assert "Several columns are said to have the units. Keep one of them." in refused.text
    assert len(re.findall(r'<option value="unit" selected>', refused.text)) == 2, "what was chosen stays"
    assert (
        "No column is said to have what was charged." in viewer.post(at, said | {"column.2": "", "column.3": ""}).text
    )
    compared = viewer.post(at, said).text
    assert "Unit by unit" in compared
    assert "$60.00" in compared, "the columns are added up, and the vacant unit paid nothing"
    assert viewer.post(f"{at}/remembered", said).status_code == 403
    assert "Say which column has the units" in viewer.post(at, {"pasted": WIDE}).text
    assert "Unit by unit" in browser.post(f"{at}/remembered", said).text
    again = viewer.post(at, {"pasted": WIDE.replace("20.00", "21.00")}).text
    assert "Unit by unit" in again
    assert "$61.00" in again


def test_columns_without_names_are_proposed_and_known_again_by_what_stands_in_them(quick_office: Office) -> None:
    its, browser = furnished(quick_office), quick_office.browser("manager")
    at = f"/properties/{its}/months/{MONTH}/compare"
    pasted = "1\tAnn\t30.00\n2\tBo\t30.00\n3\tCy\t30.00\n"
    asked = browser.post(at, {"pasted": pasted}).text
    assert re.findall(r'<option value="(\w+)" selected>', asked) == ["unit", "amount"]
    assert "What Column 2 is" in asked
    said = {"pasted": pasted, "line": "0", "column.0": "unit", "column.2": "amount"}
    assert "Both ways charge every unit the same" in browser.post(f"{at}/remembered", said).text
    assert "Both ways charge every unit the same" in browser.post(at, {"pasted": pasted}).text


def test_a_row_that_was_taken_for_the_header_can_be_said_to_be_a_unit(quick_office: Office) -> None:
    its, browser = furnished(quick_office), quick_office.browser("viewer")
    at, pasted = f"/properties/{its}/months/{MONTH}/compare", "Unit 3\tvacant\nUnit 1\t30.00\nUnit 2\t30.00\n"
    asked = browser.post(at, {"pasted": pasted}).text
    assert '<option value="0">None: the first row is a unit</option>' in asked
    compared = browser.post(at, {"pasted": pasted, "line": "0"}).text
    assert "Unit by unit" in compared
    assert "No unit of this property has this label." not in compared
    assert browser.post(at, {"pasted": pasted, "line": "99"}).status_code == 200


@pytest.mark.parametrize(
    ("pasted", "says"),
    [
        ("30.00\n20.00", "This is one column alone."),
        ("x,1\n" * 5_001, "The table has more than 5,000 rows."),
        ("Unit,Amount\n1,lots\n2,lots\n3,5.00", "Lines 2–3: "),
        ("Unit,Amount\n", "There are no amounts below the header."),
    ],
)
def test_what_can_be_no_charges_of_before_is_one_sentence(quick_office: Office, pasted: str, says: str) -> None:
    its, browser = furnished(quick_office), quick_office.browser("viewer")
    refused = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted})
    assert refused.status_code == 400
    assert says in refused.text
    assert refused.text.count("lots") == pasted.count("lots"), "the problem is said once"


def test_amounts_with_a_comma_are_compared_where_they_are_written_so(office: Office) -> None:
    its, browser = office.add_property(country="DE"), office.browser("viewer")
    for label in ("EG", "DG"):
        add_unit(office, its, label)
    add_bill(office, its, 60_20, "2026-02-03")
    for pasted in ("EG\t30,10\nDG\t30,10", "EG;30,10\nDG;30,10", "Wohnung\tBetrag\nEG\t30,10\nDG\t30,10\nSumme\t60,20"):
        page = browser.post(f"/properties/{its.id}/months/2026-02/compare", {"pasted": pasted}).text
        assert "Both ways charge every unit the same, to the cent." in page, pasted


def test_a_workbook_is_compared_and_its_figures_add_up(office: Office) -> None:
    its, browser = furnished(office), office.browser("viewer")
    at = f"/properties/{its}/months/{MONTH}/compare"
    page = browser.get(at).text
    assert 'accept=".csv,.xlsx' in page
    token = page.split('name="form_token" value="')[1].split('"')[0]
    book = b"".join(xlsx_file(("Unit", "Tenant", "Amount"), [(str(number), "", "30.00") for number in (1, 2, 3)]))
    sent = {"data": {"form_token": token, "pasted": ""}, "headers": OWN_SITE}
    answer = browser.client.post(at, files={"file": ("before.xlsx", book)}, **sent)
    assert "Both ways charge every unit the same" in answer.text
    odd = b"".join(xlsx_file(("Where", "Who", "Sept"), [(str(number), "", "30.00") for number in (1, 2, 3)]))
    asked = browser.client.post(at, files={"file": ("before.xlsx", odd)}, **sent).text
    pasted = html.unescape(asked.split('<textarea name="pasted" hidden>\n')[1].split("</textarea>")[0])
    assert pasted.startswith("Where\tWho\tSept\n1\t\t30.00\n")
    said = {"pasted": pasted, "line": "1", "column.0": "unit", "column.2": "amount"}
    assert "Both ways charge every unit the same" in browser.post(at, said).text
    broken = browser.client.post(at, files={"file": ("before.xlsx", b"PK\x03\x04no")}, **sent)
    assert broken.status_code == 400
    assert 'id="wrong-file"' in broken.text


def test_a_member_has_so_many_months_compared_and_then_waits(quick_office: Office) -> None:
    its = furnished(quick_office)
    browser, at = quick_office.browser("viewer"), f"/properties/{its}/months/{MONTH}/compare"
    token = re.findall(r'name="form_token" value="([^"]+)"', browser.get(at).text)[-1]
    pasted = {"pasted": "1,6.00"}
    for _ in range(COMPARISONS_OF_A_MEMBER):
        assert browser.post(at, {}, token=token).status_code == 400
    answer = browser.post(at, pasted, token=token)
    assert answer.status_code == 429
    assert "1,6.00" in answer.text
    assert quick_office.browser("owner").post(at, pasted).status_code == 200
