"""Bills that are flagged: shown first, accepted with a reason, counted or held as the account wants."""

import re

from prorata.actions import accounts
from prorata.actions.accounts import Wishes
from tests.dashboard.conftest import Office
from tests.dashboard.test_bills import FILLED, NEW, home, shown_flags


def test_a_bill_that_looks_like_another_is_added_only_when_a_person_says_so(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    first = browser.post(NEW.format(maple.id), FILLED).headers["location"]
    asked = browser.post(NEW.format(maple.id), FILLED)
    assert asked.status_code == 409
    form = asked.text[asked.text.index('id="bill"') :]
    buttons = re.findall(r'type="submit"[^>]*>([^<]*)', form)
    assert buttons == ["Accept, and add the bill", "Add it, look later"], "Enter presses the first button"
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
    assert "A bill of Aqua Water Co. of" in page
    assert re.search(r"accepted it, .*: A second meter", page)


def test_flags_that_were_not_shown_are_shown_first(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    browser.post(NEW.format(maple.id), FILLED)
    asked = browser.post(NEW.format(maple.id), FILLED)
    reasons = {"flagsShown": shown_flags(asked.text), "reason1": "A second meter"}
    other = browser.post(NEW.format(maple.id), FILLED | reasons | {"dueDate": "2026-01-01"})
    assert other.status_code == 409
    assert "before the day of the bill itself" in other.text
    assert "A second meter" not in other.text
    assert browser.post(NEW.format(maple.id), FILLED | reasons | {"totalAmountDue": "12.34"}).status_code == 303


def test_a_bill_added_to_look_at_later_counts_is_shown_as_flagged_and_is_accepted(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    first = browser.post(NEW.format(maple.id), FILLED).headers["location"]
    asked = browser.post(NEW.format(maple.id), FILLED)
    added = browser.post(
        NEW.format(maple.id), FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"}
    ).headers["location"]
    assert "1 bill is flagged: compare with the paper." in browser.get("/").text
    listed = browser.get("/bills?only=flagged").text
    assert f'href="{added}"' in listed
    assert f'href="{first}"' not in listed
    shown = browser.get(added).text
    assert "Look at this" in shown
    assert "This bill is held" not in shown
    assert f'href="{first}"' in shown
    refused = browser.post(f"{added}/flags/1", {"reason": " "})
    assert refused.status_code == 400
    assert "Say in a few words why it is right." in refused.text
    done = browser.post(f"{added}/flags/1", {"reason": "A second meter"})
    assert done.headers["location"] == added
    assert "accepted it" in browser.get(added).text
    assert "flagged" not in browser.get("/").text
    assert "accepted flag of bill Aqua Water Co." in browser.get("/activity").text
    assert browser.post(f"{added}/flags/9", {"reason": "x"}).status_code == 404


def test_where_the_account_holds_flagged_bills_one_charges_nobody_before_it_is_accepted(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(hold_flagged=True)))
    browser.post(NEW.format(maple.id), FILLED)
    asked = browser.post(NEW.format(maple.id), FILLED)
    assert "Hold it, look later" in asked.text
    added = browser.post(NEW.format(maple.id), FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"})
    bill = added.headers["location"]
    said = browser.get(bill).text
    assert "It is held, and charges nobody before its flags are accepted." in said
    assert "This bill is held." in said
    assert "Not divided: it is held." in said
    assert "It is held, and charges nobody before you accept it." in browser.get("/").text
    month = browser.get(f"/properties/{maple.id}/months/{FILLED['billDate'][:7]}").text
    assert "flagged and held: it is on no invoice." in month
    edited = browser.get(f"{bill}/edit")
    assert 'value="Aqua Water Co."' in edited.text
    done = browser.post(f"{bill}/flags/1", {"reason": "A second meter"})
    assert "Accepted. The bill counts now. It charges" in browser.get(done.headers["location"]).text
    assert "held" not in browser.get("/").text
