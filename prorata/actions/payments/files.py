"""Bank and ledger files with payments: stored as received, and matched to invoices.

A row may be matched to its invoices, or get proposals from which a person chooses. `recording` records the rows.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from prorata.actions.accounts import access, accounts as account_actions, file_columns
from prorata.actions.intake.stored_sheets import packed, unpacked
from prorata.actions.limits import MOST_PAYMENT_FILES_LISTED
from prorata.actions.payments.picks import Picks
from prorata.actions.printing.roommates import names_beside
from prorata.domain.audit.verbs import Verb
from prorata.domain.file_names import clean_name
from prorata.domain.files.column_mappings import ColumnMapping, remembered_by
from prorata.domain.files.row_words import SumRow
from prorata.domain.files.sheets import RowProblem, Sheet, with_header_in
from prorata.domain.limits import MOST_PAYMENT_ROWS
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.payments.candidates import (
    Alike,
    KnownInvoice,
    Told,
    bank_reference,
    days_about,
    entered_alike,
    told_before,
)
from prorata.domain.payments.columns import MONEY_FIELDS, OF_PAYMENTS, why_none
from prorata.domain.payments.files import (
    CLOSED,
    OPEN,
    BankRow,
    ReadRows,
    Understood,
    currency_of,
    read_rows,
    understood,
)
from prorata.domain.payments.matching import Books, Match, Verdict, match_all
from prorata.domain.payments.named_numbers import months_named, numbers_named
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.ids import is_id
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import tenant_pages
from prorata.store.invoices import earlier_invoices
from prorata.store.limits import MOST_CANDIDATE_INVOICES
from prorata.store.payments import candidates as payment_candidates, files as payment_files, payments as stored
from prorata.store.payments.files import PaymentFileRow
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow

_TOO_LONG = say(
    "The file has more than {f} rows. Split it, for example by month, and upload the parts.", f=Count(MOST_PAYMENT_ROWS)
)
_CLOSED = say("This file has been marked as done. Reopen it first.")


class Choices(NamedTuple):
    """A person's choices for a bank file.

    `header_line` is the line of the header, and `mapping` the column mapping. `same` contains the fingerprints of
    rows that repeat payments recorded earlier with other wording, and `aside` those of rows that are not payments
    from tenants. `picks` are the invoices chosen for rows.
    """

    header_line: int
    mapping: ColumnMapping | None = None
    same: tuple[str, ...] = ()
    picks: Picks = Picks()
    aside: tuple[str, ...] = ()


class PaymentFile(NamedTuple):
    """A bank file with the header, column mapping and formats for reading it.

    The header line and the column mapping may come from an earlier file. `said` is the column mapping that a person
    chose; `same`, `aside` and `picks` are as in `Choices`. `currency` is the currency of at least one property; the
    file's amounts and days are formatted as in `country`.
    """

    row: PaymentFileRow
    understood: Understood
    is_remembered: bool
    said: ColumnMapping
    same: tuple[str, ...]
    country: str
    currency: str
    picks: Picks = Picks()
    aside: tuple[str, ...] = ()


class LookedAt(NamedTuple):
    """A file's rows as they match the current records.

    `waiting` are the rows that wait for a person, in file order. `recorded` are the lines of recorded rows, and
    `problems` are the problems of rows that can't be read. `left_out` is the number of rows that are not incoming
    money, `sums` are the rows that sum up others, and `aside` the rows that a person set aside. `is_cut` is set if
    not all of the account's invoices and similar payments were compared.
    """

    waiting: tuple[Match, ...]
    recorded: tuple[int, ...]
    problems: tuple[RowProblem, ...]
    left_out: int
    currency: str
    is_cut: bool = False
    sums: tuple[SumRow, ...] = ()
    aside: tuple[BankRow, ...] = ()

    def of(self, verdict: Verdict) -> list[Match]:
        """List the waiting rows with this verdict: matched, proposed or not matched."""
        return [match for match in self.waiting if match.verdict == verdict]


def keep(tx: Tx, caller: Caller, name: str, content: bytes, sheet: Sheet) -> str:
    """Store an uploaded file that was parsed, and return its id, `pfile_…`.

    If the same bytes are stored already, the id of that file is returned. Raises `InvalidRequest` if the file has no
    rows, too many, or none that can be a payment.
    """
    require_payments(sheet)
    if there := kept_of(tx, caller, content):
        return there.id
    digest = sha256(content).hexdigest()
    row = PaymentFileRow(
        caller.account_id, tx.new_id("pfile"), clean_name(name), digest, len(sheet.rows), 0, None, OPEN, tx.now, tx.now
    )
    payment_files.add(tx, row, content, packed(sheet))
    audit.record(tx, caller, Verb.BRING_PAYMENTS, row.id, after=row)
    return row.id


def require_payments(sheet: Sheet) -> None:
    """Raise `InvalidRequest` for a table with no rows, too many, or no payment."""
    if why := why_none(sheet):
        raise InvalidRequest(why)
    if len(sheet.rows) > MOST_PAYMENT_ROWS:
        raise InvalidRequest(_TOO_LONG)


def kept_of(tx: Tx, caller: Caller, content: bytes) -> PaymentFileRow | None:
    """Find the stored file with exactly these bytes."""
    there = payment_files.with_digest(tx, caller.account_id, sha256(content).hexdigest())
    return payment_files.find(tx, caller.account_id, there) if there else None


class Files(NamedTuple):
    """Stored files in one state, latest first.

    `further` is the id of the last file listed, or None if there are no more.
    """

    rows: list[PaymentFileRow]
    further: str | None


def listed(tx: Tx, caller: Caller, state: str, behind: str = "") -> Files:
    """List the latest files in a state, or those uploaded before the file `behind`."""
    before = behind if is_id(behind, "pfile") else None
    rows = payment_files.latest(tx, caller.account_id, state, MOST_PAYMENT_FILES_LISTED + 1, before=before)
    return Files(
        rows[:MOST_PAYMENT_FILES_LISTED],
        rows[MOST_PAYMENT_FILES_LISTED - 1].id if len(rows) > MOST_PAYMENT_FILES_LISTED else None,
    )


def find(tx: Tx, caller: Caller, file_id: str) -> PaymentFile:
    """Load a stored file, parsed with its choices.

    Raises `NotFound` if there is no such file.
    """
    row = payment_files.find(tx, caller.account_id, file_id) if is_id(file_id, "pfile") else None
    kept = payment_files.sheet(tx, caller.account_id, file_id) if row else None
    if row is None or kept is None:
        raise NotFound("payments file")
    return read_as(tx, caller, row, unpacked(kept), said_of(row))


def said_of(row: PaymentFileRow) -> Choices | None:
    """Decode a person's stored choices for a file."""
    return msgspec.json.decode(row.choices, type=Choices) if row.choices else None


def read_as(tx: Tx, caller: Caller, row: PaymentFileRow, sheet: Sheet, choices: Choices | None) -> PaymentFile:
    """Parse a file with a person's choices, or those stored for the same columns."""
    mapping, is_remembered = choices.mapping if choices else None, False
    if choices is not None:
        sheet = with_header_in(sheet, choices.header_line)
    if mapping is None:
        sheet, mapping = file_columns.recall(tx, caller, sheet, OF_PAYMENTS, is_fixed=choices is not None)
        is_remembered = mapping is not None
    houses = properties.all_of(tx, caller.account_id)
    countries = sorted({house.country for house in houses})
    usual, customs = _customs(account_actions.the_account(tx, caller).currency, houses)
    understanding = understood(sheet, mapping, countries, usual)
    currency = currency_of(sheet, understanding.fields, usual, sorted(customs.keys() - {usual}))
    if currency != usual:
        understanding = understood(sheet, mapping, countries, currency)
    said = choices or Choices(sheet.header_line)
    return PaymentFile(
        row, understanding, is_remembered, mapping or ColumnMapping(), said.same, customs[currency], currency,
        said.picks, said.aside,
    )  # fmt: skip


def choose(
    tx: Tx, caller: Caller, file_id: str, line: int, mapping: ColumnMapping | None = None, *, remember: bool = False
) -> None:
    """Store a file's header line and column mapping.

    With `remember`, the mapping is also stored for later files with this header or similar columns. Raises `NotFound`
    if there is no such file, `Conflict` if it is done, and `InvalidRequest` if it can't be parsed in this way.
    """
    row = to_change(tx, caller, file_id)
    cells = payment_files.sheet(tx, caller.account_id, file_id)
    assert cells is not None, "a file has its cells"
    moved = with_header_in(unpacked(cells), line)
    if moved.header_line != line:
        raise InvalidRequest(say("The header must be one of the file’s first lines. Choose one of them."))
    before = said_of(row)
    if mapping is not None:
        why = read_as(tx, caller, row, moved, Choices(line, mapping)).understood.refusal
        if why:
            raise InvalidRequest(why)
    kept = before._replace(picks=Picks()) if before else Choices(line)
    choices = msgspec.json.encode(kept._replace(header_line=line, mapping=mapping)).decode()
    payment_files.save(tx, row._replace(choices=choices, rows=len(moved.rows), updated_at=tx.now))
    if remember and mapping is not None:
        mark = remembered_by(moved, mapping, OF_PAYMENTS, MONEY_FIELDS)
        file_columns.remember(tx, caller, mark, moved.header, mapping)


def look_at(
    tx: Tx, caller: Caller, file: PaymentFile, write: Forms = PLAIN, most: int = MOST_CANDIDATE_INVOICES
) -> LookedAt:
    """Match each row of a file to the current records.

    `most` limits the numbers of invoices (`_known`) and of earlier payments (`_alike`) that are compared. Nothing is
    written or locked. Raises `Conflict` if a person has to choose something first.
    """
    if file.understood.is_open:
        raise Conflict(say("First choose what each column means, and how its amounts and dates are written."))
    read = rows_of(tx, caller, file)
    there = recorded_of(tx, caller, read.rows) | set(file.same)
    not_paid = set(file.aside) - there
    aside = tuple(row for row in read.rows if row.source in not_paid)
    rows = [row for row in read.rows if row.source not in there | not_paid]
    known, is_whole = _known(tx, caller, rows, most)
    own = {mark for row in read.rows for mark in row.marks}
    told = _told_before(tx, caller, rows, own)
    alike = _alike(tx, caller, rows, own, most)
    anothers = frozenset(tenant_pages.readdressed(tx, caller.account_id))
    renumbered = earlier_invoices.numbers_of(tx, caller.account_id, [invoice.id for invoice in known])
    earlier = {earlier_number.number: earlier_number.invoice_id for earlier_number in renumbered}
    beside = names_beside(tx, caller.account_id, [invoice for invoice in known if invoice.is_open])
    books = Books(known, write, is_whole=is_whole, readdressed=anothers, earlier=earlier, roommates=beside)
    waiting = tuple(match_all(rows, books, told, alike))
    recorded = tuple(row.line for row in read.rows if row.source in there)
    is_cut = not (is_whole and alike.is_whole)
    return LookedAt(waiting, recorded, read.problems, read.left_out, file.currency, is_cut, read.sums, aside)


def rows_of(tx: Tx, caller: Caller, file: PaymentFile) -> ReadRows:
    """Parse the rows of a file with its current column mapping."""
    return read_rows(file.understood, file.country, file.currency, account_actions.today(tx, caller))


def recorded_of(tx: Tx, caller: Caller, rows: Sequence[BankRow]) -> set[str]:
    """Return the current fingerprints of those rows that are already recorded.

    A row counts as recorded if it was recorded under its current or a former fingerprint, even for a property that
    has been deleted since.
    """
    there = stored.recorded(tx, caller.account_id, [mark for row in rows for mark in row.marks])
    return {row.source for row in rows if not there.isdisjoint(row.marks)}


def _customs(usual: str, houses: Sequence[PropertyRow]) -> tuple[str, dict[str, str]]:
    """Return the default currency of files, and a map of the properties' currencies to countries.

    The default is the account's currency if a property uses it. Rows in a currency are parsed in its country's
    formats.
    """
    countries = {house.currency: house.country for house in reversed(houses)} or {usual: "US"}
    return (usual if usual in countries else houses[0].currency), countries


def _known(tx: Tx, caller: Caller, rows: Sequence[BankRow], most: int) -> tuple[list[KnownInvoice], bool]:
    """Load the invoices that rows may pay; also return True if none was left out.

    At most `most` open invoices are loaded, and at most `most` invoices of months that the rows' texts name. If more
    exist, invoices whose numbers are in the texts are added. Invoices that were marked as paid are always loaded if
    their tenant owes an amount that a row has.
    """
    texts = [f"{row.name} {row.text} {row.reference}" for row in rows]
    open_invoices = payment_candidates.open_ones(tx, caller.account_id, most)
    of_months = payment_candidates.of_months(tx, caller.account_id, sorted(months_named(texts)), most)
    is_whole = len(open_invoices) < most and len(of_months) < most
    named = [] if is_whole else payment_candidates.by_numbers(tx, caller.account_id, sorted(numbers_named(texts)))
    amounts = {row.cents for row in rows}
    names = {
        invoice.tenant_name
        for invoice in open_invoices
        if invoice.tenant_name is not None and invoice.balance in amounts
    }
    marked = payment_candidates.marked_as_paid(tx, caller.account_id, sorted(names), most)
    return list({invoice.id: invoice for invoice in (*open_invoices, *of_months, *named, *marked)}.values()), is_whole


def _told_before(tx: Tx, caller: Caller, rows: Sequence[BankRow], own: set[str]) -> Told:
    """Find the rows that may be payments recorded earlier with another wording.

    A bank may word a payment differently in a file made before the payment was booked. `own` are the fingerprints of
    the file's own rows.
    """
    telling = [row for row in rows if bank_reference(row)]
    references, days = {bank_reference(row) for row in telling}, {row.day.isoformat() for row in telling}
    entries = stored.by_references(tx, caller.account_id, sorted(references), sorted(days))
    return told_before(telling, entries, own)


def _alike(tx: Tx, caller: Caller, rows: Sequence[BankRow], own: set[str], most: int) -> Alike:
    """Find recorded payments with the rows' amounts, which may be the same payments.

    They come from files with rows of the same day, or were entered by hand for about that day. `own` are the
    fingerprints of the file's own rows. At most `most` payments from files and `most` payments entered by hand are
    examined.
    """
    amounts = {row.cents for row in rows}
    by_hand = stored.by_hand(tx, caller.account_id, days_about(row.day for row in rows), amounts, most)
    days = sorted({row.day.isoformat() for row in rows})
    from_files = stored.from_files(tx, caller.account_id, days, amounts, most)
    is_whole = len(by_hand) < most and len(from_files) < most
    return entered_alike((*by_hand, *from_files), own, is_whole=is_whole)


def set_state(tx: Tx, caller: Caller, file_id: str, state: str) -> None:
    """Mark a file as done, or reopen it.

    Nothing changes if the file is already in `state`. Raises `NotFound` if there is no such file.
    """
    row = _locked(tx, caller, file_id)
    if row.state != state:
        after = row._replace(state=state, updated_at=tx.now)
        payment_files.save(tx, after)
        audit.record(
            tx, caller, Verb.CLOSE_PAYMENTS if state == CLOSED else Verb.OPEN_PAYMENTS, row.id, before=row, after=after
        )


def remove(tx: Tx, caller: Caller, file_id: str) -> PaymentFileRow:
    """Delete an uploaded bank file for good, because it names people and their bank accounts.

    Ledger entries recorded from the file are kept, so that uploading the same file again does not record any of them
    twice. Raises `NotFound` if there is no such file.
    """
    row = _locked(tx, caller, file_id)
    payment_files.remove(tx, caller.account_id, row.id)
    audit.record(tx, caller, Verb.DELETE_PAYMENTS, row.id, before=row)
    return row


def _locked(tx: Tx, caller: Caller, file_id: str) -> PaymentFileRow:
    return access.the_one(payment_files.lock, tx, caller, file_id, "pfile", "payments file")


def to_change(tx: Tx, caller: Caller, file_id: str) -> PaymentFileRow:
    """Find a file that is not done, and lock it before any property.

    Raises `NotFound` if there is no such file, and `Conflict` if it is done.
    """
    row = _locked(tx, caller, file_id)
    require_open(row)
    return row


def require_open(row: PaymentFileRow) -> None:
    """Raise `Conflict` if a file is marked as done."""
    if row.state != OPEN:
        raise Conflict(_CLOSED)


def as_it_came(tx: Tx, caller: Caller, file_id: str) -> tuple[str, bytes]:
    """Return the name and original bytes of an uploaded file.

    Raises `NotFound` if there is no such file.
    """
    row = payment_files.find(tx, caller.account_id, file_id) if is_id(file_id, "pfile") else None
    content = payment_files.content(tx, caller.account_id, file_id) if row else None
    if row is None or content is None:
        raise NotFound("payments file")
    return row.name, content
