"""Rules about money and the purity of the domain (house rule 3, first ring)."""

import ast
import re
import sys
from collections.abc import Sequence

from tests.house.sources import Source, called, dotted, imported, is_or_below, python

MONEY = "prorata/domain/money.py"
DIVIDES = {
    MONEY: "apportion, and the reading and writing of amounts",
    "prorata/domain/intake/bill_reading/page_skew.py": "moves boxes on a page, and holds no money",
    "prorata/domain/billing_calendar.py": "counts months and days, and holds no money",
    "prorata/domain/accounts/one_time_codes.py": "counts steps of time and cuts digits off a hash, and holds no money",
}
# `total` is not among them: a list's total is how many there are.
MONEY_WORDS = {"cents", "amount", "amounts", "charge", "charges", "balance", "price", "money"}
IMPURE_MODULES = (
    *(
        "asyncio",
        "concurrent",
        "http",
        "io",
        "locale",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "secrets",
    ),
    *("shelve", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid"),
)
PURE_MODULES = tuple(sys.stdlib_module_names - set(IMPURE_MODULES))
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__", "id", "hash"}
CLOCKS = {"now", "utcnow", "today"}


def nothing_rounds_but_apportion(sources: Sequence[Source]) -> list[str]:
    """Only `apportion` rounds; `round` and `quantize` are called nowhere."""
    return [
        source.offence(call, f"`{called(call)}` rounds; apportion() is the only rounding")
        for source in python(sources, "prorata/")
        for call in source.calls
        if called(call).rpartition(".")[2] in ("round", "quantize")
    ]


def apportion_is_defined_once(sources: Sequence[Source]) -> list[str]:
    """`apportion` is defined in domain/money.py and nowhere else."""
    found = [(s, f) for s in python(sources, "prorata/") for f in s.functions if f.name == "apportion"]
    if not any(source.path == MONEY for source, _ in found):
        return [f"{MONEY}:1: apportion is not defined here"]
    offences = [source.offence(function, "a second apportion") for source, function in found if source.path != MONEY]
    return offences + [s.offence(f, "a second apportion") for s, f in found if s.path == MONEY][1:]


def the_domain_divides_only_where_money_is_split(sources: Sequence[Source]) -> list[str]:
    """Only the named files divide, because a division can lose a cent.

    A division is `/`, `//`, divmod, or a function that cuts to whole numbers.
    """
    offences = []
    for source in python(sources, "prorata/domain/", but=tuple(DIVIDES)):
        offences += [
            source.offence(node, "divides; only domain/money.py does") for node in source.nodes if _divides(node)
        ]
        offences += [
            source.offence(call, f"`{called(call)}` cuts; only domain/money.py does")
            for call in source.calls
            if called(call).rpartition(".")[2] in ("floor", "ceil", "trunc", "fmod", "to_integral_value")
        ]
    return offences


def nobody_else_divides_money(sources: Sequence[Source]) -> list[str]:
    """No code outside the domain divides money.

    It neither divides a value named like money to whole numbers, nor makes a float of it.
    """
    offences = []
    for source in python(sources, "prorata/", but=("prorata/domain/",)):
        for node in source.nodes:
            if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.FloorDiv):
                divided = node.left if isinstance(node, ast.BinOp) else node.target
            elif isinstance(node, ast.Call) and called(node) in ("divmod", "float") and node.args:
                divided = node.args[0]
            else:
                continue
            if _named_like_money(divided):
                offences.append(source.offence(node, f"`{ast.unparse(node)}` belongs in domain/money.py"))
    return offences


def the_domain_counts_in_no_float(sources: Sequence[Source]) -> list[str]:
    """The domain neither calls float() nor calculates with a float.

    The cell of a spreadsheet may be a float, and a likeness may be compared with one.
    """
    return [
        source.offence(node, f"a float in the domain: `{ast.unparse(node)}`")
        for source in python(sources, "prorata/domain/")
        for node in source.nodes
        if (isinstance(node, ast.Call) and called(node) == "float")
        or (isinstance(node, ast.BinOp) and (_is_float(node.left) or _is_float(node.right)))
        or (isinstance(node, ast.AugAssign) and _is_float(node.value))
    ]


def _is_float(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float | complex)


def _divides(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp | ast.AugAssign):
        return isinstance(node.op, ast.Div | ast.FloorDiv)
    return isinstance(node, ast.Call) and called(node) == "divmod"


def _named_like_money(node: ast.AST) -> bool:
    names = [part.id if isinstance(part, ast.Name) else getattr(part, "attr", "") for part in ast.walk(node)]
    return any(word in MONEY_WORDS for name in names for word in re.split(r"[_\d]+", name.lower()))


def the_domain_imports_only_the_standard_library(sources: Sequence[Source]) -> list[str]:
    """The domain imports only the standard library.

    It imports no module that reads a clock, returns random numbers or uses the system.
    """
    return [
        source.offence(node, f"the domain does not import {name}")
        for source in python(sources, "prorata/domain/")
        for node, name in imported(source)
        if not is_or_below(name, *PURE_MODULES, "prorata.domain") and name != "prorata"
    ]


def the_domain_has_no_clock_and_no_dice(sources: Sequence[Source]) -> list[str]:
    """Arguments supply today's date, new ids and settings to the domain."""
    return [
        source.offence(node, f"the domain does not call `{ast.unparse(node)}`")
        for source in python(sources, "prorata/domain/")
        for node in source.nodes
        if (isinstance(node, ast.Call) and called(node) in IMPURE_CALLS)
        or (
            isinstance(node, ast.Attribute)
            and node.attr in CLOCKS
            and dotted(node.value).endswith(("datetime", "date"))
        )
    ]


ALL = (
    nothing_rounds_but_apportion,
    apportion_is_defined_once,
    the_domain_divides_only_where_money_is_split,
    nobody_else_divides_money,
    the_domain_counts_in_no_float,
    the_domain_imports_only_the_standard_library,
    the_domain_has_no_clock_and_no_dice,
)
