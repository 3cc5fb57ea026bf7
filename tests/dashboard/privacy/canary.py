"""A tenant with a unique name and addresses, and the places that contain them.

Before erasure, the tenant lives in a unit, asks questions, pays and moves out.
"""

import base64
import io
import quopri
import re
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from prorata import wiring
from prorata.actions.accounts import api_keys
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES
from prorata.settings import read_settings
from prorata.worker.incoming_mail import Intake
from prorata.worker.rounds import Worker
from tests.dashboard import tenants
from tests.dashboard.billed import billed, set_status
from tests.dashboard.bills.test_bills import FILLED
from tests.dashboard.conftest import ORIGIN, OWN_SITE, Office, form_token
from tests.every_row import every_row
from tests.incoming import MAIL_FROM, PDF, a_message, address_of
from tests.web.conftest import HASHER

NAME, EMAIL = "Zuleika Quillfeather-Öztürk", "quillfeather@canary.example"
ADDRESS = "77 Zanzibar Crescent\nTimbuktu 4711"
NEIGHBOR = "Tenant 2"
_MARKS = ("quillfeather", "zanzibar", "timbuktu")
_INFLATED = 50_000_000
LIVED_IN = {
    "batched_write.answer", "bill.notes", "charge_name.name", "charge.description", "dispute_file.content", "dispute_file.name",
    "event.after", "event.before", "event_batch.content", "idempotency_key.body", "incoming_content.content",
    "incoming_mail.envelope_from", "incoming_mail.sender", "incoming_mail.subject", "invoice.printed",
    "invoice.tenant_email", "invoice.tenant_name", "invoice_explanation.content", "mail.to_address", "mail.to_name",
    "mail_content.pdf", "outbox/", "payment.note", "payment_file.content", "payment_file.sheet", "search_word.word",
    "tenant.email", "tenant.forwarding_address", "tenant.forwarding_email", "tenant.name", "tenant.name_key",
    "tenant_question.about", "tenant_question.asked", "tenant_question.reply", "tenant_question.tenant_name",
}  # fmt: skip


def places(url: str, data_dir: Path) -> set[str]:
    """The places that contain the canary.

    They are columns, such as "tenant.name", and folders of the data directory.
    """
    found = {
        f"{table}.{column}"
        for table, rows in every_row(url).items()
        for row in rows
        for column, value in row.items()
        if holds(value)
    }
    for file in data_dir.rglob("*"):
        if file.is_file() and not file.name.startswith("prorata.sqlite3") and holds(file.read_bytes()):
            found.add(f"{file.relative_to(data_dir).parts[0]}/")
    return found


def holds(value: object) -> bool:
    """True if a value contains the canary.

    The canary may be plain, compressed or encoded text, or inside a PDF, a message or a ZIP file.
    """
    if isinstance(value, str):
        return _is_in(value.encode())
    if isinstance(value, bytes | memoryview):
        return any(_is_in(one) for one in _opened(bytes(value), 3))
    return False


def _is_in(data: bytes) -> bool:
    text = re.sub(rb"=\r?\n|[\s\x00]", b"", data).lower()
    return any(mark.encode() in text for mark in _MARKS)


def _opened(data: bytes, depth: int) -> Iterator[bytes]:
    """Yield the bytes, and everything packed or encoded in them."""
    yield data
    if not depth:
        return
    inner: list[bytes] = []
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inner += [archive.read(one) for one in archive.namelist()]
    for start in {0, *(one.end() for one in re.finditer(rb"stream\r?\n", data))}:
        try:
            inner.append(zlib.decompressobj().decompress(data[start:], _INFLATED))
        except zlib.error:
            continue
    if b"encoded-word" in data or b"=?utf-8?" in data.lower() or b"quoted-printable" in data.lower():
        inner.append(quopri.decodestring(data))
    for block in re.findall(rb"(?:[A-Za-z0-9+/]{40,}={0,2}\r?\n?){1,}[A-Za-z0-9+/=]*", data):
        joined = re.sub(rb"\s", b"", block)
        inner.append(base64.b64decode(joined[: len(joined) // 4 * 4]))
    if data[:5] == b"%PDF-":
        inner.append(_text_of(data))
    for one in inner:
        yield from _opened(one, depth - 1)


def _text_of(pdf: bytes) -> bytes:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    return "".join(page.get_textpage().get_text_range() for page in document).encode()


class Canary:
    """An office with the tenant to be erased, and with a neighbor."""

    def __init__(self, office: Office, url: str, data_dir: Path) -> None:
        self.office, self.url, self.data_dir = office, url, data_dir
        self.settings = read_settings(
            {"PRORATA_DATABASE_URL": url, "PRORATA_BASE_URL": ORIGIN, "PRORATA_DATA_DIR": str(data_dir),
             "PRORATA_SECRET_KEY": "s" * 64},
            Path("no.env"),
        )  # fmt: skip
        self.invoice_id = self.tenant_id = self.question_id = ""

    def places(self) -> set[str]:
        return places(self.url, self.data_dir)

    def work(self) -> None:
        """Run the background jobs that are due."""
        kinds = wiring.job_kinds(self.settings)
        for _ in range(3):
            Worker(self.office.database, lambda: 0, kinds).do_round(threading.Event())

    def live_a_year(self) -> None:
        """Let the tenant move in, get an invoice, ask, dispute, pay, write and move out."""
        office = self.office
        mine, _theirs = billed(office, "1", "2")
        self.invoice_id = mine.id
        self.tenant_id = str(mine.tenant_id)
        browser = office.browser("owner")
        changed = {"name": NAME, "email": EMAIL, "moveInDate": "2025-01-01"}
        assert browser.post(f"/tenants/{self.tenant_id}/edit", changed).status_code == 303
        charge = {"description": f"Key of {NAME}", "amount": "5.00"}
        assert browser.post(f"/invoices/{self.invoice_id}/charges", charge).status_code == 303
        bill = FILLED | {
            "propertyId": mine.property_id,
            "notes": f"The meter of {NAME} was read.",
            "totalAmountDue": "3.00",
        }
        assert browser.post(f"/properties/{mine.property_id}/bills/new", bill).status_code == 303
        names = {f"name.tenant.{self.tenant_id}": NAME.upper(), f"name.unit.{mine.unit_id}": NAME} | {
            "property": mine.property_id
        }
        browser.post("/charges/appfolio/names", names)
        set_status(office, self.invoice_id, "SENT")
        self.work()
        self._ask()
        self._pay(mine.number)
        self.receives()
        self.work()
        wish = {"month": "2026-02", "property": "", "rows": "charge", "most": "100"}
        browser.post("/charges/appfolio", wish)
        self._by_programs()
        self._leave()
        self.work()

    def _ask(self) -> None:
        guest, page = self.office.browser(), tenants.page_of(self.office, self.invoice_id)
        tenants.asked(guest, page, f"Why so much? I live at {ADDRESS} by now. {NAME}")
        browser = self.office.browser("owner")
        question = re.search(r'name="question" value="(ask_\w+)"', browser.get(f"/invoices/{self.invoice_id}").text)
        assert question is not None
        reply = {"question": question[1], "reply": f"Dear {NAME}, it was cold."}
        assert browser.post(f"/invoices/{self.invoice_id}/reply", reply).status_code == 303
        form = re.search(r"/invoices/\w+/charges/(\w+)/dispute", browser.get(f"/invoices/{self.invoice_id}").text)
        if form is not None:
            path = form[0]
            token = form_token(browser.get(path).text)
            browser.client.post(
                path, data={"form_token": token, "text": f"{NAME} disputes it.", "amount": "1.00"},
                files=[("files", (f"{NAME}.pdf", PDF + NAME.encode()))], headers=OWN_SITE, follow_redirects=False,
            )  # fmt: skip

    def _pay(self, number: str) -> None:
        browser = self.office.browser("owner")
        by_hand = {"kind": "PAYMENT", "amount": "1.00", "date": "2026-02-27", "method": "CASH", "note": f"of {NAME}"}
        assert browser.post(f"/invoices/{self.invoice_id}/payments", by_hand).status_code == 303
        statement = (
            "Date,Amount,Payer,Description,Reference\n"
            f'2026-03-05,40.00,"QUILLFEATHER OEZTUERK, ZULEIKA","{number} from {EMAIL}",R1\n'
            f"2026-03-05,45.00,{NEIGHBOR},nothing,R2\n"
        )
        token = form_token(browser.get("/import/units").text)
        brought = browser.client.post(
            "/payments/files", data={"form_token": token}, files=[("file", ("march.csv", statement.encode()))],
            headers=OWN_SITE, follow_redirects=False,
        )  # fmt: skip
        self.file_id = brought.headers["location"].rpartition("/")[2]
        page = browser.get(f"/payments/files/{self.file_id}").text
        shown = re.search(r'name="shown" value="([^"]*)"', page)
        picked = re.findall(r'name="(to-\d+)"[^>]*?value="([^"]*)"', page)
        assert shown is not None
        fields = {"choosing": "true", "shown": shown[1], **dict(picked)}
        assert browser.post(f"/payments/files/{self.file_id}/record", fields).status_code == 303

    def receives(self, about: str = "Key") -> None:
        """Receive an e-mail from the canary."""
        to = address_of(self.office.database, self.office.account_id)
        message = a_message(("key.pdf", PDF), sender=f'"{NAME}" <{EMAIL}>', subject=f"{about} of {NAME}")
        Intake(self.office.database, MAIL_FROM).take([to], EMAIL, message, "smtp")

    def _by_programs(self) -> None:
        """Send the tenant's data by API, in single requests and in a batch."""
        office = self.office
        _, key = office.database.write(
            lambda tx: api_keys.create(
                tx, office.caller, name="laptop", permission="FULL", expires_at=None,
                random_bytes=b"k" * FEWEST_RANDOM_BYTES, hasher=HASHER,
            )
        )  # fmt: skip
        client, path = office.browser().client, f"/api/v1/tenants/{self.tenant_id}"
        sent = {"Authorization": f"Bearer {key}", "Idempotency-Key": "once"}
        unit = client.get(path, headers=sent).json()["unitId"]
        twin = {"name": f"{NAME} ", "email": EMAIL, "moveOutDate": "2025-12-31"}
        created = client.post(f"/api/v1/units/{unit}/tenants", json=twin, headers=sent)
        assert created.status_code == 201, created.text
        removed = client.request(
            "DELETE", f"/api/v1/tenants/{created.json()['id']}", headers=sent | {"Idempotency-Key": "2"}
        )
        assert removed.status_code in (200, 204), removed.text
        batch = {"requests": [{"method": "PATCH", "path": f"/tenants/{self.tenant_id}", "body": {"name": NAME}}]}
        batched = client.post("/api/v1/bulk", json=batch, headers=sent | {"Idempotency-Key": "3"})
        assert batched.status_code == 202, batched.text
        self.work()

    def _leave(self) -> None:
        browser = self.office.browser("owner")
        leaving = {"moveOutDate": "2026-03-01", "forwardingEmail": f"new.{EMAIL}", "forwardingAddress": ADDRESS}
        left = browser.post(f"/tenants/{self.tenant_id}/leave", leaving)
        assert left.status_code == 303, left.text[:300]
