import itertools
from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp
from tests.web.furnished import Furnished, add_bill, furnish

STATUSES = ("DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED")
FIELDS = {"id", "propertyId", "unitId", "month", "status", "invoiceNumber", "invoiceDate", "totalAmount", "paidAmount",
          "paidAt", "tenantEmail", "tenantName", "paymentStatus", "gatewayPaymentLinkId", "gatewayPaymentLinkUrl",
          "emailSentAt", "emailStatus", "generatedAt", "updatedAt", "unit", "property"}  # fmt: skip
ADDED = {"dueDate", "pendingChanges", "missingFacts", "delivery", "sequence", "tenantId", "replacesNumber"}
CHARGES = {"charges", "customCharges"}
CHARGE = {"id", "utilityType", "amount", "description", "invoiceMonth", "correctsMonth", "billId", "line"}


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


# --- reading -----------------------------------------------------------------------------------------------------------


def test_an_invoice_has_every_field_of_the_contract(made: Furnished) -> None:
    invoice_id = made.invoice("1")["id"]
    answer = made.api.get(f"/invoices/{invoice_id}")
    said = answer.json()
    assert (answer.status_code, set(said)) == (200, FIELDS | ADDED | CHARGES)
    expected = {
        "propertyId": made.property_id, "unitId": made.units["1"], "month": "2026-03-01T00:00:00.000Z", "status": "DRAFT",
        "invoiceNumber": "MAPLECOURT-1-2026-03", "invoiceDate": "2026-04-02T00:00:00.000Z", "totalAmount": "30.00",
        "paidAmount": "0.00", "paidAt": None, "tenantEmail": "ann@example.com", "tenantName": "Ann Smith",
        "paymentStatus": "pending", "gatewayPaymentLinkId": None, "gatewayPaymentLinkUrl": None, "emailSentAt": None,
        "emailStatus": None, "delivery": None, "dueDate": None, "pendingChanges": False, "missingFacts": False, "sequence": 0,
        "customCharges": [],
        "unit": {"id": made.units["1"], "label": "1", "sqft": None, "bedrooms": None},
        "property": {"id": made.property_id, "name": "Maple Court", "currency": "USD"},
    }  # fmt: skip
    assert said | expected == said
    assert has_prefix(invoice_id, "inv")
    assert is_timestamp(said["generatedAt"])
    assert is_timestamp(said["updatedAt"])
    (charge,) = said["charges"]
    assert set(charge) == CHARGE
    assert has_prefix(charge["id"], "chg")
    assert charge | {"utilityType": "WATER", "amount": "30.00", "invoiceMonth": said["month"],
                     "description": "Aqua Water Co., bill of 2026-03-14, $90.00: 1 of 3 units",
                     "billId": made.bills[-1], "line": 1} == charge  # fmt: skip


def test_a_vacant_unit_s_invoice_has_no_tenant(made: Furnished) -> None:
    said = made.invoice("2")
    assert (said["tenantName"], said["tenantEmail"], said["totalAmount"]) == (None, None, "30.00")


def test_a_month_says_that_a_rule_needs_what_nobody_has_entered(made: Furnished) -> None:
    assert made.api.patch(f"/sharerules/{made.rule_id}", {"splitMethod": "SQFT"}).status_code == 200
    assert {one["missingFacts"] for one in made.invoices()} == {True}
    for unit_id in made.units.values():
        made.api.patch(f"/units/{unit_id}", {"sqft": 500})
    assert {(one["missingFacts"], one["totalAmount"]) for one in made.invoices()} == {(False, "30.00")}


def test_garbage_is_charged_as_trash_and_other_as_a_custom_charge(made: Furnished) -> None:
    add_bill(made.house, made.landlord, made.property_id, "2026-03", 10_01, kinds=("GARBAGE", "OTHER"), issuer="City")
    said = made.api.get(f"/invoices/{made.invoice('1')['id']}").json()
    assert [(charge["utilityType"], charge["amount"]) for charge in said["charges"]] == [
        ("WATER", "30.00"),
        ("TRASH", "1.67"),
    ]
    (custom,) = said["customCharges"]
    assert set(custom) == CHARGE - {"utilityType"}
    assert has_prefix(custom["id"], "cchg")
    assert (custom["amount"], custom["invoiceMonth"]) == ("1.67", said["month"])
    assert custom["description"].startswith("City, bill of 2026-03-14")
    assert said["totalAmount"] == "33.34"


def test_a_credit_is_a_negative_amount(made: Furnished) -> None:
    add_bill(made.house, made.landlord, made.property_id, "2026-03", -100_00, issuer="Aqua Credit")
    said = made.api.get(f"/invoices/{made.invoice('1')['id']}").json()
    assert said["totalAmount"] == "-3.34"
    assert sorted(charge["amount"] for charge in said["charges"]) == ["-33.34", "30.00"]


def test_an_unknown_invoice_is_404(made: Furnished) -> None:
    assert_refused(made.api.get("/invoices/x"), 404, "INVOICE_NOT_FOUND")
    assert_refused(made.api.patch("/invoices/x", {"status": "SENT"}), 404, "INVOICE_NOT_FOUND")


# --- the list ----------------------------------------------------------------------------------------------------------


def test_charges_and_tenants_are_listed_where_they_are_asked_for(made: Furnished) -> None:
    plain = made.api.get("/invoices").json()["data"]
    detailed = made.api.get("/invoices?details=true").json()["data"]
    assert made.api.get("/invoices?expand=charges").json()["data"] == detailed
    tenants = {one["id"]: one for one in made.api.get("/tenants").json()["data"]}
    assert tenants
    for query, shown in (
        ("expand=tenant", plain),
        ("expand=charges,tenant", detailed),
        ("expand=tenant&details=true", detailed),
    ):
        expanded = made.api.get(f"/invoices?{query}").json()["data"]
        assert expanded == [one | {"tenant": tenants.get(one["tenantId"])} for one in shown]
        walked = made.api.get(f"/invoices?{query}&after=&limit=1000").json()
        assert walked == {"data": expanded, "next": None}
    assert any(one["tenantId"] for one in plain)
    assert any(one["tenantId"] is None for one in plain)
    for wrong in ("", "tenants", "charges,", "charges tenant", "Charges"):
        assert_invalid(made.api.get("/invoices", params={"expand": wrong}), "expand")


def test_whom_an_invoice_is_for_is_shown_though_the_stay_was_ended(house: House) -> None:
    made = furnish(house)
    made.set_status("SENT")
    house.clock.advance(days=2)
    assert "remains in earlier months" in made.api.delete(f"/tenants/{made.tenant_id}").json()["message"]
    invoice = made.invoice(expand="tenant")
    assert (invoice["tenantId"], invoice["tenant"]["name"]) == (made.tenant_id, "Ann Smith")


def test_charges_are_listed_only_with_details(made: Furnished) -> None:
    for query in ("", "?details=false"):
        assert {frozenset(one) for one in made.api.get(f"/invoices{query}").json()["data"]} == {
            frozenset(FIELDS | ADDED)
        }
    listed = made.api.get("/invoices?details=true").json()["data"]
    assert listed == [made.api.get(f"/invoices/{one['id']}").json() for one in listed]
    for sent in ("True", "1", "yes", "", "TRUE", "on", "null"):
        assert_invalid(made.api.get("/invoices", params={"details": sent}), "details")


def test_invoices_are_listed_newest_month_first_then_by_number_in_natural_order(made: Furnished) -> None:
    furnish(made.house, name="Elm")
    listed = made.api.get("/invoices").json()["data"]
    assert [(one["month"][:7], one["invoiceNumber"]) for one in listed] == [
        (month, f"{house}-{unit}-{month}")
        for month in ("2026-03", "2026-02", "2026-01")
        for house in ("ELM", "MAPLECOURT")
        for unit in ("1", "2", "10")
    ]


@pytest.fixture
def many(made: Furnished) -> tuple[Furnished, list[dict[str, Any]]]:
    """Two properties with eighteen invoices in every status, and the list of them all."""
    other = furnish(made.house, name="Elm")
    for (label, month), status in zip(
        itertools.product(("1", "2", "10"), ("2026-01", "2026-03")), STATUSES, strict=False
    ):
        made.set_status(status, label, month)
        other.set_status(status, label, month)
    made.api.patch(f"/units/{made.units['2']}", {"activeTo": "2026-02-10"})
    return made, made.api.get("/invoices?limit=100").json()["data"]


def test_every_combination_of_filters_finds_what_fits_and_counts_it(
    many: tuple[Furnished, list[dict[str, Any]]],
) -> None:
    made, all_of_them = many
    choices = {
        "propertyId": [None, *sorted({one["propertyId"] for one in all_of_them}), "prop_" + "0" * 26],
        "unitId": [None, made.units["1"], all_of_them[0]["unitId"], "x"],
        "month": [None, "2026-03", "2026-01", "2025-12"],
        "status": [None, *STATUSES],
    }
    seen = 0
    for values in itertools.product(*choices.values()):
        query = {name: value for name, value in zip(choices, values, strict=True) if value is not None}
        month = query.get("month")
        expected = [
            one for one in all_of_them
            if all(one[name] == value for name, value in query.items() if name != "month")
            and (month is None or one["month"].startswith(month))
        ]  # fmt: skip
        said = made.api.get("/invoices", params=query | {"limit": 2}).json()
        assert (said["data"], said["pagination"]["total"]) == (expected[:2], len(expected)), query
        seen += bool(expected)
    assert seen > 50


@pytest.mark.parametrize("name", ["propertyId", "unitId"])
@pytest.mark.parametrize("sent", ["", "x", "prop_", "unit_" + "0" * 26, "é", "x" * 255, "' or 1=1 --"])
def test_a_filter_that_names_nothing_gives_an_empty_list(made: Furnished, name: str, sent: str) -> None:
    for more in (
        {},
        {"status": "DRAFT"},
        {"month": "2026-03"},
        {"month": "2026-03", "status": "DRAFT", "details": "true"},
    ):
        said = made.api.get("/invoices", params={name: sent} | more).json()
        assert said == {"data": [], "pagination": {"total": 0, "page": 1, "limit": 20, "totalPages": 0}}


def test_a_filter_of_another_form_is_400(made: Furnished) -> None:
    for name, values in {
        "month": ("2026-13", "2026-3", "2026-03-01", "202603", "", "March", "0000-01", "2026-03 ", "２０２６-03"),
        "status": ("draft", "DRAFT,SENT", "", "OPEN", "DRAFT "),
        "propertyId": ("x" * 256, "a\x00b", "a\nb\x07"),
        "unitId": ("x" * 256, "\x1b"),
    }.items():
        for sent in values:
            assert_invalid(made.api.get("/invoices", params={name: sent}), name)
    assert_invalid(made.api.get("/invoices?status=DRAFT&status=SENT"), "status")
    assert_invalid(made.api.get("/invoices?status=x&month=y&details=z&page=0&limit=0&unitid=1"),
                   "status", "month", "details", "page", "limit", "unitid")  # fmt: skip


# --- status ------------------------------------------------------------------------------------------------------------


def test_any_status_is_set_from_any(made: Furnished) -> None:
    invoice_id = made.invoice("1")["id"]
    for before, after in itertools.product(STATUSES, repeat=2):
        assert made.api.patch(f"/invoices/{invoice_id}", {"status": before}).status_code == 200
        answer = made.api.patch(f"/invoices/{invoice_id}", {"status": after})
        said = answer.json()
        assert (answer.status_code, said["status"]) == (200, after), before
        assert set(said) == FIELDS | ADDED | CHARGES
        assert said == made.api.get(f"/invoices/{invoice_id}").json()
        assert (said["paidAmount"], said["paidAt"] is None) == (("30.00", False) if after == "PAID" else ("0.00", True))
        payment = {"PAID": "paid", "CANCELLED": "cancelled"}.get(after, "pending")
        assert said["paymentStatus"] == payment
        totals = [made.invoices(status=status, limit=1) for status in STATUSES]
        assert sum(map(bool, totals)) == (1 if after == "DRAFT" else 2)


@pytest.mark.parametrize("status", STATUSES)
def test_the_same_status_again_is_200_and_does_nothing(made: Furnished, status: str) -> None:
    before = made.set_status(status).json()
    answer = made.set_status(status)
    assert (answer.status_code, answer.json()) == (200, before)


@pytest.mark.parametrize("status", STATUSES)
def test_an_empty_change_is_200_and_changes_nothing(made: Furnished, status: str) -> None:
    before = made.set_status(status).json()
    answer = made.api.patch(f"/invoices/{before['id']}", {})
    assert (answer.status_code, answer.json()) == (200, before)


def test_nothing_but_the_status_can_be_set(made: Furnished) -> None:
    path = f"/invoices/{made.invoice('1')['id']}"
    for sent in (None, "sent", "", "OPEN", ["SENT"], 1, True):
        assert_invalid(made.api.patch(path, {"status": sent}), "status")
    assert_invalid(
        made.api.patch(path, {"status": "SENT", "paidAmount": "1.00", "charges": []}), "paidAmount", "charges"
    )
    for method in ("PUT", "DELETE", "POST"):
        assert_refused(made.api.request(method, path), 405, "METHOD_NOT_ALLOWED")
    assert made.invoice("1")["status"] == "DRAFT"


def test_sending_sets_the_dates_of_the_invoice(made: Furnished) -> None:
    made.house.clock.advance(days=3)
    said = made.set_status("SENT").json()
    assert (said["invoiceDate"], said["dueDate"]) == ("2026-04-05T00:00:00.000Z", "2026-04-19")


def test_a_month_with_a_sent_invoice_waits_and_is_computed_again_when_all_are_drafts(made: Furnished) -> None:
    made.set_status("SENT", "1")
    made.set_status("PAID", "2")
    made.api.patch(f"/sharerules/{made.rule_id}", {"ownerPercent": 50})
    assert [made.invoice(label)["totalAmount"] for label in ("1", "2", "10")] == ["30.00"] * 3
    assert {one["pendingChanges"] for one in made.invoices(month="2026-03")} == {True}
    assert {one["pendingChanges"] for one in made.invoices(month="2026-02")} == {False}
    made.set_status("DRAFT", "1")
    assert made.invoice("10")["totalAmount"] == "30.00"
    assert made.set_status("DRAFT", "2").json()["totalAmount"] == "15.00"
    assert {(one["totalAmount"], one["pendingChanges"]) for one in made.invoices(month="2026-03")} == {("15.00", False)}


def test_a_cancelled_invoice_without_anything_left_to_bill_still_takes_any_status(made: Furnished) -> None:
    cancelled = made.set_status("CANCELLED", "1").json()
    made.api.patch(f"/units/{made.units['1']}", {"activeTo": "2026-01-31"})
    for status in ("SENT", "CANCELLED", "PAID", "DRAFT"):
        said = made.api.patch(f"/invoices/{cancelled['id']}", {"status": status})
        assert (said.status_code, said.json()["status"], said.json()["totalAmount"]) == (200, status, "0.00")


def test_invoices_that_need_something_are_listed_in_pages(house: House) -> None:
    made = furnish(house)
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    for label in ("1", "2"):
        made.set_status("SENT", label)

    def found(query: str) -> list[str]:
        return [one["id"] for one in made.api.get(f"/invoices?{query}").json()["data"]]

    assert found("needs=HAND_OVER") == [made.invoice("2")["id"]]
    assert found("needs=OWED") == [made.invoice("1")["id"], made.invoice("2")["id"]]
    assert found(f"needs=OWED&unitId={made.units['2']}") == [made.invoice("2")["id"]]
    assert made.api.get("/invoices?needs=OWED&limit=1&page=2").json()["pagination"]["total"] == 2
    assert found("needs=OWED&limit=1&page=2") == [made.invoice("2")["id"]]
    assert found("needs=OVERDUE") == []
    charged = made.api.get("/invoices?needs=HAND_OVER&details=true").json()["data"]
    assert [one["amount"] for one in charged[0]["charges"]] == ["30.00"]
    assert_invalid(made.api.get("/invoices?needs=OWED&after="), "needs")
