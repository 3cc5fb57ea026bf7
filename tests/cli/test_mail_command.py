"""Tests of `prorata account mail`, and of an invoice that leaves a running server.

The invoice goes into the outbox folder.
"""

import email.policy
import time
from email.parser import BytesParser
from pathlib import Path

from tests.cli.running import Command

HOUSE = {
    "name": "Maple Court", "streetNumber": "12", "street": "Maple St", "city": "Reno", "state": "NV", "zip": "89501",
    "country": "US",
}  # fmt: skip
BILLS = "property,issuerName,utilityType,totalAmountDue,billDate\nMaple Court,Aqua,WATER,120.50,2026-02-20\n"


def test_what_an_account_sends_is_seen_and_set(command: Command) -> None:
    command.account()
    mail = ("account", "mail", "--account", "ann@example.com")
    assert command.ok(*mail).splitlines() == [
        "Mail is on; it is sent at once.",
        "Reminders before the due date: none.",
        "Reminders after the due date: none.",
    ]
    said = command.ok(*mail, "--hold", "10", "--remind-before", "3,0", "--remind-after", "14,7")
    assert said.splitlines() == [
        "Mail is on; it is sent after 10 minutes.",
        "Reminders before the due date: 0, 3 days.",
        "Reminders after the due date: 7, 14 days.",
    ]
    assert command.ok(*mail, "--remind-before", "none", "--remind-after", "none") == (
        "Mail is on; it is sent after 10 minutes.\n"
        "Reminders before the due date: none.\nReminders after the due date: none."
    )
    assert command.ok(*mail, "--hold", "1").startswith("Mail is on; it is sent after 1 minute.\n")
    assert command.ok(*mail, "--off") == "E-mail is off: invoices are listed for you to hand over."
    assert "1 to 60 days" in command.refused(*mail, "--remind-after", "61")
    assert "list of days" in command.refused(*mail, "--remind-before", "soon", code=2)
    assert command.ok("check") == "No problems were found in the stored data."


def test_an_invoice_set_to_sent_is_in_the_outbox_soon_and_its_pdf_is_kept(command: Command, tmp_path: Path) -> None:
    command.account()
    key = command.key()
    bills = tmp_path / "bills.csv"
    bills.write_text(BILLS, encoding="utf-8")
    outbox = command.data / "outbox"
    with command.serving() as server, server.client(key) as client:
        house = client.post("/properties", json=HOUSE).json()
        unit = client.post(f"/properties/{house['id']}/units", json={"label": "1"}).json()
        client.post(f"/units/{unit['id']}/tenants", json={"name": "Zoe", "email": "zoe@example.org"})
        command.ok("bills", "import", bills, "--account", "ann@example.com")
        (invoice,) = client.get("/invoices").json()["data"]
        assert client.patch(f"/invoices/{invoice['id']}", json={"status": "SENT"}).json()["delivery"] == "queued"

        deadline = time.monotonic() + 30
        while client.get(f"/invoices/{invoice['id']}").json()["delivery"] != "written":
            assert time.monotonic() < deadline, "it was not written in 30 seconds"
            time.sleep(0.2)

    (file,) = outbox.iterdir()
    message = BytesParser(policy=email.policy.default).parsebytes(file.read_bytes())
    (attached,) = message.iter_attachments()  # type: ignore[attr-defined]
    kept = tmp_path / "kept.pdf"
    command.ok("invoice", "pdf", invoice["invoiceNumber"], kept, "--as-sent")
    assert kept.read_bytes() == attached.get_content()
    assert command.ok("jobs", "list", "--state", "failed") == "There are no such jobs."
    assert command.ok("check") == "No problems were found in the stored data."
