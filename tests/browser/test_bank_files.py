"""Prorata asks only once about the columns of a bank's file without column names.

Its rows are recorded with one click, and Prorata does not ask about the next file.
"""

import pytest
from playwright.sync_api import Dialog, Page, expect

from prorata import wiring
from prorata.actions.invoices import invoices
from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord


@pytest.fixture
def number(landlord: Landlord) -> str:
    """The number of a sent invoice."""
    with wiring.made(landlord.settings) as database:
        database.write(lambda tx: invoices.set_status(tx, landlord.caller, landlord.invoice_id, "SENT"))
        return database.read(lambda tx: invoices.find(tx, landlord.caller, landlord.invoice_id)).summary.number


def bring(page: Page, content: str) -> None:
    page.locator("#f-file").set_input_files(
        files=[{"name": "bank.csv", "mimeType": "text/csv", "buffer": content.encode()}]
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="How this file was read")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_file_without_column_names_is_asked_about_once_and_recorded_in_one_press(
    landlord: Landlord, visit: Opened, number: str, *, phone: bool
) -> None:
    visitor = visit(phone=phone)
    page = visitor.go("/payments")
    day = "2026-03-06" if phone else "2026-03-05"
    sign = ";x" if phone else ""
    rows = "".join(f"{day};0,1{at % 10};{number};Ann Lee{sign}\n" for at in range(120))
    bring(page, rows + f"{day};-9,90;fee;Bank{sign}\n")
    expect(page.get_by_text("This file doesn’t name its columns.")).to_be_visible()
    assert visitor.findings() == []
    expect(page.get_by_label("What Column 1 is")).to_have_value("date")
    expect(page.get_by_label("What Column 2 is")).to_have_value("amount")
    page.get_by_label("What Column 3 is").select_option("text")
    page.get_by_label("What Column 4 is").select_option("name")
    page.get_by_role("button", name="Show the payments").click()
    expect(page.get_by_text("1–100 of 120")).to_be_visible()
    assert visitor.findings() == []
    page.get_by_role("checkbox").first.uncheck()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("101–120 of 120")).to_be_visible()
    page.get_by_role("button", name="Record the payments on all pages").click()
    expect(page.get_by_role("status").first).to_contain_text("119 payments were recorded.")
    expect(page.get_by_role("checkbox").first).not_to_be_checked()
    page = visitor.go("/payments")
    bring(page, f"{day.replace('-03-', '-04-')};0,25;{number} again;Ann Lee{sign}\n")
    expect(page.get_by_text("They are read the way you chose for an earlier file")).to_be_visible()
    page.get_by_role("button", name="Record these payments").click()
    expect(page.get_by_role("status").first).to_contain_text("1 payment was recorded.")


def test_a_row_with_a_choice_of_invoices_fits_into_the_page(visit: Opened, number: str) -> None:
    page = visit().go("/payments")
    text = f"{number} and what the bank adds to it, on several lines of its cell"
    bring(page, f"Date;Description;Payer;Amount\n2026-03-05;{text};Ann Lee;9999,00\n")
    page.set_viewport_size({"width": 1024, "height": 800})
    expect(page.get_by_label("What the payment in line 2 is for")).to_be_visible()
    lists = page.locator(".scroll")
    assert lists.evaluate_all("lists => lists.filter(list => list.scrollWidth > list.clientWidth).length") == 0


def test_choices_that_are_not_recorded_yet_are_asked_about_before_the_page_is_left(visit: Opened, number: str) -> None:
    page = visit().go("/payments")
    bring(page, f"Date;Description;Payer;Amount\n2026-03-05;{number};Ann Lee;0,77\n")
    page.get_by_role("checkbox").first.click()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.get_by_role("link", name="Bills").first.click()
    assert asked == ["beforeunload"]
    page.get_by_role("checkbox").first.click()
    page.get_by_role("button", name="Record these payments").click()
    expect(page.get_by_role("status").first).to_contain_text("1 payment was recorded.")
