"""Invoices printed in another process have the same bytes.

Nothing is lost whatever happens to that process, and none of it is left behind.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Pipe
from pathlib import Path
from statistics import median

import pytest

from prorata.adapters.printing.pdf import TypstPrinter
from prorata.adapters.printing.print_process import PrintFailed, PrintProcess, serve_prints
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.errors import Unavailable
from tests.adapters.printing.test_pdf import LINK, seven_charges
from tests.domain.printing.test_rendering import invoice
from tests.pace import loop

DEAD_AT_ONCE = (sys.executable, "-c", "")
NEVER_ANSWERS = (sys.executable, "-c", "import time; time.sleep(60)")
DIES_WHEN_ASKED = (sys.executable, "-c", "import os; os.read(0, 1)")
PRINTS_AND_WAITS = """
import time
from prorata.adapters.printing.print_process import PrintProcess
from tests.domain.printing.test_rendering import invoice
printer = PrintProcess()
printer(invoice())
print(printer.pid, flush=True)
time.sleep(60)
"""


MOST_LOOPS = 15
"""The maximum CPU time of half of all long invoices, in loops of `tests.pace`.

An idle machine takes some 5 loops (24 ms, docs/adr/0011), and two cores with ten other busy processes take 7.
"""


@pytest.fixture
def printer() -> Iterator[PrintProcess]:
    made = PrintProcess()
    yield made
    made.close()


def is_there(pid: int | None) -> bool:
    return pid is not None and Path(f"/proc/{pid}").exists()


def ends(pid: int, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while is_there(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_there(pid)


def test_the_bytes_are_those_of_a_printer_in_this_process(printer: PrintProcess):
    one = invoice(tenant_name="Zoë Ωmega")
    assert printer(one) == TypstPrinter()(one)
    first = printer.pid
    assert printer(invoice()) == TypstPrinter()(invoice())
    assert printer.pid == first, "one process prints both"


def test_nothing_is_started_before_the_first_invoice_and_nothing_is_left_at_the_end():
    printer = PrintProcess()
    assert printer.pid is None
    printer(invoice())
    pid = printer.pid
    assert is_there(pid)
    printer.close()
    assert not is_there(pid)
    printer.close()


def test_a_process_that_was_killed_is_replaced_and_nobody_notices(printer: PrintProcess):
    wanted = printer(invoice())
    killed = printer.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    assert printer(invoice()) == wanted
    assert printer.pid != killed


def test_who_stops_every_process_at_once_does_not_stop_the_printing_of_what_is_under_way(printer: PrintProcess):
    wanted, pid = printer(invoice()), printer.pid
    assert pid is not None
    os.kill(pid, signal.SIGTERM)
    os.kill(pid, signal.SIGINT)
    assert printer(invoice()) == wanted
    assert printer.pid == pid


@pytest.mark.parametrize("command", [DEAD_AT_ONCE, DIES_WHEN_ASKED, ("/no/such/program",)])
def test_a_process_that_keeps_dying_is_a_refusal_that_says_to_try_again(command: tuple[str, ...]):
    printer = PrintProcess(command=command)
    with pytest.raises(Unavailable, match=r"can’t be printed at the moment.*try again"):
        printer(invoice())
    assert printer.pid is None


def test_a_process_that_does_not_answer_is_ended_and_not_waited_for():
    printer = PrintProcess(command=NEVER_ANSWERS, patience=0.3)
    began = time.monotonic()
    with pytest.raises(Unavailable, match="can’t be printed at the moment"):
        printer(invoice())
    assert time.monotonic() - began < 5
    assert printer.pid is None


def test_an_invoice_that_can_not_be_printed_says_why_and_the_next_one_is_printed(printer: PrintProcess):
    wanted = printer(invoice())
    pid = printer.pid
    with pytest.raises(PrintFailed, match="ValueError: Invalid isoformat string"):
        printer(invoice(made_at="yesterday"))
    assert printer(invoice()) == wanted
    assert printer.pid == pid


def test_threads_that_print_at_once_each_get_their_own_invoice(printer: PrintProcess):
    own = TypstPrinter()
    wanted = {name: own(invoice(tenant_name=name)) for name in ("Ann", "Bo", "Cy")}
    found: dict[str, bytes] = {}
    threads = [
        threading.Thread(target=lambda name=name: found.update({name: printer(invoice(tenant_name=name))}))
        for name in wanted
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


@pytest.mark.thorough
def test_the_process_ends_with_the_one_that_started_it_also_when_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", PRINTS_AND_WAITS], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        pid = int(run.stdout.readline())
        assert is_there(pid)
        run.kill()
    assert ends(pid)


def test_it_knows_no_setting_of_the_one_that_started_it(printer: PrintProcess, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PRORATA_SECRET_KEY", "a secret")
    printer(invoice())
    assert b"PRORATA_" not in Path(f"/proc/{printer.pid}/environ").read_bytes()


def cpu_of(pid: int) -> float:
    """The CPU seconds of another process, including all of its threads that have ended."""
    return time.clock_gettime((~pid << 3) | 2)  # clock_getcpuclockid of the C library, which Python lacks


@pytest.mark.thorough
def test_a_long_invoice_costs_little_cpu_in_both_processes_together(printer: PrintProcess):
    one = invoice(payment_link=LINK, charges=seven_charges())
    printer(one)
    assert printer.pid is not None
    took = []
    for at in range(41):
        other = one._replace(tenant_name=f"Tenant {at}", number=f"MAPLE-{at}-2026-03")
        began, began_there = time.process_time(), cpu_of(printer.pid)
        printer(other)
        seconds = time.process_time() - began + cpu_of(printer.pid) - began_there
        took.append(seconds / loop())
    assert median(took) <= MOST_LOOPS


class CountingPrinter:
    """A printer that prints only how many invoices it has printed."""

    def __init__(self) -> None:
        self.printed = 0

    def __call__(self, _invoice: PrintedInvoice) -> bytes:
        self.printed += 1
        return b"%d" % self.printed


def test_a_process_that_nobody_uses_ends():
    ours, theirs = Pipe()
    with ours, theirs:
        serve_prints(theirs, CountingPrinter(), idle=0.05)


def test_a_process_ends_after_so_many_invoices():
    ours, theirs = Pipe()
    counting = CountingPrinter()
    with ours, theirs:
        for _ in range(5):
            ours.send_bytes(pickle.dumps(invoice()))
        serve_prints(theirs, counting, most=3)
        assert [ours.recv_bytes() for _ in range(3)] == [b"p1", b"p2", b"p3"]
    assert counting.printed == 3


def test_that_who_asked_was_killed_meanwhile_is_no_mistake_of_the_process():
    ours, theirs = Pipe()
    ours.send_bytes(pickle.dumps(invoice()))

    def print_for_nobody(_invoice: PrintedInvoice) -> bytes:
        ours.close()
        return b"%PDF"

    with theirs:
        serve_prints(theirs, print_for_nobody)
