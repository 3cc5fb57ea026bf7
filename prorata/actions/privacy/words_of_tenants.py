"""All names and addresses that a tenant ever had, and those that are unshared.

Unshared ones belong to no other tenant of the account.
"""

from prorata.domain.privacy.personal_words import FORMER_TENANT, PersonalWords
from prorata.store.audit import audit
from prorata.store.database.engine import Tx
from prorata.store.privacy import own_records
from prorata.store.properties.units import TenantRow


def was_erased(row: TenantRow) -> bool:
    """True if a tenant has been erased."""
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
    """Return those of a tenant's names and addresses that no other tenant has.

    Only these are removed from records that also concern other tenants of the account.
    """
    return words.without(own_records.names_of_others(tx, row.account_id, row.id))


def unshared(tx: Tx, row: TenantRow) -> PersonalWords:
    """Collect the names and addresses that only this tenant of the account ever had."""
    return that_are_nobody_elses(tx, row, every_word(tx, row))
