"""Tests of a client that openapi-python-client generates from docs/openapi.json.

The client leaves out nothing, and errors have their own type.
"""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.conftest import House
from tests.web.furnished import furnish

SNAPSHOT = Path(__file__).parents[3] / "docs" / "openapi.json"
SETTINGS = {"content_type_overrides": {"application/pdf": "application/octet-stream"}, "post_hooks": []}
"""That the generator takes a PDF for bytes, and calls no formatter."""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The name of the generated package."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "settings.json").write_text(json.dumps(SETTINGS))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
    files = ["--path", SNAPSHOT, "--config", folder / "settings.json", "--output-path", folder / "openapi_client"]
    done = subprocess.run([*command, *files], check=False, capture_output=True, text=True)
    assert (done.returncode, "WARNING" in done.stdout + done.stderr) == (0, False), done.stdout + done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield "openapi_client"


@pytest.mark.thorough
def test_each_error_that_an_operation_answers_with_is_read_into_the_type_of_errors(generated: str) -> None:
    document = json.loads(SNAPSHOT.read_text())
    models = importlib.import_module(f"{generated}.models")
    client = importlib.import_module(f"{generated}.client").AuthenticatedClient("http://127.0.0.1", "key")
    read = 0
    for operation in [one for methods in document["paths"].values() for one in methods.values()]:
        tag = operation["tags"][0].lower().replace(" ", "_")
        module = importlib.import_module(f"{generated}.api.{tag}.{operation['operationId']}")
        for status, said in operation["responses"].items():
            response = document["components"]["responses"][said["$ref"].rpartition("/")[2]] if "$ref" in said else said
            for code, example in response.get("content", {}).get("application/json", {}).get("examples", {}).items():
                answer = httpx.Response(int(status), json=example["value"])
                error = module._parse_response(client=client, response=answer)
                assert (type(error), error.code, error.status) == (models.Error, models.ErrorCode(code), int(status))
                read += 1
    assert read > 350


@pytest.mark.thorough
def test_an_invoice_and_the_audit_log_are_read_into_their_types(generated: str, house: House) -> None:
    made = furnish(house)
    models = importlib.import_module(f"{generated}.models")
    said = made.api.get(f"/invoices/{made.invoice()['id']}").json()
    invoice = models.InvoiceInFull.from_dict(said)
    assert invoice.status is models.InvoiceStatus.DRAFT
    assert invoice.charges[0].utility_type is models.ChargeUtilityType.WATER
    log = made.api.get("/audit-log").json()
    entries = models.AuditLog.from_dict(log).data
    assert [one.after.to_dict() if one.after else None for one in entries] == [one["after"] for one in log["data"]]
    assert any(one.before is None for one in entries)
