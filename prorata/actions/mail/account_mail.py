"""Mail about accounts and sign-in: confirmation, password reset, invitation, and notices.

A stored message contains only the id of its one-time link; the link's URL is computed when the message is written.
Thus, no secret that opens an account is stored with the message, and each try writes the same message again.
"""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.actions.mail import queue as mail_queue
from prorata.domain.accounts.account_mail import AccountKind, Notice
from prorata.domain.mail.deliveries import BOUNCED, FAILED, ON_ITS_WAY
from prorata.domain.texts import say
from prorata.ids import is_id
from prorata.store.accounts import accounts, one_time_links
from prorata.store.accounts.members import MemberRow
from prorata.store.database.engine import Tx
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow

_LOST = say("The message was not delivered. Check the address.")
_KINDS: dict[str, AccountKind | Notice] = {kind.value: kind for kinds in (AccountKind, Notice) for kind in kinds}


class OutgoingOfAccount(NamedTuple):
    """An unsent message about an account, in the language of `locale`.

    `kind` says, for example, that the message is an invitation.
    """

    mail: MailRow
    kind: AccountKind | Notice
    account: str
    locale: str


def tell(tx: Tx, member: MemberRow, notice: Notice) -> None:
    """Notify a member of a change to their sign-in, if their e-mail address is confirmed."""
    if member.verified_at is not None:
        queue(tx, member.account_id, notice, to_address=member.email, to_name=member.name or None, link_id=None)


def is_notice(tx: Tx, account_id: str, mail_id: str | None) -> bool:
    """True if a message notifies a member of a change to their sign-in."""
    row = mail.find(tx, account_id, mail_id) if mail_id and is_id(mail_id, "mail") else None
    return row is not None and isinstance(_KINDS.get(row.kind), Notice)


def queue(
    tx: Tx,
    account_id: str,
    kind: AccountKind | Notice,
    *,
    to_address: str,
    to_name: str | None,
    link_id: str | None,
    invited_by: str | None = None,
) -> str:
    """Queue a message about an account to be sent at once; return the message's id.

    The account's settings for mail to tenants don't apply, because a person is waiting for the link at the screen.
    """
    assert (link_id is None) == isinstance(kind, Notice), "what is no notice holds a link"
    return mail_queue.queue(
        tx, account_id, kind.value, to_address, to_name=to_name, link_id=link_id, invited_by=invited_by
    )


def withdraw(tx: Tx, account_id: str, link_id: str) -> None:
    """Withdraw the waiting or failed messages that contain a one-time link.

    They are withdrawn when the link was used, was replaced or has expired.
    """
    for seen in mail.with_link(tx, account_id, link_id):
        mail_queue.withdraw(tx, account_id, seen.id)


def latest(tx: Tx, account_id: str, link_ids: list[str]) -> Iterable[MailRow]:
    """Return the latest message with each of these one-time links, oldest message first."""
    by_link = {row.link_id: row for row in (mail.with_links(tx, account_id, link_ids) if link_ids else ())}
    return sorted(by_link.values(), key=lambda row: row.id)


def why_lost(row: MailRow) -> str | None:
    """Return the reason why a message was not delivered; None if no failure is known."""
    return (row.said or _LOST) if row.state in {BOUNCED, FAILED} else None


def lost(tx: Tx, account_id: str, link_ids: list[str]) -> dict[str, str]:
    """Map the ids of one-time links to the errors of the links' undelivered messages."""
    reasons = ((row.link_id, why_lost(row)) for row in latest(tx, account_id, link_ids))
    return {link_id: reason for link_id, reason in reasons if link_id and reason}


def outgoing(tx: Tx, account_id: str, mail_id: str) -> OutgoingOfAccount | None:
    """Load a message about an account that is still to be sent.

    Return None if the message was sent or withdrawn, or is about an invoice. Also return None if the message's
    link was used, or has expired while a server was down.
    """
    row, account = mail.find(tx, account_id, mail_id), accounts.find(tx, account_id)
    kind = _KINDS.get(row.kind) if row else None
    if row is None or account is None or kind is None or row.state not in ON_ITS_WAY:
        return None
    if isinstance(kind, AccountKind) and (
        row.link_id is None or one_time_links.find(tx, row.kind, row.link_id) is None
    ):
        return None
    return OutgoingOfAccount(row, kind, account.name, account.locale)
