"""The address to which payment providers return tenants, and which redirects to the tenant's page."""

from prorata.actions.delivery import way_back
from prorata.domain.delivery.tenant_page_words import PAGE_WORDS
from prorata.domain.invoices.tenant_links import PATH
from prorata.domain.languages import language_of
from prorata.errors import NotFound, RateLimited
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, GoTo
from prorata.web.tenant.invoice_page import admit, nothing


async def after_paying(steps: Steps) -> Answered:
    """Redirect to the tenant's page, with a message about the payment."""
    account_id, link_id = steps.path["account"], steps.path["link"]
    try:
        await admit(steps)
        its_way = await steps.read(lambda tx: way_back.find(tx, account_id, link_id))
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    words = PAGE_WORDS[language_of(its_way.locale)]
    message = {"paid": words.paid, "not confirmed": words.not_confirmed}.get(its_way.says, "")  # the page says the rest
    return GoTo(f"{PATH}{steps.outside.tenant_links.token(its_way.link)}", message.format(biller=its_way.biller))
