"""The invoices that a person picks for a bank file's rows before recording them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from prorata.domain.payments.candidates import Candidate
from prorata.domain.payments.files import BankRow
from prorata.domain.payments.matching import MATCHED, Match

Wanted = tuple[BankRow, Candidate]


class Picks(NamedTuple):
    """The invoices picked for a file's rows, by the rows' line numbers.

    `chosen` are fingerprints (`mark_of`) of chosen proposals; an empty one means that none of the proposals is right.
    `numbers` are typed invoice numbers; an empty text means that none was typed.
    """

    chosen: Mapping[int, str] = {}
    numbers: Mapping[int, str] = {}

    def and_then(self, later: "Picks") -> "Picks":
        """Return these picks merged with later ones, which replace those for the same lines.

        >>> Picks({3: "a", 4: "b"}).and_then(Picks({4: ""}, {5: "MAPLE-1"}))
        Picks(chosen={3: 'a', 4: ''}, numbers={5: 'MAPLE-1'})
        """
        return Picks({**self.chosen, **later.chosen}, {**self.numbers, **later.numbers})


def mark_of(candidate: Candidate) -> str:
    """Compute the fingerprint of a proposal, the invoices that a row may pay.

    The fingerprint changes if the proposal has other invoices, if an invoice's open amount or the amount paid on it
    changes, or if the payment now replaces, or no longer replaces, an amount with which an invoice was marked as
    paid.
    """
    return " ".join(
        f"{part.invoice.id}:{part.invoice.balance}:{part.cents}{':noted' if part.in_place_of_noted else ''}"
        for part in candidate
    )


def mark_of_matched(waiting: Sequence[Match], without: Collection[int]) -> str:
    """Compute a fingerprint that changes if a matched row is matched to other invoices.

    Rows whose line is in `without` are ignored.
    """
    lines = (f"{match.row.line}={mark_of(match.candidates[0])}" for match in waiting
             if match.verdict == MATCHED and match.row.line not in without)  # fmt: skip
    return sha256("\n".join(lines).encode()).hexdigest()


def in_parts(wanted: Sequence[Wanted], most: int) -> Iterator[tuple[Wanted, ...]]:
    """Yield rows in groups of about `most`, all rows for one invoice in one group.

    Such rows must be recorded together, because they are all compared with the invoice's open amount before any of
    them is recorded. The result has at least one group.
    """
    groups: dict[str, list[Wanted]] = {}
    for row in wanted:
        ids = [part.invoice.id for part in row[1]]
        met = {id(group): group for key in ids if (group := groups.get(key))}
        together = [*(member for group in met.values() for member in group), row]
        groups |= dict.fromkeys((part.invoice.id for _, candidate in together for part in candidate), together)
    chunk: list[Wanted] = []
    for group in {id(group): group for group in groups.values()}.values():
        if chunk and len(chunk) + len(group) > most:
            yield tuple(chunk)
            chunk = []
        chunk += group
    yield tuple(chunk)
