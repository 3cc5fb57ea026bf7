"""The checks of `prorata check` on stored explanations: their hashes and their charges."""

import zlib
from collections.abc import Iterator, Mapping, Sequence

from prorata.domain.countries import in_square_metres
from prorata.domain.invoice_states import DRAFT
from prorata.domain.money import in_figures
from prorata.domain.splitting.explained_facts import object_of
from prorata.domain.splitting.sealed_json import SEAL, Content, seal_of
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.splitting import explanations
from prorata.store.splitting.explanations import InvoiceExplanationRow, MonthExplanationRow


def of_explanations(
    tx: Tx,
    account_id: str,
    property_ids: Sequence[str],
    months: Sequence[str],
    invoices: Sequence[InvoiceRow],
    charges: Mapping[str, Sequence[ChargeRow]],
) -> Iterator[str]:
    """Yield a sentence for each altered or mismatched explanation.

    An explanation is altered if its content no longer matches its hash. It is mismatched if it has the number of a
    sent invoice but explains other charges.
    """
    rows = {row.id: row for row in invoices}
    for kept in explanations.of_months(tx, account_id, property_ids, months):
        if _sealed(kept) is None:
            yield f"The month {kept.month} of property {kept.property_id} has an explanation that was changed."
    for invoice_explanation in explanations.of_invoices(tx, account_id, list(rows)):
        content, row = _sealed(invoice_explanation), rows[invoice_explanation.invoice_id]
        if content is None:
            yield f"Invoice {row.id} has an explanation of {invoice_explanation.number} that was changed."
        elif (
            invoice_explanation.number == row.number
            and row.status != DRAFT
            and not _is_of(content, charges.get(row.id, ()))
        ):
            yield f"Invoice {row.id} has an explanation whose charges differ from its own."


def _sealed(kept: MonthExplanationRow | InvoiceExplanationRow) -> Content | None:
    """Decode a stored explanation; None if its hash is wrong or it can't be decoded."""
    try:
        content = object_of(kept.text)
    except (zlib.error, UnicodeDecodeError):
        return None
    return content if content is not None and content.get(SEAL) == seal_of(content) else None


def _is_of(content: Content, charges: Sequence[ChargeRow]) -> bool:
    """True if an explanation contains exactly these charges, with their amounts and texts.

    A floor area in square feet and the same one in square meters count as the same text.
    """
    told = sorted((str(entry["amount"]), in_square_metres(str(entry["sentence"]))) for entry in content["charges"])
    return told == sorted((in_figures(charge.amount), in_square_metres(charge.description)) for charge in charges)
