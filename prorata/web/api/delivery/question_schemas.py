"""Tenants' questions as clients read them, and the replies that clients send."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.limits import LONGEST_QUESTION
from prorata.web.http.fields import text
from prorata.web.http.request_schemas import Body, Filter, PageQuery
from prorata.web.http.response_schemas import Answer, Timestamp

QuestionStatus = Literal["OPEN", "ANSWERED"]


class QuestionsQuery(PageQuery):
    """Filters and page of a list of questions."""

    invoice_id: Annotated[Filter, Meta(description="Only questions about this invoice.")] | UnsetType = UNSET
    property_id: Annotated[Filter, Meta(description="Only questions about invoices for this property.")] | UnsetType = (
        UNSET
    )
    status: QuestionStatus | UnsetType = UNSET


class QuestionReply(Body):
    """The reply to a tenant."""

    text: Annotated[str, text(LONGEST_QUESTION)]


class QuestionMessage(Answer):
    """One message in a question's thread."""

    by: Annotated[Literal["TENANT", "LANDLORD"], Meta(description="Whether the tenant or the landlord wrote it.")]
    name: Annotated[str | None, Meta(description="The name of the tenant, the member or the API key.")]
    text: str
    at: Timestamp


class Question(Answer):
    """A tenant's question about an invoice."""

    id: str
    invoice_id: str
    invoice_number: str
    property_id: str
    unit_id: str
    tenant_id: str | None
    tenant_name: str | None
    month: Annotated[str, Meta(description="The invoice's month, as YYYY-MM.")]
    about: Annotated[
        str | None,
        Meta(description="The charge that the question is about, as the tenant sees it; null: the whole invoice."),
    ]
    status: Annotated[
        QuestionStatus, Meta(description="ANSWERED by a reply, or because someone marked it as answered.")
    ]
    asked_at: Timestamp
    answered_at: Timestamp | None
    thread: Annotated[list[QuestionMessage], Meta(description="The question and its reply, oldest first.")]
