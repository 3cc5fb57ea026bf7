"""The link that shows a tenant one invoice without signing in: contents, lifetime and target."""

from datetime import date, timedelta
from typing import NamedTuple

PATH = "/i/"
LASTS = timedelta(days=400)
"""More than a year: last year's invoices can be looked up when those of this year come. Each message with an invoice,
and each look at its page in the dashboard, has a link that lasts so long from then on.
"""
FIRST_GENERATION = 1
"""A link is one of a generation; a new one makes those of the generations before it void."""


class TenantLink(NamedTuple):
    """The contents of a link: account, invoice, generation and last valid day (UTC)."""

    account_id: str
    invoice_id: str
    generation: int
    until: date
