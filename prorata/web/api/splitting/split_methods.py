"""Split methods: built-in ones and blends (docs/decisions.md#split-methods)."""

from decimal import Decimal

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.recalculation.month_loader import as_blend
from prorata.actions.splitting import split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.money import quantity
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.store.splitting.share_rules import SplitMethodRow
from prorata.web.api.examples import BLEND_SENT
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import SplitMethodSent
from prorata.web.http.response_schemas import Component, Message, SplitMethod


def _built_in() -> list[SplitMethod]:
    return [
        SplitMethod(id=method.code, name=method.name, description=method.description, built_in=True, components=[])
        for method in SPLIT_METHODS.values()
    ]


def shown(row: SplitMethodRow) -> SplitMethod:
    """Convert a blend to the API's format."""
    parts = as_blend(row.components)
    return SplitMethod(
        id=row.id,
        name=row.name,
        description=" and ".join(f"{quantity(part.percent)}% {part.split_method}" for part in parts),
        built_in=False,
        components=[
            Component(split_method=part.split_method, percent=_exact(part.percent.numerator, part.percent.denominator))
            for part in parts
        ],
    )


def _exact(numerator: int, denominator: int) -> Decimal:
    return Decimal(numerator) / Decimal(denominator)


def _blend(body: SplitMethodSent) -> NewBlend:
    return NewBlend(body.name, [(part.split_method, part.percent) for part in body.components])


@operation("GET", "/split-methods", summary="List split methods", answer=list[SplitMethod])
def list_split_methods(call: Call[None, None]) -> list[SplitMethod]:
    """List the built-in split methods, then your own blends, oldest first."""
    return _built_in() + [shown(row) for row in split_methods.all_own(call.tx, call.caller)]


@operation(
    "POST", "/split-methods", summary="Create a blend", body=SplitMethodSent, answer=SplitMethod, status=201,
    moves=previews.of_split_method,
    conflict="A split method with this name already exists, or the account already has 200 of its own.",
    example=BLEND_SENT,
)  # fmt: skip
def create_split_method(call: Call[None, SplitMethodSent]) -> SplitMethod:
    """Create a blend.

    A blend first splits an amount according to its percentages, and then splits each part by the method of that
    percentage.
    """
    return shown(split_methods.create(call.tx, call.caller, _blend(call.body)))


@operation("GET", "/split-methods/{id}", summary="Read a split method", answer=SplitMethod, missing=("split method",))
def read_split_method(call: Call[None, None]) -> SplitMethod:
    """Read a built-in split method or one of your blends."""
    built_in = next((method for method in _built_in() if method.id == call.path["id"]), None)
    return built_in or shown(access.split_method(call.tx, call.caller, call.path["id"]))


@operation(
    "PUT", "/split-methods/{id}", summary="Replace a blend", body=SplitMethodSent, answer=SplitMethod,
    moves=previews.of_split_method, missing=("split method",),
    conflict="Another split method already has this name.",
    example=BLEND_SENT,
)  # fmt: skip
def replace_split_method(call: Call[None, SplitMethodSent]) -> SplitMethod:
    """Replace one of your blends; built-in methods can't be changed.

    The open months of all properties that use the blend are recalculated.
    """
    return shown(split_methods.replace(call.tx, call.caller, call.path["id"], _blend(call.body)))


@operation(
    "DELETE", "/split-methods/{id}", summary="Delete a blend", answer=Message, missing=("split method",),
    moves=previews.of_split_method, conflict="A share rule uses the blend.",
)  # fmt: skip
def delete_split_method(call: Call[None, None]) -> Message:
    """Delete a blend that no share rule uses."""
    split_methods.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The split method has been deleted.")
