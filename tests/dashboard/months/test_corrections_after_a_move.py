"""The pages of a month and its bills say what a later move changes."""

import re

from prorata.actions.bills import splits
from tests.dashboard.billed import listed
from tests.dashboard.bills.test_bills import send_all
from tests.dashboard.bills.test_corrections import rows
from tests.dashboard.conftest import Office
from tests.dashboard.months.moved_out import OCTOBER, late_gas, october_sent, shown, two_moved_out


def test_a_bills_page_names_each_invoice_that_charges_a_share_with_its_own_amount(office: Office) -> None:
    house, two, garbage, _ = october_sent(office)
    two_moved_out(office, two)
    here = f"/bills/{garbage.id}"
    waits = shown(office, here)
    assert "October 2026: The differences of 2 households are waiting for your decision, in all -$6.29." in waits
    assert "2 Tenant 2 1 of 2 units, 20 of 31 days MAPLECOURT-2-2026-10 Sent $48.75 $31.45" in waits
    office.browser("owner").post(f"/properties/{house.id}/months/{OCTOBER}/corrections", {"place": "next"})
    send_all(office)
    sent = shown(office, here)
    assert "1 Tenant 1 1 of 2 units MAPLECOURT-1-2026-10 Sent $48.75 $48.75" in sent
    assert re.search(
        r"2 Tenant 2 1 of 2 units, 20 of 31 days MAPLECOURT-2-2026-10 \$48\.75 Sent "
        r"MAPLECOURT-2\.\d-2026-11 -\$17\.30 Sent \$31\.45 \$31\.45",
        sent,
    )
    assert "2 Eve 1 of 2 units, 7 of 31 days MAPLECOURT-2-2026-11 Sent $11.01 $11.01" in sent
    assert "Charged to tenants $91.21 in October 2026, November 2026" in sent


def test_changes_that_cancel_out_are_said_with_the_number_of_households(office: Office) -> None:
    _, two, garbage, _ = october_sent(office)
    two_moved_out(office, two, "2026-10-24")
    page = shown(office, f"/bills/{garbage.id}")
    assert "Tenants were charged $97.50 of it on invoices that have been sent; the correct amount is $97.50." in page
    assert "The differences of 2 households are waiting for your decision, in all $0.00." in page


def test_the_page_of_a_late_bill_says_that_its_charges_are_on_later_invoices(office: Office) -> None:
    house, _, _, _ = october_sent(office)
    gas = late_gas(office, house)
    office.browser("owner").post(f"/properties/{house.id}/months/{OCTOBER}/corrections", {"place": "next"})
    placed = shown(office, f"/bills/{gas.id}")
    assert "The differences of 2 households go on their next invoices, in all $142.80." in placed
    send_all(office)
    page = shown(office, f"/bills/{gas.id}")
    assert "sent with this bill" not in page
    assert "It arrived after the invoices for its month were sent" in page
    assert (
        "The invoices for October 2026 were sent before this bill arrived, so tenants can be charged for it only on "
        "later invoices." in page
    )
    assert "Correct it" in page
    assert "To change its month" not in page, "its charges are not on the invoices for its month"
    assert "Charged to tenants $142.80 in November 2026" in page


def cents(amount: str) -> int:
    """The cents of an amount as a page shows it."""
    return int(re.sub(r"[^0-9-]", "", amount))


def test_the_differences_of_tenants_and_owner_add_up_to_the_change_of_the_bills(office: Office) -> None:
    house, two, _, water = october_sent(office)
    two_moved_out(office, two)
    late_gas(office, house)
    browser, month = office.browser("owner"), f"/properties/{house.id}/months/{OCTOBER}"
    browser.post(f"/bills/{water.id}/correct", {"totalAmountDue": "200.01", "then": "later"})
    waits = {who: [cents(one) for one in amounts] for who, *amounts in rows(browser.get(f"{month}/corrections").text)}
    assert sum(difference for *_, difference in waits.values()) == 142_80 + 200_01 - 186_40
    assert waits["You, the owner"] == [0, 28_40, 28_40]
    browser.post(f"{month}/corrections", {"place": "next"})
    placed = browser.get(f"{month}/corrections").text
    assert {who: [cents(one) for one in amounts] for who, *amounts in rows(placed)} == waits
    assert "Your own part $28.40" in shown(office, month)
    browser.post(f"{month}/corrections", {"place": "revoke"})
    browser.post(f"{month}/corrections", {"place": "owner"})
    left = {who: [cents(one) for one in amounts] for who, *amounts in rows(browser.get(f"{month}/corrections").text)}
    assert left == waits, "what is right is the same, whoever bears it"


def test_a_preview_counts_households_and_lists_the_owners_difference_too(office: Office) -> None:
    _, two, garbage, _ = october_sent(office)
    two_moved_out(office, two)
    browser = office.browser("owner")
    page = browser.post(f"/bills/{garbage.id}/correct/preview", {"totalAmountDue": "100.60", "then": "next"}).text
    assert "3 households would have a correction. Invoices that have been sent stay as they are." in page
    owners = re.findall(r'<tfoot><tr><th scope="row" colspan="3">You, the owner(.*?)</tr>', page, flags=re.DOTALL)
    assert len(owners) == 2, "below the households, and below the corrections"
    assert "October 2026" in owners[1]
    assert all("+$0.20" in one for one in owners)


def test_two_roommates_who_moved_out_give_one_reason_on_the_page_and_on_the_invoice(office: Office) -> None:
    house, two, _, _ = october_sent(office)
    two_moved_out(office, two)
    here = f"/properties/{house.id}/months/{OCTOBER}/corrections"
    said = "The tenant of unit 2 moved out on October 20, 2026."
    assert shown(office, here).count(said) == 1
    office.browser("owner").post(here, {"place": "next"})
    (invoice,) = (one for one in listed(office, {"month": "2026-11"}) if one.tenant_name == "Tenant 2")
    page = shown(office, f"/invoices/{invoice.id}")
    assert page.count(said) == 2, "for garbage and for water, both divided equally"


def test_a_late_bill_that_is_left_to_the_owner_is_the_owner_s_once(office: Office) -> None:
    house, *_ = october_sent(office)
    gas = late_gas(office, house)
    browser = office.browser("owner")
    browser.post(f"/properties/{house.id}/months/{OCTOBER}/corrections", {"place": "owner"})
    (line,) = office.database.read(lambda tx: splits.of_bill(tx, office.caller, gas.id)).lines
    assert (line.owner + line.left, line.to_tenants - line.left) == (line.line.amount, 0)
