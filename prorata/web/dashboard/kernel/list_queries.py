"""The query of a plain list: its search and its page."""

from typing import Annotated

import msgspec
from msgspec import Struct

from prorata.web.http.fields import text

ROWS = 25


class ListQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Which rows of a list are shown."""

    search: Annotated[str, text(255, least=0)] = ""
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1

    @property
    def offset(self) -> int:
        """How many rows stand before the page."""
        return (self.page - 1) * ROWS
