"""The e-mails about an invoice, in the API's format."""

from typing import Annotated, Literal

from msgspec import Meta

from prorata.web.http.response_schemas import Answer, Timestamp


class InvoiceMessage(Answer):
    """An e-mail about an invoice, with its status.

    `to` is the recipient's address at the time when the e-mail was created. It is empty for a reminder on paper.
    """

    id: str
    kind: Annotated[
        Literal["invoice", "again", "before_due", "due_today", "overdue", "receipt", "paper"],
        Meta(description="The reason for the message. `paper`: a reminder that a person handed over on paper."),
    ]
    state: Annotated[
        Literal["queued", "written", "sent", "delivered", "bounced", "failed", "withdrawn"],
        Meta(
            description="The status of the message. `written`: no mail server is set up, so the message is a file "
            "in the outbox folder."
        ),
    ]
    to: str
    said: Annotated[
        str | None,
        Meta(
            description="The latest response from the mail server or a report, why the message is "
            "waiting, or which file it is."
        ),
    ]
    created_at: Timestamp
    sent_at: Timestamp | None
