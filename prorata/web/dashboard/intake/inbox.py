"""The inbox: documents that Prorata reads and a person confirms as bills."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.bills import entries as bill_entries, splits as bill_splits
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.intake import (
    document_removals,
    documents,
    issuer_lessons,
    lesson_files,
    page_lessons,
    table_documents,
)
from prorata.actions.intake.documents import InboxWish, ShownDocument
from prorata.actions.intake.proposed_properties import Proposed, proposed_for
from prorata.actions.invoices import previews
from prorata.actions.limits import MOST_DOCUMENTS_SEARCHED
from prorata.actions.properties import properties
from prorata.domain.files.file_kinds import told
from prorata.domain.files.grouped_problems import together
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft, Line, Reading
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.documents import BILLED, DRAFT, OPEN, PASSWORD, SET_ASIDE, UNREADABLE
from prorata.domain.money import in_figures
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.domain.utility_names import within_a_sentence
from prorata.errors import Conflict, InvalidRequest
from prorata.ports import Forms
from prorata.store.audit.audit import Caller
from prorata.store.bills.bills import BillSummary
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.bills.entries import (
    asked_so_far,
    beside_fields,
    decided,
    filled,
    read_filled,
    to_choose,
    values_of,
    with_flags,
)
from prorata.web.dashboard.intake.inbox_address import address_of
from prorata.web.dashboard.intake.item_form import ItemsForm
from prorata.web.dashboard.intake.pointing import FIELDS, Confirmed, as_learned, points_of
from prorata.web.dashboard.intake.table_documents import shown_table
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.list_queries import ListQuery
from prorata.web.dashboard.kernel.pages import (
    Answered,
    Ask,
    Download,
    GoTo,
    Outside,
    Shown,
    page,
)
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_INBOX_FILES, MOST_INVOICE_ITEMS

_STATES: Mapping[str, tuple[str, ...]] = {"": OPEN, "billed": (BILLED,), "aside": (SET_ASIDE,)}


class InboxQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and cursor of the inbox.

    `since` is the id of the first document of an upload; the page then shows how many of its documents have been
    read.
    """

    show: Literal["", "billed", "aside"] = ""
    search: Annotated[str, text(255, least=0)] = ""
    sort: Literal["", "oldest"] = ""
    behind: Annotated[str, text(64, least=0)] = ""
    since: Annotated[str, text(64, least=0)] = ""


class DocumentQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The property that a person chose for a document's bill."""

    property: Annotated[str, text(64, least=0)] = ""


class PasswordForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The password of a protected PDF, which is used once and not stored."""

    password: Annotated[str, text(200)]


class Mark(NamedTuple):
    """The place on a page where a value was found, in tenths of a point.

    `is_found` is False if the value is uncertain and a person must confirm it.
    """

    field: str
    name: str
    place: Place
    is_found: bool


class ToCheck(NamedTuple):
    """A value of a bill that a person must enter or confirm, with the reason.

    `choices` are the possible values, if any were found in the document.
    """

    field: str
    name: str
    why: str
    choices: tuple[str, ...]


@page("GET", "/inbox", may="read", query=InboxQuery)
def inbox_page(ask: Ask[Any, None]) -> Shown:
    """Show the waiting documents, or those that became bills or were set aside."""
    query = ask.query if isinstance(ask.query, InboxQuery) else InboxQuery()
    return shown_inbox(ask.tx, ask.caller, ask.outside, query)


def shown_inbox(
    tx: Tx, caller: Caller, outside: Outside, query: InboxQuery, refused: Sequence[tuple[str, str]] = ()
) -> Shown:
    """Show a page of the list of documents in the inbox.

    `refused` contains uploaded files that were not accepted, each with the reason.
    """
    wish = InboxWish(query.behind, query.search, query.sort == "oldest")
    values = {
        "found": documents.inbox(tx, caller, _STATES[query.show], query.since, wish),
        "mail_waiting": incoming_mail.number_waiting(tx, caller),
        "address": address_of(tx, caller, outside),
        "query": query,
        "parameters": msgspec.to_builtins(query),
        "refused": together(refused),
        "reads_pictures": outside.reads_pictures,
        "most": MOST_INBOX_FILES,
        "searched": MOST_DOCUMENTS_SEARCHED,
    }
    return Shown("inbox.html", values, status=409 if refused else 200)


@page("GET", "/inbox/{document}", may="read", query=DocumentQuery)
def document_page(ask: Ask[Any, None]) -> Shown:
    """Show a document beside a prefilled bill form; for a table, show its bills."""
    table = table_documents.find(ask.tx, ask.caller, ask.path["document"])
    if table is not None:
        return shown_table(ask, table)
    return _shown_bill(ask, documents.find(ask.tx, ask.caller, ask.path["document"]))


def _shown_bill(ask: Ask[Any, None], shown: ShownDocument) -> Shown:
    draft, proposed = shown.draft or UNREAD, _proposed(ask, shown)
    some = properties.to_choose_from(ask.tx, ask.caller)
    values = {
        "document": shown, "draft": draft, "proposed": proposed, "not_found": list(_not_found(draft)),
        "to_check": [
            *_of_another_currency(draft, proposed.property),
            *(one for one in _to_check(draft, ask.write) if one.field or proposed.property is None),
        ],
        "marks": list(_marks(draft)), "choose_from": [(one.id, one.name) for one in some], "property": None,
        "asks_for_password": shown.row.asks == PASSWORD,
        "items": (draft.stated.items if draft.stated else ())[:MOST_INVOICE_ITEMS],
        "is_taught": issuer_lessons.is_known(ask.tx, ask.caller.account_id, draft),
        "brought_by": incoming_mail.brought_by(ask.tx, ask.caller, shown.row.id),
    }  # fmt: skip
    if proposed.property is None:
        return Shown("document.html", values)
    begun_form = bill_entries.named_as_before(ask.tx, ask.caller, documents.begun(shown.draft, proposed.property))
    begun = filled(begun_form) | {"propertyId": proposed.property.id}
    form = values_of(ask, proposed.property, begun) | {"property": proposed.property}
    pages = page_lessons.pages_of(ask.tx, ask.caller.account_id, shown.row.id) if shown.row.state in OPEN else ()
    form["sent_to"] = f"/inbox/{shown.row.id}"
    form["points"] = points_of(pages, draft, proposed.property.country)
    return Shown("document.html", values | form, begun)


def _proposed(ask: Ask[Any, Any], shown: ShownDocument) -> Proposed:
    """Return the property that the person chose, or else a proposal from the document's values."""
    chosen = ask.typed.get("propertyId") or getattr(ask.query, "property", "")
    if chosen:
        return Proposed(access.property_(ask.tx, ask.caller, chosen))
    return proposed_for(ask.tx, ask.caller, shown.draft) if shown.draft else Proposed()


def _to_check(draft: Draft, write: Forms) -> Iterator[ToCheck]:
    for its, (field, name) in FIELDS.items():
        reading: Reading[Any] = getattr(draft, its)
        if reading.surety == "asked":
            yield ToCheck(field, name, reading.reason or "", tuple(_told(one, write, draft) for one in reading.choices))


def _of_another_currency(draft: Draft, of: PropertyRow | None) -> Iterator[ToCheck]:
    if of is not None and documents.is_of_another_currency(draft, of):
        why = say(
            "The bill is in {currency}, but {name} is in {currency_2}. Enter the bill’s amounts in {currency_2}.",
            currency=draft.currency,
            name=of.name,
            currency_2=of.currency,
        )
        yield ToCheck(*FIELDS["total"], why, ())


def _not_found(draft: Draft) -> Iterator[ToCheck]:
    """Yield the bill form's fields for which no value was found in the document.

    If the document could not be read at all, nothing is yielded.
    """
    for its, (field, name) in FIELDS.items():
        reading: Reading[Any] = getattr(draft, its)
        if field and reading.surety == "missing" and reading.reason:
            yield ToCheck(field, name, reading.reason, ())


def _told(value: object, write: Forms, draft: Draft) -> str:
    """Write one of a field's possible values in the person's formats."""
    match value:
        case int():
            return write.money(value, draft.currency) if draft.currency else in_figures(value)
        case tuple():
            return joined(
                (joined((within_a_sentence(one.name), _told(one.cents, write, draft))) for one in _lines(value)), ", "
            )
        case str():
            return value
        case _:
            return write.day(value)  # type: ignore[arg-type]


def _lines(value: tuple[object, ...]) -> Iterator[Line]:
    return (one for one in value if isinstance(one, Line))


def _marks(draft: Draft) -> Iterator[Mark]:
    for its, (field, name) in FIELDS.items():
        reading: Reading[Any] = getattr(draft, its)
        places = reading.places or tuple(place for line in _lines_of(reading) for place in line.places)
        yield from (Mark(field, name, place, reading.surety == "found") for place in places)


def _lines_of(reading: Reading[Any]) -> Iterator[Line]:
    return _lines(reading.value) if isinstance(reading.value, tuple) else iter(())


@page("GET", "/inbox/{document}/property", may="write", query=ListQuery)
def choose_property_of_document(ask: Ask[ListQuery, None]) -> Shown:
    """Show the properties from which a person chooses one for a document's bill."""
    shown = documents.find(ask.tx, ask.caller, ask.path["document"])
    here = f"/inbox/{shown.row.id}"
    return to_choose(ask, title=shown.row.name, here=f"{here}/property", before=f"{here}?property=", behind="")


@page(
    "POST", "/inbox/{document}", may="write", form=Confirmed, again=document_page, moves=previews.of_property
)  # fmt: skip
def confirm_document(ask: Ask[None, Any]) -> Shown | GoTo:
    """Add the bill in a document, or show its flags for a decision."""
    form = read_filled(ask.form, ask.form.property_id)
    with beside_fields(line.kind for line in form.lines):
        entered = documents.confirm(
            ask.tx, ask.caller, ask.path["document"], form, decision=decided(ask.form),
            at=as_learned(ask.form.at),
        )  # fmt: skip
    if entered.bill is None:
        return with_flags(document_page(ask), entered, ask)
    said = joined([say("The bill was added."), bill_splits.outcome(ask.tx, ask.caller, entered.bill, ask.write)])
    return GoTo(_after(ask, entered.bill), said)


def _after(ask: Ask[None, Any], bill: BillSummary) -> str:
    """Return the address of the page to open when a document's bill was added.

    If the person wants to enter another bill, it is the next waiting file in the list, or an empty form.
    """
    if not ask.form.another:
        return "/inbox" if documents.number_in(ask.tx, ask.caller, OPEN) else f"/bills/{bill.id}"
    wishes = (InboxWish(behind=ask.path["document"]), InboxWish())
    found = (documents.inbox(ask.tx, ask.caller, (DRAFT, UNREADABLE), wish=wish).rows for wish in wishes)
    waiting = next(filter(None, found), None)
    return f"/inbox/{waiting[0].row.id}" if waiting else f"/properties/{bill.property_id}/bills/new"


@page("POST", "/inbox/{document}/so-far", may="write", only_reads=True, own_fields=True)
def bill_of_document_so_far(ask: Ask[None, None]) -> Shown:
    """Show a document's unfinished bill form, with the sum and billing months so far."""
    return asked_so_far(document_page(ask), ask)


@page("POST", "/inbox/{document}/items", may="write", form=ItemsForm, again=document_page)
def say_what_items_are_for(ask: Ask[None, Any]) -> GoTo:
    """Store what each item of an e-invoice is for, and prefill the bill's form.

    An item is for a utility type, or has a reason why it is not billed.
    """
    kinds = [getattr(ask.form, f"kind{number}") for number in range(1, MOST_INVOICE_ITEMS + 1)]
    documents.say_items(ask.tx, ask.caller, ask.path["document"], kinds)
    chosen = f"?property={quote(ask.form.property)}" if ask.form.property else ""
    return GoTo(f"/inbox/{ask.path['document']}{chosen}")


@page("POST", "/inbox/{document}/forget", may="write")
def forget_seller(ask: Ask[None, None]) -> GoTo:
    """Forget what was learned from earlier e-invoices of the same seller."""
    shown = documents.find(ask.tx, ask.caller, ask.path["document"])
    lesson_files.forget_seller(ask.tx, ask.caller, shown.draft)
    return GoTo(
        f"/inbox/{shown.row.id}",
        say("What Prorata had learned about this company was forgotten. You’ll be asked again on its next bill."),
    )


@page("POST", "/inbox/{document}/password", may="write", form=PasswordForm, again=document_page)
async def open_document(steps: Steps) -> Answered:
    """Read a protected PDF with its password, which is not stored."""
    document_id, caller, password = steps.path["document"], steps.caller, steps.form.password
    content = await steps.read(lambda tx: documents.content_of(tx, caller, document_id))
    known = await steps.read(lambda tx: page_lessons.known(tx, caller.account_id))
    read = await steps.read_bill(content, password, known)
    if read.said is not None:
        raise InvalidRequest.because([Problem("password", read.said)])
    await steps.write(lambda tx: documents.note_draft(tx, caller.account_id, document_id, read.draft, read.pages))
    return GoTo(f"/inbox/{document_id}")


@page("POST", "/inbox/{document}/aside", may="write")
def set_document_aside(ask: Ask[None, None]) -> GoTo:
    """Set aside a document that is not a bill."""
    documents.set_aside(ask.tx, ask.caller, ask.path["document"])
    return GoTo("/inbox", say("The file was set aside. It is still stored, under Set aside."))


@page("POST", "/inbox/{document}/again", may="write")
def take_document_up(ask: Ask[None, None]) -> GoTo:
    """Return a document that was set aside to the waiting ones, and read it again."""
    documents.take_up(ask.tx, ask.caller, ask.path["document"])
    return GoTo(f"/inbox/{ask.path['document']}", say("The file is being read again."))


@page("GET", "/inbox/{document}/delete", may="write")
def ask_to_delete_document(ask: Ask[None, None]) -> Shown | GoTo:
    """Ask to confirm deleting a document.

    If the document can't be deleted, return to its page with a message that states the reason.
    """
    try:
        row = document_removals.to_remove(ask.tx, ask.caller, ask.path["document"])
    except Conflict as refused:
        return GoTo(f"/inbox/{ask.path['document']}", refused.message, warns=True)
    question = {
        "title": say("Delete {name}?", name=row.name),
        "lost": document_removals.LOST,
        "does": say("Delete the file"),
    }
    return Shown("confirm.html", {**question, "back": f"/inbox/{row.id}"})


@page("POST", "/inbox/{document}/delete", may="write", again=document_page)
def delete_document(ask: Ask[None, None]) -> GoTo:
    """Delete a document, and return to the inbox."""
    row = document_removals.remove(ask.tx, ask.caller, ask.path["document"])
    return GoTo("/inbox", say("{name} was deleted.", name=row.name))


@page("GET", "/inbox/{document}/file", may="read")
def file_of_document(ask: Ask[None, None]) -> Download:
    """Download a document's file as it arrived.

    The file comes from a stranger, so it is never opened in the browser.
    """
    row = access.document(ask.tx, ask.caller, ask.path["document"])
    return Download(row.name, "application/octet-stream", documents.content_of(ask.tx, ask.caller, row.id))


@page("GET", "/inbox/{document}/pages/{number}", may="read")
async def picture_of_page(steps: Steps) -> Download:
    """Return one page of a document, or a photo, as a picture."""
    caller, number = steps.caller, steps.path["number"]
    content = await steps.read(lambda tx: documents.content_of(tx, caller, steps.path["document"]))
    made = await steps.picture(content, number)
    kind = told("", made).kind or "png"
    return Download(f"page.{kind}", f"image/{kind}", made, to_look_at=True)
