"""A property whose March was sent, and helpers for corrections of its bill."""

from collections import defaultdict
from datetime import UTC, date, datetime

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import corrections as bill_corrections
from prorata.actions.properties import tenants
from prorata.actions.recalculation import correction_decisions
from prorata.store.properties import units as stored_units
from tests.landlord import Landlord

MARCH, APRIL = "2026-03", "2026-04"


def sent_house(landlord: Landlord, clock):
    """Units of 600 and 400 sq ft whose invoices for March's water were sent.

    Of $320.10, Ann pays $192.06 and Bo pays $128.04.
    """
    clock.moment = datetime(2026, 4, 2, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.unit(of, "1", sqft="600"), landlord.unit(of, "2", sqft="400")
    landlord.tenant(one, "Ann", move_in="2026-01-01", email="ann@example.org")
    landlord.tenant(two, "Bo", move_in="2026-01-01", email="bo@example.org")
    landlord.rule(of, "WATER", "SQFT")
    landlord.bill(of, 320_10, on=date(2026, 3, 20))
    for label in ("1", "2"):
        landlord.set_status(of, label, "SENT", MARCH)
    return of


def automatic(landlord: Landlord) -> None:
    landlord.do(correction_decisions.change_settings, Wishes(corrections="automatic"))


def the_tenant(landlord, of, name):
    return next(one for one in landlord.read(stored_units.tenants_of_properties, [of.id]) if one.name == name)


def sums(landlord, of, *months):
    """Return the total of each tenant and of the owner over the months, in cents."""
    found = defaultdict(int)
    for month in months:
        for one in landlord.invoices(of, month).values():
            if one.summary.status != "CANCELLED":
                found[one.summary.tenant_name] += sum(charge.amount for charge in one.charges)
    found["owner"] = sum(
        line.owner_amount for bill in landlord.stored_bills(of) for line in landlord.lines(bill) if line.month in months
    )
    return {name: cents for name, cents in found.items() if cents}


def corrected_bill(landlord, of):
    water = next(bill for bill in landlord.stored_bills(of) if bill.bill_date == "2026-03-20")
    landlord.do(bill_corrections.correct, water.id, 240_10)


def ann_left(landlord, of):
    landlord.do(tenants.change, the_tenant(landlord, of, "Ann").id, {"move_out": "2026-03-14"})


def eve_came(landlord, of):
    one = next(unit for unit in landlord.stored_units(of) if unit.label == "1")
    landlord.tenant(one, "Eve", move_in="2026-03-16", email="eve@example.org")


def april_bill(landlord, of):
    landlord.bill(of, 100_00, on=date(2026, 4, 1))


def placed_on_april(landlord, house, *, is_automatic):
    """Correct the bill, and place the differences on April's invoices.

    They are placed automatically, or by a person's decision.
    """
    if is_automatic:
        automatic(landlord)
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    if not is_automatic:
        landlord.do(correction_decisions.decide, house.id, [MARCH], "next")


def beside_an_empty_flat(landlord, clock):
    """Two units, one of them vacant, and $100.00 of water in March.

    Ann rents the first unit. Return the property, the vacant unit and the bill.
    """
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.units(of, "1", "2")
    landlord.tenant(one, "Ann")
    return of, two, landlord.bill(of, 100_00, on=date(2026, 3, 20))


def waiting(landlord, of):
    """Return pending and placed corrections, by tenant, month and carrier, in cents."""
    return {
        (one.tenant_name, one.row.month): (one.row.waiting_amount, one.row.to_charge_amount, one.goes_to)
        for one in landlord.see(correction_decisions.of_property, of.id)
        if one.row.waiting_amount or one.row.to_charge_amount
    }
