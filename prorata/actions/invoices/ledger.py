"""An invoice with its ledger, and the refund that is proposed."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.invoices.ledger import Entry, Position, effects, position, proposed_refund, refundable
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.payments.payments import PaymentRow


class Ledger(NamedTuple):
    """An invoice with its ledger's entries, oldest first.

    `noted` is the amount, in cents, with which the invoice was marked as paid; no entry contains it.
    """

    invoice: InvoiceSummary
    entries: Sequence[PaymentRow]
    noted: int

    @property
    def position(self) -> Position:
        """The invoice's open amount: what is owed, or the credit."""
        return position(self.invoice.status, self.invoice.total, self.invoice.paid_amount)

    @property
    def effects(self) -> dict[str, int]:
        """The cents that each entry adds to the amount received, by the entry's id."""
        return effects(self._facts[-1])

    @property
    def refundable(self) -> int:
        """The largest possible refund, in cents."""
        return refundable(*self._facts)

    @property
    def proposed_refund(self) -> int:
        """The refund to propose, in cents; it isn't positive if nothing is to be refunded."""
        return proposed_refund(*self._facts)

    @property
    def _facts(self) -> tuple[str, int, int, list[Entry]]:
        return self.invoice.status, self.invoice.total, self.noted, [as_entry(row) for row in self.entries]
