"""Previews of the e-mail with an invoice and of a reminder, and a reminder's withdrawal."""

from prorata.actions.accounts import access, accounts
from prorata.actions.delivery import mail_previews, reminders
from prorata.domain.delivery.reminders import why_never
from prorata.domain.due_times import day_in
from prorata.domain.mail.message_body import USUAL_COLOR
from prorata.domain.texts import Text, say
from prorata.ports.mail import InvoiceMail
from prorata.store.invoices.invoices import InvoiceRow
from prorata.web.dashboard.accounts.letterhead import shown
from prorata.web.dashboard.invoices.invoice import invoice_page
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page


@page("GET", "/invoices/{invoice}/mail", may="read")
def mail_page(ask: Ask[None, None]) -> Shown | GoTo:
    """Show the e-mail with an invoice as it would be written now."""
    message = say("This invoice is for a vacant unit, so no e-mail is sent with it.")
    return _preview(ask, message, reminds=False)


@page("GET", "/invoices/{invoice}/reminder", may="read")
def reminder_page(ask: Ask[None, None]) -> Shown | GoTo:
    """Show the reminder about an invoice as it would be written now."""
    return _preview(ask, None, reminds=True)


@page("GET", "/invoices/{invoice}/reminders/{message}", may="read")
def sent_reminder_page(ask: Ask[None, None]) -> Shown:
    """Show a reminder about an invoice as it was sent."""
    row, links = access.invoice(ask.tx, ask.caller, ask.path["invoice"]), ask.outside.tenant_links
    mail = mail_previews.sent_reminder(ask.tx, ask.caller, row.id, ask.path["message"], links)
    return _shown(ask, row, mail, reminds=True, was_sent=True)


@page("POST", "/invoices/{invoice}/reminder/withdraw", may="write", again=invoice_page)
def withdraw_reminder(ask: Ask[None, None]) -> GoTo:
    """Withdraw an invoice's reminder that waits to be sent, or its latest one on paper."""
    reminders.withdraw_of(ask.tx, ask.caller, ask.path["invoice"])
    return GoTo(f"/invoices/{ask.path['invoice']}", say("The reminder was withdrawn."))


def _preview(ask: Ask[None, None], why_none: Text | None, *, reminds: bool) -> Shown | GoTo:
    row = access.invoice(ask.tx, ask.caller, ask.path["invoice"])
    mail = mail_previews.preview(ask.tx, ask.caller, row.id, ask.outside.tenant_links, reminds=reminds)
    if mail is None:
        return GoTo(f"/invoices/{row.id}", why_none or why_never(row.total), warns=True)
    return _shown(ask, row, mail, reminds=reminds)


def _shown(ask: Ask[None, None], row: InvoiceRow, mail: InvoiceMail, *, reminds: bool, was_sent: bool = False) -> Shown:
    letter = ask.outside.letter(mail)
    values = {"row": row, "mail": mail, "letter": letter, "logo": shown(letter.logo), "reminds": reminds}
    account = accounts.the_account(ask.tx, ask.caller)
    values |= {"usual_color": USUAL_COLOR, "sender": account.name}
    return Shown("invoice_mail.html", values | {"sent_on": day_in(mail.at, account.timezone) if was_sent else None})
