"""One-time links, stored without a secret: a link's signature is computed from its id.

See `actions/accounts/one_time_links.py`.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, returns
from prorata.store.schema.sign_in_tables import link


class LinkRow(NamedTuple):
    """A link sent to a member, or to a person invited to the account.

    `role` is the role that an invited person will have.
    """

    account_id: str
    id: str
    kind: str
    member_id: str | None
    email: str
    role: str | None
    created_by: str
    created_at: str
    expires_at: str
    used_at: str | None


_mine = link.c.account_id == bindparam("account")
_waits = (link.c.used_at.is_(None), link.c.expires_at > bindparam("now"))
_FIND = returns(LinkRow, select(link).where(link.c.id == bindparam("id"), link.c.kind == bindparam("kind"), *_waits))
_MADE_ONCE = returns(LinkRow, select(link).where(link.c.id == bindparam("id"), link.c.kind == bindparam("kind")))
_WAITING = returns(
    LinkRow,
    select(link)
    .where(_mine, link.c.email == bindparam("email"), link.c.kind == bindparam("kind"), *_waits)
    .order_by(link.c.id),
)
_MADE = returns(
    LinkRow,
    select(link)
    .where(
        _mine,
        link.c.email == bindparam("email"),
        link.c.kind == bindparam("kind"),
        link.c.expires_at > bindparam("now"),
    )
    .order_by(link.c.id),
)
_OF_ACCOUNT = returns(LinkRow, select(link).where(_mine, link.c.kind == bindparam("kind"), *_waits).order_by(link.c.id))
_ADD = adds(link)
_USE = changes(
    update(link).where(_mine, link.c.id == bindparam("id"), link.c.used_at.is_(None)).values(used_at=bindparam("at"))
)
_DROP = changes(delete(link).where(_mine, link.c.email == bindparam("email"), link.c.kind == bindparam("kind")))
_DROP_OLD = changes(delete(link).where(_mine, link.c.expires_at < bindparam("before")))


def add(tx: Tx, row: LinkRow) -> None:
    """Add a one-time link."""
    tx.run(_ADD, **row._asdict())


def find(tx: Tx, kind: str, link_id: str) -> LinkRow | None:
    """Find the one-time link of this kind, unless it is used or expired.

    The link may be of any account.
    """
    return tx.one(_FIND, id=link_id, kind=kind, now=tx.now)


def find_made(tx: Tx, kind: str, link_id: str) -> LinkRow | None:
    """Find the link of this kind, of any account, including used and expired links."""
    return tx.one(_MADE_ONCE, id=link_id, kind=kind)


def waiting_for(tx: Tx, account_id: str, kind: str, email: str) -> list[LinkRow]:
    """List the usable links of a kind that were sent to an address, oldest first.

    A link is usable if it is neither used nor expired.
    """
    return tx.all(_WAITING, account=account_id, email=email, kind=kind, now=tx.now)


def made_for(tx: Tx, account_id: str, kind: str, email: str) -> list[LinkRow]:
    """List the unexpired links of a kind that were sent to an address, oldest first.

    Used links are included.
    """
    return tx.all(_MADE, account=account_id, email=email, kind=kind, now=tx.now)


def waiting(tx: Tx, account_id: str, kind: str) -> list[LinkRow]:
    """List the account's usable links of a kind, oldest first.

    A link is usable if it is neither used nor expired.
    """
    return tx.all(_OF_ACCOUNT, account=account_id, kind=kind, now=tx.now)


def use(tx: Tx, row: LinkRow) -> bool:
    """Mark a link as used; return False if another request has already used it."""
    return tx.run(_USE, account=row.account_id, id=row.id, at=tx.now) == 1


def drop_for(tx: Tx, account_id: str, email: str, kind: str) -> None:
    """Delete every link of a kind that was sent to an address.

    The caller does so when the person with this address has set a new password, or is no longer a member.
    """
    tx.run(_DROP, account=account_id, email=email, kind=kind)


def drop_old(tx: Tx, account_id: str, before: str) -> None:
    """Delete the account's links that had expired by the time `before`."""
    tx.run(_DROP_OLD, account=account_id, before=before)
