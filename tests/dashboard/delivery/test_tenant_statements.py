"""Tests of the statement on a tenant's page.

It is in the tenant's language, covers that tenant alone, and can be downloaded as a file.
"""

import csv
import io
import re

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.actions.delivery import deliveries
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.printing import printed_invoices
from prorata.actions.properties import tenants
from prorata.domain.bills.bills import NewBill
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.mail import messages
from tests.dashboard.billed import listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_statements import assert_sums, cells
from tests.dashboard.tenants import later, leaves, link_to, page_of, sent


def pay(office: Office, invoice_id: str, cents: int) -> str:
    """Record a payment that was received today; the id of its entry."""
    today = office.clock.moment.date()
    return office.database.write(lambda tx: payments.receive(tx, office.caller, invoice_id, Received(cents, today)))


def bill_march(office: Office, row: InvoiceSummary, total: int = 90_00) -> list[InvoiceSummary]:
    """Add a bill for March, and return the drafts of half its total each."""
    day = office.clock.moment.date().replace(month=3, day=20)
    bill = NewBill(row.property_id, "Aqua Water Co.", ("WATER",), total, day)
    office.database.write(lambda tx: bills.add(tx, office.caller, [bill]))
    return [one for one in listed(office, {"property": row.property_id}) if one.month == "2026-03"]


def test_it_has_what_was_charged_and_paid_and_what_is_open(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    pay(office, one.id, 50_00)
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    browser = office.browser()
    page = browser.get(page_of(office, march.id)).text
    assert "Your statement" in page
    assert_sums(page)
    said = [(row[1].split("  ")[0].strip(), *row[2:]) for row in cells(page)[1:]]
    assert [row[0].splitlines()[0].split(" MAPLE")[0] for row in said] == [
        "Balance before April 1, 2025", "Invoice", "Invoice", "Payment", "$5.00 of the credit on invoice",
        "Balance now",
    ]  # fmt: skip
    assert f"$5.00 of the credit on invoice {one.number} was used for invoice {march.number}" in page
    assert [row[1:] for row in said] == [
        ("", "", "$0.00"), ("$45.00", "", "$45.00"), ("$45.00", "", "$90.00"), ("", "$50.00", "$40.00"),
        ("", "", "$40.00"), ("", "", "$40.00"),
    ]  # fmt: skip


def test_what_is_still_open_is_said_with_its_day_wherever_the_invoice_is_named(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    leaves(office, march.id)
    pay(office, one.id, 20_00)
    set_status(office, one.id, "OVERDUE")
    set_status(office, march.id, "PAID")
    row = office.database.read(lambda tx: printed_invoices.find(tx, office.caller, one.id))
    assert row.due_date is not None
    due = f"{row.due_date:%B} {row.due_date.day}, {row.due_date.year}"
    still_open = f"$25.00, was due on {due} (overdue)"
    browser = office.browser()
    assert f"Open: {still_open}" in browser.get(page_of(office, one.id)).text
    paid = browser.get(page_of(office, march.id)).text
    for said in (
        "Paid in full", f"Open: {still_open}", "Your other open invoice:", f"(February 2026): {still_open}",
        "In all, you now owe $25.00, which is overdue.", "How to pay", f"and give the invoice number {one.number}.",
    ):  # fmt: skip
        assert said in paid, said
    assert "Open: $45.00" not in paid
    for_staff = " ".join(re.sub(r"<[^>]+>", " ", office.browser("owner").get(f"/invoices/{march.id}").text).split())
    assert "What the tenant reads: Your other open invoice:" in for_staff, "“you” is not the landlord"


def test_it_says_why_a_payment_for_an_invoice_that_is_being_changed_makes_the_balance_smaller(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    leaves(office, march.id)
    pay(office, one.id, 45_00)
    browser, differs = office.browser(), "You have to pay $45.00 more than the balance now, for example because"
    assert differs not in browser.get(page_of(office, march.id)).text
    set_status(office, one.id, "DRAFT")
    page = browser.get(page_of(office, march.id)).text
    assert differs in page
    assert cells(page)[-1][-1] == "$0.00"


AT_ITS_LINK = "Each invoice has a page of its own: open it with the link in the e-mail that the invoice came with."


def test_it_says_where_other_invoices_are_and_links_to_none(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    pay(office, one.id, 20_00)
    browser = office.browser()
    assert AT_ITS_LINK not in browser.get(page_of(office, one.id)).text, "there is no other yet"
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    leaves(office, march.id)
    for its, other in ((one, march), (march, one)):
        page = browser.get(page_of(office, its.id)).text
        assert AT_ITS_LINK in page
        assert other.number in page
        links = {href.split("/")[2] for href in re.findall(r'href="(/i/[^"]+)"', page)}
        assert links == {page_of(office, its.id).split("/")[2]}, "a link that was stopped must not come back here"


def test_it_says_nothing_of_e_mails_to_a_tenant_without_an_address(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    tenant = one.tenant_id or ""
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": None}))
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    page = office.browser().get(page_of(office, march.id)).text
    assert one.number in page
    assert AT_ITS_LINK not in page


def test_it_tells_nothing_of_an_invoice_that_has_not_left_until_its_e_mail_is_sent(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    (march, _) = bill_march(office, one)
    before = office.browser().get(page_of(office, one.id)).text
    set_status(office, march.id, "SENT")
    held = office.browser().get(page_of(office, one.id)).text
    assert (cells(held), march.number in held) == (cells(before), False)
    assert march.number in office.browser().get(page_of(office, march.id)).text, "its own page shows it"
    leaves(office, march.id)
    assert cells(office.browser().get(page_of(office, one.id)).text)[-1][-1] == "$90.00"
    office.database.write(lambda tx: deliveries.send_again(tx, office.caller, march.id))
    assert march.number in office.browser().get(page_of(office, one.id)).text, "the tenant has had it before"


def refused(office: Office, invoice_id: str) -> None:
    """The mail server refuses what waits for an invoice's tenant."""
    (row,) = office.database.read(lambda tx: messages.of_invoice(tx, office.account_id, invoice_id))
    office.database.write(lambda tx: deliveries.note_failed(tx, office.account_id, row.id, "554 relaying denied"))


@pytest.mark.parametrize("is_refused", [False, True])
def test_an_invoice_with_a_payment_is_shown_with_it_before_it_leaves(office: Office, is_refused: bool) -> None:
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    (march, _) = bill_march(office, one)
    before = office.browser().get(page_of(office, one.id)).text
    set_status(office, march.id, "SENT")
    if is_refused:
        refused(office, march.id)
    entry = pay(office, march.id, 20_00)
    page = office.browser().get(page_of(office, one.id)).text
    assert_sums(page)
    assert [row[-1] for row in cells(page)[-3:]] == ["$90.00", "$70.00", "$70.00"]
    office.database.write(lambda tx: payments.take_back(tx, office.caller, march.id, entry))
    taken_back = office.browser().get(page_of(office, one.id)).text
    assert (cells(taken_back), march.number in taken_back) == (cells(before), False)


def test_so_is_one_that_was_marked_as_paid_before_it_leaves(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "PAID")
    office.database.write(lambda tx: deliveries.send_again(tx, office.caller, march.id))
    page = office.browser().get(page_of(office, one.id)).text
    assert_sums(page)
    assert [row[-1] for row in cells(page)[-3:]] == ["$90.00", "$45.00", "$45.00"]


def test_a_credit_that_went_to_an_invoice_that_has_not_left_is_still_to_come(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    pay(office, one.id, 50_00)
    (march, _) = bill_march(office, one)
    before = office.browser().get(page_of(office, one.id)).text
    assert "$5.00 will be taken off your next invoice." in before
    set_status(office, march.id, "SENT")
    held = office.browser().get(page_of(office, one.id)).text
    assert (cells(held), march.number in held) == (cells(before), False)
    assert "$5.00 will be taken off your next invoice." in held
    leaves(office, march.id)
    after = office.browser().get(page_of(office, one.id)).text
    assert f"taken off your invoice {march.number}" in after
    assert_sums(after)


def test_what_is_owed_in_all_is_said_once_with_a_credit_that_was_used(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    pay(office, one.id, 50_00)
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    leaves(office, march.id)
    page = office.browser().get(page_of(office, one.id)).text
    assert "In all, you now owe $40.00. Please pay it by" in page
    assert page.count("In all,") == 1


def test_what_is_owed_in_all_is_one_number_wherever_a_credit_stays_on_its_invoice(office: Office) -> None:
    keeps = accounts.Wishes(carry_credits=False)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, keeps))
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    (march, _) = bill_march(office, one, -20_00)
    set_status(office, march.id, "SENT")
    leaves(office, march.id)
    credit = office.database.read(lambda tx: printed_invoices.find(tx, office.caller, march.id))
    assert (one.total, credit.balance, credit.to_pay[0]) == (45_00, -10_00, 45_00 - 10_00)
    browser, staff = office.browser(), office.browser("viewer")
    page = browser.get(page_of(office, march.id)).text
    said = (
        "Your other invoices ask for $45.00; your credit of $10.00 is not yet taken off them.",
        "In all, you now owe $35.00. Please pay it by",
        f"and give the invoice number {one.number}.",
        "Pay $35.00 to ",
    )
    for sentence in said:
        assert sentence in page, sentence
    assert_sums(page)
    assert cells(page)[-1][-1] == "$35.00"
    mail = " ".join(re.sub(r"<[^>]+>", " ", staff.get(f"/invoices/{march.id}/mail").text).split())
    for sentence in (*said[:2], "To find out how to pay, please contact"):
        assert sentence in mail, sentence
    assert "Owes $35.00" in staff.get(f"/tenants/{one.tenant_id}").text
    assert f'href="/tenants/{one.tenant_id}">$35.00</a>' in staff.get("/tenants").text
    pay(office, one.id, 40_00)
    paid = browser.get(page_of(office, march.id)).text
    assert "In all, you owe nothing at the moment." in paid
    assert "How to pay" not in paid
    assert "Has a credit of $5.00" in staff.get(f"/tenants/{one.tenant_id}").text
    assert f'href="/tenants/{one.tenant_id}">$' not in staff.get("/tenants").text


def test_a_credit_that_an_invoice_took_is_said_there_before_the_other_one_leaves(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    leaves(office, one.id)
    (march, _) = bill_march(office, one, -20_00)
    set_status(office, march.id, "SENT")
    page = office.browser().get(page_of(office, one.id)).text
    assert_sums(page)
    assert cells(page)[-1][-1] == "$35.00", "as much as the invoice asks for"
    assert "$10.00" in page


def assert_speaks(office: Office, *words: str) -> None:
    """Check that the page and the file use the words of a language.

    Excel opens the file into columns in the countries of this language.
    """
    one = sent(office, "1", "2")[0]
    pay(office, one.id, 20_00)
    path = page_of(office, one.id)
    page = office.browser().get(path).text
    for word in words:
        assert word in page, word
    assert cells(page)[-1][-1].startswith("25,00")
    file = office.browser().get(f"{path}/statement").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(file), delimiter=";"))
    assert [row[5] for row in rows[1:]] == ["0,00", "45,00", "25,00", "25,00"]
    assert rows[1][1] == cells(page)[1][1].splitlines()[0].strip(), "days in sentences are written as on the page"
    assert rows[2][1] == f"{words[1]} {one.number}"


def test_it_speaks_german_to_whom_the_invoice_does(german_office: Office) -> None:
    assert_speaks(german_office, "Ihre Kontoübersicht", "Rechnung", "Zahlung", "Saldo jetzt", "Kontoübersicht als CSV")


def test_it_speaks_french_to_whom_the_invoice_does(french_office: Office) -> None:
    assert_speaks(french_office, "Votre relevé de compte", "Facture", "Paiement", "Solde actuel")


def test_it_tells_nothing_of_a_neighbour_or_of_who_lived_there_before(office: Office) -> None:
    one, other = sent(office, "1", "2")
    pay(office, one.id, 17_31)
    pay(office, other.id, 11_07)

    def follows(tx: object) -> None:
        tenants.change(tx, office.caller, one.tenant_id or "", {"move_out": "2026-02-28"})  # type: ignore[arg-type]
        new = {"name": "Bob", "move_in": "2026-03-01", "email": "bob@example.org"}
        tenants.create(tx, office.caller, one.unit_id, new)  # type: ignore[arg-type]

    office.database.write(follows)
    of_bob = next(row for row in bill_march(office, one) if row.tenant_name == "Bob")
    set_status(office, of_bob.id, "SENT")
    page = office.browser().get(page_of(office, of_bob.id)).text
    assert len(cells(page)) == 4
    for secret in (one.number, other.number, "17.31", "27.69", "11.07", "33.93", "Tenant 1"):
        assert secret not in page, secret


def test_it_is_a_file_that_nobody_lists(quick_office: Office) -> None:
    one = sent(quick_office, "1")[0]
    answer = quick_office.browser().get(f"{page_of(quick_office, one.id)}/statement")
    assert answer.status_code == 200
    assert "statement.csv" in answer.headers["content-disposition"]
    assert "noindex" in answer.headers["x-robots-tag"]


def test_a_link_that_is_over_or_forged_gives_none(quick_office: Office) -> None:
    one = sent(quick_office, "1")[0]
    path, browser = page_of(quick_office, one.id), quick_office.browser()
    assert browser.get(f"{path[:-1]}{'A' if path[-1] != 'A' else 'B'}/statement").status_code == 404
    until = link_to(quick_office, one.id).until
    later(quick_office, days=(until - quick_office.clock.moment.date()).days + 2)
    assert browser.get(f"{path}/statement").status_code == 404


def test_so_many_files_are_handed_out_and_no_more(quick_office: Office) -> None:
    one = sent(quick_office, "1")[0]
    path, browser = page_of(quick_office, one.id), quick_office.browser()
    codes = {browser.get(f"{path}/statement").status_code for _ in range(80)}
    assert codes == {200, 429}
