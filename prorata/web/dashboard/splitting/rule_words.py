"""Share rules and their versions in words."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from prorata.actions.properties.units import times_of
from prorata.actions.recalculation.month_loader import as_blend
from prorata.actions.splitting.share_rules import ShownRule, ShownVersion, Terms, version_in, weights_of
from prorata.domain.billing_calendar import Month
from prorata.domain.splitting.share_rules import Component, Rule, sum_in_words
from prorata.domain.splitting.split_methods import PERCENTAGE, SPLIT_METHODS
from prorata.domain.texts import listed as listed_in_words, say
from prorata.domain.utility_names import UTILITY_NAMES, UTILITY_TYPES
from prorata.ports import Forms
from prorata.store.properties.units import UnitRow
from prorata.store.splitting.share_rules import SplitMethodRow

Blends = Mapping[str, SplitMethodRow]
"""The account's own split methods, by id."""


class ListedRule(NamedTuple):
    """A utility of a property, with its share rule, if any, in words.

    `version` is the current version of the rule, `words` describes this version, and `others` describe the previous and
    later versions.
    """

    utility_type: str
    version: ShownVersion | None
    words: str
    others: tuple[str, ...] = ()

    @property
    def is_on(self) -> bool:
        """True if bills are divided by the rule."""
        return self.version is not None and self.version.terms.is_active


def listed_by_utility(
    rules: Sequence[ShownRule], blends: Blends, month: Month, write: Forms, of_property: Sequence[UnitRow]
) -> list[ListedRule]:
    """Describe the rule of each utility as it applies in a month.

    The property's units are only needed if its rules `give_percentages`.
    """
    by_type = {rule.row.utility_type: rule for rule in rules}
    return [listed(kind, by_type.get(kind), blends, month, write, of_property) for kind in UTILITY_TYPES]


def give_percentages(rules: Iterable[ShownRule]) -> bool:
    """True if a version of one of these rules gives each unit a percentage."""
    return any(_gives_percentages(version) for rule in rules for version in rule.versions)


def _gives_percentages(version: ShownVersion) -> bool:
    return version.terms.split_method == PERCENTAGE and version.terms.split_method_id is None


def listed(
    kind: str, rule: ShownRule | None, blends: Blends, month: Month, write: Forms, of_property: Sequence[UnitRow] = ()
) -> ListedRule:
    """Describe a utility's rule as it applies in a month, and its other versions.

    Percentages are followed by their sum and what stays with the owner, if the property's units are given.
    The others are the version before the current one, and all later versions. A version is skipped if its description
    is the same as that of the version before it.
    """
    if rule is None:
        return ListedRule(kind, None, say("No rule"))
    now = version_in(rule.versions, month)
    told = _told(rule.versions, blends)
    current = version_in(told, month)
    at = told.index(current)
    others: list[str] = []
    if current.effective_from:
        before, since = in_full(told[at - 1], current, blends, write), write.month(Month(current.effective_from))
        others.append(say("since {month}; before: {how}", month=since, how=before))
    for earlier, later in pairwise(told[at:]):
        assert later.effective_from, "only the first version is from always"
        since = write.month(Month(later.effective_from))
        others.append(say("from {month} on: {how}", month=since, how=in_full(later, earlier, blends, write)))
    if of_property and now.terms.is_active and _gives_percentages(now):
        weights = weights_of(now.terms, of_property)
        others.insert(0, sum_in_words(PERCENTAGE, weights, now.terms.owner_percent, write, times=times_of(of_property)))
    return ListedRule(kind, now, in_words(now, blends, write), tuple(others))


def _told(versions: Iterable[ShownVersion], blends: Blends) -> tuple[ShownVersion, ...]:
    """Return a rule's versions, except those described like the version before them."""
    told: list[ShownVersion] = []
    for version in versions:
        if not told or _described(version, blends) != _described(told[-1], blends):
            told.append(version)
    return tuple(told)


def _described(version: ShownVersion, blends: Blends) -> object:
    """Return the terms of a version that its description contains."""
    if not version.terms.is_active:
        return None
    blend = _blend_of(version, blends)
    how = (blend.name, as_blend(blend.components)) if blend else version.terms.split_method
    return how, _more_of(version, blends)


def in_words(version: ShownVersion, blends: Blends, write: Forms) -> str:
    """Describe how a rule version divides bill lines: "by floor area", or a blend's parts.

    A blend's parts are preceded by its name.
    """
    if not version.terms.is_active:
        return say("not divided: you pay all of it")
    blend = _blend_of(version, blends)
    if blend is None:
        return SPLIT_METHODS[version.terms.split_method].by
    return say("{name}: {parts}", name=blend.name, parts=parts_in_words(blend, write))


def in_full(version: ShownVersion, beside: ShownVersion | None, blends: Blends, write: Forms) -> str:
    """Describe how a rule version divides bill lines, with its other terms.

    The other terms are the owner's percentage, and the number of people assumed to live in a vacant unit. If the
    version `beside` is given, only the terms that differ from that version are described.
    """
    sentence = in_words(version, blends, write)
    return _with_more(sentence, _more_of(version, blends), _more_of(beside, blends) if beside else _NO_MORE, write)


def _more_of(version: ShownVersion, blends: Blends) -> "_More":
    return _more(version.terms, _methods_of(version, blends)) if version.terms.is_active else _NO_MORE


def _methods_of(version: ShownVersion, blends: Blends) -> list[str]:
    blend = _blend_of(version, blends)
    parts = as_blend(blend.components) if blend else ()
    return [part.split_method for part in parts] or [version.terms.split_method]


def leaves_vacant_out(version: ShownVersion, blends: Blends) -> bool:
    """True if a rule version divides by people, but assumes no people in vacant units.

    The tenants of the other units then pay for vacant units.
    """
    return version.terms.is_active and counts_people(version, blends) and not version.terms.vacant_occupants


def counts_people(version: ShownVersion, blends: Blends) -> bool:
    """True if a rule version, or a part of its blend, divides by people."""
    return _counts_people(_methods_of(version, blends))


def divides_by_people(blend: SplitMethodRow) -> bool:
    """True if one of a blend's split methods divides by people."""
    return _counts_people(part.split_method for part in as_blend(blend.components))


def _counts_people(methods: Iterable[str]) -> bool:
    return any(method in SPLIT_METHODS and SPLIT_METHODS[method].counts_people for method in methods)


def explained(version: ShownVersion, blends: Blends, write: Forms) -> str:
    """Describe a rule version's split method by its name and meaning.

    A blend is described by its name and parts. Return an empty string if the split method no longer exists.
    """
    blend = _blend_of(version, blends)
    if blend is not None:
        return say("{name}: {parts}.", name=blend.name, parts=parts_in_words(blend, write))
    method = SPLIT_METHODS.get(version.terms.split_method) if version.terms.split_method_id is None else None
    return say("{name}. {description}", name=method.name, description=method.description) if method else ""


def names_of_rules(write: Forms) -> dict[str, Any]:
    """Return the utilities' names, and a function that describes rules, for templates."""
    return {"names": UTILITY_NAMES, "how": partial(of_rule, write=write)}


def of_rule(rule: Rule | None, beside: Rule | None, write: Forms) -> str:
    """Describe how a rule divides bill lines; a blend is described by its parts.

    The owner's percentage, and the number of people assumed to live in a vacant unit, are added if they differ
    from those of the rule `beside` or, if that is None, from the defaults.
    """
    if rule is None:
        return say("not divided: you pay all of it")
    sentence = _in_parts(rule.blend, write) if rule.blend else SPLIT_METHODS[rule.split_method].by
    return _with_more(sentence, _more_of_rule(rule), _more_of_rule(beside), write)


def _more_of_rule(rule: Rule | None) -> "_More":
    if rule is None:
        return _NO_MORE
    return _more(rule, [part.split_method for part in rule.parts])


class _More(NamedTuple):
    """A rule's other terms: the owner's percentage, and the people assumed in a vacant unit."""

    percent: Fraction
    people: Fraction


_NO_MORE = _More(Fraction(), Fraction())


def _more(terms: Rule | Terms, methods: Iterable[str]) -> _More:
    people = Fraction(terms.vacant_occupants) if _counts_people(methods) else Fraction()
    return _More(Fraction(terms.owner_percent), people)


def _with_more(sentence: str, its: _More, others: _More, write: Forms) -> str:
    more = []
    if its.percent != others.percent:
        more.append(say("your own part: {percent}", percent=write.percent(its.percent)))
    if its.people != others.people:
        more.append(say("people assumed in a vacant unit: {number}", number=write.number(its.people)))
    return say("{how} ({more})", how=sentence, more=listed_in_words(more)) if more else sentence


def _blend_of(version: ShownVersion, blends: Blends) -> SplitMethodRow | None:
    """Return the blend by which a rule version divides, with that version's parts.

    Return None if the version divides by a built-in method or its blend no longer exists.
    """
    split_method = blends.get(version.terms.split_method_id or "")
    return split_method and split_method._replace(components=version.components or split_method.components)


def parts_in_words(method: SplitMethodRow, write: Forms) -> str:
    """Describe the parts of a blend."""
    return _in_parts(as_blend(method.components), write)


def _in_parts(parts: Iterable[Component], write: Forms) -> str:
    return listed_in_words([
        say("{percent} {how}", percent=write.percent(part.percent), how=SPLIT_METHODS[part.split_method].by)
        for part in parts
    ])  # fmt: skip
