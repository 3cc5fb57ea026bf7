"""An erased tenant is named nowhere, except where docs/privacy.md says so."""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from prorata import wiring
from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.online_payments import providers
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.payments import files as payment_files
from prorata.actions.privacy import closing, erasing, exporting
from prorata.actions.privacy.erasing import Erasure, NothingOutside
from prorata.actions.privacy.read_files import ReadFiles, read_files
from prorata.actions.properties import properties, tenants
from prorata.adapters.database.erasure_list import ErasureList
from prorata.adapters.exports.packs import packed
from prorata.adapters.files.named_files import NamedFiles
from prorata.domain.privacy.personal_words import FORMER_TENANT, PersonalWords
from prorata.errors import Conflict
from prorata.ports import Erased
from prorata.store.database.engine import Tx, rehearse
from tests.dashboard.conftest import PASSWORD, build_office
from tests.dashboard.privacy.canary import EMAIL, LIVED_IN, NAME, NEIGHBOR, Canary, holds
from tests.every_row import every_row

KEPT_AS_SENT = {
    "charge.description",
    "earlier_invoice.printed",
    "invoice.printed",
    "invoice_explanation.content",
    "invoice.tenant_name",
    "mail_content.pdf",
}
"""The columns that name an erased tenant until the retention period for invoices ends.

See docs/privacy.md.
"""


@pytest.fixture
def canary(migrated_url: str, tmp_path: Path) -> Iterator[Canary]:
    office = build_office(migrated_url)
    with office.live():
        made = Canary(office, migrated_url, tmp_path / "data")
        made.live_a_year()
        yield made


def erased(canary: Canary) -> Erasure:
    office, archive, read = canary.office, wiring.archive(canary.settings), read_first(canary)
    return office.database.write(lambda tx: erasing.erase(tx, office.caller, canary.tenant_id, archive, read))


def read_first(canary: Canary) -> ReadFiles:
    """The files that name the tenant, as read before the erasure."""
    return read_files(canary.office.database, canary.office.caller, canary.tenant_id, NamedFiles())


def test_what_was_kept_of_a_tenant_is_gone_once_erased_but_what_was_sent(canary: Canary) -> None:
    office = canary.office
    assert canary.places() >= LIVED_IN
    money = {
        name: [(row["id"], row["amount"]) for row in every_row(canary.url)[name]] for name in ("payment", "charge")
    }
    done = erased(canary)
    assert canary.places() <= KEPT_AS_SENT
    assert not list(check_account(office.database, office.account_id))
    assert (done.kept_invoices, done.drafts, done.kept_until) == (1, 1, "2036-04-02")
    rows = every_row(canary.url)
    assert {name: [(row["id"], row["amount"]) for row in rows[name]] for name in money} == money
    assert NEIGHBOR in {row["name"] for row in rows["tenant"]}
    assert NEIGHBOR in str(rows["payment_file"][0]["content"])
    assert list(ErasureList(canary.data_dir).read()) == [Erased(office.account_id, canary.tenant_id)]
    with pytest.raises(Conflict, match="already been erased"):
        erased(canary)


def test_a_tenant_who_was_removed_is_hidden_and_kept_until_erased(canary: Canary) -> None:
    office, before = canary.office, canary.places()
    office.database.write(lambda tx: tenants.remove(tx, office.caller, canary.tenant_id))
    assert canary.places() == before
    assert office.browser("owner").get(f"/tenants/{canary.tenant_id}").status_code == 404
    erased(canary)
    assert canary.places() <= KEPT_AS_SENT


def test_a_tenant_entered_by_mistake_leaves_nothing_but_answers_of_a_day(canary: Canary) -> None:
    office = canary.office
    unit = every_row(canary.url)["unit"][0]["id"]
    row = office.database.write(lambda tx: tenants.create(tx, office.caller, unit, {"name": "Xerxes Yggdrasil"}))
    assert office.database.write(lambda tx: tenants.remove(tx, office.caller, row.id)) is False
    assert "Yggdrasil" not in str(every_row(canary.url))


def test_no_line_of_the_log_names_a_tenant(canary: Canary, capfd: pytest.CaptureFixture[str]) -> None:
    canary.office.browser("owner").get("/tenants?search=Quillfeather")
    erased(canary)
    canary.work()
    said = capfd.readouterr()
    assert not holds(said.out + said.err)


def test_a_row_of_the_bank_that_was_recorded_stays_recorded_without_the_name(canary: Canary) -> None:
    office = canary.office

    def recorded() -> tuple[int, ...]:
        def look(tx: object) -> tuple[int, ...]:
            return payment_files.look_at(
                tx, office.caller, payment_files.find(tx, office.caller, canary.file_id)
            ).recorded  # type: ignore[arg-type]

        return office.database.read(look)

    before = recorded()
    assert before
    erased(canary)
    assert recorded() == before


def test_a_rehearsal_says_the_same_and_erases_nothing(canary: Canary) -> None:
    office, before = canary.office, every_row(canary.url)
    read = read_first(canary)
    said = rehearse(
        office.database, lambda tx: erasing.erase(tx, office.caller, canary.tenant_id, NothingOutside(), read)
    )
    assert every_row(canary.url) == before
    assert canary.places() >= LIVED_IN
    assert erased(canary) == said


def test_programs_hear_of_it(canary: Canary) -> None:
    erased(canary)
    told = [row for row in every_row(canary.url)["event_batch"] if row["type"] == "tenant.erased"]
    assert [row["record_ids"] for row in told] == [canary.tenant_id]


def test_nobody_is_erased_who_still_lives_there(canary: Canary) -> None:
    browser = canary.office.browser("owner")
    left = browser.post(
        f"/tenants/{canary.tenant_id}/edit", {"name": NAME, "email": EMAIL, "moveOutDate": "2030-01-01"}
    )
    assert left.status_code == 303
    with pytest.raises(Conflict, match="still lives here"):
        erased(canary)


def test_nobody_is_erased_while_a_message_that_may_name_them_is_still_to_be_read(canary: Canary) -> None:
    canary.receives("Lamp")
    with pytest.raises(Conflict, match="still to be read"):
        erased(canary)
    canary.work()
    erased(canary)
    assert canary.places() <= KEPT_AS_SENT


class Slow(NamedFiles):
    """A file reader that cannot search any message, and must not be used once closed."""

    is_closed = False

    def cut(self, workbook: bytes, words: PersonalWords) -> bytes | None:
        assert not self.is_closed
        return super().cut(workbook, words)

    def naming(self, messages: Sequence[bytes], words: PersonalWords) -> list[bool | None]:
        assert words.searched
        assert not self.is_closed
        return [None] * len(messages)


def test_files_are_opened_before_the_transaction_and_those_that_can_not_be_are_told(canary: Canary) -> None:
    office, slow = canary.office, Slow()
    read = read_files(office.database, office.caller, canary.tenant_id, slow)
    slow.is_closed = True
    done = office.database.write(
        lambda tx: erasing.erase(tx, office.caller, canary.tenant_id, wiring.archive(canary.settings), read)
    )
    kept = [row["mail_id"] for row in every_row(canary.url)["incoming_content"]]
    assert (list(done.unsearched), len(kept)) == (kept, 1)
    assert canary.places() <= KEPT_AS_SENT | {"incoming_content.content"}


def test_nobody_is_erased_whose_files_were_read_before_a_message_arrived_or_under_another_name(canary: Canary) -> None:
    office, archive, read = canary.office, NothingOutside(), read_first(canary)
    canary.receives("Lamp")
    canary.work()
    with pytest.raises(Conflict, match="still to be read"):
        office.database.write(lambda tx: erasing.erase(tx, office.caller, canary.tenant_id, archive, read))
    read = read_first(canary)
    office.database.write(lambda tx: tenants.change(tx, office.caller, canary.tenant_id, {"name": "Zora Quillfeather"}))
    with pytest.raises(Conflict, match="have changed in the meantime"):
        office.database.write(lambda tx: erasing.erase(tx, office.caller, canary.tenant_id, archive, read))
    erased(canary)


def test_a_message_that_a_backup_holds_unread_is_erased_from_as_well(canary: Canary) -> None:
    canary.receives("Lamp")
    again, read = Erased(canary.office.account_id, canary.tenant_id), read_first(canary)
    assert canary.office.database.write(lambda tx: erasing.erase_again(tx, again, read))
    canary.work()
    assert canary.places() <= KEPT_AS_SENT | {"outbox/"}  # which is not in a backup
    assert not every_row(canary.url)["incoming_content"]
    last = every_row(canary.url)["incoming_mail"][-1]
    assert (last["state"], "deleted before it was read" in last["left_out"]) == ("not taken", True)


def test_a_removed_tenant_is_exported_and_erased_from_the_settings(canary: Canary) -> None:
    office, here, listed = canary.office, f"/tenants/{canary.tenant_id}", "/settings/personal-data"
    browser = office.browser("owner")
    assert NAME in browser.get(listed).text
    office.database.write(lambda tx: tenants.remove(tx, office.caller, canary.tenant_id))
    found = browser.get(f"{listed}?search=quillf")
    assert NAME in found.text
    assert f'href="{here}/erase"' in found.text
    assert f'href="{here}"' not in found.text
    assert NEIGHBOR not in found.text
    assert NAME not in browser.get(f"{listed}?search=nobody").text
    assert zipfile.ZipFile(io.BytesIO(browser.get(f"{here}/data").content)).namelist()
    assert f'href="{listed}"' in browser.get(f"{here}/erase").text
    assert browser.post(f"{here}/erase", {}).headers["location"].startswith(listed)
    assert "Former tenant<" not in browser.get(listed).text
    assert office.browser("manager").get(listed).status_code == 403


def test_an_export_holds_all_of_a_tenant_and_nothing_of_the_neighbor(canary: Canary) -> None:
    office, printer = canary.office, wiring.printer()
    content = office.database.snapshot(
        lambda tx: b"".join(packed(exporting.files_of(tx, office.caller, canary.tenant_id, printer)))
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        kept = json.loads(archive.read("tenant.json"))
        everything = b"".join(archive.read(one) for one in names if not one.endswith(".pdf")).decode()
    assert NEIGHBOR not in everything
    assert kept["tenant"][0]["name"] == NAME
    assert {one["amount"] for one in kept["payments"]} == {100, 4000}
    assert len(kept["questions"]) == 2
    assert [row["line"] for row in kept["bankRows"]] == [2]
    assert {one["place"] for one in kept["mentions"]} >= {"bill.notes", "charge_name.name", "payment.note"}
    assert {one["verb"] for one in kept["auditLog"]} >= {"create tenant", "change tenant", "set invoice SENT"}
    assert sum(one.startswith("invoices/") for one in names) == 1
    assert sum(one.startswith("mail/") for one in names) >= 1
    assert sum(one.startswith("disputes/") for one in names) == 1


def test_an_export_holds_no_bank_row_that_may_be_a_namesake_s(canary: Canary) -> None:
    office = canary.office

    def exported(tx: Tx) -> dict[str, Any]:
        files = exporting.files_of(tx, office.caller, canary.tenant_id, wiring.printer())
        kept: dict[str, Any] = json.loads(next(files).content)
        return kept

    assert office.database.read(exported)["bankRows"]
    other = next(row["id"] for row in every_row(canary.url)["tenant"] if row["name"] == NEIGHBOR)
    namesake = {"name": NAME.upper(), "email": EMAIL}
    office.database.write(lambda tx: tenants.change(tx, office.caller, other, namesake))
    kept = office.database.read(exported)
    assert kept["bankRows"] == []
    assert {one["amount"] for one in kept["payments"]} == {100, 4000}


def test_a_property_that_was_deleted_leaves_its_tenants_in_the_kept_export_alone(canary: Canary) -> None:
    office, archive = canary.office, wiring.archive(canary.settings)
    home = every_row(canary.url)["property"][0]["id"]
    office.database.write(lambda tx: properties.remove(tx, office.caller, home, archive))
    left = canary.places()
    assert "deleted/" in left
    assert not {one for one in left if one.partition(".")[0] in {"tenant", "invoice", "charge", "event", "search_word"}}


def day_after(canary: Canary, days: int) -> None:
    """Let a number of days pass, and run the recurring jobs."""
    canary.office.clock.moment += timedelta(days=days)
    canary.work()


def test_what_was_sent_names_nobody_once_its_years_are_over(canary: Canary) -> None:
    office = canary.office
    erased(canary)
    day_after(canary, 364 * 10)
    assert "invoice.tenant_name" in canary.places()
    day_after(canary, 60)
    assert not canary.places()
    assert not list(check_account(office.database, office.account_id))
    page = office.browser("owner").get(f"/invoices/{canary.invoice_id}")
    assert page.status_code == 200
    assert FORMER_TENANT in page.text


def test_tenants_are_erased_by_themselves_so_many_years_after_they_left(canary: Canary) -> None:
    office = canary.office
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(keep_tenants_years=2)))
    day_after(canary, 500)
    assert "tenant.name" in canary.places()
    day_after(canary, 300)
    assert canary.places() <= KEPT_AS_SENT
    day_after(canary, 1)
    assert [row["verb"] for row in every_row(canary.url)["event"]].count("erase tenant") == 1


def test_bank_files_go_so_many_days_after_somebody_was_done_with_them(canary: Canary) -> None:
    office = canary.office
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(keep_bank_files_days=30)))
    day_after(canary, 40)
    assert every_row(canary.url)["payment_file"]
    office.browser("owner").post(f"/payments/files/{canary.file_id}/state", {"state": "closed"})
    day_after(canary, 20)
    assert every_row(canary.url)["payment_file"]
    day_after(canary, 20)
    assert not every_row(canary.url)["payment_file"]


def test_a_message_in_the_outbox_goes_after_its_days(canary: Canary) -> None:
    assert list((canary.data_dir / "outbox").iterdir())
    kept = replace(canary.settings, keep_outbox_days=30)
    later = canary.office.clock() + timedelta(days=365 * 5)
    assert wiring.archive(kept, lambda: later).drop_old() > 0
    assert not list((canary.data_dir / "outbox").iterdir())


def test_the_pages_say_what_goes_and_what_stays_before_a_tenant_is_erased(canary: Canary) -> None:
    browser, here = canary.office.browser("owner"), f"/tenants/{canary.tenant_id}"
    page = browser.get(here).text
    assert f"{here}/data" in page
    assert f"{here}/erase" in page
    export = browser.get(f"{here}/data")
    assert export.headers["content-type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(export.content)).namelist()
    asked = browser.get(f"{here}/erase").text
    assert "2 questions will be deleted." in asked
    assert "1 sent invoice will be kept until" in asked
    assert "1 invoice is not settled: money is still owed by or to the tenant." in asked
    assert canary.office.browser("manager").get(f"{here}/erase").status_code == 403
    assert browser.post(f"{here}/erase", {}).status_code == 303
    assert browser.get(here).status_code == 404
    assert canary.places() <= KEPT_AS_SENT | {"outbox/"}  # which the archive of this test leaves
    assert [gone for gone, _ in canary.office.shelf.gone] == [Erased(canary.office.account_id, canary.tenant_id)]


def test_nothing_of_a_deleted_account_is_left(canary: Canary) -> None:
    office, archive = canary.office, wiring.archive(canary.settings)
    office.database.write(lambda tx: closing.close(tx, office.caller, archive, name="Harbor Rentals"))
    assert not canary.places()
    rows = every_row(canary.url)
    left = {name: found for name, found in rows.items() if office.account_id in str(found)}
    assert not left
    assert office.stranger_id in str(rows["account"])
    assert list(ErasureList(canary.data_dir).read()) == [Erased(office.account_id, "")]


def test_an_account_that_tenants_pay_online_is_not_deleted_before_that_is_stopped(canary: Canary) -> None:
    office, archive = canary.office, wiring.archive(canary.settings)
    office.database.write(lambda tx: providers.use_sandbox(tx, office.caller, is_on=True))
    with pytest.raises(Conflict, match="Stop online payments first"):
        office.database.write(lambda tx: closing.close(tx, office.caller, archive, name="Harbor Rentals"))


def test_a_file_of_the_database_holds_nothing_that_was_erased(migrated_sqlite_url: str, tmp_path: Path) -> None:
    office = build_office(migrated_sqlite_url)
    with office.live():
        canary = Canary(office, migrated_sqlite_url, tmp_path / "data")
        canary.live_a_year()
        erased(canary)
    content = Path(migrated_sqlite_url.removeprefix("sqlite:///")).read_bytes()
    assert b"Zanzibar" not in content
    assert NAME.encode() in content  # on what was sent


def test_an_owner_deletes_the_account_by_its_name_and_the_password(canary: Canary) -> None:
    office, here = canary.office, "/settings/delete-account"
    browser, other = office.browser("owner"), office.browser("manager")
    page = browser.get(here)
    assert "1 property is deleted" in page.text
    assert other.get(here).status_code == 403
    assert other.post(here, {"name": "Harbor Rentals", "own_password": PASSWORD}).status_code == 403
    wrong = browser.post(here, {"name": "Harbor", "own_password": PASSWORD})
    assert "not the account’s name" in wrong.text
    assert "current password" in browser.post(here, {"name": "Harbor Rentals", "own_password": "another one"}).text
    assert every_row(canary.url)["tenant"]
    done = browser.post(here, {"name": "harbor  rentals", "own_password": PASSWORD})
    assert done.headers["location"] == "/sign-in"
    assert canary.places() <= {"outbox/"}  # which the archive of this test leaves
    for one in (browser, other):
        assert one.get("/tenants").headers["location"].startswith("/sign-in")
    assert [gone for gone, _ in office.shelf.gone] == [Erased(office.account_id, "")]
