"""A bill typed into a form is read like a row of a file.

Each problem is reported at its field.
"""

from datetime import date

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill, lines_of
from prorata.domain.bills.forms import BillForm, FormLine, as_form, read_form

FORM = BillForm("prop_1", "Aqua Water Co.", "120.00", "2026-02-20", (FormLine("WATER"),))
COMBINED = (FormLine("WATER", "80.00"), FormLine("SEWER", "35.00"), FormLine("LATE_FEE", "5.00"))


def problems(form, country="US", currency="USD"):
    bill, found = read_form(form, country, currency)
    assert bill is None
    return {problem.field: problem.message for problem in found}


def test_a_form_says_everything_a_row_of_a_file_can_say():
    full = FORM._replace(
        lines=COMBINED, due_date="3/1/2026", billing_month="2026-01", payment_status="paid", account_number=" 7 ",
        bill_number="A-1", service_start="2026-01-01", service_end="2026-01-31", notes="two\r\nlines",
    )  # fmt: skip
    assert read_form(full, "US", "USD").bill == NewBill(
        "prop_1", "Aqua Water Co.", ("WATER", "SEWER"), 120_00, date(2026, 2, 20), date(2026, 3, 1), "PAID",
        "two\nlines", "7", "A-1", date(2026, 1, 1), date(2026, 1, 31), Month("2026-01"),
        (("WATER", 80_00), ("SEWER", 35_00), ("LATE_FEE", 5_00)),
    )  # fmt: skip


def test_amounts_and_days_are_read_as_in_the_propertys_country():
    german = FORM._replace(total="1.120,50 €", bill_date="20.2.2026")
    bill = read_form(german, "DE", "EUR").bill
    assert (bill.total, bill.bill_date) == (1_120_50, date(2026, 2, 20))
    assert problems(german._replace(total="$5.00"), "DE", "EUR").keys() == {"totalAmountDue"}


@pytest.mark.parametrize(
    ("typed", "country", "currency", "sample"),
    [
        ("much", "US", "USD", "such as 1234.50."),
        ("much", "DE", "EUR", "such as 1234,50."),
        ("1,234", "DE", "EUR", "such as 1234,50."),
        ("60,00", "US", "USD", "Use a point for decimals, such as 1234.50."),
    ],
)
def test_an_amount_that_is_not_read_is_told_how_it_is_written_in_the_propertys_country(
    typed, country, currency, sample
):
    assert problems(FORM._replace(total=typed), country, currency)["totalAmountDue"].endswith(sample)


def test_an_empty_form_is_told_all_it_lacks_at_once():
    found = problems(BillForm("prop_1", " ", "", "", ()))
    assert found.keys() == {"issuerName", "totalAmountDue", "billDate", "lines"}
    assert found["issuerName"] == "This is required. Enter it as it appears on the bill."


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"lines": (FormLine("WATER", "80"), FormLine("SEWER"))}, {"lines.1.amount"}),
        ({"lines": (FormLine("WATER"), FormLine("LATE_FEE"))}, {"lines.0.amount", "lines.1.amount"}),
        ({"lines": (FormLine("WATER", "80"), FormLine("SEWER", "x"))}, {"lines.1.amount"}),
        ({"lines": (FormLine("WATER", "80"), FormLine("SEWER", "41"))}, {"totalAmountDue"}),
        ({"lines": (FormLine("WATER", "60"), FormLine("WATER", "60"))}, {"lines"}),
        ({"lines": (FormLine("LATE_FEE", "120"),)}, {"lines"}),
        ({"lines": (FormLine("HEAT", "120"),)}, {"lines"}),
        ({"service_start": "2026-01-01"}, {"servicePeriodEnd"}),
        ({"service_end": "2026-01-01"}, {"servicePeriodStart"}),
        ({"service_start": "2026-02-01", "service_end": "2026-01-01"}, {"servicePeriodEnd"}),
        ({"service_start": "2020-02-01", "service_end": "2026-01-01"}, {"servicePeriodEnd"}),
        ({"billing_month": "March", "payment_status": "soon"}, {"paymentStatus", "billingMonth"}),
        ({"total": "1", "issuer_name": "x" * 256, "notes": "\x00"}, {"issuerName", "notes"}),
    ],
)
def test_what_is_wrong_is_named_by_its_field(change, fields):
    assert problems(FORM._replace(**change)).keys() == fields


def test_a_control_character_is_spoken_of_as_in_a_form_and_not_as_in_a_spreadsheet():
    assert "cell" not in problems(FORM._replace(bill_number="\x00"))["billNumber"]


@pytest.mark.parametrize(
    "lines", [(FormLine("WATER"),), (FormLine("WATER"), FormLine("SEWER")), COMBINED], ids=["one", "guessed", "given"]
)
@pytest.mark.parametrize(("country", "currency"), [("US", "USD"), ("DE", "EUR"), ("IN", "INR")])
def test_a_bill_shown_in_its_form_and_read_again_is_the_same_bill(lines, country, currency):
    bill = read_form(FORM._replace(lines=lines), "US", "USD").bill
    for each in (bill, bill._replace(total=-bill.total, amounts=tuple((kind, -part) for kind, part in bill.amounts))):
        parts, guessed = lines_of(each)
        assert read_form(as_form(each, parts, guessed=guessed, country=country), country, currency).bill == each
