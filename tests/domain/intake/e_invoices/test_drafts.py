"""An e-invoice becomes a bill, line by line with its tax.

Confirmed bills teach the reader about the seller.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.e_invoices.drafts import PREPAID, draft_of, lesson_of, with_answers, with_lesson
from prorata.domain.intake.e_invoices.e_invoice import (
    CONTRACT,
    CUSTOMER,
    Charge,
    EInvoice,
    InvoiceLine,
    Tax,
    TaxSum,
    Totals,
)
from prorata.domain.intake.e_invoices.sums import contradiction
from prorata.domain.limits import MOST_STATED_ITEMS
from prorata.domain.usage import Usage

FULL, LESS = Tax("S", Fraction(19)), Tax("S", Fraction(7))
NONE = Tax("E", Fraction(0))
WATER, SEWER, BASE = (InvoiceLine(name, 0, FULL) for name in ("Trinkwasser", "Schmutzwasser", "Grundpreis"))


def invoice(*lines: InvoiceLine, charges: tuple[Charge, ...] = (), prepaid: int = 0, **more: object) -> EInvoice:
    nets: dict[Tax, int] = {}
    for tax, cents in [*((one.tax, one.cents) for one in lines), *((one.tax, one.cents) for one in charges)]:
        assert tax is not None
        nets[tax] = nets.get(tax, 0) + cents
    taxes = tuple(TaxSum(tax, net, round(net * tax.rate / 100)) for tax, net in nets.items())
    net, tax = sum(nets.values()), sum(one.cents for one in taxes)
    totals = Totals(sum(one.cents for one in lines), None, None, net, tax, net + tax, prepaid, 0, net + tax - prepaid)
    made = EInvoice(
        False, "Werke", "", "R-1", date(2026, 3, 1), "EUR", totals, lines=lines, charges=charges, taxes=taxes
    )
    return made._replace(**more)  # type: ignore[arg-type]


def items(of: EInvoice | Draft) -> dict[str, int]:
    stated = (of if isinstance(of, Draft) else draft_of(of)).stated
    assert stated is not None
    return {item.name: item.cents for item in stated.items}


def test_a_tax_is_apportioned_to_the_lines_that_it_is_of() -> None:
    made = invoice(WATER._replace(cents=100_00, tax=LESS), SEWER._replace(cents=33_33), BASE._replace(cents=66_67))

    assert items(made) == {"Trinkwasser": 107_00, "Schmutzwasser": 39_66, "Grundpreis": 79_34}


def test_what_was_used_is_added_up_over_the_items_of_a_utility_once_it_is_known_what_they_are_for() -> None:
    day, night = Usage(Decimal(300), "kWh", Decimal("0.30")), Usage(Decimal(112), "kWh", Decimal("0.20"))
    lines = (
        InvoiceLine("Hochtarif", 90_00, FULL, "T-100", usage=day),
        InvoiceLine("Niedertarif", 22_40, FULL, "T-200", usage=night),
        InvoiceLine("Trinkwasser", 32_00, FULL, usage=Usage(Decimal(10), "m³", Decimal("3.20"))),
        BASE._replace(cents=5_00),
        InvoiceLine("Mahngebühr", 5_00, FULL, usage=Usage(Decimal(1), "kWh")),
    )
    draft = draft_of(invoice(*lines))
    assert draft.lines.value is None, "it is asked what the tariffs are for"

    said = with_answers(draft, ["ELECTRICITY", "ELECTRICITY", "WATER", "ELECTRICITY", "LATE_FEE"])
    known = with_lesson(said, {}).lines.value

    assert known is not None
    assert {line.name: line.usage for line in known} == {
        "ELECTRICITY": Usage(Decimal(412), "kWh"), "WATER": Usage(Decimal(10), "m³", Decimal("3.20")), "LATE_FEE": None,
    }  # fmt: skip


def test_items_of_one_number_add_up_what_was_used() -> None:
    parts = (
        InvoiceLine("Trinkwasser", 32_00, FULL, "W-100", usage=Usage(Decimal(used), "m³", Decimal("3.20")))
        for used in (4, 6)
    )
    known = with_lesson(with_answers(draft_of(invoice(*parts)), ["WATER"]), {}).lines.value

    assert known is not None
    assert [line.usage for line in known] == [Usage(Decimal(10), "m³", Decimal("3.20"))]


def test_an_allowance_goes_to_the_lines_of_its_tax() -> None:
    lines = WATER._replace(cents=100_00, tax=LESS), SEWER._replace(cents=30_00), BASE._replace(cents=70_00)

    made = invoice(*lines, charges=(Charge("Rabatt", -10_00, FULL, is_allowance=True),))

    assert items(made) == {"Trinkwasser": 107_00, "Schmutzwasser": 32_13, "Grundpreis": 74_97}


def test_what_a_charge_names_is_a_line_of_its_own() -> None:
    for tax in (FULL, NONE):
        made = invoice(
            WATER._replace(cents=100_00), charges=(Charge("Mahngebühr", 5_00, tax), Charge("Porto", 1_00, FULL))
        )
        draft = draft_of(made)

        assert items(draft) == {"Trinkwasser": 120_19, "Mahngebühr": 5_95 if tax is FULL else 5_00}
        assert draft.stated is not None
        assert draft.stated.items[1].choices == ("LATE_FEE",)
    taxless = invoice(WATER._replace(cents=100_00), charges=(Charge("Porto", 1_00, NONE),))
    assert items(taxless) == {"Trinkwasser": 119_00, "Porto": 1_00}, "no line is of its tax"


def test_a_line_that_takes_off_has_its_tax_and_no_more() -> None:
    for credit in (-20_00, -99_99, -100_00, -300_00):
        made = invoice(WATER._replace(cents=100_00), BASE._replace(cents=credit))

        for name, cents in items(made).items():
            net = 100_00 if name == "Trinkwasser" else credit
            assert abs(cents - net * 1.19) <= 1


def test_an_invoice_without_lines_is_one() -> None:
    made = invoice(WATER._replace(cents=100_00))._replace(lines=(), taxes=())

    assert items(made) == {"": 119_00}


def test_an_invoice_that_does_not_say_the_tax_of_its_lines_is_asked_about() -> None:
    made = invoice(WATER._replace(cents=100_00, tax=LESS), SEWER._replace(cents=100_00))
    draft = draft_of(made._replace(lines=tuple(line._replace(tax=None) for line in made.lines)))

    assert sum(items(draft).values()) == 226_00
    assert draft.lines.reason == "The e-invoice doesn’t show which tax belongs to which line. Check the amounts."
    one_tax = invoice(WATER._replace(cents=100_00), SEWER._replace(cents=50_00))
    assert items(one_tax._replace(lines=tuple(line._replace(tax=None) for line in one_tax.lines))) == items(one_tax)


@given(
    st.lists(st.tuples(st.integers(-50_000, 90_000).filter(bool), st.sampled_from([FULL, LESS, NONE])), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(-5_000, 5_000).filter(bool), st.sampled_from([FULL, LESS, NONE])), max_size=3),
    st.integers(0, 10_000),
)  # fmt: skip
def test_the_items_of_an_invoice_come_to_what_is_to_be_paid(lines, charges, prepaid) -> None:
    made = invoice(
        *(InvoiceLine(f"Posten {letter}", cents, tax) for letter, (cents, tax) in zip("abcdef", lines, strict=False)),
        charges=tuple(Charge("", cents, tax, cents < 0) for cents, tax in charges),
        prepaid=prepaid,
    )
    draft = draft_of(made)

    assert contradiction(made) is None
    assert sum(items(draft).values()) == draft.total.value == made.totals.payable


@dataclass
class Seller:
    """A seller with the lessons learned about it so far."""

    lesson: dict[str, object]

    def reads(self, made: EInvoice) -> Draft:
        return with_lesson(draft_of(made), self.lesson)

    def learns(self, draft: Draft, amounts: dict[str, int], account: str | None = None) -> None:
        self.lesson = lesson_of(draft, self.lesson, amounts, account)


def test_what_its_lines_are_for_is_asked_once_of_a_seller() -> None:
    seller = Seller({})
    made = invoice(WATER._replace(cents=100_00), SEWER._replace(cents=50_00), prepaid=20_00)
    draft = seller.reads(made)
    assert (draft.lines.surety, draft.lines.choices) == ("asked", ())
    assert draft.lines.reason == (
        "Say what “Trinkwasser” and other charges are for. You are asked only once for each company."
    )

    said = with_lesson(with_answers(draft, ["WATER", "SEWER", "PREVIOUS_BALANCE"]), {})
    assert said.lines.surety == "found"
    seller.learns(said, {"WATER": 119_00, "SEWER": 59_50, "PREVIOUS_BALANCE": -20_00})

    after = seller.reads(invoice(SEWER._replace(cents=10_00), prepaid=1_00))
    assert after.lines.surety == "found"
    assert [(line.name, line.cents) for line in after.lines.value or ()] == [
        ("SEWER", 11_90),
        ("PREVIOUS_BALANCE", -1_00),
    ]


def test_a_bill_that_is_divided_otherwise_teaches_nothing_of_its_lines() -> None:
    seller = Seller({"lines": {"name:trinkwasser": "WATER"}, PREPAID: "DEPOSIT"})
    before = dict(seller.lesson)
    draft = with_answers(seller.reads(invoice(WATER._replace(cents=100_00))), ["SEWER"])

    seller.learns(draft, {"SEWER": 100_00, "OWNER": 19_00})

    assert seller.lesson == before


def test_a_bill_for_one_thing_teaches_that_all_its_lines_are_for_it() -> None:
    seller = Seller({})
    made = invoice(WATER._replace(cents=100_00), BASE._replace(cents=5_00), seller="Wasserwerk")

    seller.learns(seller.reads(made), {"WATER": 124_95})

    assert seller.reads(made).lines.surety == "found"


def test_a_name_that_names_no_utility_is_known_for_its_account_alone() -> None:
    seller = Seller({})
    power, gas = (invoice(BASE._replace(cents=10_00), accounts=((CONTRACT, number),)) for number in ("1", "2"))
    seller.learns(seller.reads(power), {"ELECTRICITY": 11_90})

    assert seller.reads(power).lines.surety == "found"
    assert seller.reads(gas).lines.surety == "asked"
    numbered = invoice(BASE._replace(cents=10_00, item_id="GP-GAS"), accounts=((CONTRACT, "2"),))
    seller.learns(seller.reads(numbered), {"GAS": 11_90})
    assert seller.reads(numbered._replace(accounts=((CONTRACT, "3"),))).lines.surety == "found", (
        "by the seller's number"
    )


def test_the_days_in_a_name_do_not_make_it_another() -> None:
    seller = Seller({})
    seller.learns(
        seller.reads(invoice(WATER._replace(name="Trinkwasser 01.02.2026-28.02.2026", cents=1_00))), {"WATER": 1_19}
    )

    assert seller.reads(invoice(WATER._replace(name="Trinkwasser 03/2026", cents=1_00))).lines.surety == "found"


@pytest.mark.parametrize(
    ("accounts", "surety"),
    [
        ((), "missing"),
        (((CONTRACT, "1"),), "found"),
        (((CUSTOMER, "1"),), "asked"),
        (((CONTRACT, "1"), (CUSTOMER, "2")), "asked"),
        (((CONTRACT, "1"), (CUSTOMER, "1")), "found"),
    ],
)
def test_an_account_number_is_found_where_it_is_the_only_one_and_not_the_customers(accounts, surety: str) -> None:
    made = invoice(WATER._replace(cents=1_00), accounts=accounts)

    assert draft_of(made).account_number.surety == surety


def test_which_number_is_the_account_is_learned() -> None:
    seller = Seller({})
    made = invoice(WATER._replace(cents=1_00), accounts=((CONTRACT, "1"), (CUSTOMER, "2")))
    seller.learns(seller.reads(made), {"WATER": 1_19}, account="2")

    after = seller.reads(made._replace(accounts=((CONTRACT, "1"), (CUSTOMER, "3"))))

    assert (after.account_number.surety, after.account_number.value) == ("found", "3")


def test_what_it_says_of_a_time_long_before_is_asked_and_its_date_is_not() -> None:
    draft = draft_of(invoice(WATER._replace(cents=1_00), start=date(2023, 1, 1), end=date(2023, 12, 31)))

    assert (draft.bill_date.surety, draft.service_start.surety) == ("found", "asked")


def test_one_that_charges_more_things_than_can_be_asked_is_one_thing() -> None:
    def made(number: int) -> EInvoice:
        return invoice(*(WATER._replace(name=f"Posten {one}", cents=1_00) for one in range(number)), prepaid=5_00)

    assert len(items(made(MOST_STATED_ITEMS))) == MOST_STATED_ITEMS + 1
    assert items(made(MOST_STATED_ITEMS + 1)) == {"": 239_19, "What was prepaid": -5_00}
