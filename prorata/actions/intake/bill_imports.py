"""The import of a file of bills in one transaction (docs/decisions.md#bills-file).

The command line and the dashboard's upload share this code. Rows are compared with stored bills in about seven SQL
statements, and bills are written a few hundred at a time, not one by one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts as account_actions, month_rules
from prorata.actions.bills import bills as bill_actions, flags as bill_flags, lines as bill_lines
from prorata.actions.bills.flags import Noted
from prorata.actions.properties import properties as property_actions
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import BilledIn, NewBill, fingerprint, lines_of, may_be_spread
from prorata.domain.bills.columns import HowRead, unread_columns
from prorata.domain.bills.flags import Flag
from prorata.domain.files.sheets import RowProblem, Sheet
from prorata.domain.intake.bill_files import FileBill, ReadFile, read_bills
from prorata.domain.intake.unknown_names import unknown_names
from prorata.domain.labels import same
from prorata.domain.properties.property_names import KnownProperty
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.bills.bills import BillRow, KnownBill, WaitingBills
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months

BILLS_AT_ONCE = 1_000
"""The least number of bills written together, except in the last part; a property's bills stay together."""

_DELETED = say("A property in this file has just been deleted. Nothing was saved; import the file again.")
_CHANGED = say("A property in this file has just been changed. Nothing was saved; import the file again.")
State = Literal["charged", "waiting", "history"]
_Billed = tuple[NewBill, tuple[BilledIn, ...]]
Progress = Callable[[int, int], None]
"""A callback that receives the number of bills written so far, and their total."""


class FlaggedRow(NamedTuple):
    """A row of the file whose bill is flagged; `line` is the row's line number.

    Each flag refers to other bills: to stored bills by id, and to bills of the file by line, as in `line 5`.
    """

    line: int
    flags: tuple[Flag, ...]


class ImportReport(NamedTuple):
    """The result of importing a file of bills.

    `added` counts the bills that were stored, or would be in a dry run. `good` counts the rows that could be added,
    even if none was because others have problems. `skipped` are the lines of rows whose bills were already stored.
    `waiting` are the closed months for which added bills came too late. `flagged` are the flagged rows; `held` counts
    the bills that charge nobody until a person accepts their flags. `bills` are the ids of the added bills.
    """

    added: int
    good: int
    skipped: tuple[int, ...]
    problems: tuple[RowProblem, ...]
    dry_run: bool
    waiting: tuple[WaitingBills, ...] = ()
    flagged: tuple[FlaggedRow, ...] = ()
    held: int = 0
    bills: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    """The lines that a person left out."""


class NewBills(NamedTuple):
    """The number and sum in cents of a file's new bills, by property and month.

    `state` is their outcome: charged, waiting because their month is closed, or history. `guessed` counts the bills
    that have several utility types but no amount for each. For spread bills, `month` and `last_month` are the first
    and the last month; the bills wait if any of them is closed. `long` counts bills that could be spread and are not.
    `before` are the cents that charge nobody because their months are before billing starts.
    """

    property_name: str
    currency: str
    month: Month
    bills: int
    total: int
    guessed: int
    state: State
    last_month: Month | None = None
    long: int = 0
    before: int = 0


class Outlook(NamedTuple):
    """The preview of a file's import: its report, and its new bills.

    `good` are the new bills of all rows without problems, and `new` their numbers and sums by property and month.
    """

    report: ImportReport
    good: tuple[FileBill, ...]
    new: tuple[NewBills, ...]


class BillsFile:
    """A file's table of bills, read with the column mapping and formats in `how`.

    The table's rows name properties of the account. The rows are read once, and again only if the account's
    properties have changed since.
    """

    def __init__(self, sheet: Sheet, how: HowRead) -> None:
        self._sheet, self._how = sheet, how
        self._read: tuple[list[KnownProperty], ReadFile] | None = None

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of the columns that are not imported."""
        return unread_columns(self._sheet, self._how)

    def read(self, known: list[KnownProperty]) -> ReadFile:
        """Read the file's bills and all problems, matching property names to `known` properties."""
        if self._read is None or self._read[0] != known:
            self._read = known, read_bills(self._sheet, known, self._how)
        return self._read[1]


class _Compared(NamedTuple):
    """A file's good rows, the rows whose bills are already stored, and all problems."""

    bills: tuple[FileBill, ...]
    skipped: tuple[int, ...]
    problems: tuple[RowProblem, ...]

    @property
    def good(self) -> int:
        """The number of rows that could be added."""
        return len(self.bills) - len(self.skipped)

    @property
    def new(self) -> tuple[FileBill, ...]:
        """The good rows whose bills are not stored yet."""
        there = set(self.skipped)
        return tuple(each for each in self.bills if each.line not in there)


class _Flags(NamedTuple):
    """The flags of a file's new bills.

    `lines` are the line numbers of the new bills in order; a flag refers to another new bill by that bill's position
    in `lines`. `by_line` maps line numbers to the bill's flags, and `held` are the lines of the bills to hold.
    """

    lines: tuple[int, ...]
    by_line: dict[int, tuple[Flag, ...]]
    held: frozenset[int]


_NO_FLAGS = _Flags((), {}, frozenset())


def would_add(tx: Tx, caller: Caller, file: BillsFile, *, take_good_rows: bool = False) -> ImportReport:
    """Preview what `import_bills` would add now, without computing flags.

    The preview writes and locks nothing.
    """
    compared = _compare(tx, caller, _read(tx, caller, file))
    added = 0 if compared.problems and not take_good_rows else compared.good
    return _report(compared, _NO_FLAGS, added, dry_run=True)


def preview(
    tx: Tx, caller: Caller, file: BillsFile, *, take_good_rows: bool = False, hold: bool = False
) -> ImportReport:
    """Preview what `import_bills` would do with a file now.

    The preview writes and locks nothing.
    """
    compared = _compare(tx, caller, _read(tx, caller, file))
    flags = _flags(tx, caller, compared, hold=hold)
    added = 0 if compared.problems and not take_good_rows else compared.good
    return _report(compared, flags, added, dry_run=True)


def outlook(tx: Tx, caller: Caller, file: BillsFile, *, hold: bool = False) -> Outlook:
    """Preview what `import_bills` would do now, with the new bills summed by property and month.

    The preview writes and locks nothing.
    """
    compared = _compare(tx, caller, _read(tx, caller, file))
    flags = _flags(tx, caller, compared, hold=hold)
    report = _report(compared, flags, 0 if compared.problems else compared.good, dry_run=True)
    return Outlook(report, compared.new, _new_bills(tx, caller, [each.bill for each in compared.new]))


def unknown(tx: Tx, caller: Caller, sheet: Sheet, how: HowRead) -> dict[str, tuple[str, ...]]:
    """Map fields to the words in a file that match no property or utility type."""
    return unknown_names(sheet, property_actions.that_rows_name(tx, caller), how)


def _new_bills(tx: Tx, caller: Caller, new: Sequence[NewBill]) -> tuple[NewBills, ...]:
    """Count and sum new bills by property and billing month."""
    ids = sorted({bill.property_id for bill in new})
    known = {row.id: row for row in properties.find_many(tx, caller.account_id, ids)}
    closed: dict[str, set[str]] = defaultdict(set)
    for row in months.find_many(tx, caller.account_id, ids):
        if row.is_closed:
            closed[row.property_id].add(row.month)
    rules = month_rules.read(tx, caller)
    of_months: dict[tuple[str, str, tuple[Month, ...]], list[_Billed]] = defaultdict(list)
    for bill in new:
        its = known[bill.property_id]
        passed_over = closed[its.id] if rules.goes_on else set[str]()
        billed_in = bill_lines.months_for(bill, its, rules.of(its), passed_over)
        key = its.name, its.id, tuple(dict.fromkeys(month_part.month for month_part in billed_in))
        of_months[key].append((bill, billed_in))
    return tuple(
        _summed(known[of], its, of_months[name, of, its], is_closed=not closed[of].isdisjoint(its))
        for name, of, its in sorted(of_months)
    )


def _summed(of: PropertyRow, billed_in: Sequence[Month], its: Sequence[_Billed], *, is_closed: bool) -> NewBills:
    new, before = [bill for bill, _ in its], sum(bill_lines.before_billing(*billed, of) for billed in its)
    guessed, total = sum(lines_of(bill)[1] for bill in new), sum(bill.total for bill in new)
    last, is_history = billed_in[-1] if len(billed_in) > 1 else None, billed_in[-1] < (of.billing_starts_month or "")
    state: State = "history" if is_history else "waiting" if is_closed else "charged"
    whole = (bill for bill in new if not (bill.spread or bill.billing_month))
    long = sum(may_be_spread(bill.service_start, bill.service_end) for bill in whole)
    return NewBills(of.name, of.currency, billed_in[0], len(new), total, guessed, state, last, long, before)


def import_bills(
    tx: Tx,
    caller: Caller,
    file: BillsFile,
    *,
    dry_run: bool,
    take_good_rows: bool,
    hold: bool = False,
    progress: Progress = lambda _done, _all: None,
) -> ImportReport:
    """Import the bills of a file, and recalculate the months that they affect.

    If any row is bad, nothing is written, unless `take_good_rows` is set. With `hold`, flagged bills are held if the
    account's settings say so; otherwise, they charge tenants. `progress` is called after each group of bills. With
    `dry_run`, return a preview. Raises `Conflict` if a property in the file has just been changed or deleted.
    """
    if dry_run:
        return preview(tx, caller, file, take_good_rows=take_good_rows, hold=hold)
    read = _read(tx, caller, file)
    ids = _properties_of(read)
    if len(properties.lock_many(tx, caller.account_id, ids)) < len(ids):
        raise Conflict(_DELETED)
    read = _read(tx, caller, file)  # changes made before the lock count, even of its currency
    if not set(_properties_of(read)).issubset(ids):
        raise Conflict(_CHANGED)
    compared = _compare(tx, caller, read)
    flags = _flags(tx, caller, compared, hold=hold)
    if not compared.good or (compared.problems and not take_good_rows):
        return _report(compared, flags, 0, dry_run=False)
    added, skipped = _write(tx, caller, compared, flags, progress)
    report = _report(compared._replace(skipped=tuple(sorted(skipped))), flags, len(added), dry_run=False)
    return report._replace(waiting=tuple(bills.waiting(tx, caller.account_id, added)), bills=tuple(added))


def _write(
    tx: Tx, caller: Caller, compared: _Compared, flags: _Flags, progress: Progress
) -> tuple[list[str], list[int]]:
    """Add the bills of a file with their flags.

    Return the ids of the added bills, and the numbers of the file's lines with skipped bills.
    """
    rows, skipped = dict[int, BillRow](), list[int]()
    progress(0, len(compared.bills))
    for part in _parts(compared.bills):
        held = [place for place, each in enumerate(part) if each.line in flags.held]
        done = bill_actions.add(tx, caller, [each.bill for each in part], held=held)
        tx.catch_up()  # only the months of one part are in memory
        lines = [each.line for place, each in enumerate(part) if place not in set(done.skipped)]
        rows |= zip(lines, done.bills, strict=True)
        skipped += [part[place].line for place in done.skipped]
        progress(len(rows) + len(skipped), len(compared.bills))
    ids = {bill_flags.place_name(place): rows[line].id for place, line in enumerate(flags.lines) if line in rows}
    noted = [Noted(rows[line], its) for line, its in flags.by_line.items() if line in rows]
    bill_flags.note(tx, caller, noted, ids)
    return [row.id for row in rows.values()], skipped


def _flags(tx: Tx, caller: Caller, compared: _Compared, *, hold: bool) -> _Flags:
    new = compared.new
    of = {row.id: row for row in properties.find_many(tx, caller.account_id, sorted({e.bill.property_id for e in new}))}
    flags_found = bill_flags.find(tx, caller, [each.bill for each in new], of)
    by_line = {each.line: flags for each, flags in zip(new, flags_found, strict=True) if flags}
    is_held = hold and bool(account_actions.the_account(tx, caller).hold_flagged)
    return _Flags(tuple(each.line for each in new), by_line, frozenset(by_line) if is_held else frozenset())


def _report(compared: _Compared, flags: _Flags, added: int, *, dry_run: bool) -> ImportReport:
    called = {bill_flags.place_name(place): f"line {line}" for place, line in enumerate(flags.lines)}
    flagged = tuple(
        FlaggedRow(
            line, tuple(flag._replace(bills=tuple(called.get(bill, bill) for bill in flag.bills)) for flag in its)
        )
        for line, its in sorted(flags.by_line.items())
    )
    report = ImportReport(added, compared.good, compared.skipped, compared.problems, dry_run)
    return report._replace(flagged=flagged, held=len(flags.held))


def _parts(file_bills: Sequence[FileBill]) -> Iterator[list[FileBill]]:
    """Yield the bills in groups, sorted by property; each property's bills stay in one group."""
    part: list[FileBill] = []
    for each in sorted(file_bills, key=lambda file_bill: file_bill.bill.property_id):
        if len(part) >= BILLS_AT_ONCE and part[-1].bill.property_id != each.bill.property_id:
            yield part
            part = []
        part.append(each)
    yield part


def _read(tx: Tx, caller: Caller, file: BillsFile) -> ReadFile:
    return file.read(property_actions.that_rows_name(tx, caller))


def _properties_of(read: ReadFile) -> list[str]:
    """Return the property ids of a file's good rows."""
    return sorted({each.bill.property_id for each in read.bills})


def _compare(tx: Tx, caller: Caller, read: ReadFile) -> _Compared:
    ids = _properties_of(read)
    comparison = _Comparison(bills.known(tx, caller.account_id, ids) if ids else [])
    file_bills = tuple(each for each in read.bills if comparison.takes(each))
    problems = sorted([*read.problems, *comparison.problems], key=lambda problem: problem.line)
    return _Compared(file_bills, tuple(comparison.skipped), tuple(problems))


class _Comparison:
    """The comparison of a file's bills with stored bills and with the file's earlier bills."""

    def __init__(self, known: Sequence[KnownBill]) -> None:
        self.skipped: list[int] = []
        self.problems: list[RowProblem] = []
        self._left: dict[str, int] = defaultdict(int)
        self._stored_totals: dict[tuple[str, str, str], set[int]] = defaultdict(set)
        self._in_file: dict[tuple[str, str, str], FileBill] = {}
        for bill in known:
            self._left[bill.fingerprint] += 1
            if bill.bill_number:
                self._stored_totals[bill.property_id, same(bill.issuer_name), same(bill.bill_number)].add(bill.total)
        self._stored = frozenset(self._left)

    def takes(self, each: FileBill) -> bool:
        """Return True if a bill is new or already stored; otherwise add a problem.

        Bills with the same fingerprint are the same bill. If two such bills are stored, the file's first two rows
        with that fingerprint count as stored, and any further ones are new. A bill is a problem if another bill
        has the same issuer and number but a different total.
        """
        bill, mark = each.bill, fingerprint(each.bill)
        if mark in self._stored:
            if self._left[mark]:
                self._left[mark] -= 1
                self.skipped.append(each.line)
            return True
        if not bill.bill_number:
            return True
        key = bill.property_id, same(bill.issuer_name), same(bill.bill_number)
        totals = self._stored_totals.get(key)
        if totals and bill.total not in totals:
            self._ask(
                each.line,
                say(
                    "A bill from this issuer with this number already exists, but with a different total. If this "
                    "one replaces it, remove the existing bill first; if not, correct the number."
                ),
            )
            return False
        earlier = self._in_file.setdefault(key, each)
        if earlier.bill.total != bill.total:
            self._ask(
                each.line,
                say(
                    "Line {line} has a bill from this issuer with the same number but a different total. If this one "
                    "replaces it, remove that line; if not, correct the number.",
                    line=earlier.line,
                ),
            )
            return False
        return True

    def _ask(self, line: int, message: str) -> None:
        self.problems.append(RowProblem(line, "billNumber", message))
