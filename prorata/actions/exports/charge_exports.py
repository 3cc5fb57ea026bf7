"""Charge files for other programs: previews and contents (docs/charge-files.md).

A file's content is stored unchanged, so that the file can be downloaded again, byte for byte. An invoice in one
file is left out of later files, so that nobody is charged twice.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.exports.charge_names import known_names
from prorata.actions.limits import MOST_CHARGE_FAULTS_NAMED, MOST_CHARGE_FILES_LISTED, MOST_INVOICES_LOOKED_THROUGH
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, day_of, month_in_words
from prorata.domain.countries import in_area_unit
from prorata.domain.exports.charge_exports import (
    Change,
    ExportedCharge,
    ExportedInvoice,
    Lacking,
    Written,
    change_of,
    head,
    statuses,
    utility_of,
    written,
)
from prorata.domain.exports.charge_layouts import ACCOUNT, UTILITIES, Layout, Rows
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import DRAFT
from prorata.domain.limits import MOST_INVOICES_OF_CHARGE_FILE
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.accounts import accounts
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.exports import charge_exports
from prorata.store.exports.charge_exports import CandidateRow, ExportedRow, ExportRow, Scope
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow
from prorata.store.properties import properties

INVOICES_AT_ONCE = 500
_SEVERAL_CURRENCIES = say(
    "These invoices are in several currencies, but a file can contain only one. Choose a currency first."
)
_NOTHING = "The file would be empty: {}"


class Wish(NamedTuple):
    """The choice of invoices for a charge file.

    `property_id` and `currency` are None for all properties and all currencies. If `drafts` is set, drafts are
    included; if `again` is set, invoices that are already in a charge file are included. `rows` chooses between a
    row for each charge and a row for each invoice. `most` is the maximum number of invoices.
    """

    month: Month
    property_id: str | None = None
    drafts: bool = False
    again: bool = False
    rows: Rows = "charge"
    most: int = MOST_INVOICES_OF_CHARGE_FILE
    currency: str | None = None


class LeftOut(NamedTuple):
    """An invoice that can't go into a charge file, with the reason as a sentence."""

    invoice_id: str
    number: str
    why: str


class LackingName(NamedTuple):
    """A name in the other program that an invoice needs and nobody has entered yet.

    If the name is that of a property, unit or tenant, `property_id` is the property; for the name of the account or of
    a utility type, it is None. `invoices` is the number of invoices that can't be exported without the name.
    """

    lacking: Lacking
    property_id: str | None
    invoices: int


class Made(NamedTuple):
    """A charge file, and the number of its invoices that have changed since."""

    row: ExportRow
    changed: int


class NotedFile(NamedTuple):
    """A charge file as stored in the audit log.

    The entry contains the file's name, the other program, the month, the content, and the total in cents.
    """

    name: str
    system: str
    month: str
    invoices: int
    rows: int
    total: int
    currency: str


class Looked:
    """A preview of a charge file, which counts its invoices one by one (`take`).

    It counts the invoices, the drafts among them, their rows in the file, and the invoices that can't go into the
    file. `there` is the number of invoices that are already in another charge file, up to
    `MOST_INVOICES_OF_CHARGE_FILE`. `has_more` is set if further invoices don't fit.
    """

    def __init__(self, there: int = 0, *, has_more: bool = False) -> None:
        self.invoices = self.drafts = self.rows = self.number_left_out = self.number_lacking = 0
        self.left_out: list[LeftOut] = []
        self.there = there
        self.has_more = has_more
        self._totals: Counter[str] = Counter()
        self._lacking: Counter[tuple[Lacking, str | None]] = Counter()

    @property
    def totals(self) -> tuple[tuple[str, int], ...]:
        """The totals in cents by currency."""
        return tuple(sorted(self._totals.items()))

    @property
    def lacking(self) -> tuple[LackingName, ...]:
        """The missing names, starting with the name that the most invoices need."""
        most = self._lacking.most_common(MOST_CHARGE_FAULTS_NAMED)
        return tuple(LackingName(lack, place, number) for (lack, place), number in most)

    def take(self, row: CandidateRow, made: Written) -> None:
        """Add an invoice to the preview's counts."""
        if made.is_left_out:
            self.number_left_out += 1
            self.number_lacking += bool(made.lacking)
            for lacking in made.lacking:
                of_account = lacking.record_id in UTILITIES or lacking.record_id == ACCOUNT
                self._lacking[lacking, None if of_account else row.property_id] += 1
            if made.problem and len(self.left_out) < MOST_CHARGE_FAULTS_NAMED:
                self.left_out.append(LeftOut(row.id, row.number, made.problem))
            return
        self.invoices += 1
        self.drafts += row.status == DRAFT
        self.rows += made.rows
        self._totals[row.currency] += row.total


def look(tx: Tx, caller: Caller, layout: Layout, wish: Wish) -> Looked:
    """Preview the next charge file; `tx` must show one state of the database throughout.

    Raises `NotFound` if there is no such property.
    """
    scope, most = _scope(tx, caller, layout, wish), _most(wish)
    next_invoices = charge_exports.next_ones(
        tx, caller.account_id, scope, again=wish.again, limit=MOST_INVOICES_LOOKED_THROUGH + 1
    )
    there = charge_exports.number_there(tx, caller.account_id, scope, limit=MOST_INVOICES_OF_CHARGE_FILE)
    looked = Looked(there, has_more=len(next_invoices) > MOST_INVOICES_LOOKED_THROUGH)
    for row, made in _written(
        tx, caller, layout, wish, [place.id for place in next_invoices[:MOST_INVOICES_LOOKED_THROUGH]]
    ):
        if looked.invoices == most and not made.is_left_out:
            looked.has_more = True
            break
        looked.take(row, made)
    return looked


def make(tx: Tx, caller: Caller, layout: Layout, wish: Wish) -> ExportRow:
    """Make a charge file and store it.

    If another call is making a file, this one waits, so that no invoice gets into two files. Raises `NotFound` if
    there is no such property, and `Conflict` if no invoice can go into the file, or if the invoices have several
    currencies.
    """
    accounts.lock(tx, caller.account_id)
    scope = _scope(tx, caller, layout, wish)
    next_invoices = charge_exports.next_ones(
        tx, caller.account_id, scope, again=wish.again, limit=MOST_INVOICES_LOOKED_THROUGH
    )
    properties.lock_many(tx, caller.account_id, sorted({place.property_id for place in next_invoices}))
    export_id, gathered, most = tx.new_id("cexp"), Looked(), _most(wish)
    rows: list[ExportedRow] = []
    for row, made in _written(tx, caller, layout, wish, [place.id for place in next_invoices]):
        gathered.take(row, made)
        if not made.is_left_out:
            rows.append(_exported(caller, layout, export_id, gathered.invoices, row, made))
        if gathered.invoices == most:
            break  # omitted invoices take up no room
    if not rows:
        raise Conflict(_NOTHING.format(_why_nothing(gathered)))
    if len(gathered.totals) > 1:
        raise Conflict(_SEVERAL_CURRENCIES)
    ((currency, total),) = gathered.totals
    name = f"{layout.system}-{wish.month}-{export_id[-6:]}{layout.ends}"
    export = ExportRow(
        caller.account_id, export_id, layout.system, wish.month, wish.property_id, name, layout.encoding, head(layout),
        gathered.invoices, gathered.rows, total, currency, tx.now,
    )  # fmt: skip
    charge_exports.add(tx, export)
    charge_exports.add_invoices(tx, rows)
    noted = NotedFile(name, layout.system, wish.month, gathered.invoices, gathered.rows, total, currency)
    audit.record(tx, caller, Verb.MAKE_CHARGE_FILE, export.id, after=noted, property_id=wish.property_id)
    return export


def _exported(
    caller: Caller, layout: Layout, export_id: str, place: int, row: CandidateRow, made: Written
) -> ExportedRow:
    return ExportedRow(
        caller.account_id, export_id, place, row.number, layout.system, row.property_id, row.total, made.text,
        row.tenant_id,
    )  # fmt: skip


def _why_nothing(gathered: Looked) -> str:
    if gathered.number_lacking:
        return "some of the other program's names have not been given yet. Give them first, then create the file."
    if gathered.left_out:
        return gathered.left_out[0].why
    return "every sent invoice is already in a file. Choose another month, or include drafts."


def _most(wish: Wish) -> int:
    return max(1, min(wish.most, MOST_INVOICES_OF_CHARGE_FILE))


def _scope(tx: Tx, caller: Caller, layout: Layout, wish: Wish) -> Scope:
    if wish.property_id:
        access.property_(tx, caller, wish.property_id)
    return Scope(layout.system, wish.month, wish.property_id, statuses(drafts=wish.drafts), wish.currency)


def _written(
    tx: Tx, caller: Caller, layout: Layout, wish: Wish, invoice_ids: Sequence[str]
) -> Iterator[tuple[CandidateRow, Written]]:
    """Yield invoices with their rows of a charge file, loading a few hundred at once.

    Invoices that must no longer be charged are skipped.
    """
    of_account = known_names(tx, caller, layout, (*UTILITIES, ACCOUNT))
    wanted = statuses(drafts=wish.drafts)
    for at in range(0, len(invoice_ids), INVOICES_AT_ONCE):
        ids = list(invoice_ids[at : at + INVOICES_AT_ONCE])
        rows = [row for row in charge_exports.candidates(tx, caller.account_id, ids) if row.status in wanted]
        charges = grouped((charge.invoice_id, charge) for charge in invoices.charges(tx, caller.account_id, ids))
        records = {
            record_id for row in rows for record_id in (row.property_id, row.unit_id, row.tenant_id) if record_id
        }
        names = {**of_account, **known_names(tx, caller, layout, records)}
        for row in rows:
            if row.tenant_id is not None:
                yield row, written(layout, _invoice(row, charges[row.id]), names, wish.rows)


def _invoice(row: CandidateRow, charges: Sequence[ChargeRow]) -> ExportedInvoice:
    return ExportedInvoice(
        row.number,
        row.property_id,
        row.property_name,
        row.unit_id,
        row.unit_label,
        row.tenant_id or "",
        row.tenant_name or "",
        month_in_words(Month(row.month)),
        date.fromisoformat(row.invoice_date),
        day_of(row.due_date),
        row.total,
        tuple(_charge(charge, row.country) for charge in charges),
    )


def _charge(row: ChargeRow, country: str) -> ExportedCharge:
    is_of_bill = row.bill_id is not None
    description = in_area_unit(row.description, country) if is_of_bill else row.description
    return ExportedCharge(utility_of(row.utility_type, is_of_bill=is_of_bill), row.amount, description)


def find(tx: Tx, caller: Caller, export_id: str) -> ExportRow:
    """Find a charge file of the caller.

    Raises `NotFound` (CHARGE_FILE_NOT_FOUND).
    """
    return access.the_one(charge_exports.find, tx, caller, export_id, "cexp", "charge file")


def listed(tx: Tx, caller: Caller, layout: Layout) -> tuple[Made, ...]:
    """List the latest charge files for another program, each with its number of changed invoices.

    An invoice counts if it has changed since the file was made.
    """
    rows = charge_exports.latest(tx, caller.account_id, layout.system, MOST_CHARGE_FILES_LISTED)
    changed = charge_exports.numbers_changed(tx, caller.account_id, [row.id for row in rows])
    return tuple(Made(row, changed.get(row.id, 0)) for row in rows)


def changes(tx: Tx, caller: Caller, export: ExportRow) -> tuple[Change, ...]:
    """List a charge file's changed invoices that are in no later file.

    An invoice counts if it has changed since the file was made. At most `MOST_CHARGE_FAULTS_NAMED` invoices are
    listed.
    """
    rows = charge_exports.changed(tx, caller.account_id, export.id, MOST_CHARGE_FAULTS_NAMED)
    its_changes = (
        change_of(
            row.invoice_id,
            row.number,
            row.amount,
            row.total,
            row.status,
            is_anothers=bool(row.is_anothers),
            replaced_by=row.replaced_by,
        )
        for row in rows
    )
    return tuple(change for change in its_changes if change is not None)


def pieces(tx: Tx, export: ExportRow) -> Iterator[bytes]:
    """Yield a charge file's stored content, in pieces.

    A character that the file's encoding lacks becomes a question mark.
    """
    yield export.head.encode(export.encoding, "replace")
    for lines in tx.pieces(charge_exports.lines(export.account_id, export.id), INVOICES_AT_ONCE):
        yield "".join(lines).encode(export.encoding, "replace")
