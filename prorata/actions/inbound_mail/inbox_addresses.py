"""The e-mail address at which an account receives bills, and the senders allowed there."""

from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.domain.audit.verbs import Verb
from prorata.domain.inbound_mail.inbox_addresses import (
    TOKEN_CHARACTERS,
    TOKEN_LENGTH,
    comparable,
    is_allowed,
    read_allowed,
    token_in,
)
from prorata.domain.limits import MOST_KEEP_DAYS
from prorata.domain.mail_addresses import NotAnAddress, address_or_none, read_return_address
from prorata.domain.problems import Problem
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, InvalidRequest
from prorata.ids import is_id, new_token
from prorata.store.accounts import members
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import inbox_addresses
from prorata.store.inbound_mail.inbox_addresses import InboxAddressRow
from prorata.store.mail import messages as mail


class Recipient(NamedTuple):
    """The account to which mail is addressed.

    If the mail came to the return address of one of Prorata's own messages, as delivery reports do, `about` is
    that message's id.
    """

    account_id: str
    about: str | None = None


class AllowedSenders(NamedTuple):
    """The allowed senders as stored in the audit log."""

    allowed: str


class MailRules(NamedTuple):
    """The account's rules for incoming mail.

    A message that needs no more attention is stored as received for another `keep_days` days, or forever if that
    is 0. If `counts_known` is set, a bill that resembles earlier ones is confirmed automatically.
    """

    keep_days: int
    counts_known: bool


def find(tx: Tx, caller: Caller) -> InboxAddressRow:
    """Find the address at which the caller's account receives bills."""
    row = inbox_addresses.find(tx, caller.account_id)
    assert row is not None, "every account has one"
    return row


def renew(tx: Tx, caller: Caller) -> InboxAddressRow:
    """Give the account a new address for bills; mail to the old one is refused."""
    before = _locked(tx, caller)
    after = before._replace(token=new_token(TOKEN_CHARACTERS, TOKEN_LENGTH), updated_at=tx.now)
    inbox_addresses.save(tx, after)
    audit.record(tx, caller, Verb.RENEW_INBOX_ADDRESS, caller.account_id)
    return after


def set_allowed(tx: Tx, caller: Caller, text: str, *, seen: str | None = None) -> InboxAddressRow:
    """Set the senders whose mail is accepted automatically.

    The senders are e-mail addresses and domains, one per line. `seen` is the `updated_at` of the account's inbox
    address that a person saw (`access.require_seen`). Raises `InvalidRequest` for a line that is neither an
    address nor a domain, and `ChangedMeanwhile` if the senders were changed since `seen`.
    """
    try:
        wanted = read_allowed(text)
    except NotAnAddress as wrong:
        raise InvalidRequest.because([Problem("allowed", str(wrong))]) from None
    before = _locked(tx, caller)
    access.require_seen(before.updated_at, seen)
    return _save_allowed(tx, caller, before, wanted)


def set_rules(tx: Tx, caller: Caller, rules: MailRules, *, seen: str | None = None) -> InboxAddressRow:
    """Set the account's rules for incoming mail.

    `seen` is the `updated_at` of the account's inbox address that a person saw (`access.require_seen`). Raises
    `InvalidRequest` for too many days, and `ChangedMeanwhile` if the rules were changed since `seen`.
    """
    if not 0 <= rules.keep_days <= MOST_KEEP_DAYS:
        message = say("Enter a number of days up to {f}, or 0 to keep all mail.", f=Count(MOST_KEEP_DAYS))
        raise InvalidRequest.because([Problem("keepDays", message)])
    before = _locked(tx, caller)
    access.require_seen(before.updated_at, seen)
    were = MailRules(before.keep_days, bool(before.counts_known))
    if rules == were:
        return before
    after = before._replace(**rules._asdict(), updated_at=tx.now)
    inbox_addresses.save(tx, after)
    audit.record(tx, caller, Verb.KEEP_MAIL, caller.account_id, before=were, after=rules)
    return after


def allow(tx: Tx, caller: Caller, sender: str) -> InboxAddressRow:
    """Add a sender whose mail is accepted automatically.

    Raises `Conflict` if too many senders are allowed already.
    """
    before = _locked(tx, caller)
    try:
        wanted = read_allowed(f"{before.allowed} {sender}")
    except NotAnAddress as wrong:
        raise Conflict(str(wrong)) from None
    return _save_allowed(tx, caller, before, wanted)


def _save_allowed(tx: Tx, caller: Caller, before: InboxAddressRow, wanted: tuple[str, ...]) -> InboxAddressRow:
    after = before._replace(allowed=" ".join(wanted))
    if after == before:
        return before
    after = after._replace(updated_at=tx.now)
    inbox_addresses.save(tx, after)
    noted = (AllowedSenders(before.allowed), AllowedSenders(after.allowed))
    audit.record(tx, caller, Verb.ALLOW_SENDERS, caller.account_id, before=noted[0], after=noted[1])
    return after


def _locked(tx: Tx, caller: Caller) -> InboxAddressRow:
    row = inbox_addresses.lock(tx, caller.account_id)
    assert row is not None, "every account has one"
    return row


def is_sender_allowed(tx: Tx, account_id: str, sender: str | None) -> bool:
    """True if an authentic message of a sender is accepted automatically.

    The account allows the sender, or the sender is a member with a confirmed e-mail address.
    """
    return is_allowed(sender, allowed_senders(tx, account_id))


def allowed_senders(tx: Tx, account_id: str) -> tuple[str, ...]:
    """List an account's allowed senders and the addresses of its members, for `is_allowed`.

    Only members' confirmed addresses are included.
    """
    row = inbox_addresses.find(tx, account_id)
    own = (_own(member.email) for member in members.all_of(tx, account_id) if member.verified_at is not None)
    return (*(row.allowed.split() if row else ()), *own)


def _own(email: str) -> str:
    address = address_or_none(email)
    return comparable(address) if address else email  # stored before such addresses were refused


def recipient_of(tx: Tx, address: str, mail_from: str) -> Recipient | None:
    """Find the account to which mail to an `address` belongs; None if there is none.

    If the address is an account's address for receiving bills, the mail belongs to that account. If the address is
    the return address of one of Prorata's own messages, the mail belongs to the account that sent the message.
    `mail_from` is Prorata's own sender address, from which return addresses are formed.
    """
    token = token_in(address)
    if token is not None:
        row = inbox_addresses.of_token(tx, token)
        return Recipient(row.account_id) if row else None
    mail_id = read_return_address(address, mail_from)
    account_id = mail.owner_of(tx, mail_id) if mail_id and is_id(mail_id, "mail") else None
    return Recipient(account_id, mail_id) if account_id else None
