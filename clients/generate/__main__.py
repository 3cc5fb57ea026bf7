"""The command that writes both clients' generated files: `python -m clients.generate`, or `make clients`."""

from pathlib import Path

from clients.generate.document import ROOT, Document, read
from clients.generate.python import python_files
from clients.generate.typescript import typescript_files


def write_python(folder: Path, document: Document | None = None) -> None:
    """Write the generated modules of the Python client into its folder."""
    _write(folder / "prorata_client", python_files(document or read()))


def write_typescript(folder: Path, document: Document | None = None) -> None:
    """Write the generated modules of the TypeScript client into its folder."""
    _write(folder / "src", typescript_files(document or read()))


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    said = read()
    write_python(ROOT / "clients" / "python", said)
    write_typescript(ROOT / "clients" / "typescript", said)
