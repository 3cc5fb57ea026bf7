"""The lease text of a property, as a page and as PDF.

The text explains to tenants how their utilities are split.
"""

from datetime import date
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType, defstruct

from prorata.actions.accounts import access
from prorata.actions.delivery import rule_announcements
from prorata.actions.printing import leases
from prorata.domain.delivery.send_schedule import NoServer
from prorata.domain.languages import language_of
from prorata.domain.printing.lease_pages import write_lease
from prorata.domain.texts import say, say_n
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.properties.property import above
from prorata.web.dashboard.splitting import rule_words
from prorata.web.http.fields import DateText, text
from prorata.web.http.limits import MOST_TOLD_SHOWN

PDF = "application/pdf"
_TOLD = say_n("{n} household is being told by e-mail.", "{n} households are being told by e-mail.", 2)
_SAVED = say_n(
    "{n} message will be saved in the outbox folder, and reaches nobody, because e-mail isn’t set up.",
    "{n} messages will be saved in the outbox folder, and reach nobody, because e-mail isn’t set up.",
    2,
)


class DayQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The day whose rules the lease text describes; by default, today."""

    day: DateText | UnsetType = UNSET

    @property
    def named(self) -> date | None:
        """The chosen day; None means today."""
        return None if self.day is UNSET else date.fromisoformat(self.day)

    @property
    def utilities(self) -> list[str]:
        """The chosen utilities; if there are none, the page lists the ones in use."""
        return [kind for kind in UTILITY_TYPES if getattr(self, kind)]


LeaseQuery = defstruct(
    "LeaseQuery",
    [(kind, bool, False) for kind in UTILITY_TYPES],
    bases=(DayQuery,),
    kw_only=True,
    forbid_unknown_fields=True,
)
"""The day and, for each utility, whether the lease text describes it."""


class AnnounceForm(Struct, kw_only=True):
    """The code of the rule change to announce."""

    change: Annotated[str, text(64)]


@page("GET", "/properties/{id}/lease", may="read", query=LeaseQuery)
def lease_page(ask: Ask[DayQuery, None]) -> Shown:
    """Show the lease text: how each utility is split, in words for tenants."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    lease = leases.find(ask.tx, ask.caller, row.id, ask.query.named, ask.query.utilities)
    written = write_lease(lease, ask.outside.forms(lease.locale))
    values = {"written": written, "day": lease.terms.day, "spoken": language_of(lease.locale)}
    values["listed"] = [utility.utility_type for utility in lease.terms.utilities]
    held = ask.outside.mail_held
    announced = rule_announcements.of_property(ask.tx, ask.caller, row.id, held)
    values |= {"announced": announced, "most": MOST_TOLD_SHOWN, "held": held, "is_saved": isinstance(held, NoServer)}
    return Shown("lease.html", values | rule_words.names_of_rules(ask.write) | above(row, "lease"))


@page("POST", "/properties/{id}/lease/announce", may="write", form=AnnounceForm, again=lease_page)
def announce_rule(ask: Ask[None, AnnounceForm]) -> GoTo:
    """E-mail a rule change to the households that have not been notified of it yet.

    If a person repeats this, nobody is notified twice.
    """
    row, forms, held = access.property_(ask.tx, ask.caller, ask.path["id"]), ask.outside.forms, ask.outside.mail_held
    told = rule_announcements.announce(ask.tx, ask.caller, row.id, ask.form.change, forms, held)
    said = _SAVED if isinstance(held, NoServer) else _TOLD
    message = said.of(told, ask.write.count(told)) if told else say("Nobody is left to be told by e-mail.")
    return GoTo(f"/properties/{row.id}/lease", message)


@page("GET", "/properties/{id}/lease.pdf", may="read", query=LeaseQuery)
async def lease_pdf(steps: Steps) -> Download:
    """Show the lease text as PDF."""
    property_id, query = steps.path["id"], steps.query
    lease = await steps.read(lambda tx: leases.find(tx, steps.caller, property_id, query.named, query.utilities))
    content = await steps.pools.print(lambda: steps.outside.printer(lease))
    return Download(lease.file_name, PDF, content, to_look_at=True)
