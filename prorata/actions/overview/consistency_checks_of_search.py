"""What `prorata check` verifies of the words by which records are found."""

from collections.abc import Iterator, Sequence

from prorata.store.database.engine import Tx
from prorata.store.properties import search_words, units
from prorata.store.properties.properties import PropertyRow


def of_words(tx: Tx, account_id: str, rows: Sequence[PropertyRow]) -> Iterator[str]:
    """A sentence for every property, unit and tenant of these properties that lacks one of its words, and for every
    record with words that is not there.
    """
    ids = [row.id for row in rows]
    wanted = [word for row in rows for word in search_words.of_property(row)]
    wanted += [word for row in units.of_properties(tx, account_id, ids) for word in search_words.of_unit(row)]
    people = units.tenants_of_properties(tx, account_id, ids)
    wanted += [word for row in people for word in search_words.of_tenant(row)]
    stored = set(search_words.of_properties(tx, account_id, ids))
    for record in sorted({word.record_id for word in wanted if word not in stored}):
        yield f"Record {record} is not found by one of its words."
    for record in sorted({word.record_id for word in stored} - {word.record_id for word in wanted}):
        yield f"Record {record} has words by which it is found, and is not there."
