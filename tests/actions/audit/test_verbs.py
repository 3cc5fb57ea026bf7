"""Every recorded action has a verb with words, and its code never changes."""

import ast
from pathlib import Path

import pytest

import prorata
from prorata.domain.audit.record_kinds import KINDS
from prorata.domain.audit.verbs import Verb, in_words
from prorata.domain.invoice_states import STATUSES
from prorata.domain.mail.deliveries import MAIL_STATES
from prorata.domain.webhooks.events import EVENT_TYPES

WRITTEN_BEFORE = {
    "create property", "change property", "delete property", "create unit", "change unit", "deactivate unit",
    "remove unit", "create tenant", "change tenant", "end tenancy", "remove tenant", "erase tenant", "add bill", "change bill",
    "move bill", "release bill", "remove bill", "correct bill", "place corrections", "leave corrections",
    "revoke corrections", "accept flag of bill", "show bill to tenants", "create share rule",
    "change share rule", "delete share rule", "look at share rules", "announce rule change", "compute by days", "read of days", "create split method", "change split method",
    "delete split method", "set invoice DRAFT", "set invoice SENT", "set invoice PAID", "set invoice OVERDUE",
    "set invoice CANCELLED", "send final invoice", "send invoice again", "remind of invoice", "withdraw reminder", "hand over invoice", "take back hand over", "change together", "add custom charge",
    "remove custom charge", "ask about invoice", "answer question", "reply to question", "open dispute", "answer dispute", "resolve dispute", "reopen dispute", "correct dispute", "withdraw dispute",
    "stop tenant page", "renew tenant page",
    "propose month", "review month", "mail queued", "mail written", "mail sent", "mail delivered", "mail bounced",
    "mail failed", "mail withdrawn", "add payment link", "remove payment link", "record payment", "record refund",
    "take back payment", "carry credit", "take back credit", "note payment under way", "note failed payment", "count payment once",
    "call payment the same", "call payment another", "call row the same", "check payment message", "set rows aside",
    "set payment provider", "stop payment provider", "forget payment key", "bring payments", "close payments",
    "open payments", "delete payments", "bring document", "confirm document", "count document", "import document",
    "attach document", "detach document", "set document aside", "take document up", "delete document", "remember columns", "take up message", "forget lesson", "take lessons",
    "refuse message", "refuse messages", "deal with message", "allow senders", "keep mail", "renew inbox address",
    "make charge file", "keep charge names", "open account", "change settings", "change mail settings",
    "invite member", "withdraw invitation", "join account", "change member", "change role", "remove member",
    "confirm address", "change password", "reset password", "enter wrong codes", "use recovery code",
    "renew recovery codes", "turn second factor on", "turn second factor off", "end session", "end other sessions",
    "create key", "revoke key", "create webhook endpoint", "change webhook endpoint", "renew webhook secret",
    "replay webhook message", "test webhook endpoint", "turn webhook endpoint off", "remove webhook endpoint", "retry job", "retry jobs",
    "cancel job",
}  # fmt: skip
"""The codes of all verbs that an audit log may hold. A new one is added with its verb, and none is changed or removed:
it is hashed into the chains of logs (docs/audit-log.md), and programs read it.
"""


@pytest.mark.parametrize("verb", Verb)
def test_what_is_written_down_has_words(verb: Verb) -> None:
    for said in (in_words(verb, "2B"), " ".join(in_words(verb, "").split())):
        assert said[:1].islower()
        assert "{" not in said
        assert not said.endswith((" ", " of", " to", " for", " about"))
    assert set(verb.tells) <= set(EVENT_TYPES)


def test_no_code_that_was_ever_written_is_changed_or_removed() -> None:
    assert {verb.value for verb in Verb} == WRITTEN_BEFORE


def test_a_code_is_that_of_one_verb_and_reads_as_its_name() -> None:
    assert [verb.name for verb in Verb] == [verb.upper().replace(" ", "_") for verb in Verb]


def test_each_verb_is_used_somewhere() -> None:
    used = {Verb.of_status(status) for status in STATUSES} | {Verb.of_mail(state) for state in MAIL_STATES}
    for file in Path(prorata.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if file.name != "audit_verbs.py" and "Verb." in text:
            nodes = ast.walk(ast.parse(text))
            named = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
            used |= {verb for verb in Verb if f"Verb.{verb.name}" in named}
    assert set(Verb) - used == set()


def test_what_another_release_wrote_down_is_told_by_its_code() -> None:
    assert in_words("frobnicate unit", "2B") == "frobnicate unit 2B"


def test_no_id_begins_as_those_of_two_kinds() -> None:
    prefixes = [prefix for kind in KINDS.values() for prefix in kind.prefixes]
    assert len(prefixes) == len(set(prefixes))
