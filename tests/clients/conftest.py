"""A service with an account and a key, and the generated clients."""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clients.generate.__main__ import write_python, write_typescript
from tests.cli.running import Command
from tests.servers import missing

ROOT = Path(__file__).parents[2]
NPM = Path(__file__).parent / "npm"


class Running(NamedTuple):
    """The address of a service, and the key of an account without records."""

    command: Command
    url: str
    key: str
    email: str = "ann@example.com"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    command = Command(tmp_path_factory.mktemp("service"), PRORATA_RATE_LIMIT_PER_MINUTE="100000",
                      PRORATA_RATE_LIMIT_PER_HOUR="100000", PRORATA_WEBHOOK_PRIVATE="127.0.0.0/8")  # fmt: skip
    command.account()
    with command.serving() as server:
        yield Running(command, server.url, command.key())


@pytest.fixture(scope="session")
def with_curl() -> None:
    """Require curl for the tests of the pages' curl examples."""
    if not shutil.which("curl"):
        missing("What pages show with curl", "curl")


@pytest.fixture(scope="session")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that contains the Python client as it is built."""
    folder = tmp_path_factory.mktemp("python-client") / "client"
    shutil.copytree(
        ROOT / "clients" / "python", folder, ignore=shutil.ignore_patterns("__pycache__", "*operations.py", "models.py")
    )
    write_python(folder)
    return folder


@pytest.fixture(scope="module")
def prorata_client(python_client: Path) -> Iterator[Any]:
    """The Python client, imported as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(python_client))
        yield importlib.import_module("prorata_client")
    for name in [name for name in sys.modules if name.partition(".")[0] == "prorata_client"]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of npm/package.json, installed by npm."""
    folder = tmp_path_factory.mktemp("npm")
    shutil.copy(NPM / "package.json", folder)
    ran(["npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"], folder)
    return folder


@pytest.fixture(scope="session")
def typescript_client(npm: Path) -> Path:
    """The folder of npm, with the compiled TypeScript client among its packages."""
    folder = npm / "node_modules" / "prorata-client"
    left_out = shutil.ignore_patterns("node_modules", "dist", "models.ts", "operations.ts")
    shutil.copytree(ROOT / "clients" / "typescript", folder, ignore=left_out)
    write_typescript(folder)
    ran([npm / "node_modules" / ".bin" / "tsc", "-p", folder], npm)
    return npm


def ran(command: list[Any], folder: Path, **environment: str) -> str:
    """Run a command in a folder and return its output; the command must succeed."""
    done = subprocess.run([*map(str, command)], cwd=folder, check=False, capture_output=True, text=True, timeout=600,
                          env={**os.environ, **environment})  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout
