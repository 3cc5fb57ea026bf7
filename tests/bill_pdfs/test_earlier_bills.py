"""A person is asked about charges of an earlier bill among those of this bill.

That is so even if the issuer is known.
"""

import pytest

from tests.bill_pdfs.drawn import FACTS, Rows, bill, billed, next_bill, table

HEADS = (
    ("", "Past due", "Current"),
    ("Water service", "100.00", ""),
    ("Sewer service", "240.00", ""),
    ("Amount due", "", "340.00"),
)
BARE = HEADS[1:]
HEADED = "#table(columns: (1fr, auto, auto), stroke: none, [], [Past due], [Current])"
DRAWN = {
    "rows far apart": table(HEADS, "inset: 14pt, "),
    "rows with a wide space between": table(HEADS, "row-gutter: 18pt, "),
    "quantities below the head": table((HEADS[0], ("Consumption", "12 kgal", "10 kgal"), *BARE)),
    "words below the head": table((HEADS[0], ("Status", "see letter", "new"), *BARE)),
    "days below the head": table((HEADS[0], ("Due", "at once", "Nov 14"), *BARE)),
    "times below the head": table((HEADS[0], ("Period", "Aug 18 to Sep 17", "Sep 18 to Oct 17"), *BARE)),
    "a note in the head": table((("", "Past due\\ (pay at once)", "Current"), *BARE)),
    "a head on the page before": f"{HEADED}\n#pagebreak()\n{table(BARE)}",
    "a sentence below the head": f"{HEADED}\nServices at 1214 North Harbor Avenue, Chicago, which is a house of many.\n"
    + table(BARE),
    "heads at the left of their columns": "#table(columns: (1fr, 110pt, 110pt), stroke: none, [], [Past due], [Current],"
    + "".join(f"[{one}], align(right)[{other}], align(right)[{last}]," for one, other, last in BARE)
    + ")",
    "a heading on the page before": "=== Past due charges\n#pagebreak()\n"
    + table((("Water service", "100.00"),))
    + "\n=== New charges\n"
    + table((("Sewer service", "240.00"), ("Amount due", "340.00"))),
}


@pytest.mark.parametrize("charges", DRAWN.values(), ids=DRAWN)
def test_a_head_is_found_wherever_it_stands(charges: str) -> None:
    assert billed(next_bill(charges)) is None


TIMES = {
    "days before": (("Date", "Description", "Amount"), ("08/25/2026", "Water service", "90.00")),
    "days behind": (("Description", "Billed", "Amount"), ("Water service", "08/25/2026", "90.00")),
    "months": (("Description", "Period", "Amount"), ("Water service", "08/2026", "90.00")),
    "a state behind": (("Description", "Amount", "Status"), ("Water service", "90.00", "past due")),
    "within the words": (("Description", "", "Amount"), ("Water 08/18-09/17", "", "90.00")),
    "a month within the words": (("Description", "", "Amount"), ("Water 08/26", "", "90.00")),
    "an age within the words": (("Description", "", "Amount"), ("Water 31-60", "", "90.00")),
}


@pytest.mark.parametrize("rows", TIMES.values(), ids=TIMES)
def test_a_charge_beside_another_time_is_asked(rows: Rows) -> None:
    place = 1 if rows[0][2] == "Status" else 2
    amounts = [["", "", ""], ["", "", ""]]
    for row, words, cents in zip(amounts, ("Sewer service", "Amount due"), ("240.00", "330.00"), strict=True):
        row[1 if rows[0][0] == "Date" else 0] = words
        row[place] = cents

    assert billed(next_bill((*rows, *amounts))) is None


@pytest.mark.parametrize(
    "rows",
    [
        (("Water service", "150.00"), ("of this past due", "50.00"), ("Sewer service", "240.00"), ("Amount due", "390.00")),
        (("Water service", "50.00"), ("Sewer service", "20.00"), ("Past due, amount due now", "70.00"), ("Amount due", "70.00")),
        (("Water service", "100.00"), ("Sewer service", "240.00"), ("Amount due", "340.00"), ("Past due", "50.00")),
    ],
)  # fmt: skip
def test_arrears_that_the_total_is_reached_without_are_asked_about(rows: Rows) -> None:
    assert billed(next_bill(rows)) is None


PLAIN = (("Water service", "100.00"), ("Sewer service", "240.00"), ("Amount due", "340.00"))


def test_the_account_to_pay_to_is_not_taken_for_the_customers() -> None:
    bank = table((("Sort code", "12-34-56"), ("Account number", "12345678")))
    draft = bill(PLAIN, (("Customer reference", "77-4410-2"), *FACTS[2:4]), extra=f"== Pay by bank transfer\n{bank}")

    assert (draft.account_number.surety, draft.account_number.value) == ("asked", "12345678")


def test_facts_below_the_name_of_a_month_are_asked() -> None:
    facts = (("", "September", "October"), ("Bill number", "MW-0001", ""), ("Due date", "10/14/2026", ""))
    draft = bill(PLAIN, facts)

    assert (draft.bill_number.surety, draft.due_date.surety) == ("asked", "asked")


def test_the_times_of_two_services_are_both_offered_with_whatever_stands_between() -> None:
    rows = (
        ("Service", "Service period", "Amount"),
        ("Water", "09/18/2026 to 10/17/2026", "80.00"),
        ("Water base charge", "", "10.00"),
        ("Water tax", "", "10.00"),
        ("Sewer", "08/18/2026 to 09/17/2026", "240.00"),
        ("Amount due", "", "340.00"),
    )
    draft = bill(rows, FACTS[:4])

    assert (len(draft.service_start.choices), len(draft.service_end.choices)) == (2, 2)
