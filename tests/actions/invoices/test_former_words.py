"""Tests of charges that a former version described in other words.

It rounded measures to two decimals, and did not mention the additional cent that they don't account for.
"""

import pytest
from sqlalchemy import text

from prorata.actions.printing import printed_invoices
from prorata.store.database.statements import changes

NOW = {
    "1": "Aqua Water Co., bill of {}, $90.02: weight 0.125 of 1",
    "2": "Aqua Water Co., bill of {}, $90.02: weight 0.4375 of 1, and one cent more, so that all shares add up to the bill",
    "3": "Aqua Water Co., bill of {}, $90.02: weight 0.4375 of 1",
}
BEFORE = {"1": "weight 0.13 of 1", "2": "weight 0.44 of 1", "3": "weight 0.44 of 1"}


@pytest.fixture
def maple(landlord, clock):
    """A property with a closed month and an open one, and three units with weights."""
    of = landlord.property_(billing_starts_month="2026-01")
    landlord.units(of, "1", "2", "3")
    landlord.rule(of, "WATER", "CUSTOM", weights='{"1": 0.125, "2": 0.4375, "3": 0.4375}')
    for month in (1, 2):
        landlord.bill(of, 90_02, on=clock().date().replace(month=month))
    landlord.set_status(of, "1", "SENT", "2026-01")
    return of


def told(landlord, of, month):
    return {label: shown.charges[0].description for label, shown in landlord.invoices(of, month).items()}


def in_former_words(landlord, of):
    for month in ("2026-01", "2026-02"):
        for label, shown in landlord.invoices(of, month).items():
            (charge,) = shown.charges
            said = f"{charge.description.rpartition(': ')[0]}: {BEFORE[label]}"
            landlord.run(lambda tx, said=said, charge=charge: tx.run(
                changes(text(f"UPDATE charge SET description = '{said}' WHERE id = '{charge.id}'".replace(": ", "\\: ")))
            ))  # fmt: skip
    landlord.run(lambda tx: tx.run(changes(text("DELETE FROM invoice_explanation"))))  # of which there were none
    return {month: told(landlord, of, month) for month in ("2026-01", "2026-02")}


def test_a_charge_says_all_digits_of_a_weight_and_the_cent_that_they_do_not_give(landlord, maple):
    assert told(landlord, maple, "2026-02") == {label: said.format("2026-02-10") for label, said in NOW.items()}


def test_a_closed_month_keeps_its_words_and_is_sound_and_an_open_one_is_told_anew_with_its_next_change(landlord, maple):
    before = in_former_words(landlord, maple)
    kept = {label: shown.charges[0].id for label, shown in landlord.invoices(maple, "2026-02").items()}
    landlord.sound()
    landlord.set_status(maple, "2", "CANCELLED", "2026-01")
    landlord.set_status(maple, "2", "DRAFT", "2026-01")
    landlord.bill(maple, 10_00, "GAS")
    landlord.sound()
    now = told(landlord, maple, "2026-01")
    assert {label: now[label] for label in "13"} == {label: before["2026-01"][label] for label in "13"}
    assert not landlord.month(maple, "2026-01").pending
    assert told(landlord, maple, "2026-02") == {label: said.format("2026-02-10") for label, said in NOW.items()}
    assert {label: shown.charges[0].id for label, shown in landlord.invoices(maple, "2026-02").items()} == kept


def test_an_open_month_that_is_sent_in_the_words_of_before_is_sound_and_worked_out_on_paper(landlord, maple):
    before = in_former_words(landlord, maple)
    for label in "123":
        landlord.set_status(maple, label, "SENT")
    landlord.sound()
    assert told(landlord, maple, "2026-02") == before["2026-02"]
    for label, shown in landlord.invoices(maple).items():
        (charge,) = landlord.see(printed_invoices.find, shown.summary.id).charges
        assert charge.explanation is not None, label
