"""Records sent to an erased tenant, from which the tenant's name is removed later."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import bindparam, delete, null, select, update

from prorata.domain.privacy.personal_words import FORMER_TENANT, Cutter, PersonalWords
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, columns_for, is_one_of, returns, saves
from prorata.store.privacy.own_records import Own
from prorata.store.schema.explanation_tables import invoice_explanation
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail_content
from prorata.store.schema.tables import charge, earlier_invoice, invoice, payment


class _Printed(NamedTuple):
    """The printed content of an invoice, with the invoice's id and number."""

    key: str
    number: str
    tenant_name: str | None
    printed: str | None


class _Described(NamedTuple):
    """A charge's description, with the charge's id and invoice."""

    invoice_id: str
    id: str
    description: str


_ids = is_one_of(invoice.c.id, "ids")
_PRINTED = returns(
    _Printed,
    select(*columns_for(_Printed, invoice, key=invoice.c.id)).where(invoice.c.account_id == bindparam("account"), _ids),
)
_EARLIER = returns(
    _Printed,
    select(*columns_for(_Printed, earlier_invoice, key=earlier_invoice.c.invoice_id)).where(
        earlier_invoice.c.account_id == bindparam("account"), earlier_invoice.c.tenant_id == bindparam("tenant")
    ),
)
_OF_UNIT = returns(
    _Printed,
    select(*columns_for(_Printed, invoice, key=invoice.c.id)).where(
        invoice.c.account_id == bindparam("account"), invoice.c.unit_id == bindparam("unit")
    ),
)
_EARLIER_OF_UNIT = returns(
    _Printed,
    select(*columns_for(_Printed, earlier_invoice, key=earlier_invoice.c.invoice_id))
    .join_from(invoice, earlier_invoice, named_by(invoice, earlier_invoice.c.invoice_id))
    .where(invoice.c.account_id == bindparam("account"), invoice.c.unit_id == bindparam("unit")),
)
_CHARGES = returns(
    _Described,
    select(*columns_for(_Described, charge)).where(
        charge.c.account_id == bindparam("account"), is_one_of(charge.c.invoice_id, "ids")
    ),
)
_SAVE_PRINTED = saves(invoice, only=("tenant_name", "tenant_email", "printed"))
_SAVE_EARLIER = saves(earlier_invoice, only=("tenant_name", "printed"))
_SAVE_SHARED = saves(invoice, only=("printed",))
_SAVE_EARLIER_SHARED = saves(earlier_invoice, only=("printed",))
_SAVE_CHARGE = saves(charge, only=("description",))
_DROP_NOTES = changes(
    update(payment)
    .where(payment.c.account_id == bindparam("account"), is_one_of(payment.c.invoice_id, "ids"))
    .values(note=null(), reference=null())
)
_DROP_EXPLANATIONS, _DROP_PDFS = (
    changes(delete(table).where(table.c.account_id == bindparam("account"), is_one_of(table.c[column], "ids")))
    for table, column in ((invoice_explanation, "invoice_id"), (mail_content, "mail_id"))
)


def words_of(tx: Tx, account_id: str, own: Own) -> PersonalWords:
    """Collect the names and addresses of a tenant that the sent invoices contain."""
    rows = _rows(tx, account_id, own)
    printed = [json.loads(row.printed) for row in rows if row.printed]
    names = {row.tenant_name for row in rows} | {content.get("tenant") for content in printed}
    return PersonalWords.of(names, {content.get("forwardingAddress") for content in printed})


def _rows(tx: Tx, account_id: str, own: Own) -> list[_Printed]:
    of_now = tx.all(_PRINTED, account=account_id, ids=own.invoices) if own.invoices else []
    return [*of_now, *tx.all(_EARLIER, account=account_id, tenant=own.tenant_id)]


def forget(tx: Tx, account_id: str, own: Own) -> None:
    """Remove a tenant's name from sent invoices, and keep the amounts.

    Further personal data are deleted: the PDFs, the explanations, and the notes and references of payments.
    """
    cutter = Cutter(words_of(tx, account_id, own))
    for printed in tx.all(_PRINTED, account=account_id, ids=own.invoices) if own.invoices else ():
        after = {"tenant_name": FORMER_TENANT, "tenant_email": None, "printed": _cut(printed.printed, cutter)}
        tx.run(_SAVE_PRINTED, **after, key_account_id=account_id, key_id=printed.key)
    for printed in tx.all(_EARLIER, account=account_id, tenant=own.tenant_id):
        after = {"tenant_name": FORMER_TENANT, "printed": _cut(printed.printed, cutter)}
        tx.run(_SAVE_EARLIER, **after, key_account_id=account_id, key_invoice_id=printed.key, key_number=printed.number)
    for charged in tx.all(_CHARGES, account=account_id, ids=own.invoices) if own.invoices else ():
        if (text := cutter.cut(charged.description)) != charged.description:
            key = {"key_account_id": account_id, "key_invoice_id": charged.invoice_id, "key_id": charged.id}
            tx.run(_SAVE_CHARGE, description=text, **key)
    for statement, ids in ((_DROP_NOTES, own.invoices), (_DROP_EXPLANATIONS, own.invoices), (_DROP_PDFS, own.messages)):
        if ids:
            tx.run(statement, account=account_id, ids=ids)


def leave_shared(tx: Tx, account_id: str, unit_id: str, names: Iterable[str]) -> None:
    """Remove a roommate's names from the sent invoices that another member of the household got."""
    for printed in tx.all(_OF_UNIT, account=account_id, unit=unit_id):
        if (left := _without(printed.printed, names)) != printed.printed:
            tx.run(_SAVE_SHARED, printed=left, key_account_id=account_id, key_id=printed.key)
    for printed in tx.all(_EARLIER_OF_UNIT, account=account_id, unit=unit_id):
        if (left := _without(printed.printed, names)) != printed.printed:
            key = {"key_account_id": account_id, "key_invoice_id": printed.key, "key_number": printed.number}
            tx.run(_SAVE_EARLIER_SHARED, printed=left, **key)


def _without(printed: str | None, names: Iterable[str]) -> str | None:
    kept = json.loads(printed or "{}")
    if not set(kept.get("roommates", ())).intersection(names):
        return printed
    left = [*kept["roommates"]]
    left.remove(next(name for name in left if name in names))  # a namesake stays
    return json.dumps(kept | {"roommates": left}, ensure_ascii=False)


def _cut(printed: str | None, cutter: Cutter) -> str | None:
    """Replace a tenant's name in an invoice's printed content.

    The forwarding address and the names of roommates are removed.
    """
    if printed is None:
        return None
    kept = json.loads(cutter.cut(printed))
    for name in ("forwardingAddress", "roommates"):
        kept.pop(name, None)
    return json.dumps(kept | {"tenant": FORMER_TENANT}, ensure_ascii=False)
