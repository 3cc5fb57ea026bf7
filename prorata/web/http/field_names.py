"""The API's names of columns, for refusals that name a field."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import fields

from prorata.errors import Refusal


@contextmanager
def named_as_in(body: type[Struct], columns: Mapping[str, str]) -> Iterator[None]:
    """Name the fields in a block's refusals as the request's body does.

    `columns` maps the body's attributes to the columns that are named differently.
    """
    sent = {columns.get(field.name, field.name): field.encode_name for field in fields(body)}
    try:
        yield
    except Refusal as refused:
        refused.problems = tuple(
            problem._replace(field=sent.get(problem.field, problem.field)) for problem in refused.problems
        )
        raise
