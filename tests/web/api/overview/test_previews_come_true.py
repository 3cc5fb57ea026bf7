"""Random changes do what their previews said, to the cent; a preview changes no row."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, event, example, given, settings, strategies as st

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.recalculation import correction_decisions
from prorata.domain.money import in_figures
from tests.every_row import Rows, every_row
from tests.web.api.overview.test_previews import change
from tests.web.conftest import House, new_landlord
from tests.web.furnished import LABELS, MONTHS, Furnished, add_bill, furnish

Facts = dict[str, Any]
Made = tuple[str, str, Any]
_numbers = count(1)
MONEY = ("invoice", "charge", "billing_month", "correction", "unit", "tenant", "bill", "bill_line")
BLEND = [{"splitMethod": "SQFT", "percent": 25}, {"splitMethod": "OCCUPANTS", "percent": 75}]

which = st.integers(0, 99)
a_day = st.dates(date(2026, 1, 5), date(2026, 4, 10)).map(str)
days = st.none() | a_day
statuses = st.sampled_from(["DRAFT", "SENT", "SENT", "SENT", "PAID", "OVERDUE", "CANCELLED"])
methods = st.sampled_from(["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS"])
terms = {
    "isActive": st.sampled_from([True, True, True, False]),
    "ownerPercent": st.sampled_from([0, 10, 33.3]),
    "effectiveFrom": st.sampled_from([*MONTHS, "2026-05"]),
}
measures = {"sqft": st.none() | st.integers(0, 2_000), "bedrooms": st.integers(0, 4)}
stays = {"moveInDate": days, "moveOutDate": days, "occupants": st.integers(0, 4)}
amounts = st.integers(-3_000, 20_000).map(in_figures)
bills = st.fixed_dictionaries(
    {
        "billDate": a_day,
        "issuerName": st.sampled_from(["Aqua Water Co.", "City Water"]),
        "parts": st.dictionaries(st.sampled_from(["WATER", "GAS", "LATE_FEE"]), amounts, min_size=1, max_size=2),
    },
    optional={"billingMonth": st.none() | st.sampled_from([*MONTHS, "2026-04"]), "service": st.tuples(a_day, a_day)},
)
houses = st.fixed_dictionaries(
    {
        "areas": st.lists(st.integers(100, 900), min_size=3, max_size=3),
        "stays": st.lists(st.tuples(which, st.fixed_dictionaries(stays)), max_size=3),
        "rule": st.fixed_dictionaries({"splitMethod": methods}),
        "sent": st.lists(st.tuples(which, statuses), max_size=6),
        "late": st.booleans(),
        "automatic": st.booleans(),
        "bills": st.lists(bills, max_size=2),
        "twice": st.booleans(),
        "held": st.booleans(),
        "goes on": st.booleans(),
    }
)


def some(kind: str, fields: Any) -> st.SearchStrategy[tuple[str, int, Any]]:
    return st.tuples(st.just(kind), which, fields)


requests = st.lists(
    st.one_of(
        some("add unit", st.fixed_dictionaries({}, optional=measures | {"activeFrom": a_day})),
        some("change unit", st.fixed_dictionaries({}, optional=measures | {"activeFrom": days, "activeTo": days})),
        some("remove unit", st.none()),
        some("add tenant", st.fixed_dictionaries({}, optional=stays)),
        some("change tenant", st.fixed_dictionaries({}, optional=stays)),
        some("remove tenant", st.none()),
        some("final invoice", st.none()),
        some("make rule", st.fixed_dictionaries({"splitMethod": methods}, optional=terms)),
        some("change rule", st.fixed_dictionaries({}, optional=terms | {"splitMethod": methods})),
        some("put rule", st.fixed_dictionaries({"splitMethod": methods})),
        some("remove rule", st.none()),
        some("use the blend", st.none()),
        some("change the blend", st.none()),
        *[some("set status", statuses)] * 3,
        *[some("decide", st.sampled_from(["next", "owner", "revoke"]))] * 2,
        *[some("add bill", bills)] * 2,
        some("change bill", bills),
        some("change note", st.fixed_dictionaries({"dueDate": days}, optional={"notes": st.just("Read twice.")})),
        *[some("correct bill", amounts)] * 2,
        some("settle bill", st.fixed_dictionaries({}, optional={"month": st.sampled_from([*MONTHS, "2026-04"])})),
        *[some("accept flag", st.none())] * 2,
        some("remove bill", st.none()),
    ),
    min_size=1,
    max_size=4,
)


def built(house: House, facts: Facts) -> Furnished:
    """A house in an account of its own, with sent months and later changes."""
    made = furnish(house, new_landlord(house.database, f"landlord-{next(_numbers)}@example.com"))
    for unit, area in zip(made.units.values(), facts["areas"], strict=True):
        made.api.patch(f"/units/{unit}", {"sqft": area, "bedrooms": area % 3})
    for at, stay in facts["stays"]:
        made.api.post(f"/units/{made.units[LABELS[at % 3]]}/tenants", stay | {"name": f"Tenant {next(_numbers)}"})
    made.api.patch(f"/sharerules/{made.rule_id}", facts["rule"])
    for at, status in facts["sent"]:
        there = sorted(made.invoices(), key=lambda one: one["month"])
        made.api.patch(f"/invoices/{there[at % len(there)]['id']}", {"status": status})
    wishes = Wishes(
        corrections="automatic" if facts["automatic"] else None,
        hold_flagged=facts["held"],
        late_bills="next open month" if facts["goes on"] else None,
    )
    house.database.write(lambda tx: correction_decisions.change_settings(tx, made.landlord.caller, wishes))
    if facts["late"]:
        made.bills.append(add_bill(house, made.landlord, made.property_id, MONTHS[0], 17_01))
    for one in facts["bills"] + facts["bills"][:1] * facts["twice"]:
        added = made.add_bill(**as_sent(one))
        made.bills += [added["id"]] if "id" in added else []
    return made


def as_sent(drawn: Facts) -> Facts:
    """The request body of a randomly drawn bill."""
    parts = drawn["parts"].items()
    body = {name: value for name, value in drawn.items() if name not in {"parts", "service"}}
    first, last = sorted(drawn["service"]) if "service" in drawn else (None, None)
    total = in_figures(sum(cents(amount) for _, amount in parts))
    lines = [{"notBilled" if kind == "LATE_FEE" else "utilityType": kind, "amount": amount} for kind, amount in parts]
    return body | {
        "totalAmountDue": total, "lines": lines, "servicePeriodStart": first, "servicePeriodEnd": last,
    }  # fmt: skip


def asked(made: Furnished, drawn: list[tuple[str, int, Any]]) -> list[Facts]:
    """The drawn requests, for records that exist by now."""
    there, of = made.invoices(), f"/properties/{made.property_id}"
    tenants = [one["id"] for unit in made.units.values() for one in made.api.get(f"/units/{unit}/tenants").json()]

    def unit(at: int) -> str:
        return f"/units/{made.units[LABELS[at % 3]]}"

    def tenant(at: int) -> str:
        return f"/tenants/{tenants[at % len(tenants)]}"

    def bill(at: int) -> str:
        return f"/bills/{made.bills[at % len(made.bills)]}"

    def corrected(at: int, amount: str) -> Facts:
        """The body of a correction that sets a bill's first line to this amount."""
        first, *others = made.api.get(bill(at)).json()["lines"]
        lines = [
            {name: one[name] for name in ("utilityType", "notBilled", "amount") if one[name] is not None}
            for one in (first | {"amount": amount}, *others)
        ]
        return {"totalAmountDue": in_figures(sum(cents(one["amount"]) for one in lines)), "lines": lines}

    def accepted(at: int) -> Facts:
        """A request that accepts one of the flags that bills have, if there are any."""
        found = [(one, flag) for one in made.bills for flag in made.api.get(f"/bills/{one}").json()["flags"]]
        one, flag = found[at % len(found)] if found else (made.bills[0], {"number": 1, "mark": "none"})
        body = {"reason": "Read again.", "mark": flag["mark"]}
        return change("POST", f"/bills/{one}/flags/{flag['number']}/accept", body)

    rule, blend = f"/sharerules/{made.rule_id}", f"/split-methods/{made.split_method_id}"
    make: dict[str, Callable[[int, Any], Facts]] = {
        "add unit": lambda at, body: change("POST", f"{of}/units", body | {"label": f"New {at % 5}"}),
        "change unit": lambda at, body: change("PATCH", unit(at), body),
        "remove unit": lambda at, _: change("DELETE", unit(at)),
        "add tenant": lambda at, body: change("POST", f"{unit(at)}/tenants", body | {"name": f"New {next(_numbers)}"}),
        "change tenant": lambda at, body: change("PATCH", tenant(at), body),
        "remove tenant": lambda at, _: change("DELETE", tenant(at)),
        "final invoice": lambda at, _: change("POST", f"{tenant(at)}/final-invoice"),
        "make rule": lambda _, body: change("POST", f"{of}/sharerules", body | {"utilityType": "WATER"}),
        "change rule": lambda _, body: change("PATCH", rule, body),
        "put rule": lambda _, body: change("PUT", rule, body | {"isActive": True}),
        "remove rule": lambda *_: change("DELETE", rule),
        "use the blend": lambda *_: change("PATCH", rule, {"splitMethodId": made.split_method_id}),
        "change the blend": lambda *_: change("PUT", blend, {"name": "Other", "components": BLEND}),
        "set status": lambda at, to: change("PATCH", f"/invoices/{there[at % len(there)]['id']}", {"status": to}),
        "add bill": lambda _, body: change("POST", f"{of}/bills", as_sent(body)),
        "change bill": lambda at, body: change("PATCH", bill(at), as_sent(body)),
        "change note": lambda at, body: change("PATCH", bill(at), body),
        "correct bill": lambda at, amount: change("POST", f"{bill(at)}/correct", corrected(at, amount)),
        "settle bill": lambda at, body: change("POST", f"{bill(at)}/settle", body),
        "accept flag": lambda at, _: accepted(at),
        "remove bill": lambda at, _: change("DELETE", bill(at)),
        "decide": lambda at, to: change("POST", f"{of}/corrections", {"months": [MONTHS[at % 2]], "place": to}),
    }
    return [make[kind](at, body) for kind, at, body in drawn]


class Books:
    """An account's money in a preview; ids and numbers in `before` are not new."""

    def __init__(self, rows: Rows, before: "Books | None" = None) -> None:
        numbers = {one[name] for one in rows["invoice"] for name in ("id", "number", "replaces_number")}
        ids = numbers | {one["id"] for name in ("unit", "tenant", "bill") for one in rows[name]}
        self.known: set[str | None] = before.known if before else ids
        self.labels = {one["id"]: one["label"] for one in rows["unit"]}
        self.names = {one["id"]: one["name"] for one in rows["tenant"]} | {"": None, None: None}
        self.charges: dict[str, list[Facts]] = defaultdict(list)
        for one in rows["charge"]:
            self.charges[one["invoice_id"]].append(one)
        self.invoices = {
            (one["month"], self.labels[one["unit_id"]], one["sequence"]): self.invoice(one) for one in rows["invoice"]
        }
        self.billed = sum(one["amount"] for one in rows["bill_line"])
        self.ids = {(one["month"], self.labels[one["unit_id"]], one["sequence"]): one["id"] for one in rows["invoice"]}
        self.months = {
            one["month"]: (one["snapshot"] is not None, in_figures(one["owner_amount"]))
            for one in rows["billing_month"]
        }
        self.corrections = {
            (one["month"], self.labels.get(one["unit_id"]), self.names[one["tenant_id"]], one["bill_id"], one["line"]):
            self.correction(one)
            for one in rows["correction"]
        }  # fmt: skip

    def old(self, name: str | None) -> str | None:
        return name if name in self.known else None

    def invoice(self, row: Facts) -> Facts:
        return {
            "unitId": self.old(row["unit_id"]),
            "state": {
                "status": row["status"],
                "invoiceNumber": self.old(row["number"]),
                "replacesNumber": self.old(row["replaces_number"]),
                "invoiceDate": f"{row['invoice_date']}T00:00:00.000Z",
                "dueDate": row["due_date"],
                "totalAmount": in_figures(row["total"]),
                "paidAmount": in_figures(row["paid_amount"]),
                "paymentStatus": row["payment_status"],
                "tenantId": self.old(row["tenant_id"]),
                "tenantName": row["tenant_name"],
            },
            "charges": in_order(
                (self.old(one["bill_id"]), one["line"], one["utility_type"], one["corrects_month"],
                 in_figures(one["amount"]), one["description"])
                for one in self.charges[row["id"]]
            ),
        }  # fmt: skip

    def would_carry(self, row: Facts) -> str | None:
        """The first open month after that of a correction, if an amount of it waits."""
        later = [month for month, (is_closed, _) in self.months.items() if not is_closed and month > row["month"]]
        return min(later, default=None) if row["waiting_amount"] or row["to_charge_amount"] else None

    def correction(self, row: Facts) -> Facts:
        right, issued = row["right_amount"], row["own_amount"] + row["elsewhere_amount"]
        return {
            "right": in_figures(right),
            "issued": in_figures(issued),
            "difference": in_figures(right - issued),
            "pending": in_figures(row["waiting_amount"]),
            "placed": in_figures(row["to_charge_amount"]),
            "leftToOwner": in_figures(row["left_amount"]),
            "carrierMonth": row["carrier"] or self.would_carry(row),
        }


def in_order(facts: Iterable[Any]) -> list[Any]:
    """Sort facts in a fixed order; those of two new records may be equal."""
    return sorted(facts, key=repr)


def changed(before: dict[Any, Any], after: dict[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    keys = [*before, *(key for key in after if key not in before)]
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def told(shown: Facts) -> dict[Any, tuple[Any, Any]]:
    """The invoices of a preview, in the form of `Books`."""

    def side(one: Facts, name: str) -> Facts | None:
        if one[name] is None:
            return None
        charges = in_order(
            (its["utilityBillId"], its["line"], its["utilityType"], its["correctsMonth"], its[name]["amount"],
             its[name]["description"])
            for its in one["charges"]
            if its[name] is not None
        )  # fmt: skip
        return {"unitId": one["unitId"], "state": one[name], "charges": charges}

    return {
        (month["month"], one["unitLabel"], one["sequence"]): (side(one, "before"), side(one, "after"))
        for month in shown["months"]
        for one in month["invoices"]
    }


def cents(figures: str) -> int:
    return int(figures.replace(".", ""))


def sums_hold(shown: Facts, billed: int) -> None:
    """Check that sums equal their parts, and change only as the bills do."""
    by_month = sum(cents(one["total"]["difference"]) for one in shown["months"])
    owner = sum(cents(one["owner"]["difference"]) for one in shown["months"])
    for name in ("units", "households"):
        assert sum(cents(one["total"]["difference"]) for one in shown[name]) == by_month
    assert sum(cents(one["total"]["difference"]) for one in shown["owners"]) == owner
    waits = [(one[at] or {"pending": "0.00"})["pending"] for one in shown["corrections"] for at in ("after", "before")]
    pending = sum(map(cents, waits[::2])) - sum(map(cents, waits[1::2]))
    assert by_month + owner + pending == billed
    assert sum(cents(one["pending"]["difference"]) for one in (*shown["units"], *shown["owners"])) == pending


def sums_are_of_the_same_months(shown: Facts, before: Books, after: Books) -> None:
    """Check that the units' and owner's sums cover exactly the months that change."""
    months = {one["month"] for one in shown["months"]}
    for side, books in (("before", before), ("after", after)):
        owner = sum(cents(bears) for month, (_, bears) in books.months.items() if month in months)
        assert [cents(one["total"][side]) for one in shown["owners"]] == [owner] * bool(months)
        for one in shown["units"]:
            states = [(at, its["state"]) for at, its in books.invoices.items() if at[1] == one["unitLabel"]]
            asked = [state["totalAmount"] for at, state in states if at[0] in months and state["status"] != "CANCELLED"]
            waits = [
                its["pending"] for at, its in books.corrections.items() if at[0] in months and at[1] == one["unitLabel"]
            ]
            assert [cents(one[name][side]) for name in ("total", "pending")] == [
                sum(map(cents, asked)), sum(map(cents, waits)),
            ]  # fmt: skip


def comes_true(house: House, facts: Facts, drawn: list[tuple[str, int, Any]]) -> None:
    made = built(house, facts)
    wanted, of = asked(made, drawn), made.landlord.account_id
    there = every_row(house.url, of)
    answer = made.api.post("/previews", {"requests": wanted})
    now = every_row(house.url, of)
    assert {name: rows for name, rows in now.items() if name != "api_key"} == {
        name: rows for name, rows in there.items() if name != "api_key"
    }
    before = Books(there)
    for at, one in enumerate(wanted):
        done = made.api.request(one["method"], one["path"], one.get("body"))
        if done.status_code >= 400:
            refused, said = done.json(), answer.json()
            where = f"Request {at + 1} of {len(wanted)} would be refused: "
            told_so = (done.status_code, refused["code"], where + refused["error"])
            assert (answer.status_code, said["code"], said["error"]) == told_so
            event("refused")
            return
    assert answer.status_code == 200, answer.text
    after = Books(every_row(house.url, of, MONEY), before)
    shown = answer.json()
    invoices = told(shown)
    assert invoices == changed(before.invoices, after.invoices)
    ids = [one["id"] for month in shown["months"] for one in month["invoices"]]
    assert ids == [before.ids.get(place) for place in invoices], "of what is there, also where another takes its place"
    of_months = {
        one["month"]: ((one["closedBefore"], one["owner"]["before"]), (one["closedAfter"], one["owner"]["after"]))
        for one in shown["months"]
    }
    nothing = (False, "0.00")
    for month, (was, now_is) in changed(before.months, after.months).items():
        assert of_months[month] == (was or nothing, now_is or nothing)
    sums_are_of_the_same_months(shown, before, after)
    corrections = in_order(
        ((one["month"], one["unitLabel"], one["tenantName"], one["utilityBillId"], one["line"]),
         (one["before"], one["after"]))
        for one in shown["corrections"]
    )  # fmt: skip
    assert corrections == in_order(
        ((*key[:3], before.old(key[3]), key[4]), sides)
        for key, sides in changed(before.corrections, after.corrections).items()
    )
    sums_hold(shown, after.billed - before.billed)
    event("moves money" if shown["months"] else "the meantime don't shift the list")
    event("moves corrections" if corrections else "moves no corrections")


def examples(number: int) -> Any:
    return settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck))


PLAIN_HOUSE: Facts = {"areas": [100] * 3, "stays": [], "rule": {"splitMethod": "EQUAL"}, "sent": [], "bills": []}
PLAIN_HOUSE |= dict.fromkeys(("automatic", "held", "goes on", "late", "twice"), False)
FOR_GAS_NOW = {"billDate": "2026-01-05", "issuerName": "Aqua Water Co.", "parts": {"GAS": "0.00"}}


@pytest.mark.timeout(600)
@examples(25)
@example(facts=PLAIN_HOUSE, drawn=[("change bill", 0, FOR_GAS_NOW)])
@given(facts=houses, drawn=requests)
@pytest.mark.thorough
def test_what_is_previewed_comes_true_when_it_is_done(
    lasting_house: House, facts: Facts, drawn: list[tuple[str, int, Any]]
) -> None:
    comes_true(lasting_house, facts, drawn)


@pytest.mark.soak
@pytest.mark.timeout(0)
@examples(1_000)
@given(facts=houses, drawn=requests)
def test_a_thousand_previews_come_true(lasting_house: House, facts: Facts, drawn: list[tuple[str, int, Any]]) -> None:
    comes_true(lasting_house, facts, drawn)
