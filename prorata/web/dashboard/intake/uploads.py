"""The upload of bill files to the inbox."""

from collections.abc import Sequence
from functools import partial

from prorata.actions.audit import earlier_uploads
from prorata.actions.intake import documents, table_documents
from prorata.actions.intake.documents import Taken
from prorata.domain.intake.documents import BILLED, DRAFT, READING, SET_ASIDE, UNREADABLE
from prorata.domain.problems import Problem
from prorata.domain.texts import Text, joined, say, say_n
from prorata.errors import Conflict, InvalidRequest, PayloadTooLarge, Refusal
from prorata.ports import Forms
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.intake.documents import DocumentRow
from prorata.web.dashboard.intake.inbox import InboxQuery, inbox_page, shown_inbox
from prorata.web.dashboard.intake.table_descriptions import outcome_in_words
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, GoTo, page
from prorata.web.http.limits import MOST_INBOX_FILES, MOST_INBOX_FORM_BYTES
from prorata.web.http.sent_files import SentFile

_NOT_TAKEN = (Conflict, InvalidRequest, PayloadTooLarge)
_NAMED = 5
"""The maximum number of files named in a sentence."""
_STANDS = {
    READING: say("It is still being read."),
    DRAFT: say("It is waiting to be confirmed."),
    UNREADABLE: say("It could not be read, so enter what it says."),
    BILLED: say("It has become a bill."),
    SET_ASIDE: say("This file was set aside."),
}
"""The sentences that describe the present state of a file, by that state."""


@page("POST", "/inbox", may="write", again=inbox_page, most_bytes=MOST_INBOX_FORM_BYTES)
async def bring(steps: Steps) -> Answered:
    """Store each of the uploaded files as a document, and start reading them.

    A file that is not accepted does not affect the others.
    """
    uploads = [upload for upload in steps.uploads.get("files", ()) if upload.name]
    if not uploads:
        raise InvalidRequest.because([Problem("files", say("Choose one or more files."))])
    if len(uploads) > MOST_INBOX_FILES:
        said = say("You chose {number} files. Upload up to {most} at once.", number=len(uploads), most=MOST_INBOX_FILES)
        raise InvalidRequest.because([Problem("files", said)])
    taken: list[Taken] = []
    refused: list[tuple[str, str]] = []
    for upload in uploads:
        try:
            await _keep(steps, upload, taken, refused)
        except _NOT_TAKEN as refusal:
            refused.append((upload.name, _sentence(refusal)))
    new = [one.row.id for one in taken if one.is_new]
    if refused:
        caller, outside, query = steps.caller, steps.outside, InboxQuery(since=min(new, default=""))
        return await steps.read(lambda tx: shown_inbox(tx, caller, outside, query, refused))
    there = f"/inbox/{taken[0].row.id}" if len(taken) == 1 else f"/inbox{f'?since={min(new)}' if new else ''}"
    caller, write = steps.caller, steps.forms
    return GoTo(there, await steps.read(lambda tx: _said(tx, caller, taken, write)))


async def _keep(steps: Steps, upload: SentFile, taken: list[Taken], refused: list[tuple[str, str]]) -> None:
    """Store an uploaded file as a document, or each file of an uploaded archive.

    Accepted files are added to `taken`, and all others to `refused`, with the reason.
    """
    caller = steps.caller
    for file in await steps.files_in(upload):
        if file.problem:
            refused.append((file.name, file.problem))
        else:
            take = partial(documents.take, caller=caller, name=file.name, content=file.data, way="upload")
            try:
                taken.append(await steps.write(take))
            except _NOT_TAKEN as refusal:
                refused.append((file.name, _sentence(refusal)))


def _sentence(refusal: Refusal) -> str:
    return refusal.problems[0].message if refusal.problems else refusal.message


def _said(tx: Tx, caller: Caller, taken: Sequence[Taken], write: Forms) -> Text:
    new, known = sum(one.is_new for one in taken), [one.row for one in taken if not one.is_new]
    if len(taken) == len(known) == 1:
        return _stands(tx, caller, known[0], write)
    accepted = say_n("{n} file was accepted and will be read.", "{n} files were accepted and will be read.", new)
    names = ", ".join([row.name for row in known[:_NAMED]] + ["…"] * (len(known) > _NAMED))
    there = say_n("{n} was already there: {names}.", "{n} were already there: {names}.", len(known), names=names)
    return joined(text.of(n, write.count(n)) for n, text in ((new, accepted), (len(known), there)) if n)


def _stands(tx: Tx, caller: Caller, row: DocumentRow, write: Forms) -> Text:
    """Describe when the same file was uploaded before, and what has become of it."""
    told = earlier_uploads.told(tx, caller, row.id, row.name, write, by_mail=row.way == "mail")
    shown, table = documents.find(tx, caller, row.id), table_documents.find(tx, caller, row.id)
    stands = outcome_in_words(table.outcome if table else None, write) or _STANDS[row.state]
    if row.state == BILLED and not (table or shown.bill_id):
        stands = say("The bill from this file was removed.")
    return joined([told, stands])
