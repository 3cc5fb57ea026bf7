"""The kinds of things that something is done to."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

KindName = Literal["invoices", "bills", "files", "properties", "units", "tenants", "rules", "people", "jobs"]


class Kind(NamedTuple):
    """A kind of thing: what it is called, and how the ids of its records begin."""

    title: str
    prefixes: tuple[str, ...]


KINDS: Mapping[KindName, Kind] = {
    "invoices": Kind("Invoices", ("inv", "bulk", "cexp")),
    "bills": Kind("Bills", ("bill",)),
    "files": Kind("Files and mail in the Inbox", ("doc", "incoming", "pfile")),
    "properties": Kind("Properties", ("prop",)),
    "units": Kind("Units", ("unit",)),
    "tenants": Kind("Tenants", ("tenant",)),
    "rules": Kind("Rules", ("rule", "split")),
    "people": Kind("People, keys and settings", ("acct", "member", "link", "key", "sess", "hook")),
    "jobs": Kind("Background tasks", ("job",)),
}
assert tuple(KINDS) == get_args(KindName), "each kind has a name and a title"
