"""Disputes that tenants open on the page of their invoice."""

from contextlib import suppress

from prorata.actions.delivery import dispute_ends, disputes, tenant_pages, tenant_questions
from prorata.actions.delivery.disputes import Opening
from prorata.actions.delivery.tenant_pages import TENANT, TenantPage
from prorata.domain.delivery.disputes import WITHDRAWN
from prorata.domain.delivery.questions import as_asked
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.errors import Conflict, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes as stored


def open_one(tx: Tx, link: TenantLink | None, opening: Opening, write: Forms = PLAIN) -> str:
    """Open a dispute about a charge; e-mail the account and return the answer deadline.

    Submitting the same dispute again, without a new file, while it is open has no effect, because a form may be
    submitted twice. Raises `NotFound` if the link is not valid, and everything that `disputes.open_one` raises.
    """
    page = tenant_pages.opened(tx, link)
    there = page.open_dispute_of(opening.charge_id)
    if there and (there.asked, there.amount) == (as_asked(opening.text), opening.amount):
        ids = [there.question_id] if opening.files else []
        kept = {whole_file.content for whole_file in stored.whole_files_of(tx, page.row.account_id, ids)}
        if kept.issuperset(file.content for file in opening.files):
            return there.answer_by
    caller = Caller(page.row.account_id, TENANT)
    question = disputes.open_one(tx, caller, page.row.id, opening, write)
    tenant_questions.tell(tx, question)
    return disputes.find(tx, caller, question.id).row.answer_by


def withdraw(tx: Tx, link: TenantLink | None, dispute_id: str) -> bool:
    """Withdraw a dispute that a tenant's page shows; return True if it is withdrawn.

    The result is also True if the dispute was withdrawn before. A dispute that ended in another way stays as it
    is, and the result is False. Raises `NotFound` if there is no such dispute.
    """
    page = tenant_pages.look(tx, link)
    if not isinstance(page, TenantPage) or dispute_id not in page.disputes:
        raise NotFound("dispute")
    with suppress(Conflict):  # it has ended
        dispute_ends.withdraw(tx, Caller(page.row.account_id, TENANT), dispute_id)
    dispute = stored.find(tx, page.row.account_id, dispute_id)
    return dispute is not None and dispute.state == WITHDRAWN
