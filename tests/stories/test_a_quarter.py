"""A landlord's first quarter, through the API and the command line, on both databases.

The amounts are checked to the cent after each step.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from prorata.actions.invoices.invoices import mark_overdue
from prorata.actions.overview.consistency_checks import check
from prorata.store.accounts import accounts
from tests.cli.running import SECRET, Command, Done
from tests.web.conftest import MAPLE, Api, House

ELM = {**MAPLE, "name": "Elm House", "streetNumber": "1", "street": "Elm Street"}
OTHER_ELM = {**MAPLE, "name": "Elm House", "streetNumber": "9", "street": "Oak Avenue"}
HEADER = "property,issuerName,utilityType,totalAmountDue,amounts,billDate,servicePeriodStart,servicePeriodEnd\n"
HERE = '"Elm House, 1 Elm Street"'


class Landlord:
    """The landlord's actions and views."""

    def __init__(self, house: House, folder: Path) -> None:
        self.house = house
        self.api: Api = house.api
        self.folder = folder
        self.units: dict[str, str] = {}
        self.files = 0

    def import_bills(self, *rows: str, expect: int = 0) -> dict[str, Any]:
        """Import a file with these rows by `prorata bills import`, and return the report."""
        self.files += 1
        file = self.folder / f"bills-{self.files}.csv"
        file.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
        done = self.run("bills", "import", str(file), "--account", "landlord@example.com", "--json")
        assert done.code == expect, done
        self.nothing_is_wrong()
        report: dict[str, Any] = json.loads(done.out)
        return report

    def run(self, *arguments: str) -> Done:
        settings = {"PRORATA_DATABASE_URL": self.house.url, "PRORATA_SECRET_KEY": SECRET}
        return Command(self.folder, **settings).run(*arguments)

    def nothing_is_wrong(self) -> None:
        assert list(check(self.house.database)) == []

    def add_unit(self, property_id: str, label: str, **fields: Any) -> None:
        answer = self.api.post(f"/properties/{property_id}/units", {"label": label, **fields})
        assert answer.status_code == 201
        self.units[label] = answer.json()["id"]

    def invoices(self, month: str) -> dict[str, dict[str, Any]]:
        """A month's invoices with their charges, by unit label."""
        page = self.api.get(f"/invoices?month={month}&details=true").json()
        return {invoice["unit"]["label"]: invoice for invoice in page["data"]}

    def totals(self, month: str) -> dict[str, str]:
        return {label: invoice["totalAmount"] for label, invoice in self.invoices(month).items()}

    def set_all(self, month: str, status: str) -> None:
        for invoice in self.invoices(month).values():
            assert self.api.patch(f"/invoices/{invoice['id']}", {"status": status}).status_code == 200
        self.nothing_is_wrong()

    def bills(self) -> list[dict[str, Any]]:
        bills: list[dict[str, Any]] = self.api.get("/utility-bills?limit=100").json()["data"]
        return bills


@pytest.mark.sample
def test_a_quarter_from_onboarding_to_a_credit(house: House, tmp_path: Path) -> None:
    landlord = Landlord(house, tmp_path)
    elm = _onboard(landlord)
    _two_properties_of_one_name(landlord)
    _january_with_a_combined_city_bill(landlord)
    _a_late_bill_after_sending(landlord)
    _february_when_a_tenant_leaves(landlord, elm)
    _march_after_a_unit_was_split(landlord, elm)
    _what_falls_overdue(landlord)
    checked = landlord.run("check")
    assert (checked.code, checked.err) == (0, "")


def _onboard(landlord: Landlord) -> str:
    """Set up a house, and import bills from before billing starts.

    Such bills are history: the program keeps them, but makes no invoices from them.
    """
    elm: str = landlord.api.post("/properties", {**ELM, "billingStartsMonth": "2026-01"}).json()["id"]
    for label, sqft in (("1", 500), ("2", 700), ("3", 800)):
        landlord.add_unit(elm, label, sqft=sqft)
    for label, name in (("1", "Ann"), ("2", "Bob"), ("3", "Cleo")):
        tenant = {"name": name, "email": f"{name.lower()}@example.com"}
        assert landlord.api.post(f"/units/{landlord.units[label]}/tenants", tenant).status_code == 201
    water = {"utilityType": "WATER", "splitMethod": "SQFT"}
    assert landlord.api.post(f"/properties/{elm}/sharerules", water).status_code == 201
    old = [
        f"Elm House,City,WATER,{amount},,{day},," for amount, day in (("90.00", "2025-11-30"), ("95.00", "2025-12-31"))
    ]
    assert landlord.import_bills(*old)["added"] == 2
    assert landlord.api.get("/invoices").json()["pagination"]["total"] == 0
    assert [bill["waiting"] for bill in landlord.bills()] == [False, False]
    return elm


def _two_properties_of_one_name(landlord: Landlord) -> None:
    """Import a bill for a name that two properties have.

    The report lists both properties, because only a name with an address tells them apart.
    """
    assert landlord.api.post("/properties", OTHER_ELM).status_code == 201
    report = landlord.import_bills("Elm House,City,WATER,10.00,,2026-01-31,,", expect=1)
    assert report["added"] == 0
    (problem,) = report["problems"]
    assert "1 Elm Street" in problem["message"]
    assert "9 Oak Avenue" in problem["message"]


def _january_with_a_combined_city_bill(landlord: Landlord) -> None:
    """Import the bills of January.

    The owner bears unbilled lines. A bill dated the 1st belongs to the month that it was for.
    """
    city = (
        f'{HERE},City,WATER;SEWER,315.00,"WATER=200.00;SEWER=60.00;PREVIOUS_BALANCE=45.00;LATE_FEE=10.00",2026-01-31,,'
    )
    power = f"{HERE},Power Co,ELECTRICITY,100.00,,2026-02-01,2026-01-01,2026-01-31"
    assert landlord.import_bills(city, power)["added"] == 2
    assert landlord.totals("2026-01") == {"1": "103.34", "2": "123.33", "3": "133.33"}
    assert landlord.totals("2026-02") == {}
    charges = {charge["utilityType"]: charge for charge in landlord.invoices("2026-01")["1"]["charges"]}
    assert {kind: charge["amount"] for kind, charge in charges.items()} == {
        "WATER": "50.00", "SEWER": "20.00", "ELECTRICITY": "33.34",
    }  # fmt: skip
    assert charges["WATER"]["description"] == (
        "City, bill of 2026-01-31, $315.00, of which water $200.00: 500 of 2,000 sq ft"
    )
    again = landlord.import_bills(city, power)
    assert (again["added"], len(again["skipped"])) == (0, 2)


def _a_late_bill_after_sending(landlord: Landlord) -> None:
    """Import a late bill for a sent month, and open the month again.

    The bill waits until the month is open. Then it is charged, and nothing else has changed.
    """
    landlord.set_all("2026-01", "SENT")
    before = landlord.invoices("2026-01")
    report = landlord.import_bills(f"{HERE},Gas Co,GAS,30.00,,2026-01-20,,")
    assert report["added"] == 1
    assert report["waiting"] == [{"property_name": "Elm House", "month": "2026-01", "bills": 1}]
    after = landlord.invoices("2026-01")
    assert {label: one["charges"] for label, one in after.items()} == {
        label: one["charges"] for label, one in before.items()
    }
    assert {one["pendingChanges"] for one in after.values()} == {True}
    assert [bill["issuerName"] for bill in landlord.bills() if bill["waiting"]] == ["Gas Co"]
    landlord.set_all("2026-01", "DRAFT")
    assert landlord.totals("2026-01") == {"1": "113.34", "2": "133.33", "3": "143.33"}
    assert not any(bill["waiting"] for bill in landlord.bills())
    landlord.set_all("2026-01", "SENT")
    landlord.set_all("2026-01", "PAID")
    paid = landlord.invoices("2026-01")["1"]
    assert (paid["paidAmount"], paid["paymentStatus"]) == ("113.34", "paid")


def _february_when_a_tenant_leaves(landlord: Landlord, elm: str) -> None:
    """Bill the month in which Bob leaves, on the 15th.

    He pays for 15 days, and the invoice for the month is still his.
    """
    (bob,) = landlord.api.get(f"/units/{landlord.units['2']}/tenants").json()
    assert landlord.api.patch(f"/tenants/{bob['id']}", {"moveOutDate": "2026-02-15"}).status_code == 200
    rule = {"utilityType": "INTERNET", "splitMethod": "OCCUPANTS"}
    assert landlord.api.post(f"/properties/{elm}/sharerules", rule).status_code == 201
    assert landlord.import_bills(f"{HERE},Net Co,INTERNET,71.00,,2026-02-20,,")["added"] == 1
    february = landlord.invoices("2026-02")
    assert landlord.totals("2026-02") == {"1": "28.00", "2": "15.00", "3": "28.00"}
    assert february["2"]["tenantName"] == "Bob"
    assert february["2"]["charges"][0]["description"].endswith("15 of 71 person-days")
    assert not any(one["pendingChanges"] for one in landlord.invoices("2026-01").values())
    landlord.set_all("2026-02", "SENT")


def _march_after_a_unit_was_split(landlord: Landlord, elm: str) -> None:
    """Bill the month on whose 1st unit 3 became 3A and 3B.

    Earlier months know only unit 3. Unit 2 is vacant.
    """
    assert landlord.api.patch(f"/units/{landlord.units['3']}", {"activeTo": "2026-02-28"}).status_code == 200
    landlord.add_unit(elm, "3A", sqft=300, activeFrom="2026-03-01")
    landlord.add_unit(elm, "3B", sqft=500, activeFrom="2026-03-01")
    landlord.nothing_is_wrong()
    assert not any(one["pendingChanges"] for one in landlord.invoices("2026-02").values())
    water = f"{HERE},City,WATER,200.00,,2026-03-31,,"
    credit = f"{HERE},Gas Co,GAS,-500.00,,2026-03-31,,"
    assert landlord.import_bills(water)["added"] == 1
    assert landlord.totals("2026-03") == {"1": "50.00", "2": "70.00", "3A": "30.00", "3B": "50.00"}
    _a_bill_entered_by_mistake(landlord)
    vacant = landlord.invoices("2026-03")["2"]
    assert (vacant["tenantName"], vacant["tenantEmail"]) == (None, None)
    assert landlord.import_bills(credit)["added"] == 1
    assert landlord.totals("2026-03") == {"1": "-75.00", "2": "-55.00", "3A": "-95.00", "3B": "-75.00"}
    landlord.set_all("2026-03", "SENT")


def _a_bill_entered_by_mistake(landlord: Landlord) -> None:
    """Remove a bill that was entered by mistake.

    A bill that has charged a month whose invoices were sent can't be removed.
    """
    before = landlord.totals("2026-03")
    assert landlord.import_bills(f"{HERE},Wrong Co,GAS,12.00,,2026-03-30,,")["added"] == 1
    assert landlord.totals("2026-03") != before
    by_issuer = {bill["issuerName"]: bill["id"] for bill in landlord.bills()}
    removed = landlord.run("bills", "remove", by_issuer["Wrong Co"], "--account", "landlord@example.com")
    assert removed.code == 0, removed
    assert landlord.totals("2026-03") == before
    refused = landlord.run("bills", "remove", by_issuer["Net Co"], "--account", "landlord@example.com")
    assert refused.code == 1
    assert "February 2026" in refused.err
    landlord.nothing_is_wrong()


def _what_falls_overdue(landlord: Landlord) -> None:
    """Let two months pass, so that February's unpaid invoices become overdue.

    The invoice that March's credit has paid does not become overdue. Neither do March's invoices, which are credits.
    """
    database = landlord.house.database
    landlord.house.clock.advance(days=60)
    (account,) = database.read(
        lambda tx: [one for one in accounts.everyone(tx) if one.id == landlord.house.landlord.account_id]
    )
    assert database.write(lambda tx: mark_overdue(tx, account)) == 2
    landlord.nothing_is_wrong()
    february, march = landlord.invoices("2026-02"), landlord.invoices("2026-03")
    assert {label: one["status"] for label, one in february.items()} == {"1": "PAID", "2": "OVERDUE", "3": "OVERDUE"}
    assert {one["status"] for one in march.values()} == {"SENT"}
    assert (february["1"]["paidAmount"], march["1"]["paidAmount"]) == ("28.00", "-28.00")
    assert {one["status"] for one in landlord.invoices("2026-01").values()} == {"PAID"}
