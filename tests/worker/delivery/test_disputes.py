"""Tests of the e-mails about disputes.

Staff are told when a charge is disputed, and the tenant is told when the dispute is answered and when it ends.
"""

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import dispute_ends, disputes, question_replies, tenant_disputes
from prorata.actions.delivery.disputes import Opening
from prorata.actions.invoices import tenant_links
from prorata.domain.printing.languages import LANGUAGES
from prorata.store.invoices import invoices
from tests.worker.mailing import House

WHY = "The meter was read twice."


def disputed(house: House) -> str:
    """Have the tenant dispute 20.50 of the charge, and return the dispute's id."""
    row = house.landlord.read(invoices.find, house.invoice.id)
    assert row is not None
    link = house.landlord.database.read(lambda tx: tenant_links.link_to(tx, row))
    (charge,) = house.landlord.read(invoices.charges, [house.invoice.id])
    opening = Opening(charge.id, 20_50, WHY, "Water: $120.50")
    house.landlord.run(lambda tx: tenant_disputes.open_one(tx, link, opening))
    (one,) = house.landlord.see(disputes.of_invoice, house.invoice.id)
    return one.row.question_id


def letters(house: House) -> list[tuple[str, str, str]]:
    """The recipient, the subject and the text of each e-mail about the dispute.

    Each text is on one line.
    """
    house.work(minutes=10)
    return [
        (str(one["To"]), str(one["Subject"]), " ".join(one.get_body(("plain",)).get_content().split()))
        for one in house.outbox()
        if WHY in " ".join(one.get_body(("plain",)).get_content().split())
    ]


def test_staff_is_told_what_is_disputed_and_the_tenant_of_the_answer_and_the_end(house: House) -> None:
    house.set_status("SENT")
    one = disputed(house)
    ((to, subject, body),) = letters(house)
    assert to.startswith("landlord_")
    assert subject.startswith("A charge on invoice ")
    assert "Zoë Ωmega disputes $20.50 of a charge on invoice" in body
    assert "An answer is due by" in body
    assert "Water: $120.50" in body
    house.landlord.do(accounts.change_settings, Wishes(contact="office@example.com", phone="+1 555 0199"))
    house.landlord.do(question_replies.reply, one, "We are looking into it.", "Olga")
    _, (to, subject, body) = letters(house)
    assert ("zoe@example.org" in to, subject.startswith("Answer to your dispute")) == (True, True)
    assert "answers your dispute of a charge on invoice" in body
    assert "($20.50 in dispute): We are looking into it." in body
    assert " office@example.com, +1 555 0199 " in body, "the biller can be called"
    assert "We are looking into it. Your dispute is still open, and the amount in question is not asked for" in body
    assert "tell landlord why. You had written: The meter was read twice." in body
    house.landlord.do(dispute_ends.resolve, one, "It was read once.")
    *_, (to, subject, body) = letters(house)
    assert ("zoe@example.org" in to, subject.endswith("has ended")) == (True, True)
    assert "The reason: It was read once. The full $120.50 of this invoice is due. The due date is " in body, body
    assert ". You had written:" in body
    assert " office@example.com, +1 555 0199 " in body


def test_an_answer_that_is_sent_after_the_end_does_not_say_that_the_dispute_is_open(house: House) -> None:
    house.set_status("SENT")
    one = disputed(house)
    letters(house)
    house.landlord.do(question_replies.reply, one, "We are looking into it.", "Olga")
    house.landlord.do(dispute_ends.resolve, one, "It was read once.")
    answer, end = [body for _, _, body in letters(house)[1:]]
    assert "We are looking into it." in answer
    assert "still open" not in answer
    assert "has ended" in end


def test_the_end_with_a_correction_says_by_how_much_and_what_is_to_be_paid(house: House) -> None:
    house.set_status("SENT")
    one = disputed(house)
    house.set_status("CANCELLED")
    house.landlord.do(dispute_ends.resolve_by_correction, one)
    *_, (_, _, body) = letters(house)
    assert "by -$120.50. Nothing on this invoice is due now." in body


def test_the_tenant_is_told_once_the_correction_is_taken_back(house: House) -> None:
    house.set_status("SENT")
    one = disputed(house)
    house.set_status("CANCELLED")
    house.landlord.do(dispute_ends.resolve_by_correction, one)
    letters(house)
    house.set_status("SENT")
    *_, (to, subject, body) = letters(house)
    assert ("zoe@example.org" in to, subject.endswith("is open again")) == (True, True)
    assert "was taken back. Your dispute of $20.50 is open again;" in body
    assert "of this invoice" not in body


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_writes_all_three_letters(house: House, language: str) -> None:
    locale = {"en": "en-US", "de": "de-DE", "es": "es-ES", "fr": "fr-FR"}[language]
    house.landlord.do(accounts.change_settings, Wishes(locale=locale))
    house.set_status("SENT")
    one = disputed(house)
    house.landlord.do(question_replies.reply, one, "Hm.", "Olga")
    house.landlord.do(dispute_ends.withdraw, one)
    found = letters(house)
    assert len(found) == 3
    assert all("{" not in subject + body for _, subject, body in found)


def test_an_account_that_sends_no_mail_tells_nobody_of_the_end(house: House) -> None:
    house.set_status("SENT")
    one = disputed(house)
    house.wishes(on=False)
    house.landlord.do(dispute_ends.resolve, one, "No.")
    assert not [subject for _, subject, _ in letters(house) if subject.endswith("has ended")]
