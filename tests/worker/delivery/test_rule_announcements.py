"""Tenants are told about a rule change before it begins.

Each household is told once, and again if the announced change is itself changed.
"""

import json
from datetime import date
from email.message import EmailMessage
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.audit.activity import Looked
from prorata.actions.delivery import rule_announcements
from prorata.actions.delivery.rule_announcements import Announcements
from prorata.actions.properties import properties, tenants
from prorata.actions.splitting import share_rules
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.delivery.announcement_mail import ANNOUNCEMENT
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.errors import Conflict, NotFound
from prorata.store.delivery import rule_announcements as stored
from prorata.store.mail import messages as mail
from tests.landlord import Landlord
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House, parsed


@pytest.fixture
def two(house: House) -> House:
    """A house with a second unit of 600 sq ft, beside the first of 400.

    Two people live in the second unit under one tenant's name, without an e-mail address.
    """
    landlord = house.landlord
    landlord.change_unit(house.unit, sqft="400")
    landlord.tenant(landlord.unit(house.maple, "2", sqft=600), "Bo", occupants=2)
    return house


def change(house: House, method: str = "SQFT", since: str = "2026-06", **terms: Any) -> None:
    wanted = house.landlord.terms(method, **terms)
    house.landlord.do(share_rules.set_terms, house.maple.id, "WATER", wanted, since=since)


def look(house: House, mail_held: str | None = NO_SERVER) -> Announcements:
    return house.landlord.see(rule_announcements.of_property, house.maple.id, mail_held)


def announce(house: House, mail_held: str | None = NO_SERVER) -> int:
    (one,) = look(house).coming
    return house.landlord.do(rule_announcements.announce, house.maple.id, one.change.mark, LocaleForms, mail_held)


def settings(house: House, **wishes: Any) -> None:
    house.landlord.do(accounts.change_settings, Wishes(**wishes))


def sent(house: House) -> list[str]:
    """Return the messages in the outbox, as plain text below the subject."""
    house.work()
    return [in_words(message) for message in house.outbox()]


def in_words(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return f"{message['Subject']}\n{' '.join(body.get_content().split())}"


def mornings(house: House, number: int) -> list[date]:
    """The date of each message that the worker sends over some days."""
    days, before = [], len(house.outbox())
    for _ in range(number):
        house.work(days=1)
        house.work()
        days += [house.clock().date()] * (len(house.outbox()) - before)
        before = len(house.outbox())
    return days


def test_a_household_is_told_once_what_changes_with_its_own_unit_worked_out(two: House) -> None:
    change(two)
    (coming,) = look(two).coming
    assert (coming.to_tell, coming.by_hand, coming.told, coming.planned) == (1, 1, 0, None)
    assert announce(two) == 1
    assert announce(two) == 0
    assert (look(two).coming[0].told, look(two).coming[0].waiting) == (1, 1)
    (said,) = sent(two)
    for words in (
        "Water is divided another way from June 2026 (Maple Court, 1)",
        "Hello Zoë Ωmega,",
        "Until then: Divided equally.",
        "From June 2026: Divided by floor area.",
        "Bills of the last 12 months: One, of $120.50.",
        "Your part of an average bill by the rule until then: $60.25",
        "Your part of an average bill by the new rule: $48.20",
        "this unit has 400 of the property’s 1,000 sq ft. $120.50 × 400 ÷ 1,000 = $48.20",
        "just reply to this e-mail.",
    ):
        assert words in said, (words, said)
    (coming,) = look(two).coming
    assert (coming.to_tell, coming.by_hand, coming.told) == (0, 2, 0), "a file in the outbox reached nobody"
    assert announce(two) == 0


def test_what_was_told_is_kept_as_it_was_told(two: House) -> None:
    change(two)
    announce(two)
    two.work()
    settings(two, locale="de-DE")
    two.landlord.do(tenants.change, two.tenant.id, {"name": "Zoe"})
    (kept,) = look(two).kept
    assert (kept.row.to_name, kept.row.unit_label, kept.row.effective_from) == ("Zoë Ωmega", "1", "2026-06")
    assert kept.told.subject == "Water is divided another way from June 2026 (Maple Court, 1)"
    assert kept.mail is not None
    assert (kept.mail.kind, kept.mail.state, kept.mail.to_address) == (ANNOUNCEMENT, "written", "zoe@example.org")
    done = two.landlord.see(activity.look, Looked(), limit=50, before=None).events
    assert [one.says for one in done].count("announced a rule change to tenants of Maple Court") == 1


def test_the_daily_job_tells_so_many_days_before_and_never_twice(two: House) -> None:
    change(two)
    settings(two, announce_days=30)
    (coming,) = look(two).coming
    assert coming.planned == date(2026, 5, 2)
    assert mornings(two, 100) == [date(2026, 5, 2)]


def test_while_a_floor_area_is_missing_nobody_is_told_by_itself(two: House) -> None:
    two.landlord.change_unit(two.unit, sqft=None)
    change(two)
    settings(two, announce_days=30)
    (coming,) = look(two).coming
    assert coming.lacking == 1
    assert mornings(two, 60) == []
    two.landlord.change_unit(two.unit, sqft="400")
    assert len(mornings(two, 1)) == 1


def test_by_itself_nobody_is_told_where_the_account_has_not_asked_for_it(two: House) -> None:
    change(two)
    settings(two, announce_days=30, mail_on=False)
    (coming,) = look(two).coming
    assert coming.planned is None
    assert mornings(two, 40) == []
    settings(two, announce_days=0, mail_on=True)
    assert mornings(two, 50) == []


def test_a_change_that_is_withdrawn_before_is_not_announced(two: House) -> None:
    change(two)
    settings(two, announce_days=30)
    change(two, "EQUAL")
    assert look(two).coming == ()
    assert mornings(two, 100) == []


def test_a_message_that_has_not_left_is_taken_back_with_its_change(two: House) -> None:
    two.wishes(hold=60)
    change(two)
    announce(two)
    change(two, "EQUAL")
    two.work(hours=2)
    assert two.outbox() == []
    (kept,) = look(two).kept
    assert kept.mail is not None
    assert kept.mail.state == "withdrawn"
    assert look(two).withdrawn == ()
    change(two)
    assert announce(two) == 1


def test_a_change_that_was_changed_is_announced_again_and_says_so(two: House) -> None:
    with SmtpServer(Behaviour()) as server:
        two.goes_through(server)
        change(two)
        announce(two)
        two.work(days=2)
        change(two, "OCCUPANTS")
        (coming,) = look(two).coming
        assert (coming.to_tell, coming.told, coming.told_otherwise) == (1, 0, True)
        announce(two)
        two.work()
        said = in_words(parsed(server.taken[-1].content))
        assert said.startswith("Corrected: Water is divided another way from June 2026 (Maple Court, 1)")
        assert "This replaces what we wrote to you on March 10, 2026." in said
        assert "1 person × 30 days = 30, all units together 90" in said
        change(two)
        assert announce(two) == 1
        two.work()
        assert "This replaces what we wrote to you on March 12, 2026." in in_words(parsed(server.taken[-1].content))


def test_a_change_that_is_moved_to_another_month_is_announced_again(two: House) -> None:
    change(two)
    announce(two)
    change(two, "EQUAL")
    assert look(two).withdrawn == (("WATER", "2026-06"),)
    change(two, since="2026-08")
    assert announce(two) == 1
    assert "from August 2026" in sent(two)[-1]
    assert "This replaces what we wrote" in sent(two)[-1]


@pytest.mark.parametrize("refused", [False, True])
def test_who_was_not_reached_is_told_at_another_address_and_by_hand_at_the_same(two: House, refused: bool) -> None:
    settings(two, announce_days=30)
    change(two)
    with SmtpServer(Behaviour(rcpt="550 5.1.1 No such user here") if refused else Behaviour()) as server:
        two.goes_through(server)
        assert announce(two) == 1
        two.work()
    (lost,) = look(two).kept
    assert lost.mail is not None
    if not refused:
        two.report(lost.mail.id, "failed")
    (coming,) = look(two).coming
    assert (coming.to_tell, coming.by_hand, coming.told) == (0, 2, 0)
    assert announce(two) == 0
    two.work(days=60)
    assert len(look(two).kept) == 1, "nor is it sent there by itself"
    two.landlord.do(tenants.change, two.tenant.id, {"email": "zoe.right@example.org"})
    (coming,) = look(two).coming
    assert (coming.to_tell, coming.by_hand) == (1, 1)
    with SmtpServer(Behaviour()) as server:
        two.goes_through(server)
        assert announce(two) == 1
        two.work()
        assert [one.recipients for one in server.taken] == [("zoe.right@example.org",)]
    (coming,) = look(two).coming
    assert (coming.to_tell, coming.by_hand, coming.told) == (0, 1, 1)
    states = [one.mail.state for one in look(two).kept if one.mail]
    assert states == ["sent", "withdrawn" if refused else "bounced"], "what was refused is not tried again"


def test_what_only_reached_the_outbox_folder_is_e_mailed_by_a_person_once_there_is_a_mail_server(two: House) -> None:
    settings(two, announce_days=30)
    change(two)
    announce(two)
    two.work()
    with SmtpServer(Behaviour()) as server:
        two.goes_through(server)
        (coming,) = look(two, mail_held=None).coming
        assert (coming.to_tell, coming.again, coming.by_hand, coming.told) == (0, 1, 1, 0)
        two.work(days=60)
        assert server.taken == [], "nor is it sent by itself"
        assert announce(two, mail_held=None) == 1
        two.work()
        assert [one.recipients for one in server.taken] == [("zoe@example.org",)]
        (coming,) = look(two, mail_held=None).coming
        assert (coming.to_tell, coming.again, coming.by_hand, coming.told) == (0, 0, 1, 1)
        assert announce(two, mail_held=None) == 0
    assert [one.mail.state for one in look(two).kept if one.mail] == ["sent", "written"]


def test_what_failed_for_another_reason_than_its_address_is_sent_again_and_its_first_try_is_withdrawn(
    two: House,
) -> None:
    change(two)
    with SmtpServer(Behaviour(rcpt="554 5.7.1 Relaying denied")) as server:
        two.goes_through(server)
        announce(two)
        two.work()
    (coming,) = look(two).coming
    assert (coming.again, coming.by_hand) == (1, 1)
    with SmtpServer(Behaviour()) as server:
        two.goes_through(server)
        assert announce(two) == 1
        two.work()
        assert len(server.taken) == 1
    assert [one.mail.state for one in look(two).kept if one.mail] == ["sent", "withdrawn"]


def test_two_changes_of_a_utility_are_told_one_by_one(two: House) -> None:
    change(two)
    announce(two)
    change(two, "OCCUPANTS", since="2026-09")
    marks = {str(one.change.since): one.change.mark for one in look(two).coming}
    assert [one.to_tell for one in look(two).coming] == [0, 1]
    two.landlord.do(rule_announcements.announce, two.maple.id, marks["2026-09"], LocaleForms)
    assert "This replaces" not in sent(two)[-1]
    assert [one.to_tell for one in look(two).coming] == [0, 0]


def test_whoever_moves_in_before_it_begins_is_told_and_whoever_leaves_before_is_not(two: House) -> None:
    change(two)
    settings(two, announce_days=30)
    two.landlord.do(tenants.change, two.tenant.id, {"move_out": "2026-05-20"})
    two.landlord.tenant(two.unit, "Cy", email="cy@example.org", move_in="2026-05-21")
    assert mornings(two, 90) == [date(2026, 5, 21)]
    assert [one.row.to_name for one in look(two).kept] == ["Cy"]


def test_where_there_was_no_bill_it_says_so_and_works_out_nothing(two: House) -> None:
    two.landlord.do(share_rules.set_terms, two.maple.id, "GAS", two.landlord.terms("SQFT"), since="2026-06")
    announce(two)
    (said,) = sent(two)
    assert "Bills of the last 12 months: None, and so there is no example." in said
    assert "average bill" not in said


def test_in_german_it_is_told_in_german(two: House) -> None:
    settings(two, locale="de-DE")
    change(two)
    announce(two)
    (said,) = sent(two)
    assert said.startswith("Wasser wird ab Juni 2026 anders verteilt (Maple Court, 1)")
    assert "Ab Juni 2026: Nach Fläche verteilt." in said
    assert "120,50 $ × 400 ÷ 1.000 = 48,20 $" in said.replace("\u00a0", " ")


def test_what_is_not_to_come_is_refused_and_so_is_mail_that_is_off(two: House) -> None:
    with pytest.raises(Conflict, match="no longer the one shown"):
        two.landlord.do(rule_announcements.announce, two.maple.id, "0" * 64, LocaleForms)
    change(two)
    settings(two, mail_on=False)
    with pytest.raises(Conflict, match="Turn it on under Settings first"):
        announce(two)
    stranger = Landlord(two.landlord.database, two.clock, name="stranger")
    with pytest.raises(NotFound):
        stranger.see(rule_announcements.of_property, two.maple.id)
    assert two.landlord.read(stored.of_property, two.maple.id) == []
    assert two.landlord.read(mail.about, ANNOUNCEMENT, ["told_0"]) == []


def test_what_was_told_is_in_the_export_of_a_property_that_is_deleted_and_goes_with_it(two: House) -> None:
    two.wishes(hold=60)
    change(two)
    announce(two)
    two.landlord.do(properties.remove, two.maple.id, two.landlord.archive)
    (text,) = two.landlord.archive.kept.values()
    (kept,) = json.loads(text)["ruleAnnouncements"]
    assert (kept["to_name"], kept["effective_from"]) == ("Zoë Ωmega", "2026-06")
    two.work(hours=2)
    assert two.outbox() == []
