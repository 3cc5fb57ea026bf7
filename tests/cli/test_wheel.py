"""The built package runs when it is installed alone in an empty environment."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from tests.cli.running import Server
from tests.cli.test_demo_command import printed
from tests.cli.test_serve import wait_until
from tests.servers import free_port

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OFFLINE = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def asked_for(file: str) -> set[str]:
    """Return the entries of a requirements file, without comments and referenced files."""
    lines = [line.partition("#")[0].strip() for line in (ROOT / "requirements" / file).read_text().splitlines()]
    return {line for line in lines if line and not line.startswith("-")}


def test_the_package_asks_for_what_the_requirements_name():
    builds = {Requirement(one).name.replace("_", "-") for one in PROJECT["build-system"]["requires"]}
    assert builds == asked_for("build.in")
    assert set(PROJECT["project"]["dependencies"]) == asked_for("run.in")
    assert set(PROJECT["project"]["optional-dependencies"]["ocr"]) == asked_for("ocr.in")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files from which packages are built."""
    source = tmp_path_factory.mktemp("package") / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"):
        shutil.copy(ROOT / name, source)
    for name in ("prorata", "docs", "requirements"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    return source


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return built("wheel", source)


def built(kind: str, source: Path) -> Path:
    """Build the wheel or sdist of a folder into a folder beside it.

    It has the date of a release.
    """
    code = f"from flit_core.buildapi import build_{kind}; print(build_{kind}('../dist'))"
    (source.parent / "dist").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, env=OFFLINE | {"SOURCE_DATE_EPOCH": "1800000000"}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return source.parent / "dist" / done.stdout.strip()


def test_the_wheel_has_its_licences_and_says_that_it_is_typed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = [name for name in names if name.endswith("/METADATA")]
        said = archive.read(about).decode()
    assert "prorata/py.typed" in names
    folder = about.rpartition("/")[0]
    for file in ("LICENSE", "prorata/adapters/printing/fonts/OFL.txt", "prorata/web/dashboard/static/LICENSES.txt"):
        assert f"{folder}/licenses/{file}" in names
        assert f"License-File: {file}\n" in said
    assert "License-Expression: MIT AND 0BSD AND OFL-1.1\n" in said
    assert said.count("\nRequires-Dist: ") == len(asked_for("run.in")) + len(asked_for("ocr.in"))
    assert "\n# Prorata\n" in said


def test_the_sdist_holds_what_its_wheel_is_built_from(source: Path, wheel: Path, tmp_path: Path) -> None:
    sdist = built("sdist", source)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    assert {"SECURITY.md", "CHANGELOG.md", "docs", "requirements"} <= {path.name for path in unpacked.iterdir()}
    assert built("wheel", unpacked).read_bytes() == wheel.read_bytes()


def test_a_release_is_made_of_what_is_committed(tmp_path: Path) -> None:
    for words in (["init", "--quiet"], ["config", "user.email", "a@example.com"], ["config", "user.name", "A"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / ".ci").mkdir()
    (tmp_path / "prorata").mkdir()
    shutil.copy(ROOT / ".ci" / "release", tmp_path / ".ci")
    (tmp_path / "prorata" / "__init__.py").write_text('__version__ = "2.0.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("## 1.0.0\n")

    def refusal() -> str:
        done = subprocess.run([tmp_path / ".ci" / "release"], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        return done.stderr

    assert "not committed" in refusal()
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", "A"], cwd=tmp_path, check=True)
    assert "no section for 2.0.0" in refusal()


def needed(requirements: list[str], extras: frozenset[str] = frozenset({""})) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the packages that these requirements need on this machine, with their extras."""
    for one in map(Requirement, requirements):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras):
            yield one.name, frozenset({"", *one.extras})


def all_needed() -> set[str]:
    found: set[tuple[str, frozenset[str]]] = set()
    ahead = [*needed(PROJECT["project"]["dependencies"])]
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += needed(distribution(one[0]).requires or [], one[1])
    return {name for name, _ in found}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel and its required packages."""
    place = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], env=OFFLINE, check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    there = {(file.parts[0], Path(str(file.locate())).parents[len(file.parts) - 1])
             for name in all_needed() for file in distribution(name).files or ()}  # fmt: skip
    for entry, folder in there:
        if entry not in {"..", "__pycache__"}:
            (packages / entry).symlink_to(folder / entry)
    pip = [sys._base_executable, "-m", "pip", "--python", place / "bin" / "python"]  # type: ignore[attr-defined]
    subprocess.run([*pip, "install", "--quiet", wheel], env=OFFLINE, check=True)
    return place / "bin"


def test_the_wheel_in_an_empty_environment_serves_the_demo_and_prints_an_invoice(
    installed: Path, tmp_path: Path
) -> None:
    port = free_port()
    process = subprocess.Popen(
        [installed / "prorata", "demo", "--port", str(port)], cwd=tmp_path, env=OFFLINE | {"HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with Server(process, port, process.stdout, process.stderr) as server:
        wait_until(lambda: len(server.out) == 7)
        with server.client(printed(server, "API key")) as client:
            invoice = client.get("/invoices").raise_for_status().json()["data"][0]
            printed_invoice = client.get(f"/invoices/{invoice['id']}/pdf").raise_for_status()
        assert printed_invoice.content.startswith(b"%PDF-")
        assert httpx.get(f"{server.url}/sign-in").is_success
