"""Tests of the Python client: its types, and its behavior when calls succeed or fail."""

import asyncio
import shutil
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks.webhooks import Webhook

from clients.generate.document import DOCUMENT, read
from tests.clients.broken_lines import BrokenLine, once
from tests.clients.conftest import ROOT, Running, ran

HOUSE: dict[str, str] = {"name": "Elm House", "streetNumber": "1", "street": "Elm Street", "city": "Springfield",
                         "state": "IL", "zip": "62701", "country": "US"}  # fmt: skip


@pytest.mark.thorough
def test_it_is_typed_as_the_api_says(python_client: Path) -> None:
    program = python_client / "program.py"
    program.write_text(PROGRAM)
    ran([sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "prorata_client", program], python_client)
    program = python_client / "mistyped_program.py"
    program.write_text(PROGRAM.replace('["totalAmount"]', '["totalAmonut"]'))
    wrong = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", program], cwd=python_client,
                           check=False, capture_output=True, text=True)  # fmt: skip
    assert 'has no key "totalAmonut"' in wrong.stdout


PROGRAM = """
from prorata_client import AsyncProrata, Prorata, models, read_webhook

def total(prorata: Prorata, unit: str) -> list[str]:
    sent: models.UnitChange = {"sqft": 900.5, "bedrooms": None}
    prorata.change_unit(unit, sent, if_match='"1"')
    return [one["totalAmount"] for one in prorata.list_invoices(unit_id=unit, status="SENT")]

async def names(prorata: AsyncProrata) -> list[str]:
    return [one["name"] async for one in prorata.list_properties()]

def heard(body: bytes, headers: dict[str, str]) -> str:
    event = read_webhook("whsec_", headers, body)
    if event["type"] == "invoice.paid" and "paidAmount" in event["data"]:
        return event["data"]["paidAmount"]
    return event["id"]
"""


def test_every_operation_is_a_method_with_and_without_asyncio(prorata_client: Any) -> None:
    for one in read(DOCUMENT).operations:
        assert callable(getattr(prorata_client.Prorata, one.name))
        assert callable(getattr(prorata_client.AsyncProrata, one.name))
        assert one.about.split(".")[0] in getattr(prorata_client.Prorata, one.name).__doc__


def made(prorata: Any) -> Any:
    """Make a house with units, a tenant, a rule and a bill; return its id."""
    house = prorata.create_property(HOUSE)["id"]
    unit = prorata.create_unit(house, {"label": "1A", "sqft": 850.5})
    prorata.create_unit(house, {"label": "1B", "sqft": Decimal("449.5")})
    prorata.create_tenant(unit["id"], {"name": "Ann Smith", "email": "ann@example.com"})
    prorata.create_share_rule(house, {"utilityType": "WATER", "splitMethod": "SQFT"})
    prorata.create_bill(house, {"issuerName": "Aqua", "totalAmountDue": "130.00", "billDate": "2026-03-14",
                                "lines": [{"utilityType": "WATER", "amount": "130.00"}]})  # fmt: skip
    return house


def test_a_bill_becomes_invoices(prorata_client: Any, running: Running) -> None:
    with prorata_client.Prorata(running.url, running.key) as prorata:
        house = made(prorata)
        invoices = list(prorata.list_invoices(property_id=house, month="2026-03"))
        assert [one["totalAmount"] for one in invoices] == ["85.05", "44.95"]
        assert prorata.read_invoice(invoices[0]["id"])["charges"][0]["utilityType"] == "WATER"
        assert prorata.print_invoice(invoices[0]["id"]).startswith(b"%PDF")
        (unit, _) = prorata.list_units(house)
        assert unit["sqft"] == Decimal("850.5")
        rule = prorata.list_share_rules(house)[0]
        assert prorata.delete_share_rule(rule["id"]) is None


def test_the_same_from_asyncio(prorata_client: Any, running: Running) -> None:
    async def work() -> list[str]:
        async with prorata_client.AsyncProrata(running.url, running.key) as prorata:
            house = await prorata.create_property(HOUSE)
            await asyncio.gather(*(prorata.create_unit(house["id"], {"label": f"{at}"}) for at in range(3)))
            return sorted([one["label"] async for one in prorata.list_units(house["id"])])

    assert asyncio.run(work()) == ["0", "1", "2"]


def test_a_list_is_read_to_its_end(prorata_client: Any, running: Running) -> None:
    with prorata_client.Prorata(running.url, running.key) as prorata:
        house = prorata.create_property(HOUSE)["id"]
        for at in range(101):
            prorata.create_unit(house, {"label": f"{at}"})
        assert [one["label"] for one in prorata.list_units(house)] == [f"{at}" for at in range(101)]
        entries = [one["recordId"] for one in prorata.list_audit_log(property_id=house)]
        assert len(entries) == len(set(entries)) == 102


def test_reading_on_goes_by_cursors_where_a_list_has_them(prorata_client: Any) -> None:
    asked = []
    answers = {"start": {"data": [1, 2], "next": "b"}, "b": {"data": [], "next": "c"}, "c": {"data": [3], "next": None}}

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(dict(request.url.params))
        return httpx.Response(200, json=answers[request.url.params["after"]])

    prorata = prorata_client.Prorata("http://x", "k", http=httpx.Client(transport=httpx.MockTransport(answer)))
    listing = sys.modules["prorata_client.listing"].Listing("cursor", "after", 1000)
    assert list(prorata.each("/units", {"propertyId": "p", "month": None}, listing)) == [1, 2, 3]
    assert asked == [{"limit": "1000", "propertyId": "p", "after": at} for at in ["start", "b", "c"]]
    records = prorata.each("/units", {"after": "b"}, listing)
    assert records.answer() == records.answer() == answers["b"]
    assert list(records) == [3]
    assert records.answer() == answers["c"]
    assert [one["after"] for one in asked[3:]] == ["b", "c"]


def test_what_stands_beside_records_is_read_and_what_has_no_cursors_is_read_in_pages(
    prorata_client: Any, running: Running
) -> None:
    with prorata_client.Prorata(running.url, running.key) as prorata:
        house = prorata.create_property(HOUSE)["id"]
        write = {"method": "POST", "path": f"/properties/{house}/units", "body": {"label": "1"}}
        bulk = prorata.begin_bulk({"requests": [write, {"method": "GET", "path": "/units"}]})
        deadline = time.monotonic() + 60
        while prorata.read_bulk(bulk["id"]).answer()["state"] == "GOING_ON":
            assert time.monotonic() < deadline
            time.sleep(0.5)
        assert [one["status"] for one in prorata.read_bulk(bulk["id"])] == [201, 400]
        assert prorata.list_events().answer()["lastSequence"] > 0
        assert list(prorata.list_invoices(needs="OVERDUE", property_id=house)) == []

    async def numbers() -> tuple[int, int]:
        async with prorata_client.AsyncProrata(running.url, running.key) as prorata:
            records = prorata.list_units(house)
            return len((await records.answer())["data"]), len([one async for one in records])

    assert asyncio.run(numbers()) == (1, 1)


@pytest.mark.parametrize(
    ("moment", "signature"),
    [("²", "v1,x"), ("1" * 5000, "v1,x"), (f"{time.time():.0f}", "\udc80")],
    ids=["no number", "too long", "no text"],  # the moment is another one in each process that collects the tests
)
def test_a_message_that_is_no_such_thing_is_not_from_prorata(prorata_client: Any, moment: str, signature: str) -> None:
    headers = {"webhook-id": "evt_1", "webhook-timestamp": moment, "webhook-signature": signature}
    with pytest.raises(prorata_client.NotFromProrata):
        prorata_client.read_webhook(SECRET, headers, b"{}")


@pytest.mark.parametrize("what", ["loses", "refuses"])
def test_what_is_sent_again_is_done_once(prorata_client: Any, running: Running, what: Any) -> None:
    with BrokenLine(running.url, once(what, "POST")) as line, prorata_client.Prorata(line.url, running.key) as prorata:
        before = len(list(prorata.list_properties()))
        assert prorata.create_property(HOUSE)["name"] == "Elm House"
        assert len(list(prorata.list_properties())) == before + 1
        first, again = [one for one in line.got if one[0] == "POST"]
        assert first == again
        assert first[2]


@pytest.mark.parametrize("what", ["loses", "refuses"])
def test_what_is_sent_again_from_asyncio_is_done_once(prorata_client: Any, running: Running, what: Any) -> None:
    async def work(url: str) -> int:
        async with prorata_client.AsyncProrata(url, running.key) as prorata:
            house = await prorata.create_property(HOUSE)
            await prorata.create_unit(house["id"], {"label": "1"})
            return len([one async for one in prorata.list_units(house["id"])])

    with BrokenLine(running.url, once(what, "POST")) as line:
        assert asyncio.run(work(line.url)) == 1
        assert len([one for one in line.got if one[0] == "POST"]) == 3


def test_it_waits_as_long_as_it_is_told_and_gives_up_where_that_is_long(prorata_client: Any) -> None:
    told = [httpx.Response(503, json={}, headers={"retry-after": "0"}), httpx.Response(409, json={}, headers={"retry-after": "0"}),
            httpx.Response(429, json={"error": "Wait.", "code": "RATE_LIMIT_EXCEEDED"}, headers={"retry-after": "3000"})]  # fmt: skip
    left = list(told)
    prorata = prorata_client.Prorata(
        "http://x", "k", http=httpx.Client(transport=httpx.MockTransport(lambda _: left.pop(0)))
    )
    with pytest.raises(prorata_client.Refused, match="429 RATE_LIMIT_EXCEEDED: Wait") as refused:
        prorata.read_account()
    assert (left, refused.value.status, refused.value.code) == ([], 429, "RATE_LIMIT_EXCEEDED")


def test_a_write_under_if_match_is_not_repeated_after_a_lost_connection(prorata_client: Any, running: Running) -> None:
    with (
        BrokenLine(running.url, once("loses", "PATCH")) as line,
        prorata_client.Prorata(line.url, running.key) as prorata,
    ):
        house = prorata.create_property(HOUSE)["id"]
        tag = prorata.exchange("GET", f"/properties/{house}").headers["etag"]
        with pytest.raises(prorata_client.Unreachable):
            prorata.change_property(house, {"name": "Oak House"}, if_match=tag)
        assert prorata.read_property(house)["name"] == "Oak House"
        with pytest.raises(prorata_client.Refused, match="412 PRECONDITION_FAILED"):
            prorata.change_property(house, {"name": "Ash House"}, if_match=tag)
        assert prorata.change_property(house, {"name": "Ash House"})["name"] == "Ash House"


def test_where_nothing_answers_it_gives_up(prorata_client: Any) -> None:
    prorata = prorata_client.Prorata("http://127.0.0.1:9", "k", retries=prorata_client.Retries(most=1))
    with pytest.raises(prorata_client.Unreachable):
        prorata.read_account()


def test_what_is_wrong_is_raised_with_every_detail(prorata_client: Any, running: Running) -> None:
    with prorata_client.Prorata(running.url, running.key) as prorata:
        with pytest.raises(prorata_client.Refused) as refused:
            prorata.create_property({**HOUSE, "name": "", "country": "XX"})
        assert (refused.value.code, [one["field"] for one in refused.value.details]) == (
            "INVALID_REQUEST",
            ["name", "country"],
        )
        assert refused.value.request_id


def test_an_answer_that_leads_elsewhere_is_no_success(prorata_client: Any) -> None:
    elsewhere = httpx.MockTransport(lambda _: httpx.Response(301, headers={"location": "https://x"}))
    prorata = prorata_client.Prorata("http://x", "k", http=httpx.Client(transport=elsewhere))
    with pytest.raises(prorata_client.Refused, match="301"):
        prorata.create_property(HOUSE)


SECRET = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_a_webhook_is_read_where_it_is_signed(prorata_client: Any) -> None:
    body, at = '{"type": "invoice.paid", "data": {"totalAmountDue": 12.30}}', datetime.fromtimestamp(1_770_000_000, UTC)
    signature = Webhook(SECRET).sign("evt_1", at, body)
    headers = {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": "1770000000",
        "Webhook-Signature": f"v1,b3RoZXI= {signature}",
    }
    read_webhook = prorata_client.read_webhook
    assert read_webhook(SECRET, headers, body.encode(), now=1_770_000_299)["data"]["totalAmountDue"] == Decimal("12.30")
    for wrong in (
        {"body": b"{}"}, {"now": 1_770_000_301}, {"now": 1_769_999_699}, {"secret": "whsec_" + "A" * 32},
        {"headers": headers | {"Webhook-Id": "evt_2"}}, {"headers": {}}, {"headers": headers | {"Webhook-Signature": "v1,é"}},
    ):  # fmt: skip
        given = {"secret": SECRET, "headers": headers, "body": body.encode(), "now": 1_770_000_000} | wrong
        with pytest.raises(prorata_client.NotFromProrata):
            read_webhook(**given)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_AAAA", "whsec_@@@@"])
def test_a_missing_secret_is_refused_before_any_message_is_believed(prorata_client: Any, secret: str) -> None:
    with pytest.raises(ValueError, match="not the secret of a webhook endpoint"):
        prorata_client.read_webhook(secret, {}, b"{}")


@pytest.mark.thorough
def test_its_wheel_holds_what_is_generated(tmp_path: Path) -> None:
    build = "import os, sys; os.chdir(sys.argv[1]); sys.path.insert(0, ''); import build_backend; build_backend.build_wheel(sys.argv[2])"
    copy = tmp_path / "checkout"
    left_out = shutil.ignore_patterns("node_modules", "dist", "__pycache__", "*operations.py", "models.py")
    shutil.copytree(ROOT / "clients", copy / "clients", ignore=left_out)
    (copy / "docs").mkdir()
    shutil.copy(DOCUMENT, copy / "docs")
    ran([sys.executable, "-c", build, copy / "clients" / "python", tmp_path], tmp_path)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert {"prorata_client/models.py", "prorata_client/operations.py", "prorata_client/py.typed"} <= set(names)
