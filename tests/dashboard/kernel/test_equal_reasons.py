"""Files that are refused for the same reason are listed in one line.

This applies to the page, and to the answer that the sender gets by e-mail.
"""

from collections.abc import Iterator

import pytest

from prorata.adapters.files.zip_files import NESTED
from prorata.adapters.inbound_mail.inbound_settings import inbox_address
from prorata.domain.files.grouped_problems import NotTaken
from prorata.domain.inbound_mail.answer_mail import Answer, answer_letter
from prorata.domain.mail.message_body import as_plain_text
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.inbound_mail.test_incoming_mail import receive
from tests.dashboard.intake.test_inbox import bring
from tests.incoming import PDF, a_message
from tests.landlord import MovableClock
from tests.worker.inbound_mail.test_archives_by_mail import zipped

NESTS = zipped(*((f"{number}.zip", zipped(("a.pdf", PDF + bytes([number])))) for number in range(40)))
ALL_NAMES = ", ".join(f"{number}.zip" for number in range(40))


@pytest.fixture
def mail_office(migrated_url: str) -> Iterator[Office]:
    """An office that receives e-mail from aqua.example."""
    built = build_office(
        migrated_url, PRORATA_INBOUND_SMTP="127.0.0.1:2525", PRORATA_INBOUND_ADDRESS="bills@example.com",
        find_inbox_address=inbox_address,
    )  # fmt: skip
    with built.live():
        built.browser("owner").post("/settings/inbox", {"allowed": "aqua.example"})
        yield built


def test_a_message_tells_forty_archives_within_one_in_a_line_and_two_reasons_apart(mail_office: Office) -> None:
    receive(mail_office, a_message(("all.zip", NESTS), ("run.exe", b"MZ")), everybody=True)
    shown = mail_office.browser("viewer").get("/inbox/mail").text
    assert shown.count(NESTED) == 1
    assert f"40 files weren’t accepted: {NESTED}" in shown
    assert ALL_NAMES in shown
    assert "<strong>run.exe</strong> wasn’t accepted: This is a program" in shown


def test_a_message_of_many_files_names_ten_and_folds_the_others(mail_office: Office) -> None:
    many = [(f"{number}.pdf", PDF + bytes([number])) for number in range(50)]
    receive(mail_office, a_message(*many), everybody=True)
    shown = mail_office.browser("viewer").get("/inbox/mail").text
    before, folded, within = shown.partition('<details class="fold"><summary>40 more files</summary>')
    assert folded
    assert (before.count(".pdf</a>"), within.count(".pdf</a>")) == (10, 40)


def test_a_message_that_waits_names_what_it_brings_and_an_archive_by_its_own_name(mail_office: Office) -> None:
    many = [(f"<b>{number}</b>.pdf", PDF + bytes(number * 1_000_000)) for number in range(3)]
    more = [(f"{number}.pdf", PDF + bytes([number])) for number in range(8)]
    receive(mail_office, a_message(*many, ("all.zip", NESTS), *more, ("run.exe", b"MZ")))
    shown = mail_office.browser("viewer").get("/inbox/mail?show=waiting").text
    before, folded, within = shown.partition('<details class="fold"><summary>2 more files</summary>')
    assert folded
    assert [size in before for size in ("1 KB", "1,001 KB", "2,001 KB")] == [True] * 3
    assert ("all.zip" in before, "<b>" in shown, "39.zip" in shown) == (True, False, False)
    assert within.count(".pdf <span") == 2
    assert "<strong>run.exe</strong> wasn’t accepted" in shown


def test_what_is_brought_is_refused_in_one_line_for_one_reason(mail_office: Office) -> None:
    page = bring(mail_office.browser("manager"), ("all.zip", NESTS), ("run.exe", b"MZ"))
    assert page.status_code == 409
    assert page.text.count(NESTED) == 1
    assert f"40 files: {NESTED}" in page.text
    assert ALL_NAMES in page.text
    assert "<strong>run.exe</strong>: This is a program" in page.text


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en-US", "40 files: No. (0.zip, 1.zip, 2.zip, 3.zip, 4.zip, 5.zip, 6.zip, 7.zip, 8.zip, 9.zip, and 30 more)"),
        ("de-DE", "40 Dateien: No. (0.zip"),
        ("es-ES", "40 archivos: No. (0.zip"),
        ("fr-FR", "40 fichiers: No. (0.zip"),
    ],
)
def test_the_answer_names_ten_of_forty_files_and_says_why_once(locale: str, said: str) -> None:
    left_out = (NotTaken(tuple(f"{number}.zip" for number in range(40)), "No."), NotTaken((), "It was cut off."))
    answer = Answer("mail_1", locale, "March", None, (), left_out, "a@example.com", MovableClock().moment)
    text = " ".join(as_plain_text(answer_letter(answer, lambda cents, code: f"{code} {cents}", str)).split())
    assert said in text
    assert "It was cut off." in text
