"""The option that assigns a file's columns to fields."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import click


def columns_are_told(fields: Collection[str]) -> Callable[[Any], Any]:
    """Add the option `--map "THEIR COLUMN=field"` to a command, as the parameter `columns`.

    The option maps a column of the file to one of `fields`, or to no field.
    """

    def pairs(_context: click.Context, _option: click.Parameter, given: Sequence[str]) -> dict[str, str]:
        fields_by_column = {}
        for pair in given:
            name, equals, field = pair.rpartition("=")
            if not equals or field.strip() not in (*fields, ""):
                raise click.BadParameter(
                    f"{pair}: write COLUMN=FIELD, where FIELD is one of {', '.join(fields)}, or empty."
                )
            fields_by_column[name.strip()] = field.strip()
        return fields_by_column

    return click.option(
        "--map", "columns", multiple=True, callback=pairs, metavar='"THEIR COLUMN=field"',
        help="What a column of the file contains; can be repeated.",
    )  # fmt: skip
