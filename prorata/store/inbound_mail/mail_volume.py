"""The volume of received mail: sizes, waiting messages, and the largest messages."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, not_, or_, select, true, update

from prorata.domain.inbound_mail.inbox_addresses import REFUSED, WAITING
from prorata.domain.limits import MOST_MESSAGE_BYTES
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, columns_for, is_one_of, returns, returns_one
from prorata.store.schema.incoming_mail_tables import incoming_content, incoming_mail
from prorata.store.schema.joins import named_by


class WaitingMail(NamedTuple):
    """The number of messages waiting for a decision, because their senders are not allowed.

    `newest` is the highest id of these messages, and `since` the latest time at which any of them changed. Both are ""
    if no such message exists.
    """

    number: int
    newest: str
    since: str


class OldMail(NamedTuple):
    """A message whose original bytes are stored, with the fields that show who sent it."""

    id: str
    about: str | None
    accepted_by: str | None
    sender: str | None
    authentic: bool | None


_mine = incoming_mail.c.account_id == bindparam("account")
_came = select(func.coalesce(func.sum(incoming_mail.c.size), 0)).where(
    _mine, incoming_mail.c.id >= bindparam("since"), incoming_mail.c.size <= bindparam("longest")
)
_CAME = returns_one(_came.where(incoming_mail.c.about.is_(None)))
_REPORTS = returns_one(_came.where(incoming_mail.c.about.is_not(None)))
_waiting = and_(_mine, incoming_mail.c.state == bindparam("waits"))
_of_sender = incoming_mail.c.sender == bindparam("of_sender")
_number_waiting = select(
    func.count().label("number"),
    func.coalesce(func.max(incoming_mail.c.id), "").label("newest"),
    func.coalesce(func.max(incoming_mail.c.updated_at), "").label("since"),
).where(_waiting)
_WAITING = returns(WaitingMail, _number_waiting)
_WAITING_OF_SENDER = returns(WaitingMail, _number_waiting.where(_of_sender))
_refuse = (
    update(incoming_mail)
    .where(
        _waiting,
        incoming_mail.c.id <= bindparam("newest"),
        incoming_mail.c.updated_at <= bindparam("since"),
    )
    .values(state=bindparam("refused"), updated_at=bindparam("moment"))
)
_REFUSE_ALL = changes(_refuse)
_REFUSE_ALL_OF_SENDER = changes(_refuse.where(_of_sender))
_sender = func.lower(func.coalesce(incoming_mail.c.sender, ""))
_domain = func.substr(_sender, func.length(func.rtrim(_sender, func.replace(_sender, "@", ""))))  # including the last @
_of_nobody_allowed = and_(
    incoming_mail.c.accepted_by.is_(None),
    or_(
        incoming_mail.c.authentic.is_not(true()),
        not_(or_(is_one_of(_sender, "allowed"), is_one_of(_domain, "allowed"))),
    ),
)
_BULKIEST_OF_STRANGERS = returns(
    OldMail,
    select(*columns_for(OldMail, incoming_mail))
    .join(incoming_content, named_by(incoming_mail, incoming_content.c.mail_id))
    .where(
        _mine,
        is_one_of(incoming_mail.c.state, "states"),
        incoming_mail.c.updated_at < bindparam("before"),
        or_(incoming_mail.c.about.is_not(None), _of_nobody_allowed),
    )
    .order_by(incoming_mail.c.size.desc(), incoming_mail.c.id)
    .limit(bindparam("limit")),
)


def bytes_that_came(tx: Tx, account_id: str, since: str) -> int:
    """Sum the sizes of received messages, except delivery reports.

    Only messages with ids from `since` on count. Messages that were too large to be fetched don't count.
    """
    return int(tx.one(_CAME, account=account_id, since=since, longest=MOST_MESSAGE_BYTES) or 0)


def bytes_of_reports(tx: Tx, account_id: str, since: str) -> int:
    """Sum the sizes of received delivery reports about Prorata's messages.

    Only reports with the id `since` or a later id count, unless they were too large to be fetched.
    """
    return int(tx.one(_REPORTS, account=account_id, since=since, longest=MOST_MESSAGE_BYTES) or 0)


def waiting(tx: Tx, account_id: str, sender: str | None) -> WaitingMail:
    """Count the waiting messages from senders who are not allowed.

    If `sender` is given, only this sender's messages count.
    """
    if sender is None:
        waiting_mail = tx.one(_WAITING, account=account_id, waits=WAITING)
    else:
        waiting_mail = tx.one(_WAITING_OF_SENDER, account=account_id, waits=WAITING, of_sender=sender)
    assert waiting_mail is not None, "a number is counted in any case"
    return waiting_mail


def refuse_all(tx: Tx, account_id: str, waiting_mail: WaitingMail, sender: str | None) -> int:
    """Refuse the messages that `waiting` counted, if they still wait; return the number refused."""
    values = {"account": account_id, "waits": WAITING, "newest": waiting_mail.newest, "since": waiting_mail.since}
    values |= {"refused": REFUSED, "moment": tx.now}
    if sender is None:
        return tx.run(_REFUSE_ALL, **values)
    return tx.run(_REFUSE_ALL_OF_SENDER, **values, of_sender=sender)


def largest_of_strangers(
    tx: Tx, account_id: str, states: Sequence[str], allowed: Sequence[str], *, before: str, limit: int
) -> list[OldMail]:
    """List messages of strangers that may be deleted to save space, largest first.

    Up to `limit` messages are listed. Each is in one of `states`, was last changed before `before`, and its
    original bytes are still stored. Each is a report about Prorata's mail, or comes from a sender who is not
    `allowed`. The result may include some messages of allowed senders with non-ASCII addresses.
    """
    values = {"states": list(states), "allowed": list(allowed), "before": before, "limit": limit}
    return tx.all(_BULKIEST_OF_STRANGERS, account=account_id, **values)
