"""Which files of bills tenants may see: those that were read plainly as one bill, and those that somebody said are."""

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
    """Whether tenants may see the file of a bill, and whether a person said so, or how it was read."""

    is_shown: bool
    is_said: bool


class _Noted(NamedTuple):
    """What is written down when somebody says it."""

    property_id: str
    issuer_name: str
    tenants_see_it: bool


def documents_of(tx: Tx, account: AccountRow, sources: Sequence[SourceRow]) -> Mapping[str, str]:
    """The documents that tenants may see, by the bills that they hold; none where the account shows none."""
    if not account.shows_bills:
        return {}
    known = _known(tx, account.id, sources)
    return {one.bill_id: one.document_id for one in sources if one.document_id and known[one.bill_id].is_shown}


def _known(tx: Tx, account_id: str, sources: Sequence[SourceRow]) -> dict[str, ShownBill]:
    alone = {one.bill_id: one.document_id for one in sources if one.document_id}
    said = tenant_pages.said_of(tx, account_id, sorted(alone))
    mine = [one for one in said if alone[one.bill_id] == one.document_id]
    return {
        one.bill_id: ShownBill(
            _as_read(one.draft) if one.is_shown is None else bool(one.is_shown), one.is_shown is not None
        )
        for one in mine
    }


def _as_read(draft: str | None) -> bool:
    return holds_one_bill(msgspec.json.decode(draft, type=Draft) if draft else None)


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> ShownBill | None:
    """How it stands with a bill; None where the account shows none, or no PDF or picture holds this bill alone as
    far as it is known. Raises `NotFound`.
    """
    row = access.bill(tx, caller, bill_id)
    return of_bills(tx, caller, [row.id]).get(row.id)


def of_bills(tx: Tx, caller: Caller, bill_ids: Sequence[str]) -> Mapping[str, ShownBill]:
    """How it stands with several bills of the caller; without those of which `of_bill` has nothing."""
    if not bill_ids or not account_actions.the_account(tx, caller).shows_bills:
        return {}
    return _known(tx, caller.account_id, tenant_pages.sources(tx, caller.account_id, list(bill_ids)))


def choose(tx: Tx, caller: Caller, bill_id: str, *, is_shown: bool) -> None:
    """Say whether tenants may see the file of a bill, which somebody has looked at. Raises `NotFound`, and `Conflict`
    where no PDF or picture holds this bill alone.
    """
    _, row = access.bill_to_change(tx, caller, bill_id)
    (source,) = tenant_pages.sources(tx, caller.account_id, [row.id])
    if source.document_id is None:
        raise Conflict(say("This bill has no file of its own, so tenants can't be shown one."))
    before = _known(tx, caller.account_id, [source])[row.id]
    tenant_pages.say(tx, caller.account_id, row.id, source.document_id, is_shown=is_shown)
    flags.touch_bills(tx, caller.account_id, [row.id])
    noted = (_Noted(row.property_id, row.issuer_name, one) for one in (before.is_shown, is_shown))
    audit.record(tx, caller, Verb.SHOW_BILL_TO_TENANTS, row.id, before=next(noted), after=next(noted))
