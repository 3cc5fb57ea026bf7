"""The kinds of records that the audit log covers."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from prorata.domain.texts import Text, say

KindName = Literal["invoices", "bills", "files", "properties", "units", "tenants", "rules", "people", "jobs"]


class Kind(NamedTuple):
    """A kind of record: its name, and the prefix of its ids."""

    title: Text
    prefixes: tuple[str, ...]


KINDS: Mapping[KindName, Kind] = {
    "invoices": Kind(say("Invoices"), ("inv", "bulk", "cexp")),
    "bills": Kind(say("Bills"), ("bill",)),
    "files": Kind(say("Files and mail in the Inbox"), ("doc", "incoming", "pfile")),
    "properties": Kind(say("Properties"), ("prop",)),
    "units": Kind(say("Units"), ("unit",)),
    "tenants": Kind(say("Tenants"), ("tenant",)),
    "rules": Kind(say("Rules"), ("rule", "split")),
    "people": Kind(say("People, keys and settings"), ("acct", "member", "link", "key", "sess", "hook")),
    "jobs": Kind(say("Background tasks"), ("job",)),
}
assert tuple(KINDS) == get_args(KindName), "each kind has a name and a title"
