"""Tests of disputes that a tenant opens on the tenant's page.

Staff answer and end them on the invoice's page.
"""

import re
from collections.abc import Callable
from itertools import repeat
from typing import Any

import httpx
import pytest

from prorata.actions.bills import corrections as bill_corrections
from prorata.actions.properties import tenants
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.ports import Verdict, Window
from prorata.store.delivery import disputes
from prorata.store.delivery.disputes import ListedDispute
from prorata.store.invoices import invoices
from prorata.store.mail import messages as mail
from tests.dashboard.billed import set_status
from tests.dashboard.conftest import OWN_SITE, Browser, Office, build_office, form_token
from tests.dashboard.delivery.test_tenant_statements import bill_march
from tests.dashboard.tenants import page_of, sent
from tests.web.knocking import knock

WHY = "The meter was read twice."
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40
PROGRAM = b"MZ\x90\x00" + b"\x00" * 40


def charge_of(office: Office, invoice_id: str) -> str:
    """The id of an invoice's only charge."""
    (charge,) = office.database.read(lambda tx: invoices.charges(tx, office.account_id, [invoice_id]))
    return charge.id


def form_at(office: Office, invoice_id: str) -> str:
    """The address of the form with which the tenant disputes the invoice's only charge."""
    return f"{page_of(office, invoice_id)}/dispute/{charge_of(office, invoice_id)}"


def dispute(
    office: Office, invoice_id: str, amount: str = "12.30", text: str = WHY, files: Any = (), at: str = ""
) -> httpx.Response:
    """Dispute the only charge of an invoice from the tenant's page."""
    browser, path = office.browser(), at or form_at(office, invoice_id)
    fields = {"form_token": form_token(browser.get(path).text), "text": text, "amount": amount}
    brought = [("files", (name, content, "application/octet-stream")) for name, content in files] or None
    return browser.client.post(path, data=fields, files=brought, headers=OWN_SITE, follow_redirects=False)


def stored(office: Office, invoice_id: str) -> list[ListedDispute]:
    return office.database.read(lambda tx: disputes.of_invoices(tx, office.account_id, [invoice_id]))


def mailed(office: Office, kind: str, dispute_id: str) -> list[str]:
    rows = office.database.read(lambda tx: mail.about(tx, office.account_id, kind, [dispute_id]))
    return [row.to_address for row in rows]


def see(browser: Browser, path: str) -> str:
    """Return the text of a page as one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", browser.get(path).text).split())


def test_a_paid_invoice_is_disputed_without_a_word_of_what_is_due(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    set_status(office, one.id, "PAID")
    form = office.browser().get(form_at(office, one.id)).text
    assert "Your dispute goes to" in form
    assert "If the charge is corrected, the difference is on one of your next invoices, or is paid back." in form
    assert "The part of it that is wrong, at most $45.00." in form
    assert "as before" not in form


def test_of_a_credit_a_tenant_disputes_what_it_is_too_small_by(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    (march, _) = bill_march(office, one, -90_00)
    set_status(office, march.id, "SENT")
    form = office.browser().get(form_at(office, march.id)).text
    assert "How much more you should get, at most $45.00. If it is more than that, write it above." in form


def test_a_tenant_disputes_a_charge_with_a_photo_which_staff_answers_and_ends_with_a_reason(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    tenant, path = office.browser(), page_of(office, one.id)
    assert "Dispute this charge" in tenant.get(path).text
    form = tenant.get(form_at(office, one.id)).text
    assert 'value="45.00"' in form, "the charge is what is proposed"
    assert "the rest is due as before" in form
    before = see(tenant, path)
    assert dispute(office, one.id, files=[("../meter.png", PNG)]).headers["location"] == path
    (row,) = stored(office, one.id)
    assert (row.amount, row.charged, row.tenant_name, row.opened_by) == (12_30, 45_00, "Tenant 1", None)
    assert mailed(office, "question", row.question_id) == ["owner@example.com"]
    assert dispute(office, one.id, at=form_at(office, one.id), files=[("again.png", PNG)]).status_code == 303
    page = see(tenant, path)
    assert "$12.30 in dispute since" in page
    assert "The balance is $45.00; $12.30 of it is in dispute, and not asked for until that has ended." in page
    assert "You need not pay $12.30 of the balance now, for example because it is in dispute." in page
    assert "With: meter.png" in page
    (due,) = re.findall(r"An answer is due by ([^.]+)\.", page)
    assert f"If you send it today, an answer is due by {due}." in form
    assert f"if you do it today, Harbor Rentals has to answer by {due}. For anything else, ask a question." in before
    assert "Dispute this charge" not in page
    owner = office.browser("owner")
    shown = owner.get(f"/invoices/{one.id}").text
    assert "$12.30 of $45.00 is in dispute." in shown
    assert f"disputed a charge of {one.number}" in shown
    assert "Answered elsewhere (the dispute stays open)" in shown
    assert "Mark as answered" not in shown, "it does not end the dispute"
    assert "1 disputed charge to settle." in owner.get("/").text
    waiting = owner.get("/questions").text
    assert "An answer is due by" in waiting
    assert "Disputed: $12.30" in waiting
    file = owner.get(f"/disputes/{row.question_id}/files/1")
    assert file.content == PNG
    assert file.headers["content-disposition"] == "attachment; filename*=UTF-8''meter.png"
    assert file.headers["x-content-type-options"] == "nosniff"
    owner.post(f"/invoices/{one.id}/reply", {"question": row.question_id, "reply": "We are looking into it."})
    page = see(tenant, path)
    assert "We are looking into it. Your dispute is still open, and the amount in question is not asked for" in page
    assert "if not, tell Harbor Rentals why. Withdraw the dispute" in page
    assert "1 disputed charge to settle." in owner.get("/").text, "it is answered, and open"
    owner.post(f"/invoices/{one.id}/resolve", {"dispute": row.question_id, "reason": "It was read once."})
    page = see(tenant, path)
    assert re.search(r"Harbor Rentals ended the dispute on \S+ \d+, \d+: It was read once\.", page)
    assert re.search(r"Disputed on \S+ \d+, \d+, \$12\.30:", page)
    assert "in dispute" not in page
    assert "Dispute this charge" in page
    assert mailed(office, "outcome", row.question_id) == ["t1@example.org"]
    assert "disputed charge" not in owner.get("/").text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"amount": "45.01"}, "at most $45.00"),
        ({"amount": "0"}, "above zero"),
        ({"amount": "much"}, "above zero"),
        ({"text": " \n"}, "Write first what is wrong."),
        ({"text": "x" * 2001}, "at most 2,000"),
        ({"files": [("meter.png", PROGRAM)]}, "each a JPEG, PNG or PDF"),
        ({"files": [("bill.csv", b"property,total\n1,2\n")]}, "each a JPEG, PNG or PDF"),
        ({"files": [("meter.png", PNG), ("letter.pdf", b"")]}, "Nothing was sent yet: letter.pdf is empty."),
        ({"files": [(f"{number}.png", PNG) for number in range(4)]}, "at most 3 files"),
    ],
)
def test_what_can_not_be_disputed_is_said_on_the_form_and_nothing_is_kept(
    office: Office, wrong: dict[str, Any], said: str
) -> None:
    (one,) = sent(office, "1", total=45_00)
    answer = dispute(office, one.id, **wrong)
    assert answer.status_code == 400
    assert said in answer.text
    assert wrong.get("text", WHY).strip() in answer.text, "what was typed is kept"
    assert stored(office, one.id) == []


@pytest.mark.parametrize("sizes", [(12_000_000,), (5_000_000, 4_000_000, 4_000_000), (10_500_000,)])
def test_too_large_a_photo_leaves_what_was_typed_on_the_form(office: Office, sizes: tuple[int, ...]) -> None:
    (one,) = sent(office, "1", total=45_00)
    photos = [(f"{at}.png", PNG + b"\x00" * size) for at, size in enumerate(sizes)]
    answer = dispute(office, one.id, files=photos)
    assert answer.status_code == 400
    assert WHY in answer.text
    assert 'value="12.30"' in answer.text
    assert re.search(
        r'id="wrong-files">These files are too large: at most 10 MB each, and 11 MB together\.', answer.text
    )
    assert stored(office, one.id) == []


def test_a_link_that_leads_nowhere_is_told_before_any_file_is_read(office: Office) -> None:
    (one,) = sent(office, "1")
    others = ("/i/nothing/dispute/chg_1", f"{page_of(office, one.id)}/dispute/chg_1")
    about = {**OWN_SITE, "Content-Type": "multipart/form-data; boundary=b", "Accept": "text/html"}
    for path in others:
        pieces = repeat(b"--b\r\n" + b"x" * 65_536)
        answer = knock(office.app, "POST", path, headers=about, pieces=pieces, host="testserver.local")
        assert (answer.status, answer.taken) == (404, 0), path
        assert b"There is nothing here" in answer.body


def test_only_charges_of_the_invoice_can_be_disputed_and_none_of_a_draft(office: Office) -> None:
    one, two = sent(office, "1", "2")
    there = form_at(office, one.id)
    others = f"{page_of(office, one.id)}/dispute/{charge_of(office, two.id)}"
    assert office.browser().get(others).status_code == 404
    assert dispute(office, one.id, at=there).status_code == 303
    again = dispute(office, one.id, amount="1", at=there)
    assert (again.status_code, "in dispute already" in again.text) == (409, True)
    assert dispute(office, one.id, at=there).status_code == 303, "the same once more counts once"
    with_a_file = dispute(office, one.id, at=there, files=[("meter.png", PNG)])
    assert with_a_file.status_code == 409, "a file that is not kept is not taken for kept"
    assert len(stored(office, one.id)) == 1
    form = form_at(office, two.id)
    set_status(office, two.id, "DRAFT")
    assert office.browser().get(form).status_code == 404
    owner = office.browser("owner")
    refused = owner.get(f"/invoices/{two.id}/charges/{charge_of(office, two.id)}/dispute")
    assert (refused.status_code, "draft or cancelled" in refused.text) == (409, True)


def test_staff_disputes_on_a_tenant_s_behalf_and_a_viewer_does_not(office: Office) -> None:
    (one,) = sent(office, "1")
    form = f"/invoices/{one.id}/charges/{charge_of(office, one.id)}/dispute"
    assert office.browser("viewer").get(form).status_code == 403
    assert office.browser("stranger").get(form).status_code == 404
    owner = office.browser("owner")
    too_much = owner.post(form, {"text": WHY, "amount": "90.01"})
    assert (too_much.status_code, "no more than the amount of the charge: $90.00" in too_much.text) == (400, True)
    assert stored(office, one.id) == []
    fields = {"form_token": form_token(owner.get(form).text), "text": WHY, "amount": "12.30"}
    photos = [("files", ("meter.png", PNG + b"\x00" * 12_000_000, "image/png"))]
    too_large = owner.client.post(form, data=fields, files=photos, headers=OWN_SITE)
    assert (too_large.status_code, WHY in too_large.text, 'value="12.30"' in too_large.text) == (400, True, True)
    assert "The files can be at most 11 MB in total." in too_large.text
    empty = owner.client.post(form, data=fields, files={"files": ("meter.png", b"")}, headers=OWN_SITE)
    assert (empty.status_code, "The file meter.png is empty." in empty.text) == (400, True)
    assert owner.post(form, {"text": WHY, "amount": "90"}).headers["location"] == f"/invoices/{one.id}"
    (row,) = stored(office, one.id)
    assert row.opened_by
    assert mailed(office, "question", row.question_id) == [], "who opened it knows"
    of_tenant = office.browser().get(page_of(office, one.id)).text
    assert WHY in of_tenant
    for page in (owner.get(form).text, of_tenant, owner.get(f"/invoices/{one.id}").text):
        assert ">Water: $90.00\nDivided equally: this unit pays 1 of 1 equal shares." in page, "as on the invoice"
    assert "Opened by" in owner.get(f"/invoices/{one.id}").text
    pays = owner.get(f"/invoices/{one.id}/payments/new").text
    assert "$90.00 of what is left to pay is disputed. Only the undisputed part is proposed" in pays
    assert re.search(r'name="amount"[^>]*value=""', pays), "all of it is disputed"


def test_a_dispute_that_ends_with_a_correction_says_by_how_much_and_where(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    dispute(office, one.id)
    (row,) = stored(office, one.id)
    owner, ends = office.browser("owner"), f"/disputes/{row.question_id}/corrected"
    assert "no correction yet" in owner.post(ends, {}).text
    at = f"/invoices/{one.id}"
    assert [text in owner.get(at).text for text in ("with the correction</button>", "If the bill is right")] == [
        False,
        True,
    ]
    (charge,) = office.database.read(lambda tx: invoices.charges(tx, office.account_id, [one.id]))
    bill_id = charge.bill_id or ""
    office.database.write(lambda tx: bill_corrections.correct(tx, office.caller, bill_id, 70_00))
    assert "is still pending" in owner.post(ends, {}).text
    office.database.write(lambda tx: bill_corrections.place(tx, office.caller, bill_id))
    assert [text in owner.get(at).text for text in ("with the correction</button>", "If the bill is right")] == [
        True,
        False,
    ]
    assert owner.post(ends, {}).headers["location"] == at
    assert "Corrected by -$10.00, on the invoice for March 2026." in owner.get(f"/invoices/{one.id}").text
    page = see(office.browser(), page_of(office, one.id))
    said = "by -$10.00. The full $45.00 of this invoice is due. The due date is "
    assert page.count(said) == 2, "beside the charge, and below the question"
    assert page.index(said) < page.index("Dispute this charge")


def test_a_tenant_withdraws_a_dispute_of_their_own_and_no_other(office: Office) -> None:
    one, two = sent(office, "1", "2")
    for its in (one, two):
        dispute(office, its.id)
    (mine,), (other,) = stored(office, one.id), stored(office, two.id)
    browser, path = office.browser(), page_of(office, one.id)
    token = {"form_token": form_token(browser.get(path).text)}

    def withdraw(dispute_id: str, at: str = path) -> int:
        to = f"{at}/disputes/{dispute_id}/withdraw"
        return browser.client.post(to, data=token, headers=OWN_SITE, follow_redirects=False).status_code

    assert withdraw(other.question_id) == 404
    assert withdraw(mine.question_id) == 303
    assert "The dispute was withdrawn on" in see(browser, path)
    assert withdraw(mine.question_id) == 303, "a second tap finds it done"
    assert "The dispute is withdrawn." in see(browser, path)
    office.browser("owner").post(f"/invoices/{two.id}/resolve", {"dispute": other.question_id, "reason": "Read once."})
    its_page = page_of(office, two.id)
    assert withdraw(other.question_id, its_page) == 303
    page = see(browser, its_page)
    assert "The dispute had ended already." in page
    assert "Read once." in page
    assert [one.state for one in (*stored(office, one.id), *stored(office, two.id))] == ["WITHDRAWN", "RESOLVED"]
    assert mailed(office, "outcome", mine.question_id) == [], "who withdrew it knows"


def test_a_dispute_of_an_invoice_that_is_taken_back_just_then_is_not_called_open_already(migrated_url: str) -> None:
    limiter = Meanwhile()
    office = build_office(migrated_url, limiter=limiter)
    with office.live():
        (one,) = sent(office, "1")
        path = page_of(office, one.id)
        limiter.work = lambda: set_status(office, one.id, "DRAFT")
        answer = dispute(office, one.id)
        assert (answer.status_code, answer.headers["location"]) == (303, path)
        assert stored(office, one.id) == []


class Meanwhile(MemoryLimiter):
    """A limiter that runs `work` between the two times that Prorata reads a disputed invoice."""

    work: Callable[[], None] | None = None

    async def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        if self.work is not None and key.startswith("question about"):
            self.work()
        return await super().admit(key, windows, requests)


def test_files_of_a_dispute_are_for_who_may_read_the_account(office: Office) -> None:
    (one,) = sent(office, "1")
    dispute(office, one.id, files=[("meter.png", PNG)])
    (row,) = stored(office, one.id)
    at = f"/disputes/{row.question_id}/files"
    assert office.browser("viewer").get(f"{at}/1").status_code == 200
    assert office.browser("stranger").get(f"{at}/1").status_code == 404
    for number in ("2", "0", "x", "9" * 400):
        assert office.browser("owner").get(f"{at}/{number}").status_code == 404


def test_while_the_invoice_is_a_draft_again_the_page_keeps_the_dispute_and_not_its_charge(office: Office) -> None:
    (one,) = sent(office, "1")
    path = page_of(office, one.id)
    dispute(office, one.id)
    set_status(office, one.id, "DRAFT")
    page = see(office.browser(), path)
    assert WHY in page
    assert "Water" not in page
    assert "Withdraw" not in page


def test_the_review_of_a_month_says_what_of_it_is_disputed(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    at = f"/properties/{one.property_id}/months/{one.month}"
    owner = office.browser("owner")
    assert "disputed" not in see(owner, at)
    dispute(office, one.id)
    assert "$12.30 of the invoice for unit 1 is disputed." in see(owner, at)


@pytest.mark.parametrize("held", [None, NO_SERVER])
def test_who_ends_a_dispute_reads_before_and_after_how_the_tenant_is_told(
    migrated_sqlite_url: str, held: str | None
) -> None:
    environment = {} if held else {"PRORATA_SMTP_URL": "smtp://mail.example.com"}
    office = build_office(migrated_sqlite_url, mail_held=held, **environment)
    one, two, three = sent(office, "1", "2", "3")
    for its in (one, two, three):
        dispute(office, its.id)
    tenant_id, owner = three.tenant_id or "", office.browser("owner")
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant_id, {"email": None}))
    (asked,), (withdrawn,), (unreachable,) = (stored(office, its.id) for its in (one, two, three))
    before = (
        "E-mail isn’t set up, so tell the tenant that" if held else "and is told by e-mail if invoices are e-mailed"
    )
    assert before in owner.get(f"/invoices/{one.id}").text
    told = "The tenant is told by e-mail, and can see it on their page."
    saved = f"The tenant can see it on their page. {NO_SERVER} Tell the tenant that it’s there."
    owner.post(f"/invoices/{one.id}/resolve", {"dispute": asked.question_id, "reason": "Read once."})
    assert f"The dispute was ended with a reason. {told if held is None else saved}" in owner.get("/invoices").text
    owner.post(f"/disputes/{withdrawn.question_id}/withdrawn", {})
    assert f"The dispute is withdrawn. {told if held is None else saved}" in owner.get("/invoices").text
    owner.post(f"/invoices/{three.id}/resolve", {"dispute": unreachable.question_id, "reason": "Read once."})
    assert "No e-mail is sent: tell the tenant that it’s there." in owner.get("/invoices").text
    outcomes = [mailed(office, "outcome", its.question_id) for its in (asked, withdrawn, unreachable)]
    assert outcomes == [["t1@example.org"], ["t2@example.org"], []]
