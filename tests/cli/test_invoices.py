"""`prorata invoice pdf` and `property lease` print invoices and lease terms."""

import os
import stat
import subprocess
import sys

import pypdfium2
import pytest

from prorata.store.properties import properties
from tests.cli.running import Command
from tests.landlord import Landlord, MovableClock, opened

NUMBER = "MAPLECOURT-1-2026-02"


@pytest.fixture
def owner(command: Command, url: str) -> Landlord:
    """A landlord with an invoice in the command's database."""
    command.account()
    with opened(url, MovableClock()) as database:
        landlord = Landlord(database, MovableClock(), name="landlord")
        maple = landlord.property_()
        landlord.units(maple, "1", "2")
        landlord.bill(maple, 90_00)
    return landlord


def test_an_invoice_is_written_by_its_number_and_nothing_is_overwritten_unasked(
    command: Command, owner: Landlord
) -> None:
    file = command.folder / "invoice.pdf"
    of = ("--account", owner.account.id)
    assert command.ok("invoice", "pdf", NUMBER, file, *of) == ""
    first = file.read_bytes()
    document = pypdfium2.PdfDocument(first)
    assert NUMBER in document[0].get_textpage().get_text_range()
    document.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"mine")
    assert "already exists" in command.refused("invoice", "pdf", NUMBER, file, *of)
    assert file.read_bytes() == b"mine"
    command.ok("invoice", "pdf", NUMBER, file, *of, "--force")
    assert file.read_bytes() == first


def test_a_folder_that_is_not_there_is_named_and_no_file_of_ours(command: Command, owner: Landlord) -> None:
    file = command.folder / "nowhere" / "invoice.pdf"
    said = command.refused("invoice", "pdf", NUMBER, file, "--account", owner.account.id)
    assert said.endswith(f"{file} can't be written, because the folder {file.parent} doesn't exist. Create it first.")


def test_a_dash_is_stdout(command: Command, owner: Landlord) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "prorata.cli", "invoice", "pdf", NUMBER, "-", "--account", owner.account.id],
        cwd=command.folder,
        env=command.environment,
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"%PDF-")
    assert done.stdout.rstrip().endswith(b"%%EOF")
    assert done.stderr == b""


def test_the_account_is_named_where_there_are_several_and_an_unknown_invoice_is_said(
    command: Command, owner: Landlord
) -> None:
    file = command.folder / "invoice.pdf"
    assert "--account" in command.refused("invoice", "pdf", NUMBER, file, code=2)
    other = ("--account", "ann@example.com")
    assert command.refused("invoice", "pdf", NUMBER, file, *other) == "There is no invoice with this id."
    assert not os.path.lexists(file)


def test_the_only_account_need_not_be_named(on_sqlite: Command) -> None:
    on_sqlite.account()
    assert on_sqlite.refused("invoice", "pdf", "X", "x.pdf") == "There is no invoice with this id."


def test_a_final_invoice_is_looked_at_and_sent(command: Command, owner: Landlord, url: str) -> None:
    of = ("--account", owner.account.id)
    with opened(url, MovableClock()) as owner.database:
        (maple,) = owner.read(properties.all_of)
        ann = owner.tenant(owner.stored_units(maple)[0], "Ann", move_out="2026-02-14")
    looked = command.run("tenants", "final-invoice", ann.id, *of, "--dry-run")
    assert looked.out.split()[0] == "22.50"
    assert "MAPLECOURT-1.1-2026-02 would be sent to Ann. Nothing was done." in looked.err
    assert command.ok("tenants", "final-invoice", ann.id, *of) == "MAPLECOURT-1.1-2026-02"
    assert "There is nothing to invoice Ann for" in command.refused("tenants", "final-invoice", ann.id, *of)


def text_of(printed: bytes) -> str:
    document = pypdfium2.PdfDocument(printed)
    found = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return found


def test_what_a_lease_says_is_written_as_of_a_day_and_nothing_is_overwritten_unasked(
    command: Command, owner: Landlord, url: str
) -> None:
    with opened(url, MovableClock()) as owner.database:
        (maple,) = owner.read(properties.all_of)
    file, of = command.folder / "lease.pdf", ("--account", owner.account.id)
    assert command.ok("property", "lease", maple.id, file, *of, "--day", "2026-03-31") == ""
    said = text_of(file.read_bytes())
    assert "As of March 31, 2026" in said
    assert "One, of $90.00" in said
    assert "already exists" in command.refused("property", "lease", maple.id, file, *of)
    command.ok("property", "lease", maple.id, file, *of, "--day", "2030-01-01", "--force")
    assert "None, and so there is no example" in text_of(file.read_bytes())
    command.ok("property", "lease", maple.id, file, *of, "--utility", "GAS", "--force")
    said = text_of(file.read_bytes())
    assert ("Gas" in said, "Water" in said) == (True, False)
    assert "There is no property with this id" in command.refused("property", "lease", "prop_0", "-", *of)
