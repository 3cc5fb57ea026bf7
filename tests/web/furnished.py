"""A property with all kinds of records, made through the API.

Its bills are made by the action that adds bills.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import httpx

from prorata.actions.bills import bills
from prorata.actions.delivery import tenant_questions
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.intake import documents
from prorata.domain.bills.bills import NewBill
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft
from prorata.domain.intake.bill_reading.words import Page, Place, Word
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.store.accounts import members
from prorata.store.database.engine import Tx
from prorata.web.api.examples import DISPUTE_SENT
from tests.web.conftest import MAPLE, Api, House, Landlord

LABELS = ("1", "2", "10")
MONTHS = ("2026-01", "2026-02", "2026-03")
NO_PAGE = Page(1, 6120, 7920, (Word("Water", Place(1, 100, 100, 400, 200)),))
WATER_SENT: dict[str, Any] = {
    "issuerName": "City Water", "totalAmountDue": "60.00", "billDate": "2026-04-14", "lines": [{"utilityType": "WATER"}],
}  # fmt: skip

SYSTEM = "quickbooks-online"
STATEMENT = """Posted Date,Description,Payer,Amount
03/25/2026,MAPLECOURT-1-2026-03,ANN SMITH,30.00
03/26/2026,thanks,J. SMITH,30.00
03/26/2026,rent,J. SMITH,7.77
03/27/2026,fee,BANK,-9.90
03/28/2026,odd,X,lots
"""


_IDS: dict[str, Callable[["Furnished"], str]] = {
    "property": lambda made: made.property_id,
    "unit": lambda made: made.units["1"],
    "tenant": lambda made: made.tenant_id,
    "share rule": lambda made: made.rule_id,
    "split method": lambda made: made.split_method_id,
    "invoice": lambda made: str(made.invoice()["id"]),
    "utility bill": lambda made: made.bills[1],
    "webhook endpoint": lambda made: made.hook_id,
    "dispute": lambda made: made.dispute_id,
    "bulk": lambda made: made.bulk_id,
    "document": lambda made: made.document_id,
    "member": lambda made: made.member_id,
    "invitation": lambda made: made.invitation_id,
    "API key": lambda made: made.key_id,
    "job": lambda made: made.job_id,
    "message": lambda made: made.mail_id,
    "change of invoices": lambda made: made.change_id,
    "question": lambda made: made.question_id,
    "payments file": lambda made: made.payment_file_id,
    "charge file": lambda made: made.charge_file_id,
}


class _Ids(Mapping[str, str]):
    """The ids of a furnished house.

    Each is looked up or made when a test first asks for it.
    """

    def __init__(self, made: "Furnished") -> None:
        self._made = made
        self._known: dict[str, str] = {}

    def __getitem__(self, kind: str) -> str:
        if kind not in self._known:
            self._known[kind] = _IDS[kind](self._made)
        return self._known[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(_IDS)

    def __len__(self) -> int:
        return len(_IDS)


@dataclass
class Furnished:
    """The ids of a furnished property.

    It has three units, a tenant, a blend and three months of water bills.
    """

    house: House
    api: Api
    landlord: Landlord
    property_id: str
    units: dict[str, str]
    tenant_id: str
    split_method_id: str
    bills: list[str]

    @property
    def rule_id(self) -> str:
        return str(rule_of(self.api, self.property_id, "WATER")["id"])

    @property
    def ids(self) -> Mapping[str, str]:
        """An id for each kind of record: `{"property": "prop_…", …}`.

        Most records are made when a test first asks for them.
        """
        return _Ids(self)

    @cached_property
    def bulk_id(self) -> str:
        """The id of a batch that was sent and waits."""
        change = {"method": "PATCH", "path": f"/units/{self.units['1']}", "body": {}}
        return str(self.api.post("/bulk", {"requests": [change]}).json()["id"])

    @property
    def hook_id(self) -> str:
        """The id of a webhook endpoint, made when it is first asked for."""
        there = self.api.get("/webhook-endpoints").json()
        return (there or [self.api.post("/webhook-endpoints", {"url": "https://example.com/hook"}).json()])[0]["id"]

    @property
    def member_id(self) -> str:
        """The id of a member beside the owner, added when it is first asked for."""
        there = [one["id"] for one in self.api.get("/members").json()["data"] if one["role"] != "owner"]
        return str((there or [self.house.database.write(self._joined)])[0])

    def _joined(self, tx: Tx) -> str:
        email = f"mia.{self.property_id}@example.com"
        row = members.new(tx, self.landlord.account_id, email, "-", "manager", name="Mia", is_verified=True)
        members.add(tx, row)
        return row.id

    @property
    def job_id(self) -> str:
        """The id of a waiting job that e-mails an invoice, made when first asked for."""
        there = self.api.get("/jobs", params={"kind": "mail"}).json()["data"]
        if not there:
            self.set_status("SENT", "1", "2026-01")
            there = self.api.get("/jobs", params={"kind": "mail"}).json()["data"]
        return str(there[0]["id"])

    @property
    def mail_id(self) -> str:
        """The id of an unread incoming message, kept when it is first asked for."""
        there = self.api.get("/incoming-mail").json()["data"]
        if there:
            return str(there[0]["id"])
        whose = Recipient(self.landlord.account_id)
        said = f"From: a@example.com\r\nSubject: Bill\r\n\r\nOf {self.property_id}.".encode()
        kept = self.house.database.write(
            lambda tx: incoming_mail.keep(tx, whose, envelope_from="a@example.com", message=said, way="smtp")
        )
        assert kept is not None
        return kept.id

    @property
    def key_id(self) -> str:
        """The id of an API key beside the account's keys, made when first asked for."""
        there = [one for one in self.api.get("/keys").json()["data"] if one["name"] == "Spare"]
        return str((there or [self.api.post("/keys", {"name": "Spare", "permission": "READ"}).json()])[0]["id"])

    @property
    def invitation_id(self) -> str:
        """The id of an invitation, made when it is first asked for."""
        there = self.api.get("/invitations").json()["data"]
        email = f"bo.{self.property_id}@example.com"
        return (there or [self.api.post("/invitations", {"email": email, "role": "viewer"}).json()])[0]["id"]

    @property
    def change_id(self) -> str:
        """The id of a change of many invoices, made when it is first asked for."""
        there = self.api.get("/invoice-changes").json()["data"]
        if there:
            return str(there[-1]["id"])
        sent = {"verb": "SEND", "invoiceIds": [self.invoice("1", "2026-01")["id"]]}
        return str(self.api.post("/invoice-changes", sent).json()["id"])

    @property
    def payment_file_id(self) -> str:
        """The id of a bank statement, uploaded when it is first asked for."""
        there = self.api.get("/payment-files").json()["data"]
        return str((there or [self.bring_payments()])[0]["id"])

    def bring_payments(self, content: str = STATEMENT) -> dict[str, Any]:
        """Upload a bank statement, and return it as the API reads it."""
        brought = self.api.post("/payment-files", files={"file": ("bank.csv", content.encode())})
        read = self.api.get(f"/payment-files/{brought.json()['id']}").json()
        assert read | brought.json() == read
        return dict(read)

    @property
    def charge_file_id(self) -> str:
        """The id of a charge file for January, made when it is first asked for."""
        there = self.api.get(f"/charge-files?system={SYSTEM}").json()
        return str(there[0]["id"] if there else self.make_charges("2026-01").json()["id"])

    def make_charges(self, month: str = "2026-03") -> httpx.Response:
        """Send an invoice, and make a charge file with the names that it needs."""
        self.set_status("SENT", "1", month)
        names = [{"field": "item", "recordId": "WATER", "name": "Water"}]
        self.api.post("/charge-names", {"system": SYSTEM, "names": names})
        self.api.post("/charge-names/proposed", {"system": SYSTEM, "propertyId": self.property_id})
        return self.api.post("/charge-files", {"system": SYSTEM, "month": month})

    @property
    def question_id(self) -> str:
        """The id of a question about January's invoice, asked when first asked for."""
        there = self.api.get("/questions").json()["data"]
        return str(there[-1]["id"]) if there else self.ask("Why so much?", "1", "2026-01")

    def ask(self, text: str, label: str = "1", month: str = "2026-03") -> str:
        """Send an invoice, and ask a question about it as the tenant."""
        self.set_status("SENT", label, month)
        link = TenantLink(self.landlord.account_id, self.invoice(label, month)["id"], 1, self.house.clock.moment.date())
        self.house.database.write(lambda tx: tenant_questions.ask(tx, link, text))
        return str(self.api.get("/questions").json()["data"][0]["id"])

    def going_on(self) -> str:
        """The id of a change of so many invoices that a background task makes it."""
        for number in range(20, 41):
            self.api.post(f"/units/{new_unit(self.api, self.property_id, str(number))['id']}/tenants", {"name": "Bo"})
        ids = [one["id"] for one in self.invoices(month="2026-03") if one["tenantName"] == "Bo"]
        return str(self.api.post("/invoice-changes", {"verb": "SEND", "invoiceIds": ids}).json()["id"])

    @property
    def dispute_id(self) -> str:
        """The id of a dispute about January's water, made when it is first asked for."""
        there = self.api.get("/disputes").json()["data"]
        return str((there or [self.dispute("10", "2026-01")])[0]["id"])

    @property
    def document_id(self) -> str:
        """The id of a document that was read, uploaded when it is first asked for."""
        there = self.api.get("/documents").json()["data"]
        return str(there[0]["id"]) if there else self.bring(b"%PDF-1.7 of a test", UNREAD, [NO_PAGE])

    def bring(self, content: bytes, draft: Draft, pages: Sequence[Page]) -> str:
        """Upload a document, and record what was read from it."""
        brought = self.api.post("/documents", files={"file": ("bill.pdf", content)}).json()["id"]
        account = self.landlord.account_id
        self.house.database.write(lambda tx: documents.note_draft(tx, account, brought, draft, pages))
        return str(brought)

    def dispute(self, label: str, month: str) -> dict[str, Any]:
        """Send an invoice, and dispute its first charge."""
        self.set_status("SENT", label, month)
        invoice = self.invoice(label, month)
        return self.api.post(f"/invoices/{invoice['id']}/disputes", self.disputed(label, month)).json()

    def disputed(self, label: str = "1", month: str = "2026-03") -> dict[str, Any]:
        """Return the body of a request that disputes the first charge of an invoice."""
        return DISPUTE_SENT | {"chargeId": self.invoice(label, month, details="true")["charges"][0]["id"]}

    def invoices(self, **filters: Any) -> list[dict[str, Any]]:
        return self.api.get("/invoices", params={"limit": 100, "propertyId": self.property_id} | filters).json()["data"]

    def invoice(self, label: str = "1", month: str = "2026-03", **filters: Any) -> dict[str, Any]:
        (found,) = self.invoices(unitId=self.units[label], month=month, **filters)
        return found

    def add_bill(self, **body: Any) -> dict[str, Any]:
        """Add a bill by the API: $60.00 of water for April, unless `body` says otherwise."""
        return self.api.post(f"/properties/{self.property_id}/bills", WATER_SENT | body).json()

    def set_status(self, status: str, label: str = "1", month: str = "2026-03") -> httpx.Response:
        return self.api.patch(f"/invoices/{self.invoice(label, month)['id']}", {"status": status})


def furnish(house: House, landlord: Landlord | None = None, name: str = "Maple Court") -> Furnished:
    """Make a furnished property.

    Its bills are $90.00 of water for each of three months, which is $30.00 a unit.
    """
    landlord = landlord or house.landlord
    api = Api(house.client, landlord.admin)
    property_id = api.post("/properties", MAPLE | {"name": name}).json()["id"]
    units = {label: new_unit(api, property_id, label)["id"] for label in LABELS}
    tenant = api.post(f"/units/{units['1']}/tenants", {"name": "Ann Smith", "email": "ann@example.com"}).json()
    blend = api.post("/split-methods", blend_named(f"Half {name}")).json()
    added = [add_bill(house, landlord, property_id, month) for month in MONTHS]
    return Furnished(house, api, landlord, property_id, units, tenant["id"], blend["id"], added)


def new_unit(api: Api, property_id: str, label: str, **fields: Any) -> dict[str, Any]:
    return api.post(f"/properties/{property_id}/units", {"label": label} | fields).json()


def blend_named(name: str) -> dict[str, Any]:
    parts = [{"splitMethod": "SQFT", "percent": 50}, {"splitMethod": "EQUAL", "percent": 50}]
    return {"name": name, "components": parts}


def rule_of(api: Api, property_id: str, utility_type: str) -> dict[str, Any]:
    rules = api.get(f"/properties/{property_id}/sharerules").json()
    (found,) = [rule for rule in rules if rule["utilityType"] == utility_type]
    return found


def add_bill(house: House, landlord: Landlord, property_id: str, month: str, total: int = 90_00, **more: Any) -> str:
    """Add a bill for the month, with a total in cents, and return its id."""
    kinds = more.pop("kinds", ("WATER",))
    year, number = map(int, month.split("-"))
    day = more.pop("bill_date", date(year, number, 14))
    new = NewBill(property_id, more.pop("issuer", "Aqua Water Co."), kinds, total, day, **more)
    added = house.database.write(lambda tx: bills.add(tx, landlord.caller, [new]))
    return added.bills[0].id
