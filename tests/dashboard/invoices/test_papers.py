"""Printed invoices lead to the tenant's page, which has the live payment link."""

import pypdfium2
from sqlalchemy import bindparam, update

from prorata.store.database.statements import changes
from prorata.store.schema.tables import invoice
from tests.dashboard.conftest import Office
from tests.dashboard.tenants import sent

PROVIDER = "https://pay.example.com/once"
LINKED = changes(update(invoice).where(invoice.c.id == bindparam("id")).values(payment_link_url=bindparam("url")))


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    text = "".join("".join(page.get_textpage().get_text_range() for page in document).split())
    document.close()
    return text


def test_every_pdf_leads_to_the_tenant_s_page_and_none_to_the_provider(office: Office) -> None:
    rows = sent(office, "1", "2")
    for row in rows:
        office.database.write(lambda tx, row=row: tx.run(LINKED, id=row.id, url=PROVIDER))
    browser = office.browser("owner")
    alone = browser.get(f"/invoices/{rows[0].id}/pdf").content
    together = browser.post("/invoices/pdf", {"chosen": [row.id for row in rows]})
    assert together.status_code == 200, together.text[:200]
    for content, number in ((alone, 1), (together.content, 2)):
        text = text_of(content)
        assert text.count("online:http") == number, text
        assert text.count("/i/") == number
        assert PROVIDER not in text
    assert browser.get(f"/invoices/{rows[0].id}/pdf").content == alone


def test_a_viewer_gets_no_link_with_which_one_writes_as_the_tenant(office: Office) -> None:
    (row,) = sent(office, "1")
    office.database.write(lambda tx: tx.run(LINKED, id=row.id, url=PROVIDER))
    viewer = office.browser("viewer")
    alone, together = viewer.get(f"/invoices/{row.id}/pdf"), viewer.post("/invoices/pdf", {"chosen": [row.id]})
    for answer in (alone, together):
        text = text_of(answer.content)
        assert PROVIDER in text
        assert "/i/" not in text
