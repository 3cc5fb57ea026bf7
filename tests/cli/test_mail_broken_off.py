"""A message is tried again at once after a stop while the server was silent.

A kill has the same effect. The next process to run tries the message.
"""

import os
import signal
import socket
from collections.abc import Callable
from contextlib import closing

import pytest

from tests.cli.running import Command, Server, children_of, ended
from tests.cli.test_mail_command import BILLS, HOUSE
from tests.cli.test_serve import wait_until
from tests.smtp_server import Behaviour, SmtpServer


def stop(server: Server) -> None:
    assert server.stop() == 0


def kill(server: Server) -> None:
    processes = [server.process.pid, *server.children()]
    processes += [grandchild for child in server.children() for grandchild in children_of(child)]
    for pid in processes:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: all(ended(pid) for pid in processes))


@pytest.mark.parametrize("ends", [stop, kill])
def test_a_message_that_no_server_had_begun_to_take_leaves_at_once_after_a_restart(
    on_sqlite: Command, ends: Callable[[Server], None]
) -> None:
    on_sqlite.account()
    key = on_sqlite.key()
    bills = on_sqlite.folder / "bills.csv"
    bills.write_text(BILLS, encoding="utf-8")
    on_sqlite.settings["PRORATA_MAIL_FROM"] = "bills@example.com"
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        on_sqlite.settings["PRORATA_SMTP_URL"] = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        with on_sqlite.serving() as server, server.client(key) as client:
            house = client.post("/properties", json=HOUSE).json()
            unit = client.post(f"/properties/{house['id']}/units", json={"label": "1"}).json()
            client.post(f"/units/{unit['id']}/tenants", json={"name": "Zoe", "email": "zoe@example.org"})
            on_sqlite.ok("bills", "import", bills, "--account", "ann@example.com")
            (invoice,) = client.get("/invoices").json()["data"]
            client.patch(f"/invoices/{invoice['id']}", json={"status": "SENT"})
            with closing(silent.accept()[0]):
                ends(server)
    with SmtpServer(Behaviour()) as mail:
        on_sqlite.settings["PRORATA_SMTP_URL"] = f"smtp://127.0.0.1:{mail.port}"
        with on_sqlite.serving():
            wait_until(lambda: len(mail.taken) == 1)
    assert on_sqlite.ok("check") == "No problems were found in the stored data."
