"""All names and addresses that a tenant ever had, and those that nobody shares."""

from prorata.domain.privacy.personal_words import FORMER_TENANT, PersonalWords
from prorata.store.audit import audit
from prorata.store.database.engine import Tx
from prorata.store.privacy import own_records
from prorata.store.properties.units import TenantRow


def was_erased(row: TenantRow) -> bool:
    """True if a tenant was erased before."""
    return row.ended_at is not None and row.name == FORMER_TENANT and row.email is None


def every_word(tx: Tx, row: TenantRow) -> PersonalWords:
    """Collect all names and addresses that a tenant ever had.

    They come from the tenant's record, invoices, questions and the audit log.
    """
    called = own_records.called(tx, row.account_id, row.id)
    names, addresses = {name for name, _ in called}, {address for _, address in called}
    names |= audit.said_of(tx, row.account_id, row.id, "name")
    for field in ("email", "forwarding_email", "forwarding_address"):
        addresses |= audit.said_of(tx, row.account_id, row.id, field)
    return PersonalWords.of(names, addresses)


def that_are_nobody_elses(tx: Tx, row: TenantRow, words: PersonalWords) -> PersonalWords:
    """Return the words that no other tenant of the account shares.

    Only these words are removed from records that also concern other tenants.
    """
    return words.without(own_records.names_of_others(tx, row.account_id, row.id))


def unshared(tx: Tx, row: TenantRow) -> PersonalWords:
    """Collect the words of a tenant that no other tenant of the account shares."""
    return that_are_nobody_elses(tx, row, every_word(tx, row))
