"""After an upgrade, the open months of each account are recalculated once.

The account is told about it until somebody has read it.
"""

from sqlalchemy import update

from prorata.actions.recalculation import after_upgrades
from prorata.store.database.statements import changes
from prorata.store.schema.tables import billing_month

_DUE = changes(update(billing_month).values(computed_at=""))


def test_what_an_upgrade_computed_anew_is_told_until_somebody_has_read_it(landlord):
    for name in ("Maple", "Oak"):
        house = landlord.property_(name)
        landlord.units(house, "1", "2")
        landlord.bill(house, 100_00)
    assert not landlord.see(after_upgrades.is_untold)

    landlord.run(lambda tx: tx.run(_DUE))
    assert after_upgrades.compute_due_months(landlord.database) == 2
    assert landlord.see(after_upgrades.is_untold)
    landlord.do(after_upgrades.note_read)
    assert not landlord.see(after_upgrades.is_untold)

    landlord.run(lambda tx: tx.run(_DUE))
    after_upgrades.compute_due_months(landlord.database)
    assert not landlord.see(after_upgrades.is_untold), "once"
