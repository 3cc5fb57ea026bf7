"""`/account` reads and changes the settings of the dashboard."""

from typing import Any

import pytest
from msgspec.structs import fields

from prorata.actions.accounts import accounts
from prorata.web.api.accounts.account_schemas import AccountChange
from tests.adapters.files.test_logos import picture
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House

WANTED: dict[str, Any] = {
    "name": "Maple Homes", "timeZone": "America/Chicago", "locale": "de-AT", "currency": "EUR",
    "address": "Main Street 1\nSpringfield", "email": "office@example.com", "phone": "+43 1 234", "payText": "By the 5th.",
    "payHolder": "Maple Homes", "payIban": "DE89 3704 0044 0532 0130 00", "payBic": "COBADEFFXXX", "daysToPay": 21,
    "answerDays": 10, "keepInvoicesYears": 12, "keepTenantsYears": 3, "keepBankFilesDays": 400, "sendsMail": False, "mailHoldMinutes": 7, "sendAt": "09:30", "reminderDaysBefore": [3, 0],
    "reminderDaysAfter": [7, 14], "mailSubject": "Your invoice", "mailOpening": "Hello.", "lateBills": "nextOpenMonth",
    "corrections": "automatic", "announceDays": 14, "holdFlagged": True, "showsBills": True, "carryCredits": False,
    "automatic": "propose", "automaticDay": 9, "billingMonthRule": "SERVICE_END", "color": "#0B4F5C",
}  # fmt: skip
CLEARED = ("address", "email", "phone", "payText", "payHolder", "payIban", "payBic", "sendAt", "mailSubject",
           "mailOpening", "color")  # fmt: skip


def test_a_key_reads_the_account_that_it_is_of_and_no_other(house: House) -> None:
    said = house.api.get("/account").json()
    stored = house.database.read(lambda tx: accounts.the_account(tx, house.landlord.caller))
    assert said["id"] == house.landlord.account_id
    assert (said["name"], said["timeZone"], said["currency"]) == (stored.name, stored.timezone, stored.currency)
    assert (said["daysToPay"], said["answerDays"]) == (stored.payment_terms, stored.answer_days)
    assert said["phone"] is None
    other = Api(house.client, house.stranger.full).get("/account").json()
    assert other["id"] == house.stranger.account_id
    assert Api(house.client, house.landlord.read).get("/account").json() == said


def test_every_setting_is_changed_read_as_it_was_set_and_cleared(house: House) -> None:
    bank = {"payRoutingNumber": "021000021", "payAccountNumber": "12345678"}
    assert {field.encode_name for field in fields(AccountChange)} == {*WANTED, *bank}
    changed = house.api.patch("/account", WANTED)
    assert changed.status_code == 200, changed.text
    read = house.api.get("/account")
    assert (read.json(), read.headers["etag"]) == (changed.json(), changed.headers["etag"])
    stored = WANTED | {"payIban": "DE89370400440532013000", "reminderDaysBefore": [0, 3], "color": "#0b4f5c"}
    assert {name: read.json()[name] for name in WANTED} == stored
    cleared = house.api.patch("/account", dict.fromkeys(CLEARED) | {"reminderDaysAfter": []}).json()
    assert {name: cleared[name] for name in CLEARED} == dict.fromkeys(CLEARED)
    assert (cleared["reminderDaysAfter"], cleared["reminderDaysBefore"]) == ([], [0, 3])
    assert bank.items() <= house.api.patch("/account", bank).json().items()


def test_what_the_pages_refuse_is_refused_by_the_fields_of_the_api_and_nothing_is_changed(house: House) -> None:
    before = house.api.get("/account").content
    body = {"timeZone": "Mars", "payIban": "DE00", "payAccountNumber": "1", "name": "Other"}
    said = assert_refused(house.api.patch("/account", body), 400, "INVALID_REQUEST")
    assert [one["field"] for one in said["details"]] == [
        "timeZone",
        "payIban",
        "payAccountNumber",
        "payRoutingNumber",
    ]
    said = assert_refused(house.api.patch("/account", {"color": "teal", "name": "Other"}), 400, "INVALID_REQUEST")
    assert [one["field"] for one in said["details"]] == ["color"]
    assert house.api.get("/account").content == before


@pytest.mark.parametrize("field", ["sendAt", "locale", "daysToPay", "reminderDaysAfter", "currency", "automatic"])
def test_a_setting_of_the_wrong_form_is_named(shared_house: House, field: str) -> None:
    wrong = {"sendAt": "9:30", "locale": "zz-ZZ", "daysToPay": 1000, "reminderDaysAfter": [0], "currency": "JPY"}
    said = assert_refused(shared_house.api.patch("/account", {field: wrong.get(field, "x")}), 400, "INVALID_REQUEST")
    assert said["details"][0]["field"].startswith(field)


def test_settings_are_changed_by_keys_that_manage_and_read_by_any(shared_house: House) -> None:
    landlord = shared_house.landlord
    for key in (landlord.read, landlord.full):
        api = Api(shared_house.client, key)
        assert api.get("/account").status_code == 200
        assert_refused(api.patch("/account", {"name": "x"}), 403, "INSUFFICIENT_PERMISSIONS")


def test_a_change_of_settings_meets_if_match(house: House) -> None:
    tag = house.api.get("/account").headers["etag"]
    assert house.api.patch("/account", {"daysToPay": 9}, headers={"If-Match": tag}).status_code == 200
    said = house.api.patch("/account", {"daysToPay": 8}, headers={"If-Match": tag})
    assert_refused(said, 412, "PRECONDITION_FAILED")


def test_a_logo_is_chosen_and_taken_off(house: House) -> None:
    chosen = house.api.request("PUT", "/account/logo", files={"file": ("logo.png", picture(40, 40))})
    assert chosen.status_code == 200, chosen.text
    assert chosen.json()["hasLogo"] is True
    assert house.api.get("/account").json() == chosen.json()
    assert house.api.delete("/account/logo").status_code == 200
    assert house.api.get("/account").json()["hasLogo"] is False
    wrong = house.api.request("PUT", "/account/logo", files={"file": ("logo.png", b"no picture")})
    assert assert_refused(wrong, 400, "INVALID_REQUEST")["details"][0]["field"] == "file"
