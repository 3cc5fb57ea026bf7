"""Tests of flagged bills.

A flag is shown before the bill is added, and accepted with a reason; until then, the account's settings decide whether
the bill counts or is held.
"""

import re

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from tests.dashboard.bills.test_bills import FILLED, NEW, home, shown_flags, shown_marks
from tests.dashboard.conftest import Office


def test_a_bill_that_looks_like_another_is_added_only_when_a_person_says_so(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    first = browser.post(NEW.format(maple.id), FILLED).headers["location"]
    asked = browser.post(NEW.format(maple.id), FILLED)
    assert asked.status_code == 409
    form = asked.text[asked.text.index('id="bill"') :]
    buttons = re.findall(r'type="submit"[^>]*>([^<]*)', form)
    assert buttons == ["Accept and add the bill", "Add it and decide later"], "Enter presses the first button"
    shown = FILLED | {"flagsShown": shown_flags(asked.text)}
    for refused in ({"reason1": ""}, {"reason1": "x" * 201}, {"notes": "Meter 2"}):
        again = browser.post(NEW.format(maple.id), shown | refused)
        assert again.status_code == 409
        assert 'id="wrong-reason1"' in again.text
    assert f'href="{first}"' in asked.text
    assert 'value="Aqua Water Co."' in asked.text
    added = browser.post(NEW.format(maple.id), shown | {"reason1": "A second meter"})
    assert added.headers["location"] not in ("", first)
    page = browser.get(added.headers["location"]).text
    assert "A bill from Aqua Water Co. dated" in page
    assert re.search(r"Accepted by .*: A second meter", page)


def test_flags_that_were_not_shown_are_shown_first(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    browser.post(NEW.format(maple.id), FILLED)
    asked = browser.post(NEW.format(maple.id), FILLED)
    reasons = {"flagsShown": shown_flags(asked.text), "reason1": "A second meter"}
    other = browser.post(NEW.format(maple.id), FILLED | reasons | {"dueDate": "2026-01-01"})
    assert other.status_code == 409
    assert "before the bill date" in other.text
    assert "A second meter" not in other.text
    assert browser.post(NEW.format(maple.id), FILLED | reasons | {"totalAmountDue": "12.34"}).status_code == 303


def test_a_bill_added_to_look_at_later_counts_is_shown_as_flagged_and_is_accepted(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    first = browser.post(NEW.format(maple.id), FILLED).headers["location"]
    asked = browser.post(NEW.format(maple.id), FILLED)
    added = browser.post(
        NEW.format(maple.id), FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"}
    ).headers["location"]
    assert "1 bill is flagged: compare it with the original." in browser.get("/").text
    listed = browser.get("/bills?only=flagged").text
    assert f'href="{added}"' in listed
    assert f'href="{first}"' not in listed
    shown = browser.get(added).text
    assert "Please check" in shown
    assert "This bill is held" not in shown
    assert f'href="{first}"' in shown
    (mark,) = shown_marks(shown)
    refused = browser.post(f"{added}/flags/1", {"shown": mark, "reason": " "})
    assert refused.status_code == 400
    assert "Explain briefly why it is right." in refused.text
    for other in ({}, {"shown": "other"}):
        changed = browser.post(f"{added}/flags/1", {"reason": "A second meter"} | other)
        assert changed.status_code == 409
        assert "The flags have changed in the meantime. Open the bill again." in changed.text
    done = browser.post(f"{added}/flags/1", {"shown": mark, "reason": "A second meter"})
    assert done.headers["location"] == added
    assert "Accepted by " in browser.get(added).text
    assert "flagged" not in browser.get("/").text
    assert "accepted flag of bill Aqua Water Co." in browser.get("/activity").text
    for number in ("9", "x", "9" * 5_000):
        assert browser.post(f"{added}/flags/{number}", {"reason": "x"}).status_code == 404


def test_where_the_account_holds_flagged_bills_one_charges_nobody_before_it_is_accepted(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(hold_flagged=True)))
    browser.post(NEW.format(maple.id), FILLED)
    asked = browser.post(NEW.format(maple.id), FILLED)
    assert "Hold it and decide later" in asked.text
    added = browser.post(NEW.format(maple.id), FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"})
    bill = added.headers["location"]
    said = browser.get(bill).text
    assert "nobody is charged until its flags are accepted." in said
    assert "This bill is held." in said
    assert "Not divided because the bill is held." in said
    assert "It’s held: nobody is charged until you accept it." in browser.get("/").text
    month = browser.get(f"/properties/{maple.id}/months/{FILLED['billDate'][:7]}").text
    assert "flagged and held: it is not on any invoice." in month
    edited = browser.get(f"{bill}/edit")
    assert 'value="Aqua Water Co."' in edited.text
    (mark,) = shown_marks(said)
    done = browser.post(f"{bill}/flags/1", {"shown": mark, "reason": "A second meter"})
    assert "Accepted. The bill now counts. " in browser.get(done.headers["location"]).text
    assert "held" not in browser.get("/").text


def test_lines_that_do_not_sum_are_accepted_with_a_reason_and_what_the_difference_is(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    off = FILLED | {"amountWater": "300.00", "totalAmountDue": "320.10"}
    asked = browser.post(NEW.format(maple.id), off)
    assert asked.status_code == 409
    assert "Its lines add up to $300.00, but its total is $320.10: the lines are $20.10 less." in asked.text
    assert '<option value="OWNER" selected>' in asked.text
    shown = off | {"flagsShown": shown_flags(asked.text), "reason1": "So it says", "difference": ""}
    refused = browser.post(NEW.format(maple.id), shown)
    assert "Choose what the difference is for." in refused.text
    added = browser.post(NEW.format(maple.id), shown | {"difference": "OWNER"})
    page = browser.get(added.headers["location"]).text
    assert re.search(r"Accepted by .*: So it says", page)
    assert "$20.10" in page


def test_one_reason_is_for_all_flags_of_the_form(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    browser.post(NEW.format(maple.id), FILLED)
    both = FILLED | {"dueDate": "2026-01-01"}
    asked = browser.post(NEW.format(maple.id), both)
    shown = both | {"flagsShown": shown_flags(asked.text), "reasonForAll": "A second meter", "reason2": "So it says"}
    page = browser.get(browser.post(NEW.format(maple.id), shown).headers["location"]).text
    assert page.count("Accepted by ") == 2
    assert "So it says" in page


def test_several_flags_are_accepted_at_once_on_the_bill_and_in_the_list(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    browser.post(NEW.format(maple.id), FILLED)
    bills = []
    for due in ("2026-01-01", "2026-01-02", "2026-01-03"):
        asked = browser.post(NEW.format(maple.id), FILLED | {"dueDate": due})
        later = {"dueDate": due, "flagsShown": shown_flags(asked.text), "later": "true"}
        bills.append(browser.post(NEW.format(maple.id), FILLED | later).headers["location"])
    page = browser.get(bills[0]).text
    assert "Accept all 2" in page
    mark = shown_marks(page)[-1]
    refused = browser.post(f"{bills[0]}/flags", {"shown": mark, "reason": ""})
    assert refused.status_code == 400
    changed = browser.post(f"{bills[0]}/flags", {"shown": "other", "reason": "right"})
    assert "The flags have changed in the meantime." in browser.get(changed.headers["location"]).text
    browser.post(f"{bills[0]}/flags", {"shown": mark, "reason": "Second meters"})
    assert browser.get(bills[0]).text.count("Accepted by ") == 2
    listed = browser.get("/bills?only=flagged").text
    chosen = re.findall(r'name="chosen" value="(bill_[^"]+)"', listed)
    assert [one.partition(":")[0] for one in chosen] == [one.removeprefix("/bills/") for one in bills[1:]]
    assert "Possible duplicate" in listed
    refused = browser.post("/bills/flags", {"only": "flagged", "reason": "right"})
    assert "Select the bills whose flags you accept" in refused.text
    blank = browser.post("/bills/flags", {"only": "flagged", "chosen": chosen[1:], "reason": " "})
    assert blank.status_code == 400
    assert [f'value="{one}" checked' in blank.text for one in chosen] == [False, True]
    done = browser.post("/bills/flags", {"only": "flagged", "chosen": chosen, "reason": "Second meters"})
    assert "The flags on 2 bills were accepted." in browser.get(done.headers["location"]).text
    assert 'name="chosen"' not in browser.get("/bills?only=flagged").text
    assert 'name="chosen"' not in browser.get("/bills").text
    assert office.browser("viewer").post("/bills/flags", {"chosen": chosen, "reason": "x"}).status_code == 403


def test_flags_of_a_strangers_bills_are_not_accepted(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), home(quick_office)
    browser.post(NEW.format(maple.id), FILLED)
    asked = browser.post(NEW.format(maple.id), FILLED)
    browser.post(NEW.format(maple.id), FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"})
    chosen = re.findall(r'name="chosen" value="(bill_[^"]+)"', browser.get("/bills?only=flagged").text)
    assert len(chosen) == 1
    said = quick_office.browser("stranger").post("/bills/flags", {"chosen": chosen, "reason": "mine"})
    assert "was accepted" not in said.text
    assert f'value="{chosen[0]}"' in browser.get("/bills?only=flagged").text


def test_accepting_flags_of_a_month_leads_back_to_the_month(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), home(quick_office)
    browser.post(NEW.format(maple.id), FILLED)
    asked = browser.post(NEW.format(maple.id), FILLED)
    browser.post(NEW.format(maple.id), FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"})
    chosen = re.findall(r'name="chosen" value="(bill_[^"]+)"', browser.get("/bills?only=flagged").text)
    given = {"chosen": chosen, "reason": "right", "only": "flagged", "month": "2026-02", "property": maple.id}
    done = browser.post("/bills/flags", given)
    assert done.headers["location"] == f"/bills?only=flagged&property={maple.id}&month=2026-02"
