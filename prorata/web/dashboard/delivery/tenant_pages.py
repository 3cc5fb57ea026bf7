"""Links to tenants' pages and tenants' questions, as handled in the dashboard."""

from typing import Annotated

from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.actions.delivery import question_replies, tenant_questions
from prorata.actions.invoices import tenant_links
from prorata.domain.texts import say
from prorata.web.dashboard.invoices.invoice import invoice_page
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text

ROWS = 50
_TYPED = 64 * 1024
"""The maximum number of characters read from a reply, which is above the allowed length.

A reply that is too long can thus be shown again instead of being lost.
"""

_STOPPED = say("The link was stopped: anyone who follows it is told to ask you for another.")
_RENEWED = say("A new link was created. Earlier links no longer work.")
_REPLIED = say("Your reply is on its way by e-mail, and is shown on the tenant’s page.")
_REPLIED_SAVED = say("Your reply is on the tenant’s page. {why} Tell the tenant that it’s there.")
_REPLIED_ON_PAGE = say(
    "Your reply is on the tenant’s page. No e-mail was sent: tell the tenant that it’s there, or hand it over."
)
_ANSWERED = say("The question was marked as answered.")


@page("POST", "/invoices/{invoice}/link/stop", may="write")
def stop_tenant_link(ask: Ask[None, None]) -> GoTo:
    """Stop all links to the tenant's page of an invoice."""
    tenant_links.stop(ask.tx, ask.caller, ask.path["invoice"])
    return GoTo(f"/invoices/{ask.path['invoice']}", _STOPPED)


@page("POST", "/invoices/{invoice}/link/new", may="write")
def renew_tenant_link(ask: Ask[None, None]) -> GoTo:
    """Create a new link to the tenant's page of an invoice; earlier links stop working."""
    tenant_links.renew(ask.tx, ask.caller, ask.path["invoice"])
    return GoTo(f"/invoices/{ask.path['invoice']}", _RENEWED)


class QuestionsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The cursor of the list of questions."""

    behind: Annotated[str, text(64, least=0)] = ""


@page("GET", "/questions", may="read", query=QuestionsQuery)
def questions_page(ask: Ask[QuestionsQuery, None]) -> Shown:
    """Show the tenants' questions that need an answer."""
    questions = tenant_questions.waiting(ask.tx, ask.caller, ask.query.behind, limit=ROWS + 1)
    number = tenant_questions.number_waiting(ask.tx, ask.caller)
    values = {
        "questions": questions[:ROWS],
        "number": number.all,
        "today": accounts.today(ask.tx, ask.caller).isoformat(),
        "behind": ask.query.behind,
    }
    return Shown("questions.html", {**values, "further": questions[ROWS - 1].id if len(questions) > ROWS else ""})


class ReplyForm(Struct, kw_only=True):
    """A reply to a question."""

    question: Annotated[str, text(64)]
    reply: Annotated[str, text(_TYPED, least=0)] = ""


@page("POST", "/invoices/{invoice}/reply", may="write", form=ReplyForm, again=invoice_page)
def send_reply(ask: Ask[None, ReplyForm]) -> GoTo:
    """Reply to a question about the invoice."""
    by = ask.person.name or ask.person.email
    is_mailed = question_replies.reply(ask.tx, ask.caller, ask.form.question, ask.form.reply, by)
    held = ask.outside.mail_held
    mailed = _REPLIED if held is None else _REPLIED_SAVED.format(why=held)
    return GoTo(f"/invoices/{ask.path['invoice']}", mailed if is_mailed else _REPLIED_ON_PAGE)


@page("POST", "/questions/{question}/answered", may="write")
def note_answered(ask: Ask[None, None]) -> GoTo:
    """Mark a question as answered."""
    row = tenant_questions.answer(ask.tx, ask.caller, ask.path["question"])
    return GoTo(f"/invoices/{row.invoice_id}", _ANSWERED)
