"""The share rules of a property: the list of rules, and each rule's form.

Before a rule is saved, its form shows how the rule would split the last bill.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from msgspec import Struct

from prorata.actions.accounts import access, accounts
from prorata.actions.bills import names_of_lines
from prorata.actions.delivery import rule_announcements
from prorata.actions.invoices import previews
from prorata.actions.limits import MOST_OCCUPANTS
from prorata.actions.properties import units
from prorata.actions.properties.units import decimal_text
from prorata.actions.recalculation import effects
from prorata.actions.splitting import previews as split_previews, rule_dates, share_rules, split_methods
from prorata.actions.splitting.rule_dates import DateChoice
from prorata.actions.splitting.share_rules import ShownVersion, Terms
from prorata.domain.accounts.permissions import may
from prorata.domain.billing_calendar import Month, month_of
from prorata.domain.limits import LARGEST_WEIGHT
from prorata.domain.problems import Problem
from prorata.domain.splitting.previews import in_a_sentence
from prorata.domain.splitting.rule_changes import Notice
from prorata.domain.splitting.share_rules import sum_in_words, write_weights
from prorata.domain.splitting.split_methods import CUSTOM, EQUAL, PERCENTAGE, SPLIT_METHODS, WEIGHTED
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_NAMES, UTILITY_TYPES, within_a_sentence
from prorata.errors import InvalidRequest, NotFound
from prorata.ports import Forms
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.web.dashboard.kernel.field_words import in_a_persons_words
from prorata.web.dashboard.kernel.forms import read_form
from prorata.web.dashboard.kernel.pages import VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.properties.property import above
from prorata.web.dashboard.splitting import rule_words
from prorata.web.http.fields import MonthText, Number, Percent, number
from prorata.web.http.limits import MOST_SHARES_SHOWN, MOST_WEIGHTS_FORM_BYTES
from prorata.web.http.request_schemas import Body

_WEIGHT = "weight."


class _Numbers(Body):
    """The numbers in a rule's form.

    They are the owner's percentage, and the number of people assumed to live in a vacant unit.
    """

    owner_percent: Percent = Decimal()
    vacant_occupants: Annotated[Number, number(0, MOST_OCCUPANTS)] = Decimal()


class _Weight(Struct, forbid_unknown_fields=True):
    """The weight of one unit, as any number that is not negative."""

    weight: Annotated[Number, number(0, LARGEST_WEIGHT)] | None = None


class _Percentage(_Weight, forbid_unknown_fields=True):
    """The weight of one unit as a percentage."""

    weight: Percent | None = None


class _Field(NamedTuple):
    """The form's field for a unit's weight, with its text and any problem."""

    name: str
    label: str
    value: str
    wrong: str


class _Typed(NamedTuple):
    """A rule's form as filled in: the terms, the weights by unit, and the problems.

    Weights that can't be read are left out. If a field that the split method doesn't use can't be read, its stored
    value is kept. `is_new` means that there is no rule yet. `since` is the month from which the terms apply.
    """

    terms: Terms
    weights: dict[str, Decimal]
    problems: dict[str, str]
    versions: tuple[ShownVersion, ...]
    version: str = ""
    is_new: bool = False
    since: str | None = None


class _When(Body):
    """The month from which a rule's terms apply, in the form or the page's address.

    If the month is empty, the terms replace those of the rule's newest version.
    """

    effective_from: MonthText | None = None


@page("GET", "/properties/{id}/rules", may="read")
def rules_page(ask: Ask[None, None]) -> Shown:
    """Show how each utility of a property is divided."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    rules = share_rules.of_property(ask.tx, ask.caller, row.id)
    of_property = units.all_of(ask.tx, ask.caller, row.id) if rule_words.give_percentages(rules) else []
    month = month_of(accounts.today(ask.tx, ask.caller))
    listed = rule_words.listed_by_utility(rules, _blends(ask), month, ask.write, of_property)
    untold = rule_announcements.untold(ask.tx, ask.caller, row)
    values = {"listed": listed, "untold": untold} | rule_words.names_of_rules(ask.write)
    return Shown("rules.html", values | above(row, "rules"))


@page("GET", "/properties/{id}/rules/{utility}", may="read")
def edit_rule(ask: Ask[None, None]) -> Shown:
    """Show a rule's form, and how the rule would split the last bill.

    People who may not change the rule see its terms in words instead of the form.
    """
    row, kind = _named(ask)
    typed = _stored(ask, row, kind)
    if typed.is_new and not may(ask.person.role, "write"):  # they can't create a rule
        typed = typed._replace(terms=typed.terms._replace(is_active=False))
    return _form(ask, row, kind, typed)


@page(
    "POST",
    "/properties/{id}/rules/{utility}/split",
    may="write",
    only_reads=True,
    own_fields=True,
    most_bytes=MOST_WEIGHTS_FORM_BYTES,
)
def split_by_rule(ask: Ask[None, None]) -> Shown:
    """Show the unsaved form as filled in, and its split of the last bill."""
    row, kind = _named(ask)
    return _form(ask, row, kind, _typed(ask, row, kind))


def rule_again(ask: Ask[None, None]) -> Shown:
    """Show a form that could not be saved, together with the stored rule."""
    row, kind = _named(ask)
    typed = _typed(ask, row, kind)
    stored = _stored(ask, row, kind, typed.since)
    weights = {f"{_WEIGHT}{unit}": ask.write.typed(weight) for unit, weight in stored.weights.items()}
    return _form(ask, row, kind, typed)._replace(filled=_filled(stored, ask.write) | weights)


@page(
    "POST", "/properties/{id}/rules/{utility}", may="write", own_fields=True, again=rule_again,
    moves=previews.of_property, most_bytes=MOST_WEIGHTS_FORM_BYTES,
)  # fmt: skip
def save_rule(ask: Ask[None, None]) -> GoTo:
    """Save the rule; open months are recalculated."""
    row, kind = _named(ask)
    typed = _typed(ask, row, kind)
    if typed.problems:
        raise InvalidRequest.because([Problem(field, message) for field, message in typed.problems.items()])
    try:
        share_rules.set_terms(ask.tx, ask.caller, row.id, kind, typed.terms, seen=ask.seen, since=typed.since)
    except InvalidRequest as refused:
        problems = _beside(refused.problems).items()
        raise InvalidRequest.because([Problem(field, message) for field, message in problems]) from None
    return GoTo(f"/properties/{row.id}/rules", say("The rule for {kind} was saved.", kind=within_a_sentence(kind)))


def _named(ask: Ask[Any, Any]) -> tuple[PropertyRow, str]:
    """Return the property and the utility type that the path names.

    Raises `NotFound` if either does not exist.
    """
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    kind = ask.path["utility"].upper()
    if kind not in UTILITY_TYPES or ask.path["utility"] != kind.lower():
        raise NotFound("share rule")
    return row, kind


def _stored(ask: Ask[Any, Any], row: PropertyRow, kind: str, *since: str | None) -> _Typed:
    """Build the form of the stored rule for the utility type `kind`.

    The form shows the version that applies in the month `since`; if no month is given, in the month that is
    proposed for a change. If the property has no such rule, the form is that of a new rule that divides equally.
    """
    rule, versions = share_rules.of_type(ask.tx, ask.caller, row.id, kind)
    then = since[0] if since else rule_dates.proposed(ask.tx, row, versions)
    terms = share_rules.version_in(versions, then).terms if versions else None
    if terms is None or not (rule or terms.is_active):
        terms = Terms(EQUAL, None, is_active=True, custom_weights_json=None, owner_percent=Decimal(),
                      vacant_occupants=Decimal())  # fmt: skip
    weights = share_rules.weights_of(terms, units.all_of(ask.tx, ask.caller, row.id))
    seen = rule.row.updated_at if rule else ""
    return _Typed(terms, weights, {}, versions, seen, is_new=rule is None, since=then)


def _typed(ask: Ask[Any, Any], row: PropertyRow, kind: str) -> _Typed:
    """Parse the submitted form, and collect the problems of its fields."""
    typed, since, undated = ask.typed, None, {}
    try:
        since = read_form([("effectiveFrom", typed.get("effectiveFrom", ""))], _When, ask.write).effective_from
    except InvalidRequest as refused:
        undated = _beside(refused.problems)
    stored = _stored(ask, row, kind, since)
    method = typed.get("splitMethod", "")
    own, built_in = (None, method) if method in SPLIT_METHODS or not method else (method, CUSTOM)
    split_by = ShownVersion(None, stored.terms._replace(split_method=built_in, split_method_id=own))
    uses_people = rule_words.counts_people(split_by, _blends(ask))
    numbers, problems = _numbers(typed, stored.terms, ask.write, uses_people=uses_people)
    weights, text = stored.weights, stored.terms.custom_weights_json
    if own is None and built_in in WEIGHTED:
        weights, wrong = _weights(typed, _Percentage if built_in == PERCENTAGE else _Weight, ask.write)
        problems |= wrong
        labels = {unit.id: unit.label for unit in units.all_of(ask.tx, ask.caller, row.id)}
        text = write_weights({unit: decimal_text(weight) or "0" for unit, weight in weights.items()}, labels)
    terms = Terms(
        split_method=built_in,
        split_method_id=own,
        is_active=bool(typed.get("isActive")),
        custom_weights_json=text,
        owner_percent=numbers["owner_percent"],
        vacant_occupants=numbers["vacant_occupants"],
    )
    return _Typed(terms, weights, problems | undated, stored.versions, since=since)


def _blends(ask: Ask[Any, Any]) -> rule_words.Blends:
    return {blend.id: blend for blend in split_methods.all_own(ask.tx, ask.caller)}


def _numbers(
    typed: Mapping[str, str], stored: Terms, write: Forms, *, uses_people: bool
) -> tuple[dict[str, Decimal], dict[str, str]]:
    """Parse the form's numbers, and collect the problems of their fields.

    `uses_people` is False if the split method doesn't use the number of people assumed to live in a vacant unit.
    The field for this number is then hidden; if its text can't be read, the stored number is kept.
    """
    numbers: dict[str, Decimal] = {}
    problems: dict[str, str] = {}
    fields = {"ownerPercent": ("owner_percent", True), "vacantOccupants": ("vacant_occupants", uses_people)}
    for name, (field, is_used) in fields.items():
        try:
            numbers[field] = getattr(read_form([(name, typed.get(name, ""))], _Numbers, write), field)
        except InvalidRequest as refused:
            numbers[field] = getattr(stored, field)
            if is_used:
                problems |= _beside(refused.problems)
    return numbers, problems


def _weights(
    typed: Mapping[str, str], kind: type["_Weight"], write: Forms
) -> tuple[dict[str, Decimal], dict[str, str]]:
    weights, problems = {}, {}
    for name, text in typed.items():
        if not name.startswith(_WEIGHT):
            continue
        try:
            weight = read_form([("weight", text)], kind, write).weight
        except InvalidRequest as refused:
            problems[name] = in_a_persons_words("weight", refused.message)
        else:
            if weight is not None:
                weights[name.removeprefix(_WEIGHT)] = weight
    return weights, problems


def _form(ask: Ask[Any, Any], row: PropertyRow, kind: str, typed: _Typed) -> Shown:
    """Show a rule's form as filled in, and its split of the last bill."""
    terms, problems = typed.terms, dict(typed.problems)
    shown = None
    if not problems:
        shown = split_previews.preview(ask.tx, ask.caller, row.id, kind, terms, ask.write, since=typed.since)
        problems |= _beside(shown.problems)
    preview, today = shown.preview if shown else None, month_of(accounts.today(ask.tx, ask.caller))
    filled = _filled(typed, ask.write)
    offered = rule_dates.choices(
        ask.tx, row, typed.versions, kind, wanted=shown.wanted if shown else None,
        is_usable=preview is not None, today=today,
    )  # fmt: skip
    filled["effectiveFrom"] = typed.since or ""
    chosen = next((date_choice for date_choice in offered if date_choice.since == typed.since), None)
    blends = _blends(ask)
    is_weighted = terms.split_method_id is None and terms.split_method in WEIGHTED
    of_property = units.all_of(ask.tx, ask.caller, row.id) if is_weighted else []
    fields = _fields(ask, of_property, typed, problems)
    values = {
        "utility": kind.lower(),
        "name": UTILITY_NAMES[kind],
        "as_other": names_of_lines.of_recent_bills(ask.tx, ask.caller, row.id, kind, today) if kind == "OTHER" else (),
        "shown": shown,
        "in_a_sentence": in_a_sentence(shown.amount, preview, shown.currency, ask.write) if shown and preview else "",
        "most": MOST_SHARES_SHOWN,
        "weights": fields,
        "brings_weights": not any(name.startswith(_WEIGHT) for name in ask.typed),
        "built_in": SPLIT_METHODS,
        "ways": [(code, way.name) for code, way in SPLIT_METHODS.items()]
        + [(blend.id, blend.name) for blend in blends.values()],
        "blends": [
            (blend, rule_words.parts_in_words(blend, ask.write), rule_words.divides_by_people(blend))
            for blend in blends.values()
        ],
        "sum": sum_in_words(
            terms.split_method, typed.weights, terms.owner_percent, ask.write, times=units.times_of(of_property)
        ),
        "wrong": _named_in_panel(problems, fields),
        "in_words": rule_words.explained(ShownVersion(None, terms), blends, ask.write),
        "uses_people": rule_words.counts_people(ShownVersion(None, terms), blends),
        "uses_weights": is_weighted,
        "dates": [
            (date_choice, rule_words.in_words(date_choice.now, blends, ask.write) if date_choice.now else "")
            for date_choice in offered
        ],
        "chosen": chosen,
        "notice": _notice(ask, chosen, terms),
        "versions": [(version, rule_words.explained(version, blends, ask.write)) for version in typed.versions],
        "most_months": effects.CLOSED_MONTHS_RECKONED,
    }
    filled |= {**ask.typed, "isActive": filled["isActive"]}
    return Shown("rule.html", values | above(row, "rules"), filled, problems=problems)


def _notice(ask: Ask[Any, Any], chosen: DateChoice | None, terms: Terms) -> Notice | None:
    """Return the automatic notice that tenants would get of a rule change.

    Return None if no month is chosen, if the terms are the same as those that already apply in that month, or if rule
    changes are not announced automatically.
    """
    if chosen is None or (chosen.now is not None and chosen.now.terms == terms):
        return None
    since = chosen.since or chosen.begins
    return rule_announcements.notice_of(ask.tx, ask.caller, Month(since) if since else None)


def _filled(typed: _Typed, write: Forms) -> dict[str, Any]:
    """Return a rule's terms, except the weights, as values of its form's fields."""
    terms = typed.terms
    return {
        "splitMethod": terms.split_method_id or terms.split_method,
        "isActive": "true" if terms.is_active else "",
        "ownerPercent": write.typed(terms.owner_percent),
        "vacantOccupants": write.typed(terms.vacant_occupants),
        VERSION: typed.version,
    }


def _fields(
    ask: Ask[Any, Any], of_property: Iterable[UnitRow], typed: _Typed, problems: Mapping[str, str]
) -> list[_Field]:
    """List the weight fields of the units that are active today or have a weight."""
    today = accounts.today(ask.tx, ask.caller).isoformat()
    fields = []
    for unit in of_property:
        name, weight = f"{_WEIGHT}{unit.id}", typed.weights.get(unit.id)
        if weight is not None or units.is_active(unit, today):
            value = ask.typed.get(name, "" if weight is None else ask.write.typed(weight))
            fields.append(_Field(name, unit.label, value, problems.get(name, "")))
    return fields


_SHOWN_AS = {"splitMethodId": "splitMethod"}
"""The form's names of fields that the API names differently."""
_UNKNOWN_METHOD = say("This split method no longer exists. Choose another.")


def _beside(problems: tuple[Problem, ...]) -> dict[str, str]:
    return {_SHOWN_AS.get(problem.field, problem.field): _about(problem) for problem in problems}


def _about(problem: Problem) -> str:
    if problem.field == "splitMethodId":
        return _UNKNOWN_METHOD
    if problem.field == "splitMethod":
        return say("Choose a split method.")
    if problem.field == "customWeightsJson":
        message = problem.message.removeprefix(problem.field).strip()
        return f"The weights {'name' + message.removeprefix('names') if message.startswith('names ') else message}"
    return in_a_persons_words(*problem)


def _named_in_panel(problems: Mapping[str, str], fields: Sequence[_Field]) -> list[str]:
    """List the form's problems as sentences, each beginning with its field's name.

    They are shown beside the split of the last bill, which does not contain the fields themselves.
    """
    names = _FIELDS | {field.name: say("Unit {label}", label=field.label) for field in fields if field.wrong}
    sentences = (
        f"{names[name]}: {why[:1].lower()}{why[1:]}" if name in names else why for name, why in problems.items()
    )
    return list(dict.fromkeys(sentences))


_FIELDS = {"ownerPercent": say("Your own part"), "vacantOccupants": say("People assumed in a vacant unit")}
