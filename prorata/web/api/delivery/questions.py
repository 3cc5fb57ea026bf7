"""Tenants' questions: listing, reading, replying and marking as answered."""

from prorata.actions.delivery import disputes, question_replies, questions, tenant_questions
from prorata.store.delivery.questions import ListedQuestion
from prorata.web.api.delivery.question_schemas import Question, QuestionMessage, QuestionReply, QuestionsQuery
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import sent_fields
from prorata.web.http.response_schemas import Page, page_of

_FILTERS = {"invoice_id": "invoice", "property_id": "property"}


def shown(row: ListedQuestion) -> Question:
    """Convert a question to the API's format."""
    thread = [QuestionMessage(by="TENANT", name=row.tenant_name, text=row.asked, at=row.asked_at)]
    if row.reply is not None:
        thread.append(
            QuestionMessage(by="LANDLORD", name=row.replied_by, text=row.reply, at=row.answered_at or row.asked_at)
        )
    return Question(
        id=row.id,
        invoice_id=row.invoice_id,
        invoice_number=row.number,
        property_id=row.property_id,
        unit_id=row.unit_id,
        tenant_id=row.tenant_id,
        tenant_name=row.tenant_name,
        month=row.month,
        about=row.about,
        status="OPEN" if row.answered_at is None else "ANSWERED",
        asked_at=row.asked_at,
        answered_at=row.answered_at,
        thread=thread,
    )


@operation("GET", "/questions", at_once=True, summary="List questions", query=QuestionsQuery, answer=Page[Question])
def list_questions(call: Call[QuestionsQuery, None]) -> Page[Question]:
    """List a page of tenants' questions, latest first; `status=OPEN` lists the unanswered ones.

    Disputes are not included; list them with `GET /disputes`.
    """
    query = call.query
    filters = {_FILTERS[name]: value for name, value in sent_fields(query).items() if name in _FILTERS}
    status = sent_fields(query).get("status")
    filters |= {status.lower(): ""} if status else {}
    rows, total = questions.page(call.tx, call.caller, filters, limit=query.limit, offset=query.offset)
    return page_of([shown(row) for row in rows], total, query)


@operation("GET", "/questions/{id}", at_once=True, summary="Read a question", answer=Question, missing=("question",))
def read_question(call: Call[None, None]) -> Question:
    """Read a tenant's question about an invoice, with the replies to it."""
    return shown(questions.find(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", "/questions/{id}/reply", summary="Reply to a question", body=QuestionReply, answer=Question, status=200,
    missing=("question",), conflict="The question already has another reply.",
    example={"text": "The meter was read on the 3rd."},
)  # fmt: skip
def reply_to_question(call: Call[None, QuestionReply]) -> Question:
    """Reply to a tenant's question, by e-mail and on the tenant's page.

    If you send the same text again, nothing happens.
    """
    question = questions.find(call.tx, call.caller, call.path["id"])
    by = disputes.name_of(call.tx, call.caller) or ""
    question_replies.reply(call.tx, call.caller, question.id, call.body.text, by)
    return shown(questions.find(call.tx, call.caller, question.id))


@operation(
    "POST", "/questions/{id}/answered", summary="Note a question as answered", answer=Question, status=200,
    missing=("question",),
)  # fmt: skip
def note_question_answered(call: Call[None, None]) -> Question:
    """Mark a question as answered in another way, such as by telephone; nobody is e-mailed."""
    question = questions.find(call.tx, call.caller, call.path["id"])
    tenant_questions.answer(call.tx, call.caller, question.id)
    return shown(questions.find(call.tx, call.caller, question.id))
