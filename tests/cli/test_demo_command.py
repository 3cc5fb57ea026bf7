"""`prorata demo` makes an account with a year of data in one command.

The second run shows the same account.
"""

import shlex
import subprocess

import httpx

from tests.cli.running import Command, Server
from tests.cli.test_serve import wait_until
from tests.servers import free_port


def demo(command: Command) -> Server:
    port = free_port()
    process = command.start("demo", "--port", str(port))
    return Server(process, port, process.stdout, process.stderr)


def printed(server: Server, name: str) -> str:
    """Return the text after a name in the demo's output."""
    return next(line.partition(":")[2].strip() for line in server.out if line.startswith(name))


def test_the_demo_prints_a_key_and_a_curl_line_that_work_again_the_second_time_and_nothing_behind_them(
    on_sqlite: Command,
) -> None:
    on_sqlite.settings |= {"PRORATA_DATABASE_URL": "postgresql://127.0.0.1:1/nowhere"}
    (on_sqlite.folder / ".env").write_text("export PRORATA_RATE_LIMIT_PER_MINUTE=1\n")
    keys = []
    for _ in range(2):
        with demo(on_sqlite) as server:
            wait_until(lambda those=server: len(those.out) == 7)  # type: ignore[misc]
            keys.append(printed(server, "API key"))
            curl = shlex.split(server.out[-1])
            for _ in range(2):
                answer = subprocess.run(
                    [*curl, "--silent", "--fail"], check=True, capture_output=True, text=True
                ).stdout
                assert '"total":3' in answer
            page = httpx.get(server.url + "/sign-in").text
            assert all(printed(server, name) in page for name in ("E-mail address", "Password"))
            second = on_sqlite.refused("demo", "--port", str(free_port()))
            assert "is running on the data directory" in second
            assert server.stop() == 0
            assert [line for line in server.err if "Making the demo account ready" not in line] == []

    assert keys[0] == keys[1]
    assert not on_sqlite.data.exists(), "the demo keeps to its own directory"
