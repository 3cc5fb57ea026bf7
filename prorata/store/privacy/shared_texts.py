"""Texts and files that may name a tenant although they are about something else.

A name is removed from all of these texts and files: every column is searched, including columns added later, unless
`LEFT` names it.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    LargeBinary,
    Table,
    Text,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
)

from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.domain.privacy.text_files import ZIP, cut_text, is_text
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, changes, containing, saves
from prorata.store.limits import LARGEST_READ_TOGETHER, LARGEST_UNPACKED
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
"""The tables and columns that are not searched, each with the reason."""


SHORT_TEXTS: Final = ("charge_name.name",)
"""The columns of limited length that contain text written by people.

Other columns of limited length contain ids, codes and digests.
"""
_HEAD = 4
"""The number of leading bytes by which the kind of a file is recognized."""


def _is_left(table: Table, column: Column[Any]) -> bool:
    return (
        "account_id" not in table.c or table.name in LEFT or f"{table.name}.{column.name}" in LEFT or column.primary_key
    )


def _all_columns(kind: type[Any]) -> Iterator[tuple[Table, Column[Any]]]:
    for table in tables.metadata.sorted_tables:
        for column in table.columns:
            is_kind = isinstance(column.type, kind) or (kind is Text and f"{table.name}.{column.name}" in SHORT_TEXTS)
            if is_kind and not _is_left(table, column):
                yield table, column


def _whole_or_head(column: Column[Any]) -> ColumnElement[Any]:
    """Build the SQL for a small file's bytes, or a large file's first bytes."""
    is_small = func.length(column) <= literal_column(str(LARGEST_READ_TOGETHER))
    return case((is_small, column), else_=func.substr(column, literal_column("1"), literal_column(str(_HEAD))))


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
            select(*table.primary_key.columns, func.length(column), _whole_or_head(column))
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


class Mention(NamedTuple):
    """A stored text that names a person.

    `place` is the text's table and column, and `record` the key of the text's row without the account.
    """

    place: str
    record: list[Any]


def cut(tx: Tx, account_id: str, words: PersonalWords) -> int:
    """Remove a person's names and addresses from all shared texts of the account.

    Return the number of texts changed.
    """
    cutter, number = Cutter(words), 0
    for table, name, find, save in _TEXTS:
        for key, text in _naming(tx, account_id, words, cutter, find).items():
            tx.run(save, **{name: cutter.cut(text)}, **_keys(table, key))
            number += 1
    return number


def find(tx: Tx, account_id: str, words: PersonalWords) -> list[Mention]:
    """List the places where the account's shared texts name a person.

    The texts themselves are not returned.
    """
    cutter = Cutter(words)
    return [
        Mention(f"{table.name}.{name}", list(key[1:]))
        for table, name, find, _ in _TEXTS
        for key in _naming(tx, account_id, words, cutter, find)
    ]


def _naming(
    tx: Tx, account_id: str, words: PersonalWords, cutter: Cutter, find: Statement[tuple[Any, ...]]
) -> dict[tuple[Any, ...], str]:
    """Find the texts of one column that name a person.

    The result maps the keys of the texts' rows to the texts.
    """
    found = dict[tuple[Any, ...], str]()
    for way in words.searched:
        for *key, text in tx.all(find, account=account_id, pattern=containing(*way)):
            if tuple(key) not in found and cutter.finds(text):
                found[tuple(key)] = text
    return found


def drop_answers(tx: Tx, account_id: str, tenant_id: str, words: PersonalWords) -> None:
    """Delete the stored API responses (`idempotency`) that name a tenant."""
    for way in words.searched or [(tenant_id,)]:
        tx.run(_DROP_ANSWERS, account=account_id, pattern=containing(*way), tenant=containing(tenant_id))


class FilesCut(NamedTuple):
    """The number of files changed, and the ids of records with unreadable files."""

    number: int
    unopened: list[str]


def cut_files(
    tx: Tx,
    account_id: str,
    words: PersonalWords,
    cut_workbook: Callable[[bytes], bytes | None],
    on_change: Callable[[str, tuple[Any, ...]], None],
) -> FilesCut:
    """Remove a person's names and addresses from all stored files of the account.

    Large files are read one by one. PDFs and pictures are not changed, and only their first bytes are read. Workbooks
    are changed by `cut_workbook`, which does what `ports.files.NamedFiles.cut` does. Before a changed file is written,
    `on_change` is called with the file's table and key.
    """
    cutter, number, unopened = Cutter(words), 0, list[str]()
    for at, (table, name, every, _, save) in enumerate(_FILES if words.searched else ()):
        for *key, size, head in tx.all(every, account=account_id):
            file = bytes(head)
            is_workbook = file.startswith(ZIP)
            if not is_workbook and not is_text(file):
                continue
            if size > len(file):
                file = content(tx, at, key)
            after = cut_workbook(file) if is_workbook else cut_bytes(file, cutter)
            if after is None and is_workbook:
                unopened.append(str(key[-1]))
            elif after is not None and after != file:
                on_change(table.name, tuple(key))
                tx.run(save, **{name: after}, **_keys(table, key))
                number += 1
    return FilesCut(number, unopened)


def workbooks(tx: Tx, account_id: str) -> list[tuple[int, list[Any]]]:
    """List the stored workbooks, each as its column's number and its row's key.

    The number is the position of the column in the list of all columns that contain files.
    """
    return [
        (at, key)
        for at, (_, _, every, _, _) in enumerate(_FILES)
        for *key, _, head in tx.all(every, account=account_id)
        if bytes(head).startswith(ZIP)
    ]


def content(tx: Tx, place: int, key: Sequence[Any]) -> bytes:
    """Return the bytes of a stored file, or empty bytes if it no longer exists."""
    table, _, _, read, _ = _FILES[place]
    return bytes(tx.one(read, **_keys(table, key)) or b"")


def cut_bytes(content: bytes, cutter: Cutter) -> bytes | None:
    """Remove a person's names and addresses from a text file, which may be compressed.

    Return the new bytes, or None if the file contains none of the names and addresses, or is not text.
    """
    if content[:1] == _PACKED:
        packer = zlib.decompressobj()
        with suppress(zlib.error):
            text = packer.decompress(content, LARGEST_UNPACKED)
            after = cut_text(text, cutter) if packer.eof else None
            return zlib.compress(after) if after is not None else None
    return cut_text(content, cutter)


_PACKED = b"\x78"


def _keys(table: Table, key: Any) -> dict[str, Any]:
    names = [column.name for column in table.primary_key.columns]
    return {f"key_{name}": value for name, value in zip(names, key, strict=True)}
