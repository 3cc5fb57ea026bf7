"""A tenant's statement (docs/decisions.md#a-tenants-balance)."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.invoices import statements
from prorata.actions.invoices.statements import TenantStatement
from prorata.domain.invoices.statements import StatementKind
from prorata.domain.money import in_figures
from prorata.web.http.fields import DateText
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, given
from prorata.web.http.response_schemas import Answer, Day, Figures


class StatementQuery(Body):
    """The first and last day of a statement, both included."""

    from_: Annotated[DateText, Meta(description="The first day; if omitted, from the start.")] | UnsetType = UNSET
    to: Annotated[DateText, Meta(description="The last day; if omitted, to the end.")] | UnsetType = UNSET


class StatementEntry(Answer):
    """A change of a tenant's balance, and the balance after this change."""

    date: Day
    kind: StatementKind
    invoice_id: str
    invoice_number: str
    amount: Figures
    balance: Figures


class Statement(Answer):
    """A tenant's balances, invoices and payments in a range of days; credits are negative."""

    tenant_id: str
    currency: str
    from_: Annotated[Day | None, Meta(description="The first day; null: from the start.")]
    to: Day | None
    opening: Figures
    closing: Figures
    entries: list[StatementEntry]


def shown(made: TenantStatement) -> Statement:
    """Convert a statement to the API's format."""
    return Statement(
        tenant_id=made.tenant.id,
        currency=made.property.currency,
        from_=made.first,
        to=made.last,
        opening=in_figures(made.found.opening),
        closing=in_figures(made.found.closing),
        entries=[
            StatementEntry(
                date=posting.day,
                kind=posting.kind,  # type: ignore[arg-type]
                invoice_id=posting.invoice_id,
                invoice_number=posting.number,
                amount=in_figures(posting.amount),
                balance=in_figures(balance),
            )
            for posting, balance in made.found.rows
        ],
    )


@operation(
    "GET", "/tenants/{tenantId}/statement", summary="Read a tenant's statement", answer=Statement,
    query=StatementQuery, missing=("tenant",),
)  # fmt: skip
def read_statement(call: Call[StatementQuery, None]) -> Statement:
    """Read a tenant's statement: sent invoices, payments and credits, with balances.

    The entries are in the order of their days, each with the balance after it. The balance is the amount that the
    tenant owes; a negative balance is a credit. The closing balance is the opening balance plus all amounts.
    """
    query = call.query
    first, last = given(query.from_), given(query.to)
    made = statements.of_tenant(call.tx, call.caller, call.path["tenantId"], first=first, last=last)
    return shown(made)
