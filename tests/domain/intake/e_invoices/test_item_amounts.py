"""The amount of each line of an e-invoice is computed to the cent."""

from fractions import Fraction

import pytest

from prorata.domain.intake.e_invoices.e_invoice import Charge, EInvoice, InvoiceLine, Tax, TaxSum
from prorata.domain.intake.e_invoices.item_amounts import parts_of
from tests.domain.intake.e_invoices.test_drafts import FULL, LESS, NONE, invoice

FREE = Tax("Z", Fraction(0))


def line(cents: int, tax: Tax | None = FULL, name: str = "a") -> InvoiceLine:
    return InvoiceLine(name, cents, tax)


def amounts(made: EInvoice) -> list[int]:
    parts, exact = parts_of(made)
    assert exact
    return [part.cents for part in parts]


def with_taxes(made: EInvoice, *taxes: TaxSum, gross: int, rounding: int = 0) -> EInvoice:
    totals = made.totals._replace(gross=gross, rounding=rounding, payable=gross + rounding)
    return made._replace(taxes=taxes, totals=totals)


@pytest.mark.parametrize(
    ("nets", "tax", "parts"),
    [
        ([1, 1, 1], 1, [2, 1, 1]),
        ([100, 200], 57, [119, 238]),
        ([5, -5], 0, [6, -6]),
        ([5, -4], 0, [6, -5]),
        ([4, -5], 0, [5, -6]),
        ([-100, -200], -57, [-119, -238]),
        ([-100, 20], -15, [-119, 24]),
        ([1000, -999], 0, [1190, -1189]),
        ([1000, -999], 1, [1191, -1189]),
    ],
)
def test_a_tax_goes_to_lines_of_both_signs(nets: list[int], tax: int, parts: list[int]) -> None:
    made = invoice(*map(line, nets))
    made = with_taxes(made, TaxSum(FULL, sum(nets), tax), gross=sum(nets) + tax)

    assert amounts(made) == parts


@pytest.mark.parametrize("sign", [1, -1])
def test_one_small_line_of_the_other_sign_takes_no_tax_of_many(sign: int) -> None:
    made = invoice(*[line(10 * sign)] * 10, line(-sign))

    assert amounts(made) == [sign * cents for cents in [*[12] * 9, 11, -1]]


def test_of_another_tax_no_line_has_a_part() -> None:
    made = invoice(line(3), line(3, LESS), charges=(Charge("a", 300, FULL), Charge("b", -2, LESS, is_allowance=True)))

    assert amounts(made) == [303 + 58, 1]
    assert amounts(invoice(line(300), line(3, LESS))) == [357, 3]
    taken = Charge("a", -300, FULL, is_allowance=True)
    assert amounts(invoice(line(-3), line(3, LESS), charges=(taken,))) == [-361, 3]
    assert amounts(invoice(line(3), line(-1), charges=(Charge("a", 10, FULL),))) == [15, -1]


def test_a_tax_that_is_the_only_one_is_that_of_lines_that_name_none() -> None:
    made = invoice(line(3), line(6))

    assert amounts(made._replace(lines=tuple(one._replace(tax=None) for one in made.lines))) == amounts(made)
    two = invoice(line(300), line(300, LESS))
    assert not parts_of(two._replace(lines=(line(300, None), line(300, LESS)))).exact
    assert not parts_of(two._replace(lines=(line(600, LESS),))).exact
    free = two._replace(lines=(line(600, LESS),), taxes=(TaxSum(LESS, 600, 99), TaxSum(FULL, 0, 0)))
    assert parts_of(free).exact, "none of the other"


def test_where_a_category_is_left_out_rates_alone_tell_taxes_apart() -> None:
    nameless = Tax("", Fraction(19)), Tax("", Fraction(7))
    made = invoice(line(100), line(200, LESS), charges=(Charge("a", 10, FULL),))
    right = amounts(made)

    lines = tuple(one._replace(tax=tax) for one, tax in zip(made.lines, nameless, strict=True))
    assert amounts(made._replace(lines=lines)) == right
    assert amounts(made._replace(charges=(Charge("a", 10, nameless[0]),))) == right
    assert (
        amounts(made._replace(taxes=tuple(one._replace(tax=one.tax._replace(category="")) for one in made.taxes)))
        == right
    )


def test_taxes_of_one_rate_are_told_apart_by_their_category() -> None:
    made = invoice(line(100, NONE), line(100, FREE), charges=(Charge("a", 10, FREE),))

    assert amounts(made) == [100, 110]


def test_what_no_tax_is_stated_for_has_none() -> None:
    made = invoice(line(100, NONE), line(-50, NONE), line(7, NONE))

    assert amounts(made._replace(taxes=())) == [100, -50, 7]
    untaxed = tuple(one._replace(tax=None) for one in made.lines)
    assert amounts(made._replace(taxes=(), lines=untaxed)) == [100, -50, 7]


@pytest.mark.parametrize(
    ("charge", "parts"),
    [
        (Charge("Mahngebühr", 100, FULL), [119, 119]),
        (Charge("Kaution", 100, FULL), [119, 119]),
        (Charge("Rückstand", 100, FULL), [119, 119]),
        (Charge("Previous bill", 100, FULL), [119, 119]),
        (Charge("Abwasser", 100, FULL), [119, 119]),
        (Charge("Porto", 100, FULL), [238]),
        (Charge("Rabatt Abwasser", -50, FULL, is_allowance=True), [60]),
        (Charge("Rabatt", -50, LESS, is_allowance=True), [119, -54]),
    ],
)
def test_a_charge_that_names_something_is_a_part_of_its_own(charge: Charge, parts: list[int]) -> None:
    assert amounts(invoice(line(100), charges=(charge,))) == parts


def test_a_rounding_is_spread_and_what_is_allowed_whole_leaves_nothing() -> None:
    made = invoice(line(100), line(300))
    assert amounts(with_taxes(made, *made.taxes, gross=476, rounding=4)) == [120, 360]
    assert amounts(invoice(line(100), charges=(Charge("a", -100, FULL, is_allowance=True),))) == [0]
    assert amounts(invoice(line(0), line(100))) == [119]


def test_what_others_ask_by_it_are_parts_of_their_own() -> None:
    made = invoice(line(100))._replace(advances=(Charge("Parking", 40),))

    assert amounts(made) == [119, 40]
    assert amounts(made._replace(lines=())) == [119, 40]
