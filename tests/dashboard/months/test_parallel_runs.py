"""Tests of the comparison with the former program's charges.

A member uploads a file and names its columns, and the page compares the amounts.
"""

import re

import pytest

from prorata.adapters.files.spreadsheet_files import xlsx_file
from prorata.domain.accounts.login_throttling import COMPARISONS_OF_A_MEMBER
from tests.dashboard.conftest import OWN_SITE, Office
from tests.dashboard.months.test_months import MONTH, furnished
from tests.dashboard.properties.test_units import add_tenant, add_unit
from tests.dashboard.sent_files import kept
from tests.dashboard.splitting.test_share_rules import add_bill

LOTS = '<td>2–3<span class="sub">1 · 2</span></td><td><strong>Amount</strong> <span class="quiet">lots</span><br>This is not'


def test_the_sum_below_what_was_pasted_is_left_out_and_told(office: Office) -> None:
    its, browser = furnished(office), office.browser("viewer")
    pasted = "Unit 1\t30.00\nUnit 2\t30.00\nUnit 3\t30.00\n<Total>\t90.00"
    page = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted}).text
    assert "Line 4, “&lt;Total&gt;”, is a sum and was left out." in page
    assert "No unit in this property has this label." not in page
    other = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted.replace("<Total>", "<All>")})
    assert "The last row, “&lt;All&gt;”, is the sum of the others and was left out." in other.text
    wrong = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted.replace("90.00", "95.00")})
    assert "It shows $95.00, but the rows above add up to $90.00." in wrong.text


def test_a_reason_of_many_units_is_told_once_with_them_and_both_sums(quick_office: Office) -> None:
    maple, _ = houses(quick_office)
    viewer = quick_office.browser("viewer")
    page = viewer.post(f"/properties/{maple}/months/2026-02/compare", {"pasted": "1\t47.00\n2\t13.00"}).text
    assert page.count("No reason was found.") == 1
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "2 units, $60.00 before and $60.00 here: No reason was found. Both charge the same total" in text
    assert "Which units 1, 2" in text
    assert "1 $47.00 $30.00 -$17.00 See above" in text
    odd = FIRM.replace("elm", "Elm Street 5").replace("A,2026-01-10,Water,30.00", "A,2026-01-10,Water,41.00")
    page = viewer.post(
        AT, {"pasted": odd.replace("2,Tenant 2,02/10/2026,Water,20.00", "2,Tenant 2,2026-02,Water,7.00")}
    ).text
    assert page.count("No reason was found.") == 1
    assert "2 months: No reason was found. The two sums differ" in " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_what_differs_only_by_rounding_comes_after_what_is_to_look_at(quick_office: Office) -> None:
    maple, _ = houses(quick_office)
    viewer = quick_office.browser("viewer")
    page = viewer.post(f"/properties/{maple}/months/2026-02/compare", {"pasted": "1\t30.01\n2\t13.00"}).text
    assert re.findall(r'<th scope="row">(\d)</th>', page) == ["2", "1"]
    pasted = "Property,Unit,Month,Amount\nMaple Court,1,2026-01,30.01\nMaple Court,1,2026-02,41.00\n"
    pasted += "Maple Court,2,2026-01,30.00\nMaple Court,2,2026-02,30.00\n"
    page = viewer.post(AT, {"pasted": pasted}).text
    assert re.findall(r'Maple Court<span class="sub">(\w+) 2026', page) == ["February", "January"]


def test_people_who_did_not_live_there_are_one_sentence_with_their_rows(quick_office: Office) -> None:
    maple, _ = houses(quick_office)
    viewer = quick_office.browser("viewer")
    pasted = "Tenant,Jan 2026,Feb 2026\nTenant 1,30,30\nTenant 2,30,30\nZoe Kim,5.00,6.00\nCy <Day>,7.00,8.00\n"
    page = viewer.post(f"/properties/{maple}/months/2026-02/compare", {"pasted": pasted}).text
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert (
        "2 units, $14.00 before and $0.00 here: Lines 4–5 name Zoe Kim, Cy &lt;Day&gt;. Nobody with this name" in text
    )
    assert page.count("Nobody with this name lived in the property in this month.") == 1
    page = viewer.post(
        AT, {"pasted": pasted.replace("Tenant,", "Property,Tenant,").replace("\n", "\nMaple Court,", 4)}
    ).text
    assert page.count("Nobody with this name lived in the property in this month.") == 1
    assert "2 months: Lines 4–5 name Zoe Kim, Cy &lt;Day&gt;. Nobody with" in " ".join(page.split())


WIDE = "Maple Court, March\n\nFlat\tResident\tW\tS\n1\tAnn\t20.00\t10.00\n2\tvacant\t\t\n3\tCy\t30.00\t-\n"


@pytest.mark.thorough
def test_columns_that_nobody_knows_are_asked_about_and_remembered_by_who_may_change_things(office: Office) -> None:
    its, browser, viewer = furnished(office), office.browser("manager"), office.browser("viewer")
    at = f"/properties/{its}/months/{MONTH}/compare"
    page = viewer.post(at, {"pasted": WIDE})
    asked = page.text
    assert "Choose the column that contains the units" in asked
    assert "remember these columns" not in asked
    assert 'name="line" value="3"' in asked
    assert re.findall(r'name="column.(\d)".*?<option value="(\w+)" selected>', asked) == [
        ("0", "unit"),
        ("1", "tenant"),
    ]
    said = kept(page) | {"column.0": "unit", "column.1": "", "column.2": "amount", "column.3": "amount"}
    refused = viewer.post(at, said | {"column.1": "unit"})
    assert refused.status_code == 400
    assert "Several columns are set as “Unit”. Keep one of them." in refused.text
    assert len(re.findall(r'<option value="unit" selected>', refused.text)) == 2, "what was chosen stays"
    assert "No column is set as “What it was charged”." in viewer.post(at, said | {"column.2": "", "column.3": ""}).text
    compared = viewer.post(at, said).text
    assert "Unit by unit" in compared
    assert "$60.00" in compared, "the columns are added up, and the vacant unit paid nothing"
    assert viewer.post(f"{at}/remembered", said).status_code == 403
    assert "Choose the column that contains the units" in viewer.post(at, {"pasted": WIDE}).text
    assert "Unit by unit" in browser.post(f"{at}/remembered", said).text
    again = viewer.post(at, {"pasted": WIDE.replace("20.00", "21.00")}).text
    assert "Unit by unit" in again
    assert "$61.00" in again


def test_columns_without_names_are_proposed_and_known_again_by_what_stands_in_them(quick_office: Office) -> None:
    its, browser = furnished(quick_office), quick_office.browser("manager")
    at = f"/properties/{its}/months/{MONTH}/compare"
    pasted = "1\tAnn\t30.00\n2\tBo\t30.00\n3\tCy\t30.00\n"
    asked = browser.post(at, {"pasted": pasted})
    assert re.findall(r'<option value="(\w+)" selected>', asked.text) == ["0", "unit", "amount"]
    assert "What Column 2 is" in asked.text
    said = kept(asked) | {"column.0": "unit", "column.2": "amount"}
    assert "Both methods charge every tenant the same" in browser.post(f"{at}/remembered", said).text
    assert "Both methods charge every tenant the same" in browser.post(at, {"pasted": pasted}).text


def test_a_row_that_was_taken_for_the_header_can_be_said_to_be_a_unit(quick_office: Office) -> None:
    its, browser = furnished(quick_office), quick_office.browser("viewer")
    at, pasted = f"/properties/{its}/months/{MONTH}/compare", "Unit 3\tvacant\nUnit 1\t30.00\nUnit 2\t30.00\n"
    asked = browser.post(at, {"pasted": pasted})
    assert '<option value="0">None: the file has no column names, and starts with a unit</option>' in asked.text
    held = {name: value for name, value in kept(asked).items() if name != "mapping"}
    compared = browser.post(at, held | {"line": "0"}).text
    assert "Unit by unit" in compared
    assert "No unit in this property has this label." not in compared
    assert browser.post(at, held | {"line": "99"}).status_code == 200


@pytest.mark.parametrize(
    ("pasted", "says"),
    [
        ("30.00\n20.00", "There is only one column."),
        ("x,1\n" * 50_001, "The table has more than 50,000 rows or charges."),
        ("Unit,Jan 2026,Feb 2026\n" + "x,1,2\n" * 25_001, "The table has more than 50,000 rows or charges."),
        ("Unit,Amount\n1,lots\n2,lots\n3,5.00", LOTS),
        ("Unit,Amount\n", "There are no amounts below the header."),
    ],
)
def test_what_can_be_no_charges_of_before_is_one_sentence(quick_office: Office, pasted: str, says: str) -> None:
    its, browser = furnished(quick_office), quick_office.browser("viewer")
    refused = browser.post(f"/properties/{its}/months/{MONTH}/compare", {"pasted": pasted})
    assert refused.status_code == 400
    assert says in refused.text
    assert refused.text.count("This is not a valid amount.") == ("lots" in pasted), "the problem is said once"


def test_amounts_with_a_comma_are_compared_where_they_are_written_so(office: Office) -> None:
    its, browser = office.add_property(country="DE"), office.browser("viewer")
    for label in ("EG", "DG"):
        add_unit(office, its, label)
    add_bill(office, its, 60_20, "2026-02-03")
    for pasted in ("EG\t30,10\nDG\t30,10", "EG;30,10\nDG;30,10", "Wohnung\tBetrag\nEG\t30,10\nDG\t30,10\nSumme\t60,20"):
        page = browser.post(f"/properties/{its.id}/months/2026-02/compare", {"pasted": pasted}).text
        assert "Both methods charge every tenant the same amount, to the cent." in page, pasted


def test_a_workbook_is_compared_and_its_figures_add_up(office: Office) -> None:
    its, browser = furnished(office), office.browser("viewer")
    at = f"/properties/{its}/months/{MONTH}/compare"
    page = browser.get(at).text
    assert 'accept=".csv,.xlsx' in page
    token = page.split('name="form_token" value="')[1].split('"')[0]
    book = b"".join(xlsx_file(("Unit", "Tenant", "Amount"), [(str(number), "", "30.00") for number in (1, 2, 3)]))
    sent = {"data": {"form_token": token, "pasted": ""}, "headers": OWN_SITE}
    answer = browser.client.post(at, files={"file": ("before.xlsx", book)}, **sent)
    assert "Both methods charge every tenant the same" in answer.text
    odd = b"".join(xlsx_file(("Where", "Who", "Sept"), [(str(number), "", "30.00") for number in (1, 2, 3)]))
    asked = browser.client.post(at, files={"file": ("before.xlsx", odd)}, **sent)
    said = kept(asked) | {"column.0": "unit", "column.2": "amount"}
    assert said["name"] == "before.xlsx"
    assert "Both methods charge every tenant the same" in browser.post(at, said).text
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


# --- many months of many properties ----------------------------------------------------------------------------------

AT = "/import/charges"


def houses(office: Office) -> tuple[str, str]:
    """The ids of two properties with two units each and bills for two months."""
    ids = []
    for name, labels in (("Maple Court", ("1", "2")), ("Elm Street 5", ("A", "B"))):
        its = office.add_property(name=name)
        for label in labels:
            add_tenant(office, add_unit(office, its, label), f"Tenant {label}")
        for day in ("2026-01-10", "2026-02-10"):
            add_bill(office, its, 60_00, day)
        ids.append(its.id)
    return ids[0], ids[1]


FIRM = (
    "Charges 2026,,,,,\n"
    "Property,Unit,Tenant,Month,Utility,Amount\n"
    "Maple Court,1,Tenant 1,2026-01,Water,30.00\n"
    "Maple Court,2,Tenant 2,January 2026,Water,30.00\n"
    "Maple Court,1,Tenant 1,Feb 2026,Water,40.00\n"
    "Maple Court,2,Tenant 2,02/10/2026,Water,20.00\n"
    "Total Maple Court,,,,,120.00\n"
    "elm,A,Tenant A,2026-01-10,Water,30.00\n"
    "elm,,Tenant B,2026-01-10,Water,30.00\n"
    "elm,A,Tenant A,2025-12-10,Water,31.00\n"
)


def test_charges_of_many_properties_and_months_are_compared_each_with_its_own(office: Office) -> None:
    houses(office)
    browser, viewer = office.browser("manager"), office.browser("viewer")
    assert 'href="/import/charges"' in viewer.get("/months").text
    asked = viewer.post(AT, {"pasted": FIRM})
    chosen = re.findall(r'name="column.(\d)".*?<option value="(\w+)" selected>', asked.text)
    assert [field for _, field in chosen] == ["property", "unit", "tenant", "month", "utility", "amount"]
    (likely,) = re.findall(r'name="word.property.1".*?<option value="(\w+)" selected>Elm Street 5', asked.text)
    meant = kept(asked) | {"text.property.1": "elm", "word.property.1": likely}
    page = viewer.post(AT, meant)
    text = " ".join(re.sub(r"<[^>]+>", " ", page.text).split())
    assert "1 month differs" in text
    assert "Maple Court February 2026 $60.00 $60.00 $0.00 2 units differ." in text
    assert (
        "1 month has no bills here Property and month Before Prorata Difference Why Elm Street 5 December 2025 $31.00"
        in text
    )
    assert "2 months are the same to the cent" in text
    assert "Line 7, “Total Maple Court”, is a sum and was left out." in text
    assert viewer.post(f"{AT}/remembered", meant).status_code == 403
    browser.post(f"{AT}/remembered", meant)
    assert "2 months are the same to the cent" in viewer.post(AT, {"pasted": FIRM}).text


@pytest.mark.thorough
def test_columns_for_months_and_utilities_are_read_and_a_year_that_is_not_there_is_asked_for(
    quick_office: Office,
) -> None:
    maple, _ = houses(quick_office)
    viewer = quick_office.browser("viewer")
    by_month = (
        "Property,Unit,Tenant,Jan 2026,Feb 2026,Total\nMaple Court,1,Ann,30.00,30.00,60\nMaple Court,2,Bo,30,31.00,61\n"
    )
    page = viewer.post(AT, {"pasted": by_month}).text
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "The months are the names of columns: January 2026, February 2026." in text
    assert "These columns aren’t read" not in text
    assert "This column isn’t read: Total" in text
    assert "1 month differs" in text
    assert "1 month is the same to the cent" in text
    asked = viewer.post(AT, {"pasted": by_month.replace(" 2026", "")})
    assert "Enter the year of the columns that are named after months, such as 2025." in asked.text
    assert "Choose which column contains:" not in asked.text
    assert 'name="fixed.month"' not in asked.text
    said = {f"column.{at}": field for at, field in enumerate(("property", "unit", "tenant", "amount", "amount", ""))}
    assert viewer.post(AT, kept(asked) | said | {"fixed.year": "26"}).status_code == 400
    assert "1 month is the same to the cent" in viewer.post(AT, kept(asked) | said | {"fixed.year": "2026"}).text
    at = f"/properties/{maple}/months/2026-01/compare"
    of_month = viewer.post(at, {"pasted": by_month.replace(" 2026", "")})
    assert (
        'name="fixed.year" inputmode="numeric" pattern="20[0-9]{2}" maxlength="4" required value="2026"'
        in of_month.text
    )
    by_utility = "Unit,Month,Water charge,Trash fee\n1,2026-01,30.00,\n2,2026-01,25.00,5.00\n"
    page = viewer.post(at, {"pasted": by_utility}).text
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Each of these columns has the amounts for one utility: Water charge, Trash fee." in text
    assert "Both methods charge every tenant the same" in text
    assert "Garbage $5.00 $0.00" in text


def test_the_utility_of_a_column_is_chosen_and_remembered(quick_office: Office) -> None:
    maple, _ = houses(quick_office)
    manager, at = quick_office.browser("manager"), f"/properties/{maple}/months/2026-01/compare"
    file = "Unit,Bath (common)\n1,30.00\n2,30.00\n"
    asked = manager.post(at, {"pasted": file})
    said = kept(asked) | {"column.0": "unit", "column.1": "amount:WATER"}
    assert 'value="amount:WATER" selected' in manager.post(f"{at}/remembered", said).text
    text = " ".join(re.sub(r"<[^>]+>", " ", manager.post(at, {"pasted": file}).text).split())
    assert "Each of these columns" not in text
    assert "This column has the amounts for one utility: Bath (common)." in text
    assert "Water $60.00 $60.00 Same" in text


def test_a_month_of_many_is_looked_at_unit_by_unit_and_by_utility(office: Office) -> None:
    maple, _ = houses(office)
    viewer = office.browser("viewer")
    firm = FIRM.replace("elm", "Elm Street 5")
    page = viewer.post(AT, {"pasted": firm})
    at = f"/properties/{maple}/months/2026-02/compare"
    assert f'formaction="{at}"' in page.text
    one = viewer.post(at, kept(page))
    text = " ".join(re.sub(r"<[^>]+>", " ", one.text).split())
    assert "Before $60.00 charged the old way" in text
    assert "1 $40.00 $30.00 -$10.00" in text
    assert "By utility Utility Before Prorata Difference Water $60.00 $60.00 Same" in text
    assert "The file contains 3 more months for your properties." in text
    assert "2 months are the same to the cent" in viewer.post(AT, kept(one)).text
    both = viewer.post(at, {"pasted": firm.replace("Water", "Water & Trash")}).text
    assert "Water, Garbage" in both, "what the file names together is compared so"
    other = viewer.post(f"/properties/{maple}/months/2026-03/compare", {"pasted": firm}).text
    assert "The file contains nothing for Maple Court in March 2026." in other


def test_rows_that_can_not_be_compared_are_left_out_where_somebody_says_so(quick_office: Office) -> None:
    houses(quick_office)
    viewer = quick_office.browser("viewer")
    bad = FIRM.replace("elm", "Nowhere").replace("40.00", "lots")
    asked = viewer.post(AT, {"pasted": bad})
    refused = viewer.post(AT, kept(asked) | {"text.property.1": "Nowhere", "word.property.1": ""})
    assert refused.status_code == 400
    assert "4 lines have problems." in refused.text
    assert "<td>8–10<" in refused.text
    assert "Leave these 4 rows out and compare the rest" in refused.text
    assert viewer.post(AT, kept(refused, left_out="3")).status_code == 400, "others were shown"
    page = viewer.post(AT, kept(refused, left_out="4")).text
    assert "4 rows with problems were left out." in page
    assert "Maple Court" in page


def test_a_file_without_a_property_or_a_month_is_asked_for_it(quick_office: Office) -> None:
    maple, _ = houses(quick_office)
    viewer = quick_office.browser("viewer")
    asked = viewer.post(AT, {"pasted": "Unit,Amount\n1,30.00\n2,30.00\n"})
    assert "Choose which column contains:</p>" not in asked.text
    assert "Property; Month, or a day of it" in " ".join(re.sub(r"<[^>]+>", "", asked.text).split())
    said = {"column.0": "unit", "column.1": "amount", "fixed.property": maple, "fixed.month": "2026-01"}
    page = viewer.post(AT, kept(asked) | said).text
    assert "1 month is the same to the cent" in page
