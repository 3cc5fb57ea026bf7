"""Several changes in one piece of work recalculate a month only once.

That happens before the commit, or before an action reads the month's invoices.
"""

from contextlib import suppress

import pytest
from sqlalchemy import bindparam, func, select

from prorata.actions.invoices import invoices
from prorata.actions.splitting import share_rules
from prorata.errors import Conflict
from prorata.store.database.statements import returns_one
from prorata.store.schema.webhook_tables import event_batch
from tests.landlord import Landlord

_RECALCULATED = returns_one(
    select(func.count())
    .select_from(event_batch)
    .where(event_batch.c.account_id == bindparam("account"), event_batch.c.type == bindparam("type"))
)


@pytest.fixture
def maple(landlord: Landlord):
    """Two units of 300 and 600 sq ft with tenants.

    The bill for February's water is $90.00.
    """
    maple = landlord.property_()
    for label, sqft in (("1", 300), ("2", 600)):
        landlord.tenant(landlord.unit(maple, label, sqft=sqft, bedrooms=1), f"Tenant {label}")
    landlord.bill(maple, 90_00)
    return maple


def times_recalculated(landlord: Landlord) -> int:
    account, told = landlord.account.id, "charges.recalculated"
    return landlord.database.read(lambda tx: tx.one(_RECALCULATED, account=account, type=told)) or 0


def test_two_changes_compute_a_month_once(landlord, maple):
    water, before = landlord.rules(maple)["WATER"].id, times_recalculated(landlord)

    def change_twice(tx, caller):
        share_rules.change(tx, caller, water, {"split_method": "CUSTOM", "custom_weights_json": '{"1": 5, "2": 1}'})
        share_rules.change(tx, caller, water, {"split_method": "SQFT"})

    landlord.do(change_twice)
    assert landlord.totals(maple) == {"1": 30_00, "2": 60_00}
    assert times_recalculated(landlord) == before + 1
    landlord.sound()


def test_who_reads_an_invoice_meanwhile_reads_it_as_it_is_by_then(landlord, maple):
    water, one = landlord.rules(maple)["WATER"].id, landlord.invoices(maple)["1"].summary.id

    def change_and_read(tx, caller):
        share_rules.change(tx, caller, water, {"split_method": "SQFT"})
        return invoices.find(tx, caller, one)

    shown = landlord.do(change_and_read)
    assert (shown.summary.total, [charge.amount for charge in shown.charges]) == (30_00, [30_00])


def test_what_is_sent_behind_a_change_is_sent_as_it_is_by_then(landlord, maple):
    water, one = landlord.rules(maple)["WATER"].id, landlord.invoices(maple)["1"].summary.id

    def change_and_send(tx, caller):
        share_rules.change(tx, caller, water, {"split_method": "SQFT"})
        return invoices.set_status(tx, caller, one, "SENT")

    assert landlord.do(change_and_send).summary.total == 30_00
    landlord.sound()


def test_a_part_that_is_undone_has_asked_for_nothing(landlord, maple):
    water, before = landlord.rules(maple)["WATER"].id, times_recalculated(landlord)

    def change_and_give_up(tx, caller):
        with suppress(Conflict), tx.savepoint():
            share_rules.change(tx, caller, water, {"split_method": "SQFT"})
            raise Conflict("No.")

    landlord.do(change_and_give_up)
    assert (landlord.totals(maple), times_recalculated(landlord)) == ({"1": 45_00, "2": 45_00}, before)
