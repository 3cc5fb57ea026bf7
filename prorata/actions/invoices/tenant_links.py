"""Signed, temporary links that show tenants an invoice without signing in.

A link contains everything needed to find its invoice and is not stored, so that finding the account runs no query,
and a copy of the database does not open any page. Prorata stores only whether an invoice's links are stopped, and
which generation of links is valid. Making new links raises the generation and voids all links of lower generations.
"""

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import date, timedelta
from hashlib import sha256
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoice_states import CLOSING
from prorata.domain.invoices.tenant_links import FIRST_GENERATION, LASTS, PATH, TenantLink
from prorata.domain.labels import same
from prorata.domain.limits import MOST_LINK_GENERATIONS
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.ids import id_bytes, id_of
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import tenant_pages
from prorata.store.delivery.tenant_pages import LinkRow
from prorata.store.invoices.invoices import InvoiceRow

_FROM = date(2020, 1, 1)
_BODY, _SIGNATURE = 36, 18
"""The number of bytes of the body and of the signature.

The body contains two ids, a generation and a day; the signature has 144 bits that nobody can guess. Both lengths fill
whole characters, so that a token has only one spelling.
"""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{72}")


class _Noted(NamedTuple):
    """The audit note of an invoice's links: active or stopped, and the valid generation."""

    links: str
    generation: int


class TenantLinks:
    """The builder and reader of the signed addresses of tenants' pages.

    Addresses signed with the previous secret can still be read.
    """

    def __init__(self, secrets: Sequence[bytes], base_url: str) -> None:
        assert secrets, "links are signed under a secret"
        self._secrets = tuple(secrets)
        self._base_url = base_url.rstrip("/")

    def url(self, link: TenantLink) -> str:
        """Build the address of a tenant's page from a link."""
        return f"{self._base_url}{PATH}{self.token(link)}"

    def in_dashboard(self, invoice_id: str) -> str:
        """Build the dashboard address of an invoice, for the account's own members."""
        return f"{self._base_url}/invoices/{invoice_id}"

    def token(self, link: TenantLink) -> str:
        """Build the signed token that stands for a link in an address."""
        days = (link.until - _FROM).days
        body = id_bytes(link.account_id) + id_bytes(link.invoice_id)
        body += link.generation.to_bytes(2, "big") + days.to_bytes(2, "big")
        return urlsafe_b64encode(body + _signature(self._secrets[0], body)).decode()

    def read(self, token: str) -> TenantLink | None:
        """Return the link in a token; None if its signature is not Prorata's.

        The link may have expired or been voided; `opens` tells.
        """
        if not _TOKEN.fullmatch(token):
            return None
        content = urlsafe_b64decode(token)
        body, signature = content[:_BODY], content[_BODY:]
        if not any(hmac.compare_digest(signature, _signature(secret, body)) for secret in self._secrets):
            return None
        return TenantLink(
            id_of("acct", body[:16]),
            id_of("inv", body[16:32]),
            int.from_bytes(body[32:34], "big"),
            _FROM + timedelta(days=int.from_bytes(body[34:], "big")),
        )


def _signature(secret: bytes, body: bytes) -> bytes:
    return hmac.new(secret, b"tenant page " + body, sha256).digest()[:_SIGNATURE]


def state_of(tx: Tx, account_id: str, invoice_id: str) -> LinkRow:
    """Load the state of an invoice's links: the valid generation, and whether they are stopped."""
    return tenant_pages.find_link(tx, account_id, invoice_id) or _untouched(account_id, invoice_id)


def _untouched(account_id: str, invoice_id: str) -> LinkRow:
    return LinkRow(account_id, invoice_id, FIRST_GENERATION, is_stopped=False, updated_at="")


def link_to(tx: Tx, row: InvoiceRow) -> TenantLink | None:
    """Return a link to an invoice, valid from today.

    Return None if the invoice was not sent or has no tenant, or if its links are stopped.
    """
    return links_to(tx, row.account_id, [row]).get(row.id)


def links_to(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> dict[str, TenantLink]:
    """Map sent invoices to links that are valid from today.

    Invoices without a tenant, and those whose links are stopped, are left out.
    """
    open_ = [row.id for row in rows if row.status in CLOSING and row.tenant_id is not None]
    states = {link.invoice_id: link for link in tenant_pages.find_links(tx, account_id, open_)} if open_ else {}
    until = (tx.moment + LASTS).date()
    link_states = [states.get(invoice_id) or _untouched(account_id, invoice_id) for invoice_id in open_]
    return {
        link.invoice_id: TenantLink(account_id, link.invoice_id, link.generation, until)
        for link in link_states
        if not link.is_stopped
    }


def link_for(tx: Tx, row: InvoiceRow, address: str) -> TenantLink | None:
    """Return a link for an e-mail that sends an invoice to an address.

    If the invoice went to another address before, the link becomes valid when `end_elsewhere` voids the earlier
    links.
    """
    link = link_to(tx, row)
    if link is None or not _went_elsewhere(row, address):
        return link
    after = _next(tx, state_of(tx, row.account_id, row.id))
    return None if after.is_stopped else link._replace(generation=after.generation)


def end_elsewhere(tx: Tx, caller: Caller, row: InvoiceRow, address: str | None) -> None:
    """Void an invoice's links if it was e-mailed to an address other than `address`.

    The tenant's e-mail address has changed, so the earlier links may be in a stranger's mailbox. The property must be
    locked.
    """
    before = state_of(tx, row.account_id, row.id) if _went_elsewhere(row, address) else None
    if before is not None and not before.is_stopped:
        _save(tx, caller, Verb.RENEW_TENANT_PAGE, row, before, _next(tx, before))


def end_of_former(tx: Tx, caller: Caller, row: InvoiceRow) -> None:
    """Void all links to an invoice before it is addressed to another tenant.

    The former tenant is stored with the links. The property must be locked.
    """
    before = state_of(tx, row.account_id, row.id)
    if before.is_stopped:
        tenant_pages.save_link(tx, before._replace(was_for=row.tenant_id, updated_at=tx.now))
    else:
        _save(tx, caller, Verb.RENEW_TENANT_PAGE, row, before, _next(tx, before)._replace(was_for=row.tenant_id))


def _went_elsewhere(row: InvoiceRow, address: str | None) -> bool:
    return row.issued and row.tenant_email is not None and same(row.tenant_email) != same(address or "")


def _next(tx: Tx, state: LinkRow) -> LinkRow:
    """Return the state of an invoice's links after all current links are voided.

    New links get the next generation number. After the last possible number, the links are stopped instead.
    """
    if state.generation == MOST_LINK_GENERATIONS:
        return state._replace(is_stopped=True, updated_at=tx.now)
    return state._replace(generation=state.generation + 1, updated_at=tx.now)


def opens(tx: Tx, link: TenantLink) -> bool:
    """True if a link still opens its invoice.

    It must be of the current generation and not past its last day, and the invoice's links must not be stopped.
    """
    state = state_of(tx, link.account_id, link.invoice_id)
    return not state.is_stopped and state.generation == link.generation and tx.moment.date() <= link.until


def end(tx: Tx, account_id: str, invoice_id: str) -> None:
    """Stop all links to an invoice whose tenant was erased."""
    after = _next(tx, state_of(tx, account_id, invoice_id))
    tenant_pages.save_link(tx, after._replace(is_stopped=True, updated_at=tx.now))


def stop(tx: Tx, caller: Caller, invoice_id: str) -> None:
    """Stop all links to an invoice until `renew` makes a new one.

    Raises `NotFound` if there is no such invoice.
    """
    _, row = access.invoice_to_change(tx, caller, invoice_id)
    before = state_of(tx, caller.account_id, row.id)
    if not before.is_stopped:
        after = before._replace(is_stopped=True, updated_at=tx.now)
        _save(tx, caller, Verb.STOP_TENANT_PAGE, row, before, after)


def renew(tx: Tx, caller: Caller, invoice_id: str) -> None:
    """Make a new link to an invoice, voiding earlier ones.

    Raises `NotFound` if there is no such invoice, and `Conflict` if it has had the maximum number of links.
    """
    _, row = access.invoice_to_change(tx, caller, invoice_id)
    before = state_of(tx, caller.account_id, row.id)
    if before.generation == MOST_LINK_GENERATIONS:
        raise Conflict(say("This invoice has reached the maximum number of links. Send its PDF instead."))
    _save(tx, caller, Verb.RENEW_TENANT_PAGE, row, before, _next(tx, before)._replace(is_stopped=False))


def _save(tx: Tx, caller: Caller, verb: Verb, row: InvoiceRow, before: LinkRow, after: LinkRow) -> None:
    """Save the state of an invoice's links, with an audit note."""
    tenant_pages.save_link(tx, after)
    noted = (_Noted("stopped" if link.is_stopped else "open", link.generation) for link in (before, after))
    audit.record(tx, caller, verb, row.id, before=next(noted), after=next(noted), property_id=row.property_id)
