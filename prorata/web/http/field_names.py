"""The API's names for database columns, used in refusals that name a field."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import fields

from prorata.errors import Refusal


@contextmanager
def named_as_in(body: type[Struct], columns: Mapping[str, str]) -> Iterator[None]:
    """Make refusals raised in the block name fields as the request's body does.

    Such a refusal names fields by the columns of the database. `columns` maps an attribute of the body to its
    column if their names differ.
    """
    sent = {columns.get(field.name, field.name): field.encode_name for field in fields(body)}
    try:
        yield
    except Refusal as refused:
        refused.problems = tuple(
            problem._replace(field=sent.get(problem.field, problem.field)) for problem in refused.problems
        )
        raise
