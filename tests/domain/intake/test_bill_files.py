import time
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.domain.bills.columns import field_named, fields_named, find_header
from prorata.domain.files.sheets import Sheet
from prorata.domain.properties.property_names import KnownProperty
from prorata.domain.usage import as_text
from tests.pace import slowness
from tests.read_bills import bills_of

MAPLE = KnownProperty("prop_maple", "Maple Court", "12 Main St, Springfield, IL 62701", "US", "USD")
MAPLE_TWO = KnownProperty("prop_maple2", "maple  court", "7 Oak Ave, Dover, DE 19901", "US", "USD")
BERLIN = KnownProperty("prop_berlin", "Haus am See", "Seeweg 3, 10115 Berlin", "DE", "EUR")
TORONTO = KnownProperty("prop_toronto", "Bay House", "1 Bay St, Toronto, ON M5J", "CA", "CAD")
GOOD = {
    "property": "Maple Court",
    "issuerName": "Aqua Water Co.",
    "utilityType": "WATER",
    "totalAmountDue": "320.10",
    "billDate": "2026-03-14",
}

LONG = {"servicePeriodStart": "2026-01-01", "servicePeriodEnd": "2026-02-28"}


def read(*rows, properties=(MAPLE, BERLIN, TORONTO), header=None):
    header = header or tuple(dict.fromkeys(name for row in rows for name in row))
    lines = tuple((number, tuple(row.get(name) for name in header)) for number, row in enumerate(rows, start=2))
    return bills_of(Sheet(header, lines), properties)


def bill(**changes):
    result = read(GOOD | changes)
    assert not result.problems
    return result.bills[0].bill


def problems(**changes):
    result = read(GOOD | changes)
    assert not result.bills
    return [(problem.column, problem.message) for problem in result.problems]


def test_a_plain_row_is_a_bill():
    result = read(GOOD)
    assert result.problems == ()
    assert result.bills[0].line == 2
    assert result.bills[0].bill[:6] == ("prop_maple", "Aqua Water Co.", ("WATER",), 32010, date(2026, 3, 14), None)
    assert result.bills[0].bill.payment_status == "UNPAID"


@pytest.mark.parametrize(
    ("names", "field"),
    [
        (("Inv #", "Inv No", "Inv. No.", "Invoice ID", "Inv"), "billNumber"),
        (("Acct #", "Acct Num", "Cust. No.", "Utility Account"), "accountNumber"),
        (("Svc From", "Svc Start", "Service From Date", "Period Start Date", "Date From"), "servicePeriodStart"),
        (("Svc To", "Svc End", "Service To Date", "Period End Date", "Date To"), "servicePeriodEnd"),
        (("Inv Date", "Stmt Date", "Date Billed"), "billDate"),
        (("Inv Amt", "Amt Due", "Amount Billed"), "totalAmountDue"),
        (("Service Provider", "Utility Name"), "issuerName"),
        (("Invoice Due Date",), "dueDate"),
    ],
)
def test_what_utilities_write_above_their_columns_is_known(names, field):
    assert {name: field_named(name) for name in names} == dict.fromkeys(names, field)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Electric", "ELECTRICITY"), ("Natural  gas", "GAS"), ("wastewater", "SEWER"), ("Refuse", "GARBAGE")],
)
def test_what_utilities_call_themselves_is_known(text, kind):
    assert bill(utilityType=text).utility_types == (kind,)


def test_every_column_finds_its_place_in_the_bill():
    read_bill = bill(
        utilityType="water; Trash",
        amounts="WATER=300.10;TRASH=15.00;LATE_FEE=5.00",
        dueDate="04/01/2026",
        billingMonth="2026-02",
        paymentStatus="paid",
        accountNumber=" 0017 ",
        billNumber="B-9",
        servicePeriodStart="2026-02-01",
        servicePeriodEnd="2026-02-28",
        notes="first\r\nsecond",
    )
    assert read_bill.utility_types == ("WATER", "GARBAGE")
    assert read_bill.amounts == (("WATER", 30010), ("GARBAGE", 1500), ("LATE_FEE", 500))
    assert (read_bill.due_date, read_bill.billing_month) == (date(2026, 4, 1), "2026-02")
    assert (read_bill.payment_status, read_bill.account_number, read_bill.bill_number) == ("PAID", "0017", "B-9")
    assert (read_bill.service_start, read_bill.service_end) == (date(2026, 2, 1), date(2026, 2, 28))
    assert read_bill.notes == "first\nsecond"


def test_header_names_match_without_regard_to_case_spaces_underscores_hyphens_and_dots():
    result = bills_of(
        Sheet(
            ("Property Name", "ISSUER_NAME", "utility-type", "Amount Due", "Bill. Date", "Account #", ""),
            ((2, ("Maple Court", "Aqua", "WATER", "1.00", "2026-03-14", "A7", None)),),
        ),
        [MAPLE],
    )
    assert result.problems == ()
    assert result.bills[0].bill.account_number == "A7"


def test_missing_and_doubled_columns_are_one_problem_on_the_header_line():
    sheet = Sheet(("Property", "Vendor", "Total", "Amount due"), ((9, ("x", "y", "1", "2")),), header_line=8)
    result = bills_of(sheet, [MAPLE])
    assert result.bills == ()
    assert len(result.problems) == 1
    assert (result.problems[0].line, result.problems[0].column) == (8, None)
    for word in ("utilityType", "billDate", "“Total”", "“Amount due”"):
        assert word in result.problems[0].message


def test_an_unknown_column_is_passed_over():
    for name in ("meter reading", "paymentDate", "tenant", "due dte", "usage type", "kWh", "Verbrauch"):
        result = read(GOOD | {name: "17"})
        assert (len(result.bills), result.problems) == (1, ()), name


def test_blank_rows_are_skipped_in_silence():
    sheet = Sheet(tuple(GOOD), ((2, (None, "", " ")), (3, tuple(GOOD.values())), (4, ())))
    result = bills_of(sheet, [MAPLE])
    assert [each.line for each in result.bills] == [3]
    assert result.problems == ()


def test_a_header_with_nothing_below_it_says_so():
    assert [problem.line for problem in bills_of(Sheet(tuple(GOOD), ()), [MAPLE]).problems] == [1]


def test_a_sheet_left_unread_is_a_problem_that_names_it():
    result = bills_of(Sheet(tuple(GOOD), ((2, tuple(GOOD.values())),), unread=("Feb",)), [MAPLE])
    assert "“Feb”" in result.problems[0].message
    assert len(result.bills) == 1


def test_every_problem_of_every_row_is_told_at_once_in_the_order_of_columns():
    bad = {
        "property": "nowhere", "issuerName": "", "utilityType": "WATER;WATER", "totalAmountDue": "x", "amounts": "WATER",
        "billDate": "soon", "dueDate": "2026-02-30", "billingMonth": "2026-13", "paymentStatus": "maybe",
        "accountNumber": "1" * 101, "billNumber": "a\x00b", "servicePeriodStart": "x", "servicePeriodEnd": "",
        "spread": "perhaps", "notes": "n" * 2001,
    }  # fmt: skip
    result = read(bad, GOOD, bad, properties=[MAPLE])
    assert [problem.column for problem in result.problems if problem.line == 2] == list(bad)
    assert [problem.column for problem in result.problems if problem.line == 4] == list(bad)
    assert [each.line for each in result.bills] == [3]


def test_values_are_never_echoed():
    secret = "zq9zq"
    result = read(
        dict.fromkeys((*GOOD, "dueDate", "billingMonth", "amounts", "paymentStatus"), f"{secret}={secret}"),
        properties=[MAPLE],
    )
    assert len(result.problems) >= 5
    assert not [problem for problem in result.problems if secret in problem.message]


def test_a_row_longer_than_its_header_says_to_quote_separators():
    result = bills_of(Sheet(tuple(GOOD), ((2, ("Maple Court", "Aqua", "WATER", "SEWER", "1", "x")),)), [MAPLE])
    assert [problem.column for problem in result.problems] == [None]
    assert "double quotes" in result.problems[0].message


@pytest.mark.parametrize(
    "written",
    [
        "prop_maple", "MAPLE  court ", "Maple Court, 12 Main St, Springfield, IL 62701",
        "maple court (12 main st, springfield, il 62701)", "Maple Court - 12 Main St",
    ],
)  # fmt: skip
def test_a_property_is_named_by_id_name_or_name_with_address(written):
    assert bill(property=written).property_id == "prop_maple"


@pytest.mark.parametrize("written", ["Maple", "PROP_MAPLE", "12 Main St, Springfield, IL 62701", "Maple Court, 99 Elm"])
def test_less_than_a_name_or_an_address_alone_names_no_property(written):
    assert [column for column, _ in problems(property=written)] == ["property"]


def test_an_ambiguous_name_lists_the_candidates_and_the_address_settles_it():
    both = [MAPLE, MAPLE_TWO]
    result = read(GOOD, properties=both)
    assert "Maple Court, 12 Main St, Springfield, IL 62701" in result.problems[0].message
    assert "7 Oak Ave, Dover, DE 19901" in result.problems[0].message
    settled = read(GOOD | {"property": "Maple Court, 7 Oak Ave"}, properties=both)
    assert settled.bills[0].bill.property_id == "prop_maple2"


def test_twins_with_one_name_and_address_are_told_apart_by_id():
    result = read(GOOD, properties=[MAPLE, MAPLE._replace(id="prop_twin")])
    assert "(prop_maple)" in result.problems[0].message
    assert "(prop_twin)" in result.problems[0].message


def test_a_long_list_of_candidates_is_cut():
    result = read(GOOD, properties=[MAPLE._replace(id=f"prop_{number}") for number in range(5000)])
    assert "4,995 more" in result.problems[0].message


def test_a_property_in_another_country_reads_the_same_cell_in_its_own_way():
    rows = [GOOD | {"property": name, "billDate": "3.4.2026"} for name in ("Haus am See", "Maple Court")]
    result = read(*rows)
    assert result.bills[0].bill.bill_date == date(2026, 4, 3)
    assert [(problem.line, problem.column) for problem in result.problems] == [(3, "billDate")]


def test_without_a_property_dates_are_not_judged_by_a_country_nobody_named():
    assert [column for column, _ in problems(property="nowhere", billDate="3.4.2026", totalAmountDue="1,234")] == [
        "property"
    ]


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"utilityType": "PHONE"}, "utilityType"), ({"utilityType": "GARBAGE;TRASH"}, "utilityType"),
        ({"utilityType": ";"}, "utilityType"), ({"amounts": "WATER=300.10"}, "amounts"),
        ({"amounts": "WATER=320.10;WATER=0"}, "amounts"), ({"amounts": "GAS=320.10"}, "amounts"),
        ({"amounts": "LATE_FEE=320.10"}, "amounts"), ({"amounts": "WATER=300.10;SEWER=20"}, "amounts"),
        ({"amounts": "RENT=320.10"}, "amounts"), ({"amounts": "WATER=€320.10"}, "amounts"), ({"amounts": ";"}, "amounts"),
        ({"utilityType": "WATER;GAS", "amounts": "WATER=320.10"}, "amounts"),
        ({"paymentStatus": "LATE"}, "paymentStatus"), ({"billingMonth": "13/2026"}, "billingMonth"),
        ({"billingMonth": date(2026, 3, 2)}, "billingMonth"), ({"billingMonth": "1969-12"}, "billingMonth"),
        ({"issuerName": "x" * 256}, "issuerName"), ({"issuerName": "a\nb"}, "issuerName"), ({"notes": "a\x07"}, "notes"),
        ({"billNumber": date(2026, 3, 14)}, "billNumber"), ({"accountNumber": Decimal(10**15)}, "accountNumber"),
        ({"servicePeriodStart": "2026-03-01"}, "servicePeriodEnd"), ({"servicePeriodEnd": "2026-03-01"}, "servicePeriodStart"),
        ({"servicePeriodStart": "2026-03-02", "servicePeriodEnd": "2026-03-01"}, "servicePeriodEnd"),
        ({"servicePeriodStart": "2026-01-01", "servicePeriodEnd": "2027-02-05"}, "servicePeriodEnd"),
        ({"spread": "half"}, "spread"), ({"spread": "yes"}, "spread"), (LONG | {"spread": "2"}, "spread"),
        (LONG | {"spread": "yes", "billingMonth": "2026-03"}, "spread"),
        ({"servicePeriodStart": "2026-01-01", "servicePeriodEnd": "2026-02-14", "spread": "yes"}, "spread"),
        ({"servicePeriodStart": "2026-01-01", "servicePeriodEnd": "soon", "spread": "yes"}, "servicePeriodEnd"),
    ],
)  # fmt: skip
def test_one_bad_cell_is_one_problem_in_its_column(changes, column):
    assert [where for where, _ in problems(**changes)] == [column]


@pytest.mark.parametrize("name", ["Currency", "currency_code", "CCY", "Währung", "Devise", "Moneda", "Divisa"])
def test_a_column_of_currencies_has_to_agree_with_the_property(name):
    for said in ("USD", " usd", "$", "US$", "US Dollar", "US dollars", "dollars", None, " "):
        assert bill(**{name: said}).total == 32010
    for said in ("EUR", "€", "Euro", "C$", "Canadian dollars", "USD EUR"):
        ((column, message),) = problems(**{name: said})
        assert (column, "a different currency" in message, "enter the total in USD" in message) == (name, True, True)
    for said in ("money", "70", date(2026, 3, 1), Decimal("1.08")):
        assert [column for column, _ in problems(**{name: said})] == [name]


def test_a_currency_is_that_of_the_rows_own_property_and_each_column_of_them_counts():
    rows = (
        {"property": "Haus am See", "totalAmountDue": "70,00", "Currency": "EUR"},
        {"Currency": "USD"},
        {"Ccy": "EUR"},
    )
    result = read(*(GOOD | row for row in rows))
    assert [each.bill.property_id for each in result.bills] == ["prop_berlin", "prop_maple"]
    assert [(one.line, one.column) for one in result.problems] == [(4, "Ccy")]


@pytest.mark.parametrize("head", ["Amount (EUR)", "Total in €", "EUR Amount", "Bill amount CAD", "Amount due (Euros)"])
def test_amounts_under_a_head_of_another_currency_are_problems_of_each_row(head):
    assert field_named(head) == "totalAmountDue"
    row = {name: cell for name, cell in GOOD.items() if name != "totalAmountDue"} | {head: "70.00"}
    result = read(row, row | {"property": "Bay House"})
    assert all((one.column, "Amounts are not converted" in one.message) == (head, True) for one in result.problems)
    assert [each.line for each in result.bills] == ([3] if "CAD" in head else [])


def test_a_head_of_the_propertys_own_currency_is_known_and_one_without_goes_before_it():
    row = {name: cell for name, cell in GOOD.items() if name != "totalAmountDue"}
    for head in ("Amount (USD)", "Total $", "Amount in US dollars", "Total US$"):
        assert read(row | {head: "70.00"}).bills[0].bill.total == 7000
    both = read(row | {"Amount (EUR)": "65.00", "Amount": "70.00"})
    assert (both.bills[0].bill.total, both.problems) == (7000, ())
    assert "Keep one" in read(row | {"Amount (EUR)": "65.00", "Amount (USD)": "70.00"}).problems[0].message
    assert fields_named(("Amounts", "Breakdown (EUR)")) == ("amounts", None)
    found = read(GOOD | {"Breakdown (EUR)": "WATER=320.10"}, GOOD)
    assert [(one.line, one.column) for one in found.problems] == [(2, "Breakdown (EUR)")]


@pytest.mark.parametrize("said", ["yes", " Y", "TRUE", "1", Decimal(1)])
def test_a_bill_for_a_long_service_may_be_spread_over_its_months(said):
    assert bill(**LONG, spread=said).spread


@pytest.mark.parametrize("said", ["no", "FALSE", "0", Decimal(0), " ", None])
def test_a_bill_is_billed_in_one_month_where_nothing_else_is_said(said):
    assert not bill(**LONG, spread=said).spread


def test_limits_themselves_are_still_allowed():
    longest = bill(
        issuerName="x" * 255, accountNumber="1" * 100, billNumber="2" * 100, notes="n" * 2000,
        servicePeriodStart="2026-01-01", servicePeriodEnd="2027-02-04",
    )  # fmt: skip
    assert (longest.service_end - longest.service_start).days + 1 == 400


def test_amounts_may_be_credits_and_have_to_sum_to_the_cent():
    assert bill(amounts="WATER=330.10;PREVIOUS_BALANCE=-10").amounts == (("WATER", 33010), ("PREVIOUS_BALANCE", -1000))
    assert [column for column, _ in problems(amounts="WATER=330.10;PREVIOUS_BALANCE=-10.01")] == ["amounts"]


def test_number_cells_in_text_columns_are_their_digits():
    assert bill(accountNumber=Decimal(40017), billNumber=Decimal("1E+3"))[8:10] == ("40017", "1000")


def test_a_row_says_what_was_used_of_its_utilities():
    said = "WATER=12.5 m3 @ 3.20; Sewer = 1,204.5 gal"
    assert as_text(bill(utilityType="WATER;SEWER;GAS", usageAndPrice=said).usages) == (
        "WATER=12.5 m³ @ 3.2;SEWER=1204.5 gal"
    )
    german = bill(property="Haus am See", totalAmountDue="320,10", usageAndPrice="WATER=12,5 m³ @ 3,20 €")
    assert as_text(german.usages) == "WATER=12.5 m³ @ 3.2"
    assert bill().usages == ()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("412", "Enter the usage of each utility"),
        ("GAS=12 therm", "The utility types here must be among those in utilityType."),
        ("WATER=1.234 m3", "This number is ambiguous"),
    ],
)
def test_what_was_used_is_refused_where_it_is_not_clear(said, why):
    ((column, message),) = problems(usageAndPrice=said)
    assert column == "usageAndPrice"
    assert message.startswith(why)


def test_a_column_of_plain_usage_is_passed_over_as_before():
    result = read(GOOD | {"Usage": "412"})
    assert (result.problems, result.bills[0].bill.usages) == ((), ())


def test_a_month_that_a_spreadsheet_made_a_date_of_is_that_month():
    assert bill(billingMonth=date(2026, 3, 1)).billing_month == "2026-03"


def test_a_bill_without_a_date_has_the_last_day_of_service():
    undated = {name: value for name, value in GOOD.items() if name != "billDate"}
    found = [read(undated | more) for more in (LONG, LONG | {"billingMonth": "2026-03"})]
    assert [each.bills[0].bill.bill_date for each in found] == [date(2026, 2, 28)] * 2
    assert not read(undated | {"billingMonth": "2026-03"}).bills
    (lacking,) = read(undated | dict.fromkeys(LONG)).problems
    assert (lacking.column, lacking.message) == ("servicePeriodEnd", "This cell is required but empty.")


def test_the_header_is_the_first_row_that_names_most_columns():
    rows = [(1, ("Bills of March",)), (3, ("Total", "7")), (4, tuple(GOOD)), (5, tuple(GOOD))]
    assert find_header(rows) == 2
    assert find_header(rows[:2]) is None
    assert find_header([(number, ("x",)) for number in range(25)] + rows) is None


cells = st.one_of(st.none(), st.text(max_size=20), st.decimals(), st.dates(), st.sampled_from(list(GOOD.values())))


@given(st.lists(st.lists(cells, max_size=7), max_size=6))
def test_every_row_that_is_not_blank_is_a_bill_or_has_problems(rows):
    result = bills_of(Sheet((*GOOD, "notes"), tuple(enumerate(map(tuple, rows), start=2))), [MAPLE, BERLIN])
    good, bad = {each.line for each in result.bills}, {problem.line for problem in result.problems}
    assert not good & bad
    for line, row in enumerate(rows, start=2):
        blank = all(cell is None or (isinstance(cell, str) and not cell.strip()) for cell in row)
        assert (line in good | bad) is not blank


@pytest.mark.thorough
def test_fifteen_thousand_rows_over_five_thousand_properties_take_seconds_at_worst():
    properties = [MAPLE._replace(id=f"prop_{number}", name=f"House {number}") for number in range(5000)]
    rows = [GOOD | {"property": f"house {number % 5000}", "notes": str(number)} for number in range(15_000)]
    started = time.process_time()
    assert len(read(*rows, properties=properties).bills) == 15_000
    assert time.process_time() - started < 3 * slowness()
