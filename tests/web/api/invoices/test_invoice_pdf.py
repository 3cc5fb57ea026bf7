"""`GET /invoices/{id}/pdf` returns an invoice as a PDF."""

import threading
from typing import Any

import pypdfium2
import pytest

from prorata.domain.printing.printed_invoices import PrintedInvoice
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House, beside
from tests.web.furnished import Furnished, add_bill, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    text = " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())
    document.close()
    return text


def path(made: Furnished) -> str:
    return f"/invoices/{made.invoice('1')['id']}/pdf"


def test_an_invoice_is_answered_as_a_file_to_look_at_under_its_number(made: Furnished) -> None:
    answer = made.api.get(path(made))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.headers["content-disposition"] == 'inline; filename="MAPLECOURT-1-2026-03.pdf"'
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert "$90.00 ÷ 3 = $30.00" in text_of(answer.content)
    assert "Draft" in text_of(answer.content)


def test_a_key_that_may_only_read_may_print(made: Furnished) -> None:
    answer = Api(made.house.client, made.landlord.read).get(path(made))
    assert answer.content.startswith(b"%PDF-")


def test_a_print_has_a_tag_that_changes_with_the_invoice(made: Furnished) -> None:
    first = made.api.get(path(made))
    unchanged = made.api.get(path(made), headers={"If-None-Match": first.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    made.set_status("SENT")
    sent = made.api.get(path(made), headers={"If-None-Match": first.headers["etag"]})
    assert sent.status_code == 200
    assert "Due by April 16, 2026" in text_of(sent.content)
    assert "Draft" not in text_of(sent.content)


def test_what_was_sent_before_is_had_under_its_number(made: Furnished) -> None:
    made.set_status("SENT")
    before = made.api.get(path(made))
    made.set_status("DRAFT")
    add_bill(made.house, made.landlord, made.property_id, "2026-03", total=60_00)
    sent = made.set_status("SENT").json()
    assert (sent["invoiceNumber"], sent["replacesNumber"]) == ("MAPLECOURT-1.R1-2026-03", "MAPLECOURT-1-2026-03")

    answer = made.api.get(path(made), params={"number": "MAPLECOURT-1-2026-03"})

    assert answer.headers["content-disposition"] == 'inline; filename="MAPLECOURT-1-2026-03.pdf"'
    assert "Replaced by MAPLECOURT-1.R1-2026-03" in text_of(answer.content)
    assert "$90.00 ÷ 3 = $30.00" in text_of(answer.content)
    assert answer.headers["etag"] != before.headers["etag"]
    now = text_of(made.api.get(path(made), params={"number": "maplecourt-1.r1-2026-03"}).content)
    assert (
        "This corrected invoice replaces invoice MAPLECOURT-1-2026-03 of April 2, 2026. What has changed: water" in now
    )
    assert_refused(made.api.get(path(made), params={"number": "MAPLECOURT-2-2026-03"}), 404, "INVOICE_NOT_FOUND")


def test_head_is_the_same_without_the_file(made: Furnished) -> None:
    head, get = made.api.request("HEAD", path(made)), made.api.get(path(made))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"]


@pytest.mark.parametrize("named", ["inv_00000000000000000000000000", "MAPLECOURT-1-2026-03", "x", "%00"])
def test_what_is_no_id_of_an_invoice_is_unknown(made: Furnished, named: str) -> None:
    assert_refused(made.api.get(f"/invoices/{named}/pdf"), 404, "INVOICE_NOT_FOUND")


def test_a_query_is_refused_and_so_are_other_methods(made: Furnished) -> None:
    assert_refused(made.api.get(path(made) + "?size=a5"), 400, "INVALID_REQUEST")
    assert made.api.post(path(made), {}).headers["allow"] == "GET, HEAD"


def test_a_printer_at_work_keeps_nobody_waiting(house: House, made: Furnished) -> None:
    """Typesetting runs in a thread of its own and holds no transaction open.

    So other requests can read and write in the meantime.
    """
    begun, go_on = threading.Event(), threading.Event()

    class SlowPrinter:
        """A printer that waits until the test lets it go on."""

        def __call__(self, invoice: PrintedInvoice) -> bytes:
            begun.set()
            assert go_on.wait(30)
            return b"%PDF-" + invoice.number.encode()

    to_print, printed = path(made), []
    with beside(house, prints=SlowPrinter()) as client:
        api = Api(client, made.landlord.full)
        waiting = threading.Thread(target=lambda: printed.append(api.get(to_print)))
        waiting.start()
        assert begun.wait(30)
        invoice: Any = made.invoice("2")
        assert api.patch(f"/invoices/{invoice['id']}", {"status": "SENT"}).status_code == 200
        assert api.get(f"/invoices/{invoice['id']}").json()["status"] == "SENT"
        go_on.set()
        waiting.join()
    assert printed[0].content == b"%PDF-MAPLECOURT-1-2026-03"
