"""Earlier months' charges of a tenant, which printed invoices show for comparison.

The number of SQL statements does not depend on the number of invoices.
"""

from collections import ChainMap, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from prorata.actions.printing.stored_charges import names_of
from prorata.domain.billing_calendar import Month, first_day, last_day
from prorata.domain.groups import grouped
from prorata.domain.printing.earlier_amounts import BillLine, Earlier, earlier_amounts, months_before
from prorata.domain.printing.replaced_invoices import Charged
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.printing import earlier_charges
from prorata.store.printing.earlier_charges import EarlierCharge, EarlierCorrection


def of_invoices(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> Mapping[str, tuple[Earlier, ...]]:
    """Map invoices to their tenants' charges one month and one year before.

    Only charges to the same tenant in the same unit are included, from invoices that are sent and not cancelled. The
    amounts by which other invoices, drafts included, correct these charges are added to them. The amounts of the bills'
    lines that they are for come with them, unless a part of the household's own correction was not charged. A tenant
    who moved in or out within one of the two months has nothing to compare: they are for fewer days.
    """
    of_tenants = [row for row in rows if row.tenant_id is not None]
    if not of_tenants:
        return {}
    units = sorted({row.unit_id for row in of_tenants})
    months = sorted({month for row in of_tenants for month in months_before(Month(row.month))})
    before = earlier_charges.of_units(tx, account_id, units, months)
    charged = grouped(((one.unit_id, one.tenant_id, one.month), one) for one in before)
    properties = sorted({row.property_id for row in of_tenants})
    corrected: dict[tuple[str, str, str], list[Charged]] = defaultdict(list)
    corrections = earlier_charges.corrections(tx, account_id, properties, units, months) if charged else []
    lines: list[EarlierCharge | EarlierCorrection] = [*before, *corrections]
    billed: dict[BillLine, int | None] = {(one.bill_id, one.line): one.billed for one in lines}
    unknown: dict[tuple[str, str], dict[BillLine, int | None]] = defaultdict(dict)
    for its in corrections:
        for tenant_id in its.household.split():
            if its.amount:
                correct = Charged(its.bill_id, its.line, its.utility_type, its.amount, "")
                corrected[its.unit_id, tenant_id, its.month].append(correct)
            if not its.is_whole:
                unknown[its.unit_id, tenant_id][its.bill_id, its.line] = None

    def comparable(row: InvoiceRow, month: Month) -> list[Charged]:
        since, until = first_day(month).isoformat(), last_day(Month(row.month)).isoformat()
        of = row.unit_id, row.tenant_id or "", month
        its = [
            Charged(one.bill_id, one.line, one.utility_type, one.amount, one.description)
            for one in charged.get(of, ())
            if (one.move_in or since) <= since and until <= (one.move_out or until)
        ]
        return [*its, *corrected.get(of, ())] if its else []

    found = [(row, [comparable(row, month) for month in months_before(Month(row.month))]) for row in of_tenants]
    names = names_of(tx, account_id, chain.from_iterable(chain.from_iterable(its for _, its in found)))
    return {
        row.id: earlier_amounts(
            month_before, year_before, names, ChainMap(unknown[row.unit_id, row.tenant_id or ""], billed)
        )
        for row, (month_before, year_before) in found
    }
