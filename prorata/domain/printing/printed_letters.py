"""Letters about invoices for tenants without e-mail, printed with the words of the e-mail."""

from datetime import date
from typing import NamedTuple

from prorata.domain.mail.message_body import Letter
from prorata.domain.printing.lease_pages import PrintedLease
from prorata.domain.printing.printed_invoices import PrintedInvoice


class PrintedLetter(NamedTuple):
    """A letter to the tenant of an invoice, as written on a day."""

    invoice: PrintedInvoice
    letter: Letter
    day: date


Printed = PrintedInvoice | PrintedLease | PrintedLetter
"""The kinds of documents that can be printed."""
