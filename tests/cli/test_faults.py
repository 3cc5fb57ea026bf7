"""A killed process leaves all of an import or none of it.

Every acknowledged write remains.
"""

import threading
import time

import httpx

from prorata.actions.accounts import accounts
from prorata.store.bills import bills as stored_bills
from prorata.store.database.engine import Tx
from tests.cli.running import Command, ended
from tests.cli.seeding import database_at, seed, write_bills
from tests.cli.test_serve import HOUSE, wait_until

EMAIL = "ann@example.com"
BILLS = 1_500
KILLS = 6


def count_bills(url: str) -> int:
    def work(tx: Tx) -> int:
        account = accounts.find_account(tx, EMAIL)
        rows = stored_bills.page(tx, account.id, limit=10 * BILLS, offset=0, total=10 * BILLS)
        assert len(rows) == account.bill_count
        return len(rows)

    with database_at(url) as database:
        return database.read(work)


def test_an_import_that_is_killed_at_any_moment_leaves_nothing_and_can_be_run_again(command: Command, url: str) -> None:
    command.account()
    seed(url, EMAIL, number=50, units=8)
    sample = write_bills(command.folder / "sample.csv", number=50, of_properties=50)
    began = time.monotonic()
    assert command.run_anew("bills", "import", sample, "--account", EMAIL, "--dry-run").code == 0
    begins_to_write = time.monotonic() - began
    file = write_bills(command.folder / "bills.csv", number=BILLS, of_properties=50)

    finished = 0
    for kill in range(KILLS):
        process = command.start("bills", "import", file, "--account", EMAIL)
        time.sleep(begins_to_write * (0.7 + 0.25 * kill))
        process.kill()
        process.communicate()
        found = count_bills(url)
        assert found in {0, BILLS}, f"killed after {kill}: a part of the file was written"
        finished += found == BILLS
        if finished:
            break

    command.ok("bills", "import", file, "--account", EMAIL)
    assert count_bills(url) == BILLS
    assert command.ok("check") == "No problems were found in the stored data."


def test_no_write_that_was_acknowledged_is_lost_when_the_server_is_killed(command: Command, url: str) -> None:
    command.settings |= {"PRORATA_RATE_LIMIT_PER_MINUTE": "100000", "PRORATA_RATE_LIMIT_PER_HOUR": "100000"}
    command.account()
    key = command.key()
    acknowledged: list[str] = []

    def write_on(client: httpx.Client, name: str) -> None:
        number = 0
        try:
            while True:
                answer = client.post("/properties", json=HOUSE | {"name": f"{name} {number}"})
                assert answer.status_code == 201, answer.text
                acknowledged.append(answer.json()["id"])
                number += 1
        except httpx.TransportError:
            return

    for _ in range(2):
        with command.serving() as server, server.client(key) as one, server.client(key) as other:
            already = len(acknowledged)
            writers = [
                threading.Thread(target=write_on, args=(client, name)) for client, name in ((one, "A"), (other, "B"))
            ]
            for writer in writers:
                writer.start()
            wait_until(lambda least=already + 20: len(acknowledged) >= least)  # type: ignore[misc]
            children = server.children()
            server.process.kill()
            server.process.wait()
            wait_until(lambda those=children: all(ended(child) for child in those))  # type: ignore[misc]
            for writer in writers:
                writer.join()

    with command.serving() as server, server.client(key) as client:
        found = {
            each["id"]
            for page in range(1, 100)
            for each in client.get("/properties", params={"page": page, "limit": 100}).json()["data"]
        }
    assert set(acknowledged) <= found
    assert command.ok("check") == "No problems were found in the stored data."
