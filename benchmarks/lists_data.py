"""Extra records for the dashboard's lists: messages with bills, background tasks, payments.

They go only into a copy, because they are not part of the account for other measurements.

Each bill came with its own message, and one in 96 waits in the Inbox. Each paid invoice has its payment. There are as
many tasks as bills; one in 50 has failed, and one in 50 waits. Ledgers do not add up, because invoices already have
their paid amounts from their status.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256

import msgspec

from prorata.domain.inbound_mail.inbox_addresses import TAKEN
from prorata.domain.intake.bill_reading.draft import UNREAD, Line, found
from prorata.domain.intake.documents import BILLED, DRAFT
from prorata.domain.invoices.ledger import TRANSFER
from prorata.domain.jobs.jobs import DONE, FAILED, WAITING
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail.incoming_mail import IncomingMailRow
from prorata.store.intake.documents import DocumentRow
from prorata.store.jobs.jobs import JobRow
from prorata.store.payments.payments import PaymentRow

_ISSUERS = ("City Water Department", "Prairie Power", "Prairie Gas", "Midway Hauling")
_ONE_WAITS_OF = 96
_ONE_FAILED_OF = 50
_NEVER = "2099-12-31T00:00:00.000Z"
"""When what waits is due: nothing is done while it is measured."""


def fill(tx: Tx, account: str, bills: int, invoices: Sequence[str]) -> None:
    """Write the extra rows for `bills` bills and these paid invoices, in one transaction."""
    documents = list(_documents(tx, account, bills))
    mails = list(_mails(tx, account, bills))
    tx.add_many("document", DocumentRow._fields, documents)
    tx.add_many("incoming_mail", IncomingMailRow._fields, mails)
    brought = [(account, mail.id, document.id) for mail, document in zip(mails, documents, strict=True)]
    tx.add_many("incoming_document", ("account_id", "mail_id", "document_id"), brought)
    tx.add_many("job", JobRow._fields, list(_tasks(tx, account, bills, invoices)))
    tx.add_many("payment", PaymentRow._fields, list(_payments(tx, account, invoices)))


def _documents(tx: Tx, account: str, number: int) -> Iterator[DocumentRow]:
    for at in range(number):
        issuer = _ISSUERS[at % len(_ISSUERS)]
        waits = at % _ONE_WAITS_OF == 0
        yield DocumentRow(
            account_id=account, id=tx.new_id("doc"), name=f"{issuer} {at}.pdf", way="mail",
            state=DRAFT if waits else BILLED, digest=_mark("document", at), size=48_000, said=None,
            draft=_draft(issuer, 60_000 + at), created_at=tx.now, updated_at=tx.now,
        )  # fmt: skip


def _draft(issuer: str, total: int) -> str:
    """Build the draft read from a bill with one line."""
    read = UNREAD._replace(
        issuer=found(issuer), total=found(total), bill_date=found(date(2026, 3, 14)),
        lines=found((Line("WATER", total, ()),)), language="en", currency="USD", pages=1, sizes=((6_120, 7_920),),
    )  # fmt: skip
    return msgspec.json.encode(read).decode()


def _mails(tx: Tx, account: str, number: int) -> Iterator[IncomingMailRow]:
    for at in range(number):
        issuer = _ISSUERS[at % len(_ISSUERS)]
        sender = f"{issuer} <bills@{issuer.split()[0].lower()}.example>"
        yield IncomingMailRow(
            account_id=account, id=tx.new_id("incoming"), digest=_mark("mail", at), size=66_000, way="smtp",
            state=TAKEN, envelope_from=sender, about=None, accepted_by=None, sender=sender,
            subject=f"Your bill number {at}", message_id=f"<{at}@example>", likeness=_mark("likeness", at),
            authentic=True, said=None, left_out=None, brings=None, answered_at=tx.now, created_at=tx.now,
            updated_at=tx.now,
        )  # fmt: skip


def _tasks(tx: Tx, account: str, number: int, invoices: Sequence[str]) -> Iterator[JobRow]:
    for at in range(number):
        state = {0: FAILED, 1: WAITING}.get(at % _ONE_FAILED_OF, DONE)
        yield JobRow(
            account_id=account, id=tx.new_id("job"), kind="mail", state=state, unique_key=f"lists {at}",
            payload=json.dumps({"mail": f"mail_{at}"}), subject=invoices[at % len(invoices)],
            due_at=_NEVER if state == WAITING else tx.now, attempts=int(state != WAITING), lease_until=None,
            lease_token=None, last_error="The mail server refused it: no such mailbox." if state == FAILED else None,
            created_at=tx.now, updated_at=tx.now, ended_at=None if state == WAITING else tx.now,
        )  # fmt: skip


def _payments(tx: Tx, account: str, invoices: Sequence[str]) -> Iterator[PaymentRow]:
    for at, invoice in enumerate(invoices):
        yield PaymentRow(
            account_id=account, id=tx.new_id("pay"), invoice_id=invoice, kind="PAYMENT", amount=12_000 + at % 9_000,
            day=tx.now[:10], at=tx.now, method=TRANSFER, provider=None, reference=f"Transfer {at}", note=None,
            source=None, reverses=None, actor="bench", created_at=tx.now,
        )  # fmt: skip


def _mark(of: str, number: int) -> str:
    return sha256(f"{of} {number}".encode()).hexdigest()
