"""The Activity page shows who did what."""

from datetime import date

from prorata.actions.accounts import api_keys, members
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.audit import activity
from prorata.actions.audit.activity import Looked
from prorata.actions.bills import bills, entries as bill_entries, late_bills
from prorata.actions.bulk import bulk
from prorata.actions.invoices import invoices
from prorata.actions.limits import MOST_ACTIVITY_LISTED
from prorata.actions.properties import properties
from prorata.actions.properties.properties import NewProperty
from prorata.domain.audit.diffs import Change, differences
from prorata.domain.audit.verbs import Verb
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.schema import column_types, tables
from tests.landlord import Landlord

MAPLE = NewProperty("Maple Court", "12", "Maple St", "Reno", "NV", "89501", "US")


def pages(landlord, limit, **filters):
    found, before = [], None
    while page := landlord.see(activity.page, before=before, limit=limit, **filters):
        assert len(page) <= limit
        found += page
        before = page[-1].id
    return found


def test_what_was_done_is_listed_newest_first_page_by_page(landlord):
    maple = landlord.property_()
    for label in "1234567":
        landlord.unit(maple, label)
    whole = landlord.see(activity.page)
    assert whole == pages(landlord, 3)
    assert [one.id for one in whole] == sorted((one.id for one in whole), reverse=True)
    assert (whole[0].verb, whole[0].before, whole[0].after["label"]) == ("create unit", None, "7")
    assert len(landlord.see(activity.page, limit=10_000)) <= MOST_ACTIVITY_LISTED


def test_what_was_done_to_one_record_can_be_asked_for(landlord):
    maple = landlord.property_()
    one, _two = landlord.units(maple, "1", "2")
    landlord.change_unit(one, label="1a")
    found = pages(landlord, 1, record=one.id)
    assert [(event.verb, event.record_id) for event in found] == [("change unit", one.id), ("create unit", one.id)]
    assert (found[0].before["label"], found[0].after["label"]) == ("1", "1a")
    assert pages(landlord, 5, record="unit_1") == []


def test_who_did_it_is_named_as_people_know_them(landlord, people):
    account = landlord.account.id
    bo = people.join(account, "bo@example.org", name="Bo")
    ann = people.owner_of(account)
    key, _ = landlord.do(
        api_keys.create, name="books", permission="FULL", expires_at=None, random_bytes=b"x" * 24,
        hasher=KeyHasher([b"s" * 32]),
    )  # fmt: skip
    cy = people.join(account, "cy@example.org", name="Cy")
    landlord.do(members.remove, cy.id)
    for actor in (bo.id, ann.id, key.id, cy.id, "cli", "clock", "unheard of"):
        landlord.database.write(lambda tx, actor=actor: properties.create(tx, Caller(account, actor), MAPLE))
    names = [event.actor_name for event in landlord.see(activity.page) if event.verb == "create property"]
    assert names[::-1] == [
        *("Bo", ann.email, "API key books", "Cy (former member)"),
        *("The operator", "Prorata", "unheard of"),
    ]


def test_no_two_programs_are_called_alike(landlord):
    named = [actor.name for actor in landlord.see(activity.actors)]
    assert len(named) == len(set(named))


def test_links_that_a_provider_makes_by_itself_do_not_bury_what_people_did(landlord):
    maple = landlord.property_()
    landlord.unit(maple, "1")
    landlord.bill(maple, 20_00)
    invoice = landlord.invoices(maple)["1"].summary

    def provider(tx, verb):
        audit.record(tx, Caller(landlord.account.id, "stripe"), verb, invoice.id, property_id=maple.id)

    for verb in (Verb.ADD_PAYMENT_LINK, Verb.RECORD_PAYMENT, Verb.REMOVE_PAYMENT_LINK):
        landlord.database.write(lambda tx, verb=verb: provider(tx, verb))

    def seen(by=""):
        events = landlord.see(activity.look, Looked(by=by), limit=50, before=None).events
        return [event.verb for event in events if event.actor == "stripe"]

    assert seen() == ["record payment"]
    assert seen("stripe") == seen(activity.ANYBODY) == ["remove payment link", "record payment", "add payment link"]


def test_a_stranger_sees_none_of_it(landlord, people):
    stranger = Landlord(landlord.database, landlord.clock, name="stranger")
    maple = landlord.property_()
    bo = people.join(landlord.account.id, "bo@example.org", name="Bo")
    stranger.database.write(lambda tx: properties.create(tx, Caller(stranger.account.id, bo.id), MAPLE))
    assert stranger.see(activity.page, record=maple.id) == []
    last = landlord.see(activity.page)[0].id
    created, opened = stranger.see(activity.page)
    assert (created.actor_name, opened.verb) == ("A former member", "open account")
    assert all(event.id < last for event in stranger.see(activity.page, before=last))


def test_what_former_members_did_is_told_apart_and_can_be_looked_up(landlord, people):
    account = landlord.account.id
    cy, di = (people.join(account, f"{name}@example.org", name=name.title()) for name in ("cy", "di"))
    its = landlord.property_()
    for actor in (cy.id, di.id):
        landlord.run(lambda tx, actor=actor: properties.change(tx, Caller(account, actor), its.id, {"name": actor}))
    for one in (cy, di):
        landlord.do(members.remove, one.id)

    listed = {one.id: one.name for one in landlord.see(activity.actors)}
    assert listed[cy.id] == "Cy, cy@example.org (former member)"
    assert listed[di.id] == "Di, di@example.org (former member)"
    found = landlord.see(activity.look, Looked(by=cy.id), limit=5, before=None)
    did = [(one.actor_name, one.says) for one in found.events]
    assert did[0] == ("Cy (former member)", f"changed property {cy.id}")


def deleted(landlord, people):
    """A property that Bob has deleted.

    It had a tenant, a sent invoice, recorded payments and a custom charge.
    """
    bob = Caller(landlord.account.id, people.join(landlord.account.id, "bob@example.org", name="Bob").id)
    maple = landlord.property_()
    unit, _empty = landlord.units(maple, "2B", "3C")
    landlord.tenant(unit, "Ann Lee", email="ann@example.org")
    landlord.bill(maple, 90_00, notes="Ann Lee complained")
    landlord.bill(maple, 30_00, kind="GAS", issuer="Gas Co.")
    invoice_id = landlord.invoices(maple)["2B"].summary.id
    landlord.run(lambda tx: invoices.add_custom_charge(tx, bob, invoice_id, "Ann's dog", 5_00))
    landlord.run(lambda tx: invoices.set_status(tx, bob, invoice_id, "PAID"))
    landlord.run(lambda tx: bulk.begin(tx, bob, "cancel", [invoice_id, landlord.invoices(maple)["3C"].summary.id]))
    landlord.run(lambda tx: bulk.begin(tx, bob, "reopen", [invoice_id]))
    landlord.run(lambda tx: invoices.set_status(tx, bob, invoice_id, "PAID"))
    landlord.run(lambda tx: properties.remove(tx, bob, maple.id, landlord.archive))
    return maple


def test_a_deletion_says_what_was_deleted_in_numbers(landlord, people):
    maple = deleted(landlord, people)
    event = landlord.see(activity.page, limit=1)[0]
    assert (event.actor_name, event.says, event.record_id) == ("Bob", "deleted property Maple Court", maple.id)
    said = {change.label: change.was for change in event.changes}
    assert said == {
        "Name": "Maple Court", "Address": "12 Maple St, Reno, NV 89501", "Currency": "USD", "Units": 2, "Tenants": 1,
        "Bills": 2, "Invoices": 2, "Sent invoices": 1, "Money received": 65_00,
    }  # fmt: skip
    assert {change.label: change.written for change in event.changes}["Money received"] == "money"


def test_what_was_done_to_a_deleted_property_is_told_without_its_people(landlord, people):
    maple = deleted(landlord, people)
    events = landlord.see(activity.page)
    kept = " ".join(str(one.before) + str(one.after) for one in events if one.property_id == maple.id)
    assert "Ann" not in kept
    assert "ann@" not in kept
    did = {(one.actor_name, one.says.strip(), one.place) for one in events}
    of = "Maple Court (deleted)"
    assert {
        ("Bob", "added a charge to an invoice", of), ("Bob", "marked an invoice as paid", of),
        ("Bob", "cancelled 2 invoices", of), ("test", "added unit 2B", of), ("test", "added bill Gas Co.", of),
        ("test", "added bill", of), ("test", "added tenant", of), ("test", "added property Maple Court", ""),
    } <= did  # fmt: skip


def test_what_is_done_to_invoices_is_found_by_their_property(landlord):
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "2B"), "Ann")
    landlord.bill(maple, 90_00)
    invoice_id = landlord.invoices(maple)["2B"].summary.id
    charged = landlord.do(invoices.add_custom_charge, invoice_id, "Key", 5_00)
    (charge,) = [one for one in charged.charges if one.bill_id is None]
    landlord.do(invoices.remove_custom_charge, invoice_id, charge.id)
    landlord.set_status(maple, "2B", "SENT")
    landlord.clock.forward(days=60)
    landlord.run(lambda tx: invoices.mark_overdue(tx, landlord.account))
    looked = landlord.see(activity.look, Looked(text="maple", by=activity.ANYBODY), limit=20, before=None)
    assert {one.verb for one in looked.events} >= {"add custom charge", "remove custom charge", "set invoice OVERDUE"}
    assert {one.property_id for one in looked.events} == {maple.id}


def test_what_was_done_is_found_by_what_its_records_say(landlord):
    maple, elm = landlord.property_("Maple Court"), landlord.property_("Elm House")
    first, second = landlord.units(maple, "1A", "1B")
    ann = landlord.tenant(first, "Ann Chen")
    landlord.tenant(second, "Bo Kim")
    bill = landlord.bill(elm, 10_00, issuer="Midway Hauling", bill_number="AB-77")
    landlord.bill(maple, 90_00, on=date(2026, 1, 20))
    landlord.bill(maple, 60_00)
    for month in ("2026-01", "2026-02"):
        for label in ("1A", "1B"):
            landlord.set_status(maple, label, "SENT", month)

    def found(text):
        looked = activity.Looked(by=activity.ANYBODY, text=text)
        events = landlord.see(activity.look, looked, limit=100, before=None).events
        return [(one.verb, one.record_id) for one in events]

    def sent(label, month):
        its = landlord.invoices(maple, month)[label].summary.id
        return [one for one in found(f"{label} {month}") if one[1] == its]

    assert {record for _, record in found("ann")} >= {ann.id}
    assert len([record for _, record in found("ann") if record.startswith("inv_")]) == 2
    assert {record for _, record in found("midway")} == {record for _, record in found("ab-7")} == {bill.id}
    assert sent("1A", "2026-01")
    assert {record[:4] for _, record in found("2026-01")} == {"inv_"}
    assert len(found("maple 2026-01")) == len(found("45.00")) == 2
    assert found("elm 2026-01") == found("nobody") == found("--") == []


def test_what_was_done_is_told_from_the_first_where_somebody_wants_that(landlord):
    for name in ("Elm", "Oak", "Ash"):
        landlord.property_(name)

    def told(**looked):
        found, before = [], None
        while True:
            page = landlord.see(activity.look, Looked(**looked), limit=2, before=before)
            found += [one.id for one in page.events]
            before = page.further
            if before is None:
                return found

    for looked in ({"by": activity.ANYBODY}, {"by": activity.ANYBODY, "text": "oak"}, {"kind": "properties"}):
        newest = told(**looked)
        assert newest
        assert told(**looked, oldest_first=True) == newest[::-1]
    yesterday = date(2026, 3, 9)
    assert told(by=activity.ANYBODY, oldest_first=True, day=yesterday) == []


def changes_of(landlord: Landlord, bill_id: str) -> dict[str, Change]:
    """Return the changes of the last action on a bill, by field name."""
    (event,) = landlord.see(activity.page, record=bill_id, limit=1)
    return {change.label: change for change in event.changes}


def test_what_each_part_of_a_bill_comes_to_and_its_months_are_told_before_and_after(landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    landlord.bill(maple, 20_00, on=date(2025, 12, 5))
    landlord.set_status(maple, "1", "SENT", "2025-12")
    lines = (FormLine("WATER", "60.00"), FormLine("SEWER", "40.00"))
    bill = landlord.do(bill_entries.enter, BillForm(maple.id, "Aqua", "100.00", "2026-02-03", lines)).bill

    def changed(**wishes):
        filled = landlord.see(bill_entries.form_of, bill.id)
        landlord.do(bill_entries.change, bill.id, filled._replace(**wishes))
        return changes_of(landlord, bill.id)

    added = changes_of(landlord, bill.id)
    assert added["Amounts"] == Change("Amounts", "amounts", None, (("Water", 60_00), ("Sewer", 40_00)))
    assert (added["Billing month"].written, added["Billing month"].became) == ("months", ["2026-02"])
    fee = (FormLine("WATER", "60.00"), FormLine("SEWER", "30.00"), FormLine("LATE_FEE", "10.00"))
    assert changed(lines=fee) == {
        "Amounts": Change("Amounts", "amounts", added["Amounts"].became, (("Water", 60_00), ("Sewer", 30_00), ("Late fee", 10_00))),
    }  # fmt: skip
    spread = changed(service_start="2025-12-01", service_end="2026-01-31", spread=True)
    months = spread.pop("Billing month")
    assert (months.was, months.became) == (["2026-02"], ["2025-12", "2026-01"])
    assert list(spread) == ["Service start", "Service end"]

    landlord.do(late_bills.settle, bill.id, "2026-01")
    assert changes_of(landlord, bill.id) == {"Billing month": Change("Billing month", "months", ["2025-12", "2026-01"], ["2026-01"])}  # fmt: skip
    landlord.do(bills.remove, bill.id)
    gone = changes_of(landlord, bill.id)
    assert (gone["Amounts"].was, gone["Amounts"].became) == (
        (("Water", 60_00), ("Sewer", 30_00), ("Late fee", 10_00)),
        None,
    )
    assert gone["Billing month"].was == ["2026-01"]


def test_a_bill_with_one_part_says_its_total_alone_and_a_month_that_was_chosen_once(landlord):
    maple = landlord.property_()
    landlord.unit(maple, "1")
    bill = landlord.bill(maple, 20_00)
    assert "Amounts" not in changes_of(landlord, bill.id)
    landlord.move_bill(bill, "2026-04")
    (event,) = landlord.see(activity.page, record=bill.id, limit=1)
    assert [(change.label, change.was, change.became) for change in event.changes] == [
        ("Billing month", ["2026-02"], ["2026-04"])
    ]


def test_the_kind_of_a_field_decides_how_a_value_is_written_and_never_its_look():
    written = {column_types.DAY: "day", column_types.TIME: "moment", column_types.MONTH: "month"}
    for column in [
        column for table in tables.metadata.sorted_tables for column in table.columns if column.name != "weights"
    ]:
        for value in ("2026-03-01", "2026-02-30", "0000-00-00", "٢٠٢٦-٠١-٠١", "[1", '{"a": 1}', "2026-03-01T10:00:00Z"):
            found = [change.written for change in differences(None, {column.name: value})]
            wanted = written.get(column.type)
            assert found in ([], [wanted]) if wanted else not {"day", "moment", "month"} & set(found), column
    assert [
        one.label for one in differences(None, {"move_in": "2026-03-01", "move_out": "2026-03-02"})
    ] == ["Moved in", "Moved out"]  # fmt: skip
    assert [one.written for one in differences(None, {"name": "[1]", "label": '{"', "question": "2026-02-30"})] == [
        "text", "text", "text"
    ]  # fmt: skip
