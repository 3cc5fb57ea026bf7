"""Mail of accounts and sign-in: to confirm an address, to set a new password, to join an account; and notices.

A message that holds a one-time link names it by id: its address is worked out when the message is written. So nothing
that opens an account is stored with the message, and it is written anew, the same, at each try.
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

_LOST = say("The message did not arrive. Check the address.")
_KINDS: dict[str, AccountKind | Notice] = {kind.value: kind for kinds in (AccountKind, Notice) for kind in kinds}


class OutgoingOfAccount(NamedTuple):
    """A message about an account that is to be sent: in the words of `kind`, in the language of `locale`."""

    mail: MailRow
    kind: AccountKind | Notice
    account: str
    locale: str


def tell(tx: Tx, member: MemberRow, notice: Notice) -> None:
    """Have a member told that the way they sign in was changed: at their address, where it is known to be theirs."""
    if member.verified_at is not None:
        queue(tx, member.account_id, notice, to_address=member.email, to_name=member.name or None, link_id=None)


def is_notice(tx: Tx, account_id: str, mail_id: str | None) -> bool:
    """Whether a message is one that tells a member that the way they sign in was changed."""
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
    """Have a message about an account sent at once; returns its id. Whether the account sends mail to its tenants, and
    how long it holds that, is no matter here: who waits for a link sits before the screen.
    """
    assert (link_id is None) == isinstance(kind, Notice), "what is no notice holds a link"
    return mail_queue.queue(
        tx, account_id, kind.value, to_address, to_name=to_name, link_id=link_id, invited_by=invited_by
    )


def withdraw(tx: Tx, account_id: str, link_id: str) -> None:
    """Take back what waits to be sent with a link, or could not be: the link was used, replaced, or is over."""
    for seen in mail.with_link(tx, account_id, link_id):
        mail_queue.withdraw(tx, account_id, seen.id)


def latest(tx: Tx, account_id: str, link_ids: list[str]) -> Iterable[MailRow]:
    """The latest message with each of these links, the oldest first."""
    found = {row.link_id: row for row in (mail.with_links(tx, account_id, link_ids) if link_ids else ())}
    return sorted(found.values(), key=lambda row: row.id)


def why_lost(row: MailRow) -> str | None:
    """What was said of a message that did not arrive; None of any other."""
    return (row.said or _LOST) if row.state in {BOUNCED, FAILED} else None


def lost(tx: Tx, account_id: str, link_ids: list[str]) -> dict[str, str]:
    """What was said of the messages with these links that did not arrive, by the links."""
    found = ((row.link_id, why_lost(row)) for row in latest(tx, account_id, link_ids))
    return {link_id: said for link_id, said in found if link_id and said}


def outgoing(tx: Tx, account_id: str, mail_id: str) -> OutgoingOfAccount | None:
    """A message of an account that is still to be sent; None for one that has been, was withdrawn, or is about an
    invoice, and for one whose link opens nothing any more: it was used, or became too old while a server was away.
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
