"""The list of all of an account's bills is complete and can be narrowed.

It has whole bills, newest first, and the same filters as the dashboard.
"""

from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills as bill_actions
from prorata.actions.limits import MOST_BILLS_COUNTED_WALKING
from prorata.domain.bills.bills import NewBill
from tests.web.addresses import assert_refused, unknown_id
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    """A property with water bills for three months, of which the first is sent.

    There are also a late gas bill for that month, a paid sewer bill of April, and two water bills of April, of which
    the second is held.
    """
    made = furnish(house)
    house.database.write(lambda tx: accounts.change_settings(tx, made.landlord.caller, Wishes(hold_flagged=True)))
    made.set_status("SENT", month="2026-01")
    made.add_bill(issuerName="Énergie du Sud", billDate="2026-01-25", lines=[{"utilityType": "GAS"}])
    made.add_bill(
        issuerName="City of Elm", billDate="2026-04-02", paymentStatus="PAID", lines=[{"utilityType": "SEWER"}]
    )
    for _ in range(2):
        made.add_bill(accountNumber="zq-1")
    return made


def bills(made: Furnished, **query: Any) -> list[dict[str, Any]]:
    """All bills that match a query, read page by page.

    Each page states the number of bills.
    """
    found: list[dict[str, Any]] = []
    for page in range(1, 10):
        said = made.api.get("/bills", params=query | {"page": page, "limit": 2}).json()
        found += said["data"]
        if page >= said["pagination"]["totalPages"]:
            break
    assert said["pagination"]["total"] == len(found)
    return found


def issuers(made: Furnished, **query: Any) -> list[str]:
    return [one["issuerName"].split()[0] for one in bills(made, **query)]


def test_bills_are_listed_as_each_is_read_newest_first(made: Furnished) -> None:
    found = bills(made)
    assert [one["billDate"] for one in found] == [
        "2026-04-14", "2026-04-14", "2026-04-02", "2026-03-14", "2026-02-14", "2026-01-25", "2026-01-14",
    ]  # fmt: skip
    for one in found:
        assert made.api.get(f"/bills/{one['id']}").json() == one
    assert [bool(one["flags"]) for one in found[:3]] != [False] * 3
    assert [one["id"] for one in found] == [one["id"] for one in made.api.get("/utility-bills").json()["data"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"month": "2026-01"}, ["Énergie", "Aqua"]),
        ({"status": "PAID"}, ["City"]),
        ({"q": "energie"}, ["Énergie"]),
        ({"q": "zq-1"}, ["City", "City"]),
        ({"q": "nobody"}, []),
        ({"waiting": "true"}, ["Énergie"]),
        ({"waiting": "false", "month": "2026-01"}, ["Aqua"]),
        ({"held": "true"}, ["City"]),
        ({"held": "false", "from": "2026-04-01"}, ["City", "City"]),
        ({"flagged": "true", "status": "UNPAID"}, ["City"]),
        ({"flagged": "false", "to": "2026-01-31"}, ["Énergie", "Aqua"]),
        ({"from": "2026-02-14", "to": "2026-03-14"}, ["Aqua", "Aqua"]),
        ({"from": "2026-03-14", "to": "2026-02-14"}, []),
        ({"q": "maple", "held": "false", "waiting": "false", "flagged": "false", "to": "2026-02-28"}, ["Aqua", "Aqua"]),
    ],
)
def test_the_list_is_narrowed(made: Furnished, query: dict[str, str], found: list[str]) -> None:
    assert issuers(made, **query) == found
    assert issuers(made, propertyId=made.property_id, **query) == found
    assert issuers(made, propertyId=unknown_id("property"), **query) == []


def test_all_that_fit_are_counted_where_the_dashboard_stops(made: Furnished) -> None:
    most = MOST_BILLS_COUNTED_WALKING
    some = [NewBill(made.property_id, f"Issuer {number}", ("GAS",), 1_00, date(2025, 12, 1)) for number in range(most)]
    made.house.database.write(lambda tx: bill_actions.add(tx, made.landlord.caller, some))
    for query in ({"to": "2025-12-31"}, {"held": "false", "from": "2025-12-01"}, {"month": "2025-12"}):
        said = made.api.get("/bills", params={"limit": 3, "page": 167} | query).json()
        assert said["pagination"]["total"] == most + (6 if "held" in query else 0)
        assert len(said["data"]) == (3 if "held" in query else 2)


def test_a_parameter_that_is_not_as_described_is_refused(made: Furnished) -> None:
    for query in ("month=2026-13", "status=LATE", "held=yes", "from=March", "issuer=Aqua", "limit=101"):
        assert_refused(made.api.get(f"/bills?{query}"), 400, "INVALID_REQUEST")


def test_another_account_s_bills_are_not_in_it(made: Furnished) -> None:
    theirs = furnish(made.house, made.house.stranger)
    assert not {one["id"] for one in bills(made)} & {one["id"] for one in bills(theirs)}
    assert bills(theirs, propertyId=made.property_id) == []
