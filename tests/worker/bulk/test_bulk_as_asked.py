"""A bulk change does exactly what a person confirmed, however late it runs.

It may send invoices, note them as paid, or cancel them.
"""

import pytest

from prorata.actions.bulk import bulk, bulk_questions
from prorata.actions.bulk.bulk import ShownBulk
from prorata.actions.invoices import invoices
from prorata.actions.properties import tenants
from prorata.domain.bulk.bulk import Numbers, Question
from prorata.domain.locale_forms import PLAIN
from prorata.errors import InvalidRequest
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord
from tests.meanwhile import while_somebody_else_writes
from tests.worker.changed_together import UNITS, ids, maple_of, work


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    return maple_of(landlord)


def asked(landlord: Landlord, verb: str, chosen: list[str]) -> str:
    """Return the mark of the question about these invoices, as the answer contains it."""
    return landlord.see(bulk_questions.preview, verb, chosen, PLAIN).seen


def answered(landlord: Landlord, verb: str, chosen: list[str], seen: str) -> ShownBulk | Question:
    return landlord.do(bulk_questions.begin_as_asked, verb, chosen, PLAIN, seen=seen)


def begun(landlord: Landlord, verb: str, chosen: list[str]) -> ShownBulk:
    done = answered(landlord, verb, chosen, asked(landlord, verb, chosen))
    assert isinstance(done, ShownBulk)
    return done


def charge(landlord: Landlord, invoice_id: str) -> None:
    landlord.do(invoices.add_custom_charge, invoice_id, "Garage", 5_00)


@pytest.mark.parametrize(
    ("verb", "why"),
    [
        ("send", "It now comes to $15.00, but the confirmation was for $10.00. Review it, then send it."),
        ("mark paid", "$15.00 of it is still unpaid now, but the confirmation was for $10.00."),
        ("cancel", "It now comes to $15.00, but the confirmation was for $10.00. Review it, then cancel it."),
    ],
)
def test_one_that_comes_to_something_else_when_its_turn_comes_is_left_alone(
    landlord: Landlord, maple: PropertyRow, verb: str, why: str
) -> None:
    change = begun(landlord, verb, ids(landlord, maple))
    charge(landlord, *ids(landlord, maple, "7"))
    work(landlord)

    done = landlord.see(bulk.find, change.id)
    assert done.numbers == Numbers(changed=UNITS - 1, refused=1)
    (refused,) = done.refused
    assert refused.invoice_number == landlord.invoices(maple)["7"].summary.number
    assert refused.why.startswith(why)
    assert landlord.statuses(maple)["7"] == "DRAFT"


def test_one_that_is_somebody_elses_when_its_turn_comes_is_left_alone(landlord: Landlord, maple: PropertyRow) -> None:
    change = begun(landlord, "send", ids(landlord, maple))
    (unit,) = [one for one in landlord.stored_units(maple) if one.label == "3"]
    (gone,) = landlord.see(tenants.of_unit, unit.id)
    landlord.remove_tenant(gone)
    landlord.tenant(unit, "Bea")
    work(landlord)

    (refused,) = landlord.see(bulk.find, change.id).refused
    assert refused.why == "It is no longer for the same tenant as when this was confirmed. Review it, then send it."
    assert landlord.statuses(maple)["3"] == "DRAFT"


def test_what_was_stopped_goes_on_over_the_amounts_that_were_asked_about(
    landlord: Landlord, maple: PropertyRow
) -> None:
    change = begun(landlord, "send", ids(landlord, maple))
    landlord.do(bulk.stop, change.id)
    landlord.bill(maple, 48_00, "GAS")
    landlord.do(bulk.resume, change.id)
    work(landlord)

    done = landlord.see(bulk.find, change.id)
    assert done.numbers == Numbers(refused=UNITS)
    assert {one.why for one in done.refused} == {
        "It now comes to $12.00, but the confirmation was for $10.00. Review it, then send it."
    }
    assert set(landlord.statuses(maple).values()) == {"DRAFT"}


def test_who_sets_many_back_to_drafts_asks_for_nothing_and_is_not_held_to_amounts(
    landlord: Landlord, maple: PropertyRow
) -> None:
    for label in ("1", "2"):
        landlord.set_status(maple, label, "CANCELLED")
    change = begun(landlord, "reopen", ids(landlord, maple))
    landlord.bill(maple, 48_00, "GAS")
    work(landlord)

    assert landlord.see(bulk.find, change.id).numbers == Numbers(changed=2, unchanged=UNITS - 2)


def test_a_few_are_compared_with_what_was_asked_about_once_nobody_else_changes_them(
    landlord: Landlord, maple: PropertyRow
) -> None:
    chosen = ids(landlord, maple, "1", "2")
    seen = asked(landlord, "send", chosen)

    def theirs(tx: Tx) -> None:
        invoices.add_custom_charge(tx, landlord.caller, chosen[0], "Garage", 5_00)

    def mine(tx: Tx) -> ShownBulk | Question:
        return bulk_questions.begin_as_asked(tx, landlord.caller, "send", chosen, PLAIN, seen=seen)

    answer = while_somebody_else_writes(landlord.database, theirs, mine)

    assert isinstance(answer, Question)
    assert answer.title == "Send 2 invoices totaling $25.00?"
    assert {landlord.statuses(maple)[label] for label in ("1", "2")} == {"DRAFT"}


def test_what_is_no_invoice_is_not_chosen(landlord: Landlord, maple: PropertyRow) -> None:
    done = landlord.do(bulk.begin, "send", [*ids(landlord, maple, "1"), "x" * 100, "unit_1"])
    assert done.numbers == Numbers(changed=1)
    with pytest.raises(InvalidRequest, match="None of the selected items is an invoice"):
        landlord.do(bulk.begin, "send", ["x" * 100])
