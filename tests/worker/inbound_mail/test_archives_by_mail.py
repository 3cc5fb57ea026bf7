"""Tests of archives in e-mails.

The unpacked size is limited for each message, and no archive is opened if its message is not accepted.
"""

import io
import threading
import zipfile
from collections.abc import Callable

import pytest

from prorata.actions.inbound_mail import inbox_addresses, incoming_mail
from prorata.actions.inbound_mail.parsed_mail import ReadMail
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.domain.inbound_mail.incoming_mail import read_message
from prorata.domain.limits import MOST_DOCUMENTS_UNDER_WAY
from prorata.errors import Unavailable
from prorata.ports.files import FilesIn, IncomingFile
from prorata.wiring import files_in
from prorata.worker.incoming_mail import incoming_mail_kind
from prorata.worker.limits import MOST_ARCHIVES_OF_MESSAGE, MOST_FILES_OF_MESSAGE
from prorata.worker.rounds import Worker
from tests.e_invoices.made import cii, ubl
from tests.incoming import PDF, Believes, a_message
from tests.landlord import Landlord
from tests.worker.inbound_mail.test_incoming_mail import AQUA, allow, bring, mails, names, read, states

EIGHT_MB = 8 * 1024 * 1024


def zipped(*files: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


class Opens:
    """Tells files apart as `of` does, and counts the archives that it was given."""

    def __init__(self, of: FilesIn = files_in) -> None:
        self.archives = 0
        self._of = of

    def __call__(self, name: str, data: bytes) -> tuple[IncomingFile, ...]:
        self.archives += name.endswith(".zip")
        return self._of(name, data)


def read_with(landlord: Landlord, opens: Opens, *, everybody: bool = True) -> None:
    """Read the messages that wait to be read."""
    kind = incoming_mail_kind(MessageProcess(), Believes(everybody=everybody), opens)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())


def keep(landlord: Landlord, message: bytes) -> None:
    recipient = inbox_addresses.Recipient(landlord.caller.account_id)
    landlord.run(lambda tx: incoming_mail.keep(tx, recipient, envelope_from=AQUA, message=message, way="smtp"))


@pytest.mark.parametrize("kind", [b"application/octet-stream", b"application/xml", b"text/xml"])
def test_e_invoices_are_taken_alone_and_from_an_archive(landlord: Landlord, kind: bytes) -> None:
    allow(landlord)
    packed, other = zipped(("next.xml", ubl())), b"<?xml version='1.0'?><a/>"
    message = a_message(("bill.xml", cii()), ("bills.zip", packed), ("other.xml", other))
    bring(landlord, message.replace(b"application/octet-stream", kind), everybody=True)
    assert names(landlord) == ["bill.xml", "next.xml"]


def test_the_files_of_an_archive_are_taken_one_by_one(landlord: Landlord) -> None:
    allow(landlord)
    archive = zipped(("a.pdf", PDF), ("run.exe", b"MZ"), ("b.pdf", PDF + b"b"))
    bring(landlord, a_message(("bills.zip", archive)), everybody=True)
    (taken,) = mails(landlord)
    assert (taken.row.state, names(landlord)) == ("taken", ["a.pdf", "b.pdf"])
    assert [one.name for one in taken.left_out] == ["run.exe"]


def not_signed(landlord: Landlord) -> bool:
    allow(landlord)
    return False


def not_allowed(_landlord: Landlord) -> bool:
    return True


@pytest.mark.parametrize("whose", [not_signed, not_allowed])
def test_no_archive_is_opened_before_somebody_wants_what_is_in_it(
    landlord: Landlord, whose: Callable[[Landlord], bool]
) -> None:
    everybody, opens = whose(landlord), Opens()
    keep(landlord, a_message(("bills.zip", zipped(("a.pdf", PDF)))))
    read_with(landlord, opens, everybody=everybody)
    (waits,) = mails(landlord)
    assert (waits.row.state, opens.archives, names(landlord)) == ("waiting", 0, [])
    landlord.do(incoming_mail.take_up, waits.row.id)
    read_with(landlord, opens, everybody=everybody)
    assert (states(landlord), opens.archives, names(landlord)) == (["taken"], 1, ["a.pdf"])


@pytest.mark.thorough
def test_what_archives_unpack_to_is_bounded_for_a_message_and_not_for_each(landlord: Landlord) -> None:
    allow(landlord)
    large = [(f"{at}.pdf", PDF + bytes([at]) * EIGHT_MB) for at in range(10)]
    packed = [(f"{at}.zip", zipped(*large[at : at + 5])) for at in (0, 5)]
    bring(landlord, a_message(*packed), everybody=True)
    (taken,) = mails(landlord)
    assert len(names(landlord)) == 7, "of eight megabytes each"
    assert [one.name for one in taken.left_out] == ["7.pdf", "8.pdf", "9.pdf"]
    assert {one.why for one in taken.left_out} == {
        "The archives in one message contain more than 60 MB. Send this file in another message."
    }


@pytest.mark.thorough
def test_a_file_that_is_too_large_is_dropped_as_soon_as_it_is_unpacked(landlord: Landlord) -> None:
    allow(landlord)
    too_large = ("large.pdf", PDF + b"x" * 10_000_000)
    bring(landlord, a_message(*((f"{at}.zip", zipped(too_large, (f"{at}.pdf", PDF + bytes([at])))) for at in range(8))),
          everybody=True)  # fmt: skip
    (taken,) = mails(landlord)
    assert len(names(landlord)) == 8, "what is dropped is not counted"
    assert {one.why for one in taken.left_out} == {"A file can be at most 10 MB."}


def test_of_one_message_so_many_archives_are_opened_and_no_more(landlord: Landlord) -> None:
    allow(landlord)
    opens = Opens(lambda name, data: (IncomingFile(f"{name}.pdf", "pdf", PDF + data[-30:], None, is_packed=True),))
    many = [(f"{at}.zip", zipped((f"{at}.pdf", PDF + bytes([at])))) for at in range(MOST_ARCHIVES_OF_MESSAGE + 2)]
    keep(landlord, a_message(*many))
    read_with(landlord, opens)
    (taken,) = mails(landlord)
    assert opens.archives == MOST_ARCHIVES_OF_MESSAGE
    assert [one.why for one in taken.left_out] == [
        "At most 10 archives are opened per message. Send this one separately."
    ] * 2


def test_a_message_with_more_files_than_may_be_read_at_once_is_read_for_those_that_are_taken(
    landlord: Landlord,
) -> None:
    allow(landlord)

    def many(name: str, data: bytes) -> tuple[IncomingFile, ...]:
        packed = [PDF + data[-30:] + b"%d" % at for at in range(90)]
        return tuple(
            IncomingFile(f"{at}-{name}.pdf", "pdf", one, None, is_packed=True) for at, one in enumerate(packed)
        )

    keep(landlord, a_message(*((f"{at}.zip", zipped((f"{at}.pdf", PDF + bytes([at])))) for at in range(6))))
    read_with(landlord, Opens(many))
    (taken,) = mails(landlord)
    assert (taken.row.state, len(taken.documents)) == ("not taken", MOST_FILES_OF_MESSAGE)
    assert taken.left_out[0].why == f"A message can contain at most {MOST_FILES_OF_MESSAGE} files."
    assert MOST_DOCUMENTS_UNDER_WAY < 6 * 90


def test_a_copy_is_known_again_whether_or_not_its_archives_were_opened(landlord: Landlord) -> None:
    message = a_message(("bills.zip", zipped(("a.pdf", PDF), ("run.exe", b"MZ"))))
    bring(landlord, message)
    allow(landlord)
    bring(landlord, b"Received: again\r\n" + message, everybody=True)
    bring(landlord, b"Received: and again\r\n" + message)
    assert states(landlord) == ["again", "taken", "waiting"]


def test_an_archive_that_was_not_opened_is_never_taken_for_a_document(landlord: Landlord) -> None:
    message = a_message(("bills.zip", zipped(("a.pdf", PDF))))
    keep(landlord, message)
    (kept,) = mails(landlord)
    allow(landlord)
    as_read = ReadMail(
        read_message(message), Believes(everybody=True)(message), (IncomingFile("bills.zip", "zip", b"PK"),)
    )
    with pytest.raises(Unavailable):
        landlord.run(lambda tx: incoming_mail.note_read(tx, landlord.account.id, kept.row.id, as_read))
    assert states(landlord) == ["received"]
    read(landlord, everybody=True)
    assert names(landlord) == ["a.pdf"]


def test_a_forged_copy_that_was_refused_hides_no_message_of_an_allowed_sender(landlord: Landlord) -> None:
    message = a_message(("bill.pdf", PDF))
    bring(landlord, b"Received: from elsewhere\r\n" + message)
    (forged,) = mails(landlord)
    landlord.do(incoming_mail.refuse, forged.row.id)
    bring(landlord, b"Received: from elsewhere again\r\n" + message)
    allow(landlord)
    bring(landlord, message, everybody=True)
    assert states(landlord) == ["taken", "again", "refused"]
