"""The export and the erasure of a tenant's personal data."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.privacy import erasing, exporting
from prorata.actions.privacy.read_files import ReadFiles, read_files
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database
from prorata.web.http.operations import FILE, Call, Tools, operation
from prorata.web.http.response_schemas import Answer
from prorata.web.http.sent_files import FileAnswer


class TenantErasure(Answer):
    """The numbers of a tenant's records that an erasure deleted, changed or kept."""

    tenant_id: str
    questions: Annotated[int, Meta(description="Questions and disputes that were deleted.")]
    messages: Annotated[int, Meta(description="E-mails to the tenant of which only the PDF is kept.")]
    entries: Annotated[int, Meta(description="Audit log entries that were blanked.")]
    texts: Annotated[int, Meta(description="Notes and other texts from which the name was removed.")]
    files: Annotated[int, Meta(description="Stored files from which the name was removed, or that were deleted.")]
    kept_invoices: Annotated[int, Meta(description="Sent invoices, which are kept until `keptUntil`.")]
    kept_until: Annotated[str | None, Meta(description="Null if nothing was sent.")]
    unsearched: Annotated[
        list[str], Meta(description="Ids of the records with a file or e-mail that could not be searched, and stays.")
    ]


@operation(
    "GET", "/tenants/{tenantId}/personal-data", is_long=True, summary="Export a tenant's personal data", media=FILE,
    missing=("tenant",), manages=True, needs_every_scope=True,
)  # fmt: skip
def export_personal_data(call: Call[None, None]) -> FileAnswer:
    """Export everything stored about a tenant as a ZIP file.

    This also works for a tenant who has left or was removed. The file does not name any neighbors.
    """
    assert call.tools is not None, "operations are served with their tools"
    files = exporting.files_of(call.tx, call.caller, call.path["tenantId"], call.tools.printer)
    return FileAnswer(f"{call.path['tenantId']}.zip", b"".join(call.tools.pack(files)))


def _read_files(database: Database, caller: Caller, path: dict[str, str], tools: Tools) -> ReadFiles:
    return read_files(database, caller, path["tenantId"], tools.named_files)


@operation(
    "POST", "/tenants/{tenantId}/erase", summary="Erase a tenant", answer=TenantErasure, missing=("tenant",),
    manages=True, needs_every_scope=True, looks_up=_read_files,
    conflict="The stay has not ended, an e-mail is still to be sent or read, or the tenant was erased already.",
)  # fmt: skip
def erase_tenant(call: Call[None, None]) -> TenantErasure:
    """Erase a tenant's data for good, after the tenant has moved out or was removed.

    Sent invoices and payments are kept until the account's `keepInvoicesYears` have passed.
    """
    done = erasing.erase(call.tx, call.caller, call.path["tenantId"], call.archive, call.looked_up)
    counted = {name: getattr(done, name) for name in TenantErasure.__struct_fields__}
    return TenantErasure(**counted | {"unsearched": list(done.unsearched)})
