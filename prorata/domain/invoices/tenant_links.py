"""The link that shows a tenant one invoice without signing in.

This module defines the contents of such a link, its lifetime, and its address.
"""

from datetime import date, timedelta
from typing import NamedTuple

PATH = "/i/"
LASTS = timedelta(days=400)
"""The lifetime of a link, counted from its message or page view.

Each message with an invoice, and each view of its page in the dashboard, has a new link. Links last more than a year,
so that last year's invoices can be looked up when this year's arrive.
"""
FIRST_GENERATION = 1
"""The first generation of an invoice's links.

A new generation voids the links of all earlier ones.
"""


class TenantLink(NamedTuple):
    """The contents of a link: account, invoice, generation and last valid day (UTC).

    A new generation of an invoice's links voids the earlier ones.
    """

    account_id: str
    invoice_id: str
    generation: int
    until: date
