"""Tests of the evidence packs for a tenant's charges or for a single charge.

Each pack is one ZIP file, which has the same bytes every time.
"""

import io
import re
from datetime import date
from html import unescape
from typing import cast
from zipfile import ZipFile

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import evidence
from prorata.actions.bills import bills, corrections
from prorata.actions.delivery import dispute_ends, disputes, question_replies, rule_announcements
from prorata.actions.delivery.disputes import Opening
from prorata.actions.invoices import invoices
from prorata.actions.limits import MOST_INVOICES_OF_EVIDENCE
from prorata.actions.properties import tenants, units
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules
from prorata.actions.splitting.share_rules import ShownRule
from prorata.adapters.exports.packs import unpacked
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.bills.bills import NewBill
from prorata.domain.splitting.verification import verify
from prorata.ports.files import MANIFEST
from prorata.store.database.engine import Tx
from prorata.store.delivery import tenant_pages
from prorata.store.invoices.invoices import InvoiceSummary
from tests.actions.properties.test_property_imports import Counting
from tests.dashboard.billed import listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.delivery.test_tenant_bills import PDF, bill_of, came_in
from tests.dashboard.delivery.test_tenant_questions import WHY
from tests.dashboard.invoices.test_statements import pay
from tests.dashboard.tenants import asked, page_of, sent
from tests.former_programs import hand_back


def read(office: Office, path: str) -> dict[str, bytes]:
    answer = office.browser("viewer").get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    assert office.browser("owner").get(path).content == answer.content, "made twice, it is the same bytes"
    return dict(unpacked(answer.content))


def text_of(files: dict[str, bytes]) -> str:
    return re.sub(
        r"\s+", " ", unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", files["index.html"].decode(), flags=re.DOTALL))
    )


def test_a_tenants_pack_says_who_owes_what_and_why(office: Office) -> None:
    one, other = sent(office, "1", "2")
    came_in(office, "March.pdf", PDF, bill_of(office, one.id))
    pay(office, one.id, 20_00)
    asked(office.browser(), page_of(office, one.id), WHY)
    files = read(office, f"/tenants/{one.tenant_id}/evidence?chosen=true")
    explained = f"explanations/{one.number}.json"
    assert set(files) == {"index.html", "bills/001.pdf", f"invoices/{one.number}.pdf", explained}
    assert verify(files[explained].decode()).differences == ()
    assert files["bills/001.pdf"] == PDF
    assert files[f"invoices/{one.number}.pdf"].startswith(b"%PDF-")
    text = text_of(files)
    for said in (
        "Evidence pack: Tenant 1, 1",
        "Tenant 1 still owes $25.00 on these invoices.",
        "Water: $45.00",
        "$90.00 ÷ 2 = $45.00",
        WHY.splitlines()[0],
        "Not answered.",
        f"marked invoice {one.number} as sent",
        "equally",
    ):
        assert said in text, said
    assert "Tenant 2" not in text
    assert other.number not in text
    for to in re.findall(r'href="([^#"]+)"', files["index.html"].decode()):
        assert to in files, to


def test_the_statement_of_a_months_pack_has_that_months_invoice_though_it_came_later(office: Office) -> None:
    (one,) = sent(office, "1")
    pay(office, one.id, 20_00)
    path = f"/tenants/{one.tenant_id}/evidence?chosen=true&from={one.month}-01&to={one.month}-28"
    statement = text_of(read(office, path)).split("Statement ")[1].split(" Bills ")[0]
    assert statement.startswith("All invoices and payments since ")
    assert one.number in statement
    assert statement.endswith("Balance for all invoices $70.00"), statement


def test_one_charges_pack_is_about_that_charge_alone(office: Office) -> None:
    (one,) = sent(office, "1")
    page = office.browser("viewer").get(f"/invoices/{one.id}").text
    to = re.findall(rf'href="(/invoices/{one.id}/charges/\w+/evidence)"', page)
    assert len(to) == 1
    assert ">Evidence for a dispute (ZIP)<" in page
    files = read(office, to[0])
    text = text_of(files)
    assert f"One charge on invoice {one.number}." in text
    assert "see this bill" not in text
    assert "none kept, or none that tenants may see" in text
    assert set(files) == {"index.html", f"invoices/{one.number}.pdf", f"explanations/{one.number}.json"}


def test_the_manifest_is_in_the_pack_and_names_every_file(office: Office) -> None:
    (one,) = sent(office, "1")
    content = office.browser("owner").get(f"/tenants/{one.tenant_id}/evidence").content
    with ZipFile(io.BytesIO(content)) as archive:
        named = {line[66:] for line in archive.read(MANIFEST).decode().splitlines()}
        assert named == set(archive.namelist()) - {MANIFEST}


def test_what_has_no_evidence_is_refused_in_a_sentence(office: Office) -> None:
    (one,) = sent(office, "1")
    owner = office.browser("owner")
    nothing = owner.get(f"/tenants/{one.tenant_id}/evidence?chosen=true&to=2001-01-31")
    assert (nothing.status_code, "No invoices for these dates were sent to Tenant 1." in nothing.text) == (409, True)
    wrong = owner.get(f"/tenants/{one.tenant_id}/evidence?from=yesterday")
    assert (wrong.status_code, "Enter a date" in wrong.text) == (400, True)
    for path in (f"/tenants/{one.tenant_id}/evidence", f"/invoices/{one.id}/charges/chg_1/evidence"):
        assert office.browser("stranger").get(path).status_code == 404, path
    assert owner.get(f"/invoices/{one.id}/charges/chg_1/evidence").status_code == 404


def test_a_draft_has_no_evidence_yet(office: Office) -> None:
    (one,) = sent(office, "1")
    page = office.browser("owner").get(f"/invoices/{one.id}").text
    to = re.findall(rf'href="(/invoices/{one.id}/charges/\w+/evidence)"', page)[0]
    set_status(office, one.id, "DRAFT")
    answer = office.browser("owner").get(to)
    assert (answer.status_code, "is still a draft and may change" in unescape(answer.text)) == (409, True)


def test_a_pack_holds_nothing_of_whom_an_invoice_was_for_before(office: Office) -> None:
    (one,) = sent(office, "1")
    asked(office.browser(), page_of(office, one.id), WHY)
    set_status(office, one.id, "CANCELLED")

    def move(tx: Tx) -> str:
        hand_back(tx, office.caller, one.id)
        tenants.change(tx, office.caller, one.tenant_id or "", {"move_out": "2026-01-31"})
        return tenants.create(tx, office.caller, one.unit_id, {"name": "Bob", "move_in": "2026-02-01"}).id

    bob = office.database.write(move)
    set_status(office, one.id, "SENT")
    text = text_of(read(office, f"/tenants/{bob}/evidence?chosen=true"))
    assert "Evidence pack: Bob, 1" in text
    for theirs in ("Tenant 1", "t1@example.org", WHY.splitlines()[0]):
        assert theirs not in text, theirs


def test_a_correction_that_waits_and_a_dispute_are_named(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    bill = bill_of(office, one.id)
    (charge,) = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    opening = Opening(charge.id, 10_00, "The meter was read twice.")
    asked_id = office.database.write(lambda tx: disputes.open_one(tx, office.caller, one.id, opening)).id
    path = f"/tenants/{one.tenant_id}/evidence?chosen=true"
    text = text_of(read(office, path))
    for said in (
        "Of these invoices, $45.00 is unpaid: $35.00 is payable now, and $10.00 is in dispute.",
        f"On invoice {one.number}, $10.00 is disputed.",
        "Disputed: $10.00 of $45.00 is in dispute.",
        "The meter was read twice.",
    ):
        assert said in text, said
    office.database.write(lambda tx: dispute_ends.resolve(tx, office.caller, asked_id, "It was read once."))
    office.database.write(lambda tx: corrections.correct(tx, office.caller, bill, 80_00, {"WATER": 80_00}))
    text = text_of(read(office, path))
    for said in ("A correction for February 2026, Water, has not been decided yet: -$5.00.", "It was read once."):
        assert said in text, said
    assert "is disputed" not in text


def test_no_more_of_an_invoice_is_disputed_than_its_charge_comes_to_and_of_a_cancelled_one_nothing(
    office: Office,
) -> None:
    one, other = sent(office, "1", "2")
    bill = bill_of(office, one.id)
    (charge,) = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    opening = Opening(charge.id, 30_00, "The meter was read twice.")
    office.database.write(lambda tx: disputes.open_one(tx, office.caller, one.id, opening))
    for its in (one, other):
        set_status(office, its.id, "DRAFT")
    office.database.write(lambda tx: corrections.correct(tx, office.caller, bill, 10_00, {"WATER": 10_00}))
    for its in (one, other):
        set_status(office, its.id, "SENT")
    pay(office, one.id, 5_00)
    path = f"/tenants/{one.tenant_id}/evidence?chosen=true"
    number = next(its.number for its in listed(office) if its.id == one.id)
    text = text_of(read(office, path))
    assert f"Nothing is left to pay on these invoices. On invoice {number}, $5.00 is disputed." in text
    set_status(office, one.id, "CANCELLED")
    assert "is disputed." not in text_of(read(office, path))


def test_what_was_decided_of_a_correction_and_who_bears_it_is_told(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    path = f"/tenants/{one.tenant_id}/evidence?chosen=true"
    bill = bill_of(office, one.id)
    office.database.write(lambda tx: corrections.correct(tx, office.caller, bill, 80_00, {"WATER": 80_00}))
    for place in ("next", "revoke", "owner"):
        office.database.write(
            lambda tx, place=place: correction_decisions.decide(tx, office.caller, one.property_id, [one.month], place)
        )
        placed = "will be added to the invoice for March 2026, which has not been sent yet: -$5.00."
        assert (placed in text_of(read(office, path))) == (place == "next")
    text = text_of(read(office, path))
    for said in (
        "The landlord has decided that the owner bears -$5.00 of a correction for February 2026, Water.",
        "placed corrections", "took corrections back", "left corrections to the owner",
    ):  # fmt: skip
        assert said in text, said
    assert "-$10.00" not in text, "what it comes to for all tenants"


def test_the_pack_of_a_charge_tells_changes_of_its_unit_and_no_dispute_of_another(office: Office) -> None:
    (one,) = sent(office, "1")
    office.database.write(lambda tx: units.change(tx, office.caller, one.unit_id, {"sqft": 600}))
    (charge,) = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    set_status(office, one.id, "DRAFT")
    office.database.write(lambda tx: invoices.add_custom_charge(tx, office.caller, one.id, "Key", 9_00))
    set_status(office, one.id, "SENT")
    shown = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    other = next(its for its in shown if its.id != charge.id)
    opening = Opening(other.id, 9_00, "I got no key.")
    office.database.write(lambda tx: disputes.open_one(tx, office.caller, one.id, opening))
    text = text_of(read(office, f"/invoices/{one.id}/charges/{charge.id}/evidence"))
    assert "600" in text
    assert "I got no key." not in text
    assert "I got no key." in text_of(read(office, f"/invoices/{one.id}/charges/{other.id}/evidence"))


def test_a_rule_that_was_deleted_or_made_anew_is_told_with_all_that_was_done_to_it(office: Office) -> None:
    (one,) = sent(office, "1")
    (charge,) = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    (water,) = (its for its in rules_of(office, one.property_id) if its.row.utility_type == "WATER")
    (gas,) = (its for its in rules_of(office, one.property_id) if its.row.utility_type == "GAS")

    def change(tx: Tx) -> None:
        share_rules.change(tx, office.caller, water.row.id, {"split_method": "SQFT"}, since="2026-05")
        share_rules.change(tx, office.caller, gas.row.id, {"split_method": "OCCUPANTS"}, since="2026-05")
        share_rules.create(tx, office.caller, one.property_id, "WATER", water.terms, since="2026-06")

    office.database.write(change)
    paths = (f"/tenants/{one.tenant_id}/evidence?chosen=true", f"/invoices/{one.id}/charges/{charge.id}/evidence")
    for path in paths:
        text = text_of(read(office, path))
        for said in ("changed share rule for water", "added share rule for water", "from May 2026 by floor area",
                     "from June 2026 equally"):  # fmt: skip
            assert said in text, (path, said)
        assert "share rule for gas" not in text, "nothing of it was charged"
    (water,) = (its for its in rules_of(office, one.property_id) if its.row.utility_type == "WATER")
    office.database.write(lambda tx: share_rules.remove(tx, office.caller, water.row.id))
    for path in paths:
        text = text_of(read(office, path))
        for said in ("changed share rule for water", "deleted share rule for water", "from the beginning equally",
                     "from June 2026 not divided: the owner pays all of it"):  # fmt: skip
            assert said in text, (path, said)


def rules_of(office: Office, property_id: str) -> list[ShownRule]:
    return office.database.read(lambda tx: share_rules.of_property(tx, office.caller, property_id))


def test_what_a_tenant_was_mailed_about_rules_and_questions_is_told_with_what_became_of_it(office: Office) -> None:
    one, other = sent(office, "1", "2")
    for its in (one, other):
        asked(office.browser(), page_of(office, its.id), f"{WHY} {its.unit_label}")
    (water,) = (its for its in rules_of(office, one.property_id) if its.row.utility_type == "WATER")

    def tell(tx: Tx) -> None:
        accounts.change_settings(tx, office.caller, Wishes(mail_on=True))
        for its in (one, other):
            (question,) = tenant_pages.questions_of(tx, office.account_id, [its.id])
            question_replies.reply(tx, office.caller, question.id, "It was read once.", "Ann")
        share_rules.change(tx, office.caller, water.row.id, {"split_method": "OCCUPANTS"}, since="2027-05")
        (coming,) = rule_announcements.of_property(tx, office.caller, one.property_id).coming
        assert rule_announcements.announce(tx, office.caller, one.property_id, coming.change.mark, LocaleForms) == 2

    office.database.write(tell)
    tenants_pack = f"/tenants/{one.tenant_id}/evidence?chosen=true"
    (charge,) = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    for path in (tenants_pack, f"/invoices/{one.id}/charges/{charge.id}/evidence"):
        text = text_of(read(office, path))
        for said in (
            "What Tenant 1 was told about upcoming rules",
            "Water is divided another way from May 2027 (Maple Court, 1)",
            "From May 2027: Divided by",
            "t1@example.org, Waiting to be sent Hello Tenant 1,",
            "E-mail with the reply:",
        ):
            assert said in text, (path, said)
        for theirs in ("Tenant 2", "t2@example.org", "(Maple Court, 2)"):
            assert theirs not in text, (path, theirs)
    opening = Opening(charge.id, 30_00, "The meter was read twice.")
    dispute = office.database.write(lambda tx: disputes.open_one(tx, office.caller, one.id, opening))
    office.database.write(lambda tx: dispute_ends.resolve(tx, office.caller, dispute.id, "It was read once."))
    text = text_of(read(office, tenants_pack))
    assert re.search("E-mail about the dispute: [^@]+ t1@example.org, Waiting to be sent", text)


def test_a_correction_that_was_invoiced_and_is_wrong_itself_waits_in_the_packs_of_its_invoice(office: Office) -> None:
    (one,) = sent(office, "1")
    bill = bill_of(office, one.id)

    def correct(tx: Tx, cents: int) -> None:
        corrections.correct(tx, office.caller, bill, cents, {"WATER": cents})

    def place_and_send(tx: Tx) -> str:
        correct(tx, 80_00)
        add_bill(tx, office, one.property_id, date(2026, 3, 20))
        correction_decisions.decide(tx, office.caller, one.property_id, [one.month], "next")
        return next(its.id for its in invoices_of(tx, office, one.property_id) if its.month == "2026-03")

    carrier = office.database.write(place_and_send)
    set_status(office, carrier, "SENT")
    office.database.write(lambda tx: correct(tx, 70_00))
    charges = office.database.read(lambda tx: invoices.find(tx, office.caller, carrier)).charges or ()
    (charge,) = (its for its in charges if its.amount == -10_00)
    for path in (
        f"/tenants/{one.tenant_id}/evidence?chosen=true&from=2026-03-01&to=2026-03-31",
        f"/invoices/{carrier}/charges/{charge.id}/evidence",
    ):
        text = text_of(read(office, path))
        assert "A correction for February 2026, Water, has not been decided yet: -$10.00." in text, path


def test_a_charges_pack_holds_its_correction_however_many_invoices_stand_between(office: Office) -> None:
    (one,) = sent(office, "1")
    bill = bill_of(office, one.id)
    (charge,) = office.database.read(lambda tx: invoices.find(tx, office.caller, one.id)).charges or ()
    months = [date(2026 + month // 12, month % 12 + 1, 20) for month in range(2, MOST_INVOICES_OF_EVIDENCE + 3)]

    def send_all(tx: Tx) -> str:
        for some in (months[:60], months[60:]):  # a property has at most so many open months
            for day in some:
                add_bill(tx, office, one.property_id, day)
            drafts = [its for its in invoices_of(tx, office, one.property_id) if its.status == "DRAFT"]
            for its in drafts[:-1]:
                invoices.set_status(tx, office.caller, its.id, "SENT")
        corrections.correct(tx, office.caller, bill, 80_00, {"WATER": 80_00})
        correction_decisions.decide(tx, office.caller, one.property_id, [one.month], "next")
        invoices.set_status(tx, office.caller, drafts[-1].id, "SENT")
        return drafts[-1].number

    last = office.database.write(send_all)
    text = text_of(read(office, f"/invoices/{one.id}/charges/{charge.id}/evidence"))
    assert f"Invoice {last}," in text


def add_bill(tx: Tx, office: Office, property_id: str, day: date) -> None:
    bills.add(tx, office.caller, [NewBill(property_id, "Aqua Water Co.", ("WATER",), 30_00, day)])


def invoices_of(tx: Tx, office: Office, property_id: str) -> list[InvoiceSummary]:
    """The invoices of a property, earliest month first."""
    shown, _ = invoices.page(tx, office.caller, {"property": property_id}, limit=1000, offset=0, details=False)
    return sorted((one.summary for one in shown), key=lambda summary: summary.month)


def test_an_invoice_that_was_taken_back_often_takes_no_more_statements(office: Office) -> None:
    (one,) = sent(office, "1")

    def statements() -> int:
        def read_all(tx: Tx) -> int:
            counting = Counting(tx)
            (found,) = evidence.of_tenant(cast("Tx", counting), office.caller, one.tenant_id or "").invoices
            numbers.append([it.number for it in found.before])
            return counting.statements

        return office.database.read(read_all)

    numbers = list[list[str]]()
    counts = list[int]()
    for times in (2, 3):
        for cents in range(times):
            set_status(office, one.id, "DRAFT")
            change = (f"Key {times}", 1_00 + cents)
            office.database.write(lambda tx, its=change: invoices.add_custom_charge(tx, office.caller, one.id, *its))
            set_status(office, one.id, "SENT")
        counts.append(statements())
    assert [len(its) for its in numbers] == [2, 5]
    assert numbers[1][0] == one.number
    assert counts[0] == counts[1]
