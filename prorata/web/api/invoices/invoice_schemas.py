"""The e-mails about an invoice, in the form of the API."""

from typing import Annotated, Literal

from msgspec import Meta

from prorata.web.http.response_schemas import Answer, Timestamp


class InvoiceMessage(Answer):
    """An e-mail about an invoice, with its status; `to` is the address at that time."""

    id: str
    kind: Annotated[
        Literal["invoice", "again", "before_due", "due_today", "overdue", "receipt"],
        Meta(description="Why it was sent."),
    ]
    state: Annotated[
        Literal["queued", "written", "sent", "delivered", "bounced", "failed", "withdrawn"],
        Meta(description="What became of it. `written`: no mail server is set, it is a file in the outbox folder."),
    ]
    to: str
    said: Annotated[
        str | None, Meta(description="What the mail server or a report said last, why it waits, or which file it is.")
    ]
    created_at: Timestamp
    sent_at: Timestamp | None
