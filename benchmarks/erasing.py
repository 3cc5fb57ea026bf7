"""The export and the erasure of one tenant of a large account, in seconds.

`.venv/bin/python -m benchmarks.erasing`; docs/privacy.md has the results.
"""

import argparse
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks import data
from benchmarks.databases import opened, work_folder
from benchmarks.progress import tell
from prorata import wiring
from prorata.actions.privacy import erasing, exporting
from prorata.actions.privacy.erasing import NothingOutside
from prorata.actions.privacy.read_files import read_files
from prorata.actions.properties import tenants
from prorata.adapters.exports.packs import packed
from prorata.adapters.files.named_files import NamedFiles
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

_UNITS_OF_A_PROPERTY = 20
_LEFT = {"name": "Zuleika Quillfeather-Öztürk", "email": "zq@canary.example", "move_out": "2024-02-01"}


def measure(kind: str, built: Path, folder: Path) -> None:
    """Print the seconds of an export and of an erasure."""
    with closing(sqlite3.connect(built)) as connection:
        account_id, tenant_id = connection.execute("SELECT account_id, tenant_id FROM invoice LIMIT 1").fetchone()
    caller, printer = Caller(account_id, "benchmark"), wiring.printer()
    with opened(kind, folder) as store:
        settings = read_settings({"PRORATA_DATABASE_URL": store.copy(built, "erasing").url}, Path("no.env"))
        with wiring.opened(settings) as database:
            database.write(lambda tx: tenants.change(tx, caller, tenant_id, _LEFT))

            def export(tx: Tx) -> bytes:
                return b"".join(packed(exporting.files_of(tx, caller, tenant_id, printer)))

            def erase() -> None:
                read = read_files(database, caller, tenant_id, NamedFiles())
                database.write(lambda tx: erasing.erase(tx, caller, tenant_id, NothingOutside(), read))

            exported, erased = _seconds(lambda: database.snapshot(export)), _seconds(erase)
            print(f"{kind}: exported in {exported:.1f} s, erased in {erased:.1f} s")


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    """Run with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.erasing", description=__doc__)
    parser.add_argument("--units", type=int, default=100_000)
    asked = parser.parse_args()
    with work_folder() as folder:
        sizes = (_UNITS_OF_A_PROPERTY,) * max(1, asked.units // _UNITS_OF_A_PROPERTY)
        tell(f"builds {sum(sizes)} units")
        data.build(data.Shape("erasing", sizes, 1, 0), folder / "built.sqlite3")
        for kind in ("sqlite", "postgresql"):
            measure(kind, folder / "built.sqlite3", folder)


if __name__ == "__main__":
    main()
