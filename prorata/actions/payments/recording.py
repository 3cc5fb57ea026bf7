"""Recording of a bank file's rows as payments.

Deciding which rows to record locks nothing. The decided rows are then checked again in the transaction that enters
them in the ledgers. Each row is recorded once, however often its file is uploaded.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.json import encode

from prorata.actions.delivery import receipts as tenant_receipts
from prorata.actions.delivery.receipts import Paid
from prorata.actions.limits import MOST_PAYMENTS_RECORDED_AT_ONCE
from prorata.actions.payments import files as payment_files, payments
from prorata.actions.payments.files import Choices, LookedAt, PaymentFile
from prorata.actions.payments.payments import Received
from prorata.actions.payments.picks import Picks, in_parts, mark_of, mark_of_matched
from prorata.domain.audit.verbs import Verb
from prorata.domain.limits import LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REFERENCE
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.payments.candidates import Candidate, KnownInvoice, Part
from prorata.domain.payments.files import BankRow
from prorata.domain.payments.matching import MATCHED, Match
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices, invoices
from prorata.store.payments import candidates as payment_candidates, files as stored_files
from prorata.store.payments.files import PaymentFileRow
from prorata.store.properties import properties

_OTHERWISE = say(
    "The matches on other pages have changed in the meantime. Review them again, then record the payments."
)


class Decided(NamedTuple):
    """The rows of a file to record, each with the invoices that it pays.

    The invoices are as they were at the decision. `choices` are the stored choices for the file, and `refused` the
    lines whose picked invoice is no longer proposed.
    """

    file_id: str
    choices: str | None
    rows: tuple[tuple[BankRow, Candidate], ...]
    refused: tuple[int, ...] = ()

    def in_parts(self) -> Iterator["Decided"]:
        """Yield the rows in groups, each to be recorded in its own transaction.

        Others can write between the transactions.
        """
        for place, rows in enumerate(in_parts(self.rows, MOST_PAYMENTS_RECORDED_AT_ONCE)):
            yield self._replace(rows=rows, refused=() if place else self.refused)


class Recorded(NamedTuple):
    """The result of recording rows of a file.

    `rows` is the number of recorded rows and `cents` their sum. `refused` are the lines that were not recorded
    because something changed. `withdrawn` is the number of invoices whose e-mail was withdrawn, because they were
    paid before it was sent. `receipts` is the number of receipts sent.
    """

    rows: int
    cents: int
    refused: tuple[int, ...]
    withdrawn: int = 0
    receipts: int = 0

    def and_then(self, later: "Recorded") -> "Recorded":
        """Add the results of recording a later group of rows to these results."""
        refused = tuple(sorted({*self.refused, *later.refused}))
        withdrawn, receipts = self.withdrawn + later.withdrawn, self.receipts + later.receipts
        return Recorded(self.rows + later.rows, self.cents + later.cents, refused, withdrawn, receipts)


NOTHING_RECORDED = Recorded(0, 0, ())


def settle(tx: Tx, caller: Caller, file_id: str, picks: Picks) -> None:
    """Store the invoices picked on one page of a file, until the rows are recorded.

    Raises `NotFound` if there is no such file, `Conflict` if it is done, and `InvalidRequest` for the field
    `number-<line>` if no invoice has that number.
    """
    row = payment_files.to_change(tx, caller, file_id)
    file = payment_files.find(tx, caller, file_id)
    _named(tx, caller, {line: number for line, number in picks.numbers.items() if number}, file.currency)
    choices_before = payment_files.said_of(row) or Choices(file.understood.sheet.header_line)
    choices = encode(choices_before._replace(picks=choices_before.picks.and_then(picks))).decode()
    stored_files.save(tx, row._replace(choices=choices, updated_at=tx.now))


def decide(
    tx: Tx, caller: Caller, file_id: str, picks: Picks, write: Forms = PLAIN, *, of_all: str | None = None
) -> Decided:
    """Decide which rows of a file to record.

    These are the rows in `picks`. If a typed invoice number is that of an invoice marked as paid, the row replaces
    the amount with which the invoice was marked. `of_all` is the fingerprint of the matched rows that the person was
    shown; if it is given, the rows picked earlier and all matched rows without a pick are recorded as well. Nothing
    is written or locked, because every row of the file is examined.

    Raises `NotFound` if there is no such file; `Conflict` if it is done, a choice is missing, or the matches differ
    from those shown; and `InvalidRequest` for the field `number-<line>` if no invoice has that number.
    """
    file, looked = _looked_at(tx, caller, file_id, write)
    by_line = {match.row.line: match for match in looked.waiting}
    refused = {line for pick in picks for line, chosen in pick.items() if chosen and line not in by_line}
    if of_all is not None:
        if of_all != mark_of_matched(looked.waiting, picks.chosen):
            raise Conflict(_OTHERWISE)
        picks = file.picks.and_then(picks)
        plain = {line: mark_of(match.candidates[0]) for line, match in by_line.items() if match.verdict == MATCHED}
        picks = picks._replace(chosen=plain | dict(picks.chosen))
    wanted = list[tuple[BankRow, Candidate]]()
    for line, mark in picks.chosen.items():
        if mark and (its_match := by_line.get(line)):
            candidate = next(
                (its_candidate for its_candidate in its_match.candidates if mark_of(its_candidate) == mark), None
            )
            refused |= set() if candidate else {line}
            wanted += [(its_match.row, candidate)] if candidate else []
    taken = {row.line for row, _ in wanted}
    numbers = {line: number for line, number in picks.numbers.items() if number and line in by_line.keys() - taken}
    for line, invoice in _named(tx, caller, numbers, looked.currency).items():
        wanted.append((by_line[line].row, (_whole(by_line[line].row, invoice),)))
    return Decided(file.row.id, file.row.choices, tuple(wanted), tuple(sorted(refused)))


def looked_at_and_matched(tx: Tx, caller: Caller, file_id: str) -> tuple[LookedAt, Decided]:
    """Match a file's rows to invoices, and select all matched rows for recording.

    Rows of a file that is done are matched too, although recording them is refused. Raises `NotFound` if there is no
    such file, and `Conflict` if a person has to choose something first.
    """
    file = payment_files.find(tx, caller, file_id)
    looked = payment_files.look_at(tx, caller, file)
    return looked, Decided(
        file.row.id, file.row.choices, tuple((match.row, match.candidates[0]) for match in looked.of(MATCHED))
    )


def decided(tx: Tx, caller: Caller, file_id: str, picks: Picks, *, matched: bool) -> Decided:
    """Decide which rows of a file to record for a program.

    They are those in `picks` and, if `matched` is set, all other matched rows. Raises everything that `decide`
    raises, and `InvalidRequest` if there are no such rows.
    """
    if matched and not (picks.chosen or picks.numbers):  # each look is one at every row
        return looked_at_and_matched(tx, caller, file_id)[1]
    decision = decide(tx, caller, file_id, picks)
    if matched:
        _, plain = looked_at_and_matched(tx, caller, file_id)
        named = picks.chosen.keys() | picks.numbers.keys()
        besides = tuple(row for row in plain.rows if row[0].line not in named)
        decision = decision._replace(rows=(*decision.rows, *besides))
    elif not (decision.rows or decision.refused):
        raise InvalidRequest.because([Problem("rows", "Choose rows, or set `matched` to true.")])
    return decision


class Asked(NamedTuple):
    """A question about a file's row that may repeat a recorded payment."""

    file: PaymentFile
    found: Match


class _Called(NamedTuple):
    """The audit note of a row that a person declared to repeat a recorded payment.

    Amounts are in cents.
    """

    file: str
    line: int
    day: str
    amount: int
    payer: str
    text: str
    reference: str
    entry_id: str
    file_id: str


def asked_about(tx: Tx, caller: Caller, file_id: str, line: int | None, write: Forms = PLAIN) -> Asked:
    """Find a row that may repeat a recorded payment, for a person to decide.

    Nothing is written or locked. Raises `NotFound` if there is no such file, and `Conflict` if there is no such
    question any more.
    """
    file = payment_files.find(tx, caller, file_id)
    payment_files.require_open(file.row)
    looked = payment_files.look_at(tx, caller, file, write)
    match = next(
        (waiting_match for waiting_match in looked.waiting if waiting_match.row.line == line and waiting_match.same_as),
        None,
    )
    if match is None:
        raise Conflict(say("There is no longer a question about this row. Check the file again."))
    return Asked(file, match)


def call_same(tx: Tx, caller: Caller, asked: Asked) -> None:
    """Store that a row repeats a recorded payment, so that the row no longer waits.

    The audit log of each paid invoice names the person who decided that. Raises `NotFound` if there is no such file,
    and `Conflict` if the file's choices have changed meanwhile.
    """
    seen, its = asked.file, asked.found.row
    row = payment_files.to_change(tx, caller, seen.row.id)
    if row.choices != seen.row.choices:
        raise Conflict(say("Someone has changed the choices for this file in the meantime. Check the file again."))
    choices_before = payment_files.said_of(row) or Choices(seen.understood.sheet.header_line)
    choices = encode(choices_before._replace(same=(*choices_before.same, its.source))).decode()
    stored_files.save(tx, row._replace(choices=choices, updated_at=tx.now))
    for entry in asked.found.same_as:
        invoice = earlier_invoices.find_by_number(tx, caller.account_id, entry.number)
        called = _Called(
            row.name, its.line, its.day.isoformat(), its.cents, its.name, its.text, its.reference, entry.id, row.id
        )
        if invoice is not None:
            audit.record(tx, caller, Verb.CALL_ROW_THE_SAME, invoice.id, after=called, property_id=invoice.property_id)


def _looked_at(tx: Tx, caller: Caller, file_id: str, write: Forms) -> tuple[PaymentFile, LookedAt]:
    file = payment_files.find(tx, caller, file_id)
    payment_files.require_open(file.row)
    return file, payment_files.look_at(tx, caller, file, write)


def record(tx: Tx, caller: Caller, decided: Decided, *, receipts: bool = False) -> Recorded:
    """Record the decided rows; with `receipts`, send receipts to the tenants.

    A row is left out, and its line is returned, if its invoice or the file's choices have changed since the decision,
    or if somebody has recorded the row. Raises `NotFound` if there is no such file, and `Conflict` if it is done.
    """
    file = payment_files.to_change(tx, caller, decided.file_id)
    rows = _as_decided(tx, caller, decided) if file.choices == decided.choices else []
    done = _enter(tx, caller, file, rows, receipts=receipts)
    changed = {row.line for row, _ in decided.rows} - {row.line for row, _ in rows}
    return done._replace(refused=tuple(sorted({*decided.refused, *changed})))


def _as_decided(tx: Tx, caller: Caller, decided: Decided) -> list[tuple[BankRow, Candidate]]:
    """Lock the properties of the decided rows' invoices; return the rows that are unchanged.

    A row is left out if it was recorded meanwhile or if one of its invoices changed.
    """
    ids = sorted({part.invoice.id for _, candidate in decided.rows for part in candidate})
    seen = invoices.find_many(tx, caller.account_id, ids)
    properties.lock_many(tx, caller.account_id, sorted({invoice.property_id for invoice in seen}))
    now = {invoice.id: invoice for invoice in payment_candidates.by_ids(tx, caller.account_id, ids)}
    there = payment_files.recorded_of(tx, caller, [row for row, _ in decided.rows])
    return [
        (row, candidate)
        for row, candidate in decided.rows
        if row.source not in there and all(now.get(part.invoice.id) == part.invoice for part in candidate)
    ]


def _named(tx: Tx, caller: Caller, numbers: Mapping[int, str], currency: str) -> dict[int, KnownInvoice]:
    """Map the lines of rows to the invoices whose numbers a person typed for them.

    Raises `InvalidRequest` for every number that no invoice has.
    """
    wanted = {line: number.strip().upper() for line, number in numbers.items()}
    known_invoices = payment_candidates.by_numbers(tx, caller.account_id, sorted(set(wanted.values())))
    known = {invoice.number: invoice for invoice in known_invoices if invoice.currency == currency}
    by_id = {invoice.id: invoice for invoice in known.values()}
    for number, invoice_id in earlier_invoices.numbers_among(tx, caller.account_id, sorted(set(wanted.values()))):
        known |= {number: by_id[invoice_id]} if invoice_id in by_id else {}
    says = say("No invoice in this currency has the number entered for line {line}.")
    wrong = [line for line, number in wanted.items() if number not in known]
    if wrong:
        raise InvalidRequest.because([Problem(f"number-{line}", says.format(line=line)) for line in wrong])
    return {line: known[number] for line, number in wanted.items()}


def _whole(row: BankRow, invoice: KnownInvoice) -> Part:
    return Part(invoice, row.cents, in_place_of_noted=invoice.was_marked)


def _enter(
    tx: Tx, caller: Caller, file: PaymentFileRow, wanted: Sequence[tuple[BankRow, Candidate]], *, receipts: bool
) -> Recorded:
    received = [
        (part.invoice.id, _received(row, part, place if len(candidate) > 1 else 0))
        for row, candidate in wanted
        for place, part in enumerate(candidate)
    ]
    ids = sorted({invoice_id for invoice_id, _ in received})
    waiting = payment_candidates.with_waiting_mail(tx, caller.account_id, ids)
    told = 0
    if received:
        entries = payments.receive_many(tx, caller, received)
        paid = [Paid(invoice_id, entry_id) for (invoice_id, _), entry_id in zip(received, entries, strict=True)]
        told = tenant_receipts.queue(tx, caller.account_id, paid) if receipts else 0
        stored_files.save(tx, file._replace(recorded=file.recorded + len(wanted), updated_at=tx.now))
    still = payment_candidates.with_waiting_mail(tx, caller.account_id, sorted(waiting))
    return Recorded(len(wanted), sum(payment.amount for _, payment in received), (), len(waiting - still), told)


def with_waiting_mail(tx: Tx, caller: Caller, looked: LookedAt) -> int:
    """Count the sent invoices that rows may pay and whose e-mails are still waiting."""
    ids = {part.invoice.id for match in looked.waiting for candidate in match.candidates for part in candidate}
    return len(payment_candidates.with_waiting_mail(tx, caller.account_id, sorted(ids)))


def _received(row: BankRow, part: Part, place: int) -> Received:
    """Build the payment of one invoice from a row.

    `place` is the invoice's position among those that the row pays. Only the first invoice's payment has the row's
    plain fingerprint as its source; the sources of the other payments also contain the position.
    """
    note = " ".join(filter(None, (row.name, row.text)))[:LONGEST_PAYMENT_NOTE]
    source = row.source if not place else f"{row.source}:{place}"
    return Received(
        part.cents,
        row.day,
        row.method,
        note=note,
        reference=row.reference[:LONGEST_PAYMENT_REFERENCE],
        source=source,
        in_place_of_noted=part.in_place_of_noted,
    )
