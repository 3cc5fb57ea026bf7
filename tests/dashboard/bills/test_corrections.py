"""Tests of correcting a bill, and of the corrections in a closed month.

Each tenant's difference is shown before anybody decides about it.
"""

import re
from datetime import date
from decimal import Decimal

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.properties import units
from prorata.actions.recalculation import correction_decisions
from prorata.domain.usage import Usage
from prorata.store.bills import bills as stored_bills
from tests.dashboard.billed import listed, set_status
from tests.dashboard.bills.test_bills import add, lived_in, send_all
from tests.dashboard.conftest import Office
from tests.dashboard.kernel.test_form_previews import PART


def rows(text: str) -> list[list[str]]:
    """The cells of every row of figures, without the small text below a name."""
    plain = re.sub(r'<span class="sub">.*?</span>', "", text, flags=re.DOTALL)
    found = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", plain, flags=re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in re.split(r"</t[dh]>", row)][:4] for row in found]


def test_a_wrong_bill_is_corrected_and_each_tenants_difference_shown_first(office: Office) -> None:
    maple = lived_in(office)
    water = add(office, maple)
    send_all(office)
    browser = office.browser("owner")
    page = browser.get(f"/bills/{water.id}").text
    assert f'href="/bills/{water.id}/correct"' in page
    assert "To change its month or service period, first move" in page
    assert 'value="90.01"' in browser.get(f"/bills/{water.id}/correct").text
    preview = browser.post(f"/bills/{water.id}/correct/preview", {"totalAmountDue": "70.01"}).text
    assert rows(preview)[-2:] == [
        ["Tenant 1", "$45.01", "$35.01", "-$10.00"],
        ["Tenant 2", "$45.00", "$35.00", "-$10.00"],
    ]
    assert "Aqua Water Co., bill of Mar 2, 2026" in preview
    assert "wait for your decision" in preview
    assert "The next invoices are those of April 2026" in browser.get(f"/bills/{water.id}/correct").text
    kept = office.database.read(lambda tx: stored_bills.find(tx, office.caller.account_id, water.id))
    assert kept is not None
    assert kept.total == 90_01, "nothing is saved by looking"
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "70.01", "then": "later"})
    here = f"/properties/{maple.id}/months/2026-03/corrections"
    waits = browser.get(here).text
    assert "-$10.00 to decide" in waits
    said = " ".join(re.sub(r"<[^>]+>", " ", waits).split())
    assert "Tenant 1 Unit 1 $45.01 $35.01 -$10.00 Water Aqua Water Co., bill of March 2, 2026 1 of 2 units" in said
    placed = browser.post(here, {"place": "next"})
    assert placed.status_code == 303
    assert "-$10.00 on the invoices for April 2026" in browser.get(here).text
    (april, *_) = listed(office, {"month": "2026-04"})
    activity = browser.get(f"/invoices/{april.id}").text.partition('id="history"')[2]
    assert re.search(
        r"It was created on .+, and is kept up to date with its month’s bills\. Nobody has changed", activity
    )
    assert browser.post(here, {"place": "next"}).status_code == 409
    assert browser.post(here, {"place": "somewhere"}).status_code == 400
    assert browser.post(here, {"place": "revoke"}).status_code == 303
    assert "-$10.00 to decide" in browser.get(here).text
    assert browser.post(here, {"place": "owner"}).status_code == 303
    left = browser.get(here).text
    assert "1 of 2 units" in left
    assert "left to the owner" not in left, "the column beside it says so, in the page's language"


def test_a_corrected_month_says_what_was_corrected_on_which_sent_invoices(office: Office) -> None:
    """The amounts stay the same when the invoices with the corrections are sent."""
    maple = lived_in(office)
    water = add(office, maple)
    send_all(office)
    browser, here = office.browser("owner"), f"/properties/{maple.id}/months/2026-03/corrections"
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "70.01", "then": "next"})
    before = rows(browser.get(here).text)
    assert before == [["Tenant 1", "$45.01", "$35.01", "-$10.00"], ["Tenant 2", "$45.00", "$35.00", "-$10.00"]]
    send_all(office)
    text = browser.get(here).text
    assert rows(text) == before
    for april in listed(office, {"month": "2026-04"}):
        assert f'<a class="link" href="/invoices/{april.id}">-$10.00 on the invoice for April 2026</a>' in text
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "50.01", "then": "later"})
    text = browser.get(here).text
    assert rows(text)[0] == ["Tenant 1", "$45.01", "$25.01", "-$20.00"]
    assert "-$10.00 to decide" in text
    assert text.count("-$10.00 on the invoice for April 2026") == 2, "each household's own"


def test_a_preview_of_a_correction_is_of_what_the_person_chose(office: Office) -> None:
    maple = lived_in(office)
    water = add(office, maple)
    send_all(office)
    browser, at = office.browser("owner"), f"/bills/{water.id}/correct"
    assert 'name="then" value="next" checked' in browser.get(at).text
    placed = browser.post(f"{at}/preview", {"totalAmountDue": "70.01", "then": "next"}).text
    assert "The differences are added to the invoices of April 2026." in placed
    assert "aiting for you" not in placed
    assert rows(placed)[-2:] == [
        ["Tenant 1", "$45.01", "$35.01", "-$10.00"],
        ["Tenant 2", "$45.00", "$35.00", "-$10.00"],
    ]
    withdrawn = browser.post(f"{at}/preview", {"totalAmountDue": "70.01", "then": "reopen"}).text
    assert withdrawn.count("You are taken to the sent invoices, where you can set them back to draft") == 1
    assert "wait for your decision" not in withdrawn


def test_a_preview_says_where_differences_go_if_they_are_placed_automatically(office: Office) -> None:
    maple = lived_in(office)
    water = add(office, maple)
    send_all(office)
    wishes = Wishes(corrections="automatic")
    office.database.write(lambda tx: correction_decisions.change_settings(tx, office.caller, wishes))
    browser, at = office.browser("owner"), f"/bills/{water.id}/correct/preview"
    page = browser.post(at, {"totalAmountDue": "70.01"}).text
    assert "The differences are added to the invoices of the next month automatically." in page
    assert "wait for your decision" not in page
    add(office, maple, on=date(2026, 4, 2))
    page = browser.post(at, {"totalAmountDue": "70.01"}).text
    assert "The differences are added to the invoices of April 2026." in page


def test_who_withdraws_the_sent_invoices_finds_them_ticked_and_no_others(office: Office) -> None:
    maple = lived_in(office)
    office.database.write(lambda tx: units.create(tx, office.caller, maple.id, {"label": "3"}))
    water, browser = add(office, maple), office.browser("owner")
    send_all(office)
    set_status(office, next(row.id for row in listed(office) if row.unit_label == "3"), "CANCELLED")
    asked = browser.get(f"/bills/{water.id}/correct").text
    assert "Payments that were recorded or made online stay, and count when the invoices are sent again." in asked
    assert "Payments noted by marking invoices as paid are undone, and are listed afterwards" in asked
    there = browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "60.00", "then": "reopen"}).headers[
        "location"
    ]
    text = browser.get(there).text
    ticked = re.findall(r'name="chosen" value="\w+" checked aria-label="Choose ([^"]+)"', text)
    assert ticked == ["MAPLECOURT-1-2026-03", "MAPLECOURT-2-2026-03"]
    assert "MAPLECOURT-3-2026-03" in text
    assert "The sent invoices are chosen here" in text
    blue = r'<button class="btn" data-variant="primary"[^>]* name="verb" value="([^"]+)"'
    assert re.findall(blue, text) == ["reopen"], "the button to press is the one that the sentence names"
    assert re.findall(blue, browser.get("/invoices").text) == ["send"]


def test_what_the_owner_bears_and_keeps_is_asked_first_with_its_sum(office: Office) -> None:
    maple = lived_in(office)
    empty = office.database.write(lambda tx: units.create(tx, office.caller, maple.id, {"label": "3"}))
    water, browser = add(office, maple), office.browser("owner")
    send_all(office)
    here = f"/properties/{maple.id}/months/2026-03/corrections"

    def shown(path: str = here) -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", browser.get(path).text).split())

    def decide(place: str) -> str:
        said = browser.post(here, {"place": place})
        assert said.status_code == 303
        return shown()

    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "60.01", "then": "later"})
    assert 'data-dialog="owner">I keep $20.00</a>' in browser.get(here).text
    asked = shown(f"{here}/owner")
    assert (
        "Keep $20.00 that tenants would get back? Tenants would get $20.00 back. You keep it, and they get nothing back."
        in asked
    )
    assert f'action="{here}"' in browser.get(f"{here}/owner").text
    kept = decide("owner")
    assert "You keep $20.00, and tenants get nothing back." in kept
    assert "you keep $10.00" in kept
    assert "bear" not in kept
    decide("revoke")
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "120.01", "then": "later"})
    assert "Tenants owe another $20.00. You bear it" in shown(f"{here}/owner")
    borne = decide("owner")
    assert "You bear $20.00, and tenants are charged nothing more." in borne
    assert "get nothing back" not in borne
    decide("revoke")
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "60.00", "then": "later"})
    browser.post(f"/units/{empty.id}/tenants/new", {"name": "Li Chen", "moveInDate": "2026-03-01"})
    assert "Bear $20.00 and keep $20.01?" in shown(f"{here}/owner")
    assert "You bear $20.00, and tenants are charged nothing more. You keep $20.01, and tenants" in decide("owner")


def test_the_page_of_a_bill_that_was_corrected_says_what_was_sent_and_what_waits(office: Office) -> None:
    maple = lived_in(office)
    water, browser = add(office, maple), office.browser("owner")
    send_all(office)
    assert "Changed after" not in browser.get(f"/bills/{water.id}").text
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "70.01", "then": "later"})
    here, corrections = f"/bills/{water.id}", f"/properties/{maple.id}/months/2026-03/corrections"
    page = browser.get(here).text
    assert "Tenants were charged $90.01 of it on invoices that have been sent; the correct amount is $70.01." in page
    assert "The differences of 2 households are waiting for your decision, in all -$20.00." in page
    assert f'href="{corrections}"' in page
    plain = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Charged to tenants $90.01 $70.01 is correct" in plain
    assert re.search(r"1 of 2 units MAPLECOURT-1-2026-03 Sent \$45\.01 \$35\.01", plain)
    add(office, maple, on=date(2026, 4, 2))
    april = browser.get(f"/properties/{maple.id}/months/2026-04").text
    assert "Corrections for March 2026 are waiting for your decision (-$20.00)." in april
    assert f'href="{corrections}">Decide them</a>' in april
    asked = browser.get(f"/properties/{maple.id}/months/2026-04/send").text
    assert "2 corrections to decide" in asked
    assert f'href="{corrections}"' in asked
    browser.post(corrections, {"place": "next"})
    placed = browser.get(here).text
    assert "waiting for your decision" not in placed
    assert "The differences of 2 households go on their next invoices, in all -$20.00." in placed
    month = browser.get(f"/properties/{maple.id}/months/2026-03").text
    assert f'href="{corrections}"' in month, "also where all are decided"
    said = " ".join(re.sub(r"<[^>]+>", " ", month).split())
    assert "Bills $70.01 1 utility Billed to tenants $90.01 on their invoices Corrections -$20.00 on later" in said
    assert "Water $70.01 Corrections -$20.00 $70.01 $90.01 -$20.00 $0.00" in said
    listed = " ".join(re.sub(r"<[^>]+>", " ", browser.get(f"/properties/{maple.id}/months").text).split())
    assert "$90.01 corrections -$20.00" in listed
    assert "corrections -$20.00" in browser.get("/months?only=all").text
    assert "Tenants were charged $90.01 of it" in placed
    send_all(office)
    now = (
        "Tenants were charged $90.01 of it on the invoices of its month, and -$20.00 on later ones; the correct "
        "amount is $70.01."
    )
    assert now in browser.get(here).text


def test_a_tenant_who_was_forgotten_stands_on_the_bills_page_with_name_share_and_invoice(office: Office) -> None:
    maple = lived_in(office)
    empty = office.database.write(lambda tx: units.create(tx, office.caller, maple.id, {"label": "3"}))
    water, browser = add(office, maple), office.browser("owner")
    send_all(office)
    add(office, maple, on=date(2026, 4, 2))
    browser.post(f"/units/{empty.id}/tenants/new", {"name": "Li Chen", "moveInDate": "2026-03-16"})

    def shown() -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", browser.get(f"/bills/{water.id}").text).split())

    waits = shown()
    assert (
        "Changed after its invoices were sent Tenants were charged $60.01 of it on invoices that have been sent"
        in waits
    )
    assert "3 Li Chen 1 of 3 units, 16 of 31 days" in waits
    assert "Vacant MAPLECOURT-3" not in waits, "somebody lived there after all"
    browser.post(f"/properties/{maple.id}/months/2026-03/corrections", {"place": "next"})
    send_all(office)
    sent = shown()
    assert (
        "Tenants were charged $60.01 of it on the invoices of its month, and $15.48 on later ones; the correct amount is $75.49"
        in sent
    )
    assert re.search(r"3 Li Chen 1 of 3 units, 16 of 31 days.*? MAPLECOURT-3-2026-04 Sent \$15\.48 \$15\.48", sent)


def test_the_form_of_a_bill_that_was_sent_says_so_before_anybody_types(office: Office) -> None:
    water, browser = add(office, lived_in(office)), office.browser("owner")
    said, way = (
        "This bill was charged in March 2026, where invoices have been sent.",
        f'href="/bills/{water.id}/correct"',
    )
    before = browser.get(f"/bills/{water.id}/edit").text
    assert said not in before
    assert way not in before
    send_all(office)
    after = browser.get(f"/bills/{water.id}/edit").text
    assert said in after
    assert "Here you can change what doesn’t affect any charges" in after
    assert way in after


def test_amounts_that_are_wrong_are_said_beside_their_fields(office: Office) -> None:
    maple = lived_in(office)
    both = add(office, maple, types=("WATER", "SEWER"), amounts=(("WATER", 60_01), ("SEWER", 30_00)))
    send_all(office)
    browser = office.browser("owner")
    page = browser.post(
        f"/bills/{both.id}/correct/preview", {"totalAmountDue": "80.00", "amountWATER": "50", "amountSEWER": "20"}
    )
    assert page.status_code == 400
    assert "The amounts add up to $70.00, but the total is $80.00." in page.text
    assert (
        browser.post(
            f"/bills/{both.id}/correct", {"totalAmountDue": "a lot", "amountWATER": "50", "amountSEWER": "20"}
        ).status_code
        == 400
    )
    done = browser.post(
        f"/bills/{both.id}/correct", {"totalAmountDue": "70", "amountWATER": "50", "amountSEWER": "20", "then": "next"}
    )
    assert done.status_code == 303
    page = browser.get(f"/bills/{both.id}").text
    assert "$70.00" in page
    assert "The differences go on the invoices of April 2026" in page


def test_a_total_that_cannot_be_read_is_named_beside_its_field_in_the_persons_language(german_office: Office) -> None:
    maple = lived_in(german_office)
    water = add(german_office, maple)
    send_all(german_office)
    browser, typed = german_office.browser("owner"), {"totalAmountDue": "viel", "issuerName": "A"}
    for path, name in (
        (f"/bills/{water.id}/correct", "Richtige Summe in USD"),
        (f"/properties/{maple.id}/bills/new", "Summe in USD"),
    ):
        page = browser.post(path, typed).text
        said = re.search(r'id="wrong-totalAmountDue">([^<]+)', page)
        assert said is not None
        assert said[1].startswith("Das ist kein Betrag.")
        assert "This is not" not in page, "nor at the top"
        assert f">{name}: Das ist kein Betrag." in browser.post(f"{path}/preview", typed, **PART).text
    part = browser.post(f"/properties/{maple.id}/bills/new/preview", typed, **PART).text
    assert ">Wofür er ist: Sagen Sie, wofür der Beleg ist" in part


def test_switching_to_automatic_says_first_what_it_would_place(office: Office) -> None:
    maple = lived_in(office)
    add(office, maple)
    send_all(office)
    add(office, maple, 20_00, "Late Water")
    browser = office.browser("owner")
    fields = {"name": "Harbor Rentals", "timezone": "UTC", "locale": "en-US", "currency": "USD", "payment_terms": "14",
              "corrections": "automatic"}  # fmt: skip
    asked = browser.post("/settings", fields)
    assert "2 corrections: $20.00 to be charged, $0.00 to be given back" in asked.text
    main = asked.text[asked.text.index("<main") :]
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', main))
    assert browser.post("/settings", hidden).status_code == 303
    page = browser.get(f"/properties/{maple.id}/months/2026-03/corrections").text
    assert "$10.00 to decide</span>" in page, "no month follows, so a person may still decide"
    assert "Put them on the next invoices" in page


def test_the_form_that_corrects_a_bill_asks_what_was_used(office: Office) -> None:
    maple = lived_in(office)
    used = (("WATER", Usage(Decimal("12.5"), "m³", Decimal("3.2"))),)
    water, browser = add(office, maple, usages=used), office.browser("owner")
    send_all(office)
    form = browser.get(f"/bills/{water.id}/correct").text
    assert 'name="usedWATER" value=""' in form
    assert 'placeholder="12.5"' in form, "what it said until now"
    fields = {"totalAmountDue": "70.01", "then": "later", "usedWATER": "10", "unitWATER": "m3", "priceWATER": "3.20"}
    wrong = browser.post(f"/bills/{water.id}/correct", fields | {"usedWATER": ""})
    assert (wrong.status_code, 'id="wrong-usedWATER"' in wrong.text) == (400, True)
    browser.post(f"/bills/{water.id}/correct", fields | {"unitWATER": ""})

    def usage() -> str | None:
        row = office.database.read(lambda tx: stored_bills.find(tx, office.caller.account_id, water.id))
        return row.usage if row else None

    assert usage() == "WATER=10 m³ @ 3.2"
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "60.01", "then": "later"})
    assert usage() == "WATER=10 m³"
