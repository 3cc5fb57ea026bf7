"""Rules about responsibilities: transactions, SQL, imports and printing (house rules 2, 4, 6)."""

import ast
import re
from collections.abc import Container, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from tests.house.sources import Source, called, dotted, imported, is_or_below, python

ENGINE = (
    "prorata/store/database/engine.py",
    "prorata/store/database/sqlite.py",
    "prorata/store/database/postgresql.py",
)
STORE = "prorata/store/"
MIGRATIONS = "prorata/store/migrations/"
PDF = (
    "prorata/adapters/intake/pdf_text.py",
    "prorata/adapters/intake/pdf_scans.py",
    "prorata/adapters/intake/pdf_pictures.py",
    "prorata/adapters/printing/joined_pdfs.py",
)
NAME_PROVIDERS = (
    "prorata/domain/online_payments/payment_links.py",
    "prorata/domain/online_payments/providers.py",
    "prorata/adapters/online_payments/",
    "prorata/wiring/payments.py",
    "prorata/settings.py",
    "prorata/store/migrations/versions/",
)
"""The files that CONTRIBUTING.md (A payment provider) names."""
CLI = ("prorata/cli.py", "prorata/cli/")
SURROUNDINGS = "prorata/wiring/surroundings.py"
STANDING = "prorata/actions/invoices/standing.py"
INVOICES = "prorata/store/invoices/invoices.py"
WRITES_STANDING: dict[str, tuple[str, ...]] = {
    "save_standing": (STANDING,),
    "save_reckoned": (STANDING, "prorata/actions/recalculation/month_writer.py"),
}
"""The functions that write the standing of invoices, by computing or otherwise, each with its only caller."""
MAKE_SURROUNDINGS = re.compile(r"(?:.+\.)?(?:Surroundings|(?:REAL|around)\._replace)")
NOT_IN_ACTIONS = (
    *("sqlalchemy", "alembic", "psycopg", "sqlite3", "litestar", "granian"),
    *(
        "httpx",
        "httpx2",
        "requests",
        "urllib3",
        "urllib.request",
        "http.client",
        "aiohttp",
        "smtplib",
        "imaplib",
        "redis",
    ),
)
DATABASES = ("sqlalchemy", "alembic", "psycopg", "sqlite3")
STATEMENTS = {"select", "insert", "update", "delete", "text", "union", "union_all", "exists", "values", "table"}
SQL = re.compile(
    r"^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|WITH\s+\S+\s+AS\s|PRAGMA\s|VACUUM\b"
    r"|(?:CREATE|DROP|ALTER)\s+(?:UNIQUE\s+)?(?:TABLE|INDEX|DATABASE|VIEW|TRIGGER)\s"
    r"|BEGIN\b(?: IMMEDIATE)?;?$|COMMIT;?$|ROLLBACK;?$)"
    r"|^\s*(?:select\s.*\sfrom\s|insert into\s|update \S+ set\s|delete from\s|pragma\s)",
    re.DOTALL,
)
ENDS_A_TRANSACTION = re.compile(r"^\s*(?:commit|rollback)\b", re.IGNORECASE)
DEFAULTS = {"default", "insert_default", "server_default", "onupdate", "server_onupdate"}
TAKES_A_DEFAULT = {"max", "min", "dumps", "field", "TypeVar"}

BUILDERS = "prorata/store/database/statements.py"
"""Whose functions build the statements of the other files: to call one that returns a Statement is to build one."""
BUILDS_STATEMENTS: dict[str, str] = {
    # "prorata/store/invoices/invoices.py::page": "why this one cannot be a @cache function",
}
"""Functions of store/ that may build a statement when called, with the reason. `@cache` functions may: they build
one statement per combination of optional filters, once."""


def transactions_end_in_the_engine_alone(sources: Sequence[Source]) -> list[str]:
    """Only store/database/engine.py and its two databases commit and roll back, also in SQL."""
    offences = []
    for source in python(sources, "prorata/", but=ENGINE):
        offences += [
            source.offence(call, f"`{called(call)}` outside store/database/engine.py")
            for call in source.calls
            if called(call).rpartition(".")[2] in ("commit", "rollback")
        ]
        offences += [
            source.offence(node, f"`{text}` outside store/database/engine.py")
            for node, text in _strings(source)
            if ENDS_A_TRANSACTION.match(text) and len(text.split()) <= len(["COMMIT", "PREPARED"])
        ]
    return offences


def sql_lives_in_the_store(sources: Sequence[Source]) -> list[str]:
    """SQL text and database libraries are used only in store/."""
    offences = []
    for source in python(sources, "prorata/", but=(STORE,)):
        offences += [
            source.offence(node, f"{name} is for store/ alone")
            for node, name in imported(source)
            if is_or_below(name, *DATABASES)
        ]
        offences += [source.offence(node, "SQL outside store/") for node, text in _strings(source) if SQL.match(text)]
    return offences


def _strings(source: Source) -> Iterator[tuple[ast.Constant, str]]:
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in source.prose:
            yield node, node.value


def statements_survive_compilation(sources: Sequence[Source]) -> list[str]:
    """Statements use no `in_()` and no column defaults, because the driver runs the compiled text."""
    offences = []
    for source in python(sources, STORE):
        refused = DEFAULTS - ({"server_default"} if source.within(MIGRATIONS) else set())
        for call in source.calls:
            last = called(call).rpartition(".")[2]
            if last in ("in_", "not_in", "notin_"):
                offences.append(source.offence(call, f"`{last}` does not survive compilation: pass an array"))
            offences += [
                source.offence(call, f"`{keyword.arg}` does not survive compilation: give every value")
                for keyword in call.keywords
                if keyword.arg in refused and last not in TAKES_A_DEFAULT
            ]
    return offences


def statements_are_built_once(sources: Sequence[Source]) -> list[str]:
    """Statements are built at module level, in `@cache` functions, or in those that BUILDS_STATEMENTS names."""
    offences = []
    builders = _builders(sources)
    for source in python(sources, STORE, but=(MIGRATIONS, BUILDERS)):
        names = _names_that_build(source, builders)
        for function, call in _calls_when_called(source.tree, []):
            where = f"{source.path}::{function}"
            if _builds_a_statement(call, names) and where not in BUILDS_STATEMENTS:
                offences.append(source.offence(call, f"{function} builds a statement at each call; build it once"))
    return offences


def _builders(sources: Sequence[Source]) -> set[str]:
    """The names in store/database/statements.py of functions that return a Statement."""
    returning = [function for source in python(sources, BUILDERS) for function in source.functions if function.returns]
    return {"Statement"} | {each.name for each in returning if ast.unparse(each.returns).startswith("Statement")}


def _calls_when_called(node: ast.AST, inside: list[str]) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call that runs when a function does, with its name; skip cached functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if inside or not any(_is_cache(mark) for mark in child.decorator_list):
                yield from _calls_when_called(child, [*inside, child.name])
        elif isinstance(child, ast.Lambda):
            yield from _calls_when_called(child, [*inside, "lambda"])
        else:
            if isinstance(child, ast.Call) and inside:
                yield inside[0], child
            yield from _calls_when_called(child, inside)


def _is_cache(mark: ast.expr) -> bool:
    name = dotted(mark.func) if isinstance(mark, ast.Call) else dotted(mark)
    return name.rpartition(".")[2] in ("cache", "lru_cache")


def _builds_a_statement(call: ast.Call, names: dict[str, set[str]]) -> bool:
    """True if a call is an imported `select(…)` or similar, or `unit.insert()` without arguments."""
    start, _, rest = called(call).partition(".")
    last = rest.rpartition(".")[2]
    if start in names:
        return last in names[start]
    return last in ("select", "insert", "update", "delete") and not call.args and not call.keywords


def _names_that_build(source: Source, builders: set[str]) -> dict[str, set[str]]:
    """The attributes that build statements, by imported name; "" stands for the name itself."""
    names: dict[str, set[str]] = {}
    for node in source.nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            origin = (node.module if isinstance(node, ast.ImportFrom) else alias.name) or ""
            of_sqlalchemy = is_or_below(origin, "sqlalchemy")
            if of_sqlalchemy or origin == "prorata.store.database.statements" or alias.name == "statements":
                building = STATEMENTS if of_sqlalchemy else builders
                name = alias.asname or alias.name.partition(".")[0]
                names[name] = {""} if alias.name in building else building
    return names


def actions_know_neither_database_nor_web(sources: Sequence[Source]) -> list[str]:
    """Actions import no SQLAlchemy, database driver, web framework or client of an outside service."""
    return [
        source.offence(node, f"actions do not import {name}")
        for source in python(sources, "prorata/actions/")
        for node, name in imported(source)
        if is_or_below(name, *NOT_IN_ACTIONS)
    ]


def pages_read_no_store(sources: Sequence[Source]) -> list[str]:
    """Pages call actions; from the store they import only types, and from its engine anything."""
    return [
        source.offence(node, f"pages call actions, not {node.module}.{alias.name}")
        for source in python(sources, "prorata/web/dashboard/", "prorata/web/tenant/")
        for node in source.nodes
        if isinstance(node, ast.ImportFrom) and is_or_below(node.module or "", "prorata.store")
        for alias in node.names
        if node.module != "prorata.store.database.engine" and not alias.name[:1].isupper()
    ]


def only_the_command_line_prints(sources: Sequence[Source]) -> list[str]:
    """Only the command line prints; other code logs or returns values."""
    return [
        source.offence(call, "print outside the command line")
        for source in python(sources, "prorata/", but=CLI)
        for call in source.calls
        if called(call) in ("print", "pprint", "pprint.pprint")
    ]


def pdfs_are_opened_in_one_place(sources: Sequence[Source]) -> list[str]:
    """Only the files in PDF import PDFium, because it reads files that strangers send."""
    return [
        source.offence(node, f"PDFium is for {' and '.join(PDF)} alone")
        for source in python(sources, "prorata/", but=PDF)
        for node, name in imported(source)
        if is_or_below(name, "pypdfium2", "pypdfium2_raw")
    ]


def providers_are_named_where_they_are_made(sources: Sequence[Source]) -> list[str]:
    """Texts about a payment provider are made from its record.

    Another provider then needs no change elsewhere. Catalogs translate the record's texts.
    """
    return [
        source.offence(
            number, "names a payment provider: make it from its record in domain/online_payments/providers.py"
        )
        for source in sources
        if source.path.startswith("prorata/") and not source.within(*NAME_PROVIDERS) and not source.path.endswith(".po")
        for number, line in enumerate(source.text.splitlines(), 1)
        if "stripe" in line.lower()
    ]


def no_part_of_the_program_moves_its_clock(sources: Sequence[Source]) -> list[str]:
    """Only callers from outside, such as tests, replace the system's clock and other surroundings."""
    return [
        source.offence(call, "the program makes no Surroundings but the real ones")
        for source in python(sources, "prorata/")
        for call in source.calls
        if MAKE_SURROUNDINGS.fullmatch(called(call)) and (call.args or call.keywords or source.path != SURROUNDINGS)
    ]


def modules_import_in_no_circle(sources: Sequence[Source]) -> list[str]:
    """No import circle exists, even within a folder, in functions or for types."""
    ours = {_module(source.path): source for source in python(sources, "prorata/")}
    imports = {name: {to for _, to in _modules_imported(source, ours)} for name, source in ours.items()}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        return [
            ours[here].offence(node, f"imports in a circle: {' > '.join(circle)}")
            for here, there in pairwise(circle)
            for node, to in _modules_imported(ours[here], ours)
            if to == there
        ]
    return []


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _modules_imported(source: Source, ours: Container[str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield our modules that a file imports: `a.b` for `from a import b`, else `a`."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names if alias.name in ours)
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (
                (node, name if name in ours else node.module) for name in within if name in ours or node.module in ours
            )


def where_invoices_stand_is_written_in_one_place(sources: Sequence[Source]) -> list[str]:
    """Only the places in WRITES_STANDING write where invoices stand, by one call each."""
    offences = []
    for source in python(sources, "prorata/"):
        named = [(node, name) for node in source.nodes if (name := _named(node)) in WRITES_STANDING]
        seen: set[str] = set()
        for node, name in named:
            if name in seen or not source.within(*WRITES_STANDING[name]):
                offences.append(
                    source.offence(node, f"`{name}` is for one call in {' and '.join(WRITES_STANDING[name])}")
                )
            seen.add(name)
    return offences


def one_statement_writes_the_status_of_invoices(sources: Sequence[Source]) -> list[str]:
    """Only one statement, run by one function, writes the status of invoices."""
    offences = []
    for source in python(sources, STORE, but=(MIGRATIONS,)):
        writing = [call for call in source.calls if _writes_a_status(call, source)]
        names = {
            target.id
            for node in source.tree.body
            if isinstance(node, ast.Assign) and any(call in writing for call in ast.walk(node.value))
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        runs = [
            node
            for node in source.nodes
            if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
        ]
        kept = 1 if source.path == INVOICES else 0
        offences += [
            source.offence(node, f"where invoices stand is written by one statement, in {INVOICES}, run once")
            for node in (*writing[kept:], *runs[kept:])
        ]
    return offences


def _writes_a_status(call: ast.Call, source: Source) -> bool:
    """True if a call builds a statement that writes the status of invoices.

    Such a call is `saves` with or without named columns, or `update(invoice)…values(…)`.
    """
    name = called(call)
    if name.rpartition(".")[2] == "saves" and call.args and dotted(call.args[0]).endswith("invoice"):
        only = next((one.value for one in call.keywords if one.arg == "only"), None)
        kept = [one.value for one in call.args[1:] if isinstance(one, ast.Constant)]
        return _may_name_status(only, source) if only is not None else "status" not in kept
    if name.rpartition(".")[2] != "values" or not isinstance(call.func, ast.Attribute):
        return False
    updated = (one for one in ast.walk(call.func) if isinstance(one, ast.Call))
    if not any(_updates_invoices(one) for one in updated):
        return False
    given = [one.arg for one in call.keywords if one.arg] + [
        key.value if isinstance(key, ast.Constant) else dotted(key).rpartition(".")[2]
        for one in (*call.args, *(each.value for each in call.keywords if not each.arg))
        for key in (one.keys if isinstance(one, ast.Dict) else [])
    ]
    return "status" in given


def _updates_invoices(call: ast.Call) -> bool:
    """True if a call is `update(invoice)` or `invoice.update()`."""
    start, _, last = called(call).rpartition(".")
    return last == "update" and (
        start.endswith("invoice") or bool(call.args and dotted(call.args[0]).endswith("invoice"))
    )


def _may_name_status(columns: ast.expr, source: Source) -> bool:
    """True if the columns, written out or named in the file, may include a status."""
    for node in source.tree.body:
        if isinstance(columns, ast.Name) and isinstance(node, ast.Assign) and columns.id in map(dotted, node.targets):
            columns = node.value
    if isinstance(columns, ast.Tuple | ast.List | ast.Set):
        return "status" in [one.value for one in columns.elts if isinstance(one, ast.Constant)]
    return True


def _named(node: ast.AST) -> str:
    """Return the name from another file in an attribute or import, or an empty text."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.name if isinstance(node, ast.alias) else ""


ALL = (
    modules_import_in_no_circle,
    where_invoices_stand_is_written_in_one_place,
    one_statement_writes_the_status_of_invoices,
    transactions_end_in_the_engine_alone,
    sql_lives_in_the_store,
    statements_survive_compilation,
    statements_are_built_once,
    actions_know_neither_database_nor_web,
    pages_read_no_store,
    only_the_command_line_prints,
    pdfs_are_opened_in_one_place,
    providers_are_named_where_they_are_made,
    no_part_of_the_program_moves_its_clock,
)
