"""Receipts beyond what a new account sends a day are said to wait."""

from html import unescape

from prorata.actions.accounts import accounts
from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes
from prorata.store.mail import quota as mail_days
from prorata.store.schema.tables import account
from tests.dashboard.billed import billed, set_status
from tests.dashboard.bulk.test_resends import arrive
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.payments.test_files import bring, chosen
from tests.dashboard.payments.test_payments import record

_CAP = changes(account.update().values(mail_capped_until="2099-01-01T00:00:00.000Z"))
STATEMENT = "Date,Description,Amount\n" + "".join(f"2026-03-05,MAPLECOURT-{at}-2026-02,30.00\n" for at in (1, 2, 3))
FULL = "A new account can send 200 e-mails a day in its first week: {} on the following days."
ONE_TODAY, NONE_TODAY = (
    FULL.format("1 will be sent today, and the others"),
    FULL.format("none will be sent today, only"),
)


def sent_by_a_new_account(office: Office, *, may_send: int) -> list[str]:
    """Three sent invoices whose mail has arrived; `may_send` more messages may be sent today."""

    def use_up(tx: Tx) -> None:
        tx.run(_CAP)
        for _ in range(MOST_MAIL_A_DAY - may_send):
            mail_days.take(tx, office.account_id, tx.now[:10], MOST_MAIL_A_DAY)

    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, accounts.Wishes(mail_on=True)))
    rows = billed(office, "1", "2", "3")
    for row in rows:
        set_status(office, row.id, "SENT")
        arrive(office, row)
    office.database.write(use_up)
    return [row.id for row in rows]


def test_receipts_of_a_bank_file_that_wait_for_the_next_day_are_not_said_to_go_at_once(quick_office: Office) -> None:
    sent_by_a_new_account(quick_office, may_send=1)
    browser = quick_office.browser("manager")
    at = bring(browser, STATEMENT)
    browser.post(f"{at}/record", chosen(browser.get(at)) | {"receipts": "true"})
    assert f"3 receipts will be sent by e-mail. {ONE_TODAY}" in unescape(browser.get(at).text)


def test_the_receipts_of_single_and_of_many_payments_are_said_to_wait_too(quick_office: Office) -> None:
    one, two, three = sent_by_a_new_account(quick_office, may_send=0)
    browser = quick_office.browser("manager")
    record(browser, one, "30", receipt="true")
    assert f"1 receipt will be sent by e-mail. {NONE_TODAY}" in unescape(browser.get(f"/invoices/{one}").text)
    begun = choose(browser, "/invoices/changes", verb="mark paid", chosen=[two, three], receipts="true")
    done = unescape(browser.get(begun.headers["location"]).text)
    assert f"2 receipts will be sent by e-mail. {NONE_TODAY}" in done
