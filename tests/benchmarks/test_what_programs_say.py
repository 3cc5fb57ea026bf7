"""The output of wrk and pgbench is parsed correctly.

Output showing that a round is worthless ends the run.
"""

import json

import pytest

from benchmarks.load import Outcome, outcome_of
from benchmarks.pgbench import done_of
from benchmarks.places import LOAD_SCRIPT

WRK = """Running 1s test @ http://127.0.0.1:8200
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
Requests/sec:   7380.11

{"requests": 14760, "microseconds": 2000123, "p50": 0.720, "p99": 1.900, "worst": 7.250, "refused": 0, "broken": 0, "place": 812}
"""
PGBENCH = """pgbench (15.18 (Debian 15.18-0+deb12u1))
transaction type: page.sql
number of transactions actually processed: 8622
number of failed transactions: 0 (0.000%)
latency average = 1.856 ms
initial connection time = 4.170 ms
tps = 4311.207314 (without initial connection time)
"""


def test_the_last_line_of_wrk_is_what_it_found():
    found = outcome_of(WRK, "", "url")
    assert found == Outcome(14760, 2.000123, 0.72, 1.9, 7.25, 812)
    assert round(found.rate) == 7380


@pytest.mark.parametrize(("was", "is_"), [('"refused": 0', '"refused": 3'), ('"broken": 0', '"broken": 1')])
def test_one_request_that_was_refused_or_lost_ends_the_run(was: str, is_: str):
    with pytest.raises(SystemExit, match=r"refused and \d lost of 14760 to url"):
        outcome_of(WRK.replace(was, is_), "", "url")


def test_what_wrk_complains_about_is_told():
    with pytest.raises(SystemExit, match="unable to connect"):
        outcome_of("", "unable to connect to 127.0.0.1:1 Connection refused", "url")


def test_pgbench_says_how_many_in_a_second_and_how_many_in_all():
    assert done_of(PGBENCH, "") == (4311.207314, 8622)


def test_a_transaction_that_failed_ends_the_run():
    with pytest.raises(SystemExit, match="pgbench failed"):
        done_of(PGBENCH.replace("transactions: 0 (0.000%)", "transactions: 12 (0.139%)"), "")


def test_pgbench_that_did_not_run_ends_the_run_with_its_complaint():
    with pytest.raises(SystemExit, match="no such table"):
        done_of("", "ERROR: no such table")


def test_what_load_lua_writes_is_what_is_read():
    lua = LOAD_SCRIPT.read_text()
    for field in json.loads(WRK.splitlines()[-1]):
        assert f'"{field}": ' in lua
