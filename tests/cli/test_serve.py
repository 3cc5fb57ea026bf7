"""Only one `prorata serve` runs per data directory, and stops without losing requests.

It has an address of its own.
"""

import ctypes
import fcntl
import os
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.certificates import certificate
from tests.cli.running import Command, Server, ended
from tests.servers import free_port

HOUSE = {
    "name": "Maple Court", "streetNumber": "12", "street": "Main St", "city": "Reno", "state": "NV", "zip": "89501",
    "country": "US",
}  # fmt: skip


def wait_until(happened: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.mark.sample
def test_a_newcomer_is_told_the_address_and_what_to_do_next(on_sqlite: Command) -> None:
    with on_sqlite.serving() as server:
        wait_until(lambda: len(server.out) >= 4)
        account, key = server.out[2].strip(), server.out[3].strip()

        assert server.url in server.out[0]
        assert account.startswith("prorata account create ")
        assert key.startswith("prorata key create ")
        assert [httpx.get(server.url + path).status_code for path in ("/health", "/ready", "/docs")] == [200] * 3
        assert server.stop() == 0


def test_that_no_mail_can_leave_is_said_at_the_start(on_sqlite: Command) -> None:
    on_sqlite.settings["PRORATA_SMTP_URL"] = "smtp://mail.example.com"
    on_sqlite.settings["PRORATA_MAIL_FROM"] = "bills@example.com"
    with on_sqlite.serving() as server:
        wait_until(lambda: "E-mail is on hold: set PRORATA_BASE_URL to the public address first" in "".join(server.out))


@pytest.mark.parametrize(
    ("base_url", "host"), [("https://bills.example.com", "127.0.0.1"), ("http://localhost:8000", "0.0.0.0")]
)
def test_nobody_opens_accounts_beyond_this_machine_where_no_mail_confirms_their_address(
    on_sqlite: Command, base_url: str, host: str
) -> None:
    on_sqlite.settings |= {"PRORATA_SIGNUP": "open", "PRORATA_BASE_URL": base_url}
    said = on_sqlite.refused("serve", "--host", host, code=2)
    assert "PRORATA_SIGNUP=open requires PRORATA_SMTP_URL" in said


def test_a_key_made_beside_a_running_server_works_and_stops_within_a_second(command: Command) -> None:
    command.account()
    with command.serving() as server:
        key = command.key()
        with server.client(key) as client:
            assert client.post("/properties", json=HOUSE).status_code == 201
            command.ok("key", "revoke", "--account", "ann@example.com", key)
            time.sleep(1)
            assert client.get("/properties").status_code == 401
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.err)


def test_a_second_server_of_a_data_directory_and_one_at_a_taken_port_are_refused(
    on_sqlite: Command, tmp_path: Path
) -> None:
    with on_sqlite.serving() as server:
        second = on_sqlite.refused("serve", "--port", str(free_port()))
        other = Command(tmp_path / "other").refused("serve", "--port", str(server.port))

        assert second.startswith("Another `prorata serve` is running on the data directory")
        assert (
            other
            == f"Port {server.port} of 127.0.0.1 can't be used: Address already in use. Choose another one with --port."
        )
        assert "running on this data directory" in on_sqlite.refused("db", "restore", __file__)
        assert httpx.get(server.url + "/health").status_code == 200


def test_several_workers_need_redis_and_share_their_counting_in_it(on_sqlite: Command, redis_url: str) -> None:
    assert "PRORATA_REDIS_URL" in on_sqlite.refused("serve", "--workers", "2", code=2)

    on_sqlite.settings |= {"PRORATA_REDIS_URL": redis_url, "PRORATA_RATE_LIMIT_PER_MINUTE": "10"}
    on_sqlite.account()
    key = on_sqlite.key()
    with on_sqlite.serving("--workers", "2") as server:
        # Two workers, what tidies up after them, and, once they answer, the background work.
        wait_until(lambda: len(server.children()) == 4)
        answers = []
        for _ in range(15):
            with server.client(key) as client:
                answers.append(client.get("/properties").status_code)
        assert sorted(answers) == [200] * 10 + [429] * 5
        assert "# TYPE" in httpx.get(server.url + "/metrics").text
        assert server.stop() == 0


def test_a_request_under_way_is_answered_before_the_server_ends(on_sqlite: Command) -> None:
    on_sqlite.account()
    key = on_sqlite.key()
    with on_sqlite.serving() as server, (on_sqlite.data / "prorata.sqlite3-lock").open("r+") as lock:
        answers: list[int] = []
        with server.client(key) as client:
            client.get("/properties")
            fcntl.flock(lock, fcntl.LOCK_EX)
            request = threading.Thread(
                target=lambda: answers.append(client.post("/properties", json=HOUSE).status_code)
            )
            request.start()
            time.sleep(0.5)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            assert server.process.poll() is None
            fcntl.flock(lock, fcntl.LOCK_UN)
            request.join()
        assert server.process.wait(30) == 0
        assert answers == [201]


def test_ctrl_c_at_a_terminal_reaches_every_process_and_ends_them_in_order(on_sqlite: Command) -> None:
    port = free_port()
    process = on_sqlite.start("serve", "--port", str(port), start_new_session=True)
    with Server(process, port, process.stdout, process.stderr) as server:
        wait_until(lambda: _starts(server) == 1)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(30) == 0
    assert "worker stopped" in "".join(server.err)
    assert "Traceback" not in "".join(server.err)


def test_a_signal_that_the_system_gives_to_any_thread_stops_the_server(on_sqlite: Command) -> None:
    with on_sqlite.serving() as server:
        wait_until(lambda: _starts(server) == 1)
        main = server.process.pid
        another = next(tid for one in Path(f"/proc/{main}/task").iterdir() if (tid := int(one.name)) != main)
        assert ctypes.CDLL(None).tgkill(main, another, signal.SIGTERM) == 0
        assert server.process.wait(30) == 0


def test_no_process_outlives_a_server_that_was_killed(command: Command) -> None:
    command.account()
    key = command.key()
    with command.serving() as server:
        with server.client(key) as client:
            assert client.post("/properties", json=HOUSE).status_code == 201
        wait_until(lambda: len(server.children()) == 3)
        children = server.children()
        server.process.kill()
        server.process.wait()

        # A process that can not end in order ends itself after 30 seconds.
        wait_until(lambda: all(ended(child) for child in children), seconds=60)
    with command.serving() as again, again.client(key) as client:
        assert client.get("/properties").json()["pagination"]["total"] == 1


def test_a_process_that_dies_is_started_again(on_sqlite: Command) -> None:
    with on_sqlite.serving() as server:
        wait_until(lambda: _starts(server) == 1)
        for child in server.children():
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)

        wait_until(lambda: _starts(server) == 2)
        wait_until(lambda: _answers(server.url + "/health"))
        assert server.stop() == 0


def _starts(server: Server) -> int:
    return "".join(server.err).count("worker started")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False


def test_with_a_certificate_the_server_speaks_tls(on_sqlite: Command) -> None:
    cert, key = certificate(on_sqlite.folder)

    assert "go together" in on_sqlite.refused("serve", "--tls-cert", cert, code=2)
    assert "must be a certificate" in on_sqlite.refused("serve", "--tls-cert", key, "--tls-key", cert)
    with on_sqlite.serving("--tls-cert", cert, "--tls-key", key) as server:
        url = f"https://127.0.0.1:{server.port}"
        assert url in server.out[0]
        trusted = ssl.create_default_context(cafile=str(cert))
        assert httpx.get(url + "/health", verify=trusted).status_code == 200
        assert server.stop() == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host", "no.such.host.invalid"), "not an address of this machine"),
        (("--host", "192.0.2.1"), "can't be used"),
    ],
)
def test_an_address_that_is_not_ours_is_refused(on_sqlite: Command, options: tuple[str, ...], said: str) -> None:
    on_sqlite.settings["PRORATA_BASE_URL"] = "https://bills.example.com"
    assert said in on_sqlite.refused("serve", "--port", str(free_port()), *options)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "bills.example.com"])
def test_who_lets_others_in_says_at_which_address_they_find_the_server(on_sqlite: Command, host: str) -> None:
    said = on_sqlite.refused("serve", "--port", str(free_port()), "--host", host, code=2)
    assert f"--host {host} accepts connections from other machines, so set PRORATA_BASE_URL" in said


def test_a_server_that_others_find_answers_under_its_public_name_and_says_it(on_sqlite: Command) -> None:
    (on_sqlite.folder / ".env").write_text("PRORATA_BASE_URL=http://127.0.0.1:8000\n")
    with on_sqlite.serving("--host", "0.0.0.0") as server:
        assert server.url in server.out[0]
        assert httpx.get(server.url + "/docs").status_code == 200
        assert server.stop() == 0
    on_sqlite.settings["PRORATA_BASE_URL"] = "https://bills.example.com"
    with on_sqlite.serving("--host", "0.0.0.0") as server:
        assert "Prorata is at https://bills.example.com," in server.out[0]
        assert httpx.get(server.url + "/docs").status_code == 400
        assert httpx.get(server.url + "/docs", headers={"Host": "bills.example.com"}).status_code == 200
        assert httpx.get(server.url + "/health").status_code == 200


def test_the_server_listens_on_ipv6_too(on_sqlite: Command) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with on_sqlite.serving("--host", "::1") as server:
        assert httpx.get(f"http://[::1]:{server.port}/health").status_code == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PRORATA_SMTP_URL", "imap://user:secret-of-mine@mail.example.com"),
        ("PRORATA_MAIL_FROM", "Bills <bills@example.com>"),
    ],
)
def test_mail_settings_that_cannot_be_used_are_refused_before_anything_is_served(
    on_sqlite: Command, name: str, value: str
) -> None:
    on_sqlite.settings[name] = value
    said = on_sqlite.refused("serve", "--port", str(free_port()))
    assert said.startswith(name)
    assert "secret-of-mine" not in said
