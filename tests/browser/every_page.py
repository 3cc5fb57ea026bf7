"""Every page of the dashboard, from the table of routes.

The module also makes the records that the addresses of the pages name.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple, get_type_hints

from playwright.sync_api import Page

from prorata import wiring
from prorata.actions.accounts import members, one_time_links, own_profile
from prorata.actions.bulk import bulk
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.intake import documents, table_documents
from prorata.actions.intake.page_lessons import LEARN
from prorata.actions.invoices import invoices, lists as invoice_lists
from prorata.actions.invoices.lists import Wish
from prorata.actions.jobs import jobs
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.payments import files as payment_files, payments
from prorata.actions.payments.payments import Received
from prorata.domain.accounts.one_time_links import INVITE, RESET, VERIFY
from prorata.domain.online_payments.payment_links import LIVE, SANDBOX
from prorata.store.accounts import members as stored_members
from prorata.store.database.engine import Tx
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.online_payments import payment_links
from prorata.store.online_payments.payment_links import LinkRow
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.pages import Download, Streamed
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import Visitor
from tests.browser.landlord import Landlord, a_charge_file, a_sent_reminder
from tests.incoming import a_message

FOR_GUESTS = sorted(page.path for page in PAGES if page.method == "GET" and page.may is None)
FOR_PEOPLE = sorted(
    page.path
    for page in PAGES
    if page.method == "GET" and page.may is not None
    if get_type_hints(page.work)["return"] not in (Download, Streamed)  # which a browser keeps, or opens by itself
)

TABLE = (
    b"property,issuerName,utilityType,totalAmountDue,billDate\n"
    b"Maple Court,Aqua,WATER,90.01,2026-03-02\n"
    b"Nowhere,Aqua,WATER,x,2026-03-02\n"
)
STATEMENT = (
    b"Date,Amount,Payer,Description\n"
    b"2026-03-05,50.00,ANN LEE,MAPLECOURT-1A-2026-02\n"
    b"2026-03-06,50.00,J. SMITH,a payment with a long text that says nothing of an invoice or of anybody\n"
    b"2026-03-06,7.77,X,rent\n"
    b"soon,1.00,X,odd\n"
)


class Records(NamedTuple):
    """Records that pages need in addition to the landlord's own.

    With them, each page has the contents that a person would see.
    """

    document: str
    table: str
    charge: str
    job: str
    kind: str
    changed: str
    payment: str
    statement: str
    link: str
    tokens: dict[str, str]
    export: str
    other: str
    message: str
    mail: str = ""


def made_for(landlord: Landlord) -> Records:
    """Make the records that pages need in addition to the landlord's own.

    They are a waiting PDF bill and a table of bills; a custom charge; a waiting job and a failed one; a change of many
    invoices that can be undone; a payment, a file of payments and a sent reminder; and a link of each kind in e-mails.
    """
    content = printed(facts_of("en-US", 3, "ELECTRICITY", "plain"), LAYOUTS[0])
    draft = wiring.bill_reader().read(content).draft
    sheet = wiring.table_reader()("bills", TABLE)
    addresses, caller = wiring.link_addresses(landlord.settings), landlord.caller

    def job(tx: Tx, kind: str, **more: object) -> str:
        far = tx.moment + timedelta(days=300)
        job_id = jobs.enqueue(tx, caller.account_id, kind, {"document": "doc_0"}, due_at=far) or ""
        row = stored_jobs.find(tx, caller.account_id, job_id)
        assert row is not None
        stored_jobs.save(tx, [row._replace(**more)])  # type: ignore[arg-type]
        return job_id

    def make(tx: Tx) -> Records:
        export = a_charge_file(tx, caller)  # one of its invoices changes below
        row = documents.take(tx, caller, "power.pdf", content, "upload").row
        documents.note_draft(tx, caller.account_id, row.id, draft)
        table = documents.take(tx, caller, "march.csv", TABLE, "upload").row
        table_documents.note_table(tx, caller.account_id, table.id, sheet)
        with_charge = invoices.add_custom_charge(tx, caller, landlord.invoice_id, "Garage", 25_00)
        (charge,) = (one.id for one in with_charge.charges or [] if one.bill_id is None)
        waits = job(tx, documents.READ)
        job(tx, LEARN, state="failed", ended_at=tx.now, attempts=8, last_error="It broke.")
        both = invoice_lists.ids_of(tx, caller, Wish({}), most=2)
        (other,) = (one for one in both if one != landlord.invoice_id)
        changed = bulk.begin(tx, caller, "mark paid", [other]).id
        received = Received(10_00, tx.moment.date(), note="at the door")
        payment = payments.receive(tx, caller, landlord.invoice_id, received)
        statement = payment_files.keep(tx, caller, "april.csv", STATEMENT, wiring.table_reader()("payments", STATEMENT))
        ann = stored_members.find(tx, caller.account_id, landlord.member_id)
        assert ann is not None
        made = {
            "join": (INVITE, members.invite(tx, caller, email="cy@example.com", role="viewer").id),
            "reset": (RESET, own_profile.reset_link(tx, ann, created_by=ann.id).id),
            "verify": (VERIFY, _verifying(tx, caller.account_id)),
        }
        tokens = {page: addresses(kind, link_id).rpartition("/")[2] for page, (kind, link_id) in made.items()}
        link = LinkRow(
            caller.account_id, tx.new_id("plink"), landlord.invoice_id, SANDBOX, 45_00, "USD", LIVE, "trial", None,
            tx.now, tx.now, "MAPLE-1-2026-02",
        )  # fmt: skip
        payment_links.add(tx, link)
        payment_providers.use_sandbox(tx, caller, is_on=True)
        message = a_sent_reminder(tx, caller, other)
        return Records(
            row.id, table.id, charge, waits, LEARN, changed, payment, statement, link.id, tokens, export, other, message
        )

    with wiring.made(landlord.settings) as database:
        to = Recipient(landlord.caller.account_id)
        message = a_message(("bill.pdf", content))
        kept = database.write(lambda tx: incoming_mail.keep(tx, to, envelope_from="", message=message, way="smtp"))
        assert kept is not None
        return database.write(make)._replace(mail=kept.id)


def _verifying(tx: Tx, account_id: str) -> str:
    """Make a link that confirms the unconfirmed e-mail address of a member."""
    row = stored_members.new(tx, account_id, "di@example.com", "none", "viewer", name="Di", is_verified=False)
    assert stored_members.add(tx, row)
    return one_time_links.make(tx, account_id, VERIFY, email=row.email, member_id=row.id, created_by=row.id).id


def address(path: str, landlord: Landlord, records: Records) -> str:
    document = records.table if path.endswith("/table") else records.document
    known = {
        "{id}": landlord.property.id, "{key}": landlord.key_id, "{endpoint}": landlord.hook_id, "{member}": landlord.member_id,
        "{unit}": landlord.unit.id, "{tenant}": landlord.tenant.id, "{method}": landlord.blend.id,
        "{bill}": landlord.bill.id, "{utility}": "water", "{month}": landlord.month, "{invoice}": records.other if "{message}" in path else landlord.invoice_id,
        "{step}": "send", "{document}": document, "{charge}": records.charge, "{job}": records.job,
        "{kind}": records.kind, "{payment}": records.payment, "{file}": records.statement, "{change}": records.changed,
        "{mail}": records.mail, "{message}": records.message, "{account}": landlord.caller.account_id, "{link}": records.link, "{system}": "quickbooks-desktop",
        "{export}": records.export, "{token}": records.tokens.get(path.split("/")[1], ""),
    }  # fmt: skip
    for name, value in known.items():
        path = path.replace(name, value)
    assert "{" not in path, path
    return path


EXPECTED = {
    "/sign-up": 403, "/nowhere": 404, "/invoices/{invoice}/charges/{charge}/dispute": 409,
    "/tenants/{tenant}/erase": 409,
}  # fmt: skip
"""Nobody else signs up where a landlord is, the invoice is a draft, and the tenant still lives there. Every other page is the page itself, and not one that says why not."""


def open_(who: Visitor, path: str, landlord: Landlord, records: Records) -> None:
    """Open a page directly, or through the form that leads to it."""
    if path in AFTER_A_FORM:
        AFTER_A_FORM[path](who, landlord)
        return
    answer = who.page.goto(who.url + address(path, landlord, records))
    assert answer is not None
    assert answer.status == EXPECTED.get(path, 200), (path, answer.status)


def _submit(page: Page, field: str) -> None:
    """Submit the form that contains a field, whatever the language of its button."""
    page.locator(f"form:has([name={field}]) [type=submit]").click()


def key_made(visitor: Visitor, _landlord: Landlord) -> None:
    page = visitor.go("/settings/keys")
    page.locator("[name=name]").fill("spreadsheet")
    _submit(page, "expires")
    page.locator("#new-key").wait_for()


def asked_about_many(visitor: Visitor, _landlord: Landlord) -> None:
    page = visitor.go("/invoices?status=DRAFT")
    page.locator("[name=chosen]").first.check()
    page.locator("[name=verb][value=send]").click()
    page.wait_for_url("**/invoices/chosen")


def compared(visitor: Visitor, landlord: Landlord) -> None:
    page = visitor.go(f"/properties/{landlord.property.id}/months/2026-02/compare")
    page.locator("[name=pasted]").fill("1A\t40.00\n9\t1.00")
    _submit(page, "pasted")
    page.locator("#units").wait_for()


def compared_many(visitor: Visitor, _landlord: Landlord) -> None:
    page = visitor.go("/import/charges")
    page.locator("[name=pasted]").fill(
        "Property\tUnit\tMonth\tAmount\nMaple Court\t1A\t2026-02\t40.00\nNowhere\t9\tlots\t1"
    )
    _submit(page, "pasted")
    page.locator("[name='word.property.1']").wait_for()


def units_looked_at(visitor: Visitor, _landlord: Landlord) -> None:
    page = visitor.go("/import/units")
    _upload(page, "rows.csv", b"property,label\nMaple Court,9Z\nNowhere,3\n")
    page.get_by_text("Nowhere").first.wait_for()


def rules_looked_at(visitor: Visitor, _landlord: Landlord) -> None:
    page = visitor.go("/import/rules")
    _upload(page, "rows.csv", b"property,utility,split\nMaple Court,Water,SQFT\nNowhere,Gas,Equal\n")
    page.get_by_text("Nowhere").first.wait_for()


def columns_asked(visitor: Visitor, _landlord: Landlord) -> None:
    page = visitor.go("/payments")
    _upload(page, "may.csv", b"Dag;Bedrag\n2026-03-05;45,00\n")
    page.locator("#columns").wait_for()


def _upload(page: Page, name: str, rows: bytes) -> None:
    page.locator("[name=file]").set_input_files(files=[{"name": name, "mimeType": "text/csv", "buffer": rows}])
    _submit(page, "file")


AFTER_A_FORM: dict[str, Callable[[Visitor, Landlord], None]] = {
    "a new key": key_made, "the question before a change of many": asked_about_many, "what a comparison gave": compared,
    "what a comparison of many months asks": compared_many,
    "units of a file": units_looked_at, "rules of a file": rules_looked_at,
    "columns of a statement that are asked": columns_asked,
}  # fmt: skip
"""Pages that only a form leads to."""


ASKED_FOR = (
    "/properties/{id}/months/{month}?search=ann", "/payments?search=ann", "/payments?of=open", "/activity?sort=oldest",
)  # fmt: skip
"""Pages that look otherwise where something is asked of them."""
EVERY = [*FOR_GUESTS, *FOR_PEOPLE, *ASKED_FOR, "/nowhere", *AFTER_A_FORM]
