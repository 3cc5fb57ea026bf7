"""Query parameters that filter lists and choose the part of a list to read."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists.walks import Window
from prorata.domain.invoice_states import Status
from prorata.domain.problems import Problem
from prorata.store.database.engine import timestamp
from prorata.store.invoices.searches import Asked
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import MOST_ON_A_PAGE, MOST_WALKED
from prorata.web.http.request_schemas import Filter, PageQuery, given

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_HOW_MANY = (
    f"must be a whole number from 1 to {MOST_ON_A_PAGE}, or up to {MOST_WALKED:,} with `after` or `updatedAfter`"
)


def read_moment(value: str) -> str:
    """Parse an RFC 3339 timestamp to its stored form: UTC, truncated to milliseconds.

    >>> read_moment("2026-03-01T01:30:00+01:00"), read_moment("2026-03-01T00:30:00.1239Z")
    ('2026-03-01T00:30:00.000Z', '2026-03-01T00:30:00.123Z')
    """
    if not _MOMENT.fullmatch(value):
        raise ValueError
    try:
        return timestamp(datetime.fromisoformat(value).astimezone(UTC))
    except OverflowError:
        raise ValueError from None


Moment = Annotated[
    str,
    Meta(
        extra_json_schema={"format": "date-time"},
        extra={"must": "must be a timestamp such as 2026-03-01T00:00:00.000Z", "read": read_moment},
    ),
]


class ListQuery(PageQuery):
    """Query parameters for the part of a list to read.

    They choose a page, or the records after a cursor.
    """

    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=MOST_WALKED,
            description=f"Records of an answer: at most {MOST_ON_A_PAGE} on a page, {MOST_WALKED:,} with `after` or "
            "`updatedAfter`.",
            extra={"must": _HOW_MANY},
        ),
    ] = 20
    after: (
        Annotated[
            str,
            text(LONGEST_CURSOR, least=0),
            Meta(
                description="Reads the list continuously instead of by page: begin with `start` or an empty value, "
                "then send the `next` value of the previous response, with the same filters. Records "
                "added or removed in the meantime don't shift the list.",
            ),
        ]
        | UnsetType
    ) = UNSET
    updated_after: (
        Annotated[
            Moment,
            Meta(
                description="Only records changed at or after this time, in the order of their latest changes; reads "
                "the list continuously, as `after` does."
            ),
        ]
        | UnsetType
    ) = UNSET

    @property
    def window(self) -> Window:
        """The part of the list that was requested."""
        return Window(self.limit, self.offset, given(self.after), given(self.updated_after))

    @classmethod
    def unfit_together(cls, sent: Mapping[str, Any]) -> list[Problem]:
        """List the problems of parameters that can't be combined with each other."""
        walks, limit = sent.keys() & {"after", "updated_after"}, sent.get("limit")
        if not walks and limit is not None and limit > MOST_ON_A_PAGE:
            return [Problem("limit", f"`limit` {_HOW_MANY}.")]
        if walks and "page" in sent:
            return [Problem("page", "`page` can't be combined with `after` or `updatedAfter`.")]
        return []


_COLUMNS = {
    "property_id": "property", "unit_id": "unit", "invoice_id": "invoice", "month": "month", "status": "status",
}  # fmt: skip


def _choices(*names: str) -> Meta:
    """Build the constraint of a parameter with one or more of `names`, separated by commas."""
    choice = f"({'|'.join(names)})"
    return Meta(
        pattern=f"^{choice}(,{choice})*$",
        description=f"What else is shown, divided by commas: {', '.join(names)}.",
        extra={"must": f"must be of {', '.join(names)}, divided by commas"},
    )


Inactive = Annotated[bool, Meta(description="Whether to list deactivated units too.")]


def filters_of(query: ListQuery) -> dict[str, Any]:
    """Return the values of a query's filters by the store's names for these filters."""
    sent = ((column, getattr(query, name, UNSET)) for name, column in _COLUMNS.items())
    return {column: value for column, value in sent if value is not UNSET}


class UnitsOfPropertyQuery(ListQuery):
    """Query parameters for the part of a property's list of units to read."""

    include_inactive: Inactive = False
    expand: Annotated[str, _choices("tenants")] | UnsetType = UNSET


class UnitsQuery(UnitsOfPropertyQuery):
    """Query parameters for a list of units: filters, and the part to read."""

    property_id: Annotated[Filter, Meta(description="Only units of this property.")] | UnsetType = UNSET


class TenantsQuery(ListQuery):
    """Query parameters for a list of tenants: filters, and the part to read."""

    property_id: Annotated[Filter, Meta(description="Only tenants of this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only tenants of this unit.")] | UnsetType = UNSET


class PaymentsQuery(ListQuery):
    """Query parameters for a list of ledger entries: filters, and the part to read."""

    property_id: Annotated[Filter, Meta(description="Only entries for invoices of this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only entries for invoices of this unit.")] | UnsetType = UNSET
    invoice_id: Annotated[Filter, Meta(description="Only entries for this invoice.")] | UnsetType = UNSET


class RulesQuery(ListQuery):
    """Query parameters for a list of share rules: filters, and the part to read."""

    property_id: Annotated[Filter, Meta(description="Only rules for this property.")] | UnsetType = UNSET


Need = Literal["OWED", "OVERDUE", "CREDITS", "REFUNDS", "UNDELIVERED", "HAND_OVER"]
NEEDS: dict[str, Asked] = {
    "OWED": "owed", "OVERDUE": "overdue", "CREDITS": "credits", "REFUNDS": "refunds", "UNDELIVERED": "undelivered",
    "HAND_OVER": "handOver",
}  # fmt: skip


class InvoicesQuery(ListQuery):
    """Query parameters for a list of invoices: filters, and the part to read."""

    property_id: Annotated[Filter, Meta(description="Only invoices for this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only invoices for this unit.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    details: Annotated[bool, Meta(description="Whether charges and customCharges are included.")] = False
    expand: Annotated[str, _choices("charges", "tenant")] | UnsetType = UNSET
    needs: (
        Annotated[
            Need,
            Meta(
                description="Only invoices with something still open, or that need a person: money OWED or OVERDUE, "
                "CREDITS, REFUNDS due, e-mail UNDELIVERED, or paper to HAND_OVER. Only available by page."
            ),
        ]
        | UnsetType
    ) = UNSET

    @classmethod
    def unfit_together(cls, sent: Mapping[str, Any]) -> list[Problem]:
        """List the problems of parameters that can't be combined with each other."""
        problems = super().unfit_together(sent)
        if "needs" in sent and sent.keys() & {"after", "updated_after"}:
            problems.append(Problem("needs", "`needs` can't be combined with `after` or `updatedAfter`. Use `page`."))
        return problems

    @property
    def shows_charges(self) -> bool:
        """True if the query asks for the invoices' charges and customCharges."""
        return self.details or "charges" in _names(self.expand)

    @property
    def shows_tenants(self) -> bool:
        """True if the query asks for the invoices' tenants."""
        return "tenant" in _names(self.expand)


def _names(expand: str | UnsetType) -> list[str]:
    return expand.split(",") if expand is not UNSET else []
