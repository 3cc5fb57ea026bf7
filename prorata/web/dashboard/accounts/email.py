"""The settings page for e-mail: the mail server, and the account's own texts."""

from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.domain.accounts.own_words import PLACES
from prorata.domain.limits import LONGEST_MAIL_OPENING, LONGEST_MAIL_SUBJECT
from prorata.domain.texts import say
from prorata.web.dashboard.kernel.pages import VERSION, Ask, GoTo, Shown, page
from prorata.web.http.fields import text


class OwnWordsForm(Struct, kw_only=True):
    """The account's own subject and opening for invoice e-mails.

    If one of them is empty, Prorata's standard text is used instead.
    """

    mail_subject: Annotated[str, text(LONGEST_MAIL_SUBJECT, least=0)] = ""
    mail_opening: Annotated[str, text(LONGEST_MAIL_OPENING, least=0)] = ""


@page("GET", "/settings/email", may="manage")
def email_page(ask: Ask[Any, Any]) -> Shown:
    """Show whether e-mails are sent, and the form for the account's own texts."""
    row = accounts.the_account(ask.tx, ask.caller)
    settings = ask.outside.settings
    values = {
        "held": ask.outside.mail_held,
        "base_url": settings.base_url,
        "places": PLACES,
    }
    words = {"mail_subject": row.mail_subject, "mail_opening": row.mail_opening}
    return Shown("email.html", values, words | {VERSION: row.updated_at})


@page("POST", "/settings/email", may="manage", form=OwnWordsForm, again=email_page)
def save_own_words(ask: Ask[None, OwnWordsForm]) -> GoTo:
    """Save the account's own texts; e-mails written from now on use them."""
    wishes = Wishes(mail_subject=ask.form.mail_subject, mail_opening=ask.form.mail_opening)
    accounts.change_settings(ask.tx, ask.caller, wishes, seen=ask.seen)
    return GoTo("/settings/email", say("Saved."))
