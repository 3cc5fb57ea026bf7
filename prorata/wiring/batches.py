"""Bulks of writes: where each is done."""

from collections.abc import Callable
from functools import cache

from prorata.ports import Archive, Vault
from prorata.settings import Settings
from prorata.worker.batches import Door, batch_kind
from prorata.worker.job_kinds import Kind


def batches(settings: Settings, archive: Archive, vault: Callable[[], Vault], mail_held: str | None) -> Kind:
    """The kind of job that does them as the API does, all of which is loaded with the first."""

    @cache
    def door() -> Door:
        from prorata.actions.webhooks.webhooks import Receivers  # noqa: PLC0415 - with the first bulk
        from prorata.adapters.webhooks.post import look_up  # noqa: PLC0415 - as above
        from prorata.web.api.bulk.batched_writes import Writes  # noqa: PLC0415 - as above

        writes = Writes(archive, Receivers(vault(), look_up, settings.webhook_private), mail_held)
        return Door(writes.perform, writes.refused)

    return batch_kind(door)
