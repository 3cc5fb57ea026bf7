"""Tests of bank statements in the dashboard.

A member uploads a file, checks how it was read, chooses its rows and records them as payments.
"""

import re

import httpx
import pytest

from prorata.actions.accounts import accounts
from tests.dashboard.billed import billed, listed, send_month, set_status
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.sent_files import send

STATEMENT = (
    "Account 12345\n"
    "Posted Date,Description,Payer,Amount\n"
    "03/05/2026,MAPLECOURT-1-2026-02,TENANT 1,45.00\n"
    "03/06/2026,thanks,J. SMITH,45.00\n"
    "03/06/2026,rent,J. SMITH,7.77\n"
    "03/07/2026,fee,BANK,-9.90\n"
    "03/08/2026,odd,X,lots\n"
)


@pytest.fixture
def browser(office: Office) -> Browser:
    for one in billed(office, "1", "2"):
        set_status(office, one.id, "SENT")
    return office.browser("manager")


def bring(browser: Browser, content: str = STATEMENT) -> str:
    answer = send(browser, content, "/payments/files")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def chosen(page: httpx.Response) -> dict[str, str]:
    """The ticked choices, as the page would send them unchanged."""
    return dict(re.findall(r'type="checkbox" name="(to-\d+)" value="([^"]+)" checked', page.text))


def test_a_statement_is_read_matched_and_recorded_after_a_person_has_confirmed(
    office: Office, browser: Browser
) -> None:
    at = bring(browser)
    page = browser.get(at)
    said = words(page.text)
    assert "Header On line 2; the line above it is skipped." in said
    assert "The text mentions MAPLECOURT-1-2026-02, and the amount is what is left to pay." in said
    assert "Only the amount matches: one open invoice has it, but no number or name confirms it." in said
    assert "No number, name or amount matches an open invoice." in said
    assert "1 row skipped: no money came in" in said
    assert "This is not a valid amount." in said
    assert sum(one.paid_amount for one in listed(office)) == 0
    sent = chosen(page)
    assert list(sent) == ["to-3"]
    other = re.search(
        r'<select class="select" name="to-4".*?<option value="(inv_[^"]+)">MAPLECOURT-2', page.text, re.DOTALL
    )
    assert other is not None
    done = browser.post(f"{at}/record", sent | {"to-4": other[1], "number-5": "maplecourt-2-2026-02"})
    assert done.headers["location"] == at
    page = browser.get(at)
    assert "3 payments were recorded. They come to $97.77 in total." in page.text
    assert "Everything that could be read has been recorded. 1 row can’t be read, and wasn’t recorded." in page.text
    assert sorted(one.paid_amount for one in listed(office)) == [45_00, 52_77]
    assert {one.status for one in listed(office)} == {"PAID"}
    payments = words(browser.get("/payments").text)
    assert "MAPLECOURT-1-2026-02" in payments
    assert "3 of 5 rows recorded" in payments


def test_a_payment_in_other_words_than_before_is_asked_about_by_its_reference(office: Office, browser: Browser) -> None:
    header = "Date,Description,Amount,Transaction ID\n"
    before = bring(browser, header + "03/05/2026,PENDING MAPLECOURT-1-2026-02,20.00,TX 4711\n")
    browser.post(f"{before}/record", chosen(browser.get(before)))
    page = browser.get(bring(browser, header + "03/05/2026,Booked: MAPLECOURT-1-2026-02,20.00,TX 4711\n"))
    said = "It has the same date, amount and reference as a payment that was recorded for MAPLECOURT-1-2026-02."
    assert said in words(page.text)
    assert chosen(page) == {}
    assert 'name="to-2"' in page.text, "it can be said that it is another one"
    assert '<div class="acts-row"><button' in page.text, "a gap between its buttons"
    assert sum(one.paid_amount for one in listed(office)) == 20_00
    here = page.url.path
    assert "It’s the same payment" not in office.browser("viewer").get(here).text
    assert browser.post(f"{here}/same", {"same": "7"}).status_code == 409
    assert browser.post(f"{here}/same", {"same": "2"}).headers["location"] == here
    after = browser.get(here).text
    assert ("All done" in after, "It’s the same payment" in after) == (True, False)
    (paid,) = [one for one in listed(office) if one.paid_amount]
    assert "is a payment that was recorded before" in browser.get(f"/invoices/{paid.id}").text


def test_a_file_that_pays_what_is_not_yet_e_mailed_says_so_before_and_after(quick_office: Office) -> None:
    one, *_ = billed(quick_office, "1", "2")
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(mail_on=True, mail_hold=5))
    )
    browser = quick_office.browser("manager")
    sent = send_month(browser, one.property_id).headers["location"]
    asked = words(choose(browser, "/invoices/chosen", verb="mark paid", chosen=[one.id]).text)
    assert "1 e-mail has not been sent yet and will be withdrawn: its tenant won’t receive it." in asked
    header = "Date,Description,Amount\n"
    part = browser.get(bring(browser, header + "03/04/2026,MAPLECOURT-1-2026-02,5.00\n"))
    assert "The e-mail with 1 of these invoices hasn’t been sent yet." in words(part.text)
    at = bring(browser, header + "03/05/2026,MAPLECOURT-1-2026-02,45.00\n")
    page = browser.get(at)
    assert "The e-mail with 1 of these invoices hasn’t been sent yet. If the invoice is paid in full here" in words(
        page.text
    )
    browser.post(f"{at}/record", chosen(page))
    done = words(browser.get(at).text)
    assert "1 payment was recorded. The e-mail for 1 invoice was withdrawn because the invoice was paid first." in done
    assert "left yet" not in done
    said = words(browser.get(sent).text)
    assert "2 of 2 invoices were marked as sent." in said
    assert "1 e-mail has not been sent yet." in said
    assert "1 was not e-mailed, because it was paid before the e-mail was sent." in said


def test_the_same_file_again_leads_to_the_one_that_is_there(office: Office, browser: Browser) -> None:
    at = bring(browser)
    browser.post(f"{at}/record", chosen(browser.get(at)))
    assert bring(browser) == at
    told = words(browser.get(at).text)
    assert re.search(r"This file was already uploaded as bills.csv on \w+ \d+, \d{4} at [\d:]+ [AP]M, by: \w+", told)
    assert "Rows recorded so far: 1 of 5." in told
    later = bring(browser, STATEMENT + "03/09/2026,late,TENANT 2,1.00\n")
    assert later != at
    assert "to-3" not in chosen(browser.get(later))
    assert browser.get(f"{at}/file").content == STATEMENT.encode()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("03/05/2026,rent,J. SMITH,lots", "1 row can’t be read, and wasn’t recorded."),
        ("03/05/2026,fee,BANK,-9.90", "No payments in this file"),
    ],
)
def test_a_file_of_which_nothing_can_be_recorded_is_not_said_to_be_done(browser: Browser, row: str, said: str) -> None:
    page = browser.get(bring(browser, f"Posted Date,Description,Payer,Amount\n{row}\n")).text
    assert said in page
    assert "All done" not in page


def test_what_is_wrong_stands_beside_its_field_and_nothing_is_recorded(office: Office, browser: Browser) -> None:
    nothing = send(browser, None, "/payments/files")
    assert "Choose a file from your bank" in nothing.text
    assert ">This file is empty.<" in send(browser, b"", "/payments/files").text
    no_table = send(browser, b"\x00\x01", "/payments/files")
    assert re.search(r'id="wrong-file"', no_table.text)
    at = bring(browser)
    none = browser.post(f"{at}/record", {})
    assert none.status_code == 400
    assert "Nothing was chosen." in none.text
    wrong = browser.post(f"{at}/record", chosen(browser.get(at)) | {"number-5": "MAPLE-9"})
    assert wrong.status_code == 400
    assert 'id="wrong-number-5"' in wrong.text
    assert 'value="MAPLE-9"' in wrong.text
    assert sum(one.paid_amount for one in listed(office)) == 0


def test_a_form_that_is_refused_keeps_what_was_unticked_and_chosen(office: Office, browser: Browser) -> None:
    at = bring(browser)
    page = browser.get(at).text
    other = re.search(r'name="to-4".*?<option value="(inv_[^"]+)">MAPLECOURT-2', page, re.DOTALL)
    assert other is not None
    assert 'name="choosing" value="true"' in page
    sent = {"choosing": "true", "to-4": other[1]}
    refused = browser.post(f"{at}/record", sent | {"number-5": "MAPLE-9"})
    assert refused.status_code == 400
    assert chosen(refused) == {}
    assert f'<option value="{other[1]}" selected>' in refused.text
    none = browser.post(f"{at}/record", {"choosing": "true", "to-4": ""})
    assert none.status_code == 400
    assert chosen(none) == {}
    browser.post(f"{at}/record", sent | {"number-5": ""})
    assert {one.number: one.paid_amount for one in listed(office)} == {
        "MAPLECOURT-1-2026-02": 0, "MAPLECOURT-2-2026-02": 45_00
    }  # fmt: skip


def test_columns_that_are_refused_stay_as_they_were_chosen(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    at = bring(browser, "Dag;Bedrag;Wat\n2026-03-05;45,00;MAPLECOURT-1-2026-02\n")
    said = {"change": "true", "line": "999", "column.0": "date", "column.2": "name", "decimal": ","}
    refused = browser.post(f"{at}/columns", said)
    assert refused.status_code == 400
    chosen_options = re.findall(r'<option value="([^"\d]+)" selected>', refused.text)
    assert chosen_options == ["date", "name", ","]
    assert not re.search(r'name="remember"[^>]* checked', refused.text)


@pytest.mark.parametrize("where", ["{at}/record", "{at}/columns"])
def test_control_characters_are_refused_where_a_page_reads_its_own_fields(
    office: Office, browser: Browser, where: str
) -> None:
    at = bring(browser)
    answer = browser.post(where.format(at=at), {"choosing": "true", "number-5": "MAPLE\x00"})
    assert answer.status_code == 400
    assert (
        'id="wrong-number-5"' in answer.text
        or "Remove any invisible characters" in answer.text
        or where.endswith("columns")
    )
    assert sum(one.paid_amount for one in listed(office)) == 0


def test_columns_that_nobody_knows_are_said_once(office: Office, browser: Browser) -> None:
    file = "Dag;Bedrag;Wat\n2026-03-05;45,00;MAPLECOURT-1-2026-02\n"
    at = bring(browser, file)
    asked = browser.get(at).text
    assert "Choose which column contains" in asked
    said = {"line": "1", "column.0": "date", "column.1": "amount", "column.2": "text", "remember": "true"}
    assert browser.post(f"{at}/columns", said).headers["location"] == at
    assert "The next file with these columns will be read this way automatically." in browser.get(at).text
    later = browser.get(bring(browser, file.replace("45,00", "44,00"))).text
    assert "The columns are read the way you chose for an earlier file with the same columns" in later
    assert "This is a partial payment" in later


def test_a_file_can_be_closed_and_opened_again(office: Office, browser: Browser) -> None:
    at = bring(browser)
    assert browser.post(f"{at}/state", {"state": "closed"}).headers["location"] == "/payments"
    assert "Finished files" in browser.get("/payments").text
    assert "This file is marked as done." in browser.get(at).text
    refused = browser.post(f"{at}/record", {"to-3": "x"})
    assert refused.status_code == 409
    browser.post(f"{at}/state", {"state": "open"})
    assert chosen(browser.get(at))


def test_who_may_only_read_sees_what_would_be_and_changes_nothing(office: Office, browser: Browser) -> None:
    at = bring(browser)
    viewer = office.browser("viewer")
    page = viewer.get(at).text
    assert "The text mentions MAPLECOURT-1-2026-02" in page
    assert "Record these payments" not in page
    assert viewer.post(f"{at}/record", {"to-3": "x"}).status_code == 403
    assert "Import a bank statement" not in viewer.get("/payments").text


def test_a_file_is_deleted_for_good_and_what_was_recorded_of_it_stays_and_stays_known(
    office: Office, browser: Browser
) -> None:
    at = bring(browser)
    browser.post(f"{at}/record", chosen(browser.get(at)))
    assert "are still recognized" in browser.get(f"{at}/delete").text
    assert office.browser("viewer").post(f"{at}/delete", {}).status_code == 403
    assert browser.post(f"{at}/delete", {}).headers["location"] == "/payments"
    assert [browser.get(f"{at}{rest}").status_code for rest in ("", "/file", "/delete")] == [404] * 3
    assert sum(one.paid_amount for one in listed(office)) == 45_00
    again = bring(browser)
    assert again != at
    assert "to-3" not in chosen(browser.get(again))
    assert "deleted the payments file" in browser.get("/activity").text


HEADERLESS = "05.03.2026;45,00;MAPLECOURT-1-2026-02;TENANT 1\n06.03.2026;-9,90;fee;BANK\n"


def test_a_file_without_column_names_is_asked_about_once_and_remembered_by_its_shape(
    office: Office, browser: Browser
) -> None:
    at = bring(browser, HEADERLESS)
    page = browser.get(at).text
    assert "This file doesn’t name its columns." in page
    assert "Header None: the first row is read like the others." in words(page)
    assert re.findall(r'<option value="(\w+)" selected>', page) == ["0", "date", "amount", "text"]
    assert "<td>MAPLECOURT-1-2026-02</td><td>TENANT 1</td>" in page
    said = {"change": "true", "line": "0", "column.0": "date", "column.1": "amount", "column.2": "text"}
    said |= {"column.3": "name", "dates": "DMY", "decimal": ",", "remember": "true"}
    assert browser.post(f"{at}/columns", said).headers["location"] == at
    browser.post(f"{at}/record", chosen(browser.get(at)))
    assert sum(one.paid_amount for one in listed(office)) == 45_00
    later = browser.get(bring(browser, "07.03.2026;44,00;MAPLECOURT-2-2026-02;T\n")).text
    assert "They are read the way you chose for an earlier file" in later
    assert "This is a partial payment" in later
    assert "This file doesn’t name its columns." in browser.get(bring(browser, "7;x;07.03.2026;44,00\n")).text


def test_columns_that_can_not_be_read_so_are_refused_and_nothing_is_stored(office: Office, browser: Browser) -> None:
    at = bring(browser, HEADERLESS)
    said = {"change": "true", "line": "0", "column.0": "date", "column.1": "amount", "remember": "true"}
    for wrong, says in (
        ({"column.2": "amount"}, "Several columns are set as “Amount, below zero where money went out”."),
        ({"column.0": "text"}, "No column is set as the day."),
        ({"column.1": ""}, "No column is set as the amount."),
    ):
        refused = browser.post(f"{at}/columns", said | wrong)
        assert refused.status_code == 400
        assert says in refused.text
    assert "This file doesn’t name its columns." in browser.get(at).text
    assert "This file doesn’t name its columns." in browser.get(bring(browser, HEADERLESS + "\n")).text


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("45.00\n20.00\n", "This file has only one column."),
        ("45,00;Ann\n20,00;Bo\n", "No column of this file contains dates"),
        ("2026-03-05;1,00;x\n" * 5_001, "The file has more than 5,000 rows."),
    ],
)
def test_what_can_be_no_file_of_payments_is_refused_beside_the_file(browser: Browser, content: str, says: str) -> None:
    refused = send(browser, content, "/payments/files")
    assert refused.status_code == 400
    assert says in refused.text
    assert "rows recorded" not in browser.get("/payments").text


def fields_of(page: httpx.Response) -> dict[str, str]:
    """The fields of the form with the rows, as the page would send them unchanged.

    They are hidden fields, ticks, choices and typed numbers.
    """
    form = page.text.split('/record" data-unsaved>', 1)[1].split("</form>", 1)[0]
    found = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', form))
    found |= dict(re.findall(r'type="checkbox" name="(to-\d+)" value="([^"]+)" checked', form))
    return found | dict(re.findall(r'name="(number-\d+)" value="([^"]*)"', form))


def test_rows_of_several_pages_are_picked_page_by_page_and_recorded_in_one_press(
    office: Office, browser: Browser
) -> None:
    labels = [str(at) for at in range(100, 165)]
    for one in billed(office, *labels, name="Oak House", total=65_00):
        set_status(office, one.id, "SENT")
    rows = "".join(f"2026-03-05,OAKHOUSE-{label}-2026-02,0.50\n" for label in labels * 2)
    nobody = "".join(f"2026-03-06,thanks {at},0.{at:02}\n" for at in range(1, 100))
    at = bring(browser, f"Date,Description,Amount\n{rows}{nobody}2026-03-06,late,0.03\n")
    first = browser.get(at)
    assert "1–100 of 130" in first.text
    assert "Page 1 of 2" in first.text
    wrong = browser.post(f"{at}/picks", fields_of(first) | {"go": "2", "number-140": "OAK-9"})
    assert wrong.status_code == 400
    assert 'id="wrong-number-140"' in wrong.text
    sent = fields_of(first) | {"go": "2", "number-140": "OAKHOUSE-100-2026-02"}
    del sent["to-2"]
    there = browser.post(f"{at}/picks", sent).headers["location"]
    assert there == f"{at}?page=2"
    second = browser.get(there)
    assert "101–130 of 130" in second.text
    assert "to-102" in fields_of(second)
    back = browser.get(at)
    assert "to-2" not in fields_of(back)
    assert fields_of(back)["number-140"] == "OAKHOUSE-100-2026-02"
    sent = fields_of(second)
    del sent["to-131"]
    done = browser.post(f"{at}/record", sent)
    assert done.headers["location"] == at
    assert "129 payments were recorded." in browser.get(at).text
    waiting = fields_of(browser.get(at))
    assert [name for name in waiting if name.startswith("to-")] == []
    assert 'name="to-2"' in browser.get(at).text
    assert 'name="to-131"' in browser.get(at).text


def test_who_may_only_read_leafs_through_the_pages_of_a_file(office: Office, browser: Browser) -> None:
    rows = "".join(f"2026-03-06,thanks {at},0.{at % 100:02}\n" for at in range(1, 250))
    at = bring(browser, f"Date,Description,Amount\n{rows}")
    page = office.browser("viewer").get(f"{at}?page=2").text
    assert f'href="{at}?page=3"' in page
    assert "101–200 of 24" in page
    assert "Page 3 of 3" in browser.get(f"{at}?page=9").text
    assert browser.get(f"{at}?page=0").status_code == 400


def test_receipts_of_recorded_rows_go_out_unless_the_box_is_unticked(quick_office: Office) -> None:
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(mail_on=True))
    )
    for one in billed(quick_office, "1", "2"):
        set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("manager")
    at = bring(browser)
    page = browser.get(at)
    assert "Receipts go by e-mail to the tenants who have an address" in page.text
    browser.post(f"{at}/record", chosen(page) | {"receipts": "true"})
    assert "1 payment was recorded. 1 receipt will be sent by e-mail at once." in browser.get(at).text
