"""Rules about codes and sentences: the program finds nothing by its wording."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from tests.house.sources import Source, called, dotted, is_or_below, python

PROGRAM = ("prorata/",)
MIGRATIONS = ("prorata/store/migrations/versions/",)
LEAST_SPACES = 2
"""A text with so many is a sentence, or begins one."""
BINDS = {"one", "all", "run", "stream", "run_many", "values", "bindparam"}
"""The functions that give a statement its values, by the last part of their name."""
FINDS = {"startswith", "endswith", "removeprefix", "removesuffix", "get", "pop", "setdefault"}
"""The methods that look up a text or test its beginning or end."""
MEMBERS = "in "
COLLECTS = {"frozenset", "set", "tuple", "list"}
WRITES_SQL = {"literal_column", "text"}
_QUOTED = re.compile(r"'([^']*)'")
Texts = tuple[str, ...]
FOUND_BY_ITS_WORDS: dict[str, str] = {
    "prorata/adapters/mail/delivery_reports.py::_QMAIL": "words of another program, by which its reports are known",
    "prorata/cli/jobs.py::BY_OPERATOR": "kept to be shown with what is held, and never looked for",
    "prorata/domain/countries.py::_DATE_ORDERS": "the forms of dates, and no words",
    "prorata/web/dashboard/kernel/field_words.py::_DOES": "what the API says of a field, which has no code for it: said in "
    "the API's words where the beginning is not known, and its doctest holds some",
    "prorata/web/http/decoding.py::_WHAT": "words of Python's json, which has no codes; others are said in general",
}
"""Names of what is found by words all the same, with the reason."""
CODES_THAT_READ_AS_TEXT = {"next open month", "out of use", "of account numbers", "of bill numbers", "one line of many"}
"""The codes that read like texts but that nobody sees.

They are the stored value of an account's setting, whose words `late_in_words` makes; values of a form; and names of
statements.
"""
WRITE_DOWN = {"audit.record": 2, "audit.record_many": 2}
"""The functions that write to the audit log, with the position of the verb argument."""


def verbs_of_the_log_are_members_of_their_enum(sources: Sequence[Source]) -> list[str]:
    """Verbs handed to `audit.record` are members of their enum.

    The enum declares each verb with its words and events; a text is not a verb.
    """
    return [
        source.offence(call, f"a verb in words; take one of Verb: {ast.unparse(verb)}")
        for source in python(sources, *PROGRAM)
        for call in source.calls
        if (at := WRITE_DOWN.get(called(call))) is not None
        for verb in (*call.args[at : at + 1], *(one.value for one in call.keywords if one.arg == "verb"))
        if any(isinstance(part, ast.Constant | ast.JoinedStr) for part in ast.walk(verb))
    ]


def no_sentence_is_a_key(sources: Sequence[Source]) -> list[str]:
    """No sentence is a key, because nothing would be found again once it is reworded.

    A sentence is a text with at least two spaces. It may not be an operand of a comparison, a case of a match, a text
    that another text is asked to begin or end with, a key of a mapping, a value that a statement or a function of the
    store is given, or part of SQL, whether it is written there or named elsewhere. Compare a code instead, and make the
    sentence where it is shown.
    """
    named = {source.path: _texts_named(source.tree.body) for source in python(sources, *PROGRAM)}
    return [
        source.offence(line, f"a sentence as a key; compare a code: {text[:40]}")
        for source in python(sources, *PROGRAM, but=MIGRATIONS)
        for line, text in sorted(set(_keyed(source, named)))
        if _is_sentence(text) and text not in CODES_THAT_READ_AS_TEXT
    ]


def _is_sentence(text: str) -> bool:
    return text.count(" ") >= LEAST_SPACES and bool(text.strip())


def _keyed(source: Source, named: Mapping[str, Mapping[str, Texts]]) -> Iterator[tuple[int, str]]:
    """Yield the texts by which a file finds something, each with its line."""
    known = named[source.path] | _texts_imported(source, named)
    known = {name: texts for name, texts in known.items() if f"{source.path}::{name}" not in FOUND_BY_ITS_WORDS}
    store = _names_of_the_store(source)
    excused = [node for node in source.tree.body if f"{source.path}::{_only_name(node)}" in FOUND_BY_ITS_WORDS]
    passed = {inner for node in excused for inner in ast.walk(node)}
    yield from _keyed_in([node for node in source.nodes if node not in passed], known, store)
    for function in source.functions:
        nodes = list(ast.walk(function))
        if its := {name: some for name, some in _texts_named(nodes).items() if any(map(_is_sentence, some))}:
            yield from _keyed_in(nodes, its, store)


def _keyed_in(
    nodes: Sequence[ast.AST], known: Mapping[str, Texts], store: Collection[str]
) -> Iterator[tuple[int, str]]:
    for node in nodes:
        for key in _keys(node, store):
            yield from ((key.lineno, text) for text in _texts_in(key, known))
        if isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.In | ast.NotIn):
            members = known.get(f"{MEMBERS}{dotted(node.comparators[-1])}", ())
            yield from ((node.lineno, text) for text in members)
        if isinstance(node, ast.Call) and called(node).rpartition(".")[2] in WRITES_SQL:
            said = "".join(_text(one) or "" for one in node.args)
            yield from ((node.lineno, text) for text in _QUOTED.findall(said))


def _keys(node: ast.AST, store: Collection[str]) -> Iterator[ast.expr]:
    """Yield the expressions that a node compares, matches, looks up or passes on.

    They are passed to a statement or to a function of the store.
    """
    if isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.MatchValue):
        yield node.value
    elif isinstance(node, ast.Dict):
        yield from (key for key in node.keys if key is not None)
    elif isinstance(node, ast.Subscript) and dotted(node.value) != "Literal":
        yield node.slice
    elif isinstance(node, ast.Call):
        start, _, last = called(node).rpartition(".")
        given = (*node.args, *(one.value for one in node.keywords))
        if last in BINDS:
            yield from given[1:] if node.args else given
        elif (start or last) in store and not last[:1].isupper():
            yield from given
        elif last in FINDS and start != "os.environ":
            yield from node.args[:1]


def _texts_in(key: ast.expr, known: Mapping[str, Texts]) -> Iterator[str]:
    """Yield the texts of a key, or of each element of a collection.

    The texts of only a part of a key do not count.
    """
    if isinstance(key, ast.Tuple | ast.List | ast.Set):
        for one in key.elts:
            yield from _texts_in(one, known)
    elif isinstance(key, ast.Dict):
        for value in key.values:
            yield from _texts_in(value, known)
    elif isinstance(key, ast.Call) and called(key) in COLLECTS:
        for one in key.args:
            yield from _texts_in(one, known)
    elif isinstance(key, ast.IfExp):
        yield from (*_texts_in(key.body, known), *_texts_in(key.orelse, known))
    elif (text := _text(key)) is not None:
        yield text
    else:
        yield from known.get(dotted(key), ())


def _text(node: ast.expr | None) -> str | None:
    """The text of a literal, or None.

    Values in a formatted text count as nothing.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "" for part in node.values)
    return None


def _texts_named(nodes: Sequence[ast.AST]) -> dict[str, Texts]:
    """The texts to which statements give names, by `NAME` or `Class.NAME`.

    A collection has several texts; those of a record's members are found behind `MEMBERS`. Members of one of our enums
    are compared as members, unless they are texts; if a member is a record, it has a code.
    """
    found: dict[str, Texts] = {}
    for node in nodes:
        if isinstance(node, ast.ClassDef) and "Enum" not in map(dotted, node.bases[:1]):
            plain = [one for one in node.body if isinstance(getattr(one, "value", None), ast.Constant)]
            found |= {f"{node.name}.{name}": texts for name, texts in _texts_named(plain).items()}
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for one, of in pairs:
                if isinstance(one, ast.Name) and of is not None:
                    name, texts = _texts_held(one.id, of)
                    found |= {name: (*found.get(name, ()), *texts)} if texts else {}
    return found


def _texts_held(name: str, value: ast.expr) -> tuple[str, Texts]:
    if isinstance(value, ast.Call) and called(value).rpartition(".")[2][:1].isupper():
        parts = (*value.args, *(given.value for given in value.keywords))
        return f"{MEMBERS}{name}", tuple(text for one in parts for text in _texts_in(one, {}))
    return name, () if isinstance(value, ast.Dict) else tuple(_texts_in(value, {}))


def _texts_imported(source: Source, named: Mapping[str, Mapping[str, Texts]]) -> dict[str, Texts]:
    """The named texts that a file imports from our other modules.

    Their names are those in this file: `NAME`, `module.NAME` or `Class.NAME`.
    """
    found = {}
    for module, name, called_here in _imported_from(source):
        its = module.replace(".", "/")
        for its_name, texts in named.get(f"{its}.py", named.get(f"{its}/__init__.py", {})).items():
            if its_name == name or its_name.startswith(f"{name}."):
                found[called_here + its_name.removeprefix(name)] = texts
        for its_name, texts in named.get(f"{its}/{name}.py", {}).items():
            found[f"{called_here}.{its_name}"] = texts
    return found


def _names_of_the_store(source: Source) -> set[str]:
    """Return the file's names for the imported modules and functions of the store."""
    return {called_here for module, _, called_here in _imported_from(source) if is_or_below(module, "prorata.store")}


def _imported_from(source: Source) -> Iterator[tuple[str, str, str]]:
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, one.name, one.asname or one.name) for one in node.names)


def _only_name(node: ast.AST) -> str:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


ALL = (no_sentence_is_a_key, verbs_of_the_log_are_members_of_their_enum)
