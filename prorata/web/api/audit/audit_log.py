"""The read-only audit log: who changed what, secured by a hash chain (docs/audit-log.md)."""

from msgspec import Raw

from prorata.actions.audit import log as audit_log
from prorata.actions.audit.log import LogEntry, Wish
from prorata.web.api.audit.audit_schemas import AuditEntry, AuditLog, ChainPlace
from prorata.web.api.audit.changed_fields import changed_fields
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import AuditLogQuery, given


def _as_stored(text: str | None) -> Raw | None:
    """Wrap recorded JSON without parsing it, because the hash chain covers its exact bytes."""
    return None if text is None else Raw(text.encode())


def _entry(entry: LogEntry) -> AuditEntry:
    row, link = entry.row, entry.link
    place = ChainPlace(number=link.number, salt=link.salt, contents=link.contents, hash=link.hash) if link else None
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor=row.actor,
        actor_name=entry.shown.actor_name,
        action=row.verb,
        says=entry.shown.says,
        record_id=row.record_id,
        property_id=row.property_id,
        changes=list(changed_fields(row.record_id, row.before, row.after)),
        before=_as_stored(row.before),
        after=_as_stored(row.after),
        chain=place,
    )


@operation("GET", "/audit-log", at_once=True, summary="Read the audit log", query=AuditLogQuery, answer=AuditLog)
def list_audit_log(call: Call[AuditLogQuery, None]) -> AuditLog:
    """List the changes in your account, newest first, with the values before and after.

    Each entry names who made the change, and the changed record. To read further entries, pass `next` of the
    answer as `before`, until `next` is null.
    """
    query = call.query
    wish = Wish(*map(given, (query.record_id, query.property_id, query.actor, query.type)))
    log_page = audit_log.page(call.tx, call.caller, wish, limit=query.limit, before=given(query.before))
    return AuditLog(data=[_entry(entry) for entry in log_page.entries], next=log_page.further)
