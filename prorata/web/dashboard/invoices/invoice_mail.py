"""Previews of the e-mail with an invoice and of a reminder, and a reminder's withdrawal."""

from prorata.actions.accounts import access, accounts
from prorata.actions.delivery import mail_previews, reminders
from prorata.domain.mail.message_body import USUAL_COLOR
from prorata.domain.texts import say
from prorata.web.dashboard.accounts.letterhead import shown
from prorata.web.dashboard.invoices.invoice import invoice_page
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page


@page("GET", "/invoices/{invoice}/mail", may="read")
def mail_page(ask: Ask[None, None]) -> Shown | GoTo:
    """Show the e-mail with an invoice as it would be written now."""
    return _shown(ask, reminds=False)


@page("GET", "/invoices/{invoice}/reminder", may="read")
def reminder_page(ask: Ask[None, None]) -> Shown | GoTo:
    """Show the reminder about an invoice as it would be written now."""
    return _shown(ask, reminds=True)


@page("POST", "/invoices/{invoice}/reminder/withdraw", may="write", again=invoice_page)
def withdraw_reminder(ask: Ask[None, None]) -> GoTo:
    """Withdraw an invoice's reminder that waits to be sent, or its latest one on paper."""
    reminders.withdraw_of(ask.tx, ask.caller, ask.path["invoice"])
    return GoTo(f"/invoices/{ask.path['invoice']}", say("The reminder was withdrawn."))


def _shown(ask: Ask[None, None], *, reminds: bool) -> Shown | GoTo:
    row = access.invoice(ask.tx, ask.caller, ask.path["invoice"])
    mail = mail_previews.preview(ask.tx, ask.caller, row.id, ask.outside.tenant_links, reminds=reminds)
    if mail is None:
        message = say("This invoice is for a vacant unit, so no e-mail is sent with it.")
        return GoTo(f"/invoices/{row.id}", message, warns=True)
    letter = ask.outside.letter(mail)
    values = {"row": row, "mail": mail, "letter": letter, "logo": shown(letter.logo), "reminds": reminds}
    account = accounts.the_account(ask.tx, ask.caller)
    return Shown("invoice_mail.html", values | {"usual_color": USUAL_COLOR, "sender": account.name})
