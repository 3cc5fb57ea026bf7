"""Numbers, days and months are read and written in the account's format.

Input that could be read in two ways is refused.
"""

import re
from collections.abc import Sequence
from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill, charged_to
from prorata.domain.bulk import bulk, mail_outcomes
from prorata.domain.bulk.bulk import ASKED, VERBS, Chosen, Numbers, Question
from prorata.domain.bulk.send_question import Locked, ask_to_send
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.delivery.send_schedule import NO_SERVER, Leaving, of_many
from tests.dashboard.billed import billed
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import add_unit, said

NARROW = "\u202f"


def test_what_a_german_types_is_what_is_stored(german_office: Office) -> None:
    its, browser = german_office.add_property(country="DE"), german_office.browser("manager")
    sent = {"label": "1", "sqft": "1.250,5", "monthlyRent": "1.200,50"}
    page = said(browser, browser.post(f"/properties/{its.id}/units/new", sent))
    assert "1.250,5" in page
    assert ">M²<" not in page
    assert ">m²<" in page
    unit = re.search(r"/units/(unit_\w+)", page)
    assert unit is not None
    shown = browser.get(f"/units/{unit[1]}/edit").text
    assert 'value="1250,5"' in shown
    assert "Fläche in m²" in shown
    assert 'value="1200,50"' in shown
    its_page = browser.get(f"/units/{unit[1]}").text
    assert "1.200,50\u00a0€" in its_page
    assert "Fläche in m²" in its_page
    assert "quare feet" not in page + shown + its_page


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("1.250", "Dies ist auf zwei Arten lesbar. Schreiben Sie 1250 oder 1,25."),
        ("1,250", "Dies ist auf zwei Arten lesbar. Schreiben Sie 1250 oder 1,25."),
        ("viel", "Schreiben Sie eine Zahl von 0 bis 10.000.000, etwa 1250,5."),
    ],
)
def test_a_number_that_reads_two_ways_is_refused_and_shown_how_to_write_it(
    german_office: Office, typed: str, told: str
) -> None:
    its, browser = german_office.add_property(), german_office.browser("manager")
    answer = browser.post(f"/properties/{its.id}/units/new", {"label": "1", "sqft": typed})
    assert (answer.status_code, told in answer.text) == (400, True)
    assert f'value="{typed}"' in answer.text


@pytest.mark.parametrize(
    ("typed", "charged"),
    [("25,00", "25,00"), ("1.500,00", "1.500,00"), ("1500", "1.500,00"), ("-10,5", "-10,50"), ("80.00", "80,00")],
)
def test_a_charge_is_read_as_it_is_written(german_office: Office, typed: str, charged: str) -> None:
    (one,) = billed(german_office, "1")
    browser = german_office.browser("manager")
    page = said(browser, browser.post(f"/invoices/{one.id}/charges", {"description": "Garage", "amount": typed}))
    assert f"{charged}\u00a0$" in page
    assert 'placeholder="25,00 oder -10,00"' in page


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("1.500", "Schreiben Sie 1500,00 oder 1,50."),
        ("1,234", "Schreiben Sie 1234,00, wenn Sie das meinen, oder höchstens 2 Nachkommastellen."),
    ],
)
def test_a_charge_that_reads_two_ways_charges_nobody(german_office: Office, typed: str, told: str) -> None:
    (one,) = billed(german_office, "1")
    answer = german_office.browser("manager").post(
        f"/invoices/{one.id}/charges", {"description": "Garage", "amount": typed}
    )
    assert (answer.status_code, f"Dies ist auf zwei Arten lesbar. {told}" in answer.text) == (400, True)


def test_spaces_between_thousands_are_read(french_office: Office) -> None:
    its, browser = french_office.add_property(), french_office.browser("manager")
    for typed in (f"1{NARROW}250,5", "1 250,5", "1\u00a0250,5"):
        page = said(browser, browser.post(f"/properties/{its.id}/units/new", {"label": typed, "sqft": typed}))
        assert f">1{NARROW}250,5</td>" in page


def test_weights_and_percents_keep_their_decimals(german_office: Office) -> None:
    its, browser = german_office.add_property(), german_office.browser("manager")
    first, second = add_unit(german_office, its, "1"), add_unit(german_office, its, "2")
    at = f"/properties/{its.id}/rules/water"
    sent = {"isActive": "true", "splitMethod": "CUSTOM", "ownerPercent": "12,5", "vacantOccupants": "0"}
    weights = {f"weight.{first.id}": "0,019992345678", f"weight.{second.id}": "0,250"}
    assert browser.post(at, sent | weights).status_code == 303
    form = browser.get(at).text
    assert all(f'value="{value}"' in form for value in ("0,019992345678", "0,25", "12,5"))
    assert "Die Gewichte ergeben 0,269992345678" in form
    assert "12,5\u00a0%" in browser.get(f"/properties/{its.id}/rules").text
    assert browser.post(at, sent | weights | {"ownerPercent": "33,333"}).status_code == 303
    assert 'value="33,3330"' in browser.get(at).text
    refused = browser.post(at, sent | {f"weight.{first.id}": "1.500"})
    assert "Enter 1500 or 1,5." in refused.text


def test_an_american_account_reads_commas_as_thousands_alone(quick_office: Office) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("manager")
    at = f"/properties/{its.id}/units/new"
    assert "1,250" in said(browser, browser.post(at, {"label": "1", "sqft": "1,250"}))
    for typed in ("12,5", "0,125", "1.250"):
        assert browser.post(at, {"label": "2", "sqft": typed}).status_code == 400


def test_an_amount_that_reads_two_ways_and_fits_in_one_is_answered_with_both_ways_out(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    asked = browser.post(f"/invoices/{one.id}/charges", {"description": "Credit", "amount": "-10.005"})
    assert "This is ambiguous. Enter -10005.00 if you mean that, or use at most 2 decimals." in asked.text
    at = f"/properties/{one.property_id}/units/new"
    asked = browser.post(at, {"label": "2", "bedrooms": "1.500"})
    assert asked.status_code == 400


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_a_day_beyond_all_reckoning_is_refused(quick_office: Office, day: str) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("manager")
    unit = add_unit(quick_office, its, "1")
    answer = browser.post(f"/units/{unit.id}/tenants/new", {"name": "Ann", "moveInDate": day})
    assert (answer.status_code, "Choose a date from 1970 to 2999." in answer.text) == (400, True)


@pytest.mark.parametrize("path", ["/?month=0001-01", "/?month=9999-12", "/activity?day=9999-12-31", "/bills?month=May"])
def test_an_address_that_asks_for_too_much_shows_its_page_and_says_so(quick_office: Office, path: str) -> None:
    billed(quick_office, "1")
    answer = quick_office.browser("owner").get(path)
    assert (answer.status_code, "Part of this page’s address was ignored." in answer.text) == (400, True)
    assert "<h1>" in answer.text
    assert "Go to the overview" not in answer.text


def test_what_others_add_to_an_address_is_passed_over(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    assert browser.get("/?fbclid=y").status_code == 200
    assert browser.get("/bills?utm_source=mail&utm_medium=x").status_code == 200


def test_a_file_of_more_than_was_asked_for_is_not_handed_out(quick_office: Office) -> None:
    assert quick_office.browser("owner").get("/bills/export?month=March").status_code == 400


def test_a_month_is_chosen_from_a_list_in_every_browser(german_office: Office) -> None:
    its, browser = german_office.add_property(), german_office.browser("owner")
    for path in ("/bills", f"/properties/{its.id}/history", f"/properties/{its.id}/bills/new", "/properties/new"):
        if path == "/bills":
            billed(german_office, "1", name="Elm")
        page = browser.get(path).text
        assert 'type="month"' not in page
        assert '<option value="2026-03"' in page
        assert "März 2026" in page
    assert '<option value="2011-05" selected>' in browser.get("/bills?month=2011-05").text
    refused = browser.get(f"/properties/{its.id}/history?firstMonth=March+2026")
    assert (refused.status_code, 'id="wrong-firstMonth"' in refused.text) == (400, True)


def test_the_review_of_a_month_writes_as_the_account_does(german_office: Office) -> None:
    one, _ = billed(german_office, "1", "2", total=1234_50)
    page = german_office.browser("manager").get(f"/properties/{one.property_id}/months/2026-02").text
    assert "Februar 2026" in page
    assert "1.234,50\u00a0$" in page
    assert "$1,234.50" not in page
    assert "February" not in page
    asked = german_office.browser("manager").get(f"/properties/{one.property_id}/months/2026-02/send").text
    assert "2 Rechnungen über zusammen 1.234,50\u00a0$ senden?" in asked


def test_the_question_before_a_bill_is_deleted_writes_as_the_account_does(german_office: Office) -> None:
    billed(german_office, "1", "2", total=1234_50)
    browser = german_office.browser("manager")
    bill = re.search(r"/bills/(bill_\w+)", browser.get("/bills").text)
    assert bill is not None
    for path in ("", "/delete"):
        page = browser.get(f"{bill[0]}{path}").text
        assert "Aqua Water Co., 20. Februar 2026, 1.234,50\u00a0$ wird endgültig entfernt." in page


def test_times_and_lines_of_the_chart_are_written_as_the_account_does(quick_office: Office) -> None:
    one, _ = billed(quick_office, "1", "2", total=1_000_000_00)
    browser = quick_office.browser("owner")
    assert re.search(r"\d:\d\d\u202f[AP]M", browser.get("/settings/security").text)
    browser.post(f"/invoices/{one.id}/do/send", {})
    drawing = browser.get("/").text
    assert ">$1,000,000</text>" in drawing
    ends = {int(x) for x in re.findall(r'class="amount" x="(\d+)"', drawing)}
    assert min(ends) >= len("$1,000,000") * 7


def test_a_bill_of_another_country_is_shown_as_it_is_read(german_office: Office) -> None:
    its = german_office.add_property(country="DE")
    new = NewBill(its.id, "Wasserwerke", ("WATER", "SEWER"), 1250_00, date(2026, 2, 20))
    new = new._replace(amounts=(("WATER", 1000_50), ("SEWER", 249_50)))
    bill = german_office.database.write(lambda tx: bills.add(tx, german_office.caller, [new])).bills[0]
    browser = german_office.browser("manager")
    form = browser.get(f"/bills/{bill.id}/edit").text
    assert all(f'value="{value}"' in form for value in ("1250,00", "1000,50", "249,50"))


# --- sentences write how many there are as the account does ----------------------------------------------------------


MANY = 1_234
AT_ONCE = Leaving()
GERMAN = LocaleForms("de-DE")


@pytest.mark.parametrize(
    ("country", "says"),
    [("US", "Schreibweise wie auf Belegen aus diesem Land (Vereinigte Staaten): 1234.50"), ("DE", "")],
)
def test_the_form_of_a_bill_says_how_its_country_writes_where_the_account_writes_otherwise(
    german_office: Office, country: str, says: str
) -> None:
    its = german_office.add_property(country=country)
    page = german_office.browser("manager").get(f"/properties/{its.id}/bills/new").text
    assert ("Schreibweise wie auf Belegen" in page, says in page) == (bool(says), True)


def to_send(chosen: Chosen, leaves: Leaving = AT_ONCE) -> Question:
    locked = Locked([Month("2026-02")] * MANY, MANY)
    return ask_to_send(chosen, amounts="", due="", by_mail=MANY, leaves=leaves, locked=locked, write=GERMAN)


def sentences() -> dict[str, Sequence[str]]:
    """Return the sentences about large numbers, by their source.

    At least one sentence of each source names the number.
    """
    every = {"waiting": MANY, "changed": MANY, "unchanged": MANY, "refused": MANY}
    apart = Chosen(MANY, MANY, MANY, MANY)
    mail = {"sent": MANY, "delivered": 0, "written": MANY, "queued": MANY}
    found: dict[str, Sequence[str]] = {
        f"came to, {verb}": [bulk.in_words(verb, "stopped", Numbers(**every), GERMAN)]
        for verb in (*VERBS, BulkVerb.UNDO)
    }
    for verb in ASKED:
        asked = to_send(apart) if verb == BulkVerb.SEND else bulk.ask(verb, apart, amounts="", mails=MANY, write=GERMAN)
        found[f"ask, {verb}"] = [asked.title, asked.does, *asked.says]
        undo = bulk.ask_undo(verb, changed=MANY, deliveries=mail, write=GERMAN)
        found[f"undo, {verb}"] = [undo.title, *undo.says]
    for name, leaves in (("a mail server", Leaving(hold=MANY)), ("the outbox folder", Leaving(why_not=NO_SERVER))):
        asked = to_send(Chosen(2 * MANY), leaves)
        found |= {f"{fact}, {name}": [said] for fact, said in asked.facts if fact in {"By e-mail", "On paper"}}
    found |= {
        f"{done} in total": [bulk.together_in_words(done, MANY, GERMAN)]
        for done in (*VERBS, BulkVerb.NOT_REMINDED, BulkVerb.HAND_OVER, BulkVerb.NOT_HANDED_OVER)
    }
    found["mail"] = mail_outcomes.of_mail(mail | {"withdrawn": MANY}, write=GERMAN)
    found["mail that stays"] = mail_outcomes.of_mail_that_stays(mail, GERMAN)
    found["charged to"] = [charged_to(MANY, MANY, GERMAN), charged_to(0, MANY, GERMAN)]
    found["leaves"] = [of_many(Leaving(hold=MANY), 2, GERMAN), of_many(Leaving(room=MANY), 2 * MANY, GERMAN)]
    return found


@pytest.mark.parametrize("named", sentences())
def test_every_question_counts_as_the_account_does(named: str) -> None:
    said = " ".join(sentences()[named])
    assert "1.234" in said
    assert not re.search(r"\d,\d{3}|\d{4}", said), said


def test_when_an_invoice_leaves_is_said_as_the_account_writes_it(german_office: Office) -> None:
    (one,) = billed(german_office, "1")
    german_office.database.write(
        lambda tx: accounts.change_settings(tx, german_office.caller, accounts.Wishes(mail_hold=1_440))
    )
    asked = german_office.browser("manager").get(f"/invoices/{one.id}/do/send")
    assert (asked.status_code, "in 1.440 Minuten" in asked.text) == (200, True)


def test_what_needs_attention_is_said_as_the_account_writes_it(german_office: Office) -> None:
    billed(german_office, "1")
    shown = german_office.browser("manager").get("/?month=2026-02").text
    assert "1 Entwurf für Februar 2026 zu prüfen und zu senden." in shown
    assert "of February 2026" not in shown


def test_an_amount_may_have_the_sign_of_its_propertys_currency_and_of_no_other(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser, its = quick_office.browser("manager"), quick_office.add_property(name="Oak", street="9", country="US")
    new, paid = f"/properties/{its.id}/units/new", f"/invoices/{one.id}/payments"
    page = said(browser, browser.post(new, {"label": "7", "monthlyRent": "$1,150"}))
    unit = re.search(r"/units/(unit_\w+)", page)
    assert unit is not None
    assert "$1,150.00" in browser.get(f"/units/{unit[1]}").text
    assert browser.post(f"/units/{unit[1]}/edit", {"label": "7", "monthlyRent": "USD 1,200.50"}).status_code == 303
    assert "$1,200.50" in said(
        browser, browser.post(f"/invoices/{one.id}/charges", {"description": "x", "amount": "-$1,200.50"})
    )
    assert browser.post(paid, {"amount": "1,150 $", "date": "2026-03-01", "method": "CASH"}).status_code == 303
    for path, sent in (
        (new, {"label": "8", "monthlyRent": "€1,150"}),
        (f"/units/{unit[1]}/edit", {"label": "7", "monthlyRent": "1,150 EUR"}),
        (f"/invoices/{one.id}/charges", {"description": "x", "amount": "£5"}),
        (paid, {"amount": "€ 5", "date": "2026-03-01", "method": "CASH"}),
    ):
        answer = browser.post(path, sent)
        assert (answer.status_code, "Enter it in USD." in answer.text) == (400, True), path
    for odd in ("$$5", "1$150", "x5", "$"):
        assert browser.post(new, {"label": "9", "monthlyRent": odd}).status_code == 400, odd
    assert browser.post(new, {"label": "9", "sqft": "$900"}).status_code == 400
