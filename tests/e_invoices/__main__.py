"""Read the e-invoices in folders and report those that fail.

`python -m tests.e_invoices FOLDER...` reads every XML and PDF below the folders as the Inbox does. It names each file
that is not read as an e-invoice, with the reason; with `--json` it prints the facts that it read.
"""

import json
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from prorata import wiring
from prorata.domain.file_names import clean_name
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.money import in_figures
from prorata.errors import Refusal

NO_E_INVOICE = "a PDF without an e-invoice, whose pages were read"


def main(arguments: Sequence[str]) -> int:
    """Read the files, and print the results."""
    folders = [Path(one) for one in arguments if not one.startswith("--")]
    read: dict[str, Draft] = {}
    refused: dict[str, list[str]] = defaultdict(list)
    for folder in folders:
        for path in _files(folder):
            name = f"{folder.name}/{path.relative_to(folder)}"
            said = _read(path)
            if isinstance(said, Draft):
                read[name] = said
            else:
                refused[said].append(name)
    if "--json" in arguments:
        _say(json.dumps({name: _told(draft) for name, draft in read.items()}, ensure_ascii=False, indent=1))
        return 0
    for reason, names in sorted(refused.items()):
        _say("\n  ".join((f"{len(names)} not read: {reason}", *sorted(names))))
    kinds = Counter(Path(name).suffix.lower() for name in read)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    number = len(read) + sum(map(len, refused.values()))
    many = ", ".join(f"{many} {kind}" for kind, many in sorted(kinds.items()))
    seconds = (spent.ru_utime + spent.ru_stime) / max(number, 1)
    _say(f"{len(read)} of {number} files read: {many}")
    _say(f"{seconds:.2f} s of a processor a file, at most {spent.ru_maxrss / 1024:.0f} MB")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in (".xml", ".pdf") and path.is_file())


def _read(path: Path) -> Draft | str:
    """Return the draft of an e-invoice, or the reason why there is none."""
    try:
        (file,) = wiring.files_in(clean_name(path.name), path.read_bytes())
        read = wiring.bill_reader(for_browsers=True).read(file.data)
    except Refusal as refusal:
        return refusal.message
    if read.draft.stated is not None:
        return read.draft
    return read.draft.note or read.said or NO_E_INVOICE


def _told(draft: Draft) -> dict[str, Any]:
    return {
        "seller": draft.issuer.value,
        "number": draft.bill_number.value,
        "date": draft.bill_date.value.isoformat() if isinstance(draft.bill_date.value, date) else None,
        "payable": in_figures(draft.total.value or 0),
        "currency": draft.currency,
        "asked": [
            name for name in ("issuer", "bill_number", "bill_date", "total") if getattr(draft, name).surety != "found"
        ],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
