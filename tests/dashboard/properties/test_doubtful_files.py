"""Tests that doubtful parts of a rent roll are shown before it is imported."""

from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_property_files import AT, bring, held, plain, previewed, said, send


def test_other_people_in_next_months_rent_roll_are_listed_by_unit_before_anything_is_done(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    first = "Unit,Tenant,Move Out\n2E,Eva Garcia,\n3A,Paul Hall,\n4B,Ann Lee,2026-03-31\n5C,Bo Cruz,\n"
    send(browser, None, f"{AT}/add", property=its.id, **held(bring(browser, first, its.id)))
    looked = bring(browser, "Unit,Tenant\n2E,VACANT\n3A,Dana Whitfield\n4B,Ann Lee\n5C,Bo Cruz\n", its.id)
    eva = "2 2E Eva Garcia Enter the last day : Eva Garcia vacant Eva Garcia stays. If Eva Garcia moved out, enter the last day first."
    ann = "4 4B Ann Lee moved out on Mar 31, 2026 Change the last day : Ann Lee Ann Lee Ann Lee has moved out and isn’t added again."
    page = plain(looked.text)
    for shown in ("Maple Court 3 different, 1 unchanged 1 new, 1 different, 1 unchanged", eva, ann):
        assert shown in page
    assert (
        "3 3A Paul Hall Enter the last day : Paul Hall Dana Whitfield Paul Hall stays. Dana Whitfield is added" in page
    )
    leave = looked.text.split("Enter the last day")[0].rsplit('href="', 1)[1].split('"')[0]
    assert "Eva Garcia" in browser.get(leave).text
    told = previewed(browser, looked, property=its.id)
    assert eva in told
    assert "By line 5 Line Unit Tenant Status 2 2E Different 3 3A Different 3 3A Dana Whitfield New" in told
    only_vacant = plain(bring(browser, "Unit,Tenant\n2E,VACANT\n", its.id).text)
    assert eva in only_vacant
    assert "There is nothing to add. Choose another file" in only_vacant
    assert "Everything in this file already exists" not in only_vacant


def test_a_column_that_was_probably_chosen_wrongly_is_named_before_its_lines(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, "Unit,Kind\n1,loft\n2,loft\n3,flat\n", its.id)
    wrong = send(browser, None, f"{AT}/columns", **said(looked, "label", "bedrooms"), property=its.id)
    page = plain(wrong.text)
    assert "Almost no line of the column “Kind” can be read as “Bedrooms”. It’s probably the wrong column." in page
    assert page.index("Almost no line") < page.index("3 lines have problems.")


def test_a_move_out_day_that_is_years_away_is_named(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, "Unit,Tenant,Move Out\n2E,Eva,2062-01-31\n3A,Paul,2031-12-31\n", its.id)
    page = plain(looked.text)
    assert "Line 2: Eva in unit 2E moves out on January 31, 2062. Check the year." in page
    assert page.count("Check the year.") == 1
