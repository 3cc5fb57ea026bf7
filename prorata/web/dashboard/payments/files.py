"""The payments page, and payment files whose rows are matched to invoices.

A payment file is a bank statement or another program's list of payments.
"""

from collections.abc import Mapping
from functools import partial
from math import ceil
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from prorata.actions.accounts import accounts
from prorata.actions.audit import earlier_uploads
from prorata.actions.delivery import send_schedule
from prorata.actions.payments import (
    files as payment_files,
    finished_files,
    lists as payment_lists,
    recording as payment_recording,
    rows_aside,
)
from prorata.actions.payments.files import LookedAt, PaymentFile
from prorata.actions.payments.picks import Picks, mark_of, mark_of_matched
from prorata.actions.payments.recording import NOTHING_RECORDED, Decided, Recorded
from prorata.domain.delivery.receipts import going_out, offered_to_all
from prorata.domain.delivery.send_schedule import Leaving
from prorata.domain.files.column_kinds import has_header
from prorata.domain.files.sheets import NO_HEADER
from prorata.domain.groups import added_up
from prorata.domain.limits import MOST_PAYMENT_ROWS
from prorata.domain.payments.columns import FIELD_NAMES, FIELDS
from prorata.domain.payments.files import CLOSED, OPEN
from prorata.domain.payments.matching import MATCHED, PROPOSED, UNMATCHED
from prorata.domain.problems import Problem
from prorata.domain.texts import Text, joined, say, say_n
from prorata.errors import InvalidRequest
from prorata.ports import Forms
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.intake import table_descriptions
from prorata.web.dashboard.kernel import file_columns
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import chosen_file
from prorata.web.dashboard.kernel.forms import whole
from prorata.web.dashboard.kernel.inline_files import TOO_LARGE
from prorata.web.dashboard.kernel.pages import Answered, Ask, Download, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_PAYMENT_ROWS_SHOWN, MOST_UPLOAD_BYTES, MOST_UPLOAD_FORM_BYTES

ROWS = 50
DELETING = say(
    "The file will be deleted permanently, including the rows that were not recorded. Payments recorded from it stay "
    "with their invoices and are still recognized: if you upload the same file again, they are not recorded a second "
    "time."
)
_ASIDE = say_n("{n} row was set aside.", "{n} rows were set aside.", 2)
_BACK = say_n("{n} row is waiting again.", "{n} rows are waiting again.", 2)
_FINISHED = say("Nothing in this file is waiting any longer, so it is marked as done.")
_REMEMBERED = say("The next file with these columns will be read this way automatically.")


_NOTHING_ELSE = {"refunds": (), "number_of_refunds": 0, "files": {}, "is_whole": False, "noted": None}
"""The empty values for everything that only the first page of payments shows."""


class PaymentsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and cursor of the payments page.

    If `of` is set, the page lists the payment files in that state instead of payments.
    """

    search: Annotated[str, text(255, least=0)] = ""
    sort: Literal["", "oldest"] = ""
    of: Literal["", "open", "closed"] = ""
    behind: Annotated[str, text(64, least=0)] = ""


class FileQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The choice to change a payment file's columns, and the page of the file's rows."""

    change: bool = False
    page: Annotated[int, Meta(ge=1, le=MOST_PAYMENT_ROWS)] = 1


class StateForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The state to give a payment file: open or closed."""

    state: Literal["open", "closed"]


@page("GET", "/payments", may="read", query=PaymentsQuery)
def payments_page(ask: Ask[Any, Any]) -> Shown:
    """Show received payments, refunds due and payment files, or one of these lists in full."""
    query = ask.query if isinstance(ask.query, PaymentsQuery) else PaymentsQuery()
    tx, caller = ask.tx, ask.caller
    values: dict[str, Any] = {"query": query, "parameters": msgspec.to_builtins(query), **_NOTHING_ELSE}
    if query.of:
        of_state = payment_files.listed(tx, caller, query.of, query.behind)
        return Shown("payments.html", values | {"found": None, "files": {query.of: of_state}})
    oldest = query.sort == "oldest"
    found = payment_lists.page(tx, caller, query.search, behind=query.behind, oldest_first=oldest, limit=ROWS)
    values["found"] = found
    if not (query.search or query.sort or query.behind):
        refunds, number = payment_lists.refunds_due(tx, caller, MOST_PAYMENT_ROWS_SHOWN)
        files = {state: payment_files.listed(tx, caller, state) for state in (OPEN, CLOSED)}
        values |= {"files": files, "refunds": refunds, "number_of_refunds": number, "is_whole": True}
        values |= _noted(ask)
    return Shown("payments.html", values)


def _noted(ask: Ask[Any, Any]) -> dict[str, Any]:
    """Collect the invoices that were set to PAID without a recorded payment, and their sum."""
    noted = payment_lists.noted(ask.tx, ask.caller)
    amounts = " + ".join(ask.write.money(cents, currency) for currency, cents in noted.sums.items())
    return {"noted": noted, "noted_amounts": amounts}


@page("POST", "/payments/files", may="write", again=payments_page, most_bytes=MOST_UPLOAD_FORM_BYTES)
async def bring_payments(steps: Steps) -> Answered:
    """Store an uploaded payment file, and redirect to the page of its rows."""
    caller = steps.caller
    file = chosen_file(steps.files, say("Choose a file from your bank, or from your own ledger."))
    if len(file.content) > MOST_UPLOAD_BYTES:
        raise InvalidRequest.because([Problem("file", TOO_LARGE)])
    try:
        sheet = await steps.read_table("payments", file.content)
        there = await steps.read(lambda tx: _stands(tx, caller, file.content, steps.forms))
        kept = await steps.write(lambda tx: payment_files.keep(tx, caller, file.name, file.content, sheet))
        await steps.write(lambda tx: finished_files.finish(tx, caller, kept))
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None
    return GoTo(f"/payments/files/{kept}", there)


def _stands(tx: Tx, caller: Caller, content: bytes, write: Forms) -> Text | Literal[""]:
    """Describe when the same payment file was uploaded before, and how many rows were recorded.

    Return an empty string if the file is new.
    """
    row = payment_files.kept_of(tx, caller, content)
    if row is None:
        return ""
    recorded = say(
        "Rows recorded so far: {recorded} of {n}.", recorded=write.count(row.recorded), n=write.count(row.rows)
    )
    return joined([earlier_uploads.told(tx, caller, row.id, row.name, write), recorded])


@page("GET", "/payments/files/{file}", may="read", query=FileQuery)
def payment_file_page(ask: Ask[Any, Any]) -> Shown:
    """Show a payment file's waiting rows, with the invoices that they may pay."""
    file = payment_files.find(ask.tx, ask.caller, ask.path["file"])
    found, is_open = file.understood, file.row.state == OPEN
    change = is_open and (found.is_open or getattr(ask.query, "change", False) is True)
    looked = None if found.is_open or change else payment_files.look_at(ask.tx, ask.caller, file, ask.write)
    there = set(found.fields)
    amounts = found.amounts if there & {"amount", "received", "paidOut"} else None
    values = {
        "file": file, "row": file.row, "looked": looked, "change": change, "most": MOST_PAYMENT_ROWS_SHOWN,
        "told": table_descriptions.told_of(found.sheet, amounts, found.dates if "date" in there else None, ask.write),
        "mark_of": mark_of, "is_open": is_open, "deleting": DELETING,
        "problems": file_columns.problems_of(looked.problems, found.sheet, ask.write) if looked else (),
        "mail_waits": payment_recording.with_waiting_mail(ask.tx, ask.caller, looked) if looked and is_open else 0,
    }  # fmt: skip
    values |= _rows_of(ask, looked) if looked else {}
    return Shown("payment_file.html", values | (_asked(file, ask.write) if change else {}))


def _rows_of(ask: Ask[Any, Any], looked: LookedAt) -> dict[str, Any]:
    """Collect the values for one page of a payment file's waiting rows.

    A page shows up to `MOST_PAYMENT_ROWS_SHOWN` rows of each kind (matched, proposed, unmatched). If the address names
    a page that doesn't exist, the last page is used. `of_all` identifies the matched rows on the other pages; if these
    change before the person records them, recording is refused.
    """
    account = accounts.the_account(ask.tx, ask.caller)
    kinds = {verdict: looked.of(verdict) for verdict in (MATCHED, PROPOSED, UNMATCHED)}
    pages = max(1, ceil(max(map(len, kinds.values())) / MOST_PAYMENT_ROWS_SHOWN))
    page_number = min(getattr(ask.query, "page", 1), pages)
    those = slice((page_number - 1) * MOST_PAYMENT_ROWS_SHOWN, page_number * MOST_PAYMENT_ROWS_SHOWN)
    shown = {verdict: rows[those] for verdict, rows in kinds.items()}
    lines = [one.row.line for verdict in (MATCHED, PROPOSED) for one in shown[verdict]]
    return {
        "parts_of": kinds, "rows_of": shown, "page_number": page_number, "pages": pages,
        "lines_shown": " ".join(map(str, lines)), "of_all": mark_of_matched(looked.waiting, lines),
        "paid": added_up((part.invoice.id, part.cents) for one in kinds[MATCHED] for part in one.candidates[0]),
        "receipts": offered_to_all(ask.outside.mail_held) if account.mail_on else "", "carries": account.carry_credits,
    }  # fmt: skip


def _asked(file: PaymentFile, write: Forms) -> dict[str, Any]:
    """Collect the values for the form that defines a payment file's columns."""
    sheet = file.understood.sheet
    return {
        "lines": file_columns.lines_of(sheet),
        "columns": file_columns.columns_of(sheet, file.understood.fields, write),
        "first": () if has_header(sheet) else file_columns.first_rows_of(sheet, write),
        "names": FIELD_NAMES,
        "marks": table_descriptions.MARKS,
        "orders": table_descriptions.ORDERS,
    }


@page("POST", "/payments/files/{file}/columns", may="write", own_fields=True, again=payment_file_page)
def choose_payment_columns(ask: Ask[None, None]) -> GoTo:
    """Save the header line and the meaning of a payment file's columns.

    If the person asks for it, they also apply to the next file with the same columns.
    """
    file_id, remember = ask.path["file"], ask.typed.get("remember") == "true"
    line = NO_HEADER if ask.typed.get("line") == "0" else whole(ask.typed.get("line", ""))
    header = payment_files.find(ask.tx, ask.caller, file_id).understood.sheet
    is_mapped = line == header.header_line and any(name.startswith("column.") for name in ask.typed)
    mapping = file_columns.mapping_of(ask.typed, header.header, FIELDS) if is_mapped else None
    payment_files.choose(ask.tx, ask.caller, file_id, line, mapping, remember=remember)
    finished_files.finish(ask.tx, ask.caller, file_id)
    if mapping is None:
        return GoTo(f"/payments/files/{file_id}?change=true")
    return GoTo(f"/payments/files/{file_id}", _REMEMBERED if remember else "")


@page("POST", "/payments/files/{file}/record", may="write", own_fields=True, again=payment_file_page)
async def record_payments(steps: Steps) -> Answered:
    """Record the rows that the person chose on any page of the payment file."""
    file_id, caller, decided = steps.path["file"], steps.caller, await _decided(steps)
    if not (decided.rows or decided.refused):
        raise InvalidRequest(
            say("Nothing was chosen. Select the correct matches, or choose an invoice, then record them.")
        )
    done, told = NOTHING_RECORDED, steps.typed.get("receipts") == "true"
    for part in decided.in_parts():
        record = partial(payment_recording.record, caller=caller, decided=part, receipts=told)
        done = done.and_then(await steps.write(record))
    is_done = await steps.write(lambda tx: finished_files.finish(tx, caller, file_id))

    def about(tx: Tx) -> tuple[str, Leaving]:
        account, held = accounts.the_account(tx, caller), steps.outside.mail_held
        leaving = send_schedule.of_account(tx, account, held, queued=done.receipts)
        return payment_files.find(tx, caller, file_id).currency, leaving

    currency, leaving = await steps.read(about)
    said = joined([said_of(done, steps.forms, currency, leaving), _FINISHED if is_done else ""])
    return GoTo(f"/payments/files/{file_id}", said, warns=bool(done.refused or done.withdrawn))


async def _decided(steps: Steps) -> Decided:
    """Collect the rows of a payment file that the person has decided to record.

    If the file has more than one page of rows, the choices on this page are stored first. The decision then
    consists of these and of the choices stored from other pages.
    """
    file_id, caller, picks, of_all = steps.path["file"], steps.caller, _picks(steps.typed), steps.typed.get("of_all")
    if of_all is not None:
        await steps.write(lambda tx: payment_recording.settle(tx, caller, file_id, picks))
    decide, write = payment_recording.decide, steps.forms
    return await steps.read(lambda tx: decide(tx, caller, file_id, picks, write, of_all=of_all))


@page("POST", "/payments/files/{file}/picks", may="write", own_fields=True, again=payment_file_page)
def pick_payments(ask: Ask[None, None]) -> GoTo:
    """Store the choices on one page of rows, and redirect to another page."""
    payment_recording.settle(ask.tx, ask.caller, ask.path["file"], _picks(ask.typed))
    return GoTo(f"/payments/files/{ask.path['file']}?page={whole(ask.typed.get('go', '')) or 1}")


def _picks(typed: Mapping[str, str]) -> Picks:
    """Parse a person's choices on a page of a payment file's rows.

    If the page showed a row but the person did not tick it, the row's proposal counts as rejected.
    """
    shown = {line: "" for line in map(whole, typed.get("shown", "").split()) if line}
    numbers = {line: number.strip() for line, number in _by_line(typed, "number-").items()}
    return Picks(shown | _by_line(typed, "to-"), numbers)


@page("POST", "/payments/files/{file}/aside", may="write", own_fields=True, again=payment_file_page)
def set_rows_aside(ask: Ask[None, None]) -> GoTo:
    """Set aside rows that are not tenants' payments, or let them wait again.

    The choices that the person made for other rows on the page are kept.
    """
    file_id, back = ask.path["file"], ask.typed.get("back")
    if back is None:
        payment_recording.settle(ask.tx, ask.caller, file_id, _picks(ask.typed))
    lines = [line for line in map(whole, (back or ask.typed.get("aside", "")).split()) if line]
    number = rows_aside.change(ask.tx, ask.caller, file_id, lines, aside=back is None)
    said = (_BACK if back is not None else _ASIDE).of(number, ask.write.count(number))
    is_done = finished_files.finish(ask.tx, ask.caller, file_id)
    return GoTo(f"/payments/files/{file_id}?page={_page_number(ask)}", joined([said, _FINISHED if is_done else ""]))


def _page_number(ask: Ask[Any, Any]) -> int:
    return whole(ask.typed.get("page", "")) or 1


@page("POST", "/payments/files/{file}/same", may="write", own_fields=True, again=payment_file_page)
async def call_row_the_same(steps: Steps) -> Answered:
    """Record that a row is the same payment as one that was recorded before."""
    file_id, caller, line = steps.path["file"], steps.caller, whole(steps.typed.get("same", ""))
    asked_about = payment_recording.asked_about
    asked = await steps.read(lambda tx: asked_about(tx, caller, file_id, line, steps.forms))
    await steps.write(lambda tx: payment_recording.call_same(tx, caller, asked))
    is_done = await steps.write(lambda tx: finished_files.finish(tx, caller, file_id))
    said = say("Noted. The payment isn’t recorded again, and the invoice’s history shows this.")
    return GoTo(f"/payments/files/{file_id}", joined([said, _FINISHED if is_done else ""]))


def said_of(done: Recorded, write: Forms, currency: str, leaving: Leaving) -> str:
    """Describe how many rows of a payment file were recorded, and what follows.

    `currency` is the file's currency. `leaving` says when the receipts are sent.
    """
    said = [say_n("{n} payment was recorded.", "{n} payments were recorded.", done.rows, n=write.count(done.rows))]
    if done.rows > 1:
        said.append(say("They come to {sum} in total.", sum=write.money(done.cents, currency)))
    if done.receipts:
        said.append(going_out(done.receipts, leaving, write))
    if done.withdrawn:
        said.append(
            say_n(
                "The e-mail for {n} invoice was withdrawn because the invoice was paid first.",
                "The e-mails for {n} invoices were withdrawn because the invoices were paid first.",
                done.withdrawn, n=write.count(done.withdrawn),
            )
        )  # fmt: skip
    if done.refused:
        said.append(
            say_n(
                "Something has changed in the meantime for line {lines}: check it again.",
                "Something has changed in the meantime for lines {lines}: check them again.",
                len(done.refused), lines=", ".join(map(str, done.refused)),
            )
        )  # fmt: skip
    return joined(said)


def _by_line(typed: Mapping[str, str], begins: str) -> dict[int, str]:
    found = ((whole(name.removeprefix(begins)), value) for name, value in typed.items() if name.startswith(begins))
    return {line: value for line, value in found if line}


@page("POST", "/payments/files/{file}/state", may="write", form=StateForm, again=payment_file_page)
def close_payment_file(ask: Ask[None, StateForm]) -> GoTo:
    """Close a payment file, or reopen it, as the form states."""
    payment_files.set_state(ask.tx, ask.caller, ask.path["file"], ask.form.state)
    if ask.form.state == OPEN:
        return GoTo(f"/payments/files/{ask.path['file']}")
    return GoTo(
        "/payments", say("The file is marked as done. It is still stored, along with what was recorded from it.")
    )


@page("GET", "/payments/files/{file}/file", may="read")
def payment_file_as_it_came(ask: Ask[None, None]) -> Download:
    """Download a payment file, byte for byte as it was uploaded."""
    name, content = payment_files.as_it_came(ask.tx, ask.caller, ask.path["file"])
    return Download(name, "application/octet-stream", content)


@page("GET", "/payments/files/{file}/delete", may="write")
def ask_to_delete_payment_file(ask: Ask[None, None]) -> Shown:
    """Ask to confirm deleting a payment file, and describe what is lost."""
    row = payment_files.find(ask.tx, ask.caller, ask.path["file"]).row
    values = {
        "title": say("Delete {name}?", name=row.name),
        "lost": DELETING,
        "does": say("Delete it"),
        "back": f"/payments/files/{row.id}",
    }
    return Shown("confirm.html", values)


@page("POST", "/payments/files/{file}/delete", may="write", again=payment_file_page)
def delete_payment_file(ask: Ask[None, None]) -> GoTo:
    """Delete a payment file, and return to the payments page."""
    row = payment_files.remove(ask.tx, ask.caller, ask.path["file"])
    return GoTo("/payments", say("{name} was deleted. Payments recorded from it have been kept.", name=row.name))
