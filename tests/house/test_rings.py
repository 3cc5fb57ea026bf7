"""Each import contract catches an import that is planted in a house of cards."""

import itertools
import sys

import pytest
from importlinter import cli  # noqa: F401 - sets import-linter up
from importlinter.application.use_cases import create_report, read_user_options
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import registry

from tests.house.sources import ROOT

PACKAGES = ("domain", "actions", "store", "adapters", "web")
MODULES = ("cli", "wiring", "worker", "demo", "ports", "settings", "errors", "ids")
registry.register(LayersContract, "layers")
registry.register(ForbiddenContract, "forbidden")
_numbers = itertools.count(1)

IN_ORDER = {
    "cli": "wiring",
    "wiring": "web, worker, demo, store, adapters, actions, settings",
    "web": "actions, errors, settings, domain",
    "worker": "actions, adapters, ports",
    "actions": "store, ports, errors, ids, domain",
    "store": "errors, ids, domain",
    "adapters": "ports, errors, domain",
    "ports": "errors, domain",
    "errors": "domain",
}


@pytest.fixture
def broken_contracts(tmp_path, monkeypatch):
    """Builds a package with the house's modules and the imports given, and tells which contracts it breaks."""

    def check(imports: dict[str, str]) -> set[str]:
        name = f"planted_{next(_numbers)}"
        for package in ("", *PACKAGES):
            (tmp_path / name / package).mkdir()
            (tmp_path / name / package / "__init__.py").touch()
        for module, lines in {**dict.fromkeys(MODULES, ""), **imports}.items():
            place = tmp_path / name / module
            file = place / "nouns.py" if place.is_dir() else place.with_suffix(".py")
            file.write_text(lines.replace("prorata", name))
        rules = (ROOT / ".importlinter").read_text().replace("prorata", name)
        config = tmp_path / f"{name}.ini"
        config.write_text(rules)
        monkeypatch.syspath_prepend(tmp_path)
        report = create_report(read_user_options(str(config)), cache_dir=None)
        assert not report.could_not_run
        return {contract.name for contract, outcome in report.get_contracts_and_checks() if not outcome.kept}

    yield check
    for module in [module for module in sys.modules if module.startswith("planted_")]:
        del sys.modules[module]


NAMES = {
    "rings": "Imports point inward only, and every module stands in a ring",
    "domain": "The domain knows nothing outside itself but the standard library",
    "actions": "Actions know neither the database, nor the web framework, nor an HTTP client",
    "web": "The web knows no database",
    "adapters": "Wiring alone chooses adapters",
}


def test_a_house_in_order_breaks_no_contract(broken_contracts):
    imports = {module: f"from prorata import {names}\nimport re\n" for module, names in IN_ORDER.items()}
    imports["store"] += "import sqlalchemy, psycopg, sqlite3\n"
    imports["adapters"] += "import httpx, redis\n"
    assert broken_contracts(imports) == set()


@pytest.mark.parametrize(
    ("contract", "module", "line"),
    [
        ("rings", "wiring", "import prorata.cli"),
        ("rings", "web", "import prorata.wiring"),
        ("rings", "web", "import prorata.worker"),
        ("rings", "demo", "import prorata.web"),
        ("rings", "actions", "from prorata.web import nouns"),
        ("rings", "store", "import prorata.actions.nouns"),
        ("rings", "store", "import prorata.adapters"),
        ("rings", "ports", "import prorata.store"),
        ("rings", "settings", "import prorata.ports"),
        ("rings", "errors", "import prorata.ids"),
        ("rings", "domain", "def late():\n    from prorata import errors"),
        ("rings", "stray", "a module that stands in no ring = 1".replace(" ", "_").replace("_=_", " = ")),
        ("domain", "domain", "import sqlalchemy"),
        ("domain", "domain", "import msgspec"),
        ("actions", "actions", "from sqlalchemy import select"),
        ("actions", "actions", "import litestar"),
        ("actions", "actions", "import httpx"),
        ("actions", "actions", "import psycopg.rows"),
        ("actions", "actions", "import sqlite3"),
        ("web", "web", "import sqlalchemy"),
        ("web", "web", "import sqlite3"),
        ("web", "web", "import psycopg"),
        ("adapters", "web", "import prorata.adapters.nouns"),
        ("adapters", "actions", "import prorata.adapters"),
    ],
)
def test_a_planted_import_breaks_its_contract(broken_contracts, contract, module, line):
    assert broken_contracts({module: line + "\n"}) == {NAMES[contract]}


def test_every_contract_is_proved_to_bite():
    options = read_user_options(str(ROOT / ".importlinter"))
    assert {contract["id"]: contract["name"] for contract in options.contracts_options} == NAMES
