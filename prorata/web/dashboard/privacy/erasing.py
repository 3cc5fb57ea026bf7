"""A tenant's personal data, which can be downloaded and, after the stay, erased."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from prorata.actions.accounts import accounts
from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.privacy import erasing, exporting
from prorata.actions.privacy.erasing import Erasure
from prorata.actions.properties import tenant_lists
from prorata.domain.file_names import clean_name
from prorata.domain.texts import Text, joined, say, say_n
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.list_queries import ROWS, ListQuery
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, Streamed, page
from prorata.web.http.fields import text

ZIP = "application/zip"


HOME = "/settings/personal-data"


class PastQuery(ListQuery, kw_only=True):
    """Filters, order and page of the list of former and removed tenants."""

    sort: Literal["name", "-name"] = "name"
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


@page("GET", HOME, may="manage", query=PastQuery)
def personal_data(ask: Ask[PastQuery, None]) -> Shown:
    """Show former and removed tenants, whose data can be downloaded or erased."""
    query = ask.query
    leaf = Leaf(query.offset, query.after, query.before)
    found = tenant_lists.page(ask.tx, ask.caller, query.search, who="PAST", sort=query.sort, limit=ROWS, leaf=leaf)
    parameters = msgspec.to_builtins(query) | {"page": None, "after": "", "before": ""}
    kept = accounts.the_account(ask.tx, ask.caller)
    values = {"found": found, "query": query, "parameters": parameters, "limit": ROWS, "kept": kept}
    return Shown("personal_data.html", values)


@page("GET", "/tenants/{tenant}/data", may="manage")
def tenant_data(ask: Ask[None, None]) -> Streamed:
    """Download everything stored about a tenant as a ZIP file."""
    caller, outside, tenant_id = ask.caller, ask.outside, ask.path["tenant"]
    row = erasing.tenant_of_any_time(ask.tx, caller, tenant_id)

    def pieces(tx: Tx) -> Iterator[bytes]:
        return outside.pack(exporting.files_of(tx, caller, tenant_id, outside.printer))

    return Streamed(f"{clean_name(row.name)}.zip", ZIP, pieces)


@page("GET", "/tenants/{tenant}/erase", may="manage")
def ask_to_erase_tenant(ask: Ask[None, None]) -> Shown:
    """Ask to confirm erasing a tenant's data.

    The page also states which data is kept, and for how long.
    """
    row = erasing.tenant_of_any_time(ask.tx, ask.caller, ask.path["tenant"])
    found = erasing.look(ask.tx, ask.caller, row.id)
    question = {"title": say("Erase {name}?", name=row.name), "lost": _said(ask, found), "does": say("Erase for good")}
    return Shown("confirm.html", {**question, "back": HOME if row.ended_at else f"/tenants/{row.id}"})


@page("POST", "/tenants/{tenant}/erase", may="manage", again=ask_to_erase_tenant)
async def erase_tenant(steps: Steps) -> GoTo:
    """Erase a tenant's data.

    Afterwards, the person is told how many stored files could not be searched for the tenant.
    """
    caller, archive, tenant_id = steps.caller, steps.outside.archive, steps.path["tenant"]
    row = await steps.read(lambda tx: erasing.tenant_of_any_time(tx, caller, tenant_id))
    read = await steps.read_files(tenant_id)
    done = await steps.write(lambda tx: erasing.erase(tx, caller, tenant_id, archive, read))
    said = say("The tenant was erased.")
    if done.unsearched:
        said = joined([said, _unsearched(len(done.unsearched))])
    return GoTo(HOME if row.ended_at else f"/units/{row.unit_id}", said)


def _unsearched(number: int) -> str:
    return say_n(
        "{n} workbook or e-mail could not be searched and may still name the tenant.",
        "{n} workbooks or e-mails could not be searched and may still name the tenant.",
        number,
    )


def _said(ask: Ask[Any, Any], erasure: Erasure) -> Text:
    goes: list[Text] = []
    if erasure.unsettled_invoices:
        goes.append(
            say_n(
                "{n} invoice is not settled: money is still owed by or to the tenant. "
                "Settle it before you erase the addresses.",
                "{n} invoices are not settled: money is still owed by or to the tenant. "
                "Settle them before you erase the addresses.",
                erasure.unsettled_invoices,
            )
        )
    goes += [
        say("The tenant’s name and addresses will be removed, including from the search, notes and stored files."),
        say_n("{n} activity entry will be blanked.", "{n} activity entries will be blanked.", erasure.entries),
    ]
    if erasure.questions:
        goes.append(say_n("{n} question will be deleted.", "{n} questions will be deleted.", erasure.questions))
    if erasure.kept_until:
        day = ask.write.day(erasure.kept_until_day)
        goes.append(
            say_n(
                "{n} sent invoice will be kept until {day}, with its PDF and payments, and names the tenant "
                "until then.",
                "{n} sent invoices will be kept until {day}, with their PDFs and payments, and name the tenant "
                "until then.",
                erasure.kept_invoices,
                day=day,
            )
        )
    return joined([*goes, say("This can’t be undone. To keep a copy for the tenant, export the data first.")])
