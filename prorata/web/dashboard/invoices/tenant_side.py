"""The state of the tenant's page for an invoice, as the invoice's page shows it."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.delivery import disputes, question_replies, tenant_pages
from prorata.actions.delivery.disputes import ShownDispute
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.mail.messages import MailRow
from prorata.web.dashboard.kernel.pages import Ask


class TenantSide(NamedTuple):
    """The tenant's page for an invoice, as the invoice's page shows it.

    It has the address (None if there is none), the address's last day, and whether the link was stopped. It also has
    the questions (latest first), the earlier recipient if the invoice is now for somebody else, the state of the
    replies' e-mails, the disputes by question, and today's date.
    """

    url: str | None
    until: str
    is_stopped: bool
    questions: list[QuestionRow]
    was_for: str | None
    mailed: Mapping[str, MailRow]
    disputes: Mapping[str, ShownDispute]
    today: date

    def is_disputed(self, charge_id: str, tenant_id: str | None) -> bool:
        """True if the invoice's tenant has an open dispute about the charge."""
        open_ones = (one.row for one in self.disputes.values() if one.is_open)
        return (charge_id, tenant_id) in {(one.charge_id, one.tenant_id) for one in open_ones}


def tenant_side(ask: Ask[Any, Any], invoice_id: str) -> TenantSide:
    """Collect the state of the tenant's page for an invoice."""
    found = tenant_pages.links(ask.tx, ask.caller, invoice_id)
    url = ask.outside.tenant_links.url(found.link) if found.link else None
    until = ask.write.day(found.link.until) if found.link else ""
    mailed = question_replies.mailed(ask.tx, ask.caller, found.questions)
    its = {one.row.question_id: one for one in disputes.of_invoice(ask.tx, ask.caller, invoice_id)}
    today = accounts.today(ask.tx, ask.caller)
    latest_first = list(reversed(found.questions))
    return TenantSide(url, until, found.is_stopped, latest_first, found.was_for, mailed, its, today)
