"""Rules about codes and sentences: nothing is found again by words that somebody may put better."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from tests.house.sources import Source, called, dotted, python

PROGRAM = ("prorata/",)
MIGRATIONS = ("prorata/store/migrations/versions/",)
LEAST_SPACES = 2
"""A text with so many is a sentence, or begins one."""
BINDS = {"one", "all", "run", "stream", "run_many", "values", "bindparam"}
"""What gives a statement its values, by the last part of its name."""
CODES_THAT_READ_AS_TEXT = {"next open month"}
"""What an account's setting is stored as since there is one; its words are made by `late_in_words`."""
WRITE_DOWN = {"audit.record": 2, "audit.record_many": 2}
"""What writes into the audit log, and which of the arguments is the verb."""


def verbs_of_the_log_are_members_of_their_enum(sources: Sequence[Source]) -> list[str]:
    """No text is handed to `audit.record` as what was done: a verb is declared with its words and events."""
    return [
        source.offence(call, f"a verb in words; take one of Verb: {ast.unparse(verb)}")
        for source in python(sources, *PROGRAM)
        for call in source.calls
        if (at := WRITE_DOWN.get(called(call))) is not None
        for verb in (*call.args[at : at + 1], *(one.value for one in call.keywords if one.arg == "verb"))
        if any(isinstance(part, ast.Constant | ast.JoinedStr) for part in ast.walk(verb))
    ]


def no_sentence_is_a_key(sources: Sequence[Source]) -> list[str]:
    """No text with two spaces is an operand of a comparison, a case of a match, or a value that a statement is given,
    written there or under a name: whoever rewords it would find nothing again. A code is compared, and the sentence is
    made where it is shown.
    """
    named = {source.path: _texts_of(source) for source in python(sources, *PROGRAM)}
    return [
        source.offence(key, f"a sentence as a key; compare a code: {text[:40]}")
        for source in python(sources, *PROGRAM, but=MIGRATIONS)
        for known in [named[source.path] | _texts_imported(source, named)]
        for key in _keys(source)
        for text in _texts_in(key, known)
        if text.count(" ") >= LEAST_SPACES and text.strip() and text not in CODES_THAT_READ_AS_TEXT
    ]


def _keys(source: Source) -> Iterator[ast.expr]:
    """What is compared in a file, matched, or given to a statement."""
    for node in source.nodes:
        if isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.MatchValue):
            yield node.value
        elif isinstance(node, ast.Call) and called(node).rpartition(".")[2] in BINDS:
            yield from (*node.args[1:], *(one.value for one in node.keywords))


def _texts_in(key: ast.expr, known: Mapping[str, str]) -> Iterator[str]:
    """The texts that a key is, or one of which it is; those of a call or of a part of something are none."""
    if isinstance(key, ast.Tuple | ast.List | ast.Set):
        for one in key.elts:
            yield from _texts_in(one, known)
    elif isinstance(key, ast.Dict):
        for value in key.values:
            yield from _texts_in(value, known)
    elif isinstance(key, ast.IfExp):
        yield from (*_texts_in(key.body, known), *_texts_in(key.orelse, known))
    elif (text := _text(key)) is not None:
        yield text
    elif (name := dotted(key)) in known:
        yield known[name]


def _text(node: ast.expr | None) -> str | None:
    """A text that is written out, also with values in it, which count as nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "" for part in node.values)
    return None


def _texts_of(source: Source) -> dict[str, str]:
    """The texts that a file gives names to where everybody may import them."""
    found = {}
    for node in source.tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            found |= {
                one.id: text for one, of in pairs if isinstance(one, ast.Name) and (text := _text(of)) is not None
            }
    return found


def _texts_imported(source: Source, named: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The same of what a file imports from others of ours, as it calls them: `NAME`, `module.NAME`."""
    found = {}
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                its, called_here = node.module.replace(".", "/"), one.asname or one.name
                if one.name in (texts := named.get(f"{its}.py", named.get(f"{its}/__init__.py", {}))):
                    found[called_here] = texts[one.name]
                for name, text in named.get(f"{its}/{one.name}.py", {}).items():
                    found[f"{called_here}.{name}"] = text
    return found


ALL = (no_sentence_is_a_key, verbs_of_the_log_are_members_of_their_enum)
