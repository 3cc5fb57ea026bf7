"""Bulks of writes: where each is done."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from prorata.ports import Archive, Vault
from prorata.settings import Settings
from prorata.worker.batches import Door, batch_kind
from prorata.worker.job_kinds import Kind

if TYPE_CHECKING:
    from prorata.actions.accounts.api_keys import KeyHasher


def batches(
    settings: Settings,
    archive: Archive,
    vault: Callable[[], Vault],
    hasher: Callable[[], "KeyHasher"],
    mail_held: str | None,
) -> Kind:
    """The kind of job that does them as the API does, all of which is loaded with the first."""

    @cache
    def door() -> Door:
        from prorata.actions.webhooks.webhooks import Receivers  # noqa: PLC0415 - with the first bulk
        from prorata.adapters.webhooks.post import look_up  # noqa: PLC0415 - as above
        from prorata.web.api.bulk.batched_writes import Writes  # noqa: PLC0415 - as above

        receivers = Receivers(vault(), look_up, settings.webhook_private)
        writes = Writes(archive, receivers, hasher(), mail_held)
        return Door(writes.perform, writes.refused)

    return batch_kind(door)
