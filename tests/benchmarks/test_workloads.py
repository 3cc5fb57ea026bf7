"""Answers are called equal only if they are, because all figures depend on it."""

from typing import Any

import pytest

from benchmarks import workloads
from benchmarks.data import Records
from benchmarks.servers import Answer
from benchmarks.workloads import check_equal, difference

RECORDS = Records(
    "acct_1", [f"prop_{number}" for number in range(9)], [(f"inv_{number}", "SENT") for number in range(4)], [], 96_000
)
INVOICE = {"id": "inv_1", "updatedAt": "12:00", "total": "1.00", "unit": {"sqft": 850, "label": None}, "charges": [1]}


class FakeServer:
    """A server that gives every request the same answer, and records the requests."""

    def __init__(self, name: str, body: Any = INVOICE, status: int = 200) -> None:
        self.name, self._answer = name, Answer(status, body)
        self.asked: list[tuple[str, str, Any]] = []

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        self.asked.append((method, path, body))
        return self._answer

    def said(self) -> str:
        return f"the log of {self.name}"


def test_equal_documents_have_no_difference():
    assert difference(INVOICE, {**INVOICE, "unit": {"label": None, "sqft": 850}}) is None


@pytest.mark.parametrize(
    ("theirs", "path"),
    [
        ({**INVOICE, "total": "1.01"}, ".total"),
        ({**INVOICE, "total": 1.0}, ".total"),
        ({**INVOICE, "unit": {"sqft": 851, "label": None}}, ".unit.sqft"),
        ({**INVOICE, "unit": {"sqft": 850, "label": ""}}, ".unit.label"),
        ({**INVOICE, "charges": [2]}, ".charges[0]"),
        ({**INVOICE, "charges": [1, 2]}, ".charges"),
        ({**INVOICE, "charges": []}, ".charges"),
        ({**INVOICE, "more": 1}, ""),
        ({name: value for name, value in INVOICE.items() if name != "total"}, ""),
        ([INVOICE], ""),
        (None, ""),
    ],
)
def test_the_first_place_that_differs_is_named_from_either_side(theirs: Any, path: str):
    for found in (difference(INVOICE, theirs), difference(theirs, INVOICE)):
        assert found is not None
        assert found.path == path


@pytest.mark.parametrize(
    ("one", "other", "equal"), [(850, 850.0, True), (1, True, False), (0, False, False), (1, "1", False)]
)
def test_there_is_one_kind_of_number_and_true_is_none(one: object, other: object, equal: bool):
    assert (difference(one, other) is None) is equal


def test_a_field_is_left_out_by_its_name_but_must_be_there():
    later = {**INVOICE, "updatedAt": "13:00"}
    without = {name: value for name, value in INVOICE.items() if name != "updatedAt"}
    assert difference(INVOICE, later) is not None
    assert difference(INVOICE, later, but=frozenset({"updatedAt"})) is None
    assert difference(INVOICE, without, but=frozenset({"updatedAt"})) is not None


def test_every_server_is_asked_the_same():
    servers = [FakeServer("prorata"), FakeServer("floor")]
    check_equal(workloads.PROPERTY, workloads.lines(workloads.PROPERTY, RECORDS), servers)
    assert servers[0].asked == servers[1].asked
    assert len({path for _, path, _ in servers[0].asked}) == len(servers[0].asked) == 5


def test_a_changed_status_is_asked_for_and_taken_back_and_moments_may_differ():
    servers = [FakeServer("prorata"), FakeServer("floor", {**INVOICE, "updatedAt": "13:00"})]
    check_equal(workloads.PATCH, workloads.lines(workloads.PATCH, RECORDS), servers)
    for server in servers:
        (first, path, paid), (second, again, sent) = server.asked
        assert (first, second, path) == ("PATCH", "PATCH", again)
        assert (paid, sent) == ({"status": "PAID"}, {"status": "SENT"})


def test_moments_of_a_read_must_be_equal():
    servers = [FakeServer("prorata"), FakeServer("floor", {**INVOICE, "updatedAt": "13:00"})]
    with pytest.raises(SystemExit, match=r"prorata and floor differ on GET .*\n.*updatedAt"):
        check_equal(workloads.PAGE, workloads.lines(workloads.PAGE, RECORDS), servers)


def test_a_server_that_refuses_ends_the_run_with_its_log():
    servers = [FakeServer("prorata"), FakeServer("floor", {}, 500)]
    with pytest.raises(SystemExit, match=r"floor answers 500 to GET (.|\n)*the log of floor"):
        check_equal(workloads.PAGE, workloads.lines(workloads.PAGE, RECORDS), servers)


@pytest.mark.parametrize(
    ("invoices", "first", "last"),
    [(96_000, 500, 509), (960_000, 500, 509), (50_900, 500, 509), (9_600, 87, 96), (960, 1, 9), (99, 1, 1)],
)
def test_far_pages_are_ten_from_page_500_on_or_the_last_full_ones(invoices: int, first: int, last: int):
    lines = workloads.lines(workloads.DEEP, RECORDS._replace(invoices=invoices))
    assert [int(line.rpartition("page=")[2]) for line in lines] == list(range(first, last + 1))


def test_pages_of_twenty_are_asked_for_in_turn_from_the_first():
    lines = workloads.lines(workloads.PAGE, RECORDS)
    assert lines[0].endswith("limit=20&page=1")
    assert len(set(lines)) == 10


def test_each_changed_invoice_gets_the_other_status_and_then_its_own_again():
    lines = workloads.lines(workloads.PATCH, RECORDS)
    half = len(lines) // 2
    assert all('"PAID"' in line for line in lines[:half])
    assert [line.replace("SENT", "PAID") for line in lines[half:]] == lines[:half]
