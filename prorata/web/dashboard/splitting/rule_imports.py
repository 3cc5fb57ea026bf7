"""Imports of share rules from a spreadsheet, which a person previews first.

Either all previewed rules are imported, or none.
"""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.actions.invoices import previews
from prorata.actions.splitting import rule_imports, split_methods
from prorata.actions.splitting.rule_imports import LookedAt, RuleEffect
from prorata.domain.billing_calendar import read_month
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.grouped_problems import in_ranges
from prorata.domain.files.sheets import Sheet
from prorata.domain.problems import Problem
from prorata.domain.splitting import rule_files
from prorata.domain.splitting.rule_files import FIELDS, RuleTable
from prorata.domain.splitting.split_methods import EQUAL, OCCUPANTS, SPLIT_METHODS, SQFT
from prorata.domain.texts import joined, listed, say, say_n
from prorata.domain.utility_names import UTILITY_NAMES, within_a_sentence
from prorata.errors import InvalidRequest
from prorata.ports import Forms
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel import file_columns
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import chosen_file
from prorata.web.dashboard.kernel.inline_files import TOO_LARGE, packed, unpacked
from prorata.web.dashboard.kernel.list_headers import sample
from prorata.web.dashboard.kernel.pages import Answered, Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.kernel.translations import in_words
from prorata.web.dashboard.splitting import rule_words
from prorata.web.dashboard.splitting.rule_words import Blends
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import (
    MOST_COLUMNS_FORM,
    MOST_ENDINGS_SAID,
    MOST_PROPERTY_FILE_PROBLEMS,
    MOST_UPLOAD_BYTES,
    MOST_UPLOAD_FORM_BYTES,
)

FIELD_NAMES = {
    "property": say("Property"),
    "utilityType": say("Utility"),
    "splitMethod": say("How the bill is divided"),
    "ownerPercent": say("Your own part, in percent"),
    "vacantOccupants": say("People assumed in a vacant unit"),
}
"""The display names of the columns of a file of share rules.

An import recognizes these names in every language of the dashboard.
"""
_NO_FILE: dict[str, Any] = {
    "table": None, "looked": None, "effects": (), "leaves_vacant_out": False, "problems": (), "bad": 0,
    "as_other": (), "new_blends": (),
    "name": "", "packed": "",
    "fields": FIELD_NAMES, "names": UTILITY_NAMES, "methods": SPLIT_METHODS, "most": MOST_PROPERTY_FILE_PROBLEMS,
}  # fmt: skip
"""The values of the page before a file is chosen.

They also replace the values that can't be computed while questions about the file are open.
"""
_SAMPLE = (
    ("Maple Court", "WATER", OCCUPANTS, "", "1"),
    ("Maple Court", "ELECTRICITY", SQFT, "10", ""),
    ("Elm House", "GARBAGE", EQUAL, "", ""),
)


class Looked(Struct, kw_only=True, forbid_unknown_fields=True):
    """The rules that the preview showed, which a person confirms.

    `rules` contains these rules, each with its line in the file. `mark` identifies the stored rules that they
    replace, and `left_out` names the lines that were left out because of problems. If `effective_from` is empty, the
    rules apply from the first month that a property has not sent.
    """

    rules: Annotated[str, text(MOST_UPLOAD_FORM_BYTES)]
    mark: Annotated[str, text(64)]
    left_out: Annotated[str, text(MOST_COLUMNS_FORM, least=0)] = ""
    effective_from: MonthText | None = msgspec.field(name="effectiveFrom", default=None)


@page("GET", "/import/rules", may="write")
def rules_file_page(_ask: Ask[Any, Any]) -> Shown:
    """Show the page on which a person chooses a file of share rules."""
    return Shown("rule_import.html", _NO_FILE)


@page("GET", "/import/rules/sample", may="read")
def sample_of_a_rules_file(ask: Ask[None, None]) -> Download:
    """Download a sample file of share rules to start from, in the person's language."""
    words = {**UTILITY_NAMES, **{code: method.name for code, method in SPLIT_METHODS.items()}}
    rows = [in_words((words.get(cell, cell) for cell in row), ask.person.locale) for row in _SAMPLE]
    return sample(ask, say("rules"), FIELD_NAMES.values(), rows)


@page(
    "POST", "/import/rules", may="write", own_fields=True, again=rules_file_page, most_bytes=MOST_UPLOAD_FORM_BYTES
)  # fmt: skip
async def look_at_rules_file(steps: Steps) -> Answered:
    """Preview an import of share rules from a file.

    The columns have the meanings that the person chose. If the person chose none, they have the meanings that were
    remembered for the same columns, or else those that their names suggest. Nothing is stored, except the chosen
    meanings if they are to be remembered.
    """
    file, typed = steps.files.get("file"), steps.typed
    held, name = typed.get("packed", ""), typed.get("name", "")
    if file is None and held:
        content = await steps.pools.page(lambda: unpacked(held))
    else:
        file = chosen_file(steps.files, say("Choose a file that contains share rules."))
        content, name = file.content, file.name
        held = await steps.pools.page(lambda: packed(content))
    sheet = await _sheet(steps, content)
    said = (
        file_columns.mapping_of(typed, sheet.header, rule_files.fields_for(sheet.header))
        if "column.0" in typed
        else None
    )
    work = partial(_looked_at, steps=steps, sheet=sheet, said=said)
    is_kept = said is not None and typed.get("remember") == "true"
    values = await (steps.write(work) if is_kept else steps.read(work))
    shown = _NO_FILE | values | {"name": name, "packed": held}
    return Shown("rule_import.html", shown, {"effectiveFrom": typed.get("effectiveFrom", "")})


async def _sheet(steps: Steps, content: bytes) -> Sheet:
    """Read the rows of a file of share rules.

    Raises `InvalidRequest` if the file is too large or unreadable; the page shows the problem beside the
    field for the file.
    """
    if len(content) > MOST_UPLOAD_BYTES:
        raise InvalidRequest.because([Problem("file", TOO_LARGE)])
    try:
        return await steps.read_table("share rules", content)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None


def _looked_at(tx: Tx, *, steps: Steps, sheet: Sheet, said: ColumnMapping | None) -> dict[str, Any]:
    """Collect the values with which the page previews a file of share rules.

    The page always shows the columns. Unless a question about the columns is open, it also shows the rules that
    would be imported, with their effects, and the problems of the other rows.
    """
    caller, write, since = steps.caller, steps.forms, read_month(steps.typed.get("effectiveFrom", ""))
    table = rule_imports.read_as(tx, caller, sheet, said)
    if said and not table.is_open and steps.typed.get("remember") == "true":
        rule_imports.remember(tx, caller, sheet, said)
    fields = FIELD_NAMES | {
        field: _divided(kinds)
        for field in rule_files.fields_for(table.source.header)
        if (kinds := rule_files.utilities_of(field))
    }
    columns = file_columns.columns_of(table.source, table.meanings, write)
    values = {"table": table, "columns": columns, "meanings": fields}
    if table.is_open:
        return values
    looked, left_out = rule_imports.look(tx, caller, table, since), tuple[int, ...]()
    problems = file_columns.problems_of(looked.problems, table.source, write)
    if looked.problems:
        table, left_out = rule_imports.good_rows(table, looked)
        looked = rule_imports.look(tx, caller, table, since)
    account = accounts.the_account(tx, caller)
    return values | {
        "as_other": file_columns.cells_as_other(table.sheet, table.fields),
        "problems": problems, "bad": len(left_out), "left_out": in_ranges(left_out) if left_out else "",
        "looked": None if looked.problems else looked, **_in_words(tx, steps, looked, write),
        "rules": msgspec.json.encode([(rule.line, *rule.cells) for rule in looked.rules]).decode(),
        "may_change": account.bill_count > 0,
    }  # fmt: skip


def _divided(kinds: Sequence[str]) -> str:
    """Describe a column that contains split methods for these utilities."""
    if kinds == ("OTHER",):
        return say("How other bills are divided")
    return say("How {utility} is divided", utility=listed([within_a_sentence(kind) for kind in kinds]))


def _in_words(tx: Tx, steps: Steps, looked: LookedAt, write: Forms) -> dict[str, Any]:
    """Describe each rule before and after the import, unless it stays the same.

    The description before the import is empty for a new rule; the last text says which later version ends the rule, if
    any. `leaves_vacant_out` in the result means that under at least one of these rules, the tenants of other units pay
    for vacant units. `new_blends` are the blends to add.
    """
    new = [split_methods.row_of(tx, steps.caller, blend.name, blend) for blend in looked.new_blends]
    blends = {one.id: one for one in (*split_methods.all_own(tx, steps.caller), *new)}
    changing = [one for one in looked.effects if one.effect != "SAME"]
    effects = [
        (
            one,
            rule_words.in_full(one.before, None, blends, write) if one.before else "",
            rule_words.in_full(one.after, None, blends, write),
            _until(one, blends, write),
        )
        for one in looked.effects
        if one.effect != "SAME" or one.following
    ]
    leaves_vacant_out = any(rule_words.leaves_vacant_out(one.after, blends) for one in changing)
    return {"effects": effects, "leaves_vacant_out": leaves_vacant_out, "new_blends": new}


def _until(effect: RuleEffect, blends: Blends, write: Forms) -> str:
    """Describe until when a rule applies, and the following version; empty if there is none."""
    if not (effect.following and effect.until):
        return ""
    how = rule_words.in_full(effect.following, effect.after, blends, write)
    return say("until {month}; then {how}", month=write.month(effect.until), how=how)


@page(
    "POST", "/import/rules/add", may="write", form=Looked, again=rules_file_page, moves=previews.of_account,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
def import_rules_file(ask: Ask[None, Looked]) -> GoTo:
    """Import the rules that the preview showed: all of them, or none."""
    form = ask.form
    done = rule_imports.import_rules(ask.tx, ask.caller, _table(form.rules), form.effective_from, seen=form.mark)
    if done.problems:
        raise InvalidRequest.because([Problem("file", done.problems[0].message)])
    return GoTo("/properties", joined([_said(done, form.left_out, ask.write), *_endings(ask, done)]))


def _table(held: str) -> RuleTable:
    """Build a table from the rules that the preview showed and the form sent back.

    Raises `InvalidRequest` if the submitted text is not in the form in which the preview writes rules.
    """
    try:
        rows = msgspec.json.decode(held, type=list[tuple[int, str, str, str, str, str]])
    except msgspec.DecodeError:
        raise InvalidRequest.because([Problem("file", say("Choose the file again."))]) from None
    return rule_files.understood(Sheet(FIELDS, tuple((row[0], row[1:]) for row in rows)), None)


def _said(done: LookedAt, left_out: str, write: Forms) -> str:
    """Describe how many rules the import added or replaced, and which lines it left out."""
    new, changed = done.number("NEW"), done.number("CHANGED")
    says = [say_n("{n} share rule was added.", "{n} share rules were added.", new, n=write.count(new))] if new else []
    if changed:
        says.append(
            say_n("{n} share rule was replaced.", "{n} share rules were replaced.", changed, n=write.count(changed))
        )
    if left_out:
        says.append(
            say("Left out: line {lines}.", lines=left_out)
            if left_out.isdigit()
            else say("Left out: lines {lines}.", lines=left_out)
        )
    return joined(says)


def _endings(ask: Ask[None, Looked], done: LookedAt) -> Sequence[str]:
    """Describe until when the first rules that a later version ends apply."""
    blends = {one.id: one for one in split_methods.all_own(ask.tx, ask.caller)}
    more = len(done.ending) - MOST_ENDINGS_SAID
    return [
        say(
            "{property}, {utility}: {until}.",
            property=one.property_name,
            utility=UTILITY_NAMES[one.utility_type],
            until=_until(one, blends, ask.write),
        )
        for one in done.ending[:MOST_ENDINGS_SAID]
    ] + (
        [say_n("{n} more rule is replaced later.", "{n} more rules are replaced later.", more, n=ask.write.count(more))]
        if more > 0
        else []
    )
