"""The cursors of lists that are read page after page, newest records first.

The `next` value of a response is the `before` value of the following request.
"""

import re

import msgspec

from prorata.ids import SUFFIX


def cursor(kind: str, *, mark: str = "") -> msgspec.Meta:
    """Build the constraint of a query parameter with a cursor, which is a record's id.

    The id has the prefix `kind`. If `mark` is given, the text `mark` may precede the id.
    """
    pattern = f"(?:{re.escape(mark)})?{kind}_{SUFFIX}" if mark else f"{kind}_{SUFFIX}"
    form = re.compile(pattern, re.ASCII)

    def read(value: str) -> str:
        if not form.fullmatch(value):
            raise ValueError
        return value

    return msgspec.Meta(
        description="Only entries that follow this one in the list: the `next` value of the previous response.",
        extra_json_schema={"pattern": f"^{pattern}$"},
        extra={"must": "must be the `next` value of the previous response, unchanged", "read": read},
    )
