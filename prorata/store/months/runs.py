"""Month runs: the stored state of each property's month, and each day's result."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, func, literal_column, or_, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import added, changes, puts, returns, returns_one
from prorata.store.limits import MOST_MONTHS_COUNTED
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.month_run_tables import month_round, month_run
from prorata.store.schema.tables import billing_month, property_

AT_ONCE = 100


class RunRow(NamedTuple):
    """The month run's state of one month of a property.

    `invoices` is the number of invoices to send or, once the month is sent, of invoices sent. `why` is the reason
    why the month run waits, and `since` the time at which the state began.
    """

    account_id: str
    property_id: str
    month: str
    state: str
    invoices: int
    why: str | None
    since: str


class RoundRow(NamedTuple):
    """One day's result of an account's month run.

    It contains the numbers of months sent, of invoices sent, and of months proposed. `property_id` is the property
    whose invoices were sent last, None if none were.
    """

    account_id: str
    day: str
    sent_months: int
    sent_invoices: int
    proposed_months: int
    property_id: str | None


class MonthPlace(NamedTuple):
    """A month of a property, as a position from which a list of months continues."""

    month: str
    property_id: str


class OpenRun(NamedTuple):
    """A month of a property, found by its state in the month run.

    `why` is the reason why the month run waits.
    """

    property_id: str
    property_name: str
    month: str
    why: str | None


_mine = month_run.c.account_id == bindparam("account")
_its_month = and_(
    alike(billing_month, month_run, "property_id", "month"),
    billing_month.c.snapshot.is_(None),
    billing_month.c.draft > literal_column("0"),
)
_its_property = named_by(property_, month_run.c.property_id)
_FIND = returns(
    RunRow,
    select(month_run).where(
        _mine, month_run.c.property_id == bindparam("property"), month_run.c.month == bindparam("of")
    ),
)
_PUT = puts(month_run)
_FORGET_ALL = changes(delete(month_run).where(_mine, month_run.c.state != bindparam("sent")))
_FORGET_SENT_BY_OTHERS = changes(
    delete(month_run).where(
        _mine,
        month_run.c.state != bindparam("sent"),
        ~select(literal_column("1")).select_from(billing_month).where(_its_month).correlate(month_run).exists(),
    )
)
_OPEN = returns(
    MonthPlace,
    select(billing_month.c.month, billing_month.c.property_id)
    .join(property_, named_by(property_, billing_month.c.property_id))
    .where(
        billing_month.c.account_id == bindparam("account"),
        billing_month.c.month.between(bindparam("first"), bindparam("last")),
        billing_month.c.snapshot.is_(None),
        billing_month.c.draft > literal_column("0"),
        func.coalesce(property_.c.billing_starts_month, "") <= billing_month.c.month,
        or_(
            billing_month.c.month > bindparam("after_month"),
            and_(
                billing_month.c.month == bindparam("after_month"),
                billing_month.c.property_id > bindparam("after_property"),
            ),
        ),
    )
    .order_by(billing_month.c.month, billing_month.c.property_id)
    .limit(bindparam("limit")),
)
_open_of_state = (
    select(month_run.c.property_id, property_.c.name.label("property_name"), month_run.c.month, month_run.c.why)
    .join(property_, _its_property)
    .join(billing_month, _its_month)
    .where(_mine, month_run.c.state == bindparam("state"))
)
_IN_STATE = returns(
    OpenRun, _open_of_state.order_by(month_run.c.month.desc(), month_run.c.property_id).limit(bindparam("limit"))
)
_NUMBER_IN_STATE = returns_one(select(func.count()).select_from(_open_of_state.limit(bindparam("limit")).subquery()))
_LATEST = returns(
    RoundRow,
    select(month_round)
    .where(month_round.c.account_id == bindparam("account"))
    .order_by(month_round.c.day.desc())
    .limit(literal_column("1")),
)
_more = added(month_round)
_COUNT = changes(
    _more.on_conflict_do_update(
        index_elements=list(month_round.primary_key.columns),
        set_={
            **{
                name: month_round.c[name] + _more.excluded[name]
                for name in ("sent_months", "sent_invoices", "proposed_months")
            },
            "property_id": func.coalesce(_more.excluded.property_id, month_round.c.property_id),
        },
    )
)


def find(tx: Tx, account_id: str, property_id: str, month: str) -> RunRow | None:
    """Find the month run's state of a property's month.

    Return None if the month run has not checked the month yet.
    """
    return tx.one(_FIND, account=account_id, property=property_id, of=month)


def put(tx: Tx, row: RunRow) -> None:
    """Save the month run's state of a month, replacing an earlier one."""
    tx.run(_PUT, **row._asdict())


def forget_unsent(tx: Tx, account_id: str, sent: str) -> None:
    """Delete the month run's states of all months that it has not sent.

    This is done when month runs are turned off.
    """
    tx.run(_FORGET_ALL, account=account_id, sent=sent)


def forget_settled(tx: Tx, account_id: str, sent: str) -> None:
    """Delete the states of months that no longer have invoices to send.

    The invoices of such a month were sent or deleted by a person. The states of months that the month run sent
    (`sent`) are kept.
    """
    tx.run(_FORGET_SENT_BY_OTHERS, account=account_id, sent=sent)


def open_between(tx: Tx, account_id: str, first: str, last: str, after: MonthPlace) -> list[MonthPlace]:
    """List the open months with drafts from month `first` to `last`, of all properties.

    At most `AT_ONCE` months are listed, by month and then by property. The list continues after the position
    `after`.
    """
    return tx.all(
        _OPEN, account=account_id, first=first, last=last, after_month=after.month, after_property=after.property_id,
        limit=AT_ONCE,
    )  # fmt: skip


def in_state(tx: Tx, account_id: str, state: str, limit: int) -> list[OpenRun]:
    """List months in a state of the month run, newest first, up to `limit`."""
    return tx.all(_IN_STATE, account=account_id, state=state, limit=limit)


def number_in_state(tx: Tx, account_id: str, state: str) -> int:
    """Count months in a state of the month run, up to `MOST_MONTHS_COUNTED`."""
    return tx.one(_NUMBER_IN_STATE, account=account_id, state=state, limit=MOST_MONTHS_COUNTED) or 0


def latest_round(tx: Tx, account_id: str) -> RoundRow | None:
    """Find the result of the last day on which months were sent or proposed."""
    return tx.one(_LATEST, account=account_id)


def count(tx: Tx, row: RoundRow) -> None:
    """Add numbers to the stored result of a day.

    These are the numbers of months sent, of invoices sent, and of months proposed.
    """
    tx.run(_COUNT, **row._asdict())
