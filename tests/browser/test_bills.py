"""Bills that a person types in by keyboard or uploads, with and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import Opened, Visitor
from tests.browser.landlord import Landlord

FILE = "property,issuerName,utilityType,totalAmountDue,billDate\nMaple Court,{},WATER,90.01,2026-03-02\n"


def test_a_bill_is_typed_in_by_keyboard_and_says_how_many_units_it_charged(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/bills/new")
    keys = page.keyboard
    expect(page.get_by_role("textbox", name="Who sent the bill")).to_be_focused()
    keys.type("Prairie Gas")
    keys.press("Tab")
    keys.type("80.00")
    page.get_by_label("Date of the bill").fill("2026-03-04")
    page.get_by_label("Gas", exact=True).focus()
    keys.press("Space")
    keys.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("The bill was added. Divided among")
    expect(page.get_by_role("heading", name="Prairie Gas")).to_be_visible()


def test_usage_and_price_are_unfolded_typed_and_shown_on_the_page_of_the_bill(
    landlord: Landlord, visit: Opened
) -> None:
    visitor = visit()
    page = visitor.go(f"/properties/{landlord.property.id}/bills/new")
    used = page.get_by_label("Water: usage")
    expect(used).to_be_hidden()
    page.get_by_label("Who sent the bill").fill("Usage Water Co.")
    page.get_by_label("Total in USD").fill("60.00")
    page.get_by_label("Date of the bill").fill("2025-05-20")
    page.get_by_text("Usage and price").click()
    used.fill("12.5")
    page.get_by_label("Water: unit of measure").fill("m3")
    page.get_by_label("Water: price per unit").fill("3.20")
    assert visitor.wrong_in_every_look() == []
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")
    expect(page.get_by_text("Water: 12.5\xa0m³ at $3.20 each")).to_be_visible()


def test_enter_never_adds_a_bill_that_is_flagged(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/bills/new")
    page.get_by_role("textbox", name="Who sent the bill").fill("Aqua Water Co.")
    page.get_by_label("Total in USD").fill("100.00")
    page.get_by_label("Date of the bill").fill("2026-02-20")
    page.get_by_label("Water", exact=True).check()
    for _ in range(2):
        page.get_by_role("textbox", name="Who sent the bill").press("Enter")
        expect(page.get_by_text("A bill from Aqua Water Co. dated")).to_be_visible()
    page.get_by_label("Why it’s right").fill("It is for the second meter")
    page.get_by_role("button", name="Accept and add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")
    expect(page.get_by_text("It is for the second meter")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_flagged_bill_in_pdf_is_held_and_accepted_with_a_reason(
    landlord: Landlord, visit: Opened, *, script: bool
) -> None:
    visitor = visit(java_script_enabled=script)
    page = visitor.go("/settings")
    page.get_by_label("Hold flagged bills").check()
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_role("status").first).to_have_text("Saved.")
    facts = facts_of("en-US", 41 + script, kinds="ELECTRICITY", story="plain")
    layout = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)
    for number in ("INV-1", "INV-2"):
        page = bring(visitor, f"{script}-{number}.pdf", printed(facts._replace(number=number), layout))
        if page.get_by_text("Which property is it for?").is_visible():
            page.get_by_label("Property", exact=True).select_option(label="Maple Court")
            page.get_by_role("button", name="Continue").click()
        page.locator("#f-billNumber").fill(number)
        page.locator("#f-billDate").fill(facts.billed.isoformat())
        page.locator("#f-dueDate").fill(facts.due.isoformat())
        page.get_by_label("Electricity", exact=True).check()
        page.get_by_label("Amount for electricity").fill("")  # a part of it is known where the other bill came first
        page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("alert")).to_contain_text("has already been added")
    assert not script or visitor.findings() == []
    page.get_by_role("button", name="Hold it and decide later").click()
    expect(page.get_by_role("status").first).to_contain_text("It’s held")
    visitor.go("/bills?only=flagged")
    page.get_by_role("row").filter(has_text="Held").get_by_role("link").first.click()
    expect(page.get_by_text("This bill is held.")).to_be_visible()
    assert not script or visitor.findings() == []
    page.get_by_label("Why it’s right").fill("It is for the second meter")
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("Accepted. The bill now counts.")
    expect(page.get_by_text("Accepted by")).to_contain_text("It is for the second meter")
    expect(page.get_by_text("This bill is held.")).not_to_be_visible()


def bring(visitor: Visitor, name: str, content: bytes) -> Page:
    """Upload a file to the inbox, and return its own page once it is read."""
    page = visitor.go("/inbox")
    page.locator("#f-files").set_input_files(files=[{"name": name, "mimeType": "application/pdf", "buffer": content}])
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("heading", name=name).wait_for()
    address = page.url
    for _ in range(240):  # without a script nothing but another look shows that it is read
        if not page.get_by_text("It takes a few seconds.").is_visible():
            return page
        page.wait_for_timeout(250)
        page.goto(address)
    raise AssertionError(f"{name} was not read")


def test_what_is_folded_away_opens_where_something_is_wrong_in_it(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/bills/new")
    page.get_by_role("textbox", name="Who sent the bill").fill("Prairie Power")
    page.get_by_label("Total in USD").fill("80")
    page.get_by_label("Date of the bill").fill("2026-03-04")
    page.get_by_label("Electricity", exact=True).check()
    page.get_by_text("Parts that tenants don’t pay").click()
    page.get_by_label("Amount for late fee").fill("5 apples")
    page.get_by_role("button", name="Add the bill").click()
    wrong = page.get_by_label("Amount for late fee")
    expect(wrong).to_be_visible()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_value("5 apples")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_sum_and_the_month_of_a_bill_are_named_as_it_is_typed(
    landlord: Landlord, visit: Opened, *, script: bool
) -> None:
    visitor = visit(java_script_enabled=script)
    page = visitor.go(f"/properties/{landlord.property.id}/bills/new")
    the_sum, month = page.locator("#sum-so-far"), page.locator("#month-so-far")
    expect(month).to_contain_text(", to see here the month")
    issuer, first, last = ("Volt", "01-01", "01-31") if script else ("Gale", "02-01", "02-28")
    page.get_by_role("textbox", name="Who sent the bill").fill(issuer)
    page.get_by_label("Total in USD").fill("80")
    page.get_by_label("Date of the bill").fill("2026-03-04")
    page.get_by_label("Amount for electricity").fill("50")
    page.get_by_label("First day of service").fill(f"2026-{first}")
    page.get_by_label("Last day of service").fill(f"2026-{last}")
    if not script:
        page.get_by_role("button", name="Show the sum and billing month").click()
    named = "January 2026" if script else "February 2026"
    expect(month).to_have_text(f"It will be billed in {named}, which has most of its service days.")
    expect(the_sum).to_have_text("The amounts add up to $50.00: $30.00 of the total of $80.00 is left.")
    assert not script or visitor.wrong_anywhere() == []
    page.get_by_label("Amount for water").fill("30")
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(issuer)


def bring_table(page: Page, name: str, content: bytes, *, script: bool = True) -> None:
    """Upload a table, and wait until it is read; without scripts, by looking again."""
    page.get_by_label("Files", exact=True).set_input_files(
        files=[{"name": name, "mimeType": "text/csv", "buffer": content}]
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    waits = page.get_by_role("link", name="Look again")
    while not script and waits.count():
        waits.click()
    expect(page.get_by_role("heading", name="How this file was read")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_file_of_bills_is_looked_at_and_imported(visit: Opened, *, script: bool) -> None:
    page = visit(java_script_enabled=script).go("/import/bills")
    bring_table(page, "march.csv", FILE.format("With a script" if script else "Without one").encode(), script=script)
    page.get_by_role("button", name="Add 1 bill").click()
    expect(page.get_by_text("1 bill was added from this file.")).to_be_visible()


MESSY = (
    "Nebenkosten aller Häuser;;;;\n"
    "Stand: 31.03.2026;;;;\n"
    "\n"
    "Ort;Wer;Wofür;Kosten $;Rechnung vom\n"
    "Mäple;Stadtwerke Köln;Wasserversorgung;1.234,50;25.03.2026\n"
    "Mäple;Müll & Co;Abfallgebühr;{};03.04.2026\n"
)
MEANT = {
    "Ort": "Property", "Wer": "Who sent the bill", "Wofür": "Utility", "Kosten $": "Total",
    "Rechnung vom": "Date of the bill",
}  # fmt: skip


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_messy_spreadsheet_is_said_what_it_is_and_the_next_one_is_right_at_once(
    visit: Opened, *, script: bool
) -> None:
    visitor = visit(java_script_enabled=script)
    page = visitor.go("/import/bills")
    messy = MESSY if script else MESSY.replace("Wofür", "Art").replace("2026", "2025")
    bring_table(page, "q1.csv", messy.format("viel").encode("cp1252"), script=script)
    expect(
        page.get_by_text("Text with cells separated by semicolons, encoded in Windows-1252 (Western European).")
    ).to_be_visible()
    expect(page.get_by_text("On line 4; the 3 lines above it are skipped.")).to_be_visible()
    for column, field in MEANT.items():
        name = "Art" if column == "Wofür" and not script else column
        page.get_by_label(f"What {name} is", exact=True).select_option(label=field)
    if script:
        assert visitor.findings() == []
    page.get_by_role("button", name="Show the result").click()
    expect(page.get_by_text("With a decimal comma, as 1.234,50 in line 5 shows.")).to_be_visible()
    expect(page.get_by_label("What Wasserversorgung means")).to_have_value("WATER")
    page.get_by_label("What Mäple means").select_option(label="Maple Court")
    page.get_by_role("button", name="Use these meanings").click()
    expect(page.get_by_role("region", name="Good rows")).to_contain_text("Stadtwerke Köln")
    expect(page.get_by_role("region", name="Rows with problems")).to_contain_text("Kosten $ “viel”")
    if script:
        assert visitor.findings() == []
    page.get_by_role("button", name="Add the 1 valid row").click()
    expect(page.get_by_text("1 bill was added. 1 row with problems was left out.")).to_be_visible()

    page = visitor.go("/import/bills")
    bring_table(page, "q2.csv", messy.replace("03.20", "05.20").format("80,10").encode("cp1252"), script=script)
    expect(
        page.get_by_text("The columns are read the way you chose for an earlier file with the same columns")
    ).to_be_visible()
    page.get_by_role("button", name="Add 2 bills").click()
    expect(page.get_by_text("2 bills were added from this file.")).to_be_visible()


def test_bills_of_before_are_made_history_and_compared_by_following_links(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}")
    page.get_by_role("navigation", name="Maple Court").get_by_role("link", name="Months").click()
    page.get_by_role("link", name="First month to bill").click()
    months = page.get_by_label("Bill tenants starting with this month")
    offered = months.locator("option").evaluate_all("all => all.map(one => [one.value, one.textContent.trim()])")
    month, named = max(offered)  # the newest: which are offered depends on today
    assert month > "2026-02"
    months.select_option(month)
    page.get_by_role("button", name="See the effect").click()
    page.get_by_role("button", name=f"Bill starting with {named}").click()
    expect(page.get_by_text("not billed").first).to_be_visible()
    page.get_by_role("link", name="February 2026", exact=True).click()
    expect(page.get_by_text("This month is history")).to_be_visible()
    page.get_by_role("link", name="Compare with your old charges").click()
    page.get_by_label("Or paste it").fill("1A\t50.00\n1B\t50.00")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("This month is before billing starts here.")).to_be_visible()


DROP = """(bytes) => {
    const held = new DataTransfer();
    held.items.add(new File([bytes], "dropped.pdf", { type: "application/pdf" }));
    for (const happens of ["dragover", "drop"]) {
        document.querySelector("h1").dispatchEvent(
            new DragEvent(happens, { bubbles: true, cancelable: true, dataTransfer: held }));
    }
}"""


def test_files_are_dropped_anywhere_on_the_inbox_or_chosen_without_a_script(visit: Opened) -> None:
    visitor = visit()
    page = visitor.go("/inbox")
    expect(page.get_by_text("Or drop the files here")).to_be_visible()
    page.evaluate(DROP, "%PDF-1.7 of which the rest was lost")
    expect(page.get_by_role("heading", level=1)).to_have_text("dropped.pdf")
    without = visit(java_script_enabled=False).go("/inbox")
    expect(without.get_by_text("Or drop the files here")).not_to_be_visible()
    expect(without.get_by_label("Upload bills")).to_be_visible()
