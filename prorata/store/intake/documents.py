"""Documents: files with bills, their outcomes and contents."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, select

from prorata.domain.intake.documents import STATES
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Group
from prorata.store.database.statements import (
    Statement,
    adds,
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    puts,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.database.walks import Walked
from prorata.store.schema.document_tables import (
    bill_document,
    document,
    document_content,
    document_table,
    document_words,
)
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill


class DocumentRow(NamedTuple):
    """A document in the inbox.

    `draft` is the bill that was read from the document, as JSON. `said` explains why the document could not be
    read, why the draft did not become a bill automatically, or why nothing was learned from it. `asks` is
    `PASSWORD` if the document could not be read without a password. `digest` is the digest of the content, which an
    account stores only once.
    """

    account_id: str
    id: str
    name: str
    way: str
    state: str
    digest: str
    size: int
    said: str | None
    draft: str | None
    created_at: str
    updated_at: str
    asks: str | None = None


class ListedDocument(NamedTuple):
    """A document as a list shows it, with the first of its bills.

    `bills` is the number of bills that came from the document, and `rows` the number of a table's rows.
    """

    id: str
    name: str
    way: str
    state: str
    said: str | None
    draft: str | None
    created_at: str
    bill_id: str | None
    issuer_name: str | None
    bills: int
    rows: int | None
    size: int
    updated_at: str
    asks: str | None


class KeptDocument(NamedTuple):
    """A document from which a bill came.

    If nothing was learned from the document about its issuer's bills, `said` is the reason.
    """

    id: str
    name: str
    said: str | None


_mine = document.c.account_id == bindparam("account")
_this = and_(_mine, document.c.id == bindparam("id"))
_FIND = returns(DocumentRow, select(document).where(_this))
_LOCK = returns(DocumentRow, select(document).where(_this).with_for_update())
_LOCK_MANY = returns(
    DocumentRow,
    select(document).where(_mine, is_one_of(document.c.id, "ids")).order_by(document.c.id).with_for_update(),
)
_OF_DIGEST = returns(DocumentRow, select(document).where(_mine, document.c.digest == bindparam("digest")))
_ADD = adds_if_new(document, "account_id", "digest")
_ADD_CONTENT = adds(document_content)
_SAVE = saves(document, only=("state", "said", "draft", "updated_at", "asks"))
_REMOVE = changes(delete(document).where(_this))
_CONTENT = returns_one(
    select(document_content.c.content).where(
        document_content.c.account_id == bindparam("account"), document_content.c.document_id == bindparam("id")
    )
)
_KEEP_WORDS = puts(document_words)
_WORDS = returns_one(
    select(document_words.c.pages).where(
        document_words.c.account_id == bindparam("account"), document_words.c.document_id == bindparam("id")
    )
)
_WITH_WORDS = returns_pairs(
    select(document_words.c.document_id, document_words.c.pages)
    .join(document, named_by(document, document_words.c.document_id))
    .where(_mine, document.c.state == bindparam("state"))
    .order_by(document.c.id.desc())
    .limit(bindparam("limit"))
)
_its = named_by(document, bill_document.c.document_id)
_first_bill = select(func.min(bill_document.c.bill_id)).where(_its).correlate(document).scalar_subquery()
_bills = select(func.count()).select_from(bill_document).where(_its).correlate(document).scalar_subquery()
_some = is_one_of(document.c.state, "states")
_behind = document.c.id < bindparam("before")
_beyond = document.c.id > bindparam("after")


@cache
def _listed(
    of_states: ColumnElement[bool], where: ColumnElement[bool], order: ColumnElement[Any], *, is_far: bool = False
) -> Statement[ListedDocument]:
    """Build the statement for a page of documents.

    Because the documents' drafts are long, the statement first finds the ids, by an index that has only the columns
    by which the page is sorted, and then the rows of these ids. If `is_far` is set, the page begins after a number
    of documents instead of after an id.
    """
    ids = select(document.c.id).where(_mine, of_states, where).order_by(order).limit(bindparam("limit"))
    subquery = (ids.offset(bindparam("offset")) if is_far else ids).subquery()
    return returns(
        ListedDocument,
        select(*columns_for(ListedDocument, document, bill, document_table, bill_id=_first_bill, bills=_bills))
        .select_from(subquery)
        .join(document, and_(_mine, document.c.id == subquery.c.id))
        .outerjoin(bill, and_(bill.c.account_id == document.c.account_id, bill.c.id == _first_bill))
        .outerjoin(document_table, named_by(document, document_table.c.document_id))
        .order_by(order),
    )


_NEWEST = _listed(_some, _behind, document.c.id.desc())
_OLDEST = _listed(_some, _beyond, document.c.id)
_NEWEST_IN_ONE = _listed(document.c.state == bindparam("state"), _behind, document.c.id.desc())
_OLDEST_IN_ONE = _listed(document.c.state == bindparam("state"), _beyond, document.c.id)
"""The statement that lists the oldest documents in one state.

An index has the documents of each state in this order, so the statement reads only the rows that it returns.
"""
_FAR = _listed(_some, _behind, document.c.id.desc(), is_far=True)
_FAR_IN_ONE = _listed(document.c.state == bindparam("state"), _behind, document.c.id.desc(), is_far=True)
_THESE = _listed(is_one_of(document.c.id, "ids"), _behind, document.c.id.desc())
DOCUMENTS = Walked(
    "documents", document, document.c.account_id, (Group((document.c.id,), down=True),), document.c.updated_at,
    {"state": document.c.state == bindparam("state")},
)  # fmt: skip
_number_by_state = (
    select(document.c.state, func.count())
    .where(_mine, is_one_of(document.c.state, "states"))
    .group_by(document.c.state)
)
_COUNTS = returns_pairs(_number_by_state)
_SINCE = returns_pairs(_number_by_state.where(document.c.id >= bindparam("first")))
_OPEN_DRAFTS = returns_one(
    select(document.c.draft).where(_mine, is_one_of(document.c.state, "states")).order_by(document.c.id)
)
_LINK = adds(bill_document)
_UNLINK = changes(
    delete(bill_document).where(
        bill_document.c.account_id == bindparam("account"), bill_document.c.bill_id == bindparam("bill"),
        bill_document.c.document_id == bindparam("id"),
    )
)  # fmt: skip
_OF_BILL = returns(
    KeptDocument,
    select(*columns_for(KeptDocument, document))
    .join(bill_document, named_by(document, bill_document.c.document_id))
    .where(_mine, bill_document.c.bill_id == bindparam("bill"))
    .order_by(document.c.id),
)
_BILL_OF = returns_one(
    select(bill_document.c.bill_id)
    .where(bill_document.c.account_id == bindparam("account"), bill_document.c.document_id == bindparam("id"))
    .order_by(bill_document.c.bill_id)
    .limit(1)
)


def find(tx: Tx, account_id: str, document_id: str) -> DocumentRow | None:
    """Find the account's document with this id."""
    return tx.one(_FIND, account=account_id, id=document_id)


def lock(tx: Tx, account_id: str, document_id: str) -> DocumentRow | None:
    """Find and lock the account's document with this id."""
    return tx.one(_LOCK, account=account_id, id=document_id)


def lock_many(tx: Tx, account_id: str, document_ids: Sequence[str]) -> list[DocumentRow]:
    """Find and lock these documents of an account, in the order of their ids."""
    return tx.all(_LOCK_MANY, account=account_id, ids=list(document_ids)) if document_ids else []


def of_digest(tx: Tx, account_id: str, digest: str) -> DocumentRow | None:
    """Find the account's document whose content has this digest."""
    return tx.one(_OF_DIGEST, account=account_id, digest=digest)


def add(tx: Tx, row: DocumentRow, content: bytes) -> bool:
    """Add a document with its content; return False if the account already has it."""
    if not tx.run(_ADD, **row._asdict()):
        return False
    tx.run(_ADD_CONTENT, account_id=row.account_id, document_id=row.id, content=content)
    return True


def save(tx: Tx, row: DocumentRow) -> None:
    """Save the outcome of reading or confirming a document."""
    save_many(tx, [row])


def save_many(tx: Tx, rows: Sequence[DocumentRow]) -> None:
    """Save the outcomes of reading or confirming documents."""
    tx.run_many(_SAVE, [row_values(document, row, ("state", "said", "draft", "updated_at", "asks")) for row in rows])


def remove(tx: Tx, account_id: str, document_id: str) -> None:
    """Delete a document with its content and its other data, except its bills."""
    tx.run(_REMOVE, account=account_id, id=document_id)


def content(tx: Tx, account_id: str, document_id: str) -> bytes | None:
    """Return the content of a document, as it was uploaded or received."""
    stored = tx.one(_CONTENT, account=account_id, id=document_id)
    return None if stored is None else bytes(stored)


def keep_words(tx: Tx, account_id: str, document_id: str, pages: bytes) -> None:
    """Save the words of a document's pages, replacing earlier ones."""
    tx.run(_KEEP_WORDS, account_id=account_id, document_id=document_id, pages=pages)


def words(tx: Tx, account_id: str, document_id: str) -> bytes | None:
    """Return the words of a document's pages.

    Return None if no words are stored, because the document has none or was read before words were stored.
    """
    stored = tx.one(_WORDS, account=account_id, id=document_id)
    return None if stored is None else bytes(stored)


def with_words(tx: Tx, account_id: str, state: str, *, limit: int) -> list[tuple[str, bytes]]:
    """List documents in a state, newest first, each with the words of its pages.

    Each document is given by its id.
    """
    return tx.all(_WITH_WORDS, account=account_id, state=state, limit=limit)


def page(tx: Tx, account_id: str, states: Sequence[str], *, before: str, limit: int) -> list[ListedDocument]:
    """List documents in `states` with lower ids than `before`, newest first."""
    if len(states) == 1:
        return tx.all(_NEWEST_IN_ONE, account=account_id, state=states[0], before=before, limit=limit)
    return tx.all(_NEWEST, account=account_id, states=list(states), before=before, limit=limit)


def far(tx: Tx, account_id: str, states: Sequence[str], *, offset: int, limit: int) -> list[ListedDocument]:
    """List documents in `states`, newest first, skipping the first `offset` documents."""
    at = {"before": "doc_~", "offset": offset, "limit": limit}
    if len(states) == 1:
        return tx.all(_FAR_IN_ONE, account=account_id, state=states[0], **at)
    return tx.all(_FAR, account=account_id, states=list(states), **at)


def listed(tx: Tx, account_id: str, ids: list[str]) -> list[ListedDocument]:
    """List the documents with these ids as a list shows them, newest first."""
    return tx.all(_THESE, account=account_id, ids=ids, before="doc_~", limit=len(ids)) if ids else []


def oldest(tx: Tx, account_id: str, states: Sequence[str], *, after: str, limit: int) -> list[ListedDocument]:
    """List documents in `states` with higher ids than `after`, oldest first."""
    if len(states) == 1:
        return tx.all(_OLDEST_IN_ONE, account=account_id, state=states[0], after=after, limit=limit)
    return tx.all(_OLDEST, account=account_id, states=list(states), after=after, limit=limit)


def open_drafts(tx: Tx, account_id: str, states: Sequence[str]) -> list[str | None]:
    """List the drafts read from the documents in `states`, as JSON.

    The draft of a document that was not read yet is None.
    """
    return tx.all(_OPEN_DRAFTS, account=account_id, states=list(states))


def counts(tx: Tx, account_id: str, states: Sequence[str]) -> dict[str, int]:
    """Count the documents in each of the given states."""
    return dict(tx.all(_COUNTS, account=account_id, states=list(states)))


def counts_since(tx: Tx, account_id: str, first: str) -> dict[str, int]:
    """Count, by state, the documents with the id `first` or a later id."""
    return dict(tx.all(_SINCE, account=account_id, states=list(STATES), first=first))


def link_many(tx: Tx, account_id: str, bill_ids: Sequence[str], document_id: str) -> None:
    """Record that several bills were created from a document."""
    tx.run_many(
        _LINK, [{"account_id": account_id, "bill_id": bill_id, "document_id": document_id} for bill_id in bill_ids]
    )


def link(tx: Tx, account_id: str, bill_id: str, document_id: str) -> None:
    """Record that a bill was created from a document."""
    tx.run(_LINK, account_id=account_id, bill_id=bill_id, document_id=document_id)


def unlink(tx: Tx, account_id: str, bill_id: str, document_id: str) -> bool:
    """Detach a bill from the document that it came from.

    Return False if the bill was not attached to this document.
    """
    return bool(tx.run(_UNLINK, account=account_id, bill=bill_id, id=document_id))


def of_bill(tx: Tx, account_id: str, bill_id: str) -> list[KeptDocument]:
    """List the documents from which a bill came."""
    return tx.all(_OF_BILL, account=account_id, bill=bill_id)


def bill_of(tx: Tx, account_id: str, document_id: str) -> str | None:
    """Find the bill that came from a document, if it still exists.

    If several bills came from the document, find the first.
    """
    return tx.one(_BILL_OF, account=account_id, id=document_id)
