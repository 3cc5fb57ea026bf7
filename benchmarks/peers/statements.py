"""The statements of the floor and of pgbench, written by hand for the least work.

Parameters are numbered, `$1`, as in PostgreSQL; `for_sqlite` converts them to the form of SQLite.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

FAR = 1_000
"""From this offset on a page is looked for from the month on that it begins in, by the kept counts."""

INVOICE = """
    i.id, i.property_id, i.unit_id, i.month, i.status, i.number, i.invoice_date, i.due_date, i.total, i.paid_amount,
    i.paid_at, i.tenant_email, i.tenant_name, i.payment_status, i.payment_link_id, i.payment_link_url, i.email_sent_at,
    i.email_status, i.delivery, i.generated_at, i.updated_at, m.pending, m.missing_count, u.label, u.sqft, u.bedrooms,
    p.name, p.currency"""
_JOINED = """
    {join} unit u on u.account_id = $1 and u.id = i.unit_id
    {join} property p on p.account_id = $1 and p.id = i.property_id
    {join} billing_month m on m.account_id = $1 and m.property_id = i.property_id and m.month = i.month"""

SETTINGS = {
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
    "random_page_cost": "1.1",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
"""The settings for PostgreSQL's planner.

Every statement here finds few rows by an index.
"""

PROPERTY = """
    select id, name, street_number, street, city, state, zip, country, is_active, created_at, updated_at,
        billing_starts_month, currency
    from property where account_id = $1 and id = $2"""


MONTHS = """
    select month, draft + sent + paid + overdue + cancelled from tally
    where account_id = $1 and property_id = '' and month <> '' order by month desc"""


def page(
    limit: int,
    *,
    of_property: bool = False,
    until: bool = False,
    join: str = "join",
    last: str = "order by i.month desc, i.number_key, i.id",
) -> str:
    """Write the statement for a page of invoices, with the stored count of all invoices.

    $1 is the account, $2 the offset, and $3 the property if there is one, or the month in which a far page begins. The
    statement first finds the ids, in the order of an index, and then the rest of each record. The limit is in the text,
    so that PostgreSQL's planner knows how few rows are joined.
    """
    assert not (of_property and until), "they are the same parameter"
    also = " and property_id = $3" if of_property else " and month <= $3" if until else ""
    return f"""
        select {INVOICE}, (
            select draft + sent + paid + overdue + cancelled from tally
            where account_id = $1 and property_id = {"$3" if of_property else "''"} and month = '')
        from (
            select id from invoice where account_id = $1{also}
            order by month desc, number_key, id limit {int(limit)} offset $2
        ) page
        {join} invoice i on i.account_id = $1 and i.id = page.id {_JOINED.format(join=join)}
        {last}"""


def begins_in(months: Iterable[Sequence[Any]], offset: int) -> tuple[str, int]:
    """Find the month of the invoice at an offset, and its position in that month."""
    for month, number in months:
        if offset < number:
            return month, offset
        offset -= number
    raise AssertionError("the offset is less than the sum of the months")


ONE_INVOICE = f"select {INVOICE} from invoice i {_JOINED.format(join='join')} where i.account_id = $1 and i.id = $2"
CHARGES_POSTGRESQL = """
    select invoice_id, id, utility_type, amount, description from charge
    where account_id = $1 and invoice_id = any($2::varchar[]) order by invoice_id, id"""
CHARGES_SQLITE = """
    select invoice_id, id, utility_type, amount, description from charge
    where account_id = $1 and invoice_id in (select value from json_each($2)) order by invoice_id, id"""

_MOVED = "(case when was.status = $3 then 0 else 1 end)"


def _count(property_id: str, month: str) -> str:
    return f"""
        update tally t set
            sent = t.sent + case when $3 = 'SENT' then {_MOVED} else -{_MOVED} end,
            paid = t.paid + case when $3 = 'PAID' then {_MOVED} else -{_MOVED} end
        from was where t.account_id = $1 and t.property_id = {property_id} and t.month = {month}"""


_CHANGE_AT_ONCE = f"""
    with was as (
        select property_id, month, status, total, paid_amount from invoice where account_id = $1 and id = $2 for update
    ), changed as (
        update invoice i set
            status = $3,
            paid_amount = case when $3 = 'PAID' then i.total else 0 end,
            paid_by_status = case when $3 = 'PAID' then i.total else 0 end,
            paid_at = case when $3 = 'PAID' then $4 end,
            payment_status = case when $3 = 'PAID' then 'paid' else 'pending' end,
            updated_at = $4
        from was where i.account_id = $1 and i.id = $2
        returning i.*
    ), noted as (
        insert into event (account_id, id, at, actor, verb, record_id, property_id, before, after)
        select $1, $5, $4, 'floor', 'set invoice ' || $3, $2, property_id, status, $3 from was
    ), counted_in_month as (
        update billing_month m set
            sent = m.sent + case when $3 = 'SENT' then {_MOVED} else -{_MOVED} end,
            paid = m.paid + case when $3 = 'PAID' then {_MOVED} else -{_MOVED} end,
            received = m.received + case when $3 = 'PAID' then was.total else 0 end - was.paid_amount
        from was where m.account_id = $1 and m.property_id = was.property_id and m.month = was.month
    ), counted_in_account as ({_count("''", "''")}
    ), counted_by_month as ({_count("''", "was.month")}
    ), counted_by_property as ({_count("was.property_id", "''")}
    )
    select {INVOICE} from changed i {_JOINED.format(join="join")}"""
CHANGE_POSTGRESQL = re.sub(r"\$\d", r"\g<0>::varchar", _CHANGE_AT_ONCE)
"""SENT to PAID or back, with the month's counts, the account's, and the event, in one statement: one round trip."""

WAS = "select property_id, month, status, total, paid_amount from invoice where account_id = $1 and id = $2"
CHANGE = """
    update invoice set status = $3, paid_amount = $4, paid_by_status = $4, paid_at = $5, payment_status = $6,
        updated_at = $7
    where account_id = $1 and id = $2"""
COUNT_IN_MONTH = """
    update billing_month set sent = sent + $4, paid = paid + $5, received = received + $6
    where account_id = $1 and property_id = $2 and month = $3"""
COUNT = "update tally set sent = sent + $4, paid = paid + $5 where account_id = $1 and property_id = $2 and month = $3"
NOTE = """
    insert into event (account_id, id, at, actor, verb, record_id, property_id, before, after)
    values ($1, $2, $3, 'floor', $4, $5, $6, $7, $8)"""


def for_sqlite(statement: str) -> str:
    """Convert a statement to SQLite's numbered parameters."""
    return re.sub(r"\$(\d)", r"?\1", statement)
