"""The verbs of the audit log, with their words on pages and their webhook events.

A verb's code is stored in the log, is part of the entry's hash, and is the API's `action`. So the code never
changes, but the words on pages may change at any time. Pages never show the code (docs/adr/0034).
"""

import re
from enum import StrEnum
from typing import Self

from prorata.domain.texts import Text, say, say_n
from prorata.domain.utility_names import UTILITY_NAMES, within_a_sentence
from prorata.domain.webhooks.events import EventType

_OF_SOMETHING = re.compile(r"\b(?:to|from|of|about|for) \{name\}")


class Verb(StrEnum):
    """An audited action: its code, its words, and the types of its webhook events.

    The words continue a sentence that starts with the actor's name. They contain `{name}` in place of the record's
    name. A verb may have different words for records without a name.
    """

    def __new__(cls, code: str, *_of: object) -> Self:
        """Create a verb from its code."""
        verb = str.__new__(cls, code)
        verb._value_ = code
        return verb

    def __init__(
        self, _code: str, named: Text, tells: tuple[EventType, ...] = (), nameless: Text | None = None
    ) -> None:
        self.tells = tells
        self._named = named
        self._nameless = nameless

    CREATE_PROPERTY = ("create property", say("added property {name}"), ("property.created",))
    CHANGE_PROPERTY = ("change property", say("changed property {name}"), ("property.updated",))
    DELETE_PROPERTY = ("delete property", say("deleted property {name}"), ("property.deleted",))
    CREATE_UNIT = ("create unit", say("added unit {name}"), ("unit.created",))
    CHANGE_UNIT = ("change unit", say("changed unit {name}"), ("unit.updated",))
    DEACTIVATE_UNIT = ("deactivate unit", say("deactivated unit {name}"), ("unit.updated",))
    REMOVE_UNIT = ("remove unit", say("removed unit {name}"), ("unit.deleted",))
    CREATE_TENANT = ("create tenant", say("added tenant {name}"), ("tenant.created",))
    CHANGE_TENANT = ("change tenant", say("changed tenant {name}"), ("tenant.updated",))
    END_TENANCY = ("end tenancy", say("ended tenancy"), ("tenant.deleted",))
    REMOVE_TENANT = ("remove tenant", say("removed tenant {name}"), ("tenant.deleted",))
    ERASE_TENANT = ("erase tenant", say("erased what was kept of a tenant"))
    ADD_BILL = ("add bill", say("added bill {name}"), ("bill.created",))
    CHANGE_BILL = ("change bill", say("changed bill {name}"), ("bill.updated",))
    MOVE_BILL = ("move bill", say("moved bill {name}"), ("bill.updated",))
    RELEASE_BILL = ("release bill", say("released bill {name}"), ("bill.updated",))
    REMOVE_BILL = ("remove bill", say("removed bill {name}"), ("bill.deleted",))
    ACCEPT_FLAG_OF_BILL = ("accept flag of bill", say("accepted flag of bill {name}"), ("bill.updated",))
    SHOW_BILL_TO_TENANTS = (
        "show bill to tenants",
        say("set whether tenants may see the bill from {name}"),
        ("bill.updated",),
        say("set whether tenants may see a bill"),
    )
    CREATE_SHARE_RULE = (
        "create share rule",
        say("added share rule for {name}"),
        ("share_rule.changed",),
        say("added share rule"),
    )
    CHANGE_SHARE_RULE = (
        "change share rule",
        say("changed share rule for {name}"),
        ("share_rule.changed",),
        say("changed share rule"),
    )
    DELETE_SHARE_RULE = (
        "delete share rule",
        say("deleted share rule for {name}"),
        ("share_rule.changed", "share_rule.deleted"),
        say("deleted share rule"),
    )
    ANNOUNCE_RULE_CHANGE = (
        "announce rule change",
        say("announced a rule change to tenants of {name}"),
        (),
        say("announced a rule change to tenants"),
    )
    LOOK_AT_SHARE_RULES = ("look at share rules", say("looked at the rules"))
    CREATE_SPLIT_METHOD = ("create split method", say("added the way to divide {name}"), ("split_method.changed",))
    CHANGE_SPLIT_METHOD = ("change split method", say("changed the way to divide {name}"), ("split_method.changed",))
    DELETE_SPLIT_METHOD = ("delete split method", say("deleted the way to divide {name}"), ("split_method.deleted",))
    COMPUTE_BY_DAYS = ("compute by days", say("computed open months anew, by days and households"))
    READ_OF_DAYS = ("read of days", say("read that bills are divided by days"))
    PLACE_CORRECTIONS = (
        "place corrections",
        say("placed corrections of {name} on the next invoices"),
        (),
        say("placed corrections"),
    )
    LEAVE_CORRECTIONS = (
        "leave corrections",
        say("left corrections of {name} to the owner"),
        (),
        say("left corrections to the owner"),
    )
    REVOKE_CORRECTIONS = (
        "revoke corrections",
        say("took back what was decided of corrections of {name}"),
        (),
        say("took corrections back"),
    )
    CORRECT_BILL = ("correct bill", say("corrected bill {name} after it was charged"), ("bill.updated",))
    SET_INVOICE_DRAFT = (
        "set invoice DRAFT",
        say("set invoice {name} back to draft"),
        ("invoice.status_changed",),
        say("set an invoice back to draft"),
    )
    SET_INVOICE_SENT = (
        "set invoice SENT",
        say("marked invoice {name} as sent"),
        ("invoice.status_changed",),
        say("marked an invoice as sent"),
    )
    SET_INVOICE_PAID = (
        "set invoice PAID",
        say("marked invoice {name} as paid"),
        ("invoice.status_changed", "invoice.paid"),
        say("marked an invoice as paid"),
    )
    SET_INVOICE_OVERDUE = (
        "set invoice OVERDUE",
        say("marked invoice {name} as overdue"),
        ("invoice.status_changed", "invoice.overdue"),
        say("marked an invoice as overdue"),
    )
    SET_INVOICE_CANCELLED = (
        "set invoice CANCELLED",
        say("cancelled invoice {name}"),
        ("invoice.status_changed",),
        say("cancelled an invoice"),
    )
    SEND_FINAL_INVOICE = ("send final invoice", say("sent the final invoice of {name}"))
    SEND_INVOICE_AGAIN = ("send invoice again", say("sent invoice {name} again"), (), say("sent an invoice again"))
    REMIND_OF_INVOICE = (
        "remind of invoice",
        say("created a reminder of invoice {name}"),
        (),
        say("created a reminder"),
    )
    WITHDRAW_REMINDER = ("withdraw reminder", say("withdrew the reminder of invoice {name}"))
    HAND_OVER_INVOICE = ("hand over invoice", say("handed over invoice {name}"), (), say("handed over an invoice"))
    TAKE_BACK_HAND_OVER = ("take back hand over", say("noted that invoice {name} still has to be handed over"))
    CHANGE_TOGETHER = ("change together", say("changed many invoices"))
    ADD_CUSTOM_CHARGE = ("add custom charge", say("added a charge to {name}"))
    REMOVE_CUSTOM_CHARGE = ("remove custom charge", say("removed a charge from {name}"))
    ASK_ABOUT_INVOICE = ("ask about invoice", say("asked about {name}"))
    ANSWER_QUESTION = ("answer question", say("marked a question about {name} as answered"))
    REPLY_TO_QUESTION = ("reply to question", say("replied to a question about {name}"))
    OPEN_DISPUTE = ("open dispute", say("disputed a charge of {name}"))
    ANSWER_DISPUTE = ("answer dispute", say("answered a dispute about {name}"))
    RESOLVE_DISPUTE = ("resolve dispute", say("ended a dispute about {name} with a reason"))
    CORRECT_DISPUTE = ("correct dispute", say("ended a dispute about {name} with a correction"))
    REOPEN_DISPUTE = ("reopen dispute", say("opened a dispute about {name} again, as its correction was taken back"))
    WITHDRAW_DISPUTE = ("withdraw dispute", say("withdrew a dispute about {name}"))
    STOP_TENANT_PAGE = ("stop tenant page", say("stopped the tenant's link to {name}"))
    RENEW_TENANT_PAGE = ("renew tenant page", say("made a new link for the tenant to {name}"))
    PROPOSE_MONTH = ("propose month", say("proposed to send {name}"), (), say("proposed to send a month"))
    REVIEW_MONTH = ("review month", say("looked through a month before sending"))
    MAIL_QUEUED = ("mail queued", say("noted that the e-mail with {name} will be tried again"))
    MAIL_WRITTEN = ("mail written", say("noted that the e-mail with {name} was saved to the outbox"))
    MAIL_SENT = ("mail sent", say("noted that the mail server accepted the e-mail with {name}"), ("invoice.sent",))
    MAIL_DELIVERED = ("mail delivered", say("noted that the e-mail with {name} was delivered"), ("invoice.delivered",))
    MAIL_BOUNCED = ("mail bounced", say("noted that the e-mail with {name} bounced"), ("invoice.bounced",))
    MAIL_FAILED = ("mail failed", say("noted that the e-mail with {name} could not be sent"))
    MAIL_WITHDRAWN = ("mail withdrawn", say("noted that the e-mail with {name} was withdrawn"))
    ADD_PAYMENT_LINK = ("add payment link", say("added a payment link to {name}"), ("invoice.updated",))
    REMOVE_PAYMENT_LINK = ("remove payment link", say("removed the payment link from {name}"), ("invoice.updated",))
    RECORD_PAYMENT = ("record payment", say("recorded a payment of {name}"))
    RECORD_REFUND = ("record refund", say("recorded a refund of {name}"))
    TAKE_BACK_PAYMENT = ("take back payment", say("reversed a payment or refund of {name}"))
    CARRY_CREDIT = (
        "carry credit",
        say("carried a credit between invoices, {name} among them"),
        (),
        say("carried a credit"),
    )
    TAKE_BACK_CREDIT = (
        "take back credit",
        say("took back a credit that was carried between invoices, {name} among them"),
        (),
        say("took back a credit that was carried"),
    )
    NOTE_PAYMENT_UNDER_WAY = ("note payment under way", say("said that an online payment of {name} is under way"))
    NOTE_FAILED_PAYMENT = ("note failed payment", say("said that an online payment of {name} failed"))
    COUNT_PAYMENT_ONCE = (
        "count payment once",
        say("said that what was marked as paid and what came online is the same money for {name}"),
        ("invoice.updated",),
    )
    CALL_PAYMENT_THE_SAME = (
        "call payment the same",
        say("said that what came or went back online is the same as what was noted before of {name}"),
    )
    CALL_PAYMENT_ANOTHER = (
        "call payment another",
        say("said that what came or went back online counts beside what was noted before of {name}"),
    )
    CALL_ROW_THE_SAME = (
        "call row the same",
        say("said that a row of a bank's file is a payment that was recorded before of {name}"),
    )
    CHECK_PAYMENT_MESSAGE = (
        "check payment message",
        say("looked at a message of the payment provider about {name}"),
        (),
        say("looked at a message of the payment provider"),
    )
    SET_PAYMENT_PROVIDER = ("set payment provider", say("set how tenants pay online"))
    STOP_PAYMENT_PROVIDER = ("stop payment provider", say("stopped online payments"))
    FORGET_PAYMENT_KEY = ("forget payment key", say("had a former key of the payment provider forgotten"))
    BRING_PAYMENTS = ("bring payments", say("brought the payments file {name}"))
    CLOSE_PAYMENTS = ("close payments", say("noted that the payments file {name} is done"))
    OPEN_PAYMENTS = ("open payments", say("opened the payments file {name} again"))
    SET_ROWS_ASIDE = (
        "set rows aside",
        say("said which rows of the payments file {name} are not tenants’ payments"),
    )
    DELETE_PAYMENTS = ("delete payments", say("deleted the payments file {name}"))
    BRING_DOCUMENT = ("bring document", say("brought the file {name} into the Inbox"))
    CONFIRM_DOCUMENT = ("confirm document", say("made a bill of the file {name}"))
    COUNT_DOCUMENT = ("count document", say("made a bill of the file {name}, which is like those before it"))
    ATTACH_DOCUMENT = ("attach document", say("attached the file {name} to a bill"))
    DETACH_DOCUMENT = ("detach document", say("took the file {name} off a bill"))
    IMPORT_DOCUMENT = ("import document", say("imported the file {name}"))
    SET_DOCUMENT_ASIDE = ("set document aside", say("set the file {name} aside"))
    TAKE_DOCUMENT_UP = ("take document up", say("took the file {name} up again"))
    DELETE_DOCUMENT = ("delete document", say("deleted the file {name}"), ("document.deleted",))
    FORGET_LESSON = ("forget lesson", say("deleted what was learned from an issuer’s bills"))
    TAKE_LESSONS = ("take lessons", say("imported what others learned from issuers’ bills"))
    REMEMBER_COLUMNS = ("remember columns", say("set what the columns of a file mean"))
    TAKE_UP_MESSAGE = ("take up message", say("accepted a message that had arrived"))
    REFUSE_MESSAGE = ("refuse message", say("refused a message that came in"))
    REFUSE_MESSAGES = ("refuse messages", say("refused many messages that came in"))
    DEAL_WITH_MESSAGE = ("deal with message", say("dealt with a message of which not everything could be taken"))
    ALLOW_SENDERS = ("allow senders", say("set who may send bills by e-mail"))
    KEEP_MAIL = ("keep mail", say("set what happens to incoming mail"))
    RENEW_INBOX_ADDRESS = ("renew inbox address", say("renewed inbox address"))
    MAKE_CHARGE_FILE = ("make charge file", say("made the file {name} of charges for another program"))
    KEEP_CHARGE_NAMES = (
        "keep charge names",
        say("set another program’s names for properties, units, tenants and utilities"),
    )
    OPEN_ACCOUNT = ("open account", say("opened account {name}"))
    CHANGE_SETTINGS = ("change settings", say("changed settings {name}"))
    CHANGE_MAIL_SETTINGS = ("change mail settings", say("changed mail settings {name}"))
    INVITE_MEMBER = ("invite member", say("invited member {name}"))
    WITHDRAW_INVITATION = ("withdraw invitation", say("withdrew invitation {name}"))
    JOIN_ACCOUNT = ("join account", say("joined account"))
    CHANGE_MEMBER = ("change member", say("changed member {name}"))
    CHANGE_ROLE = ("change role", say("changed role {name}"))
    REMOVE_MEMBER = ("remove member", say("removed member {name}"))
    CONFIRM_ADDRESS = ("confirm address", say("confirmed address"))
    CHANGE_PASSWORD = ("change password", say("changed password {name}"))
    RESET_PASSWORD = ("reset password", say("reset password {name}"))
    ENTER_WRONG_CODES = (
        "enter wrong codes",
        say("entered wrong codes behind the password of {name}"),
        (),
        say("entered wrong codes behind a password"),
    )
    USE_RECOVERY_CODE = ("use recovery code", say("used recovery code"))
    RENEW_RECOVERY_CODES = ("renew recovery codes", say("renewed recovery codes"))
    TURN_SECOND_FACTOR_ON = ("turn second factor on", say("turned second factor on"))
    TURN_SECOND_FACTOR_OFF = ("turn second factor off", say("turned second factor off"))
    END_SESSION = ("end session", say("ended session"))
    END_OTHER_SESSIONS = ("end other sessions", say("ended other sessions"))
    CREATE_KEY = ("create key", say("added key {name}"))
    REVOKE_KEY = ("revoke key", say("revoked key {name}"))
    CREATE_WEBHOOK_ENDPOINT = ("create webhook endpoint", say("added webhook endpoint {name}"))
    CHANGE_WEBHOOK_ENDPOINT = ("change webhook endpoint", say("changed webhook endpoint {name}"))
    RENEW_WEBHOOK_SECRET = ("renew webhook secret", say("renewed webhook secret"))
    REPLAY_WEBHOOK_MESSAGE = ("replay webhook message", say("sent a message to the webhook {name} again"))
    TEST_WEBHOOK_ENDPOINT = ("test webhook endpoint", say("sent a test to webhook endpoint {name}"), ("webhook.test",))
    TURN_WEBHOOK_ENDPOINT_OFF = ("turn webhook endpoint off", say("turned webhook endpoint off"))
    REMOVE_WEBHOOK_ENDPOINT = ("remove webhook endpoint", say("removed webhook endpoint {name}"))
    RETRY_JOB = ("retry job", say("tried the task {name} again"))
    RETRY_JOBS = ("retry jobs", say("tried failed tasks again"))
    CANCEL_JOB = ("cancel job", say("cancelled the task {name}"))

    @classmethod
    def of_status(cls, status: str) -> "Verb":
        """Return the verb for setting an invoice to a status.

        >>> Verb.of_status("SENT").name
        'SET_INVOICE_SENT'
        """
        return cls[f"SET_INVOICE_{status}"]

    @classmethod
    def of_mail(cls, state: str) -> "Verb":
        """Return the verb for a new delivery state of an invoice's e-mail.

        >>> Verb.of_mail("bounced").name
        'MAIL_BOUNCED'
        """
        return cls[f"MAIL_{state.upper()}"]

    def says(self, name: str) -> Text:
        """Describe the action on the record `name`, in words that follow the actor's name.

        For share rules, `name` is the utility type; for several jobs, it is the number of jobs. The name may be
        empty, usually because the invoice's property has been deleted since.

        >>> Verb.CREATE_UNIT.says("2B"), Verb.SET_INVOICE_SENT.says("MAPLE-1-2026-03"), Verb.CREATE_UNIT.says("")
        ('added unit 2B', 'marked invoice MAPLE-1-2026-03 as sent', 'added unit ')
        >>> Verb.CHANGE_SHARE_RULE.says("OTHER"), Verb.CREATE_SHARE_RULE.says("WATER")
        ('changed share rule for other bills', 'added share rule for water')
        >>> Verb.RETRY_JOBS.says("1"), Verb.RECORD_PAYMENT.says("")
        ('tried 1 failed task again', 'recorded a payment of an invoice')
        """
        if self is Verb.RETRY_JOBS and name.isdigit():
            return say_n("tried {n} failed task again", "tried {n} failed tasks again", int(name))
        if not name and self._nameless is not None:
            return self._nameless
        if self in _OF_RULES and name in UTILITY_NAMES:
            name = say("other bills") if name == "OTHER" else within_a_sentence(name)
        return self._named.format(name=name or (say("an invoice") if _OF_SOMETHING.search(self._named.form) else ""))


PAID_BY_MONEY = say("noted that invoice {name} is now paid in full by payments or credits")
"""The words for an invoice that its ledger pays, so that nobody marked it."""
_OF_RULES = (Verb.CREATE_SHARE_RULE, Verb.CHANGE_SHARE_RULE, Verb.DELETE_SHARE_RULE)
_KNOWN = {str(verb): verb for verb in Verb}


def in_words(code: str, name: str) -> str:
    """Describe the action with this code, in words that follow the actor's name.

    `name` is the name of the record. An unknown code is returned unchanged, followed by the name.

    >>> in_words("set document aside", "march.pdf"), in_words("frobnicate unit", "2B")
    ('set the file march.pdf aside', 'frobnicate unit 2B')
    """
    verb = _KNOWN.get(code)
    return verb.says(name) if verb else f"{code} {name}".rstrip()
