"""The small faults that can be put into the functions of a file.

Each fault changes one place of the file's syntax tree.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_BOTH = 40
"""The number of characters of a statement around the change in a fault's name."""


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LEFT = ("annotation", "returns", "decorator_list", "exc", "format_spec")


class Fault(NamedTuple):
    """The syntax tree of a file with a fault, and the place of the fault.

    The name says where the fault is and how the statement reads with it, so the name stays the same if lines move.
    `function` is the outermost function that contains the fault.
    """

    name: str
    function: str
    line: int
    tree: ast.Module


class _Place(NamedTuple):
    """The place of a node: its functions and classes, statement, and position in the tree."""

    within: tuple[ast.AST, ...]
    statement: ast.AST | None
    parent: ast.AST
    field: str
    index: int | None

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.within if isinstance(one, (*_FUNCTIONS, ast.ClassDef)))

    @property
    def outermost(self) -> str:
        inner = next(at for at, one in enumerate(self.within) if isinstance(one, _FUNCTIONS))
        return ".".join(self.path[: inner + 1])

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def faults(source: str) -> Iterator[Fault]:
    """Every fault of a source, in the order of the code.

    Some code stays as it is: assertions, which state what is impossible; the exceptions that are raised; types; and
    `strict=True`, which can only cause failures.
    """
    tree = ast.parse(source)
    seen: Counter[str] = Counter()
    for node, place in list(_nodes(tree, (), None)):
        for other in _INSTEAD[type(node)](node):
            was = _first_line(place.statement)
            place.put(ast.fix_missing_locations(ast.copy_location(other, node)))
            now = _first_line(other if node is place.statement else place.statement)
            mutated = copy.deepcopy(tree)
            place.put(node)
            name = f"{'.'.join(place.path)}: {_named(other, was, now)}"
            seen[name] += 1
            number = f" #{seen[name]}" if seen[name] > 1 else ""
            yield Fault(f"{name}{number}", place.outermost, getattr(place.statement, "lineno", 0), mutated)


def _nodes(node: ast.AST, within: tuple[ast.AST, ...], statement: ast.AST | None) -> Iterator[tuple[ast.AST, _Place]]:
    """The nodes in functions that may be changed, with their places."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        within = (*within, node)
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and field not in _LEFT and not _is_left(child):
                its = child if isinstance(child, ast.stmt) else statement
                is_inside = any(isinstance(one, _FUNCTIONS) for one in within)
                if is_inside and type(child) in _INSTEAD and not _gives_first_value(child, within[-1]):
                    yield child, _Place(within, its, node, field, index)
                yield from _nodes(child, within, its)


def _is_left(node: ast.AST) -> bool:
    """Check whether a part of the tree must stay as it is.

    The defaults of arguments stay too, because they are not part of the behavior.
    """
    is_strict = isinstance(node, ast.keyword) and node.arg == "strict"
    return is_strict or isinstance(node, ast.Assert | ast.arguments)


def _gives_first_value(node: ast.AST, function: ast.AST) -> bool:
    """Check whether an assignment gives a name its only value.

    Without the assignment, every test would fail.
    """
    if not isinstance(node, ast.Assign):
        return False
    bound = Counter([*_stored(function), *(one.arg for one in ast.walk(function) if isinstance(one, ast.arg))])
    return any(bound[name] < 2 for name in _stored(node))


def _stored(node: ast.AST) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for index, operator in enumerate(node.ops):
        other = _COMPARED[type(operator)]()
        yield ast.Compare(node.left, [*node.ops[:index], other, *node.ops[index + 1 :]], node.comparators)


def _computed(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in _COMPUTED:
        yield ast.BinOp(node.left, _COMPUTED[type(node.op)](), node.right)


def _both(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
    for index in range(len(node.values)):
        left = [*node.values[:index], *node.values[index + 1 :]]
        yield ast.BoolOp(node.op, left) if len(left) > 1 else left[0]


def _without_sign(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _next_to(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))


def _one_further(node: ast.Slice) -> Iterator[ast.AST]:
    for field in ("lower", "upper"):
        bound = getattr(node, field)
        if bound and not isinstance(bound, ast.Constant):  # that is changed by itself
            yield _with(node, field, ast.BinOp(bound, ast.Add(), ast.Constant(1)))


def _negated(node: ast.If | ast.While | ast.IfExp) -> Iterator[ast.AST]:
    if _says_itself(node.test):
        yield _with(node, "test", ast.UnaryOp(ast.Not(), node.test))


def _of_others(node: ast.comprehension) -> Iterator[ast.AST]:
    for index, test in enumerate(node.ifs):
        if _says_itself(test):
            yield _with(node, "ifs", [*node.ifs[:index], ast.UnaryOp(ast.Not(), test), *node.ifs[index + 1 :]])


def _says_itself(test: ast.expr) -> bool:
    """Check whether a condition is something other than a comparison, `and`, `or` or `not`.

    Those have faults of their own.
    """
    is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return not (isinstance(test, ast.Compare | ast.BoolOp) or is_not)


def _nothing(node: ast.Return) -> Iterator[ast.AST]:
    if node.value and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(ast.Constant(None))


def _left_out(node: ast.stmt) -> Iterator[ast.AST]:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)):
        yield ast.Pass()


_INSTEAD: dict[type[ast.AST], Callable[[Any], Iterator[ast.AST]]] = {
    ast.Compare: _compared, ast.BinOp: _computed, ast.BoolOp: _both, ast.UnaryOp: _without_sign,
    ast.Constant: _next_to, ast.Slice: _one_further, ast.If: _negated, ast.While: _negated, ast.IfExp: _negated,
    ast.comprehension: _of_others, ast.Return: _nothing, ast.Raise: _left_out, ast.Continue: _left_out,
    ast.Break: _left_out, ast.AugAssign: _left_out, ast.Expr: _left_out, ast.Assign: _left_out,
}  # fmt: skip
"""The functions that yield replacements of a node, by its kind."""


def _with(node: ast.AST, field: str, value: object) -> ast.AST:
    changed = copy.copy(node)
    setattr(changed, field, value)
    return changed


def _first_line(statement: ast.AST | None) -> str:
    return ast.unparse(statement).partition("\n")[0] if statement is not None else ""


def _named(other: ast.AST, was: str, now: str) -> str:
    if isinstance(other, ast.Pass):
        return f"without {was}"
    return f"None, not {was}" if isinstance(other, ast.Return) else _difference(was, now)


def _difference(was: str, now: str) -> str:
    """The part of a changed statement around the change."""
    pairs = zip(was, now, strict=False)
    begin = next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(was), len(now)))
    same = 0
    while same < min(len(was), len(now)) - begin and was[-1 - same] == now[-1 - same]:
        same += 1
    first, last = max(0, begin - _BOTH), min(len(now), len(now) - same + _BOTH)
    return f"{'…' if first else ''}{now[first:last]}{'…' if last < len(now) else ''}"
