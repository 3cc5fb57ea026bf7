"""Learning from a confirmed bill: misleading places of values are dropped, and new places added."""

from collections.abc import Sequence
from datetime import date

from prorata.domain.intake.bill_reading.spots import Form, Sheet, key_of
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.amount_words import with_known_months
from prorata.domain.intake.pointing.known_issuers import known_of
from prorata.domain.intake.pointing.lessons import (
    FIELDS,
    MOST_AMOUNTS,
    MOST_LAYOUTS,
    Layout,
    PageLesson,
    Shown,
    Taught,
    is_at,
    layout_of,
)
from prorata.domain.intake.pointing.line_rules import Way, comes_to, rows_by
from prorata.domain.intake.pointing.votes import votes_of

MOST_WAYS, _MOST_ACCOUNTS = 8, 200
_LEAST_WORDS = 20
"""The minimum number of words for a layout.

If a new bill gives fewer, the layout keeps its former words.
"""


def learned(pages: Sequence[Page], shown: Shown, before: PageLesson | None = None) -> PageLesson:
    """Update the lesson about an issuer after a bill was confirmed."""
    known = known_of(pages, [before]) if before else None
    sheet = with_known_months(Sheet(pages), known.layout.amounts if known else ())
    new = layout_of(pages, sheet, shown)
    before = before or PageLesson(shown.issuer, ())
    if known:
        new = _both(known.layout, new, sheet, shown)
    others = [one for one in before.layouts if known is None or one is not known.layout]
    kinds = tuple(sorted({kind for kind, cents in shown.lines if cents}))
    account = key_of(str(shown.values.get("account_number", "")))
    accounts = {account: kinds} | {key: its for key, its in before.accounts if key != account}
    return PageLesson(
        shown.issuer,
        (new, *others)[:MOST_LAYOUTS],
        tuple(sorted({*before.kinds, *kinds})),
        tuple((key, its) for key, its in accounts.items() if key and its)[:_MOST_ACCOUNTS],
    )


def _both(old: Layout, new: Layout, sheet: Sheet, shown: Shown) -> Layout:
    words, marks = (
        tuple(sorted(set(older) & set(other))) for older, other in ((old.words, new.words), (old.marks, new.marks))
    )
    fields = dict(old.fields)
    for name, value in shown.values.items():
        was, now = old.fields.get(name), new.fields.get(name)
        if now is None:
            continue  # not on this bill, which thus says nothing about its place
        if was is None or name in shown.at:
            fields[name] = now
        else:
            fields[name] = _kept(was, now, FIELDS[name], sheet, value)
    return Layout(
        words if len(words) >= _LEAST_WORDS else old.words,
        marks or old.marks,
        fields,
        _lines(old, new, sheet, shown),
        new.order or old.order,
        tuple(dict.fromkeys((*new.amounts, *old.amounts)))[:MOST_AMOUNTS],
        old.bills + 1,
    )


def _lines(old: Layout, new: Layout, sheet: Sheet, shown: Shown) -> tuple[Way, ...]:
    """Merge the line rules of an earlier layout with those of a confirmed bill.

    Each set of rules divides a bill's amounts into lines. The sets that give the confirmed lines of this bill
    (`shown`) come first. The sets that give other lines with the same sum are dropped.
    """
    spots, wanted = sheet.spots("money"), {kind: cents for kind, cents in shown.lines if cents}
    if not wanted or "total" not in new.fields:
        return old.lines
    ways = [way for way in old.lines if comes_to(way, spots, wanted)]
    joined = (both for way in old.lines for more in new.lines if (both := _joined(way, more)))
    ways = ways or [both for both in joined if comes_to(both, spots, wanted)][:1]
    ways += [way for way in new.lines if not any(set(way) <= set(known_way) for known_way in ways)]
    total = sum(wanted.values())
    silent = [way for way in old.lines if way in ways or sum(row.cents for row in rows_by(way, spots)) != total]
    return tuple(dict.fromkeys([*ways, *silent]))[:MOST_WAYS]


def _joined(way: Way, other: Way) -> Way | None:
    """Merge two sets of line rules; return None if they contradict each other."""
    kinds = {rule.words: rule.kind for rule in way}
    if any(kinds.get(rule.words, rule.kind) != rule.kind for rule in other):
        return None
    return tuple({(rule.words, rule.x): rule for rule in (*way, *other)}.values())


def _kept(was: Taught, now: Taught, form: Form, sheet: Sheet, value: str | date | int) -> Taught:
    """Update the places where a value was on earlier bills; misleading ones are dropped.

    A place misleads if, on this bill, it has a value other than the confirmed value. If none of the earlier places
    has the confirmed value, the places on this bill are added.
    """
    right, silent = [], []
    for anchor in was.anchors:
        votes = votes_of(Taught((anchor,), was.shape), form, sheet.spots(form), lambda spot: spot)
        if not votes:
            silent.append(anchor)
        elif all(is_at(vote.value, value) for vote in votes):
            right.append(anchor)
    anchors = (*right, *silent) if right else (*now.anchors, *silent)
    return Taught(
        tuple(dict.fromkeys(anchors))[:8], was.shape if was.shape == now.shape else "", now.is_first, now.is_last
    )
