"""Credits that are carried, by random invoices of some households: what holds whatever became of them before."""

from collections.abc import Sequence
from datetime import date

from hypothesis import given, strategies as st

from prorata.domain.invoices.carries import Carry, Holding, Settled, household_of, settle
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
    """The invoices and carries as they are once what was settled is done."""
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
    """An invoice to which something may have happened: money, or another status."""
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
