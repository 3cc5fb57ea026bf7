"""Flags of bills: found before a bill counts, accepted with a reason, and looked at again when what they say changes.

A flagged bill that nobody has accepted counts, and is shown as flagged; or, where the account wants that, it is held:
kept with its lines apart from those that count, until its last flag is accepted or gone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple, cast

from prorata.actions.accounts import access, accounts as account_actions, former_members
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
    """What somebody says of the flags they were shown: which these were (`shown_as`), why each is right, empty where
    they do not say; `later` leaves what they do not say open. `difference` says what the difference is for between the
    lines of a bill and its total: a utility of the bill, or a reason not to bill it.
    """

    shown: str = ""
    reasons: tuple[str, ...] = ()
    later: bool = False
    difference: str = ""


UNDECIDED = Decision()


class Noted(NamedTuple):
    """The flags of a bill that was added, and why each is right; empty where it is open."""

    row: BillRow
    flags: Sequence[Flag]
    reasons: Sequence[str] = ()


class ShownFlag(NamedTuple):
    """A flag of a stored bill as its page shows it, with those of the bills it is about that are still there, and who
    accepted it; `mark` tells that it was this one.
    """

    row: FlagRow
    advice: str
    bills: tuple[NamedBill, ...]
    who: str
    mark: str


class OtherFlags(Conflict):
    """Something else is flagged of a bill than somebody was shown."""

    def __init__(self) -> None:
        super().__init__(say("Something else is flagged by now. Open it again."))


class _Accepted(NamedTuple):
    """What is written down of a flag that somebody has accepted."""

    property_id: str
    issuer_name: str
    flag: str
    reason: str


def find(
    tx: Tx, caller: Caller, new: Sequence[NewBill], of: Mapping[str, PropertyRow],
    but: Collection[str] = (),
) -> list[tuple[Flag, ...]]:  # fmt: skip
    """The flags of new bills, in their order: each compared with those that are stored, without those whose ids are in
    `but`, and with those of the new ones that are dated before it, which are named `place_name` of their place. `of`
    are their properties by id. A bill of before billing starts charges nobody, and is only asked whether it is there
    twice. Some five statements, however many bills there are.
    """
    if not new:
        return []
    known = _known(tx, caller, new)
    found: list[tuple[Flag, ...]] = [()] * len(new)
    for place in sorted(range(len(new)), key=lambda at: (new[at].bill_date, at)):
        found[place] = _flags(new[place], of[new[place].property_id], known, but)
        known.add(EarlierBill(place_name(place), new[place]))
    return found


def place_name(place: int) -> str:
    """What flags call a bill that is not stored yet, by its place among the new ones."""
    return f"#{place}"


def _flags(
    bill: NewBill, of: PropertyRow, known: KnownBills, but: Collection[str]
) -> tuple[Flag, ...]:  # fmt: skip
    found = known.flags_of(bill, of.currency, but=but)
    is_history = months_of(bill)[-1].month < (of.billing_starts_month or "")
    return tuple(one for one in found if one.kind == "duplicate") if is_history else found


def _known(tx: Tx, caller: Caller, new: Sequence[NewBill]) -> KnownBills:
    """The stored bills that these are compared with, with their amounts where these matter."""
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
    """How these numbers may have been written before."""
    return sorted({form for number in numbers for form in account_number_forms(number or "") if form})


def _shifted(day: date, days: int) -> date:
    """A day, moved as far as there are days."""
    return date.fromordinal(min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal()))


def _as_earlier(
    tx: Tx, caller: Caller, rows: Sequence[BillRow], numbers: Collection[str], spread: Collection[str] = ()
) -> Iterator[EarlierBill]:  # fmt: skip
    """Stored bills as they are compared; of those of these account numbers with their amounts. Those whose ids are in
    `spread` are spread over the months of their service, which only a bill whose flags are looked for has to say.
    """
    divided = {row.id for row in rows if not row.guessed and bare_number(row.account_number) in numbers}
    parts = bill_flags.parts(tx, caller.account_id, sorted(divided))
    for row in rows:
        amounts = tuple((part.utility_type or part.not_billed or "", part.amount) for part in parts.get(row.id, ()))
        yield EarlierBill(row.id, bill_lines.as_new(row)._replace(amounts=amounts, spread=row.id in spread))


def decided(decision: Decision, flags: Sequence[Flag]) -> tuple[Problem, ...] | None:
    """What is wrong with the reasons of a decision about these flags, by the fields of a form; None where it is about
    others, so that these are to be shown.
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
    """Whether a bill with these flags, of which those with a reason are accepted, is held."""
    is_open = sum(bool(reason.strip()) for reason in reasons[: len(flags)]) < len(flags)
    return is_open and bool(account_actions.the_account(tx, caller).hold_flagged)


def note(tx: Tx, caller: Caller, noted: Sequence[Noted], ids: Mapping[str, str] | None = None) -> None:
    """Keep the flags of bills that were added; `ids` are those of bills that the flags call otherwise."""
    named, rows = ids or {}, list[FlagRow]()
    issuers = {one.row.id: one.row.issuer_name for one in noted}
    for row, flags, reasons in noted:
        for number, flag in enumerate(flags, start=1):
            reason = reasons[number - 1].strip() if number <= len(reasons) else ""
            its = _row(caller, row, number, flag, tx.now)._replace(
                about=";".join(named.get(one, one) for one in flag.bills)
            )
            rows.append(accepted(tx, caller, its, reason) if reason else its)
    bill_flags.add_many(tx, rows)
    record(tx, caller, [row for row in rows if row.accepted_at], issuers)


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> list[ShownFlag]:
    """The flags of a bill, those that are open first."""
    rows = bill_flags.of_bill(tx, caller.account_id, bill_id)
    about = sorted({one for row in rows for one in row.about.split(";") if one})
    named_bills = {one.id: one for one in bill_flags.named(tx, caller.account_id, about)}
    people = _called(tx, caller, {row.accepted_by for row in rows if row.accepted_by})
    shown = [
        ShownFlag(
            row,
            ADVICE[cast(FlagKind, row.kind)],
            tuple(named_bills[one] for one in row.about.split(";") if one in named_bills),
            people[row.accepted_by] if row.accepted_by else "",
            mark_of([row]),
        )
        for row in rows
    ]
    return sorted(shown, key=lambda one: (one.row.accepted_at or "", one.row.number))


def _called(tx: Tx, caller: Caller, actors: set[str]) -> dict[str, str]:
    """What these are called, by their ids: members, those who were one, and programs."""
    there = {row.id: row.name or row.email for row in members.all_of(tx, caller.account_id)} if actors else {}
    gone = former_members.called(tx, caller, {one for one in actors - there.keys() if is_id(one, "member")})
    return {one: there.get(one) or gone.get(one) or called(one) for one in actors}


def named(tx: Tx, caller: Caller, flags: Sequence[Flag]) -> dict[str, NamedBill]:
    """The stored bills that flags are about, by their ids."""
    ids = sorted({one for flag in flags for one in flag.bills})
    return {one.id: one for one in bill_flags.named(tx, caller.account_id, ids)}


def mark_of(rows: Sequence[FlagRow]) -> str:
    """What tells that somebody was shown these flags, in this order (`shown_as`)."""
    return shown_as([Flag(cast(FlagKind, row.kind), row.message, tuple(row.about.split(";"))) for row in rows])


def accept(tx: Tx, caller: Caller, bill_id: str, number: int, reason: str, shown: str) -> bool:
    """Accept a flag of a bill, for a reason; whether a bill that was held counts by it. `shown` is the mark of the flag
    that somebody was shown. One that is accepted already stays so. Raises `InvalidRequest` without a reason,
    `NotFound`, and `Conflict` where the flag of this number is another one by now.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    if problem := reason_problem(reason):
        raise InvalidRequest.because([Problem("reason", problem)])
    flags = bill_flags.of_bill(tx, caller.account_id, row.id)
    flag = next((one for one in flags if one.number == number), None)
    if flag is None:
        raise NotFound("flag")
    if mark_of([flag]) != shown:
        raise OtherFlags
    if flag.accepted_at is None:
        after = accepted(tx, caller, flag, reason.strip())
        bill_flags.save(tx, after)
        record(tx, caller, [after], {row.id: row.issuer_name})
    is_open = any(one.accepted_at is None and one.number != number for one in flags)
    return not is_open and bool(let_go(tx, caller, [locked], [row]))


def record(tx: Tx, caller: Caller, rows: Sequence[FlagRow], issuers: Mapping[str, str]) -> None:
    """Write down that flags were accepted, by which their bills have changed; `issuers` are those of these."""
    bill_flags.touch_bills(tx, caller.account_id, sorted({row.bill_id for row in rows}))
    said = [
        (row.bill_id, None, _Accepted(row.property_id, issuers[row.bill_id], row.message, row.reason or ""))
        for row in rows
    ]
    audit.record_many(tx, caller, Verb.ACCEPT_FLAG_OF_BILL, said)


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
    """A flag as it is once the caller has accepted it for a reason."""
    return row._replace(accepted_at=tx.now, accepted_by=caller.actor, reason=reason)


def let_go(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], rows: Sequence[BillRow]) -> int:
    """Have the lines of those of these bills count that are held, and say how many they are; their months are
    recalculated, once for all of them. `locked` are their properties.
    """
    released, touched, of = list[str](), list[LineRow](), {row.id: row for row in locked}
    for row in rows:
        lines, held = bill_lines.stored(tx, caller, row.id)
        if held and lines:
            closed = bill_lines.closed_months(tx, caller, [row.property_id])[row.property_id]
            starts = of[row.property_id].billing_starts_month
            billed_in = bill_lines.months_for(bill_lines.as_new(row, lines), closed, starts)
            its = bill_lines.in_months_again(lines, billed_in)
            held_lines.replace(tx, caller.account_id, row.id, ())
            bill_lines.replace(tx, caller, row.id, its, are_held=False)
            audit.record(tx, caller, Verb.RELEASE_BILL, row.id, after=row)
            released.append(row.id)
            touched += its
    bill_flags.touch_bills(tx, caller.account_id, released)
    bill_lines.recalculate_touched(tx, caller, locked, touched)
    return len(released)


def look_at_changed(tx: Tx, caller: Caller, row: BillRow, locked: PropertyRow, *, same_lines: bool = False) -> None:
    """Find the flags of a bill that was changed: those that are open are found anew, and what was accepted and is still
    so is not asked again. One that is held counts where none is open any more. With the `same_lines` as before it is
    still open that they did not sum to the total, if it was.
    """
    spread = [row.id] if bill_lines.is_spread(bill_lines.stored(tx, caller, row.id).lines) else []
    (new,) = _as_earlier(tx, caller, [row], [bare_number(row.account_number)], spread)
    (flags,) = find(tx, caller, [new.bill], {locked.id: locked}, but={row.id})
    before = bill_flags.of_bill(tx, caller.account_id, row.id)
    accepted = [one for one in before if one.accepted_at]
    still = _not_summing(before) if same_lines else []
    new_flags = [*(flag for flag in flags if not _is_settled(flag, accepted)), *still]
    _write_open(tx, caller, locked, row, before, new_flags)


def _is_settled(flag: Flag, accepted: Sequence[FlagRow]) -> bool:
    """Whether somebody has accepted a flag: one that says the same, of these bills or of more. Two bills of one issuer,
    day and total are told apart by their ids alone.
    """
    return any(
        (one.kind, one.message) == (flag.kind, flag.message) and set(flag.bills) <= set(one.about.split(";"))
        for one in accepted
    )


def look_again(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], but: Collection[str] = ()) -> None:
    """Look again at the bills of locked properties that have open flags, other than those whose ids are in `but`: what
    a flag says may be over by what was added, changed or removed. Nothing else is flagged by it.
    """
    of = {row.id: row for row in locked}
    found = bill_flags.flagged_in(tx, caller.account_id, sorted(of), limit=MOST_FLAGGED_LOOKED_AT_AGAIN)
    ids = [bill_id for bill_id in found if bill_id not in but]
    if not ids:
        return
    stored = bill_searches.with_lines(tx, caller.account_id, ids)
    rows = {row.id: row for row, _ in stored}
    spread = {row.id for row, lines in stored if bill_lines.is_spread(lines)}
    numbers = {bare_number(row.account_number) for row in rows.values()}
    news = list(_as_earlier(tx, caller, list(rows.values()), numbers, spread))
    known = _known(tx, caller, [one.bill for one in news])
    before = grouped((flag.bill_id, flag) for flag in bill_flags.of_bills(tx, caller.account_id, ids))
    for bill_id, bill in news:
        its, at = before[bill_id], of[bill.property_id]
        kinds: set[str] = {flag.kind for flag in its if flag.accepted_at is None}
        flags = [flag for flag in _flags(bill, at, known, {bill_id}) if flag.kind in kinds]
        _write_open(tx, caller, at, rows[bill_id], its, [*flags, *_not_summing(its)])


def _not_summing(before: Sequence[FlagRow]) -> list[Flag]:
    """What is open of lines that did not sum to the total. The stored lines don't show it: one of them is the
    difference.
    """
    return [Flag("doesNotSum", one.message) for one in before if one.kind == "doesNotSum" and not one.accepted_at]


def _write_open(
    tx: Tx, caller: Caller, locked: PropertyRow, row: BillRow, before: Sequence[FlagRow], flags: Sequence[Flag]
) -> None:
    """Give a bill these open flags in the place of those it had; without any it counts."""
    was = [(one.kind, one.message, one.about) for one in before if one.accepted_at is None]
    if was != [(flag.kind, flag.message, ";".join(flag.bills)) for flag in flags]:
        bill_flags.remove_open(tx, caller.account_id, row.id)
        behind = max((one.number for one in before if one.accepted_at), default=0) + 1
        rows = [_row(caller, row, number, flag, tx.now) for number, flag in enumerate(flags, start=behind)]
        bill_flags.add_many(tx, rows)
        event_outbox.note_updated_bill(tx, row)
    if not flags:
        let_go(tx, caller, [locked], [row])
