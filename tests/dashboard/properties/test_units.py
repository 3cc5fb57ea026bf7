"""The pages of a property, its units and their tenants, in a browser without scripts."""

import re
from datetime import date
from decimal import Decimal
from html import unescape

import pytest

from prorata.actions.bills import bills
from prorata.actions.properties import tenants, units
from prorata.actions.splitting import share_rules
from prorata.actions.splitting.share_rules import Terms
from prorata.domain.bills.bills import NewBill
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from tests.dashboard.conftest import Browser, Office

TODAY = "2026-03-01"
FEBRUARY = date(2026, 2, 20)


def add_unit(office: Office, its: PropertyRow, label: str, **values: object) -> UnitRow:
    return office.database.write(lambda tx: units.create(tx, office.caller, its.id, {"label": label} | values))


def add_tenant(office: Office, unit: UnitRow, name: str, **values: object) -> TenantRow:
    return office.database.write(lambda tx: tenants.create(tx, office.caller, unit.id, {"name": name} | values))


def divide_by(office: Office, its: PropertyRow, method: str) -> None:
    rule = office.database.read(lambda tx: share_rules.of_property(tx, office.caller, its.id))[0]
    office.database.write(lambda tx: share_rules.change(tx, office.caller, rule.row.id, {"split_method": method}))


def said(browser: Browser, answer: object) -> str:
    """The page that a form redirects to."""
    assert answer.status_code == 303, answer.text  # type: ignore[attr-defined]
    return browser.get(answer.headers["location"]).text  # type: ignore[attr-defined]


def test_an_empty_property_says_to_add_its_units(quick_office: Office) -> None:
    its = quick_office.add_property()
    assert "Add the units first" in quick_office.browser("manager").get(f"/properties/{its.id}").text
    seen = quick_office.browser("viewer").get(f"/properties/{its.id}").text
    assert f"/properties/{its.id}/units/new" not in seen


def test_a_unit_is_added_with_who_lives_there_and_the_next_one_after_it(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    form = f"/properties/{its.id}/units/new"
    sent = {"label": "2B", "sqft": "1,850.5", "bedrooms": "", "monthlyRent": "1,200.50", "tenantName": "Ann Lee",
            "tenantEmail": "ann@example.org"}  # fmt: skip
    assert browser.post(form, sent | {"another": "true"}).headers["location"] == form
    page = said(browser, browser.post(form, {"label": "10A", "tenantName": "", "tenantEmail": ""}))
    assert page.index(">2B<") < page.index(">10A<")
    assert "Ann Lee" in page
    assert "1,850.5" in page
    assert ">Vacant<" in page


def test_the_page_of_a_unit_says_how_many_people_are_counted_under_each_name(quick_office: Office) -> None:
    unit = add_unit(quick_office, quick_office.add_property(), "1")
    add_tenant(quick_office, unit, "Ann", occupants=2)
    add_tenant(quick_office, unit, "Bo")
    page = quick_office.browser("viewer").get(f"/units/{unit.id}").text
    assert page.count("2 people") == page.count("1 person") == 1


def test_a_taken_label_is_said_beside_it_and_what_was_typed_is_kept(office: Office) -> None:
    browser, its = office.browser("owner"), office.add_property()
    add_unit(office, its, "2B")
    other = add_unit(office, its, "3C")
    answer = browser.post(f"/properties/{its.id}/units/new", {"label": " 2b ", "tenantName": "Ann Lee"})
    assert 'value="Ann Lee"' in answer.text
    for refused in (answer, browser.post(f"/units/{other.id}/edit", {"label": "2B"})):
        assert refused.status_code == 409
        assert 'aria-invalid="true" aria-describedby="wrong-label"' in refused.text
        assert refused.text.count("already has a unit with this label") == 1
    wrong = browser.post(f"/properties/{its.id}/units/new", {"label": "3", "sqft": "big", "tenantEmail": "ann"})
    assert "Enter a number from 0 to 10,000,000, such as 1250.5." in wrong.text
    assert "Enter an e-mail address" in wrong.text
    assert 'value="big"' in wrong.text


def test_what_a_rule_divides_by_and_nobody_has_entered_is_marked(office: Office) -> None:
    browser, its = office.browser("viewer"), office.add_property()
    known, unknown = add_unit(office, its, "1", sqft=850), add_unit(office, its, "2")
    assert "No floor area" not in browser.get(f"/properties/{its.id}").text
    divide_by(office, its, "SQFT")
    assert browser.get(f"/properties/{its.id}").text.count("No floor area") == 1
    assert "the others pay more" in browser.get(f"/units/{unknown.id}").text
    assert "the others pay more" not in browser.get(f"/units/{known.id}").text


@pytest.mark.parametrize(("wanted", "labels"), [("lee", ["2"]), ("ANN@", ["2"]), ("1", ["1", "10"]), ("zz", [])])
def test_units_are_found_by_their_label_and_by_who_lives_there(office: Office, wanted: str, labels: list[str]) -> None:
    its = office.add_property()
    for label in ("10", "2", "1"):
        unit = add_unit(office, its, label)
        if label == "2":
            add_tenant(office, unit, "Ann Lee", email="ann@example.org")
    page = office.browser("viewer").get(f"/properties/{its.id}?search={wanted}").text
    found = [label for label in ("1", "2", "10") if f'">{label}</a>' in page]
    assert found == labels


def test_a_unit_without_invoices_is_deleted_and_one_out_of_use_is_used_again(office: Office) -> None:
    browser, its = office.browser("owner"), office.add_property()
    unit, kept = add_unit(office, its, "1"), add_unit(office, its, "2", active_to="2026-01-31")
    page = browser.get(f"/properties/{its.id}").text
    assert '">2</a>' not in page
    assert "Show 1 out of use" in page
    assert "Out of use" in browser.get(f"/properties/{its.id}?inactive=true").text
    assert "permanently removed" in browser.get(f"/units/{unit.id}/delete").text
    assert "Unit 1 was deleted." in said(browser, browser.post(f"/units/{unit.id}/delete", {}))
    assert "has been out of use since" in browser.get(f"/units/{kept.id}").text
    assert "in use again" in said(browser, browser.post(f"/units/{kept.id}/reactivate", {}))


def test_a_unit_is_changed_and_its_form_shows_what_it_is(office: Office) -> None:
    browser, its = office.browser("owner"), office.add_property()
    unit = add_unit(office, its, "1", sqft=850, monthly_rent=120_050)
    form = browser.get(f"/units/{unit.id}/edit").text
    assert 'value="1200.50"' in form
    assert "Not on invoices" in browser.get(f"/units/{unit.id}").text
    for at in (f"/units/{unit.id}/edit", "/import/units"):
        assert "The rent is for your records only: it isn’t put on invoices." in browser.get(at).text
    sent = {"label": "1A", "sqft": "", "bedrooms": "0", "monthlyRent": "", "activeFrom": "2026-01-01", "activeTo": ""}
    page = said(browser, browser.post(f"/units/{unit.id}/edit", sent))
    assert "Unit 1A was saved." in page
    assert "Not entered" in page


def test_a_tenant_moves_out_and_the_next_one_follows_in_one_form(office: Office) -> None:
    browser, unit = office.browser("manager"), add_unit(office, office.add_property(), "1")
    added = browser.post(f"/units/{unit.id}/tenants/new", {"name": "Ann Lee", "email": "", "moveInDate": "2026-01-01"})
    assert "Ann Lee was added." in said(browser, added)
    (ann,) = office.database.read(lambda tx: tenants.of_unit(tx, office.caller, unit.id))
    leave = f"/tenants/{ann.id}/leave"
    lacking = browser.post(leave, {"moveOutDate": "2026-02-07", "name": "", "email": "bea@example.org"})
    assert lacking.status_code == 400
    assert 'aria-describedby="wrong-name"' in lacking.text
    backwards = browser.post(leave, {"moveOutDate": "2025-12-01"})
    assert backwards.status_code == 400
    assert 'aria-describedby="wrong-moveOutDate"' in backwards.text
    page = said(browser, browser.post(leave, {"moveOutDate": "2026-02-07", "name": "Bea Ito", "email": ""}))
    assert "Bea Ito replaces Ann Lee as the tenant." in page
    assert "Previous tenants" in page
    assert (">Move out</a>" in page, "Change the last day" in browser.get(f"/tenants/{ann.id}").text) == (True, True)
    people = office.database.read(lambda tx: tenants.of_unit(tx, office.caller, unit.id))
    assert [(one.move_in, one.move_out) for one in people] == [("2026-01-01", "2026-02-07"), ("2026-02-08", None)]


def test_a_new_tenant_that_is_sent_twice_is_there_once(office: Office) -> None:
    its, who = office.add_property(), office.caller
    unit = office.database.write(lambda tx: units.create(tx, who, its.id, {"label": "1"}))
    browser, at = office.browser("owner"), f"/units/{unit.id}/tenants/new"
    once = browser.get(at).text.split('name="form_once" value="')[1].split('"')[0]
    ann = {"name": "Ann", "email": "", "moveInDate": "", "moveOutDate": "", "form_once": once}
    wrong = browser.post(at, ann | {"email": "ann"})
    assert (wrong.status_code, f'name="form_once" value="{once}"' in wrong.text) == (400, True)
    for _ in range(2):
        assert browser.post(at, ann).headers["location"] == f"/units/{unit.id}"
    assert [one.name for one in office.database.read(lambda tx: tenants.of_unit(tx, who, unit.id))] == ["Ann"]
    assert 'name="form_once"' not in browser.get(f"/units/{unit.id}").text


def test_a_tenant_is_changed_and_one_entered_by_mistake_is_removed_within_a_day(office: Office) -> None:
    browser, unit = office.browser("owner"), add_unit(office, office.add_property(), "1")
    ann = add_tenant(office, unit, "Ann Lee")
    sent = {"name": "Ann Li", "email": "ann@example.org", "moveInDate": "", "moveOutDate": ""}
    assert "Ann Li was saved." in said(browser, browser.post(f"/tenants/{ann.id}/edit", sent))
    assert "removed completely" in browser.get(f"/tenants/{ann.id}/remove").text
    assert "was removed" in said(browser, browser.post(f"/tenants/{ann.id}/remove", {}))
    bea = add_tenant(office, unit, "Bea Ito")
    office.clock.advance(days=2)
    assert "Entered by mistake" not in browser.get(f"/tenants/{bea.id}/edit").text
    instead = browser.get(f"/tenants/{bea.id}/remove")
    assert instead.headers["location"] == f"/tenants/{bea.id}/leave"
    assert "move-out date instead" in said(browser, instead)
    refused = browser.post(f"/tenants/{bea.id}/remove", {})
    assert refused.status_code == 409
    assert "move-out date instead" in refused.text


@pytest.mark.parametrize("path", ["/units/{unit}", "/units/{unit}/edit", "/units/{unit}/delete",
                                  "/units/{unit}/tenants/new", "/tenants/{tenant}/edit", "/tenants/{tenant}/leave",
                                  "/tenants/{tenant}/remove"])  # fmt: skip
def test_a_strangers_units_and_tenants_are_not_there(quick_office: Office, path: str) -> None:
    unit = add_unit(quick_office, quick_office.add_property(), "1")
    ann = add_tenant(quick_office, unit, "Ann Lee")
    at = path.replace("{unit}", unit.id).replace("{tenant}", ann.id)
    mine, stranger = quick_office.browser("owner"), quick_office.browser("stranger")
    assert mine.get(at).status_code == 200
    assert stranger.get(at).status_code == 404
    sent = {} if path.endswith(("/delete", "/remove")) else {"label": "2", "name": "X", "moveOutDate": TODAY}
    if path != "/units/{unit}":
        assert stranger.post(at, sent).status_code == 404


def test_a_viewer_sees_a_unit_and_no_buttons(quick_office: Office) -> None:
    unit = add_unit(quick_office, quick_office.add_property(), "1")
    add_tenant(quick_office, unit, "Ann Lee")
    page = quick_office.browser("viewer").get(f"/units/{unit.id}").text
    assert "Ann Lee" in page
    assert "/edit" not in page
    assert "/leave" not in page


def test_the_last_bills_of_a_property_stand_on_its_page(quick_office: Office) -> None:
    its = quick_office.add_property()
    page = quick_office.browser("manager").get(f"/properties/{its.id}/bills").text
    assert "No bills yet" in page


def test_a_page_of_5000_units_would_show_50_of_them(quick_office: Office) -> None:
    its = quick_office.add_property()
    for number in range(55):
        add_unit(quick_office, its, str(number))
    first, second = (quick_office.browser("viewer").get(f"/properties/{its.id}{at}").text for at in ("", "?page=2"))
    assert "1–50 of 55 units" in first
    assert '">54</a>' in second
    assert "No more units" in quick_office.browser("viewer").get(f"/properties/{its.id}?page=9").text


def test_an_address_without_a_name_is_refused_and_nothing_is_lost(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    form = f"/properties/{its.id}/units/new"
    answer = browser.post(form, {"label": "2B", "tenantName": "", "tenantEmail": "ann@example.org"})
    assert answer.status_code == 400
    assert "Enter the name of the person who lives there" in answer.text
    assert 'value="ann@example.org"' in answer.text
    assert "Add the units first" in browser.get(f"/properties/{its.id}").text
    sent = {"label": "2B", "tenantName": "Ann Lee", "tenantEmail": "", "tenantMoveInDate": "2026-04-15"}
    assert "Apr 15, 2026" in said(browser, browser.post(form, sent))


def labels(text: str, *among: str) -> list[str]:
    """Those of the labels in `among` that a page lists, in the page's order."""
    return [label for _, label in sorted((text.index(f'">{one}</a>'), one) for one in among if f'">{one}</a>' in text)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("sort=-label", ["10", "2", "1"]), ("sort=sqft", ["10", "1", "2"]), ("sort=-sqft", ["1", "10", "2"]),
        ("sort=bedrooms", ["1", "2", "10"]), ("only=vacant", ["1", "10"]), ("only=missing", ["2"]),
        ("only=vacant&search=lee", []), ("search=ann+2", ["2"]), ("search=gone", []),
    ],
)  # fmt: skip
def test_units_are_sorted_and_narrowed(office: Office, query: str, found: list[str]) -> None:
    its = office.add_property()
    ten, two = add_unit(office, its, "10", sqft=700), add_unit(office, its, "2", bedrooms=2)
    add_unit(office, its, "1", sqft=1100, bedrooms=1)
    add_tenant(office, two, "Ann Lee")
    add_tenant(office, ten, "Gone Ito", move_out="2026-01-31")
    divide_by(office, its, "SQFT")
    page = office.browser("viewer").get(f"/properties/{its.id}?{query}")
    assert page.status_code == 200
    assert labels(page.text, "1", "2", "10") == found


def test_who_lives_where_is_found_over_all_properties(office: Office) -> None:
    browser = office.browser("viewer")
    assert "No tenants yet" in browser.get("/tenants").text
    maple, elm = office.add_property(), office.add_property(name="Elm House")
    ann = add_tenant(office, add_unit(office, maple, "2B"), "Ann Lee", email="ann@example.org")
    bob = add_tenant(office, add_unit(office, elm, "2B"), "Bob <Chen>", move_out="2026-01-31")
    add_unit(office, elm, "7")
    page = browser.get("/tenants?search=lee").text
    assert f'href="/units/{ann.unit_id}">2B</a>' in page
    assert f'href="/properties/{maple.id}">Maple Court</a>' in page
    assert "Bob" not in browser.get("/tenants").text
    page = browser.get("/tenants?gone=true&sort=-name").text
    assert page.index("Bob &lt;Chen&gt;") < page.index("Ann Lee")
    assert "Moved out" in page
    assert f"/tenants/{bob.id}/edit" not in page
    assert f"/tenants/{bob.id}/edit" in office.browser("manager").get("/tenants?gone=true").text
    assert "Matching vacant units" in browser.get("/tenants?search=elm+7").text
    assert "Nobody found" in browser.get("/tenants?search=nobody").text
    assert "No tenants yet" in office.browser("stranger").get("/tenants").text


def test_deleting_a_unit_names_the_rules_it_goes_out_of(quick_office: Office) -> None:
    its = quick_office.add_property()
    unit = add_unit(quick_office, its, "1")
    terms = Terms("PERCENTAGE", None, is_active=True, custom_weights_json='{"1": 40}', owner_percent=Decimal(),
                  vacant_occupants=Decimal())  # fmt: skip
    quick_office.database.write(lambda tx: share_rules.set_terms(tx, quick_office.caller, its.id, "WATER", terms))
    assert (
        "Its part in the rule for water is removed too"
        in quick_office.browser("owner").get(f"/units/{unit.id}/delete").text
    )


def test_tenants_are_leafed_through_by_the_places_their_pages_end_with(quick_office: Office) -> None:
    its, caller = quick_office.add_property(), quick_office.caller

    def fill(tx: Tx) -> None:
        for number in range(60):
            unit = units.create(tx, caller, its.id, {"label": str(number)})
            tenants.create(tx, caller, unit.id, {"name": f"Ann {number}"})

    quick_office.database.write(fill)
    browser = quick_office.browser("viewer")

    def leaf(path: str, way: str) -> tuple[list[str], str]:
        shown = browser.get(path).text
        (to,) = re.findall(rf'rel="{way}" href="([^"]*)"', shown) or [""]
        return re.findall(r'<th scope="row"><a href="[^"]*">(Ann \d+)', shown), unescape(to)

    seen, path = [], "/tenants?search=ann"
    paths = []
    while path:
        paths.append(path)
        names, path = leaf(path, "next")
        seen += names
    assert seen == [f"Ann {number}" for number in range(60)]
    assert ["after=" in one for one in paths] == [False, True, True]
    assert "51–60 of 60 tenants" in browser.get(paths[-1]).text
    names, first = leaf(leaf(paths[-1], "prev")[1], "prev")
    assert names == [f"Ann {number}" for number in range(25, 50)]
    assert "page=" not in first
    assert "after=" not in first
    assert browser.get("/tenants?after=nonsense").status_code == 400


@pytest.mark.parametrize("asked", ["for good", "out of use"])
def test_a_unit_is_not_deleted_for_good_where_taking_it_out_of_use_was_asked(office: Office, asked: str) -> None:
    browser, unit = office.browser("owner"), add_unit(office, office.add_property(), "1")
    if asked == "for good":
        office.database.write(
            lambda tx: bills.add(tx, office.caller, [NewBill(unit.property_id, "Aqua", ("WATER",), 90_00, FEBRUARY)])
        )
    refused = browser.post(f"/units/{unit.id}/delete", {"asked": asked})
    assert refused.status_code == 409
    assert "Nothing was done. Read the question again." in refused.text
    fits = "out of use" if asked == "for good" else "for good"
    assert f'name="asked" value="{fits}"' in refused.text
    assert browser.post(f"/units/{unit.id}/delete", {"asked": fits}).status_code == 303
