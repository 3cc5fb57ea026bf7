"""The code in docs/guides runs as shown, and does what the guides say.

The guides show the code in curl, Python and TypeScript.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from prorata import wiring
from prorata.settings import read_settings
from prorata.store.accounts import accounts
from prorata.store.webhooks import event_feed
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.cli.running import free_port
from tests.clients.conftest import ROOT, Running, ran
from tests.clients.test_generators import COMPILER
from tests.clients.test_python_client import made

GUIDES = {file.stem: file.read_text() for file in sorted((ROOT / "docs" / "guides").glob("*.md"))}
LANGUAGES = {"sh": "curl", "python": "Python", "ts": "TypeScript"}
PATIENCE = 20


def shown(guide: str, language: str) -> str:
    """Return the code that a guide shows in a language, as one program."""
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", GUIDES[guide], re.DOTALL | re.MULTILINE))


def test_each_guide_is_there_in_each_language_and_linked_from_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text()
    for guide, text in GUIDES.items():
        assert re.findall(r"^## (.*)", text, re.MULTILINE) == [*LANGUAGES.values()]
        assert all(shown(guide, language) for language in LANGUAGES)
        assert f"guides/{guide}.md" in index


@pytest.fixture(scope="module")
def account(running: Running) -> Running:
    """An account that only the guides use."""
    running.command.account("me@example.com")
    return running._replace(key=running.command.key("me@example.com"))


def environment(account: Running, **more: str) -> dict[str, str]:
    return {"PRORATA_URL": account.url, "PRORATA_KEY": account.key, **more}


def in_curl(guide: str, account: Running, folder: Path) -> str:
    return ran(["bash", "-c", "set -eu\n" + shown(guide, "sh")], folder, **environment(account))


def in_python(guide: str, account: Running, folder: Path, client: Path) -> str:
    (folder / "program.py").write_text(shown(guide, "python"))
    return ran([sys.executable, "program.py"], folder, **environment(account, PYTHONPATH=str(client)))


@pytest.mark.thorough
def test_what_the_guides_show_in_python_is_typed(python_client: Path) -> None:
    for guide in GUIDES:
        (python_client / f"{guide.replace('-', '_')}.py").write_text(shown(guide, "python"))
    ran([sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", *(f"{one.replace('-', '_')}.py" for one in GUIDES)],
        python_client)  # fmt: skip


@pytest.fixture(scope="module")
def in_typescript(typescript_client: Path) -> Callable[..., list[Any]]:
    """A function that prepares a guide's TypeScript code in a folder.

    It returns the command that runs the code.
    """
    for guide in GUIDES:
        (typescript_client / f"{guide}.ts").write_text(shown(guide, "ts"))
    (typescript_client / "tsconfig.json").write_text(json.dumps(COMPILER))
    ran([typescript_client / "node_modules" / ".bin" / "tsc", "-p", "."], typescript_client)

    def command(guide: str, folder: Path, **replaced: str) -> list[Any]:
        program = (typescript_client / "out" / f"{guide}.js").read_text()
        for before, after in replaced.items():
            program = program.replace(before.removeprefix("_"), after)
        (folder / "program.js").write_text(program)
        (folder / "package.json").write_text('{"type": "module"}')
        if not (folder / "node_modules").exists():
            (folder / "node_modules").symlink_to(typescript_client / "node_modules")
        return ["node", "program.js"]

    return command


@pytest.fixture
def alone(running: Running, prorata_client: Any, request: pytest.FixtureRequest) -> Iterator[tuple[Running, Any]]:
    """An account without records, and a client for it."""
    email = f"{request.node.name}@example.com"
    running.command.account(email)
    account = running._replace(key=running.command.key(email, "ADMIN"), email=email)
    with prorata_client.Prorata(account.url, account.key) as prorata:
        yield account, prorata


@pytest.fixture
def synced(alone: tuple[Running, Any]) -> tuple[Running, Any, str]:
    """An account with a house, a client for it, and the id of the house."""
    return (*alone, made(alone[1]))


# --- bill from your own system -----------------------------------------------------------------------------------------

TWICE = "flagged: Bill number 4711 from Aqua Water Co. has already been added: dated 2026-03-14, for $130.00."
BILLED = ["would bill 130.00 in 2026-03", TWICE, "Ann Smith 85.00 PAID", "Bo Chen 45.00 PAID"]
"""In an account that has the bill already, in another house."""


PDF = facts_of("en-US", 3, kinds="WATER", story="plain")
READ = f"a bill of {PDF.total / 100:.2f}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that contains a bill."""
    (tmp_path / "bill.pdf").write_bytes(printed(PDF, next(one for one in LAYOUTS if one.locale == "en-US")))
    return tmp_path


def with_the_bill(synced: tuple[Running, Any, str]) -> Running:
    """The account, with a bill that has the number of the guide's bill."""
    account, prorata, house = synced
    prorata.create_bill(house, {"issuerName": "Aqua Water Co.", "totalAmountDue": "130.00", "billDate": "2026-03-14",
                                "billNumber": "4711", "lines": [{"utilityType": "WATER", "amount": "130.00"}]})  # fmt: skip
    return account


def told(said: str) -> list[str]:
    """Return a program's output without the month's checks and the total's certainty."""
    return [line for line in said.splitlines() if not line.startswith(("to look at", "good to know", "total "))]


@pytest.mark.thorough
def test_bills_are_sent_and_paid_by_curl(account: Running, with_curl: None, folder: Path) -> None:
    for _ in range(2):  # it may run again
        said = in_curl("bill-from-your-own-system", account, folder)
        assert said.splitlines()[-2:] == ["PAID", READ.removeprefix("a bill of ")]


@pytest.mark.thorough
def test_bills_are_sent_and_paid_by_python(synced: tuple[Running, Any, str], folder: Path, python_client: Path) -> None:
    said = in_python("bill-from-your-own-system", with_the_bill(synced), folder, python_client)
    assert told(said) == [*BILLED, READ]
    again = in_python("bill-from-your-own-system", synced[0], folder, python_client)
    assert again.splitlines()[-1] == READ


@pytest.mark.soak
def test_bills_are_sent_and_paid_by_typescript(
    synced: tuple[Running, Any, str], folder: Path, in_typescript: Any
) -> None:
    said = ran(in_typescript("bill-from-your-own-system", folder), folder, **environment(with_the_bill(synced)))
    assert told(said) == [*BILLED, READ]


# --- sync an account ---------------------------------------------------------------------------------------------------


LEFT = {"name": "Lee Gone", "moveInDate": "2025-01-01", "moveOutDate": "2025-06-30"}
"""A tenant whose stay has ended, erased by the next change."""


def change(account: Running, prorata: Any, house: str) -> None:
    """Make changes after the first sync, including an erasure.

    Then wait until the events of the changes are counted.
    """
    first = next(prorata.list_units(house))
    prorata.change_unit(first["id"], {"label": f"Attic {uuid4()}"})
    prorata.create_unit(house, {"label": f"{uuid4()}"})
    gone = made(prorata)
    pay(prorata, gone)
    prorata.delete_property(gone)
    invoice_id, earlier = pay(prorata, house)
    prorata.reverse_payment(invoice_id, earlier)
    for tenant in prorata.list_all_tenants():
        if tenant["name"] == LEFT["name"]:
            account.command.ok("tenant", "erase", tenant["id"], "--account", account.email)
    prorata.create_tenant(first["id"], LEFT)
    prorata.create_bill(house, {"issuerName": "Aqua", "totalAmountDue": "13.00", "billDate": "2026-04-14",
                                "lines": [{"utilityType": "WATER", "amount": "13.00"}]})  # fmt: skip
    deadline, last = time.monotonic() + PATIENCE, -1
    while True:  # until no more events come
        now = prorata.call("GET", "/events", query={"limit": 1})["lastSequence"]
        if now == last and now > 0:
            return
        assert time.monotonic() < deadline
        last = now
        time.sleep(2)


def pay(prorata: Any, house: str) -> tuple[str, str]:
    """Record a payment for an invoice of a house, and return the ids of both."""
    (invoice_id, *_) = [one["id"] for one in prorata.list_invoices(property_id=house) if one["tenantName"]]
    return invoice_id, prorata.create_payment(invoice_id, {"amount": "1.00", "date": "2026-03-20", "method": "CASH"})[
        "id"
    ]


def forget_events(account: Running) -> None:
    """Forget all events, as Prorata does after 30 days."""
    settings = read_settings(account.command.settings, account.command.folder / "no.env")
    with wiring.opened(settings) as database:
        database.write(lambda tx: [event_feed.forget(tx, one.id, "evt_z") for one in accounts.everyone(tx)])


def truth(prorata: Any) -> dict[str, Any]:
    """Every record of the account, by its id."""
    lists = [prorata.list_properties(), prorata.list_all_units(include_inactive=True), prorata.list_all_tenants(),
             prorata.list_utility_bills(), prorata.list_invoices(details=True), prorata.list_all_payments()]  # fmt: skip
    return {key_of(one): json.loads(json.dumps(one, default=str)) for records in lists for one in records}


def key_of(record: Any) -> str:
    return f"{record['id']} {record['invoiceId']}" if "invoiceId" in record else str(record["id"])


def assert_same(copied: dict[str, Any], prorata: Any) -> None:
    """Check that the copy has exactly the records of the account.

    The fields for which the API shows the same values must be equal, too.
    """
    records = truth(prorata)
    assert set(copied) == set(records)
    for one, record in records.items():
        for name in ("label", "name", "totalAmount", "charges", "issuerName", "amount", "isReversed"):
            assert copied[one].get(name) == record.get(name), (name, copied[one])


@pytest.mark.thorough
def test_a_copy_in_python_is_kept_in_step(
    synced: tuple[Running, Any, str], tmp_path: Path, python_client: Path
) -> None:
    account, prorata, house = synced
    other = made(prorata)
    pay(prorata, other)
    said = in_python("sync-an-account", account, tmp_path, python_client)
    assert "('invoice', 4) ('payment', 1) ('property', 2) ('tenant', 2) ('unit', 4)" in said
    prorata.delete_property(other)
    change(account, prorata, house)
    in_python("sync-an-account", account, tmp_path, python_client)
    assert_same(kept_in_sqlite(tmp_path), prorata)
    change(account, prorata, house)
    forget_events(account)
    prorata.delete_unit(prorata.create_unit(house, {"label": "1D"})["id"])
    in_python("sync-an-account", account, tmp_path, python_client)
    assert_same(kept_in_sqlite(tmp_path), prorata)


def kept_in_sqlite(folder: Path) -> dict[str, Any]:
    rows = sqlite3.connect(folder / "copy.sqlite3").execute("select id, content from record").fetchall()
    return {one: json.loads(content) for one, content in rows}


@pytest.mark.soak
def test_a_copy_in_typescript_is_kept_in_step(
    synced: tuple[Running, Any, str], tmp_path: Path, in_typescript: Any
) -> None:
    account, prorata, house = synced
    for _ in range(2):
        ran(in_typescript("sync-an-account", tmp_path), tmp_path, **environment(account))
        change(account, prorata, house)
        for unit in prorata.list_units(house):
            prorata.change_unit(unit["id"], {"bedrooms": 2})
        house = made(prorata)
    time.sleep(3)
    ran(in_typescript("sync-an-account", tmp_path), tmp_path, **environment(account))
    rows = json.loads((tmp_path / "copy.json").read_text())["rows"]
    assert_same({one: row["content"] for one, row in rows.items()}, prorata)


@pytest.mark.thorough
def test_a_copy_by_curl_has_every_record_and_then_every_event(
    synced: tuple[Running, Any, str], with_curl: None, tmp_path: Path
) -> None:
    account, prorata, house = synced
    change(account, prorata, house)
    in_curl("sync-an-account", account, tmp_path)
    lines = [
        json.loads(line)
        for file in tmp_path.glob("*.jsonl")
        if file.stem != "events"
        for line in file.read_text().splitlines()
    ]
    rules = {one["id"] for one in prorata.list_all_share_rules()}
    assert {key_of(one) for line in lines for one in line["data"]} == {*truth(prorata), *rules}
    (tmp_path / "place").write_text("0")
    only_events = shown("sync-an-account", "sh").partition("while get")
    ran(
        ["bash", "-c", only_events[0].partition("\n\n")[0] + "\nwhile get" + only_events[2]],
        tmp_path,
        **environment(account),
    )
    told = [
        one["sequence"]
        for line in (tmp_path / "events.jsonl").read_text().splitlines()
        for one in json.loads(line)["data"]
    ]
    assert told[-1] == int((tmp_path / "place").read_text()) >= 10
    assert sorted(set(told)) == [*range(1, told[-1] + 1)]


# --- receive webhooks --------------------------------------------------------------------------------------------------


@contextmanager
def receiving(command: list[Any], folder: Path, **environment: str) -> Iterator[list[str]]:
    """Run a receiver, and yield a list for the lines that it prints.

    At the end of the block, wait until the receiver prints the expected draft, and fill the list.
    """
    with (folder / "said").open("w") as said:
        process = subprocess.Popen([*map(str, command)], cwd=folder, stdout=said, stderr=subprocess.STDOUT,
                                   env={**os.environ, **environment})  # fmt: skip
        try:
            lines: list[str] = []
            yield lines
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline and "a draft of 85.05" not in lines:
                time.sleep(0.2)
                lines[:] = (folder / "said").read_text().splitlines()
        finally:
            process.terminate()
            process.wait()


def assert_received(alone: tuple[Running, Any], folder: Path, port: int, receiver: list[Any], **more: str) -> None:
    account, prorata = alone
    add, look = re.findall(r"^```sh\n(.*?)^```", GUIDES["receive-webhooks"], re.DOTALL | re.MULTILINE)
    script = "set -eu\n" + add.replace("127.0.0.1:9000", f"127.0.0.1:{port}") + "read -r go\n" + look
    with subprocess.Popen(["bash", "-c", script], cwd=folder, stdin=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL,
                          env={**os.environ, **environment(account)}) as by_curl:  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while not (secret := (folder / "secret").read_text().strip() if (folder / "secret").exists() else ""):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        with receiving(receiver, folder, PRORATA_WEBHOOK_SECRET=secret, **more) as lines:
            assert refusal(port) == 400
            made(prorata)
        assert {"property.created", "a draft of 85.05"} <= set(lines), lines
        by_curl.communicate("go\n", PATIENCE)
    assert by_curl.returncode == 0
    assert [one["state"] for one in json.loads((folder / "deliveries").read_text())["data"]][-1:] == ["delivered"]


def refusal(port: int) -> int:
    """Return the status of the receiver's response to an unsigned message, once it listens."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return httpx.post(f"http://127.0.0.1:{port}/", content=b"{}").status_code
        except httpx.ConnectError:
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.thorough
def test_a_receiver_in_python_hears_of_drafts(
    alone: tuple[Running, Any], with_curl: None, tmp_path: Path, python_client: Path
) -> None:
    port = free_port()
    (tmp_path / "program.py").write_text(shown("receive-webhooks", "python").replace("9000", str(port)))
    command = [sys.executable, "program.py"]
    assert_received(alone, tmp_path, port, command, PYTHONPATH=str(python_client))


@pytest.mark.soak
def test_a_receiver_in_typescript_hears_of_drafts(
    alone: tuple[Running, Any], tmp_path: Path, in_typescript: Any
) -> None:
    port = free_port()
    assert_received(alone, tmp_path, port, in_typescript("receive-webhooks", tmp_path, _9000=str(port)))
