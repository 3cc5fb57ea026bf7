"""Built data that is kept for the next run, unless schema or builder change."""

import ast
import hashlib
import os
import time
from pathlib import Path

from benchmarks.data import Shape, build
from benchmarks.places import KEPT, ROOT
from benchmarks.progress import tell

_NEW = "new"


def built(shape: Shape) -> Path:
    """Return the SQLite file with this data, kept or newly built."""
    KEPT.mkdir(parents=True, exist_ok=True)
    name = f"{shape.name}-{len(shape.properties)}"
    file = KEPT / f"{name}-{_version()}.sqlite3"
    if not file.exists():
        tell(f"Building {shape.units:,} units, {shape.invoices:,} invoices …")
        begun = time.monotonic()
        new = KEPT / f"{_NEW}-{os.getpid()}-{name}.sqlite3"
        try:
            build(shape, new)
            for old in KEPT.glob(f"{name}-*"):
                old.unlink()
            new.rename(file)
        finally:
            for left in KEPT.glob(new.name + "*"):
                left.unlink()
        tell(f"  built in {time.monotonic() - begun:.0f} s, {file.stat().st_size / 1e6:,.0f} MB")
    return file


def _version() -> str:
    """Return a hash of the schema and the builder, independent of their formatting."""
    files = [*sorted((ROOT / "prorata/store/migrations/versions").glob("*.py")), ROOT / "benchmarks/data.py"]
    meant = "".join(ast.dump(ast.parse(file.read_text())) for file in files)
    return hashlib.sha256(meant.encode()).hexdigest()[:12]
