"""The pages of tenants, who do not sign in: one invoice each, at an address that nobody guesses.

They stand at the desk of the dashboard, and share its looks; what they say is in the language of the invoice.
"""

from prorata.web.dashboard.kernel.pages import Page
from prorata.web.http.limits import MOST_FORM_BYTES
from prorata.web.tenant import invoice_page as pages, statement
from prorata.web.tenant.invoice_page import QuestionForm

__all__ = ["TENANT_PAGES"]


def _page(path: str, work: object) -> Page:
    return Page("GET", path, work, None, None, None, None, in_steps=True, most_bytes=MOST_FORM_BYTES)


TENANT_PAGES: tuple[Page, ...] = (
    _page("/i/{token}/bills/{number}", pages.bill_of_invoice),
    _page("/i/{token}/pdf", pages.invoice_on_paper),
    _page("/i/{token}/statement", statement.statement_as_file),
    Page(
        "POST", "/i/{token}", pages.ask_question, None, None, QuestionForm, pages.invoice_page, in_steps=True,
        most_bytes=MOST_FORM_BYTES,
    ),
    _page("/i/{token}", pages.invoice_page),
)  # fmt: skip
"""The last one stands in the log for all of them: their addresses are secrets."""
