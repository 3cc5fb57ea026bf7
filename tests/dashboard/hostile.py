"""An account in which every field that accepts text contains the same text.

Members, tenants, e-mails and files enter it there.
"""

import json
import re
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from sqlalchemy import LargeBinary, String, Text

from prorata.actions.accounts import api_keys
from prorata.actions.bulk import bulk
from prorata.actions.intake import column_mappings, documents, issuer_lessons
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.payments import provider_events
from prorata.adapters.inbound_mail.inbound_settings import inbox_address
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.intake.bill_reading.draft import UNREAD, Item, Stated, asked, found
from prorata.domain.online_payments.payment_links import PAID, STRIPE, ProviderEvent
from prorata.domain.online_payments.provider_reasons import Reason
from prorata.store.database.engine import Tx
from prorata.store.schema import tables
from prorata.wiring import table_reader
from prorata.worker.documents import document_kinds
from prorata.worker.incoming_mail import Intake
from prorata.worker.rounds import Worker
from tests.dashboard import tenants
from tests.dashboard.billed import listed, set_status
from tests.dashboard.bills.test_bills import FILLED, shown_flags
from tests.dashboard.conftest import OWN_SITE, Browser, Office, build_office
from tests.dashboard.webhooks.test_webhooks import deliver
from tests.incoming import MAIL_FROM, PDF, a_message, address_of, reading
from tests.web.conftest import HASHER

TEXTS = (
    "2026-02-30", "2026-13-01", "0000-00-00", "2026-02-30T25:61", "2026-13", "٢٠٢٦-٠١-٠١", "²²²²-²²-²²", "1" * 45,
    "{{ 7 * 7 }}{% x %}", "<script>alert(1)</script>", "\u202egnp.\u2066exe\u200f", "1e999", "NaN", "-Infinity",
    "inv_01kb1n3x6ve2hrrk0p1w4bqv2f", "1,234.56", '{"a": [', "%s %(x)d {} {0} {name}", '=HYPERLINK("x")', "\\\"'`;--",
    "null",
)  # fmt: skip
PLAIN = "Plain"
IBAN = "DE89370400440532013000"
_OF_BANKS = ("pay_iban", "pay_bic", "pay_routing", "pay_number")
_NOT_FREE = {
    "api_key": {"scopes"},
    "account": {"contact", *_OF_BANKS, "timezone", "locale", "reminders_before", "reminders_after"},
    "property": set(_OF_BANKS),
    "correction": {"household"},
    "bill": {"utility_types", "usage"},
    "rule_announcement": {"told", "to_name", "unit_label"},
    "bill_flag": {"message", "about"},
    "bulk": {"why"},
    "bulk_item": {"why"},
    "charge_export": {"head", "name"},
    "incoming_mail": {"envelope_from", "message_id", "said", "sender"},
    "search_word": {"word"},
    "inbox_address": {"allowed"},
    "member": {"email", "locale", "password_hash", "totp_secret"},
    "share_rule": {"weights"},
    "former_share_rule": {"components", "weights"},
    "invoice": {"number", "tenant_email", "payment_link_id", "payment_link_url"},
    "tenant": {"email", "forwarding_email"},
    "provider_event": {"why"},
    "webhook_endpoint": {"url", "types", "secret", "secret_before", "why_off"},
    "split_method": {"components"},
    "document": {"said"},
    "mail": {"to_address", "invited_by"},
    "payment": {"source"},
    "session": {"address"},
    "exported_invoice": {"number"},
    "payment_link": {"provider_id", "url", "number"},
    "lesson": {"template", "issuer"},
    "issuer_lesson": {"lesson"},
    "job": {"unique_key", "payload"},
    "batch": {"why"},
    "column_mapping": {"mapping"},
    "month_run": {"why"},
    "document_table": {"choices", "outcome"},
    "payment_file": {"choices"},
}
"""Columns of text whose words are ours, or of one form: what does not fit it is refused."""
_WITHOUT_TEXTS = {
    "billing_month", "batched_write", "event_batch", "hold", "idempotency_key", "link", "payment_provider", "recorded_row", "mail_content",
}  # fmt: skip


@dataclass
class Scene:
    """The account, its text, the owner's browser, and the ids that page addresses need."""

    office: Office
    text: str
    browser: Browser
    url: str
    known: dict[str, str]
    key: str = ""
    tenant_page: str = ""

    def enter(self, path: str, fields: Mapping[str, str], plain: str = PLAIN) -> str:
        """Submit a form with the text in its fields.

        If the form is refused, submit it again with `plain` instead of the text. Return the address that the form leads
        to, or else the text of the response.
        """
        answer = self.browser.post(path, {name: one.replace("§", self.text) for name, one in fields.items()})
        if answer.status_code not in (200, 303):
            answer = self.browser.post(path, {name: one.replace("§", plain) for name, one in fields.items()})
        assert answer.status_code in (200, 303), (path, answer.status_code, _said(answer.text))
        return answer.headers.get("location", answer.text)

    def send(self, path: str, field: str, name: str, content: str) -> str:
        """Submit a form with a file whose name and content contain the text."""
        token = re.search(r'name="form_token" value="([0-9a-f]+)"', self.browser.get("/import/units").text)
        assert token is not None
        file = (name.replace("§", self.text), content.replace("§", self.quoted).encode())
        answer = self.browser.client.post(
            path, data={"form_token": token[1]}, files=[(field, file)], headers=OWN_SITE, follow_redirects=False
        )
        assert answer.status_code in (200, 303, 400), (path, answer.status_code)
        return answer.headers.get("location", answer.text)

    @property
    def quoted(self) -> str:
        """The text as a cell of a CSV file."""
        return '"{}"'.format(self.text.replace('"', '""'))

    def number_of(self, kind: str, where: str) -> str:
        """The id of a record that a page links to."""
        one = re.search(rf"\b({kind}_[0-9a-z]+)", self.browser.get(where).text)
        assert one is not None, (kind, where)
        return one[1]

    def address(self, path: str) -> str:
        """The address of a page, with record ids in place of its parameters."""
        for name, value in self.known.items():
            path = path.replace(name, value)
        assert "{" not in path, path
        return path


def a_scene(url: str, text: str) -> Scene:
    """An account on SQLite with the text in every field."""
    office = build_office(
        url, PRORATA_INBOUND_SMTP="127.0.0.1:2525", PRORATA_INBOUND_ADDRESS="bills@example.com",
        find_inbox_address=inbox_address,
    )  # fmt: skip
    scene = Scene(office, text, office.browser("owner"), url, {"{account}": office.account_id, "{month}": "2026-02"})
    _settings(scene)
    _house(scene)
    _invoices(scene)
    _files(scene)
    _mail(scene)
    _by_others(scene)
    return scene


def _settings(scene: Scene) -> None:
    account = {
        "name": "§", "address": "§", "contact": "a@example.com", "phone": "§", "timezone": "UTC", "locale": "en-US", "currency": "USD",
        "payment_terms": "21", "answer_days": "14", "keep_invoices_years": "10", "keep_tenants_years": "0",
        "keep_bank_files_days": "0", "mail_hold": "5", "late_bills": "ask", "mail_on": "true",
        "pay_text": "§", "pay_holder": "§", "pay_iban": IBAN,
    }  # fmt: skip
    scene.enter("/settings", account)
    scene.enter("/settings/email", {"mail_subject": "§", "mail_opening": "§"})
    scene.enter("/settings/security/name", {"name": "§"})
    scene.enter("/settings/keys", {"name": "§", "permission": "READ"}, "laptop")
    scene.enter("/settings/webhooks", {"url": "https://example.com/hook", "description": "§"}, "Books")
    scene.enter("/split-methods", {"name": "§", "equal": "50", "sqft": "50"}, "Half")
    scene.known["{method}"] = scene.number_of("split", "/split-methods")
    scene.known["{key}"] = scene.number_of("key", "/settings/keys")
    scene.known["{endpoint}"] = scene.number_of("hook", "/settings/webhooks")
    scene.known["{member}"] = scene.number_of("member", "/settings/members")
    scene.key = scene.office.database.write(
        lambda tx: api_keys.create(
            tx, scene.office.caller, name=PLAIN, permission="ADMIN", expires_at=None,
            random_bytes=b"k" * FEWEST_RANDOM_BYTES, hasher=HASHER,
        )
    )[1]  # fmt: skip


def _house(scene: Scene) -> None:
    house = dict.fromkeys(("name", "streetNumber", "street", "city", "zip", "state"), "§") | {"country": "US"}
    if len(scene.text) > 20:
        house |= {"zip": "1"}
    home = scene.enter("/properties/new", house)
    scene.enter(f"{home}/edit", house | {"payText": "§", "payHolder": "§", "payIban": IBAN})
    scene.known["{id}"] = scene.number_of("prop", "/properties")
    scene.known["{utility}"] = "water"
    assert scene.known["{id}"] in home
    unit = {"label": "§", "tenantName": "§", "tenantEmail": "ann@example.org"}
    scene.enter(f"/properties/{scene.known['{id}']}/units/new", unit)
    scene.known["{unit}"] = scene.number_of("unit", home)
    scene.known["{tenant}"] = scene.number_of("tenant", f"/units/{scene.known['{unit}']}")
    new = f"/properties/{scene.known['{id}']}/bills/new"
    free = ("issuerName", "accountNumber", "billNumber", "notes", "nameOther")
    bill = FILLED | {"billDate": "2026-02-02", "hasOther": "true"} | dict.fromkeys(free, "§")
    scene.known["{bill}"] = scene.enter(new, bill).rpartition("/")[2]
    again = {name: one.replace("§", scene.text) for name, one in bill.items()} | {"billDate": "2026-02-03"}
    answer = scene.browser.post(new, again)
    if answer.status_code != 303:
        scene.enter(new, again | {"flagsShown": shown_flags(answer.text), "reasonForAll": "§"})
    scene.enter(
        f"/tenants/{scene.known['{tenant}']}/edit", {"name": "§", "moveInDate": "2025-01-01", "forwardingAddress": "§"}
    )


def _invoices(scene: Scene) -> None:
    office, browser = scene.office, scene.browser
    one = listed(office)[0].id
    scene.known |= {"{invoice}": one, "{step}": "paid", "{number}": "1"}
    scene.enter(f"/invoices/{one}/charges", {"description": "§", "amount": "5.00"}, "Garage")
    removal = re.search(r"/charges/(\w+)/remove", browser.get(f"/invoices/{one}").text)
    assert removal is not None
    scene.known["{charge}"] = removal[1]
    _names_of_others(scene)
    scene.known["{earlier}"] = listed(office)[0].number
    for status in ("SENT", "DRAFT"):
        set_status(office, one, status)
    scene.enter(f"/invoices/{one}/charges", {"description": "§ again", "amount": "1.00"}, "Key")
    set_status(office, one, "SENT")
    scene.enter(
        f"/bills/{scene.known['{bill}']}/correct",
        {"totalAmountDue": "80.01", "amountWATER": "40.01", "amountOTHER": "40.00", "then": "later"},
    )
    scene.tenant_page = tenants.page_of(office, one)
    _asked_and_replied(scene, one)
    _disputed(scene, one)
    paid = {"kind": "PAYMENT", "amount": "1.00", "date": "2026-02-03", "method": "CASH", "reference": "§", "note": "§"}
    scene.enter(f"/invoices/{one}/payments", paid)
    scene.known["{payment}"] = scene.number_of("pay", f"/invoices/{one}")
    change = office.database.write(lambda tx: bulk.begin(tx, office.caller, "send", [one]))
    scene.known["{change}"] = change.id
    scene.enter(f"/properties/{scene.known['{id}']}/months/2026-02/compare", {"pasted": "§\t40.00\n9\t1.00"})


def _asked_and_replied(scene: Scene, invoice_id: str) -> None:
    """Ask a question about the charge that is named like the text, and reply."""
    guest, page = scene.office.browser(), scene.tenant_page
    charge = next(
        unescape(one)
        for one in re.findall(r'<option value="([^"]+)"', guest.get(page).text)
        if scene.text in unescape(one)
    )
    assert tenants.asked(guest, page, scene.text, about=charge).status_code == 303
    question = re.search(r'name="question" value="(ask_\w+)"', scene.browser.get(f"/invoices/{invoice_id}").text)
    assert question is not None
    scene.enter(f"/invoices/{invoice_id}/reply", {"question": question[1], "reply": "§"})


def _disputed(scene: Scene, invoice_id: str) -> None:
    """Open and end a dispute with the text as its words and file name."""
    form = f"/invoices/{invoice_id}/charges/{scene.known['{charge}']}/dispute"
    token = re.search(r'name="form_token" value="([0-9a-f]+)"', scene.browser.get(form).text)
    assert token is not None
    fields = {"form_token": token[1], "text": scene.text, "amount": "1.00"}
    files = [("files", (scene.text[:200], PDF))]
    answer = scene.browser.client.post(form, data=fields, files=files, headers=OWN_SITE, follow_redirects=False)
    assert answer.status_code == 303, _said(answer.text)
    scene.known["{dispute}"] = scene.number_of("ask", f"/invoices/{invoice_id}")
    scene.enter(f"/invoices/{invoice_id}/resolve", {"dispute": scene.known["{dispute}"], "reason": "§"})


def _names_of_others(scene: Scene) -> None:
    """Enter the text as another program's name for everything, and make a charge file.

    The file includes the draft as it is.
    """
    here = scene.known["{system}"] = "appfolio"
    for of in ("", f"?property={scene.known['{id}']}"):
        page = scene.browser.get(f"/charges/{here}/names{of}").text
        fields = dict.fromkeys(re.findall(r'name="(name\.[^"]+)"', page), "§")
        scene.enter(f"/charges/{here}/names", fields | {"property": of.partition("=")[2]})
    scene.browser.post(f"/charges/{here}/names/ours", {"property": scene.known["{id}"]})
    wish = {"month": "2026-02", "property": "", "rows": "charge", "most": "100", "drafts": "true"}
    scene.known["{export}"] = scene.enter(f"/charges/{here}", wish).rpartition("/")[2]


def _files(scene: Scene) -> None:
    office, text = scene.office, scene.text
    statement = "Date,Amount,Payer,Description,Reference,§\n2026-03-05,5.00,§,§,§,§\n§,§,§,§,§,§\n"
    scene.known["{file}"] = scene.send("/payments/files", "file", "§.csv", statement).rpartition("/")[2]
    scene.send(
        "/import/units", "file", "§.csv", "property,label,sqft,tenantName,moveInDate\n§,§,§,§,§\nX,§,1,§,2026-01-01\n"
    )
    bills = "property,issuerName,utilityType,totalAmountDue,billDate,notes,billNumber\n§,§,§,§,§,§,§\nX,§,WATER,1.00,2026-01-01,§,§\n"
    scene.send("/inbox", "files", "§.csv", bills)
    kinds = document_kinds(lambda *_: None, table_reader(for_browsers=True))  # type: ignore[arg-type, return-value]
    Worker(office.database, lambda: 0, kinds).do_round(threading.Event())
    scene.known["{table}"] = scene.number_of("doc", "/inbox")
    draft = UNREAD._replace(
        issuer=found(text),
        account_number=asked(text, text, "other"),
        bill_number=found(text),
        service_address=found(text),
        stated=Stated(text, (Item(text, text, 5_00),), ((text, text),)),
        note=text,
    )

    def read(tx: Tx) -> str:
        row = documents.take(tx, office.caller, f"{text}.pdf", PDF, "upload").row
        documents.note_draft(tx, office.account_id, row.id, draft)
        other = documents.take(tx, office.caller, text, b"%PDF-1.4", "upload").row
        documents.note_unreadable(tx, office.account_id, other.id, text)
        issuer_lessons.keep(tx, office.account_id, text, text, "eInvoice", {"lines": {text: "GAS"}})
        return row.id

    scene.known["{document}"] = office.database.write(read)
    office.database.write(
        lambda tx: column_mappings.remember(
            tx, office.caller, (text, "Date"), ColumnMapping(words={"utilityType": {text: "GAS"}})
        )
    )


def _mail(scene: Scene) -> None:
    office, text = scene.office, scene.text
    shown = text.replace("\\", "").replace('"', "")
    to = address_of(office.database, office.account_id)
    for number in (1, 2):  # the second is of a sender whose mail is taken
        files = (f"{text}.pdf", PDF + b"%d" % number), (f"{text}.exe", b"MZ%d" % number)
        message = a_message(*files, sender=f'"{shown}" <bills@aqua.example>', subject=text)
        Intake(office.database, MAIL_FROM).take([to], "bills@aqua.example", message, "smtp")
        Worker(office.database, lambda: 0, [reading(everybody=True)]).do_round(threading.Event())
        scene.known["{mail}"] = scene.number_of("incoming", "/inbox/mail")
        scene.enter("/settings/inbox", {"allowed": "bills@aqua.example"})


def _by_others(scene: Scene) -> None:
    """Store the text where payment providers, mail servers, webhooks and browsers would leave it.

    Prorata stores their answers unchanged.
    """
    office, text = scene.office, scene.text

    def told(tx: Tx) -> None:
        payment_providers.use_sandbox(tx, office.caller, is_on=True)
        event = ProviderEvent(text, PAID, text, 5_00, "USD", "2026-03-10T15:00:00.000Z", text, text)
        provider_events.take(tx, office.account_id, STRIPE, event)

    office.database.write(told)
    deliver(office, 500)
    said = {"why": Reason.SAID.value, "why_details": json.dumps({"says": text})}
    with sqlite3.connect(scene.url.removeprefix("sqlite:///")) as connection:
        for table, values in {
            "job": {"last_error": text}, "mail": {"said": text}, "session": {"user_agent": text},
            "provider_event": said | {"invoice_id": scene.known["{invoice}"]}, "webhook_endpoint": {"failure": text},
        }.items():  # fmt: skip
            connection.execute(f"UPDATE {table} SET {', '.join(f'{one} = ?' for one in values)}", list(values.values()))
        connection.execute(
            "UPDATE job SET state = 'failed', ended_at = created_at, lease_token = NULL, lease_until = NULL"
        )
        connection.execute("UPDATE webhook_delivery SET said = ?", [text])
        row = connection.execute("SELECT id, kind FROM job").fetchone()
    connection.close()
    scene.known |= {"{job}": row[0], "{kind}": row[1]}


def _said(page: str) -> str:
    """Return the text of a page that a person reads."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def fields_without(url: str, text: str) -> Iterator[str]:
    """The columns of free text that contain the text nowhere."""
    with sqlite3.connect(Path(url.removeprefix("sqlite:///"))) as connection:
        for table in tables.metadata.sorted_tables:
            for column in table.columns:
                is_code = isinstance(column.type, String) and not isinstance(column.type, Text)
                if isinstance(column.type, LargeBinary) or not isinstance(column.type, String) or is_code:
                    continue
                if column.name.endswith("_key") or column.name in _NOT_FREE.get(table.name, ()):
                    continue
                if table.name in _WITHOUT_TEXTS:
                    continue
                held = connection.execute(f"SELECT {column.name} FROM {table.name}").fetchall()
                if not any(_holds(value, text) for (value,) in held):
                    yield f"{table.name}.{column.name}"
    connection.close()


def _holds(value: object, text: str) -> bool:
    return isinstance(value, str) and (text in value or json.dumps(text)[1:-1] in value)
