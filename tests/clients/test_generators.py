"""Other projects' generators make working clients from docs/openapi.json.

The clients are generated and type-checked, and one program is run with three of them.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

from clients.generate.document import DOCUMENT
from tests.clients.conftest import ROOT, Running, ran

PROGRAMS = Path(__file__).parent / "programs"
SAID = ["Tenant of 1A 85.05 WATER", "Tenant of 1B 44.95 WATER", "INVOICE_NOT_FOUND"]
COMPILER = {"compilerOptions": {
    "strict": True, "noUncheckedIndexedAccess": True, "exactOptionalPropertyTypes": True, "skipLibCheck": False,
    "target": "ES2022", "module": "NodeNext", "lib": ["ES2022", "DOM", "DOM.Iterable"], "types": ["node"], "outDir": "out"},
    "include": ["*.ts", "orval/*.ts"]}  # fmt: skip
GENERATORS = ROOT / "requirements" / "generators.txt"
IMPORT_ALL = """
import importlib, pkgutil, openapi_client
names = [one.name for one in pkgutil.walk_packages(openapi_client.__path__, "openapi_client.")]
print(len([importlib.import_module(name) for name in names]))
"""


def by_openapi_python_client(folder: Path) -> Path:
    settings = {"content_type_overrides": {"application/pdf": "application/octet-stream"}, "post_hooks": []}
    (folder / "settings.json").write_text(json.dumps(settings))
    command = [
        sys.executable,
        "-m",
        "openapi_python_client",
        "generate",
        "--meta",
        "none",
        "--fail-on-warning",
        "--path",
        DOCUMENT,
    ]
    ran([*command, "--config", "settings.json", "--output-path", "generated"], folder)
    shutil.copy(PROGRAMS / "with_openapi_python_client.py", folder / "program.py")
    return folder


@pytest.mark.thorough
def test_a_program_runs_with_a_client_by_openapi_python_client(tmp_path: Path, running: Running) -> None:
    folder = by_openapi_python_client(tmp_path)
    said = ran([sys.executable, "program.py"], folder, API=f"{running.url}/api/v1", KEY=running.key)
    assert said.splitlines() == SAID


@pytest.mark.soak
def test_the_program_and_the_client_by_openapi_python_client_are_typed(tmp_path: Path) -> None:
    folder = by_openapi_python_client(tmp_path)
    (folder / "generated" / "py.typed").touch()
    ran([sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "program.py"], folder)


@pytest.mark.soak
def test_programs_run_with_clients_by_openapi_typescript_and_orval(tmp_path: Path, npm: Path, running: Running) -> None:
    shutil.copy(DOCUMENT, tmp_path)
    (tmp_path / "node_modules").symlink_to(npm / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps(COMPILER))
    output = {"target": "./orval/client.ts", "client": "fetch", "mode": "split", "baseUrl": f"{running.url}/api/v1"}
    config = {"prorata": {"input": "./openapi.json", "output": output}}
    (tmp_path / "orval.config.cjs").write_text(f"module.exports = {json.dumps(config)}")
    binaries = tmp_path / "node_modules" / ".bin"
    ran([binaries / "openapi-typescript", "openapi.json", "--output", "types.ts"], tmp_path)
    ran([binaries / "orval", "--config", "orval.config.cjs"], tmp_path)
    shutil.copy(PROGRAMS / "with_openapi_typescript.ts", tmp_path)
    shutil.copy(PROGRAMS / "with_orval.ts", tmp_path)
    extensions_named(tmp_path / "orval")
    ran([binaries / "tsc", "-p", "."], tmp_path)
    for name in ("with_openapi_typescript", "with_orval"):
        said = ran(["node", f"out/{name}.js"], tmp_path, API=f"{running.url}/api/v1", KEY=running.key)
        assert said.splitlines() == SAID, name


def extensions_named(folder: Path) -> None:
    """Add file extensions to imports, because Node needs them.

    orval leaves them to a bundler.
    """
    for file in folder.glob("*.ts"):
        file.write_text(file.read_text().replace("from './client.schemas'", "from './client.schemas.js'"))


@pytest.mark.soak
def test_openapi_generator_takes_it_for_python_java_and_go(tmp_path: Path) -> None:
    python = Path(sys.base_prefix) / "bin" / "python3"  # the environment of the tests has no pip
    packages = tmp_path / "packages"
    ran(
        [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--require-hashes",
            "--target",
            packages,
            "-r",
            GENERATORS,
        ],
        tmp_path,
    )
    (jar,) = packages.rglob("openapi-generator.jar")
    for language in ("python", "java", "go"):
        said = ran(
            ["java", "-jar", jar, "generate", "-g", language, "-i", DOCUMENT, "-o", tmp_path / language], tmp_path
        )
        assert "FILEPATH_COLLISION" not in said, language
        assert "[main] ERROR" not in said, language
    imported = ran(
        [sys.executable, "-W", "error::SyntaxWarning", "-c", IMPORT_ALL], tmp_path / "python", PYTHONPATH=str(packages)
    )
    assert int(imported) > 200
