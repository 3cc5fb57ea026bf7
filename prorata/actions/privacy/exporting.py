"""The export of a tenant's data as files for the tenant, without other tenants' data."""

import json
import zlib
from collections.abc import Iterator
from typing import Any

from prorata.actions.payments import files as payment_files
from prorata.actions.printing import printed_invoices
from prorata.actions.privacy import words_of_tenants
from prorata.actions.privacy.erasing import tenant_of_any_time
from prorata.domain.file_names import clean_name
from prorata.domain.invoice_states import DRAFT
from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.ports import Printer
from prorata.ports.files import PackFile
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.privacy import blanked_events, found_rows, own_records, shared_texts
from prorata.store.privacy.own_records import Own

_OF_OTHERS = frozenset({"account_id", "link_id", "invited_by", "household", "generation"})
"""The fields that are not exported, because they say nothing about the tenant, or something about others."""


def files_of(tx: Tx, caller: Caller, tenant_id: str, printer: Printer) -> Iterator[PackFile]:
    """Export a tenant's data as files.

    The files are the tenant's records as JSON, with amounts in cents; sent invoices as PDF; and the files attached to
    the tenant's records. Other tenants' records are searched only for the names that this tenant shares with nobody.
    The export also works for a tenant who moved out or was removed. Raises `NotFound` if there is no such tenant.
    """
    row = tenant_of_any_time(tx, caller, tenant_id)
    every_word = words_of_tenants.every_word(tx, row)
    own = own_records.find(tx, row.account_id, row.id, every_word)
    words = words_of_tenants.that_are_nobody_elses(tx, row, every_word)
    read = own_records.read(tx, row.account_id, own)
    document = {
        "exportedAt": tx.now,
        **{name: [_shown(one) for one in rows] for name, rows in read.items() if name != "messageFiles"},
        "auditLog": _entries(tx, caller, own, words),
        "bankRows": _bank_rows(tx, caller, words),
        "mentions": [one._asdict() for one in shared_texts.find(tx, row.account_id, words)],
    }
    yield PackFile("tenant.json", json.dumps(document, ensure_ascii=False, indent=1).encode())
    for invoice in invoices.find_many(tx, caller.account_id, own.invoices):
        if invoice.status != DRAFT:
            printed = printed_invoices.of_row(tx, caller, invoice)._replace(payment_link=None)
            yield PackFile(f"invoices/{clean_name(invoice.number.replace('/', '-'))}.pdf", printer(printed))
    yield from _files(read)


def _files(read: dict[str, list[dict[str, Any]]]) -> Iterator[PackFile]:
    sent = {message["id"]: message for message in read["messages"]}
    numbers = {invoice["id"]: invoice["number"] for invoice in read["invoices"]}
    for at, message_file in enumerate(read["messageFiles"], 1):
        mail = sent[message_file["mail_id"]]
        if message_file["pdf"]:
            number = numbers.get(mail["invoice_id"], "")
            name = clean_name(f"{(mail['sent_at'] or mail['created_at'])[:10]} {number.replace('/', '-')}".strip())
            yield PackFile(f"mail/{at:03} {name}.pdf", bytes(message_file["pdf"]))
        if message_file["message"]:
            yield PackFile(f"mail/{at:03}.eml", bytes(message_file["message"]))
    for at, dispute_file in enumerate(read["disputeFiles"], 1):
        yield PackFile(f"disputes/{at:03}.{dispute_file['kind']}", bytes(dispute_file["content"]))


def _shown(record: dict[str, Any]) -> dict[str, Any]:
    """Convert a record for JSON: decode packed values, and leave out files."""
    return {
        name: _unpacked(value) if isinstance(value, bytes | memoryview) else value
        for name, value in record.items()
        if name not in _OF_OTHERS and not (name == "content" and "kind" in record)
    }


def _unpacked(value: bytes | memoryview) -> Any:
    return json.loads(zlib.decompress(bytes(value)))


def _entries(tx: Tx, caller: Caller, own: Own, words: PersonalWords) -> list[dict[str, Any]]:
    """List the audit entries that concern the tenant.

    The content of entries about other people's records is left out, because it may name another tenant.
    """
    mine = set(own.everything)
    entries = found_rows.entries(
        tx, caller.account_id, blanked_events.find(tx, caller.account_id, own.everything, words)
    )
    return [
        entry._asdict() if entry.record_id in mine else entry._replace(before=None, after=None)._asdict()
        for entry in entries
    ]


def _bank_rows(tx: Tx, caller: Caller, words: PersonalWords) -> list[dict[str, Any]]:
    """List the bank file rows that name the tenant."""
    cutter, bank_rows = Cutter(words), list[dict[str, Any]]()
    for file_id in found_rows.bank_files(tx, caller.account_id):
        file = payment_files.find(tx, caller, file_id)
        for line, cells in file.understood.sheet.rows:
            if cutter.finds(" ".join(map(str, filter(None, cells)))):
                row = [None if cell is None else str(cell) for cell in cells]
                bank_rows.append(
                    {"file": file.row.name, "line": line, "columns": file.understood.sheet.header, "row": row}
                )
    return bank_rows
