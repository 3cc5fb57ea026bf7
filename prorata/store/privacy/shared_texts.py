"""Texts and files that may name a tenant although they are about something else.

A name is cut from all of them: every column is searched, including columns added later, unless it is deliberately
left out.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from sqlalchemy import Column, LargeBinary, Table, Text, bindparam, delete, or_, select

from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, changes, containing, saves
from prorata.store.limits import LARGEST_UNPACKED
from prorata.store.schema import batch_tables, bulk_tables, tables
from prorata.store.schema.tables import idempotency_key

assert batch_tables.batch.metadata is bulk_tables.bulk.metadata is tables.metadata, "all tables are known"
LEFT: Final = {
    "account": "of the landlord",
    "api_key": "of the landlord",
    "member": "of the landlord's people",
    "link": "of the landlord's people",
    "session": "of the landlord's people",
    "payment_provider": "of the landlord",
    "webhook_endpoint": "of the landlord",
    "letterhead": "of the landlord",
    "inbox_address": "of the landlord",
    "split_method": "of the landlord",
    "issuer_lesson": "of utilities",
    "property": "of the house",
    "unit": "of the house",
    "share_rule": "of the house",
    "former_share_rule": "of the house",
    "tenant": "each tenant's own",
    "search_word": "each tenant's own",
    "mail.to_name": "each tenant's own",
    "mail.to_address": "each tenant's own",
    "tenant_question.tenant_name": "each tenant's own",
    "rule_announcement.to_name": "each tenant's own",
    "invoice": "kept as sent, for the time of the account's settings",
    "earlier_invoice": "kept as sent, for the time of the account's settings",
    "charge": "kept as sent, for the time of the account's settings",
    "mail_content": "kept as sent, for the time of the account's settings",
    "billing_month": "facts without names",
    "earlier_facts": "facts without names",
    "month_explanation": "explanations without names, sealed",
    "invoice_explanation": "explanations without names, sealed",
    "event": "blanked with its entry of the audit log",
    "idempotency_key": "dropped whole",
    "dispute_file": "of one question, and dropped with it",
    "payment_link": "without names",
    "document_words": "a page's words and where they stand, as in its PDF",
    "bill.issuer_name": "of the utility, and in what tells bills apart",
    "bill.account_number": "of the utility, and in what tells bills apart",
    "bill.bill_number": "of the utility, and in what tells bills apart",
    "event_batch.record_ids": "ids",
    "incoming_content": "dropped whole",
}
"""Tables and columns that are not looked through, each with the reason."""


def _is_left(table: Table, column: Column[Any]) -> bool:
    return (
        "account_id" not in table.c or table.name in LEFT or f"{table.name}.{column.name}" in LEFT or column.primary_key
    )


def _all_columns(kind: type[Any]) -> Iterator[tuple[Table, Column[Any]]]:
    for table in tables.metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, kind) and not _is_left(table, column):
                yield table, column


def _as_tuple(row: Any) -> tuple[Any, ...]:
    return tuple(row)


_TEXTS = tuple(
    (
        table,
        column.name,
        Statement(
            select(*table.primary_key.columns, column).where(
                table.c.account_id == bindparam("account"), column.like(bindparam("pattern"))
            ),
            _as_tuple,
        ),
        saves(table, only=(column.name,)),
    )
    for table, column in _all_columns(Text)
)
_FILES = tuple(
    (
        table,
        column.name,
        Statement(
            select(*table.primary_key.columns)
            .where(table.c.account_id == bindparam("account"), column.is_not(None))
            .order_by(*table.primary_key.columns),
            _as_tuple,
        ),
        Statement(
            select(column).where(*(key == bindparam(f"key_{key.name}") for key in table.primary_key.columns)),
            lambda row: row[0],
        ),
        saves(table, only=(column.name,)),
    )
    for table, column in _all_columns(LargeBinary)
)
_DROP_ANSWERS = changes(
    delete(idempotency_key).where(
        idempotency_key.c.account_id == bindparam("account"),
        or_(idempotency_key.c.body.like(bindparam("pattern")), idempotency_key.c.body.like(bindparam("tenant"))),
    )
)


def cut(tx: Tx, account_id: str, words: PersonalWords) -> int:
    """Cut a person's names and addresses from the account's shared texts.

    Return the number of texts changed.
    """
    cutter, number = Cutter(words), 0
    for table, name, find, save in _TEXTS:
        seen = set[tuple[Any, ...]]()
        for way in words.searched:
            for *key, text in tx.all(find, account=account_id, pattern=containing(way)):
                if (after := cutter.cut(text)) != text and tuple(key) not in seen:
                    seen.add(tuple(key))
                    tx.run(save, **{name: after}, **_keys(table, key))
        number += len(seen)
    return number


def drop_answers(tx: Tx, account_id: str, tenant_id: str, words: PersonalWords) -> None:
    """Delete the stored answers of the API that name a tenant."""
    for way in words.searched or [tenant_id]:
        tx.run(_DROP_ANSWERS, account=account_id, pattern=containing(way), tenant=containing(tenant_id))


def cut_files(
    tx: Tx, account_id: str, words: PersonalWords, on_change: Callable[[str, tuple[Any, ...]], None] = lambda *_: None
) -> int:
    """Cut a person's names and addresses from all stored files, and return the number changed.

    Files are read one by one. `on_change` receives the table and the key of each before it is written.
    """
    cutter, number = Cutter(words), 0
    for table, name, every, read, save in _FILES:
        for key in tx.all(every, account=account_id):
            content = tx.one(read, **_keys(table, key))
            after = cut_bytes(bytes(content), cutter) if content is not None else None
            if after is not None:
                on_change(table.name, key)
                tx.run(save, **{name: after}, **_keys(table, key))
                number += 1
    return number


def cut_bytes(content: bytes, cutter: Cutter) -> bytes | None:
    """Cut a person's names and addresses from a file; return None if it has none.

    The file is text, or packed. Other files, such as PDFs, stay as they are.
    """
    if content[:1] == b"\x78":
        try:
            text = zlib.decompress(content)
        except zlib.error:
            return None
        after = cut_bytes(text, cutter)
        return zlib.compress(after) if after is not None else None
    if content.startswith(_ZIP):
        return _cut_zip(content, cutter)
    if _IS_BINARY.match(content):
        return None
    for encoding in ("utf-16",) if content[:2] in _MARKS else ("utf-8", "cp1252", "latin-1"):
        try:
            said = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return cutter.cut(said).encode(encoding) if cutter.finds(said) else None
    return None


def _cut_zip(content: bytes, cutter: Cutter) -> bytes | None:
    """Cut a person's names and addresses from each XML part of a workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if sum(one.file_size for one in parts) > LARGEST_UNPACKED:
                return None
            told = [(one, archive.read(one)) for one in parts]
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError):
        return None
    after = [(one, (cut_bytes(part, cutter) if one.filename.endswith(".xml") else None) or part) for one, part in told]
    if after == told:
        return None
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, part in after:
            archive.writestr(one, part)
    return packed.getvalue()


_ZIP = b"PK\x03\x04"
_IS_BINARY = re.compile(rb"%PDF|\x89PNG|\xff\xd8\xff|GIF8|II\*\x00|MM\x00\*|\xd0\xcf\x11\xe0")
_MARKS = (b"\xff\xfe", b"\xfe\xff")


def _keys(table: Table, key: Any) -> dict[str, Any]:
    names = [column.name for column in table.primary_key.columns]
    return {f"key_{name}": value for name, value in zip(names, key, strict=True)}
