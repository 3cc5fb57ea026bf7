"""Payment links, updated whenever their invoices change (docs/decisions.md#payment-links).

A link asks for the balance of a sent invoice. It is open while there is a balance, and is then closed. A change to an
invoice queues a job, which calls the provider while no transaction is open.

A link is stored before it is requested, and its id is the key that keeps the provider from making it twice: a worker
that takes over from a killed one repeats the request and gets the same link.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.jobs import jobs
from prorata.actions.jobs.jobs import Wanted
from prorata.domain.audit.verbs import Verb
from prorata.domain.jobs.jobs import CANCELLED, DONE, FAILED, happened_in_words
from prorata.domain.online_payments.payment_links import (
    ASKED,
    BEING_MADE,
    CLOSED,
    HELD,
    LIVE,
    NOT_ASKED_FOR,
    NOT_MADE,
    NOT_MADE_YET,
    NOT_SET_UP,
    STOPPING,
    amount_wanted,
    why_none_wanted,
)
from prorata.domain.online_payments.provider_reasons import Reason, Why
from prorata.domain.online_payments.providers import least_amount, too_little
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.jobs import jobs as stored_jobs, outbound_hold
from prorata.store.online_payments import payment_links, providers as payment_providers
from prorata.store.online_payments.payment_links import FormerLink, LinkRow, ShownLink
from prorata.store.online_payments.providers import ProviderRow
from prorata.store.properties import properties, units

LINK: Final = "payment link"
"""The kind of the job through which a provider makes and closes links."""


class Links:
    """An updater of the payment links of an account's changed invoices.

    The account's provider is looked up only once.
    """

    def __init__(self, tx: Tx, account_id: str) -> None:
        self._tx, self._account_id = tx, account_id
        self._has_provider: bool | None = None

    def follow(self, before: InvoiceRow, after: InvoiceRow) -> InvoiceRow:
        """Remove a changed invoice's payment link if the link asks for the wrong amount.

        A job closes that link, and makes another for the current balance.
        """
        if _wanted(before) == _wanted(after):
            return after
        if after.payment_link_id is None and not self._is_paid_online():
            return after
        _have_looked_at(self._tx, after)
        return after._replace(payment_link_id=None, payment_link_url=None)

    def note(self, caller: Caller, changed: Sequence[tuple[InvoiceRow, InvoiceRow]]) -> None:
        """Audit the removal of payment links from invoices whose status did not change.

        A change of status is audited by itself, so only these removals would otherwise be missing in the audit log.
        """
        gone = [was for was, invoice in changed if was.payment_link_id and not invoice.payment_link_id]
        stayed = {invoice.id for was, invoice in changed if invoice.status == was.status}
        _note_removed(self._tx, caller, [_shown_by(was) for was in gone if was.id in stayed])

    def _is_paid_online(self) -> bool:
        if self._has_provider is None:
            provider = payment_providers.find(self._tx, self._account_id)
            self._has_provider = provider is not None and provider.takes_payments
        return self._has_provider


def _have_looked_at(tx: Tx, invoice: InvoiceRow) -> None:
    """Have a job check the payment link of a changed invoice.

    If a job that waits for a later time already exists, it runs at once. A running job may have read the former
    state, so another one is queued.
    """
    key = f"{invoice.id} {invoice.status} {_wanted(invoice)}"
    made = jobs.enqueue(tx, invoice.account_id, LINK, {"invoice": invoice.id}, subject=invoice.id, unique_key=key)
    if made is None and not stored_jobs.hurry(tx, invoice.account_id, LINK, key):
        look_at(tx, invoice.account_id, [invoice.id])


def _wanted(invoice: InvoiceRow) -> int:
    return amount_wanted(invoice.status, invoice.total, invoice.paid_amount, has_tenant=invoice.tenant_name is not None)


def close_all(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Queue the closing of invoices' payment links before the invoices are deleted."""
    if payment_providers.find(tx, account_id) is None:
        return
    having = payment_links.invoices_with_open_links(tx, account_id, invoice_ids)
    _look(tx, account_id, {invoice_id: f"{invoice_id} deleted" for invoice_id in having})


class Online(NamedTuple):
    """The address for paying an invoice online, or the reason why there is none.

    Both are None if the invoice needs no payment and the account has no provider.
    """

    url: str | None = None
    why_not: str | None = None


def online(tx: Tx, caller: Caller, invoice_id: str) -> Online:
    """Return the address for paying an invoice online, as shown to the account's members.

    Raises `NotFound` if there is no such invoice.
    """
    row = access.invoice(tx, caller, invoice_id)
    if row.payment_link_url is not None:
        return Online(row.payment_link_url)
    provider, wanted = payment_providers.find(tx, row.account_id), _wanted(row)
    if provider is None:
        return Online(why_not=NOT_SET_UP if wanted else None)
    if provider.is_stopping:
        return Online(why_not=STOPPING)
    if not wanted:
        return Online(why_not=why_none_wanted(row.status, has_tenant=row.tenant_name is not None))
    place = properties.find(tx, row.account_id, row.property_id)
    if place is not None and wanted < least_amount(provider.provider, place.currency):
        return Online(why_not=too_little(provider.provider))
    return Online(why_not=_why_not_yet(tx, row))


def _why_not_yet(tx: Tx, row: InvoiceRow) -> str:
    """Explain, from its latest link job, why an invoice has no payment link yet."""
    latest = [job for job in stored_jobs.of_subject(tx, row.account_id, row.id) if job.kind == LINK][-1:]
    if not latest or latest[0].state in (CANCELLED, DONE):
        return NOT_ASKED_FOR
    if latest[0].state == FAILED:
        return f"{NOT_MADE} {happened_in_words(latest[0].last_error) or ''}".strip()
    if outbound_hold.found(tx) is not None:
        return HELD
    happened = happened_in_words(latest[0].last_error)
    return f"{NOT_MADE_YET} {happened}" if happened else BEING_MADE


def lock_open(tx: Tx, account_id: str) -> None:
    """Lock the properties whose invoices have open links, in the order of their ids."""
    properties.lock_many(tx, account_id, payment_links.places_of_open(tx, account_id))


def hide_open(tx: Tx, caller: Caller) -> None:
    """Remove the open links from the account's invoices without closing the links.

    The invoices' properties must be locked (`lock_open`).
    """
    for some in payment_links.with_open_links(tx, caller.account_id):
        _hide(tx, caller, payment_links.shown_by(tx, caller.account_id, some))


def forget_open(tx: Tx, caller: Caller) -> list[str]:
    """Remove all of the account's open links from invoices, and mark them as closed.

    The invoices' properties must be locked. Return the ids of the invoices that had a link.
    """
    having: list[str] = []
    for some in payment_links.with_open_links(tx, caller.account_id):
        _hide(tx, caller, payment_links.shown_by(tx, caller.account_id, some))
        payment_links.close(tx, caller.account_id, some)
        having += some
    return having


def forget_former(tx: Tx, caller: Caller, links: Sequence[FormerLink]) -> None:
    """Remove links made with a former key from invoices, and mark the links as closed.

    The invoices' properties must be locked.
    """
    of, called = sorted({link.invoice_id for link in links}), {link.provider_id for link in links}
    shown = payment_links.shown_by(tx, caller.account_id, of)
    payment_links.close_former(tx, caller.account_id, of)
    _hide(tx, caller, [link for link in shown if link.payment_link_id in called])


def _hide(tx: Tx, caller: Caller, shown: Sequence[ShownLink]) -> None:
    payment_links.hide(tx, caller.account_id, [link.id for link in shown])
    _note_removed(tx, caller, shown)


def _note_removed(tx: Tx, caller: Caller, shown: Sequence[ShownLink]) -> None:
    if shown:
        audit.record_many(tx, caller, Verb.REMOVE_PAYMENT_LINK, [(link.id, link, None) for link in shown])


def _show(tx: Tx, invoice: InvoiceRow, link: LinkRow) -> None:
    """Store a link's address with its invoice, whose property must be locked."""
    payment_links.show(tx, invoice.account_id, invoice.id, link.provider_id, link.url)
    before = _shown_by(invoice) if invoice.payment_link_id else None
    after = _shown_by(invoice)._replace(payment_link_id=link.provider_id, payment_link_url=link.url)
    provider = Caller(invoice.account_id, link.provider)
    audit.record(tx, provider, Verb.ADD_PAYMENT_LINK, invoice.id, before=before, after=after)


def _shown_by(invoice: InvoiceRow) -> ShownLink:
    return ShownLink(invoice.id, invoice.property_id, invoice.payment_link_id, invoice.payment_link_url)


class Step(NamedTuple):
    """The next request to the provider: to make a link (`makes`) or to close it.

    `provider` contains the key with which the request is sent.
    """

    link: LinkRow
    makes: bool
    provider: ProviderRow


def next_step(tx: Tx, account_id: str, invoice_id: str) -> Step | None:
    """Choose the next request about an invoice's links; store a new link beforehand.

    Return None if there is nothing to do, or if the account no longer has a provider. The provider row stays locked
    meanwhile, so that a change of the provider or of its key takes the stored link into account.
    """
    provider = payment_providers.hold(tx, account_id)
    if provider is None:
        return None
    invoice = access.locked_invoice(tx, account_id, invoice_id)
    wanted = _wanted(invoice) if invoice and provider.takes_payments else 0
    stays = None
    for link in payment_links.open_of_invoice(tx, account_id, invoice_id):
        if link.state == ASKED:  # it may exist: only asking again reveals its provider id
            return Step(link, makes=True, provider=provider)
        is_right = (link.provider, link.amount, link.is_former) == (provider.provider, wanted, False)
        if stays is None and is_right and invoice is not None and is_of_its_person(link, invoice):
            stays = link
        elif link.provider == provider.provider:
            return Step(link, makes=False, provider=provider)
    if stays is not None and invoice is not None and invoice.payment_link_id != stays.provider_id:
        _show(tx, invoice, stays)  # its amount is owed again
    if stays is not None or invoice is None or not wanted:
        return None
    place = properties.find(tx, invoice.account_id, invoice.property_id)
    assert place is not None, "an invoice's property is kept"
    if wanted < least_amount(provider.provider, place.currency):
        return None  # it is refused each time, and is paid in another way
    made = _noted(tx, invoice, provider, wanted, place.currency)
    return Step(made, makes=True, provider=provider)


def _noted(tx: Tx, invoice: InvoiceRow, provider: ProviderRow, amount: int, currency: str) -> LinkRow:
    row = LinkRow(
        invoice.account_id, tx.new_id("plink"), invoice.id, provider.provider, amount, currency, ASKED, None, None,
        tx.now, tx.now, invoice.number, tenant_id=invoice.tenant_id,
    )  # fmt: skip
    payment_links.add(tx, row)
    return row


def note_made(tx: Tx, link: LinkRow, provider_id: str, url: str) -> None:
    """Store a new link's id at the provider and its address.

    The invoice shows the link if the link's amount is still due and the account still uses the provider.
    """
    provider = payment_providers.hold(tx, link.account_id)
    invoice = access.locked_invoice(tx, link.account_id, link.invoice_id)
    now = payment_links.find(tx, link.account_id, link.id) or link  # the key may have been changed meanwhile
    if now.state == CLOSED and now.provider_id is not None:
        return  # it was paid before we learned this, or another worker has closed it
    made = now._replace(state=LIVE, provider_id=provider_id, url=url, updated_at=tx.now)
    payment_links.save(tx, made)
    is_of_now = provider is not None and provider.takes_payments and provider.provider == link.provider
    if invoice is None or not is_of_now or now.is_former or not is_of_its_person(link, invoice):
        return
    if _wanted(invoice) == link.amount:
        _show(tx, invoice, made)


def is_of_its_person(link: LinkRow, invoice: InvoiceRow) -> bool:
    """True if a link was made for the tenant who is the invoice's current addressee.

    Older links, stored without a tenant, count as made for that tenant.
    """
    return link.tenant_id in (None, invoice.tenant_id)


def whose_else(tx: Tx, link: LinkRow) -> Why | None:
    """Explain why a payment through the link of an invoice's former tenant is refused.

    Return None if the invoice is still addressed to the link's tenant. The invoice's property is locked.
    """
    invoice = access.locked_invoice(tx, link.account_id, link.invoice_id)
    if invoice is None or link.tenant_id is None or is_of_its_person(link, invoice):
        return None
    payer = units.find_tenant_of_past(tx, link.account_id, link.tenant_id)
    names = {"payer": payer.name if payer else None, "number": invoice.number, "tenant": invoice.tenant_name}
    return Why.of(Reason.OF_SOMEBODY_ELSE, **{of: name for of, name in names.items() if name})


def learn(tx: Tx, account_id: str, provider: str, link_id: str, provider_id: str) -> LinkRow | None:
    """Find a link by `link_id`, and store its id at the provider if missing.

    Return None for an unknown link.
    """
    link = payment_links.find(tx, account_id, link_id)
    if link is None or link.provider != provider:
        return None
    access.locked_invoice(tx, account_id, link.invoice_id)
    now = payment_links.find(tx, account_id, link_id) or link
    if now.provider_id is None:
        now = now._replace(provider_id=provider_id, updated_at=tx.now)
        payment_links.save(tx, now)
    return now


def note_closed(tx: Tx, link: LinkRow) -> None:
    """Mark a link as closed, keeping everything else stored about it."""
    invoice = access.locked_invoice(tx, link.account_id, link.invoice_id)
    now = payment_links.find(tx, link.account_id, link.id) or link
    payment_links.save(tx, now._replace(state=CLOSED, updated_at=tx.now))
    if invoice is not None and invoice.payment_link_id == now.provider_id is not None:
        _hide(tx, Caller(link.account_id, link.provider), [_shown_by(invoice)])


def note_not_made(tx: Tx, link: LinkRow) -> None:
    """Mark a requested link as closed, unless another worker has made it meanwhile.

    Another worker may have taken over the job.
    """
    access.locked_invoice(tx, link.account_id, link.invoice_id)
    now = payment_links.find(tx, link.account_id, link.id)
    if now is not None and now.state == ASKED and now.provider_id is None:
        payment_links.save(tx, now._replace(state=CLOSED, updated_at=tx.now))


def used_up(tx: Tx, link: LinkRow) -> None:
    """Mark a paid link as closed, since each link can be paid only once.

    Another link is requested if the invoice still has a balance.
    """
    if link.state == CLOSED:
        return
    note_closed(tx, link)
    _look(tx, link.account_id, {link.invoice_id: f"{link.id} used"})


def look_again(tx: Tx, account_id: str) -> None:
    """Queue a check of all open links, for instance after the key was changed."""
    for some in payment_links.with_open_links(tx, account_id):
        look_at(tx, account_id, some)


def look_at(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Queue a check of these invoices' links, for instance if one is no longer needed."""
    once = tx.new_id("look")
    _look(tx, account_id, {invoice_id: f"{invoice_id} {once}" for invoice_id in invoice_ids})


def _look(tx: Tx, account_id: str, wanted: Mapping[str, str]) -> None:
    """Queue a check of each invoice's link under the invoice's unique key."""
    looks = [Wanted({"invoice": invoice_id}, invoice_id, key) for invoice_id, key in wanted.items()]
    jobs.enqueue_many(tx, account_id, LINK, looks, due_at=tx.moment)
