"""The versions of share rules, each in force from a billing month on.

Written from docs/decisions.md#dated-rules. The module imports nothing from the program.
"""

from fractions import Fraction
from typing import Any

Facts = dict[str, Any]
Blends = dict[str, list[tuple[str, Fraction]]]
ALWAYS = ""
"""The first month of the version that is in force from always."""


class History:
    """The rule for one utility type of one property, with its terms by first month.

    `rule_id` is the rule that shows the terms, unless it is hidden. The `parts` of a version are those that its blend
    had when the next version came; the newest version has no parts of its own.
    """

    def __init__(self) -> None:
        self.rule_id: str | None = None
        self.versions: dict[str, Facts] = {}

    @property
    def newest(self) -> str:
        return max(self.versions)

    def first_month(self, month: str | None) -> str:
        """The first month of the version that is in force in a month.

        Without a month, it is the first month of the newest version.
        """
        return self.newest if month is None else max(since for since in self.versions if since <= month)

    def terms(self, month: str | None) -> Facts:
        return self.versions[self.first_month(month)]

    def parts(self, month: str | None, blends: Blends) -> list[tuple[str, Fraction]] | None:
        """Return the parts by which a version divides instead of one method."""
        terms = self.terms(month)
        is_followed = terms is self.versions[self.newest] and terms["blend"] in blends
        return blends[terms["blend"]] if is_followed else terms["parts"]

    def divides_by(self, month: str, blends: Blends) -> Facts | None:
        terms = self.terms(month)
        return terms | {"blend": self.parts(month, blends)} if terms["active"] else None

    def place(self, rule_id: str, since: str | None, terms: Facts, blends: Blends) -> None:
        """Put terms in force from a month on.

        Without a month, the terms replace those of the newest version.
        """
        self.rule_id = rule_id
        if not self.versions and since is not None:
            self.versions[ALWAYS] = terms | {"active": False}
        newest = self.newest if self.versions else ALWAYS
        first = newest if since is None else since
        if first > newest:
            self.versions[newest] = self.versions[newest] | {"parts": self.parts(newest, blends)}
        elif first < newest and terms["blend"] and terms["parts"] is None:
            terms = terms | {"parts": blends[terms["blend"]]}
        self.versions[first] = terms

    def filled(self, since: str | None, blends: Blends) -> Facts:
        """Return the terms that a change keeps if it leaves them out."""
        terms = self.terms(since)
        return terms | {"parts": self.parts(since, blends), "weights": dict(terms["weights"])}

    def hide(self) -> None:
        self.rule_id = None
        self.versions[self.newest] = self.versions[self.newest] | {"active": False}

    def forget_unit(self, unit_id: str) -> None:
        for terms in self.versions.values():
            terms["weights"].pop(unit_id, None)


def new_terms(method: str = "EQUAL", **more: Any) -> Facts:
    terms: Facts = {"method": method, "active": True, "owner": Fraction(0), "vacant": Fraction(0), "parts": None}
    return terms | {"blend": None, "given": False, "weights": {}} | more
