from pathlib import Path

import pytest

from prorata.domain.inbound_mail.incoming_mail import ANSWER_FIELD, read_message
from tests.house.sources import ROOT


def raw(*head: str) -> bytes:
    return "\r\n".join((*head, "", "Hello")).encode()


@pytest.mark.parametrize(
    "line",
    [
        "Auto-Submitted: auto-replied",
        "AUTO-SUBMITTED: Auto-Generated; x=y",
        "Auto-Submitted: no\r\nAuto-Submitted: auto-replied",
        "Precedence: bulk",
        "List-Id: <tenants.example.com>",
        "List-Unsubscribe: <mailto:x@example.com>",
        "Return-Path: <>",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "X-Autoreply: yes",
        f"{ANSWER_FIELD}: 1",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "\r\n".join(["Received: from a by b"] * 50),
    ],
)
def test_a_program_is_told_from_a_person(line):
    assert read_message(raw("From: ann@example.com", line)).is_automatic


@pytest.mark.parametrize("name", ["no-reply", "noreply", "Do_Not_Reply", "MAILER-DAEMON", "postmaster", "list-request"])
def test_who_takes_no_answer_gets_none(name):
    assert read_message(raw(f"From: {name}@example.com")).is_automatic


@pytest.mark.parametrize(
    "line",
    ["Auto-Submitted: no", "Precedence: normal", "Return-Path: <ann@example.com>", "X-Auto-Response-Suppress: DR, RN"],
)
def test_a_person_is_not_taken_for_a_program(line):
    assert not read_message(raw("From: ann@example.com", line)).is_automatic


REPORTS = sorted(Path(ROOT, "tests/adapters/delivery_reports").glob("*.eml"))


@pytest.mark.parametrize("file", REPORTS, ids=lambda file: file.stem)
def test_reports_and_replies_of_real_servers_are_never_answered_and_bring_no_files(file):
    message = read_message(file.read_bytes())
    assert message.is_automatic or file.stem == "no_report_forwarded"  # by a person
    assert message.attachments == ()
