"""What the lease of a property says of its utilities, as of a day: the page, and the same as PDF."""

from datetime import date

from msgspec import UNSET, Struct, UnsetType

from prorata.actions.accounts import access
from prorata.actions.printing import leases
from prorata.domain.languages import language_of
from prorata.domain.printing.lease_pages import write_lease
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Ask, Download, Shown, page
from prorata.web.dashboard.properties.property import above
from prorata.web.http.fields import DateText

PDF = "application/pdf"


class LeaseQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """As of which day; today without one."""

    day: DateText | UnsetType = UNSET

    @property
    def named(self) -> date | None:
        """The day, where one is named."""
        return None if self.day is UNSET else date.fromisoformat(self.day)


@page("GET", "/properties/{id}/lease", may="read", query=LeaseQuery)
def lease_page(ask: Ask[LeaseQuery, None]) -> Shown:
    """How each utility is divided, in the words that tenants read."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    lease = leases.find(ask.tx, ask.caller, row.id, ask.query.named)
    written = write_lease(lease, ask.outside.forms(lease.locale))
    values = {"written": written, "day": lease.terms.day, "spoken": language_of(lease.locale)}
    return Shown("lease.html", values | above(row, "lease"))


@page("GET", "/properties/{id}/lease.pdf", may="read", query=LeaseQuery)
async def lease_pdf(steps: Steps) -> Download:
    """The same on paper, to look at and print."""
    property_id, day = steps.path["id"], steps.query.named
    lease = await steps.read(lambda tx: leases.find(tx, steps.caller, property_id, day))
    content = await steps.pools.print(lambda: steps.outside.printer(lease))
    return Download(lease.file_name, PDF, content, to_look_at=True)
