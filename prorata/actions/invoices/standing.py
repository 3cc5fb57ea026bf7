"""The only writer of an invoice's status, money, payment link, delivery and addressee.

The caller states how invoices change; this module adds the effects in `BEFORE_SAVING` and `AFTER_SAVING`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from prorata.actions.invoices import carries, earlier_invoices, invoice_mail, mail_withdrawals, tenant_links
from prorata.actions.jobs import recurring
from prorata.actions.online_payments import duplicate_payments
from prorata.actions.online_payments.payment_links import Links
from prorata.actions.recalculation import disputed_corrections
from prorata.actions.recalculation.month_loader import standing_of
from prorata.actions.recalculation.month_writer import counts_changed, recount
from prorata.domain.audit.verbs import Verb
from prorata.domain.due_times import day_in
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import PAID, SENT, STATUSES, UNSENT, falls_overdue
from prorata.domain.invoices.open_money import OpenMoney, open_money as money_open_of, summed
from prorata.store.accounts import accounts, open_money
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices as numbers, invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import properties
from prorata.store.recalculation import billing_months as months
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.webhooks import event_outbox

MonthKey = tuple[str, str]
"""A month of a property: (property, month)."""


class Change(NamedTuple):
    """An invoice before and after a change, with its property locked.

    `verb` is an action to audit besides a new status, which is always audited. `stored` is the current row, if a step
    was saved before. `by_way_of` is the invoice in an intermediate status. `mailed_in` replaces the former status in
    deciding whether an e-mail is sent. `has_other_charges` is set if charges were added or removed, even if their sum
    is the same. `carried` are the ledger entries of credits that the invoice gives, takes or returns.
    """

    was: InvoiceRow
    after: InvoiceRow
    verb: Verb | None = None
    stored: InvoiceRow | None = None
    by_way_of: InvoiceRow | None = None
    mailed_in: str | None = None
    has_other_charges: bool = False
    carried: tuple[PaymentRow, ...] = ()

    @property
    def kept(self) -> InvoiceRow:
        """The invoice as it is stored now, before the change is saved."""
        return self.stored or self.was

    @property
    def first(self) -> InvoiceRow:
        """The invoice after the change's first step, which may be intermediate."""
        return self.by_way_of or self.after

    @property
    def steps(self) -> list[tuple[InvoiceRow, InvoiceRow]]:
        """The invoice before and after each status change, in order."""
        if self.by_way_of is not None:
            return [(self.was, self.by_way_of), (self.by_way_of, self.after)]
        return [(self.was, self.after)] if self.was.status != self.after.status else []

    def but(self, **columns: Any) -> "Change":
        """Return the same change with other values in these columns after each of its steps."""
        after = self.after._replace(**columns)
        if self.by_way_of is None:
            return self._replace(after=after)
        return self._replace(after=after, by_way_of=self.by_way_of._replace(**columns))


class Entries(NamedTuple):
    """The invoices' `new` ledger entries, all `known` ones, and audit notes by action (`noted`)."""

    new: Sequence[PaymentRow] = ()
    known: Sequence[PaymentRow] = ()
    noted: Mapping[Verb, Sequence[tuple[str, None, Any]]] = {}


class Context(NamedTuple):
    """The context in which invoices change.

    `account` owns the e-mails that a new status requires; if it is None, e-mails stay unchanged. `months` are the
    locked months of the invoices that get another status, total or amount. They are saved here, unless the caller
    `saves_months` because it opens or closes them. `further` are the months of invoices that change as a consequence;
    they are locked and saved here. `is_halfway` is set if another change of the same invoices follows; only that one
    is then audited.
    """

    account: AccountRow | None = None
    months: Mapping[MonthKey, MonthRow] = {}
    saves_months: bool = False
    further: Mapping[MonthKey, MonthRow] = {}
    entries: Entries = Entries()
    is_halfway: bool = False


_ALONE = Context()


def write(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context = _ALONE) -> list[Change]:
    """Save the changed invoices and all effects of the changes.

    Return the changes as saved, followed by the changes of other invoices that gave or took credits. The number of SQL
    statements does not depend on the number of invoices, except for links and e-mails.
    """
    if not changes:
        return []
    for before_saving in BEFORE_SAVING:
        changes = before_saving(tx, caller, changes, context)
    context = _with_further_months(tx, caller, changes, context)
    changes = [one if one.after.updated_at == tx.now else one.but(updated_at=tx.now) for one in changes]
    numbers.renumber(tx, [one.after for one in changes if one.after.number != one.kept.number])
    invoices.save_standing(tx, [one.after for one in changes if _stands_otherwise(one)])
    invoices.save_reckoned(tx, [one.after for one in changes if _has_other_charges_or_person(one)])
    for after_saving in AFTER_SAVING:
        after_saving(tx, caller, changes, context)
    return list(changes)


def counted(changes: Sequence[Change], locked: Mapping[MonthKey, MonthRow]) -> dict[MonthKey, MonthRow]:
    """Return the months whose invoice counts or sums change, with the new values."""
    of_month = grouped(
        (_key_of(one), (one.kept, one.after)) for one in changes if _counts_otherwise(one) and _key_of(one) in locked
    )
    after = {key: recount(locked[key], pairs) for key, pairs in sorted(of_month.items())}
    return {key: month for key, month in after.items() if month != locked[key]}


# --- what changes the row further, before it is saved -----------------------------------------------------------------


def let_go(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> Sequence[Change]:
    """Detach readdressed sent invoices from the former tenant's page links and e-mails."""
    return [_let_go(tx, caller, one) if _is_somebody_elses(one) else one for one in changes]


def page_moved(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> Sequence[Change]:
    """End the links to a tenant's page that went to the tenant's previous e-mail address."""
    for one in changes:
        if one.after.tenant_email != one.kept.tenant_email and not _is_somebody_elses(one):
            tenant_links.end_elsewhere(tx, caller, one.kept, one.after.tenant_email)
    return changes


def credits_carried(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> Sequence[Change]:
    """Carry credits between the changed invoices and the household's other invoices.

    An overpayment pays the household's debt on other invoices. A carried credit that is no longer covered is returned.
    Return all changes, including those of the other invoices.
    """
    found = carries.settled(tx, caller, [(one.kept, one.after) for one in changes])
    if not found.entries:
        return changes
    entries = grouped((row.invoice_id, row) for row in found.entries)
    own = [
        _carried(one, found.invoices[one.after.id], entries[one.after.id]) if one.after.id in entries else one
        for one in changes
    ]
    there = {one.after.id for one in changes}
    others = [
        Change(found.before[key], found.invoices[key], carried=tuple(rows))
        for key, rows in entries.items()
        if key not in there
    ]
    return [*own, *others]


def link_followed(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> Sequence[Change]:
    """Remove the payment link if the amount due changed; a job makes a new one."""
    links, followed = Links(tx, caller.account_id), []
    for one in changes:
        is_right = links.follow(one.was, one.first) is one.first
        followed.append(one if is_right else one.but(payment_link_id=None, payment_link_url=None))
    return followed


def mail_followed(tx: Tx, _caller: Caller, changes: Sequence[Change], context: Context) -> Sequence[Change]:
    """Queue or withdraw an invoice's e-mail after a new status, or require handing it over."""
    account = context.account
    return changes if account is None else [_mailed(tx, account, one) if one.steps else one for one in changes]


# --- what is done once it is saved ------------------------------------------------------------------------------------


def earlier_kept(tx: Tx, _caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Keep the content of a sent invoice that becomes a draft or is cancelled."""
    taken_back = [one.was for one in changes if any(earlier_invoices.is_taken_back(*step) for step in one.steps)]
    earlier_invoices.keep(tx, taken_back, context.months)


def carries_entered(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> None:
    """Write credits that were carried or returned to the ledger and the audit log."""
    made: dict[Verb, list[tuple[str, None, carries.Noted]]] = {verb: [] for verb in carries.VERBS.values()}
    for one in changes:
        for row in one.carried:
            event_outbox.note_payment(tx, row, one.after.property_id)
            made[carries.VERBS[row.kind]].append(
                (one.after.id, None, carries.Noted(row.amount, row.reference, one.after.property_id))
            )
    payments.add_many(tx, [row for one in changes for row in one.carried])
    for verb, noted in made.items():
        if noted:
            audit.record_many(tx, caller, verb, noted)


def link_noted(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> None:
    """Audit the removal of a payment link, if the invoice's status stayed the same."""
    Links(tx, caller.account_id).note(caller, [(one.was, one.after) for one in changes])


def programs_told(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Add events for changed amounts, unless `status_noted` adds one for a new status."""
    updated = [one.after for one in changes if _is_paid_otherwise(one)]
    if updated:
        event_outbox.note_updated(tx, updated)
    for key in sorted({_key_of(one) for one in changes if _is_charged_otherwise(one)}):
        event_outbox.add(tx, [event_outbox.recalculated(tx, caller.account_id, *key, context.months[key].invoices)])


def entries_noted(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Audit each new ledger entry, and add its event."""
    places = {one.after.id: one.after.property_id for one in changes}
    for row in context.entries.new:
        event_outbox.note_payment(tx, row, places[row.invoice_id])
    for verb, noted in context.entries.noted.items():
        audit.record_many(tx, caller, verb, noted)


def status_noted(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Audit each new status or other action, and add the events."""
    if context.is_halfway:
        return
    by_verb: dict[Verb, list[tuple[str, InvoiceRow, InvoiceRow]]] = {Verb.of_status(status): [] for status in STATUSES}
    for one in changes:
        for was, after in one.steps:
            by_verb[Verb.of_status(after.status)].append((after.id, was, after))
        if one.verb is not None:
            by_verb.setdefault(one.verb, []).append((one.after.id, one.was, one.after))
    for verb, noted in by_verb.items():
        if noted:
            audit.record_many(tx, caller, verb, noted)


def duplicates_asked(tx: Tx, _caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Ask a person about entries that may record a payment twice; withdraw outdated questions."""
    entries, carried = context.entries, [row for one in changes for row in one.carried]
    if entries.new:
        known = [*entries.known, *carried]
        duplicate_payments.ask(tx, entries.new, known, {one.after.id: one.after for one in changes})
    duplicate_payments.settle(tx, [(one.was, one.after) for one in changes], [*entries.new, *carried])


def overdue_looked_at(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Queue a check for overdue invoices at once if a changed invoice is past due."""
    today = day_in(tx.moment, context.account.timezone) if context.account else None
    if today and any(
        one.steps and falls_overdue(standing_of(one.after), today=today, has_tenant=one.after.tenant_name is not None)
        for one in changes
    ):
        recurring.look_now(tx, caller.account_id, recurring.OVERDUE)


def disputes_looked_at(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> None:
    """Check ended disputes of an invoice that is sent again; their corrections may be gone."""
    disputed_corrections.look_again_at_sent(tx, caller, [(one.was, one.after) for one in changes])


def counted_again(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context) -> None:
    """Update the stored invoice counts and sums of the months and the account."""
    locked = {**context.months, **context.further}
    assert all(_key_of(one) in locked for one in changes if _counts_otherwise(one)), "its month is locked"
    after = counted(changes, locked)
    moved = {key: counts_changed(locked[key], month) for key, month in after.items()}
    if moved:
        accounts.add_to_invoice_counts(tx, caller.account_id, moved)
    saved_here = context.further.keys() if context.saves_months else after.keys()
    months.save_counts(tx, [month for key, month in after.items() if key in saved_here])


def open_money_counted(tx: Tx, caller: Caller, changes: Sequence[Change], _context: Context) -> None:
    """Update the account's sums of open money if an invoice's balance or credit changed."""
    more: dict[str, list[OpenMoney]] = defaultdict(list)
    for one in changes:
        before, after = (
            money_open_of(row.status, row.total, row.paid_amount, has_tenant=row.tenant_id is not None)
            for row in (one.kept, one.after)
        )
        if before != after:
            more[one.after.property_id] += [after, OpenMoney(*(-number for number in before))]
    if more:
        currencies = {row.id: row.currency for row in properties.find_many(tx, caller.account_id, sorted(more))}
        by_currency: dict[str, list[OpenMoney]] = defaultdict(list)
        for property_id, parts in more.items():
            by_currency[currencies[property_id]] += parts
        open_money.add(tx, caller.account_id, {key: summed(parts) for key, parts in sorted(by_currency.items())})


BEFORE_SAVING: tuple[Callable[[Tx, Caller, Sequence[Change], Context], Sequence[Change]], ...] = (
    let_go,
    page_moved,
    credits_carried,
    link_followed,
    mail_followed,
)
"""The effects that change the invoices further before they are saved, in this order."""
AFTER_SAVING: tuple[Callable[[Tx, Caller, Sequence[Change], Context], None], ...] = (
    earlier_kept,
    carries_entered,
    link_noted,
    programs_told,
    entries_noted,
    status_noted,
    duplicates_asked,
    overdue_looked_at,
    disputes_looked_at,
    counted_again,
    open_money_counted,
)
"""The effects that follow once the invoices are saved, in this order."""


def _let_go(tx: Tx, caller: Caller, one: Change) -> Change:
    tenant_links.end_of_former(tx, caller, one.was)
    after = mail_withdrawals.let_go(tx, one.after)
    return one.but(**{column: getattr(after, column) for column in _OF_MAIL})


def _mailed(tx: Tx, account: AccountRow, one: Change) -> Change:
    before = one.was._replace(status=one.mailed_in) if one.mailed_in else one.was
    after = invoice_mail.follow(tx, account, before, one.first)
    return one if after is one.first else one.but(**{column: getattr(after, column) for column in _OF_MAIL})


_OF_MAIL = ("delivery", "email_status", "email_sent_at")


def _carried(one: Change, row: InvoiceRow, entries: Sequence[PaymentRow]) -> Change:
    """Add carried credits to a change; an invoice covered by them becomes SENT, then PAID."""
    own = one._replace(after=row, carried=tuple(entries))
    if one.by_way_of is not None:
        return own._replace(by_way_of=row._replace(status=one.by_way_of.status))
    is_sent = one.after.status == SENT and one.was.status in UNSENT
    return own._replace(by_way_of=row._replace(status=SENT)) if is_sent and row.status == PAID else own


def _with_further_months(tx: Tx, caller: Caller, changes: Sequence[Change], context: Context) -> Context:
    """Lock the months of other invoices whose credits move; add them to the context."""
    keys = {_key_of(one) for one in changes if one.carried} - context.months.keys()
    if not keys:
        return context
    properties, named = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    locked = {row.key: row for row in months.lock_many(tx, caller.account_id, properties, named)}
    return context._replace(further={key: locked[key] for key in keys})


def _key_of(one: Change) -> MonthKey:
    return one.after.property_id, one.after.month


def _is_somebody_elses(one: Change) -> bool:
    return one.kept.issued and one.after.tenant_id != one.kept.tenant_id


def _is_charged_otherwise(one: Change) -> bool:
    return one.has_other_charges or one.after.total != one.kept.total


def _is_paid_otherwise(one: Change) -> bool:
    """True if only the paid amount changed, so that an event must report this."""
    before, after = one.kept, one.after
    paid = (before.paid_amount, before.payment_status) != (after.paid_amount, after.payment_status)
    return paid and not one.steps and not _is_charged_otherwise(one)


def _counts_otherwise(one: Change) -> bool:
    before, after = one.kept, one.after
    return (before.status, before.total, before.paid_amount) != (after.status, after.total, after.paid_amount)


def _has_other_charges_or_person(one: Change) -> bool:
    """True if an invoice's charges or tenant changed."""
    return _is_charged_otherwise(one) or one.after.tenant_id != one.kept.tenant_id


def _stands_otherwise(one: Change) -> bool:
    """True if `save_standing` must save a change: of status, or of anything but charges."""
    return bool(one.steps) or not _is_charged_otherwise(one)
