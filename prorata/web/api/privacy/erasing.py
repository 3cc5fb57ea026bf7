"""The erasure of a tenant."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.privacy import erasing
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Answer


class TenantErasure(Answer):
    """The result of an erasure."""

    tenant_id: str
    questions: Annotated[int, Meta(description="Questions and disputes that were deleted.")]
    messages: Annotated[int, Meta(description="E-mails to the tenant of which only the PDF is kept.")]
    entries: Annotated[int, Meta(description="Audit log entries that were blanked.")]
    texts: Annotated[int, Meta(description="Notes and other texts from which the name was removed.")]
    files: Annotated[int, Meta(description="Stored files from which the name was removed, or that were deleted.")]
    kept_invoices: Annotated[int, Meta(description="Sent invoices, which are kept until `keptUntil`.")]
    kept_until: Annotated[str | None, Meta(description="Null if nothing was sent.")]


@operation(
    "POST", "/tenants/{tenantId}/erase", summary="Erase a tenant", answer=TenantErasure, missing=("tenant",),
    manages=True, conflict="The stay has not ended, an e-mail has yet to be sent, or the tenant has already been "
                           "erased.",
)  # fmt: skip
def erase_tenant(call: Call[None, None]) -> TenantErasure:
    """Erase a tenant for good, once the stay has ended, or after removal.

    Sent invoices and payments stay until the account's `keepInvoicesYears` are over.
    """
    done = erasing.erase(call.tx, call.caller, call.path["tenantId"], call.archive)
    return TenantErasure(**{name: getattr(done, name) for name in TenantErasure.__struct_fields__})
