"""One-time links e-mailed to an address: making, opening and using them up.

No secret is stored. A link contains its id and a keyed hash of the id (HMAC-SHA256), which is recomputed when the
link is used, so that a copy of the database does not open any link.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from prorata.actions.limits import LONGEST_LINK_TOKEN
from prorata.actions.mail import account_mail
from prorata.domain.accounts.account_mail import AccountKind
from prorata.domain.accounts.one_time_links import INVITE, LASTS, LINK_KINDS, NO_LONGER, OPENING_LASTS, PATHS
from prorata.domain.limits import MOST_LINKS_SENT, MOST_LINKS_TRIED
from prorata.errors import Conflict
from prorata.ids import is_id
from prorata.store.accounts import one_time_links
from prorata.store.accounts.one_time_links import LinkRow
from prorata.store.database.engine import Tx, timestamp

KEPT = timedelta(days=30)
"""The time for which an expired link stays in the database."""
_OPENING = "open"


class Opening(NamedTuple):
    """An operator's invitation to open an account: its address and expiry.

    The invitation is not stored. It works only once, because an address has at most one account.
    """

    email: str
    until: str


class LinkSigner:
    """The signer of the tokens in links, which also verifies tokens.

    A token signed with the previous secret stays valid.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        assert secrets, "links are signed under a secret"
        self._secrets = tuple(secrets)

    def token(self, kind: str, link_id: str) -> str:
        """Build a link's token: the link's id and the keyed hash of the id."""
        assert kind in LINK_KINDS, "a kind of link"
        return f"{link_id}.{_signature(self._secrets[0], kind, link_id)}"

    def read(self, kind: str, token: str) -> str | None:
        """Return the id of the link with this token.

        Return None if the token is forged, or belongs to another `kind` of link.
        """
        link_id, _, signature = token.partition(".")
        return link_id if is_id(link_id, "link") and self._is_ours(kind, link_id, signature) else None

    def opening_token(self, opening: Opening) -> str:
        """Build the token that contains an operator's invitation to open an account."""
        body = urlsafe_b64encode(f"{opening.until} {opening.email}".encode()).decode().rstrip("=")
        return f"{body}.{_signature(self._secrets[0], _OPENING, body)}"

    def read_opening(self, token: str, now: datetime) -> Opening | None:
        """Return the operator's invitation that this token contains; None if expired or forged."""
        body, _, signature = token[:LONGEST_LINK_TOKEN].partition(".")
        if not self._is_ours(_OPENING, body, signature):
            return None
        until, _, email = urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode().partition(" ")
        return Opening(email, until) if until > timestamp(now) else None

    def _is_ours(self, purpose: str, signed: str, signature: str) -> bool:
        made = (_signature(secret, purpose, signed) for secret in self._secrets)
        return any(hmac.compare_digest(own_signature.encode(), signature.encode()) for own_signature in made)


def _signature(secret: bytes, purpose: str, signed: str) -> str:
    digest = hmac.new(secret, f"{purpose} {signed}".encode(), sha256).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


class LinkAddresses:
    """The builder of the URLs of one-time links; `signer` makes and verifies their tokens."""

    def __init__(self, signer: LinkSigner, base_url: str) -> None:
        self.signer = signer
        self._base_url = base_url.rstrip("/")

    def __call__(self, kind: str, link_id: str) -> str:
        """Return the URL of a one-time link."""
        return f"{self._base_url}{PATHS[kind]}{self.signer.token(kind, link_id)}"

    def opening(self, opening: Opening) -> str:
        """Return the URL of an operator's invitation to open an account."""
        return f"{self._base_url}/sign-up?invite={self.signer.opening_token(opening)}"


def make(
    tx: Tx,
    account_id: str,
    kind: str,
    *,
    email: str,
    created_by: str,
    member_id: str | None = None,
    role: str | None = None,
) -> LinkRow:
    """Create a one-time link for the e-mail address of a member or future member."""
    assert (kind == INVITE) == (role is not None), "an invitation says as what"
    row = LinkRow(
        account_id=account_id,
        id=tx.new_id("link"),
        kind=kind,
        member_id=member_id,
        email=email,
        role=role,
        created_by=created_by,
        created_at=tx.now,
        expires_at=timestamp(tx.moment + LASTS[kind]),
        used_at=None,
    )
    one_time_links.drop_old(tx, account_id, timestamp(tx.moment - KEPT))
    one_time_links.add(tx, row)
    return row


def send(tx: Tx, row: LinkRow, *, to_name: str | None = None, invited_by: str | None = None) -> None:
    """E-mail a one-time link to the address for which it was made."""
    account_mail.queue(
        tx,
        row.account_id,
        AccountKind(row.kind),
        to_address=row.email,
        to_name=to_name,
        link_id=row.id,
        invited_by=invited_by,
    )


def opening_for(tx: Tx, email: str) -> Opening:
    """Build an operator's invitation to open an account."""
    return Opening(email, timestamp(tx.moment + OPENING_LASTS))


def are_enough(tx: Tx, account_id: str, kind: str, email: str) -> bool:
    """True if an e-mail address may get no further link of this kind now.

    This keeps Prorata from filling mailboxes. An address gets at most `MOST_LINKS_SENT` links that have not expired;
    used and withdrawn links count, but links whose message did not arrive don't. Including these, it gets at most
    `MOST_LINKS_TRIED`.
    """
    made = [row.id for row in one_time_links.made_for(tx, account_id, kind, email)]
    if len(made) < MOST_LINKS_SENT or len(made) >= MOST_LINKS_TRIED:
        return len(made) >= MOST_LINKS_TRIED
    return len(made) - len(account_mail.lost(tx, account_id, made)) >= MOST_LINKS_SENT


def find(tx: Tx, kind: str, link_id: str | None) -> LinkRow:
    """Find the valid link with this id.

    Raises `Conflict` if the link was used, has expired or does not exist.
    """
    row = one_time_links.find(tx, kind, link_id) if link_id else None
    if row is None:
        raise Conflict(NO_LONGER[kind])
    return row


def use(tx: Tx, row: LinkRow) -> None:
    """Record that a one-time link was used, so that it can't be used again.

    Raises `Conflict` if somebody else has just used the link.
    """
    if not one_time_links.use(tx, row):
        raise Conflict(NO_LONGER[row.kind])
    account_mail.withdraw(tx, row.account_id, row.id)


def give_way(tx: Tx, row: LinkRow) -> None:
    """Void a link because a newer link to the same e-mail address replaces it.

    The void link's message is withdrawn if it is still queued. A record that the message was not delivered is
    kept, so that `are_enough` does not count the link.
    """
    if account_mail.lost(tx, row.account_id, [row.id]):
        one_time_links.use(tx, row)
    else:
        use(tx, row)


def drop_for(tx: Tx, account_id: str, email: str, *kinds: str) -> None:
    """Void the unused links of these kinds that were made for an e-mail address.

    The links are voided once the person has set a new password, has another address, or is no longer a member.
    """
    for kind in kinds:
        for row in one_time_links.waiting_for(tx, account_id, kind, email):
            account_mail.withdraw(tx, account_id, row.id)
        one_time_links.drop_for(tx, account_id, email, kind)
