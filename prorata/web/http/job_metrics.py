"""The numbers of waiting and failed background jobs for /metrics.

Jobs are counted in the database on each request, because any process may do the work.
"""

from collections.abc import Iterable, Sequence

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from prorata.actions.jobs import jobs
from prorata.actions.jobs.jobs import KindInNumbers
from prorata.errors import Unavailable
from prorata.store.database.engine import Database
from prorata.store.jobs import outbound_hold

_log = structlog.stdlib.get_logger("prorata.web")


def jobs_in_numbers(database: Database) -> bytes:
    """Return the metrics of background jobs as text in Prometheus' format.

    The text is empty while the database doesn't respond, so that the other metrics can still be read.
    """
    try:
        kinds, held = database.read(lambda tx: (jobs.in_numbers(tx), outbound_hold.found(tx) is not None))
    except Unavailable as gone:
        _log.warning("jobs could not be counted", why=gone.message)
        return b""
    registry = CollectorRegistry()
    registry.register(_Counted(kinds, held=held))
    return generate_latest(registry)


class _Counted(Collector):
    def __init__(self, kinds: Sequence[KindInNumbers], *, held: bool) -> None:
        self._kinds = kinds
        self._held = held

    def collect(self) -> Iterable[Metric]:
        """Return four metrics by kind of job, and one that states whether jobs are held."""
        waiting = GaugeMetricFamily("prorata_jobs_waiting", "Jobs that wait to be done", labels=("kind",))
        oldest = GaugeMetricFamily(
            "prorata_jobs_oldest_seconds", "Since when the first of them is due", labels=("kind",)
        )
        failed = GaugeMetricFamily("prorata_jobs_failed", "Jobs that failed and wait for a person", labels=("kind",))
        tries = CounterMetricFamily("prorata_job_failed_tries", "Tries of jobs that failed", labels=("kind",))
        for kind in self._kinds:
            waiting.add_metric([kind.kind], kind.waiting)
            oldest.add_metric([kind.kind], kind.oldest_seconds)
            failed.add_metric([kind.kind], kind.failed)
            tries.add_metric([kind.kind], kind.failed_tries)
        held = GaugeMetricFamily(
            "prorata_jobs_held", "Whether jobs that contact other systems are on hold", value=self._held
        )
        return [waiting, oldest, failed, tries, held]
