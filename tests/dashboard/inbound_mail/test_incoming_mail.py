"""Tests of bills by e-mail in the dashboard.

They cover the address, the allowed senders, and the messages that wait for a person.
"""

import re
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from prorata.actions.inbound_mail import auto_confirmation, inbox_addresses
from prorata.actions.intake import page_lessons
from prorata.adapters.inbound_mail.inbound_settings import inbox_address
from prorata.domain.intake.bill_reading.draft import found
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.worker.incoming_mail import Intake
from prorata.worker.rounds import Worker
from tests.dashboard.bills.test_bills import FILLED, NEW, home
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.intake.test_inbox import bring
from tests.incoming import MAIL_FROM, PDF, a_message, address_of, reading
from tests.worker.inbound_mail.test_auto_confirmation import DRAFT

_MAIL = re.compile(r"/inbox/mail/(incoming_\w+)/")


@pytest.fixture
def mail_office(migrated_url: str) -> Iterator[Office]:
    """An office that receives e-mail."""
    built = build_office(
        migrated_url, PRORATA_INBOUND_SMTP="127.0.0.1:2525", PRORATA_INBOUND_ADDRESS="bills@example.com",
        find_inbox_address=inbox_address,
    )  # fmt: skip
    with built.live():
        yield built


def receive(office: Office, message: bytes, *, everybody: bool = False) -> None:
    to = address_of(office.database, office.account_id)
    Intake(office.database, MAIL_FROM).take([to], "bills@aqua.example", message, "smtp")
    Worker(office.database, lambda: 0, [reading(everybody=everybody)]).do_round(threading.Event())


def test_the_inbox_and_the_settings_show_the_address_to_copy(mail_office: Office) -> None:
    address = address_of(mail_office.database, mail_office.account_id)
    owner = mail_office.browser("owner")
    for path in ("/inbox", "/inbox/mail", "/settings/inbox"):
        shown = owner.get(path).text
        assert f'<code id="inbox-address">{address}</code>' in shown
        assert 'data-copy="inbox-address"' in shown
    assert mail_office.browser("manager").get("/settings/inbox").status_code == 403


def test_where_no_mail_comes_in_no_address_is_shown_and_it_says_who_can_help(office: Office) -> None:
    owner = office.browser("owner")
    for path in ("/inbox/mail", "/settings/inbox"):
        shown = owner.get(path).text
        assert "inbox-address" not in shown
        assert "see “Bills by e-mail” in docs/operating.md" in shown
    assert "Or have them e-mailed here" not in owner.get("/inbox").text


def test_the_address_is_made_anew_after_a_question(mail_office: Office) -> None:
    owner, before = mail_office.browser("owner"), address_of(mail_office.database, mail_office.account_id)
    assert "Create a new address?" in owner.get("/settings/inbox/renew").text
    assert owner.post("/settings/inbox/renew", {}).status_code == 303
    after = address_of(mail_office.database, mail_office.account_id)
    shown = owner.get("/settings/inbox").text
    assert after in shown
    assert before not in shown


def test_senders_are_allowed_and_what_is_none_is_said_beside_the_field(mail_office: Office) -> None:
    owner = mail_office.browser("owner")
    wrong = owner.post("/settings/inbox", {"allowed": "bills@aqua.example\nnobody"})
    assert wrong.status_code == 400
    assert "This is neither: nobody" in wrong.text
    assert owner.post("/settings/inbox", {"allowed": "Bills@aqua.example\npower.example"}).status_code == 303
    assert "bills@aqua.example\n@power.example</textarea>" in owner.get("/settings/inbox").text
    row = mail_office.database.read(lambda tx: inbox_addresses.find(tx, mail_office.caller))
    stale = owner.post("/settings/inbox", {"allowed": "", "version": "2026-01-01T00:00:00.000Z"})
    assert stale.status_code == 409
    assert mail_office.database.read(lambda tx: inbox_addresses.find(tx, mail_office.caller)) == row


def test_mail_that_waits_is_seen_taken_up_and_its_file_is_in_the_inbox(mail_office: Office) -> None:
    manager = mail_office.browser("manager")
    receive(mail_office, a_message(("bill.pdf", PDF), subject="March <b>bill</b>"))
    assert "1 message is waiting: its sender isn’t allowed, or can’t be verified." in manager.get("/").text
    assert "1 message is waiting for you" in manager.get("/inbox").text
    shown = manager.get("/inbox/mail?show=waiting").text
    assert "E-mail from senders that aren’t allowed or can’t be verified" in shown
    assert "March &lt;b&gt;bill&lt;/b&gt;" in shown
    assert "Nobody has signed it." in shown
    assert 'bill.pdf <span class="quiet small">1 KB</span>' in shown
    assert "allow this sender" not in shown
    (mail,) = set(_MAIL.findall(shown))
    assert b"Your bill is attached." in manager.get(f"/inbox/mail/{mail}/file").content
    assert manager.post(f"/inbox/mail/{mail}/allow", {}).status_code == 403
    assert manager.post(f"/inbox/mail/{mail}/take-up", {}).status_code == 303
    again = manager.post(f"/inbox/mail/{mail}/refuse", {})
    assert again.status_code == 409
    assert "no longer waiting" in again.text
    Worker(mail_office.database, lambda: 0, [reading(everybody=False)]).do_round(threading.Event())
    assert "bill.pdf" in manager.get("/inbox").text
    listed = manager.get("/inbox/mail").text
    assert "bill.pdf" in listed
    assert "is being read" in listed


def test_what_was_never_fetched_is_marked_as_dealt_with_and_offers_no_reading(mail_office: Office) -> None:
    owner, to = mail_office.browser("owner"), address_of(mail_office.database, mail_office.account_id)
    owner.post("/settings/inbox", {"allowed": "aqua.example"})
    head = a_message(subject="March bill").partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    Intake(mail_office.database, MAIL_FROM).take_from_mailbox(b"Delivered-To: %s\r\n" % to.encode() + head, 31_000_000)
    Worker(mail_office.database, lambda: 0, [reading(everybody=True)]).do_round(threading.Event())
    shown = owner.get("/inbox/mail?show=notTaken").text
    assert "Save it from the message in its mailbox" in shown
    assert "Read it again" not in shown
    (mail,) = set(_MAIL.findall(shown))
    assert owner.post(f"/inbox/mail/{mail}/dealt-with", {}).status_code == 303
    assert "Mark as dealt with" not in owner.get("/inbox/mail").text


def test_a_message_that_is_too_large_says_so_and_offers_nothing(mail_office: Office) -> None:
    head = a_message(subject="March bill").partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    to = address_of(mail_office.database, mail_office.account_id)
    Intake(mail_office.database, MAIL_FROM).take_from_mailbox(b"Delivered-To: %s\r\n" % to.encode() + head, 31_000_000)
    Worker(mail_office.database, lambda: 0, [reading(everybody=True)]).do_round(threading.Event())
    owner = mail_office.browser("owner")
    for path in ("/inbox/mail", "/inbox/mail?show=refused"):
        shown = owner.get(path).text
        assert "March bill" in shown
        assert "bills@aqua.example" in shown
        assert "Refused: too large" in shown
        assert "It is larger than 25 MB" in shown
        assert "The message itself is in the mailbox where it arrived" in shown
        assert _MAIL.search(shown) is None, "there is nothing to be done with it here"


def test_a_message_of_which_nothing_could_be_taken_says_why_and_what_to_do_until_that_is_done(
    mail_office: Office,
) -> None:
    manager = mail_office.browser("manager")
    mail_office.browser("owner").post("/settings/inbox", {"allowed": "aqua.example"})
    receive(mail_office, a_message(("March.gif", b"GIF89a" + bytes(90)), subject="March bill"), everybody=True)
    overview = manager.get("/").text
    assert "1 message couldn’t be read completely. See why, and upload the files yourself." in overview
    assert 'href="/inbox/mail?show=notTaken"' in overview
    assert "Not everything in 1 message could be read: a bill may be missing." in manager.get("/inbox").text
    shown = manager.get("/inbox/mail?show=notTaken").text
    for said in (
        "March bill",
        "<strong>March.gif</strong> wasn’t accepted",
        "Save it as JPEG or PNG",
        "Mark as dealt with",
    ):
        assert said in shown
    assert "Contains no bill" not in shown
    (mail,) = set(_MAIL.findall(shown))
    assert "Mark as dealt with" not in mail_office.browser("viewer").get("/inbox/mail").text
    assert mail_office.browser("viewer").post(f"/inbox/mail/{mail}/dealt-with", {}).status_code == 403
    assert mail_office.browser("stranger").post(f"/inbox/mail/{mail}/dealt-with", {}).status_code == 404
    assert manager.post(f"/inbox/mail/{mail}/dealt-with", {}).status_code == 303
    assert "dealt with a message of which not everything could be taken" in manager.get("/activity").text
    assert "of which not everything could be taken" not in manager.get("/").text
    assert "March bill" not in manager.get("/inbox/mail?show=notTaken").text
    assert "Dealt with" in manager.get("/inbox/mail").text


def test_a_strangers_message_of_which_nothing_could_be_taken_is_not_called_one_without_a_bill(
    mail_office: Office,
) -> None:
    receive(mail_office, a_message(("March.gif", b"GIF89a" + bytes(90))))
    shown = mail_office.browser("manager").get("/inbox/mail").text
    assert "Nothing taken" in shown
    assert "Contains no bill" not in shown
    assert "Mark as dealt with" not in shown


def test_an_owner_allows_a_sender_whose_mail_is_theirs(mail_office: Office) -> None:
    owner = mail_office.browser("owner")
    receive(mail_office, a_message(("bill.pdf", PDF)), everybody=True)
    (mail,) = set(_MAIL.findall(owner.get("/inbox/mail").text))
    done = owner.post(f"/inbox/mail/{mail}/allow", {})
    assert (
        "From now on, mail from bills@aqua.example is accepted automatically"
        in owner.get(done.headers["location"]).text
    )
    assert "bills@aqua.example" in owner.get("/settings/inbox").text


def test_what_is_refused_is_kept_and_a_viewer_decides_nothing(mail_office: Office) -> None:
    receive(mail_office, a_message(("bill.pdf", PDF)))
    viewer = mail_office.browser("viewer")
    shown = viewer.get("/inbox/mail").text
    (mail,) = set(_MAIL.findall(shown))
    assert "Reopen it" not in shown
    for deed in ("take-up", "refuse", "allow"):
        assert viewer.post(f"/inbox/mail/{mail}/{deed}", {}).status_code == 403
        assert mail_office.browser("stranger").post(f"/inbox/mail/{mail}/{deed}", {}).status_code == 404
    assert mail_office.browser("stranger").get(f"/inbox/mail/{mail}/file").status_code == 404
    manager = mail_office.browser("manager")
    assert manager.post(f"/inbox/mail/{mail}/refuse", {}).status_code == 303
    refused = manager.get("/inbox/mail?show=refused").text
    assert "Your bill" in refused
    assert "bill.pdf" in refused
    assert "No messages waiting" in manager.get("/inbox/mail?show=waiting").text


@pytest.mark.thorough
def test_mail_without_a_file_says_what_to_do_and_pages_go_to_their_end(mail_office: Office) -> None:
    manager = mail_office.browser("manager")
    for number in range(52):
        receive(mail_office, a_message(subject=f"Letter {number}.", message_id=f"<{number}@aqua.example>"))
    first = manager.get("/inbox/mail").text
    assert "It has no file that could be a bill." in first
    (behind,) = re.findall(r"behind=(incoming_\w+)", first)
    second = manager.get(f"/inbox/mail?behind={behind}").text
    assert "Letter 1." in second
    assert "Letter 2." not in second
    assert "No more messages" in manager.get("/inbox/mail?behind=incoming_0").text


def test_a_file_names_the_message_it_came_by_and_the_message_its_files(mail_office: Office) -> None:
    owner = mail_office.browser("owner")
    owner.post("/settings/inbox", {"allowed": "aqua.example"})
    table = b"Haus,Betrag\nMaple,1\n"
    receive(mail_office, a_message(("bill.pdf", PDF), subject="March <b>bill</b>"), everybody=True)
    (document,) = set(re.findall(r"/inbox/(doc_\w+)", owner.get("/inbox").text))
    page = owner.get(f"/inbox/{document}").text
    assert "Received by e-mail from bills@aqua.example" in page
    (mail,) = set(re.findall(r"/inbox/mail/(incoming_\w+)", page))
    message = owner.get(f"/inbox/mail/{mail}").text
    assert "March &lt;b&gt;bill&lt;/b&gt;" in message
    assert f"/inbox/{document}" in message
    assert mail_office.browser("stranger").get(f"/inbox/mail/{mail}").status_code == 404
    brought = bring(owner, ("bills.csv", table)).headers["location"]
    assert "Received by e-mail from" not in owner.get(brought).text
    owner.post(f"/inbox/{document}/aside", {})
    assert owner.post(f"/inbox/{document}/delete", {}).status_code == 303
    assert "Deleted: <strong>bill.pdf</strong>" in owner.get(f"/inbox/mail/{mail}").text


def test_all_that_waits_and_all_of_one_sender_are_refused_after_a_question(mail_office: Office) -> None:
    manager, viewer = mail_office.browser("manager"), mail_office.browser("viewer")
    for at, sender in enumerate(("x@spam.example", "Aqua <bills@aqua.example>", "x@spam.example", "y@spam.example")):
        receive(mail_office, a_message((f"{at}.pdf", PDF + b"%d" % at), sender=sender, message_id=f"<{at}@x>"))
    shown = manager.get("/inbox/mail?show=waiting").text
    assert "Refuse all waiting" in shown
    assert "Refuse all" not in viewer.get("/inbox/mail?show=waiting").text
    assert viewer.get("/inbox/mail/refuse").status_code == 403
    assert viewer.post("/inbox/mail/refuse", {"number": "4", "newest": "x", "since": "x"}).status_code == 403
    (path,) = set(re.findall(r'href="(/inbox/mail/refuse\?sender=x[^"]+)"', shown))
    asked = manager.get(path).text
    assert "Refuse 2 waiting messages from x@spam.example?" in asked
    fields = dict(re.findall(r'name="(number|newest|since|sender)" value="([^"]+)"', asked))
    less = manager.post("/inbox/mail/refuse", fields | {"number": "1"})
    assert less.status_code == 409
    assert "More messages are waiting now than when you were asked" in less.text
    assert manager.post("/inbox/mail/refuse", fields).status_code == 303
    assert "2 messages are waiting for you" in manager.get("/inbox").text
    everything = dict(
        re.findall(r'name="(number|newest|since)" value="([^"]+)"', manager.get("/inbox/mail/refuse").text)
    )
    assert manager.post("/inbox/mail/refuse", everything | {"sender": ""}).status_code == 303
    assert "wait for you" not in manager.get("/inbox").text
    assert manager.get("/inbox/mail/refuse").status_code == 303, "there is nothing to ask about"
    assert "refused many messages that came in" in manager.get("/activity").text


def subjects(page: str) -> list[str]:
    return re.findall(r'<span class="strong wrap">([^<]*)</span>', page)


def test_messages_are_found_by_subject_and_sender_and_listed_from_either_end(mail_office: Office) -> None:
    manager = mail_office.browser("manager")
    for number, (sender, subject) in enumerate(
        (("bills@aqua.example", "Your bill"), ("Ed <ed@volt.example>", "Énergie in March"), ("x@volt.example", "Offer"))
    ):
        receive(mail_office, a_message(sender=sender, subject=subject, message_id=f"<{number}@a.example>"))
    assert subjects(manager.get("/inbox/mail").text) == ["Offer", "Énergie in March", "Your bill"]
    assert subjects(manager.get("/inbox/mail?sort=oldest").text) == ["Your bill", "Énergie in March", "Offer"]
    assert subjects(manager.get("/inbox/mail?search=volt").text) == ["Offer", "Énergie in March"]
    assert subjects(manager.get("/inbox/mail?search=energ+volt&sort=oldest").text) == ["Énergie in March"]
    for nothing in ("aqua+volt", "!"):
        assert "Nothing found" in manager.get(f"/inbox/mail?search={nothing}").text
    assert "Nothing found" in mail_office.browser("stranger").get("/inbox/mail?search=volt").text


def test_an_owner_says_what_is_done_with_mail(mail_office: Office) -> None:
    owner = mail_office.browser("owner")
    assert 'value="365"' in owner.get("/settings/inbox").text
    for wrong in ("-1", "4000", "a year"):
        refused = owner.post("/settings/inbox/rules", {"keepDays": wrong})
        assert refused.status_code == 400
        assert 'id="wrong-keepDays"' in refused.text
    saved = owner.post("/settings/inbox/rules", {"keepDays": "90", "countsKnown": "true"})
    assert saved.status_code == 303
    shown = owner.get("/settings/inbox").text
    assert 'value="90"' in shown
    assert re.search(r'name="countsKnown" value="true" checked', shown)
    assert mail_office.browser("manager").post("/settings/inbox/rules", {"keepDays": "1"}).status_code == 403


def test_a_bill_that_counts_by_itself_says_so_wherever_it_stands(mail_office: Office) -> None:
    owner, account_id = mail_office.browser("owner"), mail_office.account_id
    owner.post("/settings/inbox", {"allowed": "aqua.example"})
    owner.post("/settings/inbox/rules", {"keepDays": "365", "countsKnown": "true"})
    maple = home(mail_office)
    day = mail_office.clock().date()
    months = [(day - timedelta(days=30 * back), day - timedelta(days=30 * back + 29)) for back in range(3, -1, -1)]
    for at, (last, first) in enumerate(months[:-1]):
        filled = FILLED | {"accountNumber": "A-1", "totalAmountDue": f"{91 + at}.00"}
        dates = {"billDate": last, "servicePeriodStart": first, "servicePeriodEnd": last}
        added = owner.post(NEW.format(maple.id), filled | {name: one.isoformat() for name, one in dates.items()})
        assert added.status_code == 303, added.text
    lesson = PageLesson("Aqua Water Co.", (), ("WATER",), (("A1", ("WATER",)),))
    mail_office.database.write(lambda tx: page_lessons.keep(tx, account_id, lesson))
    receive(mail_office, a_message(("bill.pdf", PDF)), everybody=True)
    (document,) = set(re.findall(r"/inbox/(doc_\w+)", owner.get("/inbox").text))
    last, first = months[-1]
    draft = DRAFT._replace(bill_date=found(last), service_start=found(first), service_end=found(last))
    draft = draft._replace(due_date=found(last + timedelta(days=20)))
    mail_office.database.write(lambda tx: auto_confirmation.note_draft(tx, account_id, document, draft))
    (bill,) = set(re.findall(r"/bills/bill_\w+", owner.get(f"/inbox/{document}").text))
    page = owner.get(bill).text
    assert "This bill was confirmed automatically: it arrived by" in page
    assert "e-mail from bills@aqua.example" in page
    assert "became a bill by itself" in " ".join(re.sub(r"<[^>]+>", " ", owner.get("/inbox/mail").text).split())
    activity = " ".join(re.sub(r"<[^>]+>", " ", owner.get("/activity").text).split())
    assert "Prorata (reading bills) made a bill of the file bill.pdf, which is like those before it" in activity


def test_all_files_of_a_message_that_wait_are_set_aside_together(mail_office: Office) -> None:
    owner = mail_office.browser("owner")
    owner.post("/settings/inbox", {"allowed": "aqua.example"})
    files = [(f"bill {number}.pdf", b"%PDF-1.4 " + bytes([number]) * 90) for number in range(3)]
    receive(mail_office, a_message(*files, subject="Three files"), everybody=True)
    shown = owner.get("/inbox/mail").text
    (mail,) = set(_MAIL.findall(shown))
    assert "Set all 3 waiting files aside" in shown
    assert "waiting files aside" not in mail_office.browser("viewer").get("/inbox/mail").text
    assert mail_office.browser("viewer").post(f"/inbox/mail/{mail}/set-aside", {}).status_code == 403
    assert mail_office.browser("stranger").post(f"/inbox/mail/{mail}/set-aside", {}).status_code == 404
    assert owner.post(f"/inbox/mail/{mail}/set-aside", {}).status_code == 303
    shown = owner.get("/inbox/mail").text
    assert "3 files were set aside. You can still restore them." in shown
    assert shown.count("was set aside") == 3
    assert "waiting files aside" not in shown
    assert owner.get("/activity").text.count("set the file bill ") == 3
    assert owner.post(f"/inbox/mail/{mail}/set-aside", {}).status_code == 409
