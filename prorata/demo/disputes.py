"""Two disputes about water charges: one ended with a reason, the other open."""

from prorata.actions.delivery import dispute_ends, disputes
from prorata.actions.delivery.disputes import Opening
from prorata.actions.delivery.tenant_pages import TENANT
from prorata.actions.invoices import invoices
from prorata.domain.money import apportion
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceSummary

ENDED, OPEN = ("1B", 9), "1C"
"""The units at Harbor House with the two disputes, and the ended one's month.

The month is its position in the year, counted from 0.
"""
WHY_ENDED = "I was away for two weeks, and used hardly any water. Please charge me for half of the month only."
_REASON = (
    "By your lease a bill is divided by the house's rule, whoever is at home when. The bill and your share of it "
    "are right; you find both on the invoice."
)
WHY_OPEN = "This is about twice what it was the month before. Was the meter read, or was it estimated?"


def open_one(tx: Tx, caller: Caller, invoice: InvoiceSummary, why: str) -> None:
    """Dispute half of an invoice's water charge on the tenant's behalf."""
    charges = invoices.find(tx, caller, invoice.id).charges or ()
    (water,) = (charge for charge in charges if charge.utility_type == "WATER")
    opening = Opening(water.id, apportion(water.amount, (1, 1))[0], why)
    disputes.open_one(tx, Caller(caller.account_id, TENANT), invoice.id, opening)


def end(tx: Tx, caller: Caller, invoice: InvoiceSummary) -> None:
    """End a dispute with a reason, on the landlord's behalf."""
    (dispute,) = disputes.of_invoice(tx, caller, invoice.id)
    dispute_ends.resolve(tx, caller, dispute.row.question_id, _REASON)
