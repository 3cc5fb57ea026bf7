"""Bill files that tenants may see: chosen by a person, or clearly containing one bill."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from prorata.actions.accounts import access, accounts as account_actions
from prorata.domain.audit.verbs import Verb
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.documents import holds_one_bill
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags
from prorata.store.database.engine import Tx
from prorata.store.delivery import tenant_pages
from prorata.store.delivery.tenant_pages import SourceRow


class ShownBill(NamedTuple):
    """The visibility of a bill's file to tenants.

    `is_shown` is set if tenants may see the file, and `is_said` if a person decided this.
    """

    is_shown: bool
    is_said: bool


class _Noted(NamedTuple):
    """A person's decision on a bill file's visibility, as stored in the audit log."""

    property_id: str
    issuer_name: str
    tenants_see_it: bool


def documents_of(tx: Tx, account: AccountRow, sources: Sequence[SourceRow]) -> Mapping[str, str]:
    """Map bills to the documents that tenants may see; empty if bills aren't shown."""
    if not account.shows_bills:
        return {}
    known = _known(tx, account.id, sources)
    return {
        source.bill_id: source.document_id
        for source in sources
        if source.document_id and known[source.bill_id].is_shown
    }


def _known(tx: Tx, account_id: str, sources: Sequence[SourceRow]) -> dict[str, ShownBill]:
    alone = {source.bill_id: source.document_id for source in sources if source.document_id}
    tenant_words = tenant_pages.said_of(tx, account_id, sorted(alone))
    mine = [said_row for said_row in tenant_words if alone[said_row.bill_id] == said_row.document_id]
    return {
        said_row.bill_id: ShownBill(
            _as_read(said_row.draft) if said_row.is_shown is None else bool(said_row.is_shown),
            said_row.is_shown is not None,
        )
        for said_row in mine
    }


def _as_read(draft: str | None) -> bool:
    return holds_one_bill(msgspec.json.decode(draft, type=Draft) if draft else None)


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> ShownBill | None:
    """Find out whether tenants may see a bill's file.

    Return None if the account does not show bills to tenants, or if no PDF or picture is known to contain this
    bill alone. Raises `NotFound` if there is no such bill.
    """
    row = access.bill(tx, caller, bill_id)
    return of_bills(tx, caller, [row.id]).get(row.id)


def of_bills(tx: Tx, caller: Caller, bill_ids: Sequence[str]) -> Mapping[str, ShownBill]:
    """Map the caller's bills to the visibility of their files to tenants.

    Bills for which `of_bill` returns None are left out.
    """
    if not bill_ids or not account_actions.the_account(tx, caller).shows_bills:
        return {}
    return _known(tx, caller.account_id, tenant_pages.sources(tx, caller.account_id, list(bill_ids)))


def choose(tx: Tx, caller: Caller, bill_id: str, *, is_shown: bool) -> None:
    """Store a person's decision on whether tenants may see the file of a bill.

    Raises `NotFound` if there is no such bill, and `Conflict` if no PDF or picture contains this bill alone.
    """
    _, row = access.bill_to_change(tx, caller, bill_id)
    (source,) = tenant_pages.sources(tx, caller.account_id, [row.id])
    if source.document_id is None:
        raise Conflict(say("This bill has no file of its own to show to tenants."))
    before = _known(tx, caller.account_id, [source])[row.id]
    tenant_pages.say(tx, caller.account_id, row.id, source.document_id, is_shown=is_shown)
    flags.touch_bills(tx, caller.account_id, [row.id])
    noted = (_Noted(row.property_id, row.issuer_name, visibility) for visibility in (before.is_shown, is_shown))
    audit.record(tx, caller, Verb.SHOW_BILL_TO_TENANTS, row.id, before=next(noted), after=next(noted))
