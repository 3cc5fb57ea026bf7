"""The API's names for database columns, used in refusals that name a field."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import fields

from prorata.errors import Refusal


@contextmanager
def named_as_in(body: type[Struct], columns: Mapping[str, str]) -> Iterator[None]:
    """Replace column names by the body's field names in refusals raised within the block.

    `columns` maps attributes of the body to columns of the database, if their names differ.
    """
    sent = {columns.get(field.name, field.name): field.encode_name for field in fields(body)}
    try:
        yield
    except Refusal as refused:
        refused.problems = tuple(
            problem._replace(field=sent.get(problem.field, problem.field)) for problem in refused.problems
        )
        raise
