"""Tenants move out, are replaced, or are removed if they were entered by mistake.

Before anything is deleted, the program tells what would be lost.
"""

from datetime import date

import pytest

from prorata.actions.bills import removal_preview, splits
from prorata.actions.invoices import invoices
from prorata.actions.properties import deletion_previews, tenancy_changes, tenants
from prorata.actions.properties.tenancy_changes import FirstTenant, Leaving, NextTenant
from prorata.errors import ChangedMeanwhile, Conflict, InvalidRequest, NotFound
from prorata.store.overview import activity
from prorata.store.properties import units
from tests.landlord import Landlord


def test_the_next_tenant_takes_over_in_one_step(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.tenant(two, "Bob")
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 84_00)

    comes = NextTenant("Bea", "bea@example.org", date(2026, 2, 15))
    gone, bea = landlord.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 2, 7)), comes)

    assert bea is not None
    assert (gone.move_out, bea.move_in, bea.unit_id) == ("2026-02-07", "2026-02-15", one.id)
    shown = landlord.invoices(maple)
    assert landlord.totals(maple) == {"1": 24_00, "1.1": 12_00, "2": 48_00}, "14, 7 and 28 of 49 person-days"
    assert (shown["1"].summary.tenant_name, shown["1.1"].summary.tenant_name) == ("Bea", "Ann")
    assert shown["1.1"].summary.number == "MAPLECOURT-1.1-2026-02"


def test_a_whole_household_leaves_in_one_step(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann")
    for name, stay in (("Al", {}), ("Former", {"move_out": "2026-01-31"}), ("Later", {"move_in": "2026-03-01"})):
        landlord.tenant(one, name, **stay)
    landlord.tenant(two, "Cy")
    landlord.bill(maple, 112_00)

    moves = Leaving(date(2026, 2, 14), "ann@oak.example", everybody=True)
    landlord.do(tenancy_changes.leave, ann.id, moves, NextTenant("Bo", None, date(2026, 2, 15)))

    left = {row.name: row.move_out for row in landlord.read(units.tenants_of_unit, one.id)}
    assert left == {"Ann": "2026-02-14", "Al": "2026-02-14", "Former": "2026-01-31", "Later": None, "Bo": None}
    assert landlord.totals(maple) == {"1": 28_00, "1.1": 28_00, "2": 56_00}


def test_a_family_of_four_pays_four_fifths_where_people_are_counted(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    family = landlord.tenant(one, "The Chens", occupants=4)
    landlord.tenant(two, "Bo")
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 100_00)

    assert landlord.totals(maple) == {"1": 80_00, "2": 20_00}
    landlord.do(tenants.change, family.id, {"occupants": 1})
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}


def test_days_that_do_not_follow_one_another_change_nothing(landlord: Landlord) -> None:
    (one,) = landlord.units(landlord.property_(), "1")
    ann = landlord.tenant(one, "Ann", move_in="2026-02-01")

    with pytest.raises(InvalidRequest, match="before this one moves out"):
        landlord.do(
            tenancy_changes.leave, ann.id, Leaving(date(2026, 3, 1)), NextTenant("Bea", None, date(2026, 2, 28))
        )
    with pytest.raises(InvalidRequest, match="must not be before"):
        landlord.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 1, 31)), NextTenant())
    with pytest.raises(InvalidRequest, match="name is required"):
        landlord.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 3, 1)), NextTenant(email="bea@example.org"))
    with pytest.raises(InvalidRequest, match="last supported date"):
        landlord.do(tenancy_changes.leave, ann.id, Leaving(date.max), NextTenant("Bea"))
    assert landlord.see(tenants.of_unit, one.id) == [ann]


def test_a_new_unit_comes_with_who_lives_there_or_stands_empty(landlord: Landlord) -> None:
    maple = landlord.property_()

    row = landlord.do(
        tenancy_changes.add_unit, maple.id, {"label": "1"}, FirstTenant("Ann", "ann@example.org", "2026-03-01")
    )
    empty = landlord.do(tenancy_changes.add_unit, maple.id, {"label": "2"}, FirstTenant())
    with pytest.raises(InvalidRequest, match="Enter the name of the person who lives there"):
        landlord.do(tenancy_changes.add_unit, maple.id, {"label": "3"}, FirstTenant(email="ann@example.org"))

    (ann,) = landlord.see(tenants.of_unit, row.id)
    assert (ann.name, ann.email, ann.move_in) == ("Ann", "ann@example.org", "2026-03-01")
    assert landlord.see(tenants.of_unit, empty.id) == []
    assert [one.label for one in landlord.stored_units(maple)] == ["1", "2"]


def test_a_unit_that_is_deleted_says_which_rules_it_goes_out_of_and_they_record_it(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, _ = landlord.units(maple, "1", "2")
    rule = landlord.rule(maple, "WATER", "PERCENTAGE", weights='{"1": 40, "2": 60}')
    landlord.rule(maple, "GAS", "CUSTOM", weights='{"2": 1}')

    assert landlord.see(deletion_previews.of_unit, one.id).says[-1] == (
        "Its part in the rule for water is removed too: its percentage becomes your own, and its weight goes to the "
        "others."
    )
    landlord.remove_unit(one)

    events = landlord.read(activity.page, limit=9, record=rule.row.id)
    assert [event.verb for event in events] == ["change share rule", "create share rule"]


def test_taking_a_unit_out_of_use_says_which_drafts_follow(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann")
    landlord.tenant(two, "Bo")
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 84_00)
    assert not any("recalculated" in said for said in landlord.see(deletion_previews.of_unit, one.id).says)
    landlord.bill(maple, 82_00, on=date(2026, 3, 5))

    assert (
        landlord.see(deletion_previews.of_unit, one.id).says[2].startswith("Drafts for March 2026 are recalculated: ")
    )
    landlord.remove_unit(one)
    assert landlord.totals(maple) == {"1": 42_00, "2": 42_00}, "February is as it was"
    assert landlord.totals(maple, "2026-03") == {"1": 20_00, "2": 62_00}


def test_taking_a_unit_out_of_use_names_who_still_lives_there(landlord: Landlord) -> None:
    maple = landlord.property_()
    (one,) = landlord.units(maple, "1")
    ann = landlord.tenant(one, "Ann")
    landlord.tenant(one, "Bo")
    landlord.tenant(one, "Cy", move_out="2026-02-20")
    landlord.bill(maple, 84_00)
    assert (
        "According to the records, Ann and Bo still live there: enter their last days on the unit’s page."
        in landlord.see(deletion_previews.of_unit, one.id).says
    )
    landlord.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 3, 10)), NextTenant())
    assert (
        "According to the records, Bo still lives there: enter the last day on the unit’s page."
        in landlord.see(deletion_previews.of_unit, one.id).says
    )


def test_taking_a_unit_out_of_use_says_which_of_its_drafts_go(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, _ = landlord.units(maple, "1", "2")
    landlord.bill(maple, 84_00)
    landlord.set_status(maple, "1", "SENT")
    for month in (4, 5, 6):
        landlord.bill(maple, 60_00, on=date(2026, month, 5))
    of_june = landlord.invoices(maple, "2026-06")["1"].summary.id
    landlord.do(invoices.add_custom_charge, of_june, "Garage", 5_00)
    says = landlord.see(deletion_previews.of_unit, one.id).says
    assert says[:3] == (
        "Unit 1 is deactivated: 2026-03-10 is its last day.",
        "Its 2 invoices are kept.",
        "Its drafts for April 2026 and May 2026 are deleted.",
    )
    landlord.remove_unit(one)
    assert [landlord.totals(maple, month).get("1") for month in ("2026-02", "2026-04", "2026-05", "2026-06")] == [
        42_00, None, None, 5_00
    ]  # fmt: skip


def test_somebody_elses_change_is_not_undone_unseen(landlord: Landlord) -> None:
    (one,) = landlord.units(landlord.property_(), "1")
    ann = landlord.tenant(one, "Ann")
    landlord.clock.forward(seconds=1)
    landlord.do(tenants.change, ann.id, {"name": "Anne"}, seen=ann.updated_at)

    with pytest.raises(ChangedMeanwhile):
        landlord.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 3, 1)), NextTenant("Bea"), seen=ann.updated_at)

    (anne,) = landlord.see(tenants.of_unit, one.id)
    assert (anne.name, anne.move_out) == ("Anne", None)


def test_a_mistake_leaves_no_trace_and_an_older_entry_is_no_mistake(landlord: Landlord) -> None:
    (one,) = landlord.units(landlord.property_(), "1")
    ann, bob = landlord.tenant(one, "Ann"), landlord.tenant(one, "Bob")

    assert "removed completely" in landlord.see(deletion_previews.of_tenant, ann.id).says[0]
    landlord.do(tenancy_changes.remove_mistake, ann.id)
    landlord.clock.forward(days=2)
    with pytest.raises(Conflict, match="move-out date"):
        landlord.do(tenancy_changes.remove_mistake, bob.id)
    assert landlord.see(deletion_previews.of_tenant, bob.id).says[0].startswith("Bob's stay ends on 2026-03-12.")


def test_a_unit_is_used_again(landlord: Landlord) -> None:
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.bill(maple, 10_00)
    assert landlord.see(deletion_previews.of_unit, one.id).says[:2] == (
        "Unit 1 is deactivated: 2026-03-10 is its last day.",
        "Its 1 invoice is kept.",
    )
    landlord.remove_unit(one)

    assert landlord.do(tenancy_changes.reactivate_unit, one.id).active_to is None
    assert landlord.do(tenancy_changes.reactivate_unit, two.id) == two


def test_what_a_property_loses_is_named_in_numbers(landlord: Landlord) -> None:
    maple = landlord.property_()
    (one, _) = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann")
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "SENT")
    (_, _, owed, _) = landlord.see(deletion_previews.of_property, maple.id, days_kept=30).says
    assert owed == "Tenants still owe $50.00: after this, you can’t collect it here."
    landlord.set_status(maple, "1", "PAID")

    assert landlord.see(deletion_previews.of_property, maple.id, days_kept=30).says == (
        "Maple Court is permanently deleted, along with 2 units, 1 tenant, 1 bill and 2 invoices.",
        "1 of these invoices was sent, and $50.00 was received for it.",
        "A copy for your records is kept on the server for 30 days.",
    )
    assert landlord.see(deletion_previews.of_property, landlord.property_("Elm").id, days_kept=0).says == (
        "Elm is permanently deleted.",
    )


def test_a_bill_says_which_drafts_it_is_taken_off_or_what_to_reopen(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    bill = landlord.bill(maple, 100_00)
    assert landlord.see(removal_preview.of_split, landlord.see(splits.of_bill, bill.id)).says == (
        "The bill Aqua Water Co., 2026-02-20, $100.00 is permanently removed.",
        "Its charges are removed from 2 drafts for February 2026.",
        "2 drafts have no other charge and will be deleted.",
    )
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["1"].summary.id, "Garage", 5_00)
    assert landlord.see(removal_preview.of_split, landlord.see(splits.of_bill, bill.id)).says[1:] == (
        "Its charges are removed from 2 drafts for February 2026.",
        "1 draft has no other charge and will be deleted.",
    )
    other = landlord.bill(maple, 60_00, "GAS")
    assert landlord.see(removal_preview.of_split, landlord.see(splits.of_bill, bill.id)).says[1:] == (
        "Its charges are removed from 2 drafts for February 2026.",
    )
    landlord.remove_bill(other)
    assert landlord.invoices(maple).keys() == {"1", "2"}

    landlord.set_status(maple, "1", "SENT")

    assert landlord.see(removal_preview.of_split, landlord.see(splits.of_bill, bill.id)).is_refused


def test_a_strangers_records_are_not_there_to_lose(landlord: Landlord) -> None:
    maple = landlord.property_()
    (one,) = landlord.units(maple, "1")
    ann, bill = landlord.tenant(one, "Ann"), landlord.bill(maple, 1_00)
    stranger = Landlord(landlord.database, landlord.clock)
    with pytest.raises(NotFound):
        stranger.see(deletion_previews.of_property, maple.id, days_kept=30)
    for tell, record in (
        (deletion_previews.of_unit, one.id),
        (deletion_previews.of_tenant, ann.id),
        (splits.of_bill, bill.id),
    ):
        with pytest.raises(NotFound):
            stranger.see(tell, record)
    with pytest.raises(NotFound):
        stranger.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 3, 1)), NextTenant())
