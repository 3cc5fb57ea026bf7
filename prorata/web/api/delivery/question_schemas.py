"""Tenants' questions as clients read and answer them."""

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
    property_id: Annotated[Filter, Meta(description="Only questions about invoices of this property.")] | UnsetType = (
        UNSET
    )
    status: QuestionStatus | UnsetType = UNSET


class QuestionReply(Body):
    """The reply to a tenant."""

    text: Annotated[str, text(LONGEST_QUESTION)]


class QuestionMessage(Answer):
    """One message in a question's thread."""

    by: Annotated[Literal["TENANT", "LANDLORD"], Meta(description="Which side wrote it.")]
    name: Annotated[str | None, Meta(description="Who: the tenant, the member, or the API key.")]
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
    month: Annotated[str, Meta(description="That of the invoice, YYYY-MM.")]
    about: Annotated[str | None, Meta(description="The charge that it is about, as the tenant read it; null: all.")]
    status: Annotated[QuestionStatus, Meta(description="ANSWERED by a reply, or as somebody noted that it was.")]
    asked_at: Timestamp
    answered_at: Timestamp | None
    thread: Annotated[list[QuestionMessage], Meta(description="The question and its reply, the oldest first.")]
