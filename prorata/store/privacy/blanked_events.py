"""Audit log entries that name a tenant, found by record or content, and blanked."""

from sqlalchemy import bindparam, literal_column, null, or_, select, update

from prorata.domain.audit.verbs import Verb
from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.store.audit import chains as audit_chains
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, containing, is_one_of, returns_one, returns_pairs
from prorata.store.schema.tables import event

_mine = event.c.account_id == bindparam("account")
_says_something = or_(event.c.before.is_not(None), event.c.after.is_not(None))
_is_other = event.c.verb != literal_column(f"'{Verb.ERASE_TENANT}'")
_OF_RECORDS = returns_one(select(event.c.id).where(_mine, is_one_of(event.c.record_id, "records"), _is_other))
_SAYING = returns_pairs(
    select(event.c.id, event.c.before).where(_mine, event.c.before.like(bindparam("pattern"))).union_all(
        select(event.c.id, event.c.after).where(_mine, event.c.after.like(bindparam("pattern")))
    )
)  # fmt: skip
_BLANK = changes(
    update(event).where(_mine, is_one_of(event.c.id, "events"), _says_something).values(before=null(), after=null())
)


def find(tx: Tx, account_id: str, record_ids: list[str], words: PersonalWords) -> list[str]:
    """Find the entries about any of these records, or with any of these words."""
    found = set(tx.all(_OF_RECORDS, account=account_id, records=record_ids))
    cutter = Cutter(words)
    for way in words.searched:
        rows = tx.all(_SAYING, account=account_id, pattern=containing(way))
        found |= {event_id for event_id, text in rows if cutter.finds(text)}
    return sorted(found)


def blank(tx: Tx, account_id: str, event_ids: list[str]) -> None:
    """Blank the before and after of entries.

    The facts of who did what and when stay, and the chain stays valid.
    """
    if event_ids:
        audit_chains.lock(tx, account_id)
        audit_chains.drop_salts(tx, account_id, event_ids)
        tx.run(_BLANK, account=account_id, events=event_ids)
