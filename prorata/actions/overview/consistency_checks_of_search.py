"""The checks of `prorata check` on the search words of records."""

from collections.abc import Iterator, Sequence

from prorata.store.database.engine import Tx
from prorata.store.properties import search_words, units
from prorata.store.properties.properties import PropertyRow


def of_words(tx: Tx, account_id: str, rows: Sequence[PropertyRow]) -> Iterator[str]:
    """Yield a sentence for each record with missing or unexpected search words.

    The records are these properties, their units and tenants. Words without a record are reported as well.
    """
    ids = [row.id for row in rows]
    wanted = [word for row in rows for word in search_words.of_property(row)]
    wanted += [word for row in units.of_properties(tx, account_id, ids) for word in search_words.of_unit(row)]
    people = units.tenants_of_properties(tx, account_id, ids)
    wanted += [word for row in people for word in search_words.of_tenant(row)]
    stored = set(search_words.of_properties(tx, account_id, ids))
    for record in sorted({word.record_id for word in wanted if word not in stored}):
        yield f"Record {record} can't be found by one of its words."
    for record in sorted({word.record_id for word in stored} - {word.record_id for word in wanted}):
        yield f"Record {record} has search words, but doesn't exist."
