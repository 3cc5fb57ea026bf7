"""The owner has what the tenants' differences leave of a corrected line's change."""

from datetime import date
from types import SimpleNamespace as Fake

from prorata.actions.recalculation.correction_decisions import ShownCorrection
from prorata.actions.recalculation.owner_differences import with_owner
from prorata.domain.splitting.correction_sentences import about_correction, sentence
from prorata.domain.splitting.corrections import OWNERS
from prorata.store.recalculation.corrections import CorrectionRow

ABOUT = about_correction("2026-10", "Aqua", date(2026, 10, 20))


def correction(unit, own, right, left=0, description=ABOUT, line=1):
    says = sentence(description, own, right, "USD", "2 of 4 people") if description else "no sentence of a correction"
    row = CorrectionRow(
        "acct", "prop", "2026-10", unit, f"ten {unit}", "bill", line, "WATER", right, own, 3, 0, 0, 0, left, 5, 7, says,
        None, f"ten {unit}", given_up=False,
    )  # fmt: skip
    return ShownCorrection(row, unit, f"Tenant {unit}", "2026-11", is_revocable=True)


def month(then, now):
    """A closed month; `then` has its lines' amounts, `now` also the owner's parts."""
    before = [Fake(bill_id="bill", number=number, amount=amount) for number, amount in then.items()]
    lines = [
        Fake(bill_id="bill", number=number, amount=amount, owner_amount=owner)
        for number, (amount, owner) in now.items()
    ]
    return Fake(then=Fake(lines=before), loaded=Fake(lines=lines, now=Fake(currency="USD")))


def owners(then, now, *shown):
    """The corrections that are added below those of the households."""
    found = with_owner(month(then, now), shown)
    assert found[: len(shown)] == list(shown)
    return found[len(shown) :]


def test_the_owner_has_what_the_tenants_differences_leave_of_the_change_of_a_line():
    one, two = correction("u1", 30_00, 20_00), correction("u2", 30_00, 27_00, left=-1_00, description="")
    (found,) = owners({1: 100_00}, {1: (90_00, 42_00)}, one, two)
    said = sentence(ABOUT, 40_00, 43_00, "USD", OWNERS)
    assert found == ShownCorrection(
        one.row._replace(
            unit_id="", tenant_id="", household="", description=said, right_amount=43_00, own_amount=40_00,
            elsewhere_amount=0, waiting_amount=0, to_charge_amount=0, left_amount=3_00,
        ),
        "", None, None, is_revocable=False,
    )  # fmt: skip


def test_of_a_bill_that_is_gone_nothing_is_right():
    (found,) = owners({1: 100_00}, {}, correction("u1", 60_00, 0))
    assert (found.row.own_amount, found.row.right_amount, found.row.left_amount) == (40_00, 0, -40_00)


def test_a_line_that_the_tenants_differences_change_by_all_has_no_row_of_the_owner():
    assert owners({}, {1: (50_00, 0)}, correction("u1", 0, 25_00), correction("u2", 0, 25_00)) == []


def test_a_line_whose_owner_part_is_stored_has_no_second_one_and_the_next_line_has_its_own():
    stored = correction("", 0, 20_00), correction("u1", 0, 25_00)
    (found,) = owners({2: 10_00}, {1: (50_00, 0), 2: (12_00, 12_00)}, *stored, correction("u1", 5_00, 4_00, line=2))
    assert (found.row.line, found.row.left_amount) == (2, 3_00)


def test_what_no_sentence_tells_of_the_bill_has_no_sentence():
    (found,) = owners({1: 10_00}, {1: (12_00, 12_00)}, correction("u1", 5_00, 5_00, description=""))
    assert found.row.description == ""
