"""Tests of explanations in the API, which are kept with issued invoices.

The explanation of a month is for the account, and that of an invoice is for its tenant.
"""

import json
from typing import Any

from sqlalchemy import delete, func, select

from prorata.actions.overview.consistency_checks import check_account
from prorata.domain.splitting.sealed_json import sealed
from prorata.domain.splitting.verification import verify
from prorata.store.database.statements import changes, returns_one
from prorata.store.schema.tables import invoice_explanation, month_explanation
from prorata.store.splitting import explanations
from tests.domain.splitting import replayed
from tests.domain.splitting.edited import edited
from tests.web.addresses import assert_refused
from tests.web.api.invoices.test_disputes import correct, place
from tests.web.conftest import House
from tests.web.furnished import LABELS, Furnished, add_bill, furnish

MARCH = "2026-03"


def of_month(made: Furnished, month: str = MARCH) -> dict[str, Any]:
    answer = made.api.get(f"/properties/{made.property_id}/months/{month}/explanation")
    assert answer.status_code == 200, answer.text
    assert verify(answer.text).differences == ()
    return dict(answer.json())


def of_invoice(made: Furnished, label: str = "1", **query: Any) -> dict[str, Any]:
    answer = made.api.get(f"/invoices/{made.invoice(label, **query)['id']}/explanation")
    assert answer.status_code == 200, answer.text
    assert verify(answer.text).differences == ()
    return dict(answer.json())


def test_a_month_is_explained_to_the_account_and_its_shares_are_those_that_are_charged(house: House) -> None:
    made = furnish(house)
    explained = of_month(made)
    shares, _ = replayed.charges_of(replayed.read(json.dumps(explained)))
    charged = {
        (invoice["unitId"], charge["amount"])
        for invoice in made.invoices(month=MARCH, details="true")
        for charge in invoice["charges"]
    }
    assert charged
    assert {(unit, f"{cents / 100:.2f}") for (_, _, unit, _), cents in shares.items()} == charged
    assert explained["rules"][0]["since"] is None
    assert [unit["label"] for unit in explained["units"]] == ["1", "2", "10"]


def test_an_invoice_is_explained_without_a_word_of_a_neighbor(house: House) -> None:
    made = furnish(house)
    explained = of_invoice(made)
    invoice = made.invoice(details="true")
    assert (explained["invoice"]["number"], explained["total"]) == (invoice["invoiceNumber"], invoice["totalAmount"])
    assert [one["sentence"] for one in explained["charges"]] == [one["description"] for one in invoice["charges"]]
    text = json.dumps(explained)
    own = {invoice["unitId"], invoice["tenantId"]}
    assert own & {explained["invoice"]["tenantId"]}
    for other in of_month(made)["units"]:
        names = {other["id"], *(stay["tenantId"] for stay in other["stays"])}
        assert not any(name in text for name in names - own)


def test_what_was_sent_stays_explained_as_it_was_and_drafts_follow_the_facts_of_now(house: House) -> None:
    made = furnish(house)
    draft = of_invoice(made)
    made.set_status("SENT")
    sent, month = of_invoice(made), of_month(made)
    assert sent == draft
    made.api.patch(f"/units/{made.units['2']}", {"sqft": 5_000})
    add_bill(house, house.landlord, made.property_id, MARCH, 12_00)
    assert (of_invoice(made), of_month(made)) == (sent, month)
    made.set_status("DRAFT")
    assert of_month(made)["total"] == "102.00"
    assert of_invoice(made) != sent
    made.set_status("SENT")
    assert of_month(made)["total"] == "102.00"
    assert list(check_account(house.database, house.landlord.caller.account_id)) == []


def test_every_invoice_of_a_month_is_kept_and_the_month_once_for_all(house: House) -> None:
    made = furnish(house)
    for label in LABELS:
        made.set_status("SENT", label)
    assert len({of_invoice(made, label)["invoice"]["id"] for label in LABELS}) == 3
    counts = [
        house.database.read(lambda tx, table=table: tx.one(returns_one(select(func.count()).select_from(table))))
        for table in (month_explanation, invoice_explanation)
    ]
    assert counts == [1, 3]


def test_a_kept_explanation_that_was_changed_or_is_of_other_charges_is_named_by_the_check(house: House) -> None:
    made = furnish(house)
    made.set_status("SENT")
    invoice, mine = made.invoice()["id"], house.landlord.caller.account_id
    (kept,) = house.database.read(lambda tx: explanations.of_invoices(tx, mine, [invoice]))
    for edit, said in (
        (lambda text: text.replace('"amount":"30.00"', '"amount":"31.00"'), "has an explanation of"),
        (lambda text: sealed(json.loads(text.replace("30.00", "31.00"))), "has an explanation whose charges differ"),
    ):
        changed = kept._replace(content=explanations.packed(edit(kept.text)))
        house.database.write(lambda tx, row=changed: explanations.keep_invoices(tx, [row]))
        (found,) = check_account(house.database, mine)
        assert found.startswith(f"Invoice {invoice} {said}")


def test_a_correction_is_divided_anew_from_what_is_right(house: House) -> None:
    made = furnish(house)
    for label in LABELS:
        made.set_status("SENT", label)
    correct(made, 60_01)
    place(made)
    made.set_status("SENT", month="2026-04")
    content = of_invoice(made, month="2026-04")
    (charge,) = content["charges"]
    said = [charge[name] for name in ("kind", "correctsMonth", "part", "charged", "leftToOwner", "undecided", "amount")]
    assert said == ["correctedShare", MARCH, "20.01", "30.00", "0.00", "0.00", "-9.99"]
    assert (charge["steps"][0]["unit"]["weights"], charge["correctsTenantId"]) == ("3", made.tenant_id)
    assert replayed.charged(charge) == -9_99
    for path, value in (
        (("steps", 0, "unit", "weights"), "4"), (("sentence",), charge["sentence"].replace("1 of 3", "1 of 4")),
        (("part",), "21.00"), (("charged",), "29.00"), (("undecided",), "1.00"),
    ):  # fmt: skip
        assert verify(sealed(edited(content, ("charges", 0, *path), value))).differences
    assert list(check_account(house.database, house.landlord.caller.account_id)) == []


def test_sentences_tell_floor_areas_as_they_are_measured_where_the_property_lies(house: House) -> None:
    made = furnish(house)
    made.api.patch(f"/properties/{made.property_id}", {"country": "IE"})
    for unit, area in zip(made.units.values(), (61, 39, 25), strict=True):
        made.api.patch(f"/units/{unit}", {"sqft": area})
    made.api.patch(f"/sharerules/{made.rule_id}", {"splitMethod": "SQFT"})
    for label in LABELS:
        made.set_status("SENT", label)
    correct(made, 60_01)
    place(made)
    made.set_status("SENT", month="2026-04")
    for month in (MARCH, "2026-04"):
        explained = of_invoice(made, month=month)
        assert [one["kind"] for one in explained["charges"]] == ["share" if month == MARCH else "correctedShare"]
        for content in (explained, of_month(made, month)):
            assert "sq ft" not in json.dumps(content)
        (charge,) = explained["charges"]
        assert "61 of 125 m²" in charge["sentence"]
        assert verify(sealed(edited(explained, ("charges", 0, "sentence"), f"{charge['sentence']}!"))).differences
    assert "61 of 125 m²" in of_month(made, "2026-04")["corrections"][0]["sentence"]
    assert "61 of 125 sq ft" in made.invoice(details="true")["charges"][0]["description"], "as the contract has it"
    assert list(check_account(house.database, house.landlord.caller.account_id)) == []


def test_a_line_that_is_charged_twice_is_found(house: House) -> None:
    made = furnish(house)
    content = of_invoice(made)
    content["charges"] *= 2
    content["total"] = "60.00"
    assert verify(sealed(content)).differences == ("charges[1]: the same line as charges[0]",)


def test_what_was_issued_before_explanations_came_has_none_and_says_so(house: House) -> None:
    made = furnish(house)
    made.set_status("SENT")
    for table in (invoice_explanation, month_explanation):
        house.database.write(lambda tx, table=table: tx.run(changes(delete(table))))
    for path in (
        f"/invoices/{made.invoice()['id']}/explanation",
        f"/properties/{made.property_id}/months/{MARCH}/explanation",
    ):
        said = assert_refused(made.api.get(path), 404, "EXPLANATION_NOT_FOUND")
        assert said["error"] == "This was issued before Prorata kept explanations, so there is none."
    of_invoice(made, "2")  # a draft of the same month


def test_a_month_that_is_none_or_has_nothing_is_refused(house: House) -> None:
    made = furnish(house)
    path = f"/properties/{made.property_id}/months"
    assert_refused(made.api.get(f"{path}/2031-01/explanation"), 404, "MONTH_NOT_FOUND")
    assert_refused(made.api.get(f"{path}/March/explanation"), 404, "MONTH_NOT_FOUND")
