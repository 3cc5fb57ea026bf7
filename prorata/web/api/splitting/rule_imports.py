"""Imports of share rules from a file.

A file may contain the rules of many properties. A client first has the file checked, and then imports it
completely.
"""

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from prorata.actions.splitting import rule_imports
from prorata.actions.splitting.rule_imports import LookedAt
from prorata.actions.splitting.share_rules import ShownVersion
from prorata.domain.files.column_mappings import ColumnMapping, spelled
from prorata.domain.limits import MOST_PROBLEMS
from prorata.domain.problems import Problem, shown
from prorata.domain.splitting.rule_files import RuleTable, fields_for
from prorata.domain.splitting.split_methods import Method
from prorata.domain.utility_names import UtilityType
from prorata.errors import InvalidRequest
from prorata.web.api.properties.unit_import_schemas import FileRowProblem, in_its_line
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import MOST_COLUMNS_FORM, MOST_UPLOAD_BYTES
from prorata.web.http.operations import FORM, Call, operation
from prorata.web.http.request_schemas import Body, Filter, given
from prorata.web.http.response_schemas import Answer, JsonNumber
from prorata.web.http.sent_files import FileSent

RuleField = Literal["property", "utilityType", "splitMethod", "ownerPercent", "vacantOccupants"]
_NO_COLUMNS = 'columns must be a JSON object from names of columns to fields, such as {"Haus": "property"}.'
_NO_MARK = "The file replaces rules: send the `mark` of the response that showed them to you."
_SINCE = (
    "The first billing month in which the rules apply; if omitted, the month after the property's last closed one or, "
    "if no month is closed there, the first month of the newest version."
)
_COLUMNS = (
    'What the columns mean, if that isn\'t clear from their names, as JSON: {"Haus": "property", "Notiz": null}. '
    "`splitMethod:OTHER` is a column that says how the bills of one utility are divided, here OTHER."
)


class RuleFileUpload(Body):
    """A file of share rules: CSV, XLSX, ODS or XLS."""

    file: FileSent
    columns: Annotated[str, text(MOST_COLUMNS_FORM), Meta(description=_COLUMNS)] | UnsetType = UNSET
    remember: Annotated[bool, Meta(description="Apply this automatically to the next file with the same columns.")] = (
        False
    )
    leave_out: Annotated[bool, Meta(description="Leave out rows with problems.")] = False
    mark: (
        Annotated[Filter, Meta(description="The `mark` of the response that showed you which rules are replaced.")]
        | UnsetType
    ) = UNSET
    effective_from: Annotated[MonthText, Meta(description=_SINCE)] | UnsetType = UNSET


class RuleFileColumn(Answer):
    """A column of a file of share rules, with its field in Prorata, if known."""

    name: str
    field: RuleField | None


class ShareRuleTerms(Answer):
    """The settings of a share rule that decide how it divides bill lines."""

    split_method: Method
    split_method_id: str | None
    is_active: bool
    owner_percent: JsonNumber
    vacant_occupants: JsonNumber


class RuleRead(Answer):
    """A share rule as read from a file (`after`), with the effect of importing it.

    If the rule would replace a stored rule, the stored rule is in `before`. If a later version of the stored rule has
    other terms, `until` is the month before it, and `followedBy` are these terms.
    """

    line: int
    property: str
    utility_type: UtilityType
    effect: Literal["NEW", "CHANGED", "SAME"]
    before: ShareRuleTerms | None
    after: ShareRuleTerms
    new_split_method: Annotated[str | None, Meta(description="The name of the split method that the import adds.")]
    until: Annotated[str | None, Meta(description="The last billing month of the rule; null if no other follows.")]
    followed_by: Annotated[ShareRuleTerms | None, Meta(description="The later version, which the import keeps.")]


class RuleImport(Answer):
    """The result of a check or import; a file with a problem changes no rule."""

    columns: list[RuleFileColumn]
    header_line: int
    rules: list[RuleRead]
    mark: Annotated[str, Meta(description="Send it with the import, if rules are replaced.")]
    left_out: Annotated[list[int], Meta(description="The lines that were left out.")]
    problems: list[FileRowProblem]


def _table(call: Call[None, RuleFileUpload]) -> tuple[RuleTable, ColumnMapping | None]:
    assert call.sheet is not None, "the form's file is read as a table"
    columns = given(call.body.columns)
    try:
        named = msgspec.json.decode(columns, type=dict[str, str | None]) if columns else {}
    except msgspec.DecodeError:
        raise InvalidRequest.because([Problem("columns", _NO_COLUMNS)]) from None
    if not {*named.values()} <= {None, *fields_for(call.sheet.header)}:
        raise InvalidRequest.because([Problem("columns", _NO_COLUMNS)])
    said = ColumnMapping({spelled(name): field or "" for name, field in named.items()}) if named else None
    return rule_imports.read_as(call.tx, call.caller, call.sheet, said), said


def _look(call: Call[None, RuleFileUpload], table: RuleTable) -> tuple[RuleTable, LookedAt, tuple[int, ...]]:
    """Check the rules of a file against the stored rules.

    If the client allows rows with problems to be left out, only the other rows are checked and imported. Return
    the rows to import, the result of the check, and the numbers of the lines that were left out. Nothing is
    checked while questions about the file's columns are open.
    """
    if table.is_open:
        return table, LookedAt((), (), table.problems), ()
    since = given(call.body.effective_from)
    looked = rule_imports.look(call.tx, call.caller, table, since)
    if not looked.problems or not call.body.leave_out:
        return table, looked, ()
    rest, lines = rule_imports.good_rows(table, looked)
    return rest, rule_imports.look(call.tx, call.caller, rest, since), lines


def _shown(table: RuleTable, looked: LookedAt, left_out: tuple[int, ...]) -> RuleImport:
    new = [blend.name for blend in looked.new_blends]
    return RuleImport(
        columns=[
            RuleFileColumn(name=shown(name.strip()), field=field or None)  # type: ignore[arg-type]
            for name, field in zip(table.sheet.header, table.fields, strict=True)
        ],
        header_line=table.sheet.header_line,
        rules=[
            RuleRead(
                line=one.line, property=one.property_name, utility_type=one.utility_type,  # type: ignore[arg-type]
                effect=one.effect, before=_terms(one.before) if one.before else None, after=_terms(one.after, new),
                new_split_method=one.after.terms.split_method_id if one.after.terms.split_method_id in new else None,
                until=one.until, followed_by=_terms(one.following) if one.following else None,
            )
            for one in looked.effects
        ],
        mark=looked.mark,
        left_out=list(left_out),
        problems=[FileRowProblem(**problem._asdict()) for problem in looked.problems],
    )  # fmt: skip


def _terms(version: ShownVersion, new: Collection[str] = ()) -> ShareRuleTerms:
    """Return a version's terms, without the ids of `new` split methods."""
    terms = version.terms._asdict() | {"is_active": bool(version.terms.is_active)}
    if terms["split_method_id"] in new:
        terms["split_method_id"] = None
    return ShareRuleTerms(**{name: value for name, value in terms.items() if name != "custom_weights_json"})


@operation(
    "POST", "/sharerule-imports/check", summary="Look at a file of share rules", body=RuleFileUpload, takes=FORM,
    table="share rules", most_bytes=MOST_UPLOAD_BYTES, answer=RuleImport, status=200, undone=True,
)  # fmt: skip
def check_rule_file(call: Call[None, RuleFileUpload]) -> RuleImport:
    """Check a file of share rules without changing anything.

    The file has a row for each property and utility, or a row for each property and a column for each utility, such
    as `Water`, which says how the bill is divided. Such columns are read as `utilityType`, their names, and
    `splitMethod`, their cells; an empty cell or a dash is no rule. The answer shows how the columns and rows are read,
    the rules that an import would add or replace, and the problems of the file.
    """
    return _shown(*_look(call, _table(call)[0]))


@operation(
    "POST", "/sharerule-imports", summary="Import a file of share rules", body=RuleFileUpload, takes=FORM,
    table="share rules", most_bytes=MOST_UPLOAD_BYTES, answer=RuleImport, status=200,
    conflict="A rule would have too many versions, there would be too many split methods, or rules have changed since.",
)  # fmt: skip
def import_rule_file(call: Call[None, RuleFileUpload]) -> RuleImport:
    """Import the share rules of a file; if there is a problem, import none.

    An existing rule for the same property and utility type is replaced, but keeps its values for fields that the
    file omits. A blend whose parts the file names ("50% area / 50% people") is added if you have none with these parts.
    To replace rules, send the `mark` of a check that has shown them. Open months are recalculated.
    """
    table, said = _table(call)
    rest, looked, left_out = _look(call, table)
    _refuse(call.body, looked)
    since, seen = given(call.body.effective_from), given(call.body.mark) or looked.mark
    done = rule_imports.import_rules(call.tx, call.caller, rest, since, seen=seen)
    if call.body.remember and said:
        rule_imports.remember(call.tx, call.caller, table.source, said)
    return _shown(rest, done, left_out)


def _refuse(body: RuleFileUpload, looked: LookedAt) -> None:
    """Raise `InvalidRequest` if a file has problems, or replaces rules without a `mark`.

    The mark proves that the client has seen which rules the file replaces.
    """
    problems = [Problem("file", in_its_line(problem)) for problem in looked.problems[:MOST_PROBLEMS]]
    if not problems and looked.number("CHANGED") and body.mark is UNSET:
        problems = [Problem("mark", _NO_MARK)]
    if problems:
        raise InvalidRequest.because(problems)
