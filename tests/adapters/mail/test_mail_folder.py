"""The outbox folder contains each message once, as a file."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from prorata.adapters.mail.mail_folder import FolderOutbox
from prorata.adapters.mail.message import Message, build_message, message_id
from prorata.domain.mail.message_body import Letter, Text
from prorata.domain.mail_addresses import read_address
from prorata.ports.mail import MailDelayed, MailWritten

ANN = read_address("ann@example.com")


def message(token: str = "mail_01hx9k2") -> bytes:
    at = datetime(2026, 4, 1, 12, 30, tzinfo=UTC)
    return build_message(Message(message_id(token, "example.com"), at, "", ANN, ANN, Letter("en", "Hi", (Text("Hi"),))))


def test_a_message_is_written_whole_for_its_owner_alone(tmp_path: Path) -> None:
    outcome = FolderOutbox(tmp_path / "outbox").send("bills@example.com", "ann@example.com", message())

    assert outcome == MailWritten("Written to the outbox folder as 20260401T123000Z-mail_01hx9k2@example.com.eml.")
    (file,) = (tmp_path / "outbox").iterdir()
    assert file.name == "20260401T123000Z-mail_01hx9k2@example.com.eml"
    assert file.read_bytes() == message()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_message_that_is_sent_again_is_there_once_and_stays_as_it_was(tmp_path: Path) -> None:
    outbox = FolderOutbox(tmp_path)
    for text in (message(), message("mail_02hx9k2"), message() + b"changed\r\n"):
        assert isinstance(outbox.send("bills@example.com", "ann@example.com", text), MailWritten)

    assert sorted(file.read_bytes() for file in tmp_path.iterdir()) == sorted([message(), message("mail_02hx9k2")])


def test_no_message_id_leads_out_of_the_folder(tmp_path: Path) -> None:
    text = b"Date: Wed, 01 Apr 2026 14:30:00 +0200\r\nMessage-ID: <../../evil/x@example.com>\r\n\r\n"
    assert isinstance(FolderOutbox(tmp_path / "outbox").send("bills@example.com", "ann@example.com", text), MailWritten)

    (file,) = (tmp_path / "outbox").iterdir()
    assert file.name.startswith("20260401T123000Z-")
    assert [each.name for each in tmp_path.iterdir()] == ["outbox"]


def test_a_folder_that_cannot_be_written_delays_the_message(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file stands where the folder should be")

    outcome = FolderOutbox(tmp_path / "outbox").send("bills@example.com", "ann@example.com", message())

    assert isinstance(outcome, MailDelayed)
    assert outcome.why.startswith("The outbox folder ")


def test_what_a_killed_writer_left_half_is_removed_and_what_another_writes_is_not(tmp_path: Path) -> None:
    old, young = tmp_path / ".a.eml.0011.part", tmp_path / ".b.eml.0022.part"
    for file in (old, young):
        file.write_bytes(b"half")
    os.utime(old, (0, 0))

    FolderOutbox(tmp_path).send("bills@example.com", "ann@example.com", message())

    assert {file.name for file in tmp_path.iterdir() if file.suffix == ".part"} == {young.name}
