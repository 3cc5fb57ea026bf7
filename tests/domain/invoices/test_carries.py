"""Tests of carried credits with random invoices of several households.

Certain rules hold whatever became of the invoices before.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given, strategies as st

from prorata.domain.invoices.carries import Carry, Holding, Settled, has_left, household_of, settle
from prorata.domain.splitting.stays import Stay

HOUSEHOLDS = {
    "ann": frozenset({"ann", "bo"}),
    "bo": frozenset({"ann", "bo"}),
    "cy": frozenset({"cy"}),
    None: frozenset[str](),
}


@st.composite
def holdings(draw: st.DrawFn) -> list[Holding]:
    found = []
    for number in range(draw(st.integers(2, 8))):
        tenant = draw(st.sampled_from(list(HOUSEHOLDS)))
        is_issued = draw(st.booleans())
        found.append(
            Holding(
                f"inv_{number}", draw(st.sampled_from(["u1", "u2"])), tenant, HOUSEHOLDS[tenant],
                (f"2026-{draw(st.integers(1, 6)):02}", 0, str(number)), is_issued,
                draw(st.integers(-50, 100)), draw(st.integers(-20, 150)), draw(st.integers(0, 9)) > 0,
            )
        )  # fmt: skip
    return found


def after(invoices: Sequence[Holding], carries: Sequence[Carry], done: Settled) -> tuple[list[Holding], list[Carry]]:
    """The invoices and carries after the settlement has been applied."""
    paid = {one.id: one.paid for one in invoices}
    for carry, sign in (*((one, 1) for one in done.taken_back), *((one, -1) for one in done.made)):
        paid[carry.giver] += sign * carry.amount
        paid[carry.taker] -= sign * carry.amount
    kept = [one for one in carries if one not in done.taken_back]
    made = [one._replace(id=f"pay_{len(carries) + number}") for number, one in enumerate(done.made)]
    return [one._replace(paid=paid[one.id]) for one in invoices], [*kept, *made]


@given(holdings(), st.data())
def test_settling_holds_its_rules_whatever_becomes_of_the_invoices(
    invoices: list[Holding], data: st.DataObject
) -> None:
    carries: list[Carry] = []
    for _ in range(3):
        known, done = {one.id: one for one in invoices}, settle(invoices, carries)
        total = sum(one.paid for one in invoices)
        settled, carries = after(invoices, carries, done)
        assert sum(one.paid for one in settled) == total
        assert settle(settled, carries) == Settled()
        for one in carries:
            giver, taker = known[one.giver], known[one.taker]
            assert one.amount > 0
            assert giver.is_of_household(taker)
            assert giver.is_issued
            assert taker.is_issued
        now = {one.id: one for one in settled}
        for one in done.made:
            assert now[one.giver].paid >= now[one.giver].total, "an arrear is never moved"
            assert now[one.taker].paid <= now[one.taker].total
        invoices = [changed(one, data) for one in settled]


def changed(one: Holding, data: st.DataObject) -> Holding:
    """An invoice that may have received money or changed its status."""
    what = data.draw(st.sampled_from(["nothing", "money", "status"]))
    if what == "money":
        return one._replace(paid=one.paid + data.draw(st.integers(-80, 80)))
    if what == "status":
        return one._replace(is_issued=data.draw(st.booleans()))
    return one


@given(holdings())
def test_an_account_that_carries_nothing_makes_none(invoices: list[Holding]) -> None:
    assert settle(invoices, [], makes=False) == Settled()


def test_whoever_only_shares_the_day_of_moving_is_another_household() -> None:
    stays = [Stay("ann", None, date(2026, 3, 15)), Stay("bo", date(2026, 3, 15), None)]
    assert [household_of(one, stays) for one in ("ann", "bo", None)] == [{"ann"}, {"bo"}, frozenset()]


# --- cases ---------------------------------------------------------------------------------------------------------------


def holding(name: str, total: int, paid: int, tenant: str | None = "ann", *, unit: str = "u1", **more: Any) -> Holding:
    household = more.pop("household", HOUSEHOLDS[tenant])
    return Holding(name, unit, tenant, household, (name, 0, name), more.pop("issued", True), total, paid, **more)


def made(*invoices: Holding) -> list[tuple[str, str, int]]:
    return [(one.giver, one.taker, one.amount) for one in settle(invoices, []).made]


def test_a_credit_meets_what_the_household_owes_to_the_cent() -> None:
    assert made(holding("march", 100, 101), holding("april", 80, 0)) == [("march", "april", 1)]
    assert made(holding("march", 100, 100), holding("april", 80, 0)) == []
    assert made(holding("march", 100, 150, "bo"), holding("april", 80, 0)) == [("march", "april", 50)]
    assert made(holding("b", 100, 250), holding("a", 80, 0), holding("c", 80, 10)) == [("b", "a", 80), ("b", "c", 70)]


@pytest.mark.parametrize(
    "april",
    [
        holding("april", 80, 0, "cy"),
        holding("april", 80, 0, None),
        holding("april", 80, 0, unit="u2"),
        holding("april", 80, 0, "bo", household=frozenset({"bo"})),
        holding("april", 80, 0, "cy", household=frozenset({"ann", "cy"})),
        holding("april", 80, 0, issued=False),
        holding("april", 80, 0, has_room=False),
    ],
    ids=["neighbour", "nobody", "elsewhere", "knows not the other", "is not known", "draft", "full ledger"],
)
def test_a_credit_goes_to_nobody_else(april: Holding) -> None:
    march = holding("march", 100, 150)
    assert made(march, april) == made(april, march) == []
    assert made(march._replace(has_room=False), holding("april", 80, 0)) == []


def test_the_newest_carries_are_taken_back_first_and_only_as_many_as_it_takes() -> None:
    carries = [Carry(f"pay_{at}", "march", taker, 30) for at, taker in enumerate(("april", "may", "june"))]
    others = [holding(name, 80, 30) for name in ("april", "may", "june")]
    assert settle([holding("march", 100, 100), *others], carries, makes=False).taken_back == ()
    assert settle([holding("march", 100, 99), *others], carries, makes=False).taken_back == (carries[2],)
    assert settle([holding("march", 100, 69), *others], carries, makes=False).taken_back == (carries[2], carries[1])


@pytest.mark.parametrize("ids", [("pay_1", "pay_2", "pay_3"), ("pay_2", "pay_3", "pay_1")])
def test_what_was_carried_on_is_taken_back_once_however_much_is_missing_before_it(ids: tuple[str, str, str]) -> None:
    """January and February gave credits to March, and March gave one to April.

    January's and February's invoices are drafts again.
    """
    invoices = [
        holding("1", 10, 10, issued=False),
        holding("2", 10, 10, issued=False),
        holding("3", 40, 40),
        holding("4", 25, 20),
    ]
    carries = [Carry(ids[0], "1", "3", 30), Carry(ids[1], "2", "3", 30), Carry(ids[2], "3", "4", 20)]
    assert sorted(settle(invoices, carries, makes=False).taken_back) == sorted(carries)
    assert settle(invoices, carries[2:], makes=False).taken_back == ()


def test_whoever_leaves_today_still_lives_there() -> None:
    stays = [Stay("ann", None, date(2026, 3, 31))]
    assert not has_left("ann", stays, date(2026, 3, 31))
    assert has_left("ann", stays, date(2026, 4, 1))
    assert has_left("cy", stays, date(2026, 3, 1)), "nobody knows of a stay"
