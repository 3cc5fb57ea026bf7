"""Pages for tenants, who don't sign in: one per invoice, at a secret address.

The pages use the dashboard's page dispatcher, and their texts are in the language of the invoice.
"""

from prorata.domain.online_payments.payment_links import PAID_PATH
from prorata.web.dashboard.kernel.pages import Page
from prorata.web.http.limits import MOST_CUT_FORM_BYTES, MOST_DISPUTE_FORM_BYTES
from prorata.web.tenant import dispute_page as disputes, invoice_page as pages, statement
from prorata.web.tenant.invoice_page import QuestionForm
from prorata.web.tenant.way_back import after_paying

__all__ = ["TENANT_PAGES"]


TENANT_PAGES: tuple[Page, ...] = (
    Page(after_paying, "GET", f"{PAID_PATH}{{account}}/{{link}}", may=None),
    Page(pages.bill_of_invoice, "GET", "/i/{token}/bills/{number}", may=None),
    Page(pages.explanation_of_invoice, "GET", "/i/{token}/explanation", may=None),
    Page(pages.invoice_on_paper, "GET", "/i/{token}/pdf", may=None),
    Page(statement.statement_as_file, "GET", "/i/{token}/statement", may=None),
    Page(statement.receipt_of_payment, "GET", "/i/{token}/receipts/{invoice}/{payment}", may=None),
    Page(
        disputes.open_dispute,
        "POST",
        "/i/{token}/dispute/{charge}",
        may=None,
        form=disputes.DisputeForm,
        again=disputes.dispute_page,
        most_bytes=MOST_DISPUTE_FORM_BYTES,
        cut_bytes=MOST_CUT_FORM_BYTES,
        first=disputes.why_not,
    ),
    Page(disputes.dispute_page, "GET", "/i/{token}/dispute/{charge}", may=None),
    Page(disputes.withdraw_dispute, "POST", "/i/{token}/disputes/{dispute}/withdraw", may=None),
    Page(pages.ask_question, "POST", "/i/{token}", may=None, form=QuestionForm, again=pages.invoice_page),
    Page(pages.invoice_page, "GET", "/i/{token}", may=None),
)
"""The pages of tenants.

The log shows the path of the last of these pages instead of their addresses, which are secrets.
"""
