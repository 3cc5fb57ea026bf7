"""The page of one tenant: details, balance, and a statement that can be exported."""

from functools import partial
from typing import Annotated, Any, Literal

from markupsafe import Markup, escape
from msgspec import Struct

from prorata.actions.exports import list_exports
from prorata.actions.exports.list_exports import Spreadsheet
from prorata.actions.invoices import roommates, statements
from prorata.actions.invoices.statements import TenantStatement
from prorata.actions.privacy import erasing
from prorata.domain.billing_calendar import is_in_reach
from prorata.domain.delivery.statement_words import STATEMENT_WORDS, StatementWords, said
from prorata.domain.invoices.statements import Posting, shown_rows
from prorata.domain.languages import language_of
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.forms import beside
from prorata.web.dashboard.kernel.list_headers import spreadsheet
from prorata.web.dashboard.kernel.pages import Ask, Shown, Streamed, page
from prorata.web.http.fields import read_date_text, text

_Typed = Annotated[str, text(64, least=0)]


class StatementQuery(Struct, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """The first and last day of a statement, both included, as a person typed them.

    If the person has `chosen` the days, an empty day means that the statement has no limit on that side. Otherwise, if
    both days are empty, the statement begins one year ago and has no end.
    """

    from_: _Typed = ""
    to: _Typed = ""
    chosen: bool = False


class StatementExport(StatementQuery, kw_only=True):
    """The first and last day of an exported statement, and its file format."""

    format: Literal["csv", "xlsx"] = "csv"


@page("GET", "/tenants/{tenant}", may="read", query=StatementQuery)
def tenant_page(ask: Ask[StatementQuery, None]) -> Shown:
    """Show a tenant, with a statement for a range of days."""
    query = ask.query
    try:
        made = _made(ask.tx, ask.caller, ask.path["tenant"], query)
    except InvalidRequest as refused:
        made = _made(ask.tx, ask.caller, ask.path["tenant"], StatementQuery())
        typed = {"from": query.from_, "to": query.to}
        return Shown("tenant.html", _values(ask, made), typed, refused.status, beside(refused.problems))
    rows = shown_rows(made.found.rows)
    values = _values(ask, made) | {"found": made.found, "rows": rows}
    return Shown("tenant.html", values, {"from": made.first, "to": made.last})


@page("GET", "/tenants/{tenant}/export", may="read", query=StatementExport)
def export_statement(ask: Ask[StatementExport, None]) -> Streamed:
    """Export the statement's rows to a file."""
    query, caller, tenant_id = ask.query, ask.caller, ask.path["tenant"]
    words = STATEMENT_WORDS[language_of(ask.person.locale)]
    currency = _made(ask.tx, caller, tenant_id, query).property.currency  # raises any refusal before the file begins
    name = partial(said, words=words, money=partial(ask.write.money, currency=currency))

    def read(tx: Tx) -> Spreadsheet:
        return list_exports.of_statement(_made(tx, caller, tenant_id, query), name)

    return spreadsheet(ask, say("statement"), query.format, read)


def _made(tx: Tx, caller: Caller, tenant_id: str, query: StatementQuery) -> TenantStatement:
    first, last = days_of(tx, caller, query)
    return statements.of_tenant(tx, caller, tenant_id, first=first, last=last)


def days_of(tx: Tx, caller: Caller, query: StatementQuery) -> tuple[str | None, str | None]:
    """Parse the first and last day of a statement; None means no limit.

    Raises `InvalidRequest` if a day is not valid.
    """
    typed = {"from": query.from_.strip(), "to": query.to.strip()}
    if wrong := [Problem(name, _AS_DAY) for name, value in typed.items() if value and not _is_day(value)]:
        raise InvalidRequest.because(wrong)
    first, last = typed["from"] or None, typed["to"] or None
    if not (first or last or query.chosen):
        first = statements.first_shown(tx, caller)
    return first, last


_AS_DAY = say("Enter a date as YYYY-MM-DD, such as 2026-03-31.")


def _is_day(value: str) -> bool:
    try:
        return is_in_reach(read_date_text(value))
    except ValueError:
        return False


def _values(ask: Ask[Any, Any], made: TenantStatement) -> dict[str, Any]:
    has_ended = erasing.has_ended(ask.tx, ask.caller, made.tenant)
    values = {
        "made": made,
        "has_ended": has_ended,
        "tenant": made.tenant,
        "unit": made.unit,
        "property": made.property,
        "found": None,
    }
    is_back = made.balance < 0 and statements.is_gone(ask.tx, ask.caller, made)
    asked = {"from": made.first, "to": made.last, "chosen": "true"}
    shared = roommates.shared_with(ask.tx, ask.caller, made.tenant, made.unit)
    values["drafts"] = roommates.drafts_of(ask.tx, ask.caller, made.tenant, made.unit)
    words = StatementWords(*map(escape, STATEMENT_WORDS[language_of(ask.person.locale)]))
    money = partial(ask.write.money, currency=made.property.currency)
    what = partial(said, words=words, money=money, named=_linked)
    return values | {"shared": shared, "is_back": is_back, "asked": asked, "what": what}


def _linked(posting: Posting) -> Markup:
    link = Markup('<a class="link" href="/invoices/{id}">{number}</a>')
    return link.format(id=posting.invoice_id, number=posting.number)
