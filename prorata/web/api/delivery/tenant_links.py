"""Links to tenants' pages, which need no sign-in: reading, stopping and renewing."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.delivery import tenant_pages
from prorata.actions.invoices import tenant_links
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Answer, Day

_LINK, _KIND = "/invoices/{id}/tenant-link", ("invoice",)


class TenantPageLink(Answer):
    """The address of the tenant's page for an invoice."""

    url: Annotated[str | None, Meta(description="null where it is not sent, is nobody's, or its links are stopped.")]
    until: Annotated[Day | None, Meta(description="The last day on which this link works.")]
    is_stopped: bool


def _read(call: Call[None, None]) -> TenantPageLink:
    links = tenant_pages.links(call.tx, call.caller, call.path["id"])
    maker = call.tools.tenant_links if call.tools else None
    if links.link is None or maker is None:
        return TenantPageLink(url=None, until=None, is_stopped=links.is_stopped)
    return TenantPageLink(url=maker.url(links.link), until=links.link.until.isoformat(), is_stopped=links.is_stopped)


@operation(
    "GET", _LINK, summary="Read the tenant's link", answer=TenantPageLink, missing=_KIND, at_once=True,
    gives_access=True,
)  # fmt: skip
def read_tenant_link(call: Call[None, None]) -> TenantPageLink:
    """Read the address of the tenant's page for an invoice.

    The page needs no sign-in, and anybody who opens it can write to you in the tenant's name, so give the address
    only to the tenant.
    """
    return _read(call)


@operation(
    "POST", _LINK + "/renew", summary="Make a new link for the tenant", answer=TenantPageLink, status=200,
    missing=_KIND, conflict="The maximum number of links has already been created for this invoice.",
)  # fmt: skip
def renew_tenant_link(call: Call[None, None]) -> TenantPageLink:
    """Create a new link to the tenant's page of an invoice; earlier links stop working."""
    tenant_links.renew(call.tx, call.caller, call.path["id"])
    return _read(call)


@operation("POST", _LINK + "/stop", summary="Stop the tenant's links", answer=TenantPageLink, status=200, missing=_KIND)
def stop_tenant_link(call: Call[None, None]) -> TenantPageLink:
    """Stop all links to the tenant's page of an invoice.

    The page can't be opened until you create a new link.
    """
    tenant_links.stop(call.tx, call.caller, call.path["id"])
    return _read(call)
