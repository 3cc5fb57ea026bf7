"""The examples and tables of docs/api.md match the program.

The tests send the examples, and compare the tables with the code.
"""

import json
import re
from pathlib import Path

import msgspec

from prorata.actions.limits import ANSWERS_KEPT, MOST_OPEN_MONTHS, MOST_UNITS
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.settings import read_settings
from prorata.web import gateway
from prorata.web.http import decoding, response_schemas
from prorata.web.http.limits import (
    LONGEST_IDEMPOTENCY_KEY,
    LONGEST_IDEMPOTENT_WAIT,
    MOST_BODY_BYTES,
    MOST_BULK_BYTES,
    MOST_BULK_WRITES,
    MOST_LOGO_BYTES,
    MOST_PARAMETERS,
    MOST_UPLOAD_BYTES,
    MOST_WALKED,
)
from prorata.web.http.request_schemas import PageQuery
from tests.web.api.bills.test_utility_bills import LISTED as BILL
from tests.web.api.test_openapi import ADDED, CODES
from tests.web.conftest import House
from tests.web.forms import is_timestamp
from tests.web.furnished import furnish

DOCS = Path(__file__).parents[3] / "docs"
PAGE, SYNC = ((DOCS / name).read_text() for name in ("api.md", "sync.md"))
CONTRACT = {
    "Property": "id name streetNumber street city state zip country isActive createdAt updatedAt",
    "Unit": "id propertyId label sqft bedrooms monthlyRent isActive createdAt updatedAt",
    "Tenant": "id unitId name email createdAt updatedAt",
    "ShareRule": "id utilityType splitMethod isActive customWeightsJson",
    "Invoice": "id propertyId unitId month status invoiceNumber invoiceDate totalAmount paidAmount paidAt tenantEmail "
    "tenantName paymentStatus gatewayPaymentLinkId gatewayPaymentLinkUrl emailSentAt emailStatus generatedAt updatedAt "
    "unit property charges customCharges",
    "UtilityBill": "id propertyId issuerName utilityType totalAmountDue billDate dueDate paymentStatus createdAt",
}


def table(heading: str) -> list[list[str]]:
    """The cells of the table whose header row begins with this heading."""
    lines = PAGE[PAGE.index(f"\n| {heading} |") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_table_of_codes_is_that_of_the_program() -> None:
    rows = table("status")
    assert {code for _, code, _ in rows} == CODES
    assert len(rows) == len(CODES)
    described = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text())
    by_code = {code: example["value"]["status"]
               for response in described["components"]["responses"].values()
               for code, example in response["content"]["application/json"]["examples"].items()}  # fmt: skip
    for status, code, _ in rows:
        assert by_code.get(code, int(status)) == int(status)


def test_the_table_of_limits_is_that_of_the_program() -> None:
    settings = read_settings({})
    page, limit = (field.type.__metadata__[0].le for field in msgspec.structs.fields(PageQuery))
    assert [int(value) for _, value in table("what | limit")] == [
        settings.rate_limit_per_minute, settings.rate_limit_per_hour, gateway.INVALID_KEYS[0].quota,
        MOST_BODY_BYTES // 1024, MOST_BULK_BYTES // 1024, MOST_BULK_WRITES, MOST_DOCUMENT_BYTES,
        MOST_UPLOAD_BYTES // 1024, decoding.DEEPEST, MOST_PARAMETERS, page, limit, MOST_WALKED, MOST_UNITS, MOST_OPEN_MONTHS,
        LONGEST_IDEMPOTENCY_KEY, ANSWERS_KEPT.total_seconds() / 3600,
    ]  # fmt: skip
    assert MOST_LOGO_BYTES == MOST_UPLOAD_BYTES
    assert f"up to {LONGEST_IDEMPOTENT_WAIT} seconds" in " ".join(PAGE.split())


def test_the_tables_of_what_is_added_hold_all_that_is_added() -> None:
    assert {(method, path) for method, path, _ in table("method")} == ADDED
    said = {(kind, field) for kind, field, _ in table("of | field")}
    added = {
        (kind, field.encode_name)
        for kind, known in CONTRACT.items()
        for field in msgspec.structs.fields(getattr(response_schemas, kind))
        if field.encode_name not in known.split()
    }
    assert said == added
    assert {field for kind, field in added if kind == "UtilityBill"} == BILL - set(CONTRACT["UtilityBill"].split())


def test_the_table_of_formats_is_true(house: House) -> None:
    made = furnish(house)
    for timestamp in re.findall(r'`"(2026-\d\d-\d\dT[^"]*)"`', PAGE):
        assert is_timestamp(timestamp)
    assert made.invoice("1")["month"] == "2026-03-01T00:00:00.000Z"
