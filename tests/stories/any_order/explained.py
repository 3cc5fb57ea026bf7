"""A check of all of a landlord's explanations, for use after every step.

The numbers of each explanation must work out, and it must explain exactly the charges that exist.
"""

from prorata.actions.invoices import invoices
from prorata.actions.splitting import explanations
from prorata.domain.splitting.verification import verify
from tests.domain.splitting import replayed
from tests.landlord import Landlord


def explanations_come_out(landlord: Landlord) -> None:
    """Check the explanation of every invoice and every month.

    A second implementation divides the shares from the JSON alone.
    """
    shown, _ = landlord.see(invoices.page, {}, limit=10_000, offset=0, details=True)
    for one in shown:
        text = landlord.see(explanations.of_invoice, one.summary.id)
        assert verify(text).differences == ()
        charges = replayed.read(text)["charges"]
        told = [replayed.cents(charge["amount"]) for charge in charges]
        again = [replayed.charged(charge) for charge in charges]
        assert [cents for cents in again if cents is not None] == [
            cents for cents, found in zip(told, again, strict=True) if found is not None
        ]
        assert sorted(told) == sorted(charge.amount for charge in one.charges or [])
    for key in sorted({(one.summary.property_id, one.summary.month) for one in shown}):
        text = landlord.see(explanations.of_month, *key)
        assert verify(text).differences == ()
        content = replayed.read(text)
        shares, owner = replayed.charges_of(content)
        said = {
            (one["billId"], one["line"], home["unitId"], tuple(home["tenantIds"])): replayed.cents(one["amount"])
            for home in content["households"]
            for one in home["charges"]
        }
        assert shares == said
        assert sum(owner.values()) == replayed.cents(content["owner"])
