"""What can be done: each verb of the audit log with what pages say of it and what programs are told.

The code of a verb is what the log stores, hashes into its chain and answers as `action`: it never changes, and nobody
reads it who reads words (docs/adr/0034). What pages say may change at any time.
"""

from enum import StrEnum
from typing import Self

from prorata.domain.utility_names import UTILITY_NAMES, within_a_sentence
from prorata.domain.webhooks.events import EventType


def _without_name(named: str) -> str:
    """What is said of a record without a name, most of which are invoices whose property was deleted since."""
    for before in ("to", "from", "of", "about", "for"):
        named = named.replace(f"{before} {{}}", f"{before} an invoice")
    return named.replace("invoice {}", "an invoice").replace(" {}", "")


class Verb(StrEnum):
    """What somebody did: its code; what is said of it behind a name, where `{}` is that of the record; the types of the
    events by which programs are told; and what is said where the record has no name, if that does not follow.
    """

    def __new__(cls, code: str, *_of: object) -> Self:
        """A member by its code."""
        verb = str.__new__(cls, code)
        verb._value_ = code
        return verb

    def __init__(self, _code: str, named: str, tells: tuple[EventType, ...] = (), nameless: str | None = None) -> None:
        self.tells = tells
        self._named = named
        self._nameless = _without_name(named) if nameless is None else nameless

    CREATE_PROPERTY = "create property", "added property {}", ("property.created",)
    CHANGE_PROPERTY = "change property", "changed property {}", ("property.updated",)
    DELETE_PROPERTY = "delete property", "deleted property {}", ("property.deleted",)
    CREATE_UNIT = "create unit", "added unit {}", ("unit.created",)
    CHANGE_UNIT = "change unit", "changed unit {}", ("unit.updated",)
    DEACTIVATE_UNIT = "deactivate unit", "deactivated unit {}", ("unit.updated",)
    REMOVE_UNIT = "remove unit", "removed unit {}", ("unit.deleted",)
    CREATE_TENANT = "create tenant", "added tenant {}", ("tenant.created",)
    CHANGE_TENANT = "change tenant", "changed tenant {}", ("tenant.updated",)
    END_TENANCY = "end tenancy", "ended tenancy", ("tenant.deleted",)
    REMOVE_TENANT = "remove tenant", "removed tenant {}", ("tenant.deleted",)
    ADD_BILL = "add bill", "added bill {}", ("bill.created",)
    CHANGE_BILL = "change bill", "changed bill {}", ("bill.updated",)
    MOVE_BILL = "move bill", "moved bill {}", ("bill.updated",)
    RELEASE_BILL = "release bill", "released bill {}", ("bill.updated",)
    REMOVE_BILL = "remove bill", "removed bill {}", ("bill.deleted",)
    ACCEPT_FLAG_OF_BILL = "accept flag of bill", "accepted flag of bill {}"
    SHOW_BILL_TO_TENANTS = (
        "show bill to tenants",
        "said whether tenants see the bill of {}",
        (),
        "said whether tenants see a bill",
    )
    CREATE_SHARE_RULE = "create share rule", "added share rule for {}", ("share_rule.changed",), "added share rule"
    CHANGE_SHARE_RULE = "change share rule", "changed share rule for {}", ("share_rule.changed",), "changed share rule"
    DELETE_SHARE_RULE = "delete share rule", "deleted share rule for {}", ("share_rule.changed",), "deleted share rule"
    LOOK_AT_SHARE_RULES = "look at share rules", "looked at the rules"
    CREATE_SPLIT_METHOD = "create split method", "added the way to divide {}"
    CHANGE_SPLIT_METHOD = "change split method", "changed the way to divide {}"
    DELETE_SPLIT_METHOD = "delete split method", "deleted the way to divide {}"
    COMPUTE_BY_DAYS = "compute by days", "computed open months anew, by days and households"
    READ_OF_DAYS = "read of days", "read that bills are divided by days"
    PLACE_CORRECTIONS = "place corrections", "placed corrections of {} on the next invoices", (), "placed corrections"
    LEAVE_CORRECTIONS = "leave corrections", "left corrections of {} to the owner", (), "left corrections to the owner"
    REVOKE_CORRECTIONS = (
        "revoke corrections",
        "took back what was decided of corrections of {}",
        (),
        "took corrections back",
    )
    CORRECT_BILL = "correct bill", "corrected bill {} after it was charged", ("bill.updated",)
    SET_INVOICE_DRAFT = "set invoice DRAFT", "set invoice {} to draft", ("invoice.status_changed",)
    SET_INVOICE_SENT = "set invoice SENT", "set invoice {} to sent", ("invoice.status_changed",)
    SET_INVOICE_PAID = "set invoice PAID", "set invoice {} to paid", ("invoice.status_changed", "invoice.paid")
    SET_INVOICE_OVERDUE = (
        "set invoice OVERDUE",
        "set invoice {} to overdue",
        ("invoice.status_changed", "invoice.overdue"),
    )
    SET_INVOICE_CANCELLED = "set invoice CANCELLED", "set invoice {} to cancelled", ("invoice.status_changed",)
    SEND_FINAL_INVOICE = "send final invoice", "sent the final invoice of {}"
    SEND_INVOICE_AGAIN = "send invoice again", "sent invoice {} again"
    HAND_OVER_INVOICE = "hand over invoice", "handed over invoice {}"
    CHANGE_TOGETHER = "change together", "changed many invoices"
    ADD_CUSTOM_CHARGE = "add custom charge", "added a charge to {}"
    REMOVE_CUSTOM_CHARGE = "remove custom charge", "removed a charge from {}"
    ASK_ABOUT_INVOICE = "ask about invoice", "asked about {}"
    ANSWER_QUESTION = "answer question", "noted that a question was answered about {}"
    STOP_TENANT_PAGE = "stop tenant page", "stopped the tenant's link to {}"
    RENEW_TENANT_PAGE = "renew tenant page", "made a new link for the tenant to {}"
    PROPOSE_MONTH = "propose month", "proposed to send {}", (), "proposed to send a month"
    REVIEW_MONTH = "review month", "looked through a month before sending"
    MAIL_QUEUED = "mail queued", "noted that the e-mail of {} is tried again"
    MAIL_WRITTEN = "mail written", "noted that the e-mail of {} was written into the outbox"
    MAIL_SENT = "mail sent", "noted that the e-mail of {} was taken by the mail server", ("invoice.sent",)
    MAIL_DELIVERED = "mail delivered", "noted that the e-mail of {} arrived", ("invoice.delivered",)
    MAIL_BOUNCED = "mail bounced", "noted that the e-mail of {} came back", ("invoice.bounced",)
    MAIL_FAILED = "mail failed", "noted that the e-mail of {} could not be sent"
    MAIL_WITHDRAWN = "mail withdrawn", "noted that the e-mail of {} was withdrawn"
    ADD_PAYMENT_LINK = "add payment link", "added a payment link to {}", ("invoice.updated",)
    REMOVE_PAYMENT_LINK = "remove payment link", "removed the payment link from {}", ("invoice.updated",)
    RECORD_PAYMENT = "record payment", "recorded a payment of {}"
    RECORD_REFUND = "record refund", "recorded a refund of {}"
    TAKE_BACK_PAYMENT = "take back payment", "took back what was entered as paid of {}"
    CARRY_CREDIT = "carry credit", "carried a credit between invoices, {} among them", (), "carried a credit"
    TAKE_BACK_CREDIT = (
        "take back credit",
        "took back a credit that was carried between invoices, {} among them",
        (),
        "took back a credit that was carried",
    )
    NOTE_PAYMENT_UNDER_WAY = "note payment under way", "said that an online payment of {} is under way"
    NOTE_FAILED_PAYMENT = "note failed payment", "said that an online payment of {} failed"
    COUNT_PAYMENT_ONCE = (
        "count payment once",
        "said that what was marked as paid and what came online is the same money for {}",
        ("invoice.updated",),
    )
    CALL_PAYMENT_THE_SAME = (
        "call payment the same",
        "said that what came or went back online is the same as what was noted before of {}",
    )
    CALL_PAYMENT_ANOTHER = (
        "call payment another",
        "said that what came or went back online counts beside what was noted before of {}",
    )
    CALL_ROW_THE_SAME = (
        "call row the same",
        "said that a row of a bank's file is a payment that was recorded before of {}",
    )
    CHECK_PAYMENT_MESSAGE = (
        "check payment message",
        "looked at a message of the payment provider about {}",
        (),
        "looked at a message of the payment provider",
    )
    SET_PAYMENT_PROVIDER = "set payment provider", "said how tenants pay online"
    STOP_PAYMENT_PROVIDER = "stop payment provider", "stopped online payments"
    FORGET_PAYMENT_KEY = "forget payment key", "had a former key of the payment provider forgotten"
    BRING_PAYMENTS = "bring payments", "brought the payments file {}"
    CLOSE_PAYMENTS = "close payments", "noted that the payments file {} is done"
    OPEN_PAYMENTS = "open payments", "opened the payments file {} again"
    DELETE_PAYMENTS = "delete payments", "deleted the payments file {}"
    BRING_DOCUMENT = "bring document", "brought the file {} into the Inbox"
    CONFIRM_DOCUMENT = "confirm document", "made a bill of the file {}"
    COUNT_DOCUMENT = "count document", "made a bill of the file {}, which is like those before it"
    ATTACH_DOCUMENT = "attach document", "attached the file {} to a bill"
    DETACH_DOCUMENT = "detach document", "took the file {} off a bill"
    IMPORT_DOCUMENT = "import document", "imported the file {}"
    SET_DOCUMENT_ASIDE = "set document aside", "set the file {} aside"
    TAKE_DOCUMENT_UP = "take document up", "took the file {} up again"
    DELETE_DOCUMENT = "delete document", "deleted the file {}"
    FORGET_LESSON = "forget lesson", "had forgotten what was learned of an issuer’s bills"
    TAKE_LESSONS = "take lessons", "took what others learned of issuers’ bills"
    REMEMBER_COLUMNS = "remember columns", "said what the columns of a file are"
    TAKE_UP_MESSAGE = "take up message", "took up a message that came in"
    REFUSE_MESSAGE = "refuse message", "refused a message that came in"
    REFUSE_MESSAGES = "refuse messages", "refused many messages that came in"
    DEAL_WITH_MESSAGE = "deal with message", "dealt with a message of which not everything could be taken"
    ALLOW_SENDERS = "allow senders", "said whose bills come in by e-mail"
    KEEP_MAIL = "keep mail", "said what is done with mail that came in"
    RENEW_INBOX_ADDRESS = "renew inbox address", "renewed inbox address"
    MAKE_CHARGE_FILE = "make charge file", "made the file {} of charges for another program"
    KEEP_CHARGE_NAMES = "keep charge names", "said what another program calls properties, units, tenants and utilities"
    OPEN_ACCOUNT = "open account", "opened account {}"
    CHANGE_SETTINGS = "change settings", "changed settings {}"
    CHANGE_MAIL_SETTINGS = "change mail settings", "changed mail settings {}"
    INVITE_MEMBER = "invite member", "invited member {}"
    WITHDRAW_INVITATION = "withdraw invitation", "withdrew invitation {}"
    JOIN_ACCOUNT = "join account", "joined account"
    CHANGE_MEMBER = "change member", "changed member {}"
    CHANGE_ROLE = "change role", "changed role {}"
    REMOVE_MEMBER = "remove member", "removed member {}"
    CONFIRM_ADDRESS = "confirm address", "confirmed address"
    CHANGE_PASSWORD = "change password", "changed password {}"
    RESET_PASSWORD = "reset password", "reset password {}"
    ENTER_WRONG_CODES = (
        "enter wrong codes",
        "entered wrong codes behind the password of {}",
        (),
        "entered wrong codes behind a password",
    )
    USE_RECOVERY_CODE = "use recovery code", "used recovery code"
    RENEW_RECOVERY_CODES = "renew recovery codes", "renewed recovery codes"
    TURN_SECOND_FACTOR_ON = "turn second factor on", "turned second factor on"
    TURN_SECOND_FACTOR_OFF = "turn second factor off", "turned second factor off"
    END_SESSION = "end session", "ended session"
    END_OTHER_SESSIONS = "end other sessions", "ended other sessions"
    CREATE_KEY = "create key", "added key {}"
    REVOKE_KEY = "revoke key", "revoked key {}"
    CREATE_WEBHOOK_ENDPOINT = "create webhook endpoint", "added webhook endpoint {}"
    CHANGE_WEBHOOK_ENDPOINT = "change webhook endpoint", "changed webhook endpoint {}"
    RENEW_WEBHOOK_SECRET = "renew webhook secret", "renewed webhook secret"
    REPLAY_WEBHOOK_MESSAGE = "replay webhook message", "had a message sent to the webhook {} once more"
    TURN_WEBHOOK_ENDPOINT_OFF = "turn webhook endpoint off", "turned webhook endpoint off"
    REMOVE_WEBHOOK_ENDPOINT = "remove webhook endpoint", "removed webhook endpoint {}"
    RETRY_JOB = "retry job", "had the task {} tried again"
    RETRY_JOBS = "retry jobs", "had {} failed tasks tried again", (), "had failed tasks tried again"
    CANCEL_JOB = "cancel job", "cancelled the task {}"

    @classmethod
    def of_status(cls, status: str) -> "Verb":
        """That an invoice was set to a status.

        >>> Verb.of_status("SENT").name
        'SET_INVOICE_SENT'
        """
        return cls[f"SET_INVOICE_{status}"]

    @classmethod
    def of_mail(cls, state: str) -> "Verb":
        """That the e-mail of an invoice has come to a state.

        >>> Verb.of_mail("bounced").name
        'MAIL_BOUNCED'
        """
        return cls[f"MAIL_{state.upper()}"]

    def says(self, name: str) -> str:
        """What was done to a record that is called so, or has no name, behind the name of whoever did it.

        >>> Verb.CREATE_UNIT.says("2B"), Verb.SET_INVOICE_SENT.says("MAPLE-1-2026-03"), Verb.SET_INVOICE_SENT.says("")
        ('added unit 2B', 'set invoice MAPLE-1-2026-03 to sent', 'set an invoice to sent')
        >>> Verb.CHANGE_SHARE_RULE.says("OTHER"), Verb.CREATE_SHARE_RULE.says("WATER")
        ('changed share rule for other bills', 'added share rule for water')
        >>> Verb.RETRY_JOBS.says("1"), Verb.RECORD_PAYMENT.says("")
        ('had 1 failed task tried again', 'recorded a payment of an invoice')
        """
        if not name:
            return self._nameless
        if self in _OF_RULES and name in UTILITY_NAMES:
            name = "other bills" if name == "OTHER" else within_a_sentence(name)
        said = self._named.format(name)
        return said.replace("tasks", "task") if self is Verb.RETRY_JOBS and name == "1" else said


_OF_RULES = (Verb.CREATE_SHARE_RULE, Verb.CHANGE_SHARE_RULE, Verb.DELETE_SHARE_RULE)
_KNOWN = {str(verb): verb for verb in Verb}


def in_words(code: str, name: str) -> str:
    """What was done, behind the name of whoever did it; a verb that is not known, as of another release, by its code.

    >>> in_words("set document aside", "march.pdf"), in_words("frobnicate unit", "2B")
    ('set the file march.pdf aside', 'frobnicate unit 2B')
    """
    verb = _KNOWN.get(code)
    return verb.says(name) if verb else f"{code} {name}".rstrip()
