"""Each sum of an e-invoice is checked to the cent, taxes less closely."""

from fractions import Fraction

import pytest

from prorata.domain.intake.e_invoices.e_invoice import Charge, EInvoice, InvoiceLine, Tax, TaxSum
from prorata.domain.intake.e_invoices.sums import CONTRADICTS, contradiction
from prorata.domain.limits import LARGEST_AMOUNT
from tests.domain.intake.e_invoices.test_drafts import FULL, LESS, invoice

LINES = InvoiceLine("Water", 100_00, FULL), InvoiceLine("Books", 50_00, LESS)
CHARGES = Charge("Post", 6_00, FULL), Charge("Rabatt", -2_00, LESS, is_allowance=True)
RIGHT = invoice(*LINES, charges=CHARGES, prepaid=10_00)
RIGHT = RIGHT._replace(totals=RIGHT.totals._replace(charges=6_00, allowances=2_00))


def wrong(made: EInvoice) -> str:
    said = contradiction(made)
    assert said is not None
    head, tail = CONTRADICTS.split("{}")
    return said.removeprefix(head).removesuffix(tail)


def test_one_whose_sums_agree_contradicts_nothing() -> None:
    assert contradiction(RIGHT) is None
    for unsaid in ("lines", "allowances", "charges", "net", "tax"):
        totals = RIGHT.totals._replace(**{unsaid: None})
        assert (contradiction(RIGHT._replace(totals=totals)) is None) == (unsaid != "tax")


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("lines", "the sum of its lines should be 150.00, and it says {}"),
        ("charges", "the sum of its charges should be 6.00, and it says {}"),
        ("allowances", "the sum of its allowances should be 2.00, and it says {}"),
        ("net", "the sum without tax should be 154.00, and it says {}"),
        ("tax", "the tax should be 23.50, and it says {}"),
        ("gross", "the sum with tax should be 177.50, and it says {}"),
        ("payable", "what is to be paid should be 167.50, and it says {}"),
        ("prepaid", "what is to be paid should be {}, and it says 167.50"),
        ("rounding", "what is to be paid should be {}, and it says 167.50"),
    ],
)
@pytest.mark.parametrize("more", [1, -1])
def test_each_sum_is_checked_to_the_cent(field: str, said: str, more: int) -> None:
    totals = RIGHT.totals
    value = getattr(totals, field) + more

    found = wrong(RIGHT._replace(totals=totals._replace(**{field: value})))

    shown = {"prepaid": 167_50 - more, "rounding": 167_50 + more}.get(field, value)
    assert found == said.format(f"{shown // 100}.{shown % 100:02d}")


def test_a_credit_note_asks_for_nothing_below_zero() -> None:
    totals = RIGHT.totals._replace(payable=-1)
    found = wrong(RIGHT._replace(is_credit=True, totals=totals))
    assert found == "it is a credit note, and what is to be paid is below zero"


def test_what_others_ask_by_it_is_part_of_what_is_to_be_paid() -> None:
    totals = RIGHT.totals._replace(payable=RIGHT.totals.payable + 5_00)
    made = RIGHT._replace(totals=totals, advances=(Charge("Parking", 5_00),))

    assert contradiction(made) is None
    assert wrong(made._replace(advances=())) == "what is to be paid should be 167.50, and it says 172.50"


def test_without_lines_the_sum_of_them_that_it_states_is_believed() -> None:
    assert contradiction(RIGHT._replace(lines=())) is None
    totals = RIGHT.totals._replace(lines=151_00)
    assert wrong(RIGHT._replace(lines=(), totals=totals)) == "the sum without tax should be 155.00, and it says 154.00"


def test_charges_that_it_has_no_room_to_list_are_believed() -> None:
    made = RIGHT._replace(charges=(), lists_charges=False)

    assert wrong(made._replace(lists_charges=True)) == "the sum of its charges should be 0.00, and it says 6.00"
    none = RIGHT.totals._replace(charges=None, allowances=None)
    assert wrong(made._replace(totals=none)) == "the sum without tax should be 150.00, and it says 154.00"
    assert contradiction(made) is None


@pytest.mark.parametrize("off", [99, -99, 100, -100])
def test_a_tax_may_differ_from_its_rate_by_less_than_one(off: int) -> None:
    taxes = TaxSum(FULL, 106_00, 20_14 + off), TaxSum(LESS, 48_00, 3_36 - off)
    made = RIGHT._replace(taxes=taxes)

    if abs(off) < 100:
        assert contradiction(made) is None
    else:
        assert wrong(made) == f"{(20_14 + off) // 100}.{(20_14 + off) % 100:02d} is not 19 % of 106.00"


@pytest.mark.parametrize("off", [99, -99, 100, -100])
def test_what_a_tax_is_of_may_differ_from_its_lines_by_less_than_one(off: int) -> None:
    taxes = TaxSum(FULL, 106_00 + off, 20_14), TaxSum(LESS, 48_00 - off, 3_36)

    found = contradiction(RIGHT._replace(taxes=taxes))

    shown = f"{(106_00 + off) // 100}.{(106_00 + off) % 100:02d}"
    said = CONTRADICTS.format(f"what it taxes at 19 % comes to 106.00, and it says {shown}")
    assert found == (None if abs(off) < 100 else said)


def test_taxes_of_one_rate_are_checked_together_and_lines_without_one_not_at_all() -> None:
    other = Tax("AA", Fraction(19))
    taxes = TaxSum(FULL, 50_00, 9_50), TaxSum(other, 56_00, 10_64), TaxSum(LESS, 48_00, 3_36)
    assert contradiction(RIGHT._replace(taxes=taxes)) is None
    moved = TaxSum(FULL, 126_00, 20_14), TaxSum(LESS, 28_00, 3_36)
    assert wrong(RIGHT._replace(taxes=moved)).startswith("what it taxes at 19 % comes to 106.00")
    untaxed = (RIGHT.lines[0]._replace(tax=None), RIGHT.lines[1])
    assert wrong(RIGHT._replace(taxes=moved, lines=untaxed)) == "20.14 is not 19 % of 126.00"
    for charge in RIGHT.charges:
        free = tuple(one._replace(tax=None) if one is charge else one for one in RIGHT.charges)
        assert wrong(RIGHT._replace(taxes=moved, charges=free)) == "20.14 is not 19 % of 126.00"
    for net in (None, 1_00):
        nameless = TaxSum(FULL, None, 20_00), TaxSum(other, net, 14), TaxSum(LESS, None, 3_36)
        assert contradiction(RIGHT._replace(taxes=nameless)) is None


def test_no_sum_is_larger_than_a_bill_may_be() -> None:
    most = invoice(InvoiceLine("Water", LARGEST_AMOUNT, Tax("E", Fraction(0))))
    assert contradiction(most) is None
    assert wrong(invoice(InvoiceLine("Water", LARGEST_AMOUNT + 1, Tax("E", Fraction(0))))) == (
        "it comes to more than a bill can"
    )
