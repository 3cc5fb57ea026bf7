"""Tests that an erased roommate is on no invoice of another member of the household."""

import json

from sqlalchemy import bindparam, select

from prorata.actions.privacy import erasing, periods, read_files
from prorata.actions.privacy.erasing import NothingOutside
from prorata.adapters.files.named_files import NamedFiles
from prorata.store.accounts import accounts
from prorata.store.database.statements import returns_one
from prorata.store.properties.units import TenantRow
from prorata.store.schema.tables import earlier_invoice, invoice
from tests.landlord import Landlord

PRINTED = [
    returns_one(select(table.c.printed).where(table.c.account_id == bindparam("account")))
    for table in (invoice, earlier_invoice)
]


def erase(landlord: Landlord, tenant: TenantRow) -> None:
    read = read_files.read_files(landlord.database, landlord.caller, tenant.id, NamedFiles())
    landlord.do(erasing.erase, tenant.id, NothingOutside(), read)


def named(landlord: Landlord) -> list[set[tuple[str, ...]]]:
    """The addressee and roommates of each present and earlier invoice."""
    found = []
    for statement in PRINTED:
        kept = [
            json.loads(it) for it in landlord.run(lambda tx, its=statement: tx.all(its, account=landlord.account.id))
        ]
        found.append({(one["tenant"], *one.get("roommates", ())) for one in kept})
    return found


def test_an_erased_roommate_is_on_no_invoice_of_another(landlord: Landlord) -> None:
    maple = landlord.property_()
    unit = landlord.unit(maple, "1")
    ann, bo, _ = (landlord.tenant(unit, name, move_out="2026-03-01") for name in ("Ann Smith", "Bo", "Cy Low"))
    landlord.bill(maple, 90_00)
    for status in ("SENT", "DRAFT", "SENT"):
        landlord.set_status(maple, "1", status)
    assert named(landlord) == [{("Ann Smith", "Bo", "Cy Low")}] * 2
    erase(landlord, bo)
    assert named(landlord) == [{("Ann Smith", "Cy Low")}] * 2
    landlord.set_status(maple, "1", "PAID")
    erase(landlord, ann)
    landlord.clock.forward(days=365 * 12)
    landlord.run(lambda tx: periods.forget_sent(tx, accounts.find(tx, landlord.account.id)))
    assert named(landlord) == [{("Former tenant",)}] * 2


def test_a_namesake_of_an_erased_roommate_stays(landlord: Landlord) -> None:
    maple = landlord.property_()
    unit = landlord.unit(maple, "1")
    _, joe, _ = (landlord.tenant(unit, name, move_out="2026-03-01") for name in ("Ann Smith", "Joe Low", "Joe Low"))
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    erase(landlord, joe)
    assert named(landlord)[0] == {("Ann Smith", "Joe Low")}
