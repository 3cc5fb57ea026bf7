"""Share rules and their versions in words."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from prorata.actions.recalculation.month_loader import as_blend
from prorata.actions.splitting.share_rules import ShownRule, ShownVersion, version_in
from prorata.domain.billing_calendar import Month
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.texts import listed as listed_in_words, say
from prorata.domain.utility_names import UTILITY_NAMES
from prorata.ports import Forms
from prorata.store.splitting.share_rules import SplitMethodRow

Blends = Mapping[str, SplitMethodRow]
"""The account's own ways to divide, by id."""


class ListedRule(NamedTuple):
    """A utility of a property with the version of its rule that is in force, where it has one; and in words how that
    divides, and what was before and comes later.
    """

    utility_type: str
    version: ShownVersion | None
    words: str
    others: tuple[str, ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether bills are divided by it."""
        return self.version is not None and self.version.terms.is_active


def listed(kind: str, rule: ShownRule | None, blends: Blends, month: Month, write: Forms) -> ListedRule:
    """A utility's rule as it is in force in a month."""
    if rule is None:
        return ListedRule(kind, None, say("No rule"))
    now = version_in(rule.versions, month)
    at = rule.versions.index(now)
    others = []
    if now.effective_from:
        before, since = in_words(rule.versions[at - 1], blends, write), write.month(Month(now.effective_from))
        others.append(say("since {month}; before: {how}", month=since, how=before))
    for later in rule.versions[at + 1 :]:
        assert later.effective_from, "only the first version is from always"
        since = write.month(Month(later.effective_from))
        others.append(say("from {month} on: {how}", month=since, how=in_words(later, blends, write)))
    return ListedRule(kind, now, in_words(now, blends, write), tuple(others))


def in_words(version: ShownVersion, blends: Blends, write: Forms) -> str:
    """How a version of a rule divides: "by floor area", or a blend's name with its parts."""
    if not version.terms.is_active:
        return say("not divided: you pay all of it")
    blend = _blend_of(version, blends)
    if blend is None:
        return SPLIT_METHODS[version.terms.split_method].by
    return say("{name}: {parts}", name=blend.name, parts=parts_in_words(blend, write))


def explained(version: ShownVersion, blends: Blends, write: Forms) -> str:
    """How a version divides: the name and the meaning of a built-in method or of a blend; empty if it is gone."""
    blend = _blend_of(version, blends)
    if blend is not None:
        return say("{name}: {parts}.", name=blend.name, parts=parts_in_words(blend, write))
    method = SPLIT_METHODS.get(version.terms.split_method) if version.terms.split_method_id is None else None
    return say("{name}. {description}", name=method.name, description=method.description) if method else ""


def names_of_rules(write: Forms) -> dict[str, Any]:
    """What templates name utilities and rules by."""
    return {"names": UTILITY_NAMES, "how": partial(of_rule, write=write)}


def of_rule(rule: Rule | None, write: Forms) -> str:
    """How a rule divides, of a blend by its parts."""
    if rule is None:
        return say("not divided: you pay all of it")
    return _in_parts(rule.blend, write) if rule.blend else SPLIT_METHODS[rule.split_method].by


def _blend_of(version: ShownVersion, blends: Blends) -> SplitMethodRow | None:
    """The blend that a version divides by, with its parts as they are in that version."""
    found = blends.get(version.terms.split_method_id or "")
    return found and found._replace(components=version.components or found.components)


def parts_in_words(method: SplitMethodRow, write: Forms) -> str:
    """The parts of a blend in words."""
    return _in_parts(as_blend(method.components), write)


def _in_parts(parts: Iterable[Component], write: Forms) -> str:
    return listed_in_words([
        say("{percent} {how}", percent=write.percent(part.percent), how=SPLIT_METHODS[part.split_method].by)
        for part in parts
    ])  # fmt: skip
