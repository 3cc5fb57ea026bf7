from datetime import date
from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, Api, House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp, text_of
from tests.web.furnished import add_bill, blend_named, furnish

FIELDS = {"id", *MAPLE, "isActive", "createdAt", "updatedAt"}
ADDED = {"billingStartsMonth", "currency", "billingMonthRule"}
LONGEST = {"name": 255, "streetNumber": 50, "street": 255, "city": 100, "state": 50, "zip": 20}
OTHER = {"name": "Elm House", "streetNumber": "7b", "street": "Elm Street", "city": "Graz", "state": "Styria",
         "zip": "8010", "country": "AT"}  # fmt: skip


@pytest.fixture
def api(lasting_house: House) -> Api:
    """The landlord's API; each test makes a property of its own."""
    return lasting_house.api


def test_a_created_property_is_answered_with_201_and_read_back(api: Api) -> None:
    created = api.post("/properties", MAPLE)
    assert created.status_code == 201
    said = created.json()
    assert set(said) == FIELDS | ADDED
    assert said | MAPLE == said
    assert has_prefix(said["id"], "prop")
    assert said["isActive"] is True
    assert is_timestamp(said["createdAt"])
    assert said["updatedAt"] == said["createdAt"]
    assert (said["currency"], said["billingStartsMonth"]) == ("USD", None)
    read = api.get(f"/properties/{said['id']}")
    assert (read.status_code, read.json()) == (200, said)


def test_a_new_property_has_seven_active_rules_that_split_equally(api: Api) -> None:
    property_id = api.post("/properties", MAPLE).json()["id"]
    rules = api.get(f"/properties/{property_id}/sharerules").json()
    assert {rule["utilityType"] for rule in rules} == {
        "ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER",
    }  # fmt: skip
    assert {(rule["splitMethod"], rule["isActive"]) for rule in rules} == {("EQUAL", True)}


@pytest.mark.parametrize("field", LONGEST)
def test_the_longest_text_of_a_field_is_taken_and_a_character_more_is_refused(api: Api, field: str) -> None:
    longest = text_of(LONGEST[field])
    created = api.post("/properties", MAPLE | {field: longest})
    assert created.json()[field] == longest
    changed = f"/properties/{created.json()['id']}"
    assert api.patch(changed, {field: longest[::-1]}).json()[field] == longest[::-1]
    for answer in (api.post("/properties", MAPLE | {field: longest + "x"}), api.patch(changed, {field: longest + "x"})):
        assert_invalid(answer, field)


def test_text_is_trimmed_before_it_is_counted(api: Api) -> None:
    sent = {field: f" \t{text_of(most)}\n\u3000" for field, most in LONGEST.items()}
    said = api.post("/properties", MAPLE | sent).json()
    assert {field: len(said[field]) for field in LONGEST} == LONGEST


@pytest.mark.parametrize("blank", ["", "   ", "\u00a0\t\n"])
def test_blank_text_is_refused_in_every_field(api: Api, blank: str) -> None:
    assert_invalid(api.post("/properties", dict.fromkeys(MAPLE, blank)), *MAPLE)
    property_id = api.post("/properties", MAPLE).json()["id"]
    assert_invalid(api.patch(f"/properties/{property_id}", dict.fromkeys(MAPLE, blank)), *MAPLE)


def test_a_country_is_an_assigned_code_and_kept_in_upper_case(api: Api) -> None:
    assert api.post("/properties", MAPLE | {"country": " us "}).json()["country"] == "US"
    for sent in ("UK", "XX", "USA", "U", "1A", "ZZ", "ß", "ａｔ", "EU"):
        assert_invalid(api.post("/properties", MAPLE | {"country": sent}), "country")


@pytest.mark.parametrize("field", MAPLE)
def test_each_field_is_changed_alone(api: Api, field: str) -> None:
    before = api.post("/properties", MAPLE).json()
    answer = api.patch(f"/properties/{before['id']}", {field: OTHER[field]})
    after = answer.json()
    assert answer.status_code == 200
    assert after["updatedAt"] > before["updatedAt"]
    follows = {"currency"} if field == "country" else set()
    assert {name for name in before if before[name] != after[name]} == {field, "updatedAt"} | follows
    assert api.get(f"/properties/{before['id']}").json() == after


def test_all_fields_are_changed_together(api: Api) -> None:
    before = api.post("/properties", MAPLE).json()
    after = api.patch(f"/properties/{before['id']}", OTHER).json()
    assert after == before | OTHER | {"currency": "EUR", "updatedAt": after["updatedAt"]}


@pytest.mark.parametrize(
    "body", [{}, MAPLE, {"name": "  Maple Court "}, {"country": "us"}, {"billingStartsMonth": None}]
)
def test_a_change_that_changes_nothing_is_200_and_leaves_updated_at(api: Api, body: dict[str, Any]) -> None:
    before = api.post("/properties", MAPLE).json()
    answer = api.patch(f"/properties/{before['id']}", body)
    assert (answer.status_code, answer.json()) == (200, before)


def test_null_is_refused_where_a_field_is_not_nullable(api: Api) -> None:
    property_id = api.post("/properties", MAPLE).json()["id"]
    for field in (*MAPLE, "currency"):
        assert_invalid(api.patch(f"/properties/{property_id}", {field: None}), field)
        assert_invalid(api.post("/properties", MAPLE | {field: None}), field)


@pytest.mark.parametrize("field", ["id", "isActive", "createdAt", "updatedAt", "units", "accountId"])
def test_what_is_only_answered_cannot_be_sent(api: Api, field: str) -> None:
    property_id = api.post("/properties", MAPLE).json()["id"]
    assert_invalid(api.post("/properties", MAPLE | {field: True}), field)
    assert_invalid(api.patch(f"/properties/{property_id}", {field: True}), field)


def test_the_month_in_which_billing_starts_is_set_and_cleared_by_null(api: Api) -> None:
    said = api.post("/properties", MAPLE | {"billingStartsMonth": "2026-02"}).json()
    assert said["billingStartsMonth"] == "2026-02"
    changed = f"/properties/{said['id']}"
    assert api.patch(changed, {"billingStartsMonth": "2025-12"}).json()["billingStartsMonth"] == "2025-12"
    assert api.patch(changed, {"billingStartsMonth": None}).json()["billingStartsMonth"] is None
    for sent in ("2026-13", "2026-1", "2026-02-01", "", "0000-01", 202602):
        assert_invalid(api.patch(changed, {"billingStartsMonth": sent}), "billingStartsMonth")


def test_months_before_billing_starts_have_no_invoices(house: House) -> None:
    made = furnish(house)
    changed = f"/properties/{made.property_id}"
    house.api.patch(changed, {"billingStartsMonth": "2026-03"})
    assert {invoice["month"][:7] for invoice in made.invoices()} == {"2026-03"}
    house.api.patch(changed, {"billingStartsMonth": None})
    assert {invoice["month"][:7] for invoice in made.invoices()} == {"2026-01", "2026-02", "2026-03"}


@pytest.mark.parametrize("sent", ["6766-01", "3000-01", "1969-12", "0001-01"])
def test_a_property_bills_from_a_month_in_which_a_rule_could_begin(api: Api, sent: str) -> None:
    refused = api.post("/properties", MAPLE | {"billingStartsMonth": sent})
    assert_invalid(refused, "billingStartsMonth")
    assert "`billingStartsMonth` must be between 1970 and 2999." in refused.text
    at = f"/properties/{api.post('/properties', MAPLE | {'billingStartsMonth': '2999-12'}).json()['id']}"
    assert_invalid(api.patch(at, {"billingStartsMonth": sent}), "billingStartsMonth")
    assert api.get(at).json()["billingStartsMonth"] == "2999-12"


def test_the_currency_is_the_country_s_and_can_be_changed_until_the_first_bill(house: House) -> None:
    api = house.api
    property_id = api.post("/properties", MAPLE | {"country": "DE"}).json()["id"]
    changed = f"/properties/{property_id}"
    assert api.get(changed).json()["currency"] == "EUR"
    assert api.patch(changed, {"currency": "CHF"}).json()["currency"] == "CHF"
    for sent in ("JPY", "KWD", "QQQ", "usd", "EURO"):  # yen have no cents, dinars have three places
        assert_invalid(api.patch(changed, {"currency": sent}), "currency")
    add_bill(house, house.landlord, property_id, "2026-03")
    assert_refused(api.patch(changed, {"currency": "EUR"}), 409, "CONFLICT")
    assert api.patch(changed, {"currency": "CHF", "country": "FR"}).json()["currency"] == "CHF"
    assert api.post("/properties", MAPLE | {"currency": "GBP"}).json()["currency"] == "GBP"


def test_deleting_a_property_deletes_everything_under_it_and_keeps_an_export(house: House) -> None:
    made, other = furnish(house), furnish(house, name="Elm House")
    made.set_status("SENT")
    ids, invoices, api = dict(made.ids), made.invoices(), house.api
    answer = api.delete(f"/properties/{made.property_id}")
    assert (answer.status_code, set(answer.json())) == (200, {"message"})
    gone = [f"/properties/{ids['property']}", f"/properties/{ids['property']}/units", f"/units/{ids['unit']}",
            f"/properties/{ids['property']}/sharerules", f"/units/{ids['unit']}/tenants", f"/tenants/{ids['tenant']}",
            f"/sharerules/{ids['share rule']}", *(f"/utility-bills/{bill}" for bill in made.bills),
            *(f"/invoices/{invoice['id']}" for invoice in invoices)]  # fmt: skip
    assert [api.get(path).status_code for path in gone] == [404] * len(gone)
    assert_refused(api.delete(f"/properties/{made.property_id}"), 404, "PROPERTY_NOT_FOUND")
    (kept,) = house.shelf.kept.values()
    assert kept["property"]["id"] == made.property_id
    assert {name: len(kept[name]) for name in ("units", "tenants", "shareRules", "bills", "lines", "invoices", "charges")} == {
        "units": 3, "tenants": 1, "shareRules": 7, "bills": 3, "lines": 3, "invoices": 9, "charges": 9,
    }  # fmt: skip
    assert len(other.invoices()) == 9
    totals = [api.get(path).json()["pagination"]["total"] for path in ("/properties", "/invoices", "/utility-bills")]
    assert totals == [1, 9, 3]


@pytest.mark.thorough
def test_the_export_is_kept_before_anything_is_deleted(house: House) -> None:
    made = furnish(house)
    house.shelf.breaks_with = OSError("no room")
    assert house.api.delete(f"/properties/{made.property_id}").status_code == 500
    assert len(made.invoices()) == 9


def test_two_properties_may_have_one_name(house: House) -> None:
    first, second = furnish(house), house.api.post("/properties", MAPLE).json()["id"]
    house.api.post(f"/properties/{second}/units", {"label": "1"})
    add_bill(house, house.landlord, second, "2026-03", bill_date=date(2026, 3, 2))
    numbers = [invoice["invoiceNumber"] for invoice in house.api.get("/invoices?month=2026-03").json()["data"]]
    assert numbers == ["MAPLECOURT-1-2026-03", "MAPLECOURT-2-2026-03", "MAPLECOURT-10-2026-03", "MAPLECOURT2-1-2026-03"]
    assert first.property_id != second


@pytest.mark.parametrize("end", ["\r", "\n", "\u2028", "\u2029"])
def test_a_name_with_a_line_break_is_refused_wherever_one_is_given(house: House, end: str) -> None:
    made = furnish(house)
    for path, body in (
        ("/properties", MAPLE | {"name": f"Maple{end}Court"}),
        ("/properties", MAPLE | {"street": f"Main{end}Street", "city": f"Re{end}no"}),
        (f"/properties/{made.property_id}/units", {"label": f"9{end}A"}),
        (f"/units/{made.units['1']}/tenants", {"name": f"Ann{end}Bcc: all@example.com"}),
        ("/split-methods", blend_named(f"Half{end}half")),
    ):
        said = assert_refused(house.api.post(path, body), 400, "INVALID_REQUEST")
        assert all(
            detail["message"].endswith("must be one line of text, without line breaks.") for detail in said["details"]
        )
