"""Each import contract finds an import that is planted in a small sample package."""

import itertools
import sys

import pytest
from importlinter import cli  # noqa: F401 - sets import-linter up
from importlinter.application.use_cases import create_report, read_user_options
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import registry

from tests.house.sources import ROOT

PACKAGES = ("domain", "actions", "store", "adapters", "web", "web/dashboard", "web/api")
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
    """A function that builds a package with some imports and returns the broken contracts.

    The package has the same modules as the program.
    """

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
    "rooms_of_the_domain": "Areas of the domain import in their one order",
    "rooms_of_the_store": "Areas of the store import in their one order",
    "rooms_of_the_actions": "Areas of the actions import in their one order",
    "rooms_of_the_adapters": "Areas of the adapters import in their one order",
    "rooms_of_the_dashboard": "Areas of the dashboard import in their one order",
    "rooms_of_the_api": "Areas of the API import in their one order",
    "rooms_of_the_web": "HTTP knows no page and no operation",
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


@pytest.mark.parametrize(
    ("contract", "ring", "lower", "higher"),
    [
        ("rooms_of_the_domain", "domain", "jobs", "overview"),
        ("rooms_of_the_domain", "domain", "money", "bills"),
        ("rooms_of_the_store", "store", "schema", "database"),
        ("rooms_of_the_store", "store", "properties", "invoices"),
        ("rooms_of_the_actions", "actions", "recalculation", "properties"),
        ("rooms_of_the_adapters", "adapters", "files", "mail"),
        ("rooms_of_the_dashboard", "web/dashboard", "kernel", "bills"),
        ("rooms_of_the_api", "web/api", "properties", "bills"),
        ("rooms_of_the_web", "web", "http", "api"),
    ],
)
def test_a_planted_import_of_a_higher_area_breaks_the_contract_of_its_ring(
    broken_contracts, contract, ring, lower, higher
):
    planted = f"import prorata.{ring.replace('/', '.')}.{higher}\n"
    assert broken_contracts({f"{ring}/{higher}": "", f"{ring}/{lower}": planted}) == {NAMES[contract]}
    assert broken_contracts({f"{ring}/{lower}": "", f"{ring}/{higher}": planted.replace(higher, lower)}) == set()


def test_every_ring_has_the_same_areas_in_the_same_order():
    contracts = read_user_options(str(ROOT / ".importlinter")).contracts_options
    floors = {"files", "database", "schema", "migrations", "kernel", "examples"}
    orders = set()
    for contract in contracts:
        if contract["id"].startswith("rooms_") and contract["id"] != "rooms_of_the_web":
            (container,) = contract["containers"]
            ring = ROOT / container.replace(".", "/")
            orders.add(order := tuple(layer for layer in areas_of(contract["layers"]) if layer not in floors))
            folders = {folder.parent.name for folder in ring.glob("*/__init__.py")}
            assert folders - floors <= set(order), ring
    (order,) = orders
    assert len(order) == len(set(order))


def areas_of(layers: str | list[str]) -> list[str]:
    lines = layers.splitlines() if isinstance(layers, str) else layers
    return [line.strip().strip("()") for line in lines if line.strip() and ":" not in line and "limits" not in line]


def test_no_contract_leaves_an_import_out():
    text = (ROOT / ".importlinter").read_text()
    assert "ignore_imports" not in text, "move what is imported, or the place that imports it; no import is left out"


def test_every_contract_is_proved_to_bite():
    options = read_user_options(str(ROOT / ".importlinter"))
    assert {contract["id"]: contract["name"] for contract in options.contracts_options} == NAMES
