"""The owner's differences of a closed month, which tenants' corrections leave over.

Corrections are stored for households and, if a bill came late, for the owner's part of its lines. The owner's part of
any other line follows from the charges and corrections of its households.
"""

from collections.abc import Sequence

from prorata.actions.recalculation.correction_decisions import ClosedMonth, ShownCorrection
from prorata.domain.groups import grouped
from prorata.domain.splitting.correction_sentences import about_correction, read, sentence
from prorata.domain.splitting.corrections import OWNERS
from prorata.store.recalculation.corrections import CorrectionRow


def with_owner(month: ClosedMonth, shown: Sequence[ShownCorrection]) -> list[ShownCorrection]:
    """Add the owner's difference of each corrected line to a closed month's corrections.

    The differences of a line then add up to the change of the line's amount since the month was closed.
    """
    of_lines = grouped(((one.row.bill_id, one.row.line), one.row) for one in shown)
    then = {(line.bill_id, line.number): line.amount for line in month.then.lines}
    now = {(line.bill_id, line.number): line for line in month.loaded.lines}
    owners = list[CorrectionRow]()
    for key, rows in of_lines.items():
        if any(not row.unit_id for row in rows):
            continue
        line, before = now.get(key), then.get(key, 0)
        amount, owner = (line.amount, line.owner_amount) if line else (0, 0)
        own = amount - owner - sum(row.right_amount - row.own_amount - row.left_amount for row in rows)
        difference = amount - before - sum(row.right_amount - row.own_amount for row in rows)
        if difference:
            owners.append(_owners(rows[0], before - own, difference, month.loaded.now.currency))
    return [*shown, *(ShownCorrection(row, "", None, None, is_revocable=False) for row in owners)]


def _owners(row: CorrectionRow, own: int, difference: int, currency: str) -> CorrectionRow:
    """Build the row of the owner's difference beside a household's correction of the line."""
    said, right = read(row.description), own + difference
    description = ""
    if said is not None:
        about = about_correction(said.month, said.issuer, said.bill_date)
        description = sentence(about, own, right, currency, OWNERS)
    return row._replace(
        unit_id="", tenant_id="", household="", description=description, right_amount=right, own_amount=own,
        elsewhere_amount=0, waiting_amount=0, to_charge_amount=0, left_amount=difference,
    )  # fmt: skip
