"""Bills by e-mail: the messages to the account's inbox address, and the settings for them."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from prorata.actions.inbound_mail import bulk_refusals, inbox_addresses, incoming_mail, mail_attachments
from prorata.actions.inbound_mail.inbox_addresses import MailRules
from prorata.actions.inbound_mail.incoming_mail import SHOWN
from prorata.actions.intake.documents import InboxWish
from prorata.actions.limits import MOST_MAIL_SEARCHED
from prorata.domain.inbound_mail.inbox_addresses import NOT_TAKEN, REFUSED, WAITING
from prorata.domain.limits import LONGEST_MAIL_ADDRESS
from prorata.domain.texts import say, say_n
from prorata.store.inbound_mail.mail_volume import WaitingMail
from prorata.web.dashboard.intake.inbox_address import address_of
from prorata.web.dashboard.kernel.pages import VERSION, Ask, Download, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import LONGEST_SENDERS_LIST

_STATES: dict[str, tuple[str, ...]] = {
    "": SHOWN, "waiting": (WAITING,), "notTaken": (NOT_TAKEN,), "refused": (REFUSED,)
}  # fmt: skip
RENEWING = say(
    "Mail to your current address will then be refused. Give the new address to everyone who sends bills to it."
)

_REFUSING = say(
    "Refused messages stay stored under Refused, where you can still accept each of them. Messages that start "
    "waiting from now on are not refused."
)


class MailQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and cursor of the list of messages."""

    show: Literal["", "waiting", "notTaken", "refused"] = ""
    search: Annotated[str, text(255, least=0)] = ""
    sort: Literal["", "oldest"] = ""
    behind: Annotated[str, text(64, least=0)] = ""


class RefusalQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The sender whose waiting messages are to be refused.

    If it is empty, the waiting messages of all senders are to be refused.
    """

    sender: Annotated[str, text(LONGEST_MAIL_ADDRESS, least=0)] = ""


class RefusalForm(Struct, kw_only=True):
    """The waiting messages to refuse, as the person saw them.

    If `sender` is empty, these are the messages of all senders. `number`, `newest` and `since` identify the
    messages that the page showed.
    """

    number: int
    newest: Annotated[str, text(64)]
    since: Annotated[str, text(64)]
    sender: Annotated[str, text(LONGEST_MAIL_ADDRESS, least=0)] = ""


class RulesForm(Struct, kw_only=True, rename="camel"):
    """The number of days to keep messages, and whether to confirm known bills automatically."""

    keep_days: int
    counts_known: bool = False


class AllowedForm(Struct, kw_only=True):
    """The senders whose bills are accepted automatically, one per line."""

    allowed: Annotated[str, text(LONGEST_SENDERS_LIST, least=0)] = ""


def _refusing(number: int, sender: str) -> str:
    if sender:
        return say_n(
            "Refuse the waiting message from {sender}?", "Refuse {n} waiting messages from {sender}?", number,
            sender=sender,
        )  # fmt: skip
    return say_n("Refuse the waiting message?", "Refuse {n} waiting messages?", number)


@page("GET", "/inbox/mail", may="read", query=MailQuery)
def mail_page(ask: Ask[Any, None]) -> Shown:
    """Show the messages to the inbox address.

    The newest come first, unless the query reverses the order.
    """
    query = ask.query if isinstance(ask.query, MailQuery) else MailQuery()
    wish = InboxWish(query.behind, query.search, oldest_first=query.sort == "oldest")
    values = {
        "found": incoming_mail.page(ask.tx, ask.caller, _STATES[query.show], wish),
        "searched": MOST_MAIL_SEARCHED,
        "address": address_of(ask.tx, ask.caller, ask.outside),
        "query": query,
        "parameters": msgspec.to_builtins(query),
        "is_one": False,
    }
    return Shown("mail.html", values)


@page("GET", "/inbox/mail/{mail}", may="read")
def message_page(ask: Ask[None, None]) -> Shown:
    """Show one message with the files that it contained."""
    its_page = incoming_mail.one(ask.tx, ask.caller, ask.path["mail"])
    return Shown(
        "mail.html", {"found": its_page, "address": None, "query": MailQuery(), "parameters": {}, "is_one": True}
    )


@page("POST", "/inbox/mail/{mail}/take-up", may="write", again=mail_page)
def take_mail_up(ask: Ask[None, None]) -> GoTo:
    """Accept the documents of a waiting message."""
    incoming_mail.take_up(ask.tx, ask.caller, ask.path["mail"])
    return GoTo("/inbox/mail", say("The contents of the message were accepted and will be read."))


@page("POST", "/inbox/mail/{mail}/allow", may="manage", again=mail_page)
def allow_sender_of_mail(ask: Ask[None, None]) -> GoTo:
    """Accept the documents of a message, and from now on allow its sender."""
    row = incoming_mail.take_up(ask.tx, ask.caller, ask.path["mail"], allow_sender=True)
    return GoTo("/inbox/mail", say("From now on, mail from {sender} is accepted automatically.", sender=row.sender))


@page("POST", "/inbox/mail/{mail}/refuse", may="write", again=mail_page)
def refuse_mail(ask: Ask[None, None]) -> GoTo:
    """Refuse a waiting message."""
    incoming_mail.refuse(ask.tx, ask.caller, ask.path["mail"])
    return GoTo("/inbox/mail", say("The message was refused. You’ll find it under Refused."))


@page("GET", "/inbox/mail/refuse", may="write", query=RefusalQuery)
def refuse_many_question(ask: Ask[RefusalQuery, None]) -> Shown | GoTo:
    """Ask to confirm refusing all waiting messages, or those of one sender."""
    sender = ask.query.sender
    waiting_mail = bulk_refusals.waiting(ask.tx, ask.caller, sender or None)
    if not waiting_mail.number:
        return GoTo("/inbox/mail", say("No such message is waiting any longer."))
    values = {
        "title": _refusing(waiting_mail.number, sender),
        "lost": _REFUSING,
        "does": say("Refuse them") if waiting_mail.number > 1 else say("Refuse it"),
    }
    return Shown(
        "confirm.html", values | {"back": "/inbox/mail", "fields": waiting_mail._asdict() | {"sender": sender}}
    )


@page("POST", "/inbox/mail/refuse", may="write", form=RefusalForm, again=mail_page)
def refuse_many(ask: Ask[None, RefusalForm]) -> GoTo:
    """Refuse the waiting messages that the person saw: all, or one sender's."""
    seen = WaitingMail(ask.form.number, ask.form.newest, ask.form.since)
    number = bulk_refusals.refuse_all(ask.tx, ask.caller, seen, ask.form.sender or None)
    refused = say_n(
        "{n} message was refused. You’ll find it under Refused.",
        "{n} messages were refused. You’ll find them under Refused.",
        number,
    )
    return GoTo("/inbox/mail", refused if number else say("No such message is waiting."))


@page("POST", "/inbox/mail/{mail}/dealt-with", may="write", again=mail_page)
def deal_with_mail(ask: Ask[None, None]) -> GoTo:
    """Record that somebody has dealt with the files of a message that weren't accepted.

    For example, somebody has uploaded these files instead.
    """
    incoming_mail.deal_with(ask.tx, ask.caller, ask.path["mail"])
    return GoTo("/inbox/mail", say("The message is marked as dealt with."))


@page("POST", "/inbox/mail/{mail}/set-aside", may="write", again=mail_page)
def set_files_of_mail_aside(ask: Ask[None, None]) -> GoTo:
    """Set aside a message's waiting files."""
    number = mail_attachments.set_aside(ask.tx, ask.caller, ask.path["mail"])
    aside = say_n(
        "{n} file was set aside. You can still restore it.",
        "{n} files were set aside. You can still restore them.",
        number,
        n=ask.write.count(number),
    )  # fmt: skip
    return GoTo("/inbox/mail", aside)


@page("GET", "/inbox/mail/{mail}/file", may="read")
def file_of_mail(ask: Ask[None, None]) -> Download:
    """Download a message.

    The message comes from a stranger, so it is never opened in the browser.
    """
    content = incoming_mail.content_of(ask.tx, ask.caller, ask.path["mail"])
    return Download("message.eml", "application/octet-stream", content)


@page("GET", "/settings/inbox", may="manage")
def inbox_settings_page(ask: Ask[None, None]) -> Shown:
    """Show the inbox address and its allowed senders."""
    row = inbox_addresses.find(ask.tx, ask.caller)
    values = {"address": address_of(ask.tx, ask.caller, ask.outside), "renewing": RENEWING}
    filled = {"allowed": "\n".join(row.allowed.split()), "keepDays": row.keep_days, VERSION: row.updated_at}
    filled["countsKnown"] = "true" if row.counts_known else ""
    return Shown("inbox_settings.html", values, filled)


@page("POST", "/settings/inbox", may="manage", form=AllowedForm, again=inbox_settings_page)
def set_allowed_senders(ask: Ask[None, AllowedForm]) -> GoTo:
    """Save the allowed senders."""
    inbox_addresses.set_allowed(ask.tx, ask.caller, ask.form.allowed, seen=ask.seen)
    return GoTo("/settings/inbox", say("Saved."))


@page("POST", "/settings/inbox/rules", may="manage", form=RulesForm, again=inbox_settings_page)
def set_rules_of_mail(ask: Ask[None, RulesForm]) -> GoTo:
    """Save the number of days to keep messages, and the choice about known bills."""
    rules = MailRules(ask.form.keep_days, ask.form.counts_known)
    inbox_addresses.set_rules(ask.tx, ask.caller, rules, seen=ask.seen)
    return GoTo("/settings/inbox", say("Saved."))


@page("GET", "/settings/inbox/renew", may="manage")
def renew_address_question(_ask: Ask[None, None]) -> Shown:
    """Ask to confirm replacing the inbox address, for browsers without scripts."""
    values = {
        "title": say("Create a new address?"),
        "lost": RENEWING,
        "does": say("Create a new address"),
        "back": "/settings/inbox",
    }
    return Shown("confirm.html", values)


@page("POST", "/settings/inbox/renew", may="manage")
def renew_address(ask: Ask[None, None]) -> GoTo:
    """Replace the account's inbox address with a new one."""
    inbox_addresses.renew(ask.tx, ask.caller)
    return GoTo("/settings/inbox", say("The address was replaced. Mail to the previous one is refused from now on."))
