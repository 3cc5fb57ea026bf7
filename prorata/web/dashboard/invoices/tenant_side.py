"""The state of the tenant's page for an invoice, as shown on the dashboard."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.delivery import dispute_ends, disputes, question_replies, tenant_pages
from prorata.actions.delivery.disputes import ShownDispute
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.mail.messages import MailRow
from prorata.web.dashboard.kernel.pages import Ask


class TenantSide(NamedTuple):
    """The state of the tenant's page for an invoice, as shown on the dashboard.

    `url` is the address of the tenant's page, or None, and `until` the last day on which it works. `is_known` means
    that somebody may have a link to the page, and `is_stopped` that the link was stopped. `questions` come latest
    first. `was_for` is the earlier recipient if the invoice is now addressed to somebody else. `mailed` contains the
    state of each reply's e-mail, and `disputes` the disputes by the ids of their questions. `correctable` are the
    disputes that can end with a correction.
    """

    url: str | None
    until: str
    is_known: bool
    is_stopped: bool
    questions: list[QuestionRow]
    was_for: str | None
    mailed: Mapping[str, MailRow]
    disputes: Mapping[str, ShownDispute]
    correctable: frozenset[str]
    today: date

    def is_disputed(self, charge_id: str, tenant_id: str | None) -> bool:
        """True if this tenant has an open dispute about the charge."""
        open_ones = (dispute.row for dispute in self.disputes.values() if dispute.is_open)
        return (charge_id, tenant_id) in {(open_one.charge_id, open_one.tenant_id) for open_one in open_ones}


def tenant_side(ask: Ask[Any, Any], invoice_id: str) -> TenantSide:
    """Collect the state of the tenant's page for an invoice."""
    links = tenant_pages.links(ask.tx, ask.caller, invoice_id)
    url = ask.outside.tenant_links.url(links.link) if links.link else None
    until = ask.write.day(links.link.until) if links.link else ""
    mailed = question_replies.mailed(ask.tx, ask.caller, links.questions)
    its = {dispute.row.question_id: dispute for dispute in disputes.of_invoice(ask.tx, ask.caller, invoice_id)}
    correctable = dispute_ends.correctable(ask.tx, ask.caller, invoice_id)
    today = accounts.today(ask.tx, ask.caller)
    latest_first = list(reversed(links.questions))
    return TenantSide(
        url, until, links.is_known, links.is_stopped, latest_first, links.was_for, mailed, its, correctable, today
    )
