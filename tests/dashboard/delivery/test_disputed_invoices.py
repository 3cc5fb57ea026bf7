"""The tenant's page of a disputed invoice.

The tests check the amount that it asks for, and the amount that its buttons pay.
"""

from tests.dashboard.conftest import Office
from tests.dashboard.delivery.test_disputes import dispute, see, stored
from tests.dashboard.tenants import later, page_of, sent, to_be_paid

PAY = "https://pay.example/1"


def test_the_page_asks_for_what_is_not_in_dispute(office: Office) -> None:
    (one,) = sent(office, "1")
    dispute(office, one.id, amount="30.00")
    page = see(office.browser(), page_of(office, one.id))
    assert "Amount due $60.00 Due by" in page
    assert "The balance is $90.00; $30.00 of it is in dispute, and not asked for until that has ended." in page
    assert "Balance $90.00 In dispute $30.00 To pay now $60.00" in page
    assert "Pay $60.00 to Harbor Rentals" in page
    assert "Pay $90.00" not in page


def test_the_button_that_pays_all_of_it_says_so_and_is_the_second_choice(office: Office) -> None:
    (one,) = sent(office, "1")
    to_be_paid(office, one.id, PAY)
    browser, path = office.browser(), page_of(office, one.id)
    page = browser.get(path).text
    assert f'data-variant="primary" href="{PAY}"' in page
    assert "Pays all" not in page
    dispute(office, one.id, amount="30.00")
    page = browser.get(path).text
    assert f'data-variant="outline" href="{PAY}" rel="noreferrer noopener">Pay $90.00 online</a>' in page
    assert "Pays all $90.00, including the $30.00 in dispute. You pay at pay.example." in page
    assert page.index('data-variant="primary" href="#told-1">How to pay</a>') < page.index(PAY)
    assert page.count('data-variant="primary"') == 1
    assert "Pay $60.00 to Harbor Rentals" in see(browser, path), "what is asked for can be paid too"


def test_of_what_is_wholly_in_dispute_nothing_is_asked_for(office: Office) -> None:
    (one,) = sent(office, "1")
    to_be_paid(office, one.id, "", paid=20_00)
    dispute(office, one.id, amount="90.00")
    page = see(office.browser(), page_of(office, one.id))
    assert "Nothing to pay $0.00 In dispute: $70.00" in page
    assert "The balance of $70.00 is in dispute, and not asked for until that has ended." in page
    assert "How to pay" not in page
    assert "Pay $" not in page


def test_an_answer_is_due_until_its_day_has_passed_and_no_more_once_it_is_given(office: Office) -> None:
    (one,) = sent(office, "1")
    dispute(office, one.id)
    (row,) = stored(office, one.id)
    browser, path = office.browser(), page_of(office, one.id)
    later(office, days=14)
    assert "An answer is due by" in browser.get(path).text
    later(office, days=1)
    page = browser.get(path).text
    assert "An answer was due by" in page
    assert "An answer is due by" not in page
    office.browser("owner").post(
        f"/invoices/{one.id}/reply", {"question": row.question_id, "reply": "We are looking into it."}
    )
    assert "An answer was due by" not in browser.get(path).text
