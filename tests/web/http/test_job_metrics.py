"""/metrics shows the state of background work, whichever process answers.

The process reads that state from the database.
"""

from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families

from prorata.actions.jobs import jobs, runs as job_runs
from prorata.actions.jobs.runs import Terms
from prorata.domain.jobs.backoff import Backoff
from prorata.store import migrations
from prorata.store.jobs import outbound_hold
from tests.servers import PostgresServer
from tests.web.conftest import House, build_house

TERMS = Terms(lease=60, attempts=2, backoff=Backoff(3600, 1, 3600))


def jobs_of(house: House) -> dict[tuple[str, str], float]:
    answer = house.client.get("/metrics")
    assert answer.status_code == 200
    return {
        (sample.name, sample.labels.get("kind", "")): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if sample.name.startswith("prorata_job")
    }


def test_metrics_count_the_jobs_that_wait_and_those_that_failed_by_kind(house: House) -> None:
    def queue_some(tx):
        for account in (house.landlord.account_id, house.stranger.account_id):
            jobs.enqueue(tx, account, "mail", {}, due_at=tx.moment - timedelta(seconds=90))
        jobs.enqueue(tx, house.landlord.account_id, "pdf", {}, due_at=tx.moment + timedelta(hours=1))

    def try_two(tx):
        first, second = job_runs.claim(tx, "mail", TERMS, places=2, after=None).taken
        job_runs.refuse(tx, first, "No.")
        job_runs.fail(tx, second, TERMS, "Not now.", chance=0.5)

    assert jobs_of(house) == {("prorata_jobs_held", ""): 0}
    house.database.write(queue_some)
    seen = jobs_of(house)
    assert seen["prorata_jobs_waiting", "mail"] == 2
    assert 90 <= seen["prorata_jobs_oldest_seconds", "mail"] < 91
    assert (seen["prorata_jobs_waiting", "pdf"], seen["prorata_jobs_oldest_seconds", "pdf"]) == (1, 0)
    house.database.write(try_two)
    house.database.write(lambda tx: outbound_hold.hold_outside_jobs(tx, "of a test"))
    seen = jobs_of(house)
    assert seen["prorata_jobs_waiting", "mail"] == 1
    assert seen["prorata_jobs_oldest_seconds", "mail"] == 0
    assert seen["prorata_jobs_failed", "mail"] == 1
    assert seen["prorata_job_failed_tries_total", "mail"] == 2
    assert seen["prorata_jobs_held", ""] == 1


@pytest.mark.thorough
def test_metrics_of_requests_are_answered_while_the_database_is_gone() -> None:
    with PostgresServer() as own:
        url = own.create_database("metrics")
        migrations.upgrade(url)
        house = build_house(url)
        with house.live():
            assert jobs_of(house) == {("prorata_jobs_held", ""): 0}
            own.stop()
            assert jobs_of(house) == {}
