"""Rules about size, names and unfinished code (house rules 1, 2, 9, 12, 13)."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.house.sources import Source, called, dotted, imported, is_or_below, python

CODE = ("prorata/", "tests/", "benchmarks/")
MIGRATIONS = ("prorata/store/migrations/versions/",)
PAGES = ("prorata/web/dashboard/", "prorata/web/tenant/")
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
LONGEST_ROUTE = 10
LONGEST_PAGE = 15
LONGEST_PAGE_OF_STEPS = 20
SHORTEST_SENTENCE = 4
MOST_WORDS_OF_A_DOCSTRING = 15
_BEGINS_LIKE_A_QUESTION = ("What", "Whether", "How", "Which", "Why", "Where")
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "manager", "service", "services", "base", "misc"}
_FORM_TO_NOWHERE = re.compile(r"<form(?![^>]* action=)[^>]*>")
_LINK_TO_NOWHERE = re.compile(r"""(?:href|action)="(?:\?|\{\{ with\()""")
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b|\bpass +# *stub")
WRITTEN_BY_US = (".py", ".md", ".toml", ".in", ".html", ".txt", ".ini", "Makefile", ".ci/run", ".importlinter")


def files_are_at_most_400_lines(sources: Sequence[Source]) -> list[str]:
    """A file has at most 400 lines.

    Migrations are exempt, because they are written once and nobody reads them.
    """
    return [
        source.offence(lines, f"{lines} lines; a file has at most {LONGEST_FILE}")
        for source in python(sources, *CODE, but=MIGRATIONS)
        if (lines := len(source.text.splitlines())) > LONGEST_FILE
    ]


def functions_are_at_most_60_lines(sources: Sequence[Source]) -> list[str]:
    """A function has at most 60 lines, from `def` to the last line."""
    return [
        source.offence(function, f"{function.name} has {lines} lines; a function has at most {LONGEST_FUNCTION}")
        for source in python(sources, *CODE, but=MIGRATIONS)
        for function in source.functions
        if (lines := function.end_lineno - function.lineno + 1) > LONGEST_FUNCTION
    ]


def route_bodies_are_at_most_10_lines(sources: Sequence[Source]) -> list[str]:
    """The body of a route has at most 10 lines, without its docstring.

    A route is a function with a decorator in web/api.
    """
    return [
        source.offence(function, f"{function.name} has a body of {lines} lines; a route has at most {LONGEST_ROUTE}")
        for source in python(sources, "prorata/web/api/")
        for function in source.functions
        if function.decorator_list and (lines := _body_lines(function)) > LONGEST_ROUTE
    ]


def page_bodies_are_short(sources: Sequence[Source]) -> list[str]:
    """A page's body has at most 15 lines, or 20 if it has steps.

    A page of the dashboard also names what its template shows. A page of steps says in which order it asks the
    database, computes something, and writes to the database.
    """
    longest = {ast.FunctionDef: LONGEST_PAGE, ast.AsyncFunctionDef: LONGEST_PAGE_OF_STEPS}
    return [
        source.offence(
            function, f"{function.name} has a body of {lines} lines; such a page has at most {longest[type(function)]}"
        )
        for source in python(sources, *PAGES)
        for function in source.functions
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and called(mark) == "page"
        if (lines := _body_lines(function)) > longest[type(function)]
    ]


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def names_carry_meaning(sources: Sequence[Source]) -> list[str]:
    """Names of files, classes and functions carry meaning.

    No file has an empty word in its name, no class name begins or ends with one, and no function is named by one.
    """
    offences = []
    for source in python(sources, *CODE):
        words = set(re.split(r"[/_.]", source.path.removesuffix(".py")))
        offences += [source.offence(1, f"`{word}` says nothing in a file's name") for word in words & EMPTY_NAMES]
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", node.name)
                empty = {part.lower() for part in (parts[0], parts[-1])} & EMPTY_NAMES
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                empty = {node.name.strip("_")} & EMPTY_NAMES
            else:
                continue
            offences += [source.offence(node, f"`{word}` says nothing in the name {node.name}") for word in empty]
    return offences


def test_names_are_sentences(sources: Sequence[Source]) -> list[str]:
    """The name of a test has at least four words after `test`."""
    return [
        source.offence(function, f"{function.name} is no sentence: at least {SHORTEST_SENTENCE} words")
        for source in python(sources, "tests/")
        if source.path.rpartition("/")[2].startswith("test_")
        for function in source.functions
        if function.name.startswith("test") and len(function.name.split("_")) <= SHORTEST_SENTENCE
    ]


test_names_are_sentences.__test__ = False


def docstrings_begin_with_a_short_sentence(sources: Sequence[Source]) -> list[str]:
    """A docstring begins with a sentence of at most 15 words.

    It does not begin like a question. Migrations are exempt, because they are never edited.
    """
    offences = []
    for source in python(sources, *CODE, "clients/", but=MIGRATIONS):
        for node in source.nodes:
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            words = (ast.get_docstring(node) or "").split("\n\n")[0].partition(". ")[0].split()
            line = getattr(node, "lineno", 1)
            if len(words) > MOST_WORDS_OF_A_DOCSTRING:
                offences.append(source.offence(line, f"the docstring's first sentence has {len(words)} words"))
            if words and words[0] in _BEGINS_LIKE_A_QUESTION:
                offences.append(source.offence(line, f"a docstring begins with {words[0]}"))
    return offences


def nothing_is_left_for_later(sources: Sequence[Source]) -> list[str]:
    """No note announces later work, and no function is missing its body."""
    offences = []
    for source in sources:
        if source.path.endswith(WRITTEN_BY_US):
            lines = enumerate(source.text.splitlines(), 1)
            offences += [source.offence(number, "left for later") for number, line in lines if UNFINISHED.search(line)]
    for source in python(sources, "prorata/"):
        offences += [
            source.offence(node, "NotImplementedError")
            for node in source.nodes
            if isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node)
        ]
        promised = {id(child) for node in source.nodes if _only_promises(node) for child in ast.walk(node)}
        offences += [
            source.offence(function, f"{function.name} is not there yet")
            for function in source.functions
            if id(function) not in promised and _is_ellipsis(function.body[-1])
        ]
    return offences


def _is_ellipsis(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and statement.value.value is ...
    )


def _only_promises(node: ast.AST) -> bool:
    """True for a protocol, an abstract method, or an overload of a function."""
    if isinstance(node, ast.ClassDef):
        return any(dotted(parent).rpartition(".")[2] == "Protocol" for parent in node.bases)
    return isinstance(node, ast.FunctionDef) and any(
        dotted(mark).rpartition(".")[2] in ("overload", "abstractmethod") for mark in node.decorator_list
    )


def tests_pass_fakes_and_patch_nothing_of_ours(sources: Sequence[Source]) -> list[str]:
    """Tests pass fakes to our code, and patch nothing of it.

    They use no mock.patch, and no monkeypatch on anything from prorata. They may set the environment and the working
    directory.
    """
    offences = []
    for source in python(sources, "tests/"):
        ours = {name.split(".")[-1] for _, name in imported(source) if is_or_below(name, "prorata")} | {"prorata"}
        offences += [
            source.offence(node, "pass a fake instead of a mock")
            for node, name in imported(source)
            if is_or_below(name, "unittest.mock", "mock")
        ]
        for call in source.calls:
            if called(call) in ("monkeypatch.setattr", "monkeypatch.delattr", "monkeypatch.setitem") and call.args:
                target = call.args[0]
                whose = target.value if isinstance(target, ast.Constant) else dotted(target)
                if str(whose).split(".")[0] in ours:
                    offences.append(source.offence(call, f"pass a fake instead of patching {whose}"))
        offences += [
            source.offence(function, "pass a fake instead of a mock")
            for function in source.functions
            if any(argument.arg == "mocker" for argument in function.args.args)
        ]
    return offences


def pages_say_where_their_forms_and_lists_lead(sources: Sequence[Source]) -> list[str]:
    """Each form on a page has an action, and no link begins with a query.

    A page that is shown in answer to a form has the address of another page, which the browser would use.
    """
    return [
        source.offence(number, f"{found[0][:40]} leads to wherever the page happens to stand; say which page it means")
        for source in sources
        if source.path.startswith(tuple(f"{folder}templates/" for folder in PAGES))
        for number, line in enumerate(source.text.splitlines(), 1)
        for found in (*_FORM_TO_NOWHERE.finditer(line), *_LINK_TO_NOWHERE.finditer(line))
    ]


ONLY_GROWS = "prorata/store/migrations/versions"
"""The schema's history: a revision that has landed is never edited, joined with another or moved, and none is read to
understand the rest. It alone may have more files than a room.
"""


def folders_have_at_most_30_files(sources: Sequence[Source]) -> list[str]:
    """A folder has at most 30 Python files, so a reader can survey them.

    The folder of schema revisions is exempt.
    """
    folders = Counter(source.path.rpartition("/")[0] for source in python(sources, "prorata/", "tests/"))
    return [
        f"{folder}: {number} Python files; a folder has at most 30"
        for folder, number in folders.items()
        if number > 30 and folder != ONLY_GROWS
    ]


TRIES_AGAIN: dict[str, str] = {"prorata/cli/web_server.py::_keep": "starts the background process again that died"}
"""Loops that wait for something to fail, with what they do then: nothing is due again by itself."""


def what_recurs_is_declared(sources: Sequence[Source]) -> list[str]:
    """A loop that runs whenever a time has passed is declared as a recurrence.

    `prorata jobs schedule` lists it from its declaration. A loop that waits only after a failure, to try again, does
    not recur.
    """
    return [
        source.offence(loop, "this recurs: declare it as a Recurrence, and list it in wiring/recurrences.py")
        for source in python(sources, "prorata/")
        if "Recurrence(" not in source.text
        for excused in [_loops_that_try_again(source)]
        for loop in source.nodes
        if isinstance(loop, ast.While)
        and loop not in excused
        and (_waits_for_a_time(loop.test) or _goes_on_for_ever(loop))
    ]


def _loops_that_try_again(source: Source) -> set[ast.AST]:
    excused = (one for one in source.functions if f"{source.path}::{one.name}" in TRIES_AGAIN)
    return {node for function in excused for node in ast.walk(function)}


def _goes_on_for_ever(loop: ast.While) -> bool:
    """True if a loop is endless and sleeps or waits, except after a failure."""
    failures = {inner for node in ast.walk(loop) if isinstance(node, ast.ExceptHandler) for inner in ast.walk(node)}
    return isinstance(loop.test, ast.Constant) and any(
        isinstance(node, ast.Call)
        and node not in failures
        and (called(node).rpartition(".")[2] == "sleep" or (called(node).endswith(".wait") and bool(node.args)))
        for node in ast.walk(loop)
    )


def _waits_for_a_time(test: ast.expr) -> bool:
    calls = (node for node in ast.walk(test) if isinstance(node, ast.Call) and called(node).endswith("wait"))
    return any(isinstance(test, ast.UnaryOp) and call.args for call in calls)


LISTS_OF_LIMITS = (
    "prorata/domain/limits.py", "prorata/store/limits.py", "prorata/actions/limits.py", "prorata/adapters/limits.py",
    "prorata/web/http/limits.py", "prorata/worker/limits.py", "prorata/cli/limits.py",
)  # fmt: skip
_READS_BILLS = ("prorata/domain/intake/bill_reading/", "prorata/domain/intake/pointing/")
_LIMIT = re.compile(r"_?(?:MOST|LONGEST|LARGEST|FEWEST|LEAST|SHORTEST)(?:_\w+)?")
JUDGES: dict[str, str] = {
    "prorata/domain/bills/flags.py::FEWEST_DAYS": "tells what is odd about a bill",
    "prorata/domain/files/sheets.py::FEWEST_COLUMNS": "tells a header from other rows",
    "prorata/domain/inbound_mail/auto_confirmation.py::FEWEST_BEFORE": "tells whether bills before it speak for one",
    "prorata/domain/months/parallel_run_causes.py::FEWEST_FOR_A_RATIO": "tells a cause from chance",
    "prorata/domain/months/parallel_run_causes.py::FEWEST_FOR_A_BLEND": "tells a cause from chance",
    "prorata/domain/payments/matching.py::FEWEST_WORDS": "tells a name that says whose a payment is",
    "prorata/domain/accounts/passwords.py::_MOST_ADDED": "tells a word with something added",
    "prorata/domain/accounts/passwords.py::_SHORTEST_UNIT": "tells what is repeated",
    "prorata/domain/accounts/passwords.py::_LONGEST_UNIT": "tells what is repeated",
    "prorata/domain/accounts/api_keys.py::FEWEST_RANDOM_BYTES": "what we make ourselves: it is asserted",
    "prorata/adapters/files/csv_tables.py::_MOST_UNLIKELY": "tells in which encoding a text is",
    "prorata/adapters/intake/ocr.py::LEAST_SURE": "tells letters from what looks like some",
}
"""Numbers by which something is told from something else, with what they tell: nobody is refused anything by them."""


def limits_stand_in_the_list_of_their_ring(sources: Sequence[Source]) -> list[str]:
    """Each limit is in the list of its ring, under a name of its own.

    A limit is a number at which the program refuses or cuts something.
    """
    offences, known = [], dict[str, str]()
    for source in sources:
        if not source.path.startswith("prorata/") or not source.path.endswith(".py"):
            continue
        for name, line in _limits(source):
            if source.path in LISTS_OF_LIMITS:
                if name in known:
                    offences.append(source.offence(line, f"{name} is in {known[name]} too: give each its own name"))
                known[name] = source.path
            elif not source.path.startswith(_READS_BILLS) and f"{source.path}::{name}" not in JUDGES:
                offences.append(source.offence(line, f"{name} is a limit: move it to the list of its ring"))
    return offences


def _limits(source: Source) -> Iterator[tuple[str, int]]:
    """Yield the names of the limits that a file defines, with their lines."""
    for statement in source.tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in (node for one in targets for node in ast.walk(one)):
                if isinstance(target, ast.Name) and _LIMIT.fullmatch(target.id):
                    yield target.id, statement.lineno


_MEGABYTES = re.compile(r"\b\d+ [KMG]i?B\b")


def limits_are_said_by_their_constants(sources: Sequence[Source]) -> list[str]:
    """Size limits are not written out in pages or sentences.

    Such a text would stay the same when the limit changes.
    """
    said = "a size in words; take it from its limit"
    return [
        source.offence(number, said)
        for source in sources
        if source.path.startswith("prorata/") and source.path.endswith(".html")
        for number, line in enumerate(source.text.splitlines(), 1)
        if _MEGABYTES.search(line)
    ] + [
        source.offence(node, said)
        for source in python(sources, "prorata/")
        for node in source.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _MEGABYTES.search(node.value)
        if node not in source.prose
    ]


ALL = (
    limits_are_said_by_their_constants,
    files_are_at_most_400_lines,
    functions_are_at_most_60_lines,
    route_bodies_are_at_most_10_lines,
    page_bodies_are_short,
    names_carry_meaning,
    test_names_are_sentences,
    docstrings_begin_with_a_short_sentence,
    nothing_is_left_for_later,
    tests_pass_fakes_and_patch_nothing_of_ours,
    pages_say_where_their_forms_and_lists_lead,
    what_recurs_is_declared,
    limits_stand_in_the_list_of_their_ring,
)
