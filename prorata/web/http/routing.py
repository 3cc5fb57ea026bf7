"""The route tree, built once, which finds the operation for a method and path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from prorata.errors import MethodNotAllowed, NotFound

API = "/api/v1"
_TWICE = API + "/v1/"


def routed(path: str) -> str:
    """Normalize a path for the router, without empty segments and without a second /v1.

    In docs/contract.md, some paths contain /v1 twice.

    >>> routed("/api//v1/v1/properties/")
    '/api/v1/properties'
    """
    path = "/" + "/".join(segment for segment in path.split("/") if segment)
    return API + path[len(API) + 3 :] if path.startswith(_TWICE) else path


class Routed(Protocol):
    """The declaration that a method and path lead to: an operation or a page."""

    @property
    def method(self) -> str: ...  # noqa: D102
    @property
    def path(self) -> str: ...  # noqa: D102


Goal = TypeVar("Goal", bound=Routed)
Said = ParamSpec("Said")
Work = TypeVar("Work", bound=Callable[..., Any])


def declaring(
    goal: Callable[Concatenate[Any, Said], Goal], declared: list[Goal]
) -> Callable[Said, Callable[[Work], Work]]:
    """Build a decorator that adds the declaration of the decorated function to `declared`.

    `goal` is the class of the declarations, such as `Operation`. The decorator takes the parameters of this class
    except the first, which is the decorated function.
    """

    def declare(*said: Said.args, **named: Said.kwargs) -> Callable[[Work], Work]:
        def note(work: Work) -> Work:
            declared.append(goal(work, *said, **named))
            return work

        return note

    return declare


@dataclass(slots=True)
class _Place(Generic[Goal]):
    """A node of the route tree, with the nodes for the next path segment.

    `fixed` contains the nodes for fixed segments, and `any` is the node for a path parameter. A fixed segment takes
    precedence.
    """

    fixed: dict[str, "_Place[Goal]"] = field(default_factory=dict)
    any: "_Place[Goal] | None" = None
    methods: dict[str, tuple[Goal, tuple[str, ...]]] = field(default_factory=dict)
    """The targets by method, each with the names of its path parameters."""


class Router(Generic[Goal]):
    """A finder of API operations or pages by method and path."""

    def __init__(self, operations: Sequence[Goal]) -> None:
        self.paths = frozenset(operation.path for operation in operations)
        self._root: _Place[Goal] = _Place()
        for operation in operations:
            place = self._root
            names = []
            for segment in operation.path[1:].split("/"):
                if segment.startswith("{"):
                    names.append(segment[1:-1])
                    place.any = further = place.any or _Place()
                    place = further
                else:
                    place = place.fixed.setdefault(segment, _Place())
            assert operation.method not in place.methods, f"{operation.method} {operation.path} is declared twice"
            place.methods[operation.method] = operation, tuple(names)

    def find(self, method: str, path: str) -> tuple[Goal, dict[str, str]]:
        """Return the operation for a method and path, and the values of its path parameters.

        `path` is like `/properties/prop_01`. The values are stored under the parameters' names, such as `id`
        for `{id}`. Raises `NotFound` if there is no such path, and `MethodNotAllowed` if the path has no such method.
        """
        place = self._root
        held = []
        for segment in path[1:].split("/"):
            further = place.fixed.get(segment)
            if further is None:
                further = place.any
                if further is None:
                    raise NotFound
                held.append(segment)
            place = further
        if method in place.methods:
            operation, names = place.methods[method]
            return operation, dict(zip(names, held, strict=True))
        if not place.methods:
            raise NotFound
        raise MethodNotAllowed(sorted({*place.methods, *(["HEAD"] if "GET" in place.methods else [])}))
