"""The form in which a person states what each item of an e-invoice is for."""

from typing import Annotated, Any

import msgspec

from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_INVOICE_ITEMS

ItemsForm: Any = msgspec.defstruct(
    "ItemsForm",
    [
        *((f"kind{number}", Annotated[str, text(20, least=0)], "") for number in range(1, MOST_INVOICE_ITEMS + 1)),
        ("property", Annotated[str, text(64, least=0)], ""),
    ],
    kw_only=True,
    forbid_unknown_fields=True,
)
"""The form with the chosen property and the purpose of each e-invoice item, in order."""
