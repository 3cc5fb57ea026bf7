"""The creation of the kind of job that does batches of writes."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from prorata.worker.batches import Door, batch_kind
from prorata.worker.job_kinds import Kind

if TYPE_CHECKING:
    from prorata.web.dashboard.kernel.pages import Outside


def batches(outside: Callable[[], "Outside"]) -> Kind:
    """Make the kind of job that does a batch's writes as the API does.

    The API and the tools from `outside` are loaded with the first such job.
    """

    @cache
    def door() -> Door:
        from prorata.web.api.bulk.batched_writes import Writes  # noqa: PLC0415 - with the first bulk
        from prorata.web.app import tools_of  # noqa: PLC0415 - as above

        used = outside()
        writes = Writes(
            used.archive, used.receivers, used.hasher, used.mail_held, tools_of(used), used.job_kinds
        )  # fmt: skip
        return Door(writes.perform, writes.refused)

    return batch_kind(door)
