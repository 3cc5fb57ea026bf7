"""The content of printed invoices, collected from the database."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from types import MappingProxyType

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.printing import carried_credits, earlier_amounts
from prorata.actions.printing.roommates import names_beside
from prorata.actions.printing.stored_charges import as_charged, names_of
from prorata.actions.recalculation import loaded_months
from prorata.domain.accounts.pay_to import PayTo, pay_to_of
from prorata.domain.billing_calendar import Month, day_of
from prorata.domain.due_times import day_in
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CLOSING, DRAFT, UNPAID
from prorata.domain.printing.earlier_amounts import Earlier, beside, only_before
from prorata.domain.printing.printed_invoices import (
    Biller,
    Copy,
    CreditGoes,
    Place,
    PrintedCharge,
    PrintedInvoice,
    from_json,
    is_final,
    to_json,
    without_name,
)
from prorata.domain.printing.replaced_invoices import Charged, Names, Replaced, changed, from_json as charges_from_json
from prorata.domain.splitting.changed_days import DaysChange, changed_days, that_matter
from prorata.domain.splitting.correction_sentences import read
from prorata.domain.splitting.explanations import explain, explain_before
from prorata.domain.splitting.month_facts import Line, MonthFacts, from_json as facts_from_json
from prorata.domain.splitting.planned_charges import PlannedCharge, about_bill
from prorata.errors import NotFound
from prorata.ids import is_id
from prorata.store.accounts import letterheads
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices, invoices, open_money
from prorata.store.invoices.asked_elsewhere import asked_elsewhere
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.earlier_invoices import EarlierRow
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.recalculation import billing_months as months

OfMonth = tuple[MonthFacts | None, MonthFacts | None]
"""The facts that explain a charge of a month, and those behind the charge that it corrects, if kept."""
_UNKNOWN: OfMonth = (None, None)


def find(tx: Tx, caller: Caller, invoice_id: str) -> PrintedInvoice:
    """Build an invoice's printed form as of now.

    Raises `NotFound` if there is no such invoice. This runs several SQL statements, which must see the same state of
    the database. It takes longer the more units the property has, so don't call it in the event loop's thread.
    """
    return of_row(tx, caller, access.invoice(tx, caller, invoice_id))


def under(tx: Tx, caller: Caller, invoice_id: str, number: str) -> PrintedInvoice:
    """Build the printed form of an invoice under its current number or a former one.

    A former number gives the invoice as it was sent under that number. Raises `NotFound` if there is no such invoice.
    """
    return _under(tx, caller, access.invoice(tx, caller, invoice_id), number)


def named_row(tx: Tx, caller: Caller, named: str) -> InvoiceRow:
    """Find an invoice by its id, its current number, or a former number.

    Raises `NotFound` if there is no such invoice.
    """
    row = None if is_id(named, "inv") else earlier_invoices.find_by_number(tx, caller.account_id, named.strip().upper())
    return row or access.invoice(tx, caller, named)


def of_row(tx: Tx, caller: Caller, row: InvoiceRow) -> PrintedInvoice:
    """Build the printed form of a loaded invoice."""
    (found,) = of_rows(tx, caller, [row])
    return found


def of_rows(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow]) -> list[PrintedInvoice]:
    """Build the printed forms of several invoices, in the order given.

    The number of SQL statements does not depend on the number of invoices.
    """
    account, ids = account_actions.the_account(tx, caller), [row.id for row in rows]
    found = properties.find_many(tx, account.id, sorted({row.property_id for row in rows}))
    of_properties = {one.id: one for one in found}
    copies, facts = _copies(tx, account, of_properties, rows), _facts(tx, account.id, of_properties, rows)
    letterhead = letterheads.of_account(tx, account.id)
    replaced, credited = _replaced_by(tx, account.id, rows), carried_credits.of_rows(tx, account.id, rows)
    then = _facts_of(tx, account.id, rows, replaced.values())
    unpaid, issued = ([row.id for row in rows if row.status in these] for these in (UNPAID, CLOSING))
    goes = _credits_go(tx, account, rows)
    in_question, elsewhere = disputed(tx, account.id, unpaid), asked_elsewhere(tx, account.id, issued)
    stored = invoices.charges(tx, account.id, ids)
    charges, names = grouped((one.invoice_id, one) for one in stored), names_of(tx, account.id, stored)
    corrected = _corrected(tx, account.id, of_properties, [(row.property_id, charges[row.id]) for row in rows])
    return [
        _printed(
            account, row, copies[row.id], [as_charged(one) for one in charges[row.id]],
            facts[row.property_id, row.month], replaced.get(row.replaces_number or ""), names, corrected, then,
        )._replace(
            payment_link=row.payment_link_url, credits=credited.get(row.id, ()), letterhead=letterhead,
            disputed=in_question.get(row.id, 0), elsewhere=tuple(elsewhere.get(row.id, ())),
            credit_goes=goes.get(row.id, "ask"),
        )
        for row in rows
    ]  # fmt: skip


def _under(tx: Tx, caller: Caller, row: InvoiceRow, named: str) -> PrintedInvoice:
    number = named.strip().upper()
    if number == row.number:
        return of_row(tx, caller, row)
    kept = earlier_invoices.of_number(tx, caller.account_id, number)
    if kept is None or kept.invoice_id != row.id:
        raise NotFound("invoice")
    (found,) = as_they_were(tx, caller, [(row, kept)])
    return found


def as_they_were(
    tx: Tx, caller: Caller, taken_back: Sequence[tuple[InvoiceRow, EarlierRow]]
) -> Iterator[PrintedInvoice]:
    """Yield the printed forms of invoices as sent before they were taken back.

    They are in the order of `taken_back`. The number of SQL statements does not depend on the number of invoices.
    """
    account = account_actions.the_account(tx, caller)
    facts = _facts_of(tx, account.id, [row for row, _ in taken_back], [kept for _, kept in taken_back])
    then = [row._replace(**{name: getattr(kept, name) for name in OF_EARLIER}) for row, kept in taken_back]
    letterhead, replaced = letterheads.of_account(tx, account.id), _replaced_by(tx, account.id, then)
    charges = [charges_from_json(kept.charges) for _, kept in taken_back]
    names = names_of(tx, account.id, chain.from_iterable(charges))
    for was, (row, kept), its in zip(then, taken_back, charges, strict=True):
        yield _printed(
            account, was, from_json(kept.printed, account.locale), its, facts.get(kept.facts or ""),
            replaced.get(was.replaces_number or ""), names,
        )._replace(replaced_by=row.number, letterhead=letterhead)  # fmt: skip


def _facts_of(tx: Tx, account_id: str, rows: Sequence[InvoiceRow], kept: Iterable[EarlierRow]) -> dict[str, MonthFacts]:
    """Map digests to the stored facts from which taken-back invoices (`rows`) were computed."""
    digests = sorted({one.facts for one in kept if one.facts is not None})
    texts = earlier_invoices.snapshots(tx, account_id, sorted({row.property_id for row in rows}), digests)
    return {digest: facts_from_json(text) for digest, text in texts.items()}


def _credits_go(tx: Tx, account: AccountRow, rows: Sequence[InvoiceRow]) -> dict[str, CreditGoes]:
    """Map ids of overpaid invoices to what becomes of their credit.

    It is paid back to a household that has left, and otherwise carried if the account's settings allow this.
    """
    over = [row.id for row in rows if row.status in (DRAFT, *CLOSING) and row.tenant_id and row.paid_amount > row.total]
    if not over:
        return {}
    left = open_money.of_leavers(tx, account.id, over, day_in(tx.moment, account.timezone).isoformat())
    return {each: "back" if each in left else "next" if account.carry_credits else "ask" for each in over}


OF_EARLIER = (
    "number", "replaces_number", "status", "invoice_date", "due_date", "total", "paid_amount", "paid_at", "tenant_id",
    "tenant_name", "printed", "generated_at",
)  # fmt: skip
"""The fields, in addition to its charges, that are kept of an invoice that is taken back."""


def _printed(
    account: AccountRow,
    row: InvoiceRow,
    copy: Copy,
    charges: Sequence[Charged],
    facts: MonthFacts | None,
    replaced: EarlierRow | None,
    names: Names,
    corrected: Mapping[tuple[str, str], OfMonth] = MappingProxyType({}),
    then: Mapping[str, MonthFacts] = MappingProxyType({}),
) -> PrintedInvoice:
    replaces = _replaced(row, replaced, charges, names)
    of_then = then.get(replaced.facts or "") if replaced and replaces else None
    was = charges_from_json(replaced.charges) if replaced and replaces else ()
    return PrintedInvoice(
        number=row.number,
        month=Month(row.month),
        status=row.status,
        invoice_date=date.fromisoformat(row.invoice_date),
        due_date=day_of(row.due_date),
        made_at=row.generated_at,
        copy=copy,
        tenant_name=row.tenant_name,
        charges=_charges(row, charges, copy, (facts, corrected), (of_then, was), names),
        total=row.total,
        paid=row.paid_amount,
        paid_on=day_in(datetime.fromisoformat(row.paid_at), account.timezone) if row.paid_at else None,
        payment_link=None,
        replaces=replaces,
        only_before=only_before(charges, copy.earlier, names),
    )


def _charges(
    row: InvoiceRow,
    charges: Sequence[Charged],
    copy: Copy,
    now: tuple[MonthFacts | None, Mapping[tuple[str, str], OfMonth]],
    then: tuple[MonthFacts | None, Sequence[Charged]],
    names: Names,
) -> tuple[PrintedCharge, ...]:
    """Build an invoice's printed charges with their explanations.

    `now` contains the facts of the invoice's month and of the months that the charges correct; `then` contains the
    facts and charges of the replaced invoice as it was sent. `names` are those that tenants see instead of utilities.
    """
    (facts, corrected), (of_then, was) = now, then
    charged = {(one.bill_id, one.line): one.amount for one in was if one.bill_id and not one.corrects_month}
    return tuple(
        _charge(
            charge,
            corrected.get((row.property_id, charge.corrects_month), _UNKNOWN) if charge.corrects_month
            else (facts, of_then),
            row, charged.get((charge.bill_id or "", charge.line)),
        )._replace(earlier=earlier, own_name=charge.own_name(names))
        for charge, earlier in zip(charges, beside(charges, copy.earlier, names), strict=True)
    )  # fmt: skip


def _replaced_by(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> dict[str, EarlierRow]:
    """Map the numbers of replaced invoices to their content as sent; `rows` replace them."""
    ids = [row.id for row in rows if row.replaces_number is not None]
    return {one.number: one for one in earlier_invoices.of_invoices(tx, account_id, ids)}


def _replaced(row: InvoiceRow, kept: EarlierRow | None, charges: Sequence[Charged], names: Names) -> Replaced | None:
    """Return the sent invoice that an invoice replaces, if any; None for a draft."""
    if row.replaces_number is None or row.status == DRAFT:
        return None
    assert kept is not None, "what is replaced is kept"
    changes = changed(charges_from_json(kept.charges), charges, names)
    return Replaced(kept.number, date.fromisoformat(kept.invoice_date), kept.total, changes)


def copy_of(
    account: AccountRow,
    of_property: PropertyRow,
    unit: UnitRow,
    tenant: TenantRow | None,
    tenant_name: str | None,
    earlier: tuple[Earlier, ...],
    roommates: tuple[str, ...],
    *,
    final: bool,
) -> str:
    """Encode everything that an invoice prints in addition to its charges.

    The result is stored when the invoice leaves DRAFT.
    """
    copy = _copy_of_now(account, of_property, unit, tenant, earlier, roommates)
    return to_json(copy._replace(is_final=final), tenant_name)


def _copies(
    tx: Tx, account: AccountRow, of_properties: Mapping[str, PropertyRow], rows: Sequence[InvoiceRow]
) -> dict[str, Copy]:
    """Load the content that invoices print besides their charges, as stored when they left DRAFT.

    Drafts print current data.
    """
    kept = {row.id: row.printed for row in rows if row.printed is not None and row.status != DRAFT}
    drafts = [row for row in rows if row.id not in kept]
    unit_ids, tenant_ids = ({row.unit_id for row in drafts}, {row.tenant_id for row in drafts if row.tenant_id})
    its_units = {one.id: one for one in units.find_many(tx, account.id, sorted(unit_ids))} if drafts else {}
    found = units.tenants_of_past(tx, account.id, sorted(tenant_ids)) if tenant_ids else []
    tenants = {one.id: one for one in found}
    earlier, beside_them = earlier_amounts.of_invoices(tx, account.id, drafts), names_beside(tx, account.id, drafts)
    of_drafts = {
        row.id: _copy_of_now(
            account, of_properties[row.property_id], its_units[row.unit_id], tenants.get(row.tenant_id or ""),
            earlier.get(row.id, ()), beside_them.get(row.id, ()),
        )._replace(is_final=is_final(row.printed))
        for row in drafts
    }  # fmt: skip
    return of_drafts | {invoice_id: from_json(printed, account.locale) for invoice_id, printed in kept.items()}


def _copy_of_now(
    account: AccountRow,
    of_property: PropertyRow,
    unit: UnitRow,
    tenant: TenantRow | None,
    earlier: tuple[Earlier, ...],
    roommates: tuple[str, ...],
) -> Copy:
    return Copy(
        Biller(account.name, account.address, account.contacts),
        Place(
            of_property.name,
            of_property.street_number,
            of_property.street,
            of_property.city,
            of_property.state,
            of_property.zip,
            of_property.country,
        ),
        unit.label,
        of_property.currency,
        account.locale,
        without_name(tenant.forwarding_address or "", tenant.name) if tenant else "",
        pay_to(account, of_property),
        earlier,
        roommates=roommates,
    )


def pay_to(account: AccountRow, of_property: PropertyRow) -> PayTo:
    """Return a property's payment instructions or, if it has none, those of its account."""
    own = pay_to_of(of_property)
    return own if own != PayTo() else pay_to_of(account)


def _facts(
    tx: Tx, account_id: str, of_properties: Mapping[str, PropertyRow], rows: Sequence[InvoiceRow]
) -> dict[tuple[str, str], MonthFacts]:
    """Map the property-months of invoices to the facts from which they are computed."""
    keys = {(row.property_id, row.month) for row in rows}
    found = months.find_many(tx, account_id, sorted(of_properties), sorted({month for _, month in keys}))
    of_them = [one for one in found if one.key in keys]
    facts = {one.key: facts_from_json(one.snapshot) for one in of_them if one.snapshot is not None}
    open_months = [one for one in of_them if one.key not in facts]  # the others don't need current facts
    wanted = [of_properties[one] for one in sorted({one.property_id for one in open_months})]
    loaded = loaded_months.with_facts(tx, account_id, wanted, open_months)
    return facts | {one.row.key: loaded_months.basis(one).facts for one in loaded}


def _corrected(
    tx: Tx, account_id: str, of_properties: Mapping[str, PropertyRow], charges: Sequence[tuple[str, list[ChargeRow]]]
) -> Mapping[tuple[str, str], OfMonth]:
    """Map the property-months that these charges correct to two sets of facts.

    The current facts give the correct amounts, and the facts at closing the charged ones.
    """
    keys = {(of, one.corrects_month) for of, its in charges for one in its if one.corrects_month}
    if not keys:
        return {}
    found = months.find_many(tx, account_id, sorted({of for of, _ in keys}), sorted({month for _, month in keys}))
    rows = [one for one in found if one.key in keys]
    loaded = loaded_months.with_facts(
        tx, account_id, [of_properties[of] for of in sorted({of for of, _ in keys})], rows
    )
    return {
        one.row.key: (
            loaded_months.without_corrections(one.now),
            None if one.row.snapshot is None else facts_from_json(one.row.snapshot),
        )
        for one in loaded
    }


def _charge(row: Charged, of_month: OfMonth, invoice: InvoiceRow, charged_before: int | None) -> PrintedCharge:
    """Build a printed charge, with its explanation if the facts of its month allow one.

    `charged_before` is the amount on the replaced invoice, if any. For a correction, the explanation shows how the
    correct amount was calculated, and the former amount is the one that the corrected month charged.
    """
    facts, then = of_month
    explanation = days = before = None
    changes: tuple[DaysChange, ...] = ()
    line = facts.line(row.bill_id, row.line) if facts is not None else None
    if facts is not None and line is not None:
        charged = PlannedCharge(line.bill_id, line.number, row.utility_type, row.amount, row.description)
        if row.corrects_month is not None:
            charged = _right_of(charged, line, facts.currency)
            said = read(row.description)
            charged_before = said.charged if said else None
        explanation, days = explain(facts, invoice.unit_id, charged, invoice.tenant_id), facts.days_of(line)
        if explanation and then and charged_before is not None and charged_before != charged.amount:
            before = explain_before(then, invoice.unit_id, explanation, charged_before)
            changes = that_matter(changed_days(then, facts, days), explanation, invoice.tenant_id)
    return PrintedCharge(
        row.utility_type, row.amount, row.description, explanation, days,
        corrects_month=Month(row.corrects_month) if row.corrects_month else None, before=before, changes=changes,
    )  # fmt: skip


def _right_of(charge: PlannedCharge, line: Line, currency: str) -> PlannedCharge:
    """Return a correction's charge with the correct amount instead of the difference."""
    said = read(charge.description)
    if said is None or said.right is None or said.left or said.undecided:
        return charge
    return charge._replace(amount=said.right, description=f"{about_bill(line, currency)}: {said.why}")
