"""Events for programs, written at the end of the transaction that changes a record.

The content of an event shows the record at that time, in the form in which the API shows it. All events of a
transaction that have the same type and property are written as batches, each of which is one compressed row: an
import's 100,000 invoices become 5,000 rows. A worker numbers events once they are committed (`event_feed`), so no
transaction waits for a number.
"""

import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import bindparam, null, select, update

from prorata.domain.audit.verbs import Verb
from prorata.domain.due_times import day_in
from prorata.domain.groups import grouped
from prorata.domain.webhooks.events import EVENT_TYPES, GONE, EventType, noun_of
from prorata.store.accounts import accounts
from prorata.store.bills import bills, flags
from prorata.store.bills.bills import BillRow
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, is_one_of, returns, row_values, saves
from prorata.store.delivery import disputes
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow, InvoiceSummary
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow
from prorata.store.schema.webhook_tables import event_batch
from prorata.store.splitting import share_rules
from prorata.store.webhooks import event_content

_AT_ONCE = 500
"""The maximum number of records looked up together, and of events in a batch.

The number is limited because all events of a batch are decompressed to read one of them.
"""
_QUICKLY = 1
"""The compression level for content.

It is the fastest level, which reduces the content to a tenth of its size.
"""
_WORTH_IT = 2_048
"""The size in bytes from which content is compressed.

For smaller content, it takes longer to start the compression than to compress.
"""
_NAME = "outgoing events"


class BatchRow(NamedTuple):
    """A batch: events of one type about records of one property, from one transaction."""

    account_id: str
    id: str
    type: str
    property_id: str | None
    number: int
    first_sequence: int | None
    at: str
    record_ids: str
    content: bytes | None


class _Noted(NamedTuple):
    """A record about which the transaction will write an event at its end.

    `row` is the record's row after the change; it is None if the record does not exist, or is read at the end.
    `side` distinguishes two records with the same id, such as the entries of a carried credit.
    """

    account_id: str
    type: EventType
    record_id: str
    property_id: str | None
    row: Any
    side: str = ""

    @property
    def key(self) -> str:
        """The key that distinguishes the record from others in events of the same type."""
        return self.record_id + self.side


_mine = event_batch.c.account_id == bindparam("account")
_of_property = event_batch.c.property_id == bindparam("property")
_BLANK = changes(update(event_batch).where(_mine, _of_property).values(content=null()))
_OF_PROPERTY = returns(BatchRow, select(event_batch).where(_mine, _of_property, is_one_of(event_batch.c.type, "types")))
_SAVE_CONTENT = saves(event_batch, only=("content",))


def note_deeds(tx: Tx, account_id: str, verb: Verb, changed: Sequence[tuple[str, Any, Any]]) -> None:
    """Note an event for each record to which the action `verb` was applied.

    Nothing is noted if the action has no events. Each of `changed` is a record's id, and the record before and
    after the change.
    """
    for event_type in verb.tells:
        noted = _of(tx)
        for record_id, before, after in changed:
            row = after if after is not None else before
            property_id = record_id if record_id.startswith("prop_") else getattr(row, "property_id", None)
            noted.add(_Noted(account_id, event_type, record_id, property_id, after))


def note_updated(tx: Tx, rows: Sequence[InvoiceRow]) -> None:
    """Note events for invoices that were updated, but whose status has not changed."""
    noted = _of(tx)
    for row in rows:
        noted.add(_Noted(row.account_id, "invoice.updated", row.id, row.property_id, row))


def note_shown(tx: Tx, rows: Sequence[InvoiceSummary]) -> None:
    """Remember invoices that were just read, for the contents of their events.

    The invoices need not be read again at the end of the transaction, unless they change again.
    """
    _of(tx).shown.update({row.id: row for row in rows})


def note_updated_bill(tx: Tx, row: BillRow) -> None:
    """Note an event for a bill whose data in the API, such as flags, changed."""
    flags.touch_bills(tx, row.account_id, [row.id])
    _of(tx).add(_Noted(row.account_id, "bill.updated", row.id, row.property_id, None))


def note_payment(tx: Tx, row: PaymentRow, property_id: str) -> None:
    """Note an event for a new ledger entry of an invoice of this property."""
    content = event_content.of_payment(row)
    _of(tx).add(_Noted(row.account_id, "payment.recorded", row.id, property_id, content, row.invoice_id))


def note_dispute(tx: Tx, account_id: str, event_type: EventType, dispute_id: str, property_id: str) -> None:
    """Note an event for a dispute that has changed, about an invoice of this property."""
    disputes.touch(tx, account_id, dispute_id)
    _of(tx).add(_Noted(account_id, event_type, dispute_id, property_id, None))


def note_gone(tx: Tx, account_id: str, event_type: EventType, record_id: str, property_id: str) -> None:
    """Note an event for a record of this property that was deleted."""
    _of(tx).add(_Noted(account_id, event_type, record_id, property_id, None))


def gone(tx: Tx, account_id: str, property_id: str, event_type: EventType, record_ids: Sequence[str]) -> list[BatchRow]:
    """Build batches of events for deleted records of one property."""
    contents = [
        (record_id, event_content.encoded(event_content.named(record_id, property_id))) for record_id in record_ids
    ]
    some = [contents[begin : begin + _AT_ONCE] for begin in range(0, len(contents), _AT_ONCE)]
    return [batch(tx, account_id, event_type, property_id, chunk) for chunk in some]


def batch(
    tx: Tx, account_id: str, event_type: EventType, property_id: str | None, said: Sequence[tuple[str, bytes]]
) -> BatchRow:
    """Build a batch of events; `said` contains each record's id and its event's content."""
    content = _kept([record_content for _, record_content in said])
    ids = " ".join(record_id for record_id, _ in said)
    return BatchRow(
        account_id, tx.new_late_id("evt"), event_type, property_id, len(said), None, tx.now, ids, content
    )  # fmt: skip


def created(
    tx: Tx, account_id: str, property_id: str, made: Sequence[tuple[InvoiceSummary, Fraction | None]]
) -> list[BatchRow]:
    """Build batches of events for new invoices of one property.

    `made` contains the invoices, each with its unit's floor area, which is shown in the event.
    """
    contents = [(row.id, event_content.encoded(event_content.of_invoice(row, sqft))) for row, sqft in made]
    some = [contents[begin : begin + _AT_ONCE] for begin in range(0, len(contents), _AT_ONCE)]
    return [batch(tx, account_id, "invoice.created", property_id, chunk) for chunk in some]


def recalculated(tx: Tx, account_id: str, property_id: str, month: str, number: int) -> BatchRow:
    """Build a batch with one event: a month was recalculated, and has `number` invoices."""
    content = event_content.encoded(event_content.of_month(property_id, month, number))
    return batch(tx, account_id, "charges.recalculated", property_id, [(property_id, content)])


def add(tx: Tx, rows: Sequence[BatchRow]) -> None:
    """Store batches of events, which have no numbers yet."""
    tx.add_many("event_batch", BatchRow._fields, rows)


def contents_of(row: BatchRow) -> list[bytes]:
    """Return the content of each event in a batch.

    If the batch was blanked, each content has only the ids of the event's record and property.
    """
    if row.content is not None:
        return (row.content if row.content[:1] == b"{" else zlib.decompress(row.content)).split(b"\n")
    ids = row.record_ids.split(" ")
    return [event_content.encoded(event_content.named(record_id, row.property_id)) for record_id in ids]


def _kept(contents: Sequence[bytes]) -> bytes:
    """Encode the contents of several events for storage, each JSON object on its own line.

    The lines are compressed if they have `_WORTH_IT` bytes or more.
    """
    lines = b"\n".join(contents)
    return lines if len(lines) < _WORTH_IT else zlib.compress(lines, _QUICKLY)


def event_id(row: BatchRow, place: int) -> str:
    """Build an event's id from its batch and its position there, counted from 0."""
    return row.id if row.number == 1 else f"{row.id}_{place}"


def forget_property(tx: Tx, account_id: str, property_id: str) -> None:
    """Blank the events of a property that is being deleted, and of its records."""
    tx.run(_BLANK, account=account_id, property=property_id)


def forget_tenant(tx: Tx, row: TenantRow, names: Collection[str]) -> None:
    """Blank the events of a tenant who was entered by mistake.

    In the events of the unit's invoices, the recipient is removed if it is one of `names`, all of the names that
    the tenant ever had.
    """
    of_tenants = ("tenant.created", "tenant.updated")
    of_invoices = tuple(event_type for event_type in EVENT_TYPES if event_type.startswith("invoice."))
    blanked = event_content.encoded(event_content.named(row.id, row.property_id))

    def without(about: str, content: bytes) -> bytes:
        return blanked if about == row.id else event_content.without_tenant(content, row.unit_id, names)

    types = [*of_tenants, *of_invoices]
    for batch in tx.all(_OF_PROPERTY, account=row.account_id, property=row.property_id, types=types):
        if batch.content is None:
            continue
        told = contents_of(batch)
        after = [
            without(about, record_content)
            for about, record_content in zip(batch.record_ids.split(" "), told, strict=True)
        ]
        if after != told:
            blank = batch._replace(content=_kept(after))
            tx.run(_SAVE_CONTENT, **row_values(event_batch, blank, ("content",)))


class _Told:
    """The events that a transaction writes at its end, one for each record and type.

    Each event shows its record at the end of the transaction.
    """

    def __init__(self) -> None:
        self.shown: dict[str, InvoiceSummary] = {}
        """The invoices that were read since their last noted change, by id."""
        self._noted: dict[tuple[str, str, str], _Noted] = {}

    def add(self, noted: _Noted) -> None:
        """Note an event, replacing an earlier event of the same type about the record."""
        self._noted[noted.account_id, noted.type, noted.key] = noted
        self.shown.pop(noted.record_id, None)

    def write(self, tx: Tx) -> None:
        """Write all noted events, reading and writing some records at a time."""
        by_noun = grouped(((change.account_id, noun_of(change.type)), change) for change in self._noted.values())
        for (account_id, noun), noted in by_noun.items():
            for begin in range(0, len(noted), _AT_ONCE):
                add(tx, list(_batches(tx, account_id, noun, noted[begin : begin + _AT_ONCE], self.shown)))


def _of(tx: Tx) -> _Told:
    return tx.at_the_end(_NAME, _Told)


def _batches(
    tx: Tx, account_id: str, noun: str, noted: Sequence[_Noted], known: Mapping[str, InvoiceSummary]
) -> Iterator[BatchRow]:
    """Build batches of the events about records of one kind (`noun`).

    If a record no longer exists at the end of the transaction, the only event built for it is the one about its
    deletion.
    """
    read = {
        change.record_id: event_content.of_invoice(known[change.record_id])
        for change in noted
        if change.record_id in known
    }
    asked = [change for change in noted if change.type not in GONE and change.record_id not in read]
    shown = {**read, **_LOOK_UP[noun](tx, account_id, asked)}
    by_place: dict[tuple[EventType, str | None], list[tuple[str, bytes]]] = defaultdict(list)
    for change in noted:
        content = shown.get(change.key)
        if content is None and (change.type in GONE or change.type == "share_rule.changed"):
            content = event_content.named(change.record_id, change.property_id)
        if content is not None:
            where = change.property_id or content.get("propertyId")
            by_place[change.type, where].append((change.record_id, event_content.encoded(content)))
    for (event_type, where), contents in by_place.items():
        yield batch(tx, account_id, event_type, where, contents)


Contents = Mapping[str, Mapping[str, Any]]


def _properties(_tx: Tx, _account_id: str, noted: Sequence[_Noted]) -> Contents:
    return {
        change.record_id: event_content.of_property(change.row)
        for change in noted
        if isinstance(change.row, PropertyRow)
    }


def _units(tx: Tx, account_id: str, noted: Sequence[_Noted]) -> Contents:
    account = accounts.find(tx, account_id) if any(change.row.active_to for change in noted) else None
    today = (day_in(tx.moment, account.timezone) if account else date.min).isoformat()
    return {change.record_id: event_content.of_unit(change.row, today) for change in noted}


def _tenants(_tx: Tx, _account_id: str, noted: Sequence[_Noted]) -> Contents:
    return {change.record_id: event_content.of_tenant(change.row) for change in noted}


def _rules(tx: Tx, account_id: str, noted: Sequence[_Noted]) -> Contents:
    there = [change for change in noted if change.row is not None]
    ids = sorted({change.row.property_id for change in there})
    versions = share_rules.former_of_properties(tx, account_id, ids) if ids else ()
    former = grouped(((version.property_id, version.utility_type), version) for version in versions)
    weighted = sorted(
        {row.property_id for row in (*(change.row for change in there), *chain(*former.values())) if row.weights}
    )
    labels = {unit.id: unit.label for unit in units.of_properties(tx, account_id, weighted)} if weighted else {}
    of_rule = event_content.of_rule
    return {
        change.record_id: of_rule(change.row, former[change.row.property_id, change.row.utility_type], labels)
        for change in there
    }


def _split_methods(_tx: Tx, _account_id: str, noted: Sequence[_Noted]) -> Contents:
    return {change.record_id: event_content.of_split_method(change.row) for change in noted if change.row is not None}


def _bills(tx: Tx, account_id: str, noted: Sequence[_Noted]) -> Contents:
    ids = [change.record_id for change in noted]
    return {row.id: event_content.of_bill(row) for row in bills.summaries(tx, account_id, ids)}


def _invoices(tx: Tx, account_id: str, noted: Sequence[_Noted]) -> Contents:
    ids = [change.record_id for change in noted]
    return {row.id: event_content.of_invoice(row) for row in invoices.summaries(tx, account_id, ids)}


def _disputes(tx: Tx, account_id: str, noted: Sequence[_Noted]) -> Contents:
    ids = [change.record_id for change in noted]
    files = grouped((file.question_id, file) for file in disputes.files_of(tx, account_id, ids))
    rows = disputes.find_many(tx, account_id, ids)
    return {row.question_id: event_content.of_dispute(row, files[row.question_id]) for row in rows}


def _tests(_tx: Tx, _account_id: str, noted: Sequence[_Noted]) -> Contents:
    return {change.record_id: {"id": change.record_id, "url": change.row.url} for change in noted}


def _as_said(_tx: Tx, _account_id: str, noted: Sequence[_Noted]) -> Contents:
    return {change.key: change.row for change in noted}


_LOOK_UP = {
    "property": _properties,
    "unit": _units,
    "tenant": _tenants,
    "share_rule": _rules,
    "split_method": _split_methods,
    "bill": _bills,
    "invoice": _invoices,
    "payment": _as_said,
    "webhook": _tests,
    "dispute": _disputes,
    "document": _as_said,
}
