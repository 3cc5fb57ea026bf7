"""Flags of bills: found on entry, accepted with a reason, and rechecked after changes.

A bill with open flags charges tenants and is shown as flagged. If the account's setting is to hold flagged bills, the
bill charges nobody, and its lines are stored separately until its last flag is accepted or no longer applies.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple, cast

from prorata.actions.accounts import access, accounts as account_actions, former_members, month_rules
from prorata.actions.bills import lines as bill_lines
from prorata.actions.limits import MOST_FLAGGED_LOOKED_AT_AGAIN
from prorata.domain.audit.actor_names import called
from prorata.domain.audit.verbs import Verb
from prorata.domain.bills.bills import NewBill, months_of
from prorata.domain.bills.compared_bills import EarlierBill, bare_number
from prorata.domain.bills.flags import (
    ADVICE,
    REACH,
    Flag,
    FlagKind,
    KnownBills,
    reason_problem,
    shown_as,
)
from prorata.domain.groups import grouped
from prorata.domain.intake.documents import account_number_forms
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.ids import is_id
from prorata.store.accounts import members
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags as bill_flags, held_lines, searches as bill_searches
from prorata.store.bills.bills import BillRow, LineRow
from prorata.store.bills.flags import FlagRow, NamedBill
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.webhooks import event_outbox


class Decision(NamedTuple):
    """A person's decision about the flags they were shown.

    `shown` identifies the flags (`shown_as`). `reasons` has a text for each flag, which explains why the bill is right
    anyway or is empty. If `later` is true, flags without a reason stay open. `difference` is the purpose of the
    difference between a bill's total and its lines: one of the bill's utility types, or an unbilled reason.
    """

    shown: str = ""
    reasons: tuple[str, ...] = ()
    later: bool = False
    difference: str = ""


UNDECIDED = Decision()


class Noted(NamedTuple):
    """An added bill's flags, with the reason for accepting each; open flags have none."""

    row: BillRow
    flags: Sequence[Flag]
    reasons: Sequence[str] = ()


class ShownFlag(NamedTuple):
    """A flag of a stored bill as its page shows it.

    `advice` states what to do about the flag. `bills` are the bills that the flag concerns and that still exist.
    `who` is the name of the person who accepted the flag. `mark` is the flag's fingerprint.
    """

    row: FlagRow
    advice: str
    bills: tuple[NamedBill, ...]
    who: str
    mark: str


class OtherFlags(Conflict):
    """Raised if a bill's flags differ from those that somebody was shown."""

    def __init__(self) -> None:
        super().__init__(say("The flags have changed in the meantime. Open the bill again."))


class _Accepted(NamedTuple):
    """An accepted flag as stored in the audit log."""

    property_id: str
    issuer_name: str
    flag: str
    reason: str


def find(
    tx: Tx, caller: Caller, new: Sequence[NewBill], of: Mapping[str, PropertyRow],
    but: Collection[str] = (),
) -> list[tuple[Flag, ...]]:  # fmt: skip
    """Find the flags of each new bill, in the order of `new`.

    Each bill is compared with the stored bills, except those whose ids are in `but`. It is also compared with the
    new bills that precede it by date; as these have no ids yet, flags refer to them by `place_name`. `of` maps
    property ids to the bills' properties. A bill from before billing starts charges nobody, and is only checked
    for duplicates. The search takes about five SQL statements for any number of bills.
    """
    if not new:
        return []
    known, rules, today = _known(tx, caller, new), month_rules.read(tx, caller), account_actions.today(tx, caller)
    flags_of: list[tuple[Flag, ...]] = [()] * len(new)
    for place in sorted(range(len(new)), key=lambda at: (new[at].bill_date, at)):
        its = of[new[place].property_id]
        flags_of[place] = _flags(new[place], its, rules.of(its), known, today, but)
        known.add(EarlierBill(place_name(place), new[place]))
    return flags_of


def place_name(place: int) -> str:
    """Return "#" and a new bill's index, by which flags refer to the bill."""
    return f"#{place}"


def _flags(
    bill: NewBill, of: PropertyRow, rule: str, known: KnownBills, today: date, but: Collection[str]
) -> tuple[Flag, ...]:  # fmt: skip
    its_flags = known.flags_of(bill, of.currency, today, but=but)
    is_history = months_of(bill, rule)[-1].month < (of.billing_starts_month or "")
    return tuple(flag for flag in its_flags if flag.kind == "duplicate") if is_history else its_flags


def _known(tx: Tx, caller: Caller, new: Sequence[NewBill]) -> KnownBills:
    """Load the stored bills to compare with these new ones.

    If a stored bill has the same account number as a new bill, the stored bill's amounts are loaded too.
    """
    days = [bill.bill_date for bill in new]
    numbers = _forms(bill.account_number for bill in new)
    rows = bill_flags.known(
        tx,
        caller.account_id,
        property_ids=sorted({bill.property_id for bill in new}),
        account_numbers=numbers,
        bill_numbers=_forms(bill.bill_number for bill in new),
        first=_shifted(min(days), -REACH).isoformat(),
        last=_shifted(max(days), REACH).isoformat(),
    )
    return KnownBills(_as_earlier(tx, caller, rows, {bare_number(bill.account_number) for bill in new}))


def _forms(numbers: Iterable[str | None]) -> list[str]:
    """Return every spelling under which these account or bill numbers may be stored."""
    return sorted({form for number in numbers for form in account_number_forms(number or "") if form})


def _shifted(day: date, days: int) -> date:
    """Shift a date by some days, stopping at the first or last possible date."""
    return date.fromordinal(min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal()))


def _as_earlier(
    tx: Tx, caller: Caller, rows: Sequence[BillRow], numbers: Collection[str],
    lines: Mapping[str, Sequence[LineRow]] = {},
) -> Iterator[EarlierBill]:  # fmt: skip
    """Convert stored bills to the `EarlierBill`s with which new bills are compared for flags.

    If a bill's account number is in `numbers`, its amounts are included. `lines` maps bill ids to the bills' lines.
    The lines give the billing months, and are needed only for a bill that is itself checked for flags.
    """
    divided = {row.id for row in rows if not row.guessed and bare_number(row.account_number) in numbers}
    parts = bill_flags.parts(tx, caller.account_id, sorted(divided))
    for row in rows:
        amounts = tuple((part.utility_type or part.not_billed or "", part.amount) for part in parts.get(row.id, ()))
        yield EarlierBill(row.id, bill_lines.as_billed(row, lines.get(row.id, ()))._replace(amounts=amounts))


def decided(decision: Decision, flags: Sequence[Flag]) -> tuple[Problem, ...] | None:
    """Check a decision's reasons for these flags; list the problems by form field.

    Return None if the decision is about other flags, so that the present flags must be shown first.
    """
    if decision.shown != shown_as(flags):
        return None
    problems = []
    for number, _ in enumerate(flags, start=1):
        reason = decision.reasons[number - 1] if number <= len(decision.reasons) else ""
        wrong = reason_problem(reason)
        if wrong and (reason.strip() or not decision.later):
            problems.append(Problem(f"reason{number}", wrong))
    return tuple(problems)


def are_held(tx: Tx, caller: Caller, flags: Sequence[Flag], reasons: Sequence[str] = ()) -> bool:
    """True if a flag has no reason and the account holds flagged bills."""
    is_open = sum(bool(reason.strip()) for reason in reasons[: len(flags)]) < len(flags)
    return is_open and bool(account_actions.the_account(tx, caller).hold_flagged)


def note(tx: Tx, caller: Caller, noted: Sequence[Noted], ids: Mapping[str, str] | None = None) -> None:
    """Store the flags of added bills; `ids` maps each `place_name` to a stored bill's id."""
    named, rows = ids or {}, list[FlagRow]()
    issuers = {noted_bill.row.id: noted_bill.row.issuer_name for noted_bill in noted}
    for row, flags, reasons in noted:
        for number, flag in enumerate(flags, start=1):
            reason = reasons[number - 1].strip() if number <= len(reasons) else ""
            its = _row(caller, row, number, flag, tx.now)._replace(
                about=";".join(named.get(bill, bill) for bill in flag.bills)
            )
            rows.append(accepted(tx, caller, its, reason) if reason else its)
    bill_flags.add_many(tx, rows)
    record(tx, caller, [row for row in rows if row.accepted_at], issuers)


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> list[ShownFlag]:
    """List the flags of a bill, open ones first."""
    rows = bill_flags.of_bill(tx, caller.account_id, bill_id)
    about = sorted({about_id for row in rows for about_id in row.about.split(";") if about_id})
    named_bills = {named_bill.id: named_bill for named_bill in bill_flags.named(tx, caller.account_id, about)}
    people = _called(tx, caller, {row.accepted_by for row in rows if row.accepted_by})
    shown = [
        ShownFlag(
            row,
            ADVICE[cast(FlagKind, row.kind)],
            tuple(named_bills[about_id] for about_id in row.about.split(";") if about_id in named_bills),
            people[row.accepted_by] if row.accepted_by else "",
            mark_of([row]),
        )
        for row in rows
    ]
    return sorted(shown, key=lambda flag: (flag.row.accepted_at or "", flag.row.number))


def _called(tx: Tx, caller: Caller, actors: set[str]) -> dict[str, str]:
    """Map the ids of members, former members and programs to their names."""
    there = {row.id: row.name or row.email for row in members.all_of(tx, caller.account_id)} if actors else {}
    gone = former_members.called(tx, caller, {actor for actor in actors - there.keys() if is_id(actor, "member")})
    return {actor: there.get(actor) or gone.get(actor) or called(actor) for actor in actors}


def named(tx: Tx, caller: Caller, flags: Sequence[Flag]) -> dict[str, NamedBill]:
    """Map ids of bills that flags concern to these bills, if they are still stored."""
    ids = sorted({bill for flag in flags for bill in flag.bills})
    return {named_bill.id: named_bill for named_bill in bill_flags.named(tx, caller.account_id, ids)}


def mark_of(rows: Sequence[FlagRow]) -> str:
    """Compute a fingerprint of flags in the order in which they were shown (`shown_as`)."""
    return shown_as([Flag(cast(FlagKind, row.kind), row.message, tuple(row.about.split(";"))) for row in rows])


def accept(tx: Tx, caller: Caller, bill_id: str, number: int, reason: str, shown: str) -> bool:
    """Accept a bill's flag with a reason; return True if this releases a held bill.

    `shown` is the fingerprint of the flag that somebody saw. An accepted flag stays accepted. Raises `InvalidRequest`
    for an empty reason, `NotFound` if there is no such flag, and `Conflict` if another flag now has this `number`.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    if problem := reason_problem(reason):
        raise InvalidRequest.because([Problem("reason", problem)])
    flags = bill_flags.of_bill(tx, caller.account_id, row.id)
    flag = next((flag_row for flag_row in flags if flag_row.number == number), None)
    if flag is None:
        raise NotFound("flag")
    if mark_of([flag]) != shown:
        raise OtherFlags
    if flag.accepted_at is None:
        after = accepted(tx, caller, flag, reason.strip())
        bill_flags.save(tx, after)
        record(tx, caller, [after], {row.id: row.issuer_name})
    is_open = any(flag_row.accepted_at is None and flag_row.number != number for flag_row in flags)
    return not is_open and bool(let_go(tx, caller, [locked], [row]))


def record(tx: Tx, caller: Caller, rows: Sequence[FlagRow], issuers: Mapping[str, str]) -> None:
    """Audit accepted flags, and mark their bills as changed; `issuers` are keyed by bill id."""
    bill_flags.touch_bills(tx, caller.account_id, sorted({row.bill_id for row in rows}))
    acceptances = [
        (row.bill_id, None, _Accepted(row.property_id, issuers[row.bill_id], row.message, row.reason or ""))
        for row in rows
    ]
    audit.record_many(tx, caller, Verb.ACCEPT_FLAG_OF_BILL, acceptances)


def _row(caller: Caller, row: BillRow, number: int, flag: Flag, now: str) -> FlagRow:
    return FlagRow(
        account_id=caller.account_id,
        bill_id=row.id,
        number=number,
        property_id=row.property_id,
        kind=flag.kind,
        message=flag.message,
        about=";".join(flag.bills),
        found_at=now,
        accepted_at=None,
        accepted_by=None,
        reason=None,
    )


def accepted(tx: Tx, caller: Caller, row: FlagRow, reason: str) -> FlagRow:
    """Return a flag's row as accepted now by the caller, for this reason."""
    return row._replace(accepted_at=tx.now, accepted_by=caller.actor, reason=reason)


def let_go(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], rows: Sequence[BillRow]) -> int:
    """Release the given bills that are held, and return their number.

    Their months are recalculated once. `locked` are the bills' properties.
    """
    released, touched, of = list[str](), list[LineRow](), {row.id: row for row in locked}
    for row in rows:
        lines, held = bill_lines.stored(tx, caller, row.id)
        if held and lines:
            closed = bill_lines.closed_months(tx, caller, [row.property_id])[row.property_id]
            its = bill_lines.in_open_months(row, lines, of[row.property_id], closed)
            held_lines.replace(tx, caller.account_id, row.id, ())
            bill_lines.replace(tx, caller, row.id, its, are_held=False)
            audit.record(tx, caller, Verb.RELEASE_BILL, row.id, after=row)
            released.append(row.id)
            touched += its
    bill_flags.touch_bills(tx, caller.account_id, released)
    bill_lines.recalculate_touched(tx, caller, locked, touched)
    return len(released)


def look_at_changed(tx: Tx, caller: Caller, row: BillRow, locked: PropertyRow, *, same_lines: bool = False) -> None:
    """Find the flags of a changed bill, keeping acceptances that still apply.

    Open flags are replaced by those found now. A held bill is released if no open flag is left. If `same_lines` is
    true, the lines have not changed, so an open flag that says that they do not sum to the total stays open.
    """
    lines = {row.id: bill_lines.stored(tx, caller, row.id).lines}
    (new,) = _as_earlier(tx, caller, [row], [bare_number(row.account_number)], lines)
    (flags,) = find(tx, caller, [new.bill], {locked.id: locked}, but={row.id})
    before = bill_flags.of_bill(tx, caller.account_id, row.id)
    accepted = [flag_row for flag_row in before if flag_row.accepted_at]
    still = _not_summing(before) if same_lines else []
    new_flags = [*(flag for flag in flags if not _is_settled(flag, accepted)), *still]
    _write_open(tx, caller, locked, row, before, new_flags)


def _is_settled(flag: Flag, accepted: Sequence[FlagRow]) -> bool:
    """True if a person has already accepted this flag.

    The accepted flag must have the same kind and text, and concern at least the same bills, compared by id.
    """
    return any(
        (flag_row.kind, flag_row.message) == (flag.kind, flag.message)
        and set(flag.bills) <= set(flag_row.about.split(";"))
        for flag_row in accepted
    )


def look_again(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], but: Collection[str] = ()) -> None:
    """Recheck the open flags of bills in locked properties, except those in `but`.

    A flag may no longer apply after something was added, changed or removed. No new flags are searched for. If a bill
    has become history since its flags were found, they stay, because nobody has looked at them.
    """
    of = {row.id: row for row in locked}
    flagged = bill_flags.flagged_in(tx, caller.account_id, sorted(of), limit=MOST_FLAGGED_LOOKED_AT_AGAIN)
    ids = [bill_id for bill_id in flagged if bill_id not in but]
    if not ids:
        return
    stored = bill_searches.with_lines(tx, caller.account_id, ids)
    rows = {row.id: row for row, _ in stored}
    numbers = {bare_number(row.account_number) for row in rows.values()}
    news = list(_as_earlier(tx, caller, list(rows.values()), numbers, {row.id: lines for row, lines in stored}))
    known, today = _known(tx, caller, [new.bill for new in news]), account_actions.today(tx, caller)
    before = grouped((flag.bill_id, flag) for flag in bill_flags.of_bills(tx, caller.account_id, ids))
    for bill_id, bill in news:
        its, at = before[bill_id], of[bill.property_id]
        kinds: set[str] = {flag.kind for flag in its if flag.accepted_at is None}
        flags = [flag for flag in known.flags_of(bill, at.currency, today, but={bill_id}) if flag.kind in kinds]
        _write_open(tx, caller, at, rows[bill_id], its, [*flags, *_not_summing(its)])


def _not_summing(before: Sequence[FlagRow]) -> list[Flag]:
    """Return the open flag for lines that did not sum to the total.

    The stored lines no longer show the problem, because one of them was added for the difference.
    """
    return [Flag("doesNotSum", flag.message) for flag in before if flag.kind == "doesNotSum" and not flag.accepted_at]


def _write_open(
    tx: Tx, caller: Caller, locked: PropertyRow, row: BillRow, before: Sequence[FlagRow], flags: Sequence[Flag]
) -> None:
    """Replace a bill's open flags; if there are no new ones, release a held bill."""
    was = [(flag_row.kind, flag_row.message, flag_row.about) for flag_row in before if flag_row.accepted_at is None]
    if was != [(flag.kind, flag.message, ";".join(flag.bills)) for flag in flags]:
        bill_flags.remove_open(tx, caller.account_id, row.id)
        behind = max((flag_row.number for flag_row in before if flag_row.accepted_at), default=0) + 1
        rows = [_row(caller, row, number, flag, tx.now) for number, flag in enumerate(flags, start=behind)]
        bill_flags.add_many(tx, rows)
        event_outbox.note_updated_bill(tx, row)
    if not flags:
        let_go(tx, caller, [locked], [row])
