"""The web process, the background process, and the settings of Python in them.

The parts of these processes are chosen by `wiring`.
"""

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from prorata import wiring
from prorata.adapters.database.folder_lock import beside_others
from prorata.adapters.listening import watch_connections
from prorata.settings import Settings, read_settings
from prorata.store.database.schema_state import Condition, condition_of
from prorata.wiring.surroundings import REAL, Surroundings

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_SECONDS_TO_END = 30
_OBJECTS_BEFORE_COLLECTING = (50_000, 20, 50)
_SECONDS_OF_A_TURN = 0.0005


def app(settings: Settings | None = None, around: Surroundings = REAL) -> Any:
    """Make the web application that granian runs in each of its processes.

    The `settings` are read from the environment unless they are given. `around` can replace the system's clock and
    name servers, for example in tests.
    """
    collect_nothing()  # loading makes a hundred thousand objects, and hardly any garbage
    from prorata.web.app import create_app  # noqa: PLC0415 - half a second that no other command should wait for
    from prorata.web.http import malloc_trim  # noqa: PLC0415 - as below
    from prorata.web.http.request_context import LINES_LOST, SECONDS_FULL  # noqa: PLC0415 - as above

    malloc_trim.share_one()
    its_settings = settings or read_settings()
    _start_logging(its_settings, LINES_LOST.inc)
    watch_connections(SECONDS_FULL.inc)
    end_with_parent()
    printing = wiring.print_process()
    outside = wiring.outside(its_settings, printing, around.clock)
    made = create_app(
        database=wiring.open_database(its_settings, around.clock),
        is_current=lambda: condition_of(its_settings.database_url) is Condition.CURRENT,
        metrics=_metrics(),
        settings=its_settings,
        limiter=wiring.limiter(its_settings),
        hasher=wiring.hasher(its_settings),
        archive=wiring.archive(its_settings, around.clock),
        printer=printing,
        at_the_end=printing.close,
        receivers=outside.receivers,
        outside=outside,
    )
    collect_seldom()
    take_short_turns()
    return made


def _start_logging(settings: Settings, lost: Callable[[], object] = lambda: None) -> None:
    from prorata.adapters.logs import start_logging  # noqa: PLC0415 - the process that starts ours writes no log

    start_logging(settings.log_level, lost)


def _metrics() -> "CollectorRegistry":
    """Collect the numbers for /metrics.

    They are this process's numbers or, if `serve` has several processes, the sums over all of them.
    """
    from prometheus_client import REGISTRY, CollectorRegistry  # noqa: PLC0415 - the process that starts ours has none
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415 - as above

    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    summed = CollectorRegistry()
    MultiProcessCollector(summed)  # type: ignore[no-untyped-call]
    return summed


def work(settings: Settings | None = None, *, receives: bool = False, around: Surroundings = REAL) -> None:
    """Do the background work until told to stop, or until the parent process is gone.

    If incoming mail is set up and `receives` is True, this process also receives mail meanwhile. It exits with 1 if one
    of its threads ends with an error.
    """
    from prorata.web.http import malloc_trim  # noqa: PLC0415 - as above
    from prorata.wiring import payments  # noqa: PLC0415 - as above
    from prorata.worker.rounds import SECONDS_BETWEEN_ROUNDS, Worker  # noqa: PLC0415 - as above

    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    settings = settings or read_settings()
    _start_logging(settings)
    end_with_parent(stop)
    lost = end_with_threads(stop)
    malloc_trim.share_one()
    malloc_trim.keep_giving_back(stop)
    with (
        closing(wiring.print_process()) as printing,
        wiring.closed_in_the_end(wiring.open_database(settings, around.clock)) as database,
    ):
        kinds = wiring.job_kinds(settings, printing, around)
        drop_old = wiring.archive(settings, around.clock).drop_old
        worker = Worker(database, drop_old, kinds, begin=lambda: payments.end_trials(settings, database))
        seconds = around.seconds_between_rounds or SECONDS_BETWEEN_ROUNDS
        with ExitStack() as meanwhile:
            if settings.uses_sqlite:  # its file lock is local; elsewhere leases have to run out
                file = wiring.sqlite_file(settings)
                meanwhile.enter_context(beside_others(file.with_name(f"{file.name}-worker"), worker.take_over))
            if receives and not (settings.inbound_smtp is None and settings.imap_url is None):
                from prorata.wiring import inbound  # noqa: PLC0415 - as above

                meanwhile.enter_context(inbound.receiving(settings, database, stop))
            worker.run(stop, seconds)
    if lost.is_set():
        sys.exit(1)


def end_with_parent(stop: threading.Event | None = None) -> None:
    """End this process when its parent ends, however that happens.

    Otherwise, this process would go on working alone.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        if stop is None:
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            stop.set()
        _end_at_last()

    threading.Thread(target=watch, name="parent", daemon=True).start()


def end_with_threads(stop: threading.Event) -> threading.Event:
    """Make this process end if one of its threads ends with an error.

    The error sets `stop` and the returned event, and the process is then restarted. Otherwise, the process would go
    on without the work of that thread, and nobody would notice.
    """
    import structlog  # noqa: PLC0415 - as above

    lost = threading.Event()

    def end(fell: threading.ExceptHookArgs) -> None:
        name = fell.thread.name if fell.thread else None
        structlog.stdlib.get_logger("prorata.worker").critical(
            "a thread is lost, so this process ends", thread=name, exc_info=fell.exc_value
        )
        lost.set()
        stop.set()
        threading.Thread(target=_end_at_last, name="end", daemon=True).start()

    threading.excepthook = end
    return lost


def _end_at_last() -> None:
    threading.Event().wait(_SECONDS_TO_END)
    os._exit(1)


def collect_nothing() -> None:
    """Turn off the cyclic garbage collector.

    This is for start-up, and for a command that makes millions of objects without cycles and then ends.
    """
    gc.disable()


def collect_seldom() -> None:
    """Collect cyclic garbage seldom, and ignore existing objects.

    Requests and imports create many short-lived objects without cycles. Searching them for cycles would take an
    eighth of the processor time.
    """
    gc.freeze()  # a start leaves under 2,000 objects of garbage: collecting them took a tenth of its time
    gc.set_threshold(*_OBJECTS_BEFORE_COLLECTING)
    gc.enable()


def take_short_turns() -> None:
    """Limit a thread that computes to half a millisecond while another thread waits.

    A thread that reads the database gives up Python's interpreter several times. By default, a thread that computes
    then keeps the interpreter for 5 ms each time (docs/adr/0009).
    """
    sys.setswitchinterval(_SECONDS_OF_A_TURN)
