"""Recording, refunding and reversing payments on the page of an invoice."""

import re
from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.actions.delivery import deliveries, receipts
from prorata.actions.limits import MOST_PAYMENT_FILES_LISTED
from prorata.actions.payments import files as payment_files, lists as payment_lists, payments
from prorata.domain.bills.bills import NewBill
from prorata.domain.files.sheets import Sheet
from prorata.domain.locale_forms import PLAIN
from prorata.store.invoices import invoices
from tests.dashboard.billed import billed, listed, set_status, status_of
from tests.dashboard.conftest import Browser, Office, build_office
from tests.dashboard.invoices.test_invoices import choose
from tests.pdf_pages import pdf_text

_SHEET = Sheet(("Date", "Amount", "Text"), ((2, ("2026-03-01", "1.00", "Aqua")),))


def entry_of(office: Office, invoice_id: str, place: int = -1) -> str:
    found = office.database.read(lambda tx: payments.ledger(tx, office.caller, invoice_id))
    return found.entries[place].id


def record(browser: Browser, invoice_id: str, amount: str = "45.00", **more: str) -> object:
    form = {"kind": "PAYMENT", "amount": amount, "date": "2026-03-01", "method": "CASH"} | more
    return browser.post(f"/invoices/{invoice_id}/payments", form)


def test_the_form_is_filled_in_with_the_balance_and_what_is_sent_is_shown(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    set_status(office, one.id, "SENT")
    browser = office.browser("manager")
    asked = browser.get(f"/invoices/{one.id}/payments/new").text
    assert 'name="amount" type="text" value="45.00"' in asked
    answer = record(browser, one.id, "20.00", note="at the door", reference="No. 7")
    assert answer.headers["location"] == f"/invoices/{one.id}"
    page = browser.get(f"/invoices/{one.id}").text
    assert "The payment was recorded." in page
    for said in (
        "Payment",
        "at the door",
        "No. 7",
        "Cash",
        "March 1, 2026",
        "$20.00",
        "$25.00",
        "recorded a payment of",
    ):
        assert said in page
    assert 'value="25.00"' in browser.get(f"/invoices/{one.id}/payments/new").text
    record(browser, one.id, "25.00")
    assert status_of(office, one.id) == "PAID"
    assert "Not paid after all" not in browser.get(f"/invoices/{one.id}").text


def test_the_form_says_that_a_payment_in_full_takes_back_mail_that_has_not_left(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(mail_on=True, mail_hold=5))
    )
    set_status(quick_office, one.id, "SENT")
    browser, said = quick_office.browser("manager"), "The e-mail with this invoice hasn’t been sent yet."
    to = f"/invoices/{one.id}/payments/new"
    assert said in browser.get(to).text
    assert said not in browser.get(f"{to}?kind=REFUND").text
    record(browser, one.id, "20.00")
    assert said in browser.get(to).text, "a part of it lets the mail go"
    record(browser, one.id, "70.00")
    assert said not in browser.get(to).text, "it was taken back"


def test_a_refund_is_filled_in_with_what_is_too_much_and_reopens_the_balance(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("manager")
    record(browser, one.id, "100.00")
    page = browser.get(f"/invoices/{one.id}").text
    assert "$10.00 more was received than the invoice total: a credit." in page
    assert "Credit of the tenant" in page, "the landlord is not told that it is in their own favour"
    assert "in your favour" not in page
    assert 'value="10.00"' in browser.get(f"/invoices/{one.id}/payments/new?kind=REFUND").text
    record(browser, one.id, "100.00", kind="REFUND")
    assert "The refund was recorded." in browser.get(f"/invoices/{one.id}").text
    assert '<td class="number">-$100.00<span class="sub">Refund' in browser.get("/payments").text
    assert status_of(quick_office, one.id) == "SENT"


def test_what_was_entered_by_mistake_is_asked_about_and_counts_for_nothing(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("manager")
    record(browser, one.id, "90.00")
    to = f"/invoices/{one.id}/payments/{entry_of(quick_office, one.id)}/take-back"
    assert to in browser.get(f"/invoices/{one.id}").text
    question = browser.get(to).text
    assert "Reverse the payment of $90.00 on March 1, 2026?" in question
    assert browser.post(to, {}).headers["location"] == f"/invoices/{one.id}"
    page = browser.get(f"/invoices/{one.id}").text
    assert "Reversed" in page
    assert "$0.00" in page
    assert to not in page
    assert status_of(quick_office, one.id) == "SENT"
    again = browser.post(to, {})
    assert again.status_code == 409
    assert "has already been reversed" in again.text


def test_what_is_wrong_stands_beside_its_field_and_nothing_is_recorded(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    answer = record(browser, one.id, "0", date="2999-01-01")
    assert answer.status_code == 400
    assert re.search(r'id="wrong-amount">Enter an amount above zero', answer.text)
    assert re.search(r'id="wrong-date">Enter the date on which the money moved', answer.text)
    too_much = record(browser, one.id, "5.00", kind="REFUND")
    assert re.search(r'id="wrong-amount">You can’t refund more than \$0.00 on this invoice', too_much.text)
    assert "Record a refund" in too_much.text
    assert listed(quick_office)[0].paid_amount == 0


def test_the_list_of_payments_says_what_was_marked_as_paid_without_one(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    browser = quick_office.browser("manager")
    set_status(quick_office, one.id, "SENT")
    record(browser, one.id, "45.00")
    assert "marked as paid" not in browser.get("/payments").text
    set_status(quick_office, two.id, "PAID")
    page = browser.get("/payments").text
    assert "$45.00 more was marked as paid on invoices without a recorded payment." in page
    assert 'href="/invoices?status=PAID"' in page
    assert "more was marked" not in browser.get("/payments?sort=oldest").text
    few = quick_office.database.read(lambda tx: payment_lists.noted(tx, quick_office.caller, 1))
    assert few.is_cut


def test_a_form_that_comes_twice_counts_once(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    once = re.search(r'name="form_once" value="([^"]+)"', browser.get(f"/invoices/{one.id}/payments/new").text)
    assert once is not None
    record(browser, one.id, "5.00", form_once=once[1])
    record(browser, one.id, "5.00", form_once=once[1])
    assert "counts once" in browser.get(f"/invoices/{one.id}").text
    assert listed(quick_office)[0].paid_amount == 5_00


def test_what_marking_as_paid_noted_is_shown_and_can_be_said_with_its_day(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "PAID")
    browser = quick_office.browser("manager")
    assert re.search(r"Marked on \S+ \d+, \d+, without a recorded payment\.", browser.get(f"/invoices/{one.id}").text)
    asked = browser.get(f"/invoices/{one.id}/payments/new").text
    assert 'value="90.00"' in asked
    assert "This is the payment for which the invoice was marked as paid" in asked
    record(browser, one.id, "90.00", in_place_of_noted="true")
    page = browser.get(f"/invoices/{one.id}").text
    assert "without a recorded payment" not in page
    assert "a credit" not in page
    assert listed(quick_office)[0].paid_amount == 90_00


@pytest.mark.parametrize(
    ("status", "said"),
    [("CANCELLED", "$90.00 was received for this cancelled invoice: a refund is due."),
     ("DRAFT", "$90.00 was received for this draft.")],
)  # fmt: skip
def test_money_that_nobody_asked_for_is_flagged(quick_office: Office, status: str, said: str) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, status)
    browser = quick_office.browser("manager")
    record(browser, one.id, "90.00")
    assert said in browser.get(f"/invoices/{one.id}").text
    if status == "CANCELLED":
        assert "$90.00 to be refunded" in browser.get("/invoices").text
        assert "a refund is due" in browser.get("/").text
        assert "Pay it back, then choose “Record a refund”." in browser.get(f"/invoices/{one.id}").text


def test_who_may_only_read_sees_the_ledger_and_changes_nothing(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    record(quick_office.browser("manager"), one.id, "90.00")
    viewer = quick_office.browser("viewer")
    page = viewer.get(f"/invoices/{one.id}").text
    assert "Cash" in page
    assert "payments/new" not in page
    assert viewer.get(f"/invoices/{one.id}/payments/new").status_code == 403
    assert record(viewer, one.id, "1.00").status_code == 403


def test_payments_are_searched_ordered_and_go_on(office: Office) -> None:
    one, two = billed(office, "1", "2")
    browser = office.browser("manager")
    for invoice, amount in ((one, "10.00"), (two, "20.00")):
        set_status(office, invoice.id, "SENT")
        record(browser, invoice.id, amount)

    def numbers(query: str = "") -> list[str]:
        answer = browser.get(f"/payments{query}")
        assert answer.status_code == 200
        return re.findall(r'<th scope="row"><a href="/invoices/[^"]+">([^<]+)', answer.text)

    assert numbers() == [two.number, one.number]
    assert numbers("?sort=oldest") == [one.number, two.number]
    assert numbers("?search=tenant+1") == numbers("?search=10.00") == [one.number]
    assert numbers(f"?behind={entry_of(office, two.id)}") == [one.number]
    assert "No payments match." in browser.get("/payments?search=nobody").text
    assert "There are no more on this page." in browser.get(f"/payments?behind={entry_of(office, one.id)}").text


@pytest.mark.parametrize(("state", "title"), [("open", "Open files"), ("closed", "Finished files")])
def test_of_many_files_further_ones_are_led_to(quick_office: Office, state: str, title: str) -> None:
    def add(tx: Any) -> None:
        for number in range(MOST_PAYMENT_FILES_LISTED + 1):
            kept = payment_files.keep(tx, quick_office.caller, f"{number}.csv", b"%d" % number, _SHEET)
            payment_files.set_state(tx, quick_office.caller, kept, state)

    quick_office.database.write(add)
    browser = quick_office.browser("viewer")
    first = browser.get("/payments").text
    assert title in first
    assert ">0.csv<" not in first
    further = re.search(r'href="(/payments\?of=[^"]+)"', first)
    assert further is not None
    rest = browser.get(unescape(further[1])).text
    assert (">0.csv<" in rest, ">1.csv<" in rest) == (True, False)
    assert "Import a bank statement" not in rest


@pytest.mark.parametrize(("locale", "spelled"), [("en-US", "check"), ("en-GB", "cheque")])
def test_a_cheque_is_spelled_as_where_the_account_is(migrated_sqlite_url: str, locale: str, spelled: str) -> None:
    office = build_office(migrated_sqlite_url, locale=locale)
    with office.live():
        (one,) = billed(office, "1")
        set_status(office, one.id, "SENT")
        browser = office.browser("manager")
        form = browser.get(f"/invoices/{one.id}/payments/new").text
        assert f">{spelled.capitalize()}<" in form
        assert f"Such as a {spelled} number" in form
        record(browser, one.id, "5.00", method="CHEQUE")
        pages = [browser.get(path).text for path in (f"/invoices/{one.id}", "/payments", "/activity")]
        assert [spelled in page.lower() for page in pages] == [True] * 3
        assert [("cheque" in page.lower()) == (spelled == "cheque") for page in pages] == [True] * 3


def kinds_of_mail(office: Office, invoice_id: str) -> list[str]:
    found = office.database.read(lambda tx: deliveries.messages(tx, office.caller, invoice_id))
    return [row.kind for row in found]


def mails(office: Office, *, on: bool) -> None:
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, accounts.Wishes(mail_on=on)))


def test_the_form_says_that_a_receipt_goes_out_and_the_page_that_it_does(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    set_status(quick_office, one.id, "SENT")
    set_status(quick_office, two.id, "SENT")
    browser = quick_office.browser("manager")
    asked = browser.get(f"/invoices/{one.id}/payments/new").text
    assert "A receipt goes to Tenant 1 by e-mail" in asked
    assert re.search(r'name="receipt" value="true" checked', asked)
    record(browser, one.id, receipt="true")
    said = unescape(browser.get(f"/invoices/{one.id}").text)
    assert "The payment was recorded. 1 receipt will be sent by e-mail at once." in said
    assert "receipt" in kinds_of_mail(quick_office, one.id)
    record(browser, two.id)
    assert "receipt" not in kinds_of_mail(quick_office, two.id), "unticked"


def test_no_receipt_is_offered_where_none_can_go(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    mails(quick_office, on=False)
    browser = quick_office.browser("manager")
    assert "A receipt goes" not in browser.get(f"/invoices/{one.id}/payments/new").text, "the account sends no e-mail"
    mails(quick_office, on=True)
    set_status(quick_office, one.id, "DRAFT")
    assert "A receipt goes" not in browser.get(f"/invoices/{one.id}/payments/new").text, "it was not sent"
    set_status(quick_office, one.id, "SENT")
    assert "A receipt goes" not in browser.get(f"/invoices/{one.id}/payments/new?kind=REFUND").text


def test_a_receipt_is_printed_for_whom_no_mail_reaches(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("viewer")
    record(quick_office.browser("manager"), one.id, "45.00", method="CASH")
    to = f"/invoices/{one.id}/payments/{entry_of(quick_office, one.id)}/receipt"
    assert to in browser.get(f"/invoices/{one.id}").text
    receipt = pdf_text(browser.get(to).content)
    assert "payment of $45.00 in cash on March 1, 2026" in receipt
    assert "$45.00 is still to be paid" in receipt
    assert "Tenant 1" in receipt
    assert "e-mail" not in receipt
    noted = f"/invoices/{one.id}/payments/noted/receipt"
    assert browser.get(noted).status_code == 404
    set_status(quick_office, one.id, "PAID")
    assert noted in browser.get(f"/invoices/{one.id}").text
    assert "This invoice is paid in full." in pdf_text(browser.get(noted).content)
    assert quick_office.browser("stranger").get(to).status_code == 404


def test_marking_as_paid_offers_a_receipt_on_the_invoice_and_for_many(quick_office: Office) -> None:
    one, two, three = billed(quick_office, "1", "2", "3")
    for invoice in (one, two, three):
        set_status(quick_office, invoice.id, "SENT")
    browser = quick_office.browser("manager")
    assert "A receipt goes to Tenant 1 by e-mail" in browser.get(f"/invoices/{one.id}/do/paid").text
    browser.post(f"/invoices/{one.id}/do/paid", {"receipt": "true"})
    assert "1 receipt will be sent by e-mail" in browser.get(f"/invoices/{one.id}").text
    asked = choose(browser, "/invoices/chosen", verb="mark paid", chosen=[two.id, three.id]).text
    assert "Receipts go by e-mail to the tenants who have an address" in asked
    done = choose(browser, "/invoices/changes", verb="mark paid", chosen=[two.id, three.id], receipts="true")
    page = browser.get(done.headers["location"]).text
    assert "2 of 2 invoices were marked as paid." in page
    assert "2 receipts will be sent by e-mail" in page
    assert "The payments noted by this change are undone." in page, "it can be taken back as any mark can"


def test_the_day_of_a_mark_as_paid_is_the_one_that_a_person_says(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    quick_office.clock.advance(days=5)
    browser, here = quick_office.browser("manager"), f"/invoices/{one.id}/do/paid"
    today = quick_office.clock().date()
    assert f'name="paidOn" value="{today}" max="{today}"' in browser.get(here).text
    refused = browser.post(here, {"paidOn": str(today + timedelta(days=1))})
    assert (refused.status_code, "no later than today" in refused.text) == (400, True)
    browser.post(here, {"receipt": "true", "paidOn": str(today - timedelta(days=3))})
    row = quick_office.database.read(lambda tx: invoices.find(tx, quick_office.account_id, one.id))
    assert row is not None
    assert row.paid_at is not None
    assert row.paid_at[:10] == str(today - timedelta(days=3))
    receipt = quick_office.database.read(lambda tx: receipts.of_payment(tx, row, None))
    assert receipt is not None
    assert receipt.day == today - timedelta(days=3)


def test_what_was_paid_too_much_is_said_to_be_taken_off_another_invoice(quick_office: Office) -> None:
    (february,) = billed(quick_office, "1")
    water = NewBill(february.property_id, "Aqua Water Co.", ("WATER",), 90_00, date(2026, 3, 20))
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [water]))
    march = next(one for one in listed(quick_office) if one.month == "2026-03")
    set_status(quick_office, february.id, "SENT")
    browser = quick_office.browser("owner")
    record(browser, february.id, "95.98")
    assert "applied to the household’s next invoice" in browser.get(f"/invoices/{february.id}").text
    set_status(quick_office, march.id, "SENT")
    page = browser.get(f"/invoices/{february.id}").text
    assert f"$5.98 more was received than this invoice asks for. It is deducted from {march.number}." in page


def test_a_total_below_zero_is_no_money_that_was_received(quick_office: Office) -> None:
    (february,) = billed(quick_office, "1")
    water = NewBill(february.property_id, "Aqua Water Co.", ("WATER",), 30_00, date(2026, 3, 20))
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [water]))
    march = next(one for one in listed(quick_office) if one.month == "2026-03")
    browser = quick_office.browser("owner")
    browser.post(f"/invoices/{march.id}/charges", {"description": "Credit", "amount": "-50.00"})
    set_status(quick_office, february.id, "SENT")
    set_status(quick_office, march.id, "SENT")
    page = browser.get(f"/invoices/{march.id}").text
    assert f" of this credit is deducted from {february.number}." in page
    assert "more was received" not in page


def test_a_draft_and_its_confirmation_tell_the_credit_that_is_taken_off(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("owner")
    record(browser, one.id, amount="100.00")
    march = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 30_00, date(2026, 3, 20))
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [march]))
    (draft,) = [row for row in listed(quick_office) if row.status == "DRAFT"]
    asks = PLAIN.money(draft.total - 10_00, "USD")
    page = browser.get(f"/invoices/{draft.id}").text
    assert "The household has a credit from an earlier invoice: $10.00 of it will be taken off this one" in page
    asked = browser.get(f"/invoices/{draft.id}/do/send").text
    for page in (asked, choose(browser, "/invoices/chosen", verb="send", chosen=[draft.id]).text):
        assert "<dt>Credit taken off</dt><dd>$10.00</dd>" in page
    taken = "$10.00 of the household’s credit will be taken off this invoice when you send it."
    mail = browser.get(f"/invoices/{draft.id}/mail").text
    assert taken in mail
    assert f"<dt>Credit from invoice {one.number}</dt><dd>$10.00</dd>" in mail
    assert f"Please pay {asks} by " in mail
    assert "will be taken off this invoice" not in browser.get(f"/invoices/{one.id}/mail").text
    assert "isn’t taken off it" not in page
    browser.post(f"/invoices/{draft.id}/charges", {"description": "Credit", "amount": "-34.02"})
    page = browser.get(f"/invoices/{draft.id}").text
    assert "will be taken off this one" not in page
    assert "the household’s credit of $10.00 isn’t taken off it" in page
    assert f"href='/invoices/{one.id}'>{one.number}</a>, for the next invoice that asks for payment." in page
