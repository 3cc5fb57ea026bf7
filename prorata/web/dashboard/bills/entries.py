"""Manual entry of bills: the form in which a bill is added or changed.

The form has a row for each utility type and unbilled reason. People need not add or remove rows, so the form also works
without scripts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access, accounts
from prorata.actions.bills import bills, entries as bill_entries, so_far as bills_so_far, splits as bill_splits
from prorata.actions.bills.entries import Entered
from prorata.actions.bills.flags import Decision
from prorata.actions.invoices import previews
from prorata.actions.lists import form_tokens
from prorata.actions.properties import properties, property_lists
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine, written
from prorata.domain.countries import COUNTRIES
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.domain.usage import UNITS
from prorata.domain.utility_names import NOT_BILLED_REASONS, PAYMENT_STATUSES, UTILITY_TYPES
from prorata.errors import InvalidRequest
from prorata.ports import Forms
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel.list_queries import ROWS, ListQuery
from prorata.web.dashboard.kernel.pages import ONCE, VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import MOST_FLAGS

Typed = Annotated[str, text(1_000, least=0)]
_TICKED = ("true", True)
"""The values of a ticked box, as typed or as prefilled."""
_OTHERWISE = {
    "property_id": "property_id", "issuer_name": "issuer_name", "total": "total_amount_due", "bill_date": "bill_date",
    "due_date": "due_date", "billing_month": "billing_month", "payment_status": "payment_status",
    "account_number": "account_number", "bill_number": "bill_number", "service_start": "service_period_start",
    "service_end": "service_period_end", "notes": "notes", "spread": "spread",
}  # fmt: skip
"""The form's names of bill fields, by their stored names."""


class BillFields(Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A bill's fields except its lines, as a person typed them.

    `month` is the month from which the form was opened, if any; the form for another bill then begins with it, too.
    Fields that a bill needs may be empty here; they are checked later, together with the lines.
    """

    property_id: Annotated[str, text(64, least=0)] = ""
    issuer_name: Typed = ""
    total_amount_due: Typed = ""
    bill_date: Typed = ""
    due_date: Typed = ""
    billing_month: Typed = ""
    payment_status: Typed = ""
    account_number: Typed = ""
    bill_number: Typed = ""
    service_period_start: Typed = ""
    service_period_end: Typed = ""
    spread: bool = False
    notes: Annotated[str, text(5_000, least=0)] = ""
    flags_shown: Annotated[str, text(64, least=0)] = ""
    difference: Annotated[str, text(20, least=0)] = ""
    reason_for_all: Typed = ""
    later: bool = False
    another: bool = False
    month: MonthText | None = None


class NewQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The similar bill from which a new bill is prefilled, and the new bill's month."""

    like: Annotated[str, text(64, least=0)] = ""
    month: MonthText | None = None


class EditQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The property to which the edited bill is to be moved, if any."""

    property: Annotated[str, text(64, least=0)] = ""


_KINDS = (*UTILITY_TYPES, *NOT_BILLED_REASONS)
_OF_USAGE = ("used", "unit", "price")
"""The facts about a utility's usage, as the form and `FormLine` name them."""
_OF_UTILITY = (*_OF_USAGE, "name")
_UNUSED_NAME = say("The bill isn’t for this utility. Select it above, or clear the name.")
FilledIn: Any = msgspec.defstruct(
    "FilledIn",
    [
        *((f"has_{kind.lower()}", bool, False) for kind in UTILITY_TYPES),
        *((f"amount_{kind.lower()}", Typed, "") for kind in _KINDS),
        *((f"{what}_{kind.lower()}", Typed, "") for kind in UTILITY_TYPES for what in _OF_UTILITY),
        *((f"reason{number}", Typed, "") for number in range(1, MOST_FLAGS + 1)),
    ],
    bases=(BillFields,),
    kw_only=True,
    forbid_unknown_fields=True,
    rename="camel",
)


def field_named(what: str, kind: str) -> str:
    """Return the name of a form field for a type of line, such as `amountLateFee`."""
    return what + "".join(word.title() for word in kind.split("_"))


@page("GET", "/bills/new", may="write", query=ListQuery)
def choose_property(ask: Ask[ListQuery, None]) -> Shown | GoTo:
    """Show the properties for which a new bill can be entered.

    If the account has only one property, redirect to its form for a new bill.
    """
    shown = to_choose(ask, title=say("Enter a bill"), here="/bills/new", before="/properties/", behind="/bills/new")
    if shown.values["of_all"] == 1 and shown.values["rows"]:
        return GoTo(f"/properties/{shown.values['rows'][0].row.id}/bills/new")
    return shown


@page("GET", "/properties/{id}/bills/new", may="write", query=NewQuery)
def new_bill(ask: Ask[Any, None]) -> Shown:
    """Show the form for a new bill.

    If the address names a similar bill, the form is prefilled from that bill.
    """
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    query: NewQuery = ask.query if isinstance(ask.query, NewQuery) else NewQuery()
    month = query.month or ""
    begun = bill_entries.begun_like(ask.tx, ask.caller, query.like, month) if query.like else None
    begins = (filled(begun) if begun else {"paymentStatus": "UNPAID", "billingMonth": month}) | {"month": month}
    values = values_of(ask, row, begins) | {"property": row}
    return Shown("bill_form.html", values, begins | {ONCE: new_token()})


@page("POST", "/properties/{id}/bills/new/so-far", may="write", only_reads=True, own_fields=True)
def new_bill_so_far(ask: Ask[None, None]) -> Shown:
    """Show a new bill's unfinished form, with the sum and billing months so far."""
    return asked_so_far(new_bill(ask), ask)


@page("POST", "/properties/{id}/bills/new", may="write", form=FilledIn, again=new_bill, moves=previews.of_property)
def enter_bill(ask: Ask[None, Any]) -> Shown | GoTo:
    """Add the bill or, if it has flags, show them for a decision."""
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo("/bills", say("The bill was added. The form was sent twice but counts only once."))
    form = read_filled(ask.form, ask.path["id"])
    with beside_fields(line.kind for line in form.lines):
        entered = bill_entries.enter(ask.tx, ask.caller, form, decision=decided(ask.form))
    if entered.bill is None:
        form_tokens.take_back(ask.tx, ask.caller, ask.mark)
        return with_flags(new_bill(ask), entered, ask)
    sentence = bill_splits.outcome(ask.tx, ask.caller, entered.bill, ask.write)
    another = f"/properties/{ask.path['id']}/bills/new" + (f"?month={ask.form.month}" if ask.form.month else "")
    to = another if ask.form.another else f"/bills/{entered.bill.id}"
    is_credit = entered.bill.total < 0
    credit = [say("It is a credit: its amounts reduce what tenants pay.")] if is_credit else []
    return GoTo(to, joined([say("The bill was added."), *credit, sentence]))


@page("GET", "/bills/{bill}/edit", may="write", query=EditQuery)
def edit_bill(ask: Ask[Any, None]) -> Shown:
    """Show the form of a bill."""
    form = bill_entries.form_of(ask.tx, ask.caller, ask.path["bill"])
    wanted = ask.typed.get("propertyId") or getattr(ask.query, "property", "") or form.property_id
    row = access.property_(ask.tx, ask.caller, wanted)
    begins = filled(form) | {"propertyId": row.id}
    kept = bill_entries.why_kept(ask.tx, ask.caller, ask.path["bill"], ask.write)
    values = values_of(ask, row, begins, ask.path["bill"])
    values |= {"property": row, "title_of": form.issuer_name, "why_kept": kept}
    version = access.bill(ask.tx, ask.caller, ask.path["bill"]).updated_at
    return Shown("bill_form.html", values, begins | {VERSION: version})


@page("POST", "/bills/{bill}/edit/so-far", may="write", only_reads=True, own_fields=True)
def changed_bill_so_far(ask: Ask[None, None]) -> Shown:
    """Show a stored bill's unfinished form, with the sum and billing months so far."""
    return asked_so_far(edit_bill(ask), ask)


@page("GET", "/bills/{bill}/property", may="write", query=ListQuery)
def choose_other_property(ask: Ask[ListQuery, None]) -> Shown:
    """Show the properties to which a bill can be moved."""
    bill = bills.find(ask.tx, ask.caller, ask.path["bill"])
    title, here = say("Move the bill of {issuer}", issuer=bill.issuer_name), f"/bills/{bill.id}"
    return to_choose(ask, title=title, here=f"{here}/property", before=f"{here}/edit?property=", behind="")


@page("POST", "/bills/{bill}/edit", may="write", form=FilledIn, again=edit_bill, moves=previews.of_bill)
def change_bill(ask: Ask[None, Any]) -> GoTo:
    """Save the bill, and recalculate the months that it affects."""
    form = read_filled(ask.form, ask.form.property_id)
    with beside_fields(line.kind for line in form.lines):
        row = bill_entries.change(ask.tx, ask.caller, ask.path["bill"], form, ask.write, seen=ask.seen)
    return GoTo(f"/bills/{row.id}", joined([say("Saved."), bill_splits.outcome(ask.tx, ask.caller, row, ask.write)]))


def asked_so_far(shown: Shown, ask: Ask[Any, None]) -> Shown:
    """Return a bill's form as filled in so far, with the values computed from it."""
    return shown._replace(values={**shown.values, "asks_so_far": True}, filled=ask.typed)


def to_choose(ask: Ask[ListQuery, None], *, title: str, here: str, before: str, behind: str) -> Shown:
    """Show a list of properties, from which a person chooses one.

    Each property's link consists of `before`, the property's id, and `behind`. `here` is the address of the list.
    """
    query = ask.query
    found_properties = property_lists.page(ask.tx, ask.caller, query.search, limit=ROWS, offset=query.offset)
    values = {
        "rows": found_properties.rows,
        "total": found_properties.total,
        "of_all": found_properties.of_all,
        "limit": ROWS,
        "title": title,
    }
    ways = {"here": here, "before": before, "behind": behind}
    return Shown("bill_property.html", {**values, **ways, "query": query, "parameters": msgspec.to_builtins(query)})


def values_of(
    ask: Ask[Any, Any], row: PropertyRow, begins: Mapping[str, Any], bill_id: str | None = None
) -> dict[str, Any]:
    """Collect the values for the template of a bill's form.

    `row` is the bill's property, and `bill_id` is None for a new bill. The sum and billing months are computed from the
    fields as typed or, before anything was typed, from the initial values `begins`.
    """
    form = _as_typed(ask.typed if "totalAmountDue" in ask.typed else begins, row.id)
    some = properties.to_choose_from(ask.tx, ask.caller)
    return {
        "utilities": [(kind, field_named("has", kind), field_named("amount", kind)) for kind in UTILITY_TYPES],
        "usages": [(kind, *(field_named(what, kind) for what in _OF_USAGE)) for kind in UTILITY_TYPES],
        "names": [(kind, field_named("name", kind)) for kind in UTILITY_TYPES if kind != "OTHER"],
        "units": UNITS,
        "zero": written(0, row.country),
        "as_there": _as_there(row.country, ask.write),
        "reasons": [(kind, field_named("amount", kind)) for kind in NOT_BILLED_REASONS],
        "statuses": PAYMENT_STATUSES,
        "properties": [(property_row.id, property_row.name) for property_row in some],
        "are_many": not some,
        "property_id": row.id,
        "bill_id": bill_id,
        "sent_to": f"/bills/{bill_id}/edit" if bill_id else f"/properties/{row.id}/bills/new",
        "so_far": bills_so_far.so_far(ask.tx, ask.caller, form, bill_id),
        "title_of": "",
        "why_kept": None,
        "flags": (),
    }


def _as_there(country: str, write: Forms) -> str:
    """Show by an example how bills in the property's country write amounts.

    Return an empty string if these bills use the same decimal mark as the page.
    """
    if ("," if write.has_decimal_comma else ".") in COUNTRIES[country].decimal_marks:
        return ""
    return say(
        "As bills in {country} write it: {sample}", country=write.country(country), sample=written(1234_50, country)
    )


def decided(form: Any) -> Decision:
    """Build the person's decision about the flags that the form showed."""
    of_all = form.reason_for_all.strip()
    reasons = [getattr(form, f"reason{number}").strip() or of_all for number in range(1, MOST_FLAGS + 1)]
    return Decision(form.flags_shown, tuple(reasons), later=form.later, difference=form.difference)


def with_flags(shown: Shown, entered: Entered, ask: Ask[None, Any]) -> Shown:
    """Show a bill's form again with its flags, each with a field for a reason.

    If the flags are not those that the submitted form showed, the reasons typed in it are dropped.
    """
    typed = {**msgspec.to_builtins(ask.form), "flagsShown": shown_as(entered.flags)}
    if ask.form.flags_shown != typed["flagsShown"]:
        typed |= dict.fromkeys((f"reason{number}" for number in range(1, MOST_FLAGS + 1)), "") | {"reasonForAll": ""}
    if entered.difference > 0 and not typed["difference"]:
        typed["difference"] = bill_entries.OWNER  # the part beyond its lines: the owner's by default
    typed[ONCE] = shown.filled.get(ONCE)
    holds = bool(accounts.the_account(ask.tx, ask.caller).hold_flagged)
    about = [[entered.about[bill] for bill in flag.bills if bill in entered.about] for flag in entered.flags]
    values = {**shown.values, "flags": list(zip(entered.flags, about, strict=True)), "holds": holds}
    values |= {"difference_for": entered.difference_for, "is_less": entered.difference < 0}
    return Shown(shown.template, values, typed, 409, problems=dict(entered.problems))


def read_filled(form: Any, property_id: str) -> BillForm:
    """Build the bill that the form describes, still as text.

    A utility becomes a line of the bill if it is ticked, or has an amount or usage. An unbilled reason becomes a
    line if it has an amount. Raises `InvalidRequest` if a utility has a name but is no line.
    """
    lines = tuple(_lines(form))
    used = {line.kind for line in lines}
    named = [kind for kind in sorted(UTILITY_TYPES) if getattr(form, f"name_{kind.lower()}").strip()]
    if unused := [kind for kind in named if kind not in used]:
        raise InvalidRequest.because([Problem(field_named("name", kind), _UNUSED_NAME) for kind in unused])
    values = {name: getattr(form, called) for name, called in _OTHERWISE.items()}
    return BillForm(**values | {"property_id": property_id, "lines": lines})


def _as_typed(typed: Mapping[str, Any], property_id: str) -> BillForm:
    """Build a bill from only those fields that determine its sum and billing months."""
    amounts = {kind: str(typed.get(field_named("amount", kind)) or "") for kind in _KINDS}
    chosen = [kind for kind in _KINDS if amounts[kind] or typed.get(field_named("has", kind)) in _TICKED]
    names = ("issuerName", "totalAmountDue", "billDate", "billingMonth", "servicePeriodStart", "servicePeriodEnd")
    issuer, total, bill_date, month, start, end = (str(typed.get(name) or "") for name in names)
    return BillForm(
        property_id, issuer, total, bill_date, tuple(FormLine(kind, amounts[kind]) for kind in chosen),
        billing_month=month, service_start=start, service_end=end, spread=typed.get("spread") in _TICKED,
    )  # fmt: skip


def _lines(form: Any) -> Iterator[FormLine]:
    for kind in _KINDS:
        amount = getattr(form, f"amount_{kind.lower()}")
        line = FormLine(kind, amount, *(getattr(form, f"{what}_{kind.lower()}", "") for what in _OF_UTILITY))
        if amount or line.has_usage or getattr(form, f"has_{kind.lower()}", False):
            yield line


def filled(form: BillForm) -> dict[str, Any]:
    """Return a bill's values as the values of its form's fields."""
    called = {field.name: field.encode_name for field in msgspec.structs.fields(BillFields)}
    values: dict[str, Any] = {called[its]: getattr(form, name) for name, its in _OTHERWISE.items()}
    for line in form.lines:
        values[field_named("has", line.kind)] = True
        values |= {field_named(what, line.kind): getattr(line, what) for what in ("amount", *_OF_UTILITY)}
    return values


@contextmanager
def beside_fields(kinds: Iterable[str], name_of: Callable[[str, str], str] = field_named) -> Iterator[None]:
    """Report problems of bill lines under the names of the form's fields.

    `kinds` are the lines' utility types or unbilled reasons, and `name_of` names a field of one of them. If an
    `InvalidRequest` is raised within the `with` block, it is raised again with the names of the form's fields, so that
    each problem is shown beside its field. Only the fields of bill lines have other names in the form.
    """
    called = {
        f"lines.{place}.{what}": name_of(what, kind)
        for place, kind in enumerate(kinds)
        for what in ("amount", *_OF_UTILITY)
    }
    try:
        yield
    except InvalidRequest as refused:
        problems = [Problem(called.get(field, field), message) for field, message in refused.problems]
        raise InvalidRequest.because(problems) from None
