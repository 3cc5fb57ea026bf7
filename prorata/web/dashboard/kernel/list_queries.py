"""The query of a simple list: its search text and page."""

from typing import Annotated

import msgspec
from msgspec import Struct

from prorata.web.http.fields import text

ROWS = 25


class ListQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The search text and page number of a list."""

    search: Annotated[str, text(255, least=0)] = ""
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1

    @property
    def offset(self) -> int:
        """The number of rows in the list before this page."""
        return (self.page - 1) * ROWS
