"""The commands of README.md and docs/start.md, run as they stand against a demo."""

import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import free_port

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs/start.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```bash\n(.*?)```", START + README, re.DOTALL)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[int]:
    """The port of `prorata demo`, run in a folder like a checkout after `make setup`."""
    (tmp_path / ".venv").symlink_to(Path(sys.prefix), target_is_directory=True)
    port = free_port()
    with (tmp_path / "demo.log").open("wb") as log:
        served = subprocess.Popen(
            [".venv/bin/prorata", "demo", "--port", str(port)], cwd=tmp_path, stdout=log, stderr=log
        )
        try:
            wait_for(port, tmp_path / "demo.log")
            yield port
        finally:
            served.terminate()
            served.wait(30)


def wait_for(port: int, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=2)
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(log.read_text(encoding="utf-8"))


def test_every_command_does_what_the_readme_and_the_tour_say(demo: int, tmp_path: Path) -> None:
    script = "\n".join(BLOCKS).replace("127.0.0.1:8000", f"127.0.0.1:{demo}")
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail"], input=script, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert '"error"' not in done.stdout
    assert "850 of 2,000 sq ft" in done.stdout
    # 850/2000 of $240.10 is 102.04 and a quarter cent, and half of $80.00 is 40.00.
    assert done.stdout.count("142.04") >= 2
    assert (tmp_path / "invoice.pdf").read_bytes().startswith(b"%PDF-")
    assert ".eml\n" in done.stdout
    assert '"state": "written"' in done.stdout
    assert "\n142.04\n142.04\n" in done.stdout
    assert re.search(
        r"Pending in all your properties: \d+ corrections?: \$[\d,.]+ to be charged, \$[\d,.]+ to be given back",
        done.stdout,
    )
    assert "$102.04 was charged; $93.54 is right: 850 of 2,000 sq ft" in done.stdout
    assert "\n2026-04\n" in done.stdout
    assert "pro_live_" in done.stdout


def test_the_commands_are_targets_of_the_makefile() -> None:
    commands = re.findall(r"^    make (\w+)", README, re.MULTILINE)
    assert commands == ["demo", "test", "setup"]
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{command}: " in targets for command in commands)


def test_every_page_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_tour_needs_no_more_than_the_readme_names() -> None:
    assert shutil.which("bash")
    words = set(re.findall(r"(?m)(?:^|\| |\$\()([a-z3]+)\b", "\n".join(BLOCKS)))
    assert words <= {"call", "field", "cat", "python3", "curl", "property", "sleep", "ls"}
