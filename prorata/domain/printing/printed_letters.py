"""Printed letters about invoices for tenants without an e-mail address.

They have the words of the corresponding e-mails.
"""

from datetime import date
from typing import NamedTuple

from prorata.domain.mail.message_body import Letter
from prorata.domain.printing.lease_pages import PrintedLease
from prorata.domain.printing.printed_invoices import PrintedInvoice


class PrintedLetter(NamedTuple):
    """A printed letter to the tenant of an invoice, and the day of writing."""

    invoice: PrintedInvoice
    letter: Letter
    day: date


Printed = PrintedInvoice | PrintedLease | PrintedLetter
"""The kinds of documents that can be printed."""
