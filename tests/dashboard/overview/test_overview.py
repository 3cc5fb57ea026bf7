"""Tests of the Overview, an account's first steps, and the move from the former program."""

import re
from datetime import date

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import units
from prorata.domain.delivery.send_schedule import NO_SERVER
from tests.dashboard.billed import listed, set_status
from tests.dashboard.bills.test_bills import add, home, send_all
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.properties.test_units import add_tenant
from tests.dashboard.sent_files import send
from tests.dashboard.tenants import sent

# --- the overview ----------------------------------------------------------------------------------------------------


def test_a_new_account_sees_its_first_steps_and_ticks_off_what_is_done(office: Office) -> None:
    browser = office.browser("owner")
    text = browser.get("/").text
    assert "0 of 8 done" in text
    assert 'href="/properties/new"' in text
    maple = home(office)
    text = browser.get("/").text
    assert "2 of 8 done" in text
    assert f'href="/properties/{maple.id}/rules"' in text
    assert browser.post("/onboarding/rules", {}).headers["location"] == "/"
    assert "3 of 8 done" in browser.get("/").text
    assert browser.post("/onboarding/nothing", {}).status_code == 400
    add(office, maple)
    text = browser.get("/").text
    assert f"/properties/{maple.id}/months" not in text, "the months of all properties are to be checked"
    assert re.search(r'href="/months">See the months</a>', text)
    send_all(office)
    assert "of 8 done" not in browser.get("/").text


def test_a_viewer_sees_the_first_steps_without_what_would_take_them(quick_office: Office) -> None:
    home(quick_office)
    text = quick_office.browser("viewer").get("/").text
    assert "Your first invoices" in text
    assert "/rules" not in text
    assert quick_office.browser("stranger").post("/onboarding/rules", {}).status_code == 404


def test_the_overview_shows_the_newest_month_with_invoices_and_any_other_that_is_asked_for(office: Office) -> None:
    browser, maple = office.browser("viewer"), home(office)
    add(office, maple, on=date(2026, 1, 5))
    send_all(office)
    text = browser.get("/").text
    for said in ("Where January 2026 stands", "$90.01", "Your own cost", "Water", "<svg"):
        assert said in text
    other = browser.get("/?month=2025-12").text
    assert "Nothing in December 2025 yet" in other
    assert browser.get("/?month=December").status_code == 400


def test_what_needs_attention_has_its_button(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    for number, unit in enumerate(office.database.read(lambda tx: units.all_of(tx, office.caller, maple.id))):
        add_tenant(office, unit, f"Tenant {number}")
    add(office, maple)
    assert "2 drafts for March 2026" in browser.get("/").text
    send_all(office)
    add(office, maple, 7_00, "Volt")
    assert "/bills?only=waiting" in browser.get("/").text
    assert "$90.01" not in office.browser("stranger").get("/").text


def test_that_mail_reaches_nobody_is_said_even_if_nothing_is_open(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, mail_held=NO_SERVER)
    (one,) = sent(office, "1")
    set_status(office, one.id, "PAID")
    page = office.browser("owner").get("/").text
    assert "Set up e-mail" in page
    assert "Nothing needs your attention" not in page


def test_a_credit_neither_awaits_payment_nor_counts_as_paid(quick_office: Office) -> None:
    maple = home(quick_office, "1", "2", "3")
    for unit in quick_office.database.read(lambda tx: units.all_of(tx, quick_office.caller, maple.id)):
        add_tenant(quick_office, unit, f"Tenant {unit.label}")
    add(quick_office, maple, 90_00)
    credited, paid, _ = listed(quick_office)
    less = -(credited.total + 2_64)
    quick_office.database.write(
        lambda tx: invoices.add_custom_charge(tx, quick_office.caller, credited.id, "Last year", less)
    )
    send_all(quick_office)
    page = quick_office.browser("owner").get("/?month=2026-03").text
    cards = dict(re.findall(r"<dt>([^<]*)</dt><dd class=\"big\">([^<]*)</dd>", page.partition('aria-label="March')[2]))
    assert (cards["Sent, not overdue"], cards["Credits"], cards["Paid"]) == ("$60.00", "$2.64", "$0.00")
    assert re.search(r"\$60.00</dd><dd[^>]*>2 invoices<", page)
    assert re.search(r"\$2.64</dd><dd[^>]*>1 invoice, \$2.64 of it still open<", page)
    set_status(quick_office, paid.id, "PAID")
    page = quick_office.browser("owner").get("/?month=2026-03").text
    assert re.search(r"<dt>Paid</dt><dd[^>]*>\$30.00</dd><dd[^>]*>1 invoice paid in full<", page)
    entry = quick_office.database.write(
        lambda tx: payments.receive(tx, quick_office.caller, credited.id, Received(20_00, date(2026, 3, 1)))
    )
    page = quick_office.browser("owner").get("/?month=2026-03").text
    assert re.search(r"\$2.64</dd><dd[^>]*>1 invoice, \$2.64 of it still open<", page), "no more than it gives"
    assert "$20.00 was paid on them, too: pay it back, or reverse the payment" in page
    its = quick_office.browser("owner").get(f"/invoices/{credited.id}").text
    assert "$22.64 is a credit: $2.64 that this invoice gives, and $20.00 that was paid on it." in its
    quick_office.database.write(lambda tx: payments.take_back(tx, quick_office.caller, credited.id, entry))
    add(quick_office, maple, 90_00, on=date(2026, 4, 5))
    send_all(quick_office)
    page = quick_office.browser("owner").get("/?month=2026-03").text
    assert re.search(r"\$2.64</dd><dd[^>]*>1 invoice, used or paid back<", page), "the next invoice took it"
    assert "$2.64 used or paid back" in quick_office.browser("owner").get("/invoices?month=2026-03").text
    assert "was paid on them, too" not in page


def test_sums_of_two_currencies_are_never_mixed(quick_office: Office) -> None:
    maple, berlin = home(quick_office), home(quick_office, name="Berlin")
    from_berlin = {"currency": "EUR", "country": "DE"}
    from prorata.actions.properties import properties

    quick_office.database.write(lambda tx: properties.change(tx, quick_office.caller, berlin.id, from_berlin))
    add(quick_office, maple, 10_00)
    add(quick_office, berlin, 20_00)
    text = quick_office.browser("owner").get("/").text
    assert "In EUR" in text
    assert "In USD" in text
    assert "€20.00" in text
    assert "$30.00" not in text


# --- bills of before -------------------------------------------------------------------------------------------------


def test_bills_of_before_become_history_after_saying_what_happens(office: Office) -> None:
    browser, maple = office.browser("manager"), home(office)
    old = add(office, maple, on=date(2026, 1, 5))
    add(office, maple, on=date(2026, 3, 2))
    path = f"/properties/{maple.id}/history"
    text = browser.get(f"{path}?firstMonth=2026-03").text
    assert "1 earlier bill is kept as history. 2 earlier drafts will be deleted." in text
    assert "Bill starting with March 2026" in text
    assert "Starting with March 2026" in browser.get(path).text
    assert browser.post(path, {"firstMonth": "2026-03"}).status_code == 303
    assert "Kept as history" in browser.get(f"/bills/{old.id}").text
    assert "This is already set." in browser.get(path).text
    assert "Choose a date from 1970 to 2999." in browser.post(path, {"firstMonth": "6766-01"}).text
    refused = browser.post(path, {"firstMonth": "March"})
    assert refused.status_code == 400
    assert 'id="wrong-firstMonth"' in refused.text
    assert "Every month that has bills is billed. 1 bill that was history will be billed." in browser.get(path).text
    undone = browser.post(f"{path}/every", {})
    assert "is billed for every month that has bills." in browser.get(undone.headers["location"]).text
    assert "Kept as history" not in browser.get(f"/bills/{old.id}").text


def test_a_first_month_without_bills_says_what_becomes_of_later_ones(quick_office: Office) -> None:
    browser, maple = quick_office.browser("manager"), home(quick_office)
    assert "First month to bill" not in browser.get("/").text
    said = browser.get(f"/properties/{maple.id}/history?firstMonth=2026-03").text
    assert "Bills for earlier months that you add later are kept as history" in said


# --- beside the old way ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("Unit\tAmount\n1\t45.01\n2\t45.00", "Both methods charge every tenant the same"),
        ("1\t45.01\n2\t45.00", "Both methods charge every tenant the same"),
        ("1,40.01\n2,50.00\n9,1.00", "-$5.00"),
    ],
)
def test_what_was_charged_before_is_compared_to_the_cent(office: Office, pasted: str, said: str) -> None:
    browser, maple = office.browser("viewer"), home(office)
    add(office, maple)
    path = f"/properties/{maple.id}/months/2026-03/compare"
    assert "Copy two columns" in browser.get(path).text
    answer = browser.post(path, {"pasted": pasted})
    assert answer.status_code == 200
    assert said in answer.text
    assert pasted.split("\n", maxsplit=1)[0] in answer.text


def test_amounts_that_cannot_be_read_are_told_by_line_and_kept(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), home(quick_office)
    path = f"/properties/{maple.id}/months/2026-03/compare"
    answer = browser.post(path, {"pasted": "Unit,Amount\n1,lots\n"})
    assert answer.status_code == 400
    assert '<td>2<span class="sub">1</span></td>' in answer.text, "the line, and its unit"
    assert "1,lots" in answer.text
    assert "There is no bill for March 2026" in browser.post(path, {"pasted": "1,2.00\n"}).text
    assert "Paste the units" in browser.post(path, {"pasted": ""}).text
    assert send(browser, b"PK\x03\x04", path).status_code == 400


def test_the_first_month_to_bill_is_set_for_all_properties_in_one_press(office: Office) -> None:
    browser = office.browser("manager")
    elm, oak, ash = (office.add_property(name=name) for name in ("Elm", "Oak", "Ash"))
    for its in (elm, oak, ash):
        for day in (date(2026, 1, 5), date(2026, 3, 2)):
            add(office, its, on=day)
    assert 'href="/history"' in browser.get("/bills").text
    text = browser.get("/history?firstMonth=2026-03").text
    assert text.count("1 earlier bill is kept as history.") == 3
    chosen = [value for value in re.findall(r'name="chosen" value="([^"]+)"', text) if not value.startswith(ash.id)]
    other = browser.post("/history", {"firstMonth": "2026-02", "seen": "2026-03", "chosen": chosen})
    assert other.headers["location"] == "/history?firstMonth=2026-02", "another month is shown first"
    none = browser.post("/history", {"firstMonth": "2026-03", "seen": "2026-03"})
    assert "No properties are selected." in none.text
    changed = browser.post("/history", {"firstMonth": "2026-03", "chosen": [f"{elm.id} 9 9 9 9"]})
    assert "Nothing has been changed yet." in changed.text
    done = browser.post("/history", {"firstMonth": "2026-03", "seen": "2026-03", "chosen": chosen})
    assert done.headers["location"] == "/bills"
    left = browser.get("/history?firstMonth=2026-03").text
    assert ">Ash<" in left
    assert ">Elm<" not in left
    assert "dated March 2, 2026, belongs to March 2026." in left
    assert "This is already set." in browser.get(f"/properties/{elm.id}/history").text
    earlier = browser.get("/history?firstMonth=2026-01").text
    (of_elm,) = re.findall(rf'value="({elm.id} [^"]+)" aria-label', earlier)
    assert f'value="{ash.id}' in earlier, "the one without is ticked"
    again = browser.post("/history", {"firstMonth": "2026-01", "seen": "2026-01", "chosen": [of_elm]})
    assert again.headers["location"] == "/bills", "what was set is set anew"


def test_bills_that_are_all_history_are_the_reason_why_there_is_nothing_to_send(office: Office) -> None:
    browser, maple = office.browser("manager"), home(office)
    add(office, maple, on=date(2026, 1, 5))
    nothing = "All bills of 1 property are from before its first month to bill"
    assert nothing not in browser.get("/months").text
    browser.post(f"/properties/{maple.id}/history", {"firstMonth": "2026-02", "seen": "2026-02"})
    text = browser.get("/months").text
    assert nothing in text
    assert "newest bill is from January 2026, and billing starts with February 2026." in text
    assert 'href="/history"' in text
