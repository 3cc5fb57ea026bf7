"""How the tenant's page of an invoice stands, for the page of the invoice."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from prorata.actions.delivery import question_replies, tenant_pages
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.mail.messages import MailRow
from prorata.web.dashboard.kernel.pages import Ask


class TenantSide(NamedTuple):
    """The tenant's page of an invoice, as its invoice shows it: the address, None where there is none; until when it
    works; whether it was stopped; what was asked, the latest first; whom it was sent to before, where it is for
    somebody else by now; and what became of the e-mails with the replies.
    """

    url: str | None
    until: str
    is_stopped: bool
    questions: list[QuestionRow]
    was_for: str | None
    mailed: Mapping[str, MailRow]


def tenant_side(ask: Ask[Any, Any], invoice_id: str) -> TenantSide:
    """How the tenant's page of an invoice stands."""
    found = tenant_pages.links(ask.tx, ask.caller, invoice_id)
    url = ask.outside.tenant_links.url(found.link) if found.link else None
    until = ask.write.day(found.link.until) if found.link else ""
    mailed = question_replies.mailed(ask.tx, ask.caller, found.questions)
    return TenantSide(url, until, found.is_stopped, list(reversed(found.questions)), found.was_for, mailed)
