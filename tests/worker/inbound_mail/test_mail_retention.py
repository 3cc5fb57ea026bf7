"""Messages are deleted after a time, unless something still has to be done with them."""

import threading

import pytest

from prorata.actions.audit import activity
from prorata.actions.inbound_mail import inbox_addresses, incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import MailRules
from prorata.actions.inbound_mail.retention import LOOKED_AT_ONCE
from prorata.actions.intake import documents
from prorata.actions.intake.documents import InboxWish
from prorata.domain.inbound_mail.inbox_addresses import KEEP_DAYS_OF_STRANGERS
from prorata.errors import Conflict, InvalidRequest
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.wiring import files_in
from prorata.worker.incoming_mail import incoming_mail_kind
from prorata.worker.recurring_jobs import CLOCKWORK
from prorata.worker.rounds import Worker
from tests.incoming import PDF, Believes, a_message, address_of, receiving
from tests.landlord import Landlord, MovableClock
from tests.worker.inbound_mail.test_incoming_mail import Breaks, allow, bring, mails, read, send


def after(landlord: Landlord, clock: MovableClock, days: int) -> list[str]:
    """The subjects of the messages whose content is still stored after some days."""
    clock.forward(days=days)
    worker = Worker(landlord.database, lambda: 0, CLOCKWORK)
    for _ in range(3):
        worker.do_round(threading.Event())
        clock.forward(hours=2)
    return sorted(one.row.subject or "" for one in mails(landlord) if one.is_kept)


def rules(keep_days: int) -> MailRules:
    return MailRules(keep_days, counts_known=False)


def test_what_is_done_with_goes_after_a_year_and_what_waits_stays(landlord: Landlord, clock: MovableClock) -> None:
    for number, subject in enumerate(("set aside", "in the inbox")):
        allow(landlord)
        file = (f"{number}.pdf", PDF + subject.encode())
        bring(landlord, a_message(file, subject=subject, message_id=f"<{number}@x>"), everybody=True)
    bring(landlord, a_message(subject="no file", message_id="<n@x>"), everybody=True)
    for subject in ("refused", "waits"):
        bring(landlord, a_message(("b.pdf", PDF + subject.encode()), subject=subject, message_id=f"<{subject}@x>"))
    by_subject = {one.row.subject: one for one in mails(landlord)}
    aside, refused = by_subject["set aside"], by_subject["refused"]
    landlord.do(incoming_mail.refuse, refused.row.id)
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.account.id), a_message(message_id="<broken@x>"))
    kind = incoming_mail_kind(Breaks(), Believes(everybody=True), files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    (document,) = aside.documents
    landlord.run(lambda tx: documents.note_unreadable(tx, landlord.account.id, document.id, "Broken."))
    landlord.do(documents.set_aside, document.id)
    assert len(after(landlord, clock, 360)) == 6
    assert after(landlord, clock, 10) == ["", "in the inbox", "waits"]
    with pytest.raises(Conflict, match="was deleted at the end of its retention period"):
        landlord.see(incoming_mail.content_of, refused.row.id)
    with pytest.raises(Conflict, match="was deleted at the end of its retention period"):
        landlord.do(incoming_mail.take_up, refused.row.id)
    assert landlord.see(documents.content_of, document.id).startswith(PDF), "what it brought stays"
    assert landlord.read(stored.brought_by, document.id).subject == "set aside"


def test_the_account_says_how_long(landlord: Landlord, clock: MovableClock) -> None:
    bring(landlord, a_message(subject="no file"))
    landlord.do(inbox_addresses.set_rules, rules(0))
    assert after(landlord, clock, 5_000) == ["no file"]
    for wrong in (-1, 3_651):
        with pytest.raises(InvalidRequest):
            landlord.do(inbox_addresses.set_rules, rules(wrong))
    landlord.do(inbox_addresses.set_rules, rules(30))
    assert after(landlord, clock, 1) == []
    assert [one.row.subject for one in mails(landlord)] == ["no file"]
    assert "keep mail" in [one.verb for one in landlord.see(activity.page)]


def test_what_came_once_adds_nothing_after_it_was_cleared_away(landlord: Landlord, clock: MovableClock) -> None:
    message = a_message(subject="no file")
    bring(landlord, message)
    assert after(landlord, clock, 400) == []
    bring(landlord, message)
    read(landlord)
    assert len(mails(landlord, (*incoming_mail.SHOWN, "again"))) == 1


def test_large_messages_of_allowed_senders_keep_none_of_strangers_from_going(
    landlord: Landlord, clock: MovableClock
) -> None:
    landlord.do(inbox_addresses.set_allowed, "aqua.example ann@power.example")
    for sender in ("Bills@aqua.example", "Ann@power.example", "x@aqua.example.spam.example", "ed@power.example"):
        bring(landlord, a_message(sender=sender, subject=sender, message_id=f"<{sender}>"), everybody=True)
    ours = next(one.row for one in mails(landlord) if one.row.subject == "Bills@aqua.example")

    def many(tx: Tx) -> None:
        for at in range(LOOKED_AT_ONCE):
            row = ours._replace(id=tx.new_id("incoming"), digest=f"{at}", size=1_000_000, subject="ours")
            stored.add(tx, row, b"")

    landlord.run(many)
    clock.forward(days=KEEP_DAYS_OF_STRANGERS)
    worker = Worker(landlord.database, lambda: 0, CLOCKWORK)
    for _ in range(2):
        clock.forward(hours=2)
        worker.do_round(threading.Event())
    oldest = landlord.see(incoming_mail.page, wish=InboxWish(oldest_first=True)).mails
    assert [(one.row.subject, one.is_kept) for one in oldest[:5]] == [
        ("Bills@aqua.example", True),
        ("Ann@power.example", True),
        ("x@aqua.example.spam.example", False),
        ("ed@power.example", False),
        ("ours", True),
    ]
