"""Programs are told of changes to an invoice's standing."""

import pytest
from sqlalchemy import bindparam, func, select

from prorata.actions.invoices import invoices
from prorata.store.database.statements import returns_one
from prorata.store.schema.webhook_tables import event_batch
from tests.landlord import Landlord

_TOLD = returns_one(
    select(func.count())
    .select_from(event_batch)
    .where(event_batch.c.account_id == bindparam("account"), event_batch.c.type == bindparam("type"))
)


def times_recalculated(landlord: Landlord) -> int:
    account, told = landlord.account.id, "charges.recalculated"
    return landlord.database.read(lambda tx: tx.one(_TOLD, account=account, type=told)) or 0


@pytest.mark.parametrize("amount", [0, 25_00])
def test_programs_are_told_of_a_custom_charge_also_where_it_is_of_nothing(landlord, amount):
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1", sqft=300), "Ann")
    landlord.bill(maple, 90_00)
    invoice, before = landlord.invoices(maple)["1"].summary.id, times_recalculated(landlord)
    shown = landlord.do(lambda tx, caller: invoices.add_custom_charge(tx, caller, invoice, "Key", amount))
    assert times_recalculated(landlord) == before + 1
    (key,) = [charge.id for charge in shown.charges if charge.bill_id is None]
    landlord.do(lambda tx, caller: invoices.remove_custom_charge(tx, caller, invoice, key))
    assert times_recalculated(landlord) == before + 2
    assert landlord.totals(maple) == {"1": 90_00}
    landlord.sound()
