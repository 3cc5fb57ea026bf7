"""A landlord's actions on share rules and blends, dated or undated.

Each step is done in the program and in the books.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.share_rules import ShownRule, Terms
from prorata.actions.splitting.split_methods import NewBlend
from prorata.errors import NotFound
from prorata.store.database.engine import Database
from tests.landlord import MovableClock
from tests.stories.any_order.books import Refused
from tests.stories.any_order.steps import MONTHS, HouseSteps, kinds, which
from tests.stories.any_order.versions import ALWAYS, Facts, History, new_terms

Given = list[Decimal] | None
percents = st.sampled_from([0, 0, 0, 10, 100]).map(Decimal) | st.integers(0, 1000).map(
    lambda tenth: Decimal(tenth) / 10
)
terms_alone = {
    "split_method": st.sampled_from(["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS", "PERCENTAGE", "CUSTOM"]),
    "is_active": st.sampled_from([True, True, False]),
    "owner_percent": percents,
    "vacant_occupants": st.sampled_from(["0", "0", "1", "0.5"]).map(Decimal),
}
rule_terms = st.fixed_dictionaries(terms_alone)
some_terms = st.fixed_dictionaries({}, optional=terms_alone)
put_terms = st.fixed_dictionaries(
    {"split_method": terms_alone["split_method"]},
    optional={name: of for name, of in terms_alone.items() if name != "split_method"},
)
IN_BOOKS = {"split_method": "method", "is_active": "active", "owner_percent": "owner", "vacant_occupants": "vacant"}
blends = st.sampled_from(
    [
        [("EQUAL", "50"), ("SQFT", "50")],
        [("OCCUPANTS", "33.3"), ("BEDROOMS", "66.7")],
        [("SQFT", "25"), ("EQUAL", "20"), ("BEDROOMS", "30"), ("OCCUPANTS", "25")],
        [("SQFT", "100")],
    ]
)
weights = st.none() | st.lists(st.integers(0, 6000).map(lambda hundredth: Decimal(hundredth) / 100), max_size=4)
any_months = st.sampled_from(("2025-11", *MONTHS, "2026-07"))
since_months = st.none() | any_months


class RuleSteps(HouseSteps):
    """Steps that add, change and remove rules, with or without a first month."""

    def __init__(self, database: Database, clock: MovableClock) -> None:
        super().__init__(database, clock)
        self.gone: list[str] = []

    def refuse_rule(self, of: str, since: str | None, terms: Facts, is_checked: object = True) -> None:
        """Refuse a rule that the program must refuse.

        A rule can't begin before billing starts. PERCENTAGE and CUSTOM need weights; percentages must be at most 100 in
        total, and custom weights must leave something to divide by.
        """
        self.books.refuse_since(of, since)
        if not is_checked or terms["blend"] or terms["method"] not in ("PERCENTAGE", "CUSTOM"):
            return
        whole = sum(terms["weights"].values())
        wrong = whole > 100 if terms["method"] == "PERCENTAGE" else whole <= 0
        if wrong or not terms["given"]:
            raise Refused(400)

    def weights_of(self, of: str, given: Given) -> tuple[Facts, str | None]:
        """Weights of a property's first units, for the books and for a client's request."""
        if given is None:
            return {"given": False, "weights": {}}, None
        mine = [(unit_id, unit) for unit_id, unit in self.books.units.items() if unit["property"] == of]
        written = ", ".join(f'"{unit["label"]}": {weight}' for (_, unit), weight in zip(mine, given, strict=False))
        kept = {unit_id: Fraction(weight) for (unit_id, _), weight in zip(mine, given, strict=False)}
        return {"given": True, "weights": kept}, f"{{{written}}}"

    def blend_at(self, at: int | None) -> str | None:
        return self.pick(self.books.blends, at) if at is not None and self.books.blends else None

    def blend_sent(self, at: int | None) -> Facts:
        """Return the part of a client's request that is about a blend.

        It names a blend, or now and then removes it; without `at`, it is empty.
        """
        if at is None:
            return {}
        return {"split_method_id": None if at % 5 == 0 else self.blend_at(at)}

    @precondition(lambda self: self.books.properties)
    @rule(at=which, kind=kinds, given_terms=rule_terms, given=weights, blend=st.none() | which, since=since_months)
    def post_rule(
        self, at: int, kind: str, given_terms: Facts, given: Given, blend: int | None, since: str | None
    ) -> None:
        of = self.pick(self.books.properties, at)
        kept, written = self.weights_of(of, given)
        terms = as_kept(new_terms() | kept, given_terms | {"split_method_id": self.blend_at(blend)})
        posted = Terms(**given_terms, split_method_id=terms["blend"], custom_weights_json=written)
        before = self.books.rules.get((of, kind))
        old = before.rule_id if before else None
        shown = self.both(lambda: self.refuse_rule(of, since, terms), share_rules.create, of, kind, posted, since=since)
        if shown:
            self.gone += [old] if old else []
            self.books.put_rule(of, kind, shown.row.id, since, terms)

    def change_to(
        self,
        key: tuple[str, str],
        since: str | None,
        action: Callable[..., Any],
        after: Facts,
        sent: Facts,
        is_checked: object = True,
    ) -> None:
        """Change a rule in the books and in the program, by a client's request.

        `after` are the terms after the change, and `is_checked` says whether the weights are checked.
        """
        (of, kind), rule_id = key, self.books.rules[key].rule_id or ""

        def change() -> None:
            self.refuse_rule(of, since, after, is_checked)
            self.books.put_rule(of, kind, rule_id, since, after)

        self.both(change, action, rule_id, sent, since=since)

    def pick_rule(self, at: int) -> tuple[tuple[str, str], History]:
        """One of the rules.

        Two times in three, it is a rule that divides a line, if there is such a rule.
        """
        shown = self.books.shown_rules()
        billed = {(of, line["type"]) for of in self.books.properties for line in self.books.lines(of).values()}
        used = {key: one for key, one in shown.items() if key in billed}
        key = self.pick(used if used and at % 3 else shown, at // 3)
        return key, shown[key]

    @precondition(lambda self: self.books.shown_rules())
    @rule(at=which, since=since_months, given=some_terms, new=st.none() | st.tuples(weights), blend=st.none() | which)
    def patch_rule(self, at: int, since: str | None, given: Facts, new: tuple[Given] | None, blend: int | None) -> None:
        key, history = self.pick_rule(at)
        sent = given | self.blend_sent(blend)
        after = as_kept(history.filled(since, self.books.blends), sent)
        if new is not None:
            kept, sent["custom_weights_json"] = self.weights_of(key[0], new[0])
            after |= kept
        is_checked = sent.keys() & {"split_method", "split_method_id", "custom_weights_json"}
        self.change_to(key, since, share_rules.change, after, sent, is_checked)

    @precondition(lambda self: self.books.shown_rules() and self.books.blends)
    @rule(at=which, since=since_months, blend=which)
    def use_a_blend(self, at: int, since: str | None, blend: int) -> None:
        key, _ = self.pick_rule(at)
        self.name_method(key, since, {"split_method_id": self.blend_at(blend)})

    @precondition(lambda self: self.with_a_blend())
    @rule(at=which, since=since_months, method=terms_alone["split_method"])
    def end_a_blend(self, at: int, since: str | None, method: str) -> None:
        """Stop using a blend in a rule.

        If the change begins with a month, earlier months keep the blend's parts, whatever happens to the blend.
        """
        self.name_method(self.pick(self.with_a_blend(), at), since, {"split_method": method})

    def with_a_blend(self) -> dict[tuple[str, str], History]:
        return {key: one for key, one in self.books.shown_rules().items() if one.terms(None)["blend"]}

    def name_method(self, key: tuple[str, str], since: str | None, sent: Facts) -> None:
        after = as_kept(self.books.rules[key].filled(since, self.books.blends), sent)
        self.change_to(key, since, share_rules.change, after, sent)

    @precondition(lambda self: self.books.shown_rules())
    @rule(at=which, since=since_months, given=put_terms, new=st.none() | st.tuples(weights), blend=st.none() | which)
    def put_rule(self, at: int, since: str | None, given: Facts, new: tuple[Given] | None, blend: int | None) -> None:
        key, history = self.pick_rule(at)
        sent, before = given | self.blend_sent(blend), history.terms(since)
        after = as_kept(new_terms(owner=before["owner"], vacant=before["vacant"]), sent)
        if new is not None:
            kept, sent["custom_weights_json"] = self.weights_of(key[0], new[0])
            after |= kept
        self.change_to(key, since, share_rules.replace, after, sent)

    @precondition(lambda self: self.books.shown_rules())
    @rule(at=which)
    def remove_rule(self, at: int) -> None:
        (of, kind), history = self.pick_rule(at)
        self.gone.append(history.rule_id or "")
        self.do(share_rules.remove, history.rule_id)
        self.books.remove_rule(of, kind)

    @precondition(lambda self: self.gone)
    @rule(at=which)
    def ask_for_a_rule_that_is_gone(self, at: int) -> None:
        with pytest.raises(NotFound):
            self.landlord.see(share_rules.find, self.gone[at % len(self.gone)])

    @precondition(lambda self: self.books.properties)
    @rule(at=which, parts=blends)
    def add_or_replace_blend(self, at: int, parts: list[tuple[str, str]]) -> None:
        blend = NewBlend(self.name(), [(method, Decimal(percent)) for method, percent in parts])
        kept = [(method, Fraction(percent)) for method, percent in parts]
        if len(self.books.blends) < 2:
            self.books.blends[self.do(split_methods.create, blend).id] = kept
            return
        method_id = self.pick(self.books.blends, at)
        self.do(split_methods.replace, method_id, blend)
        self.books.blends[method_id] = kept
        for of in self.books.properties:
            self.books.settle(of)

    @precondition(lambda self: self.books.blends)
    @rule(at=which)
    def remove_blend(self, at: int) -> None:
        method_id = self.pick(self.books.blends, at)
        self.both(lambda: self.books.remove_blend(method_id), split_methods.remove, method_id)

    # --- what is shown of them

    @precondition(lambda self: self.books.shown_rules())
    @rule(at=which, month=any_months)
    def see_the_rules_of_a_month(self, at: int, month: str) -> None:
        (of, _), history = self.pick_rule(at)
        shown = self.landlord.see(share_rules.find, history.rule_id, month=month)
        assert self.shown_as_in_books(of, shown) == self.expected_of_rule(history, month)
        listed = self.landlord.see(share_rules.of_property, of, month=month)
        assert {one.row.utility_type: self.shown_as_in_books(of, one) for one in listed} == self.expected_rules(
            of, month
        )

    @invariant()
    def rules_are_those_of_the_books(self) -> None:
        for of in self.books.properties:
            listed = self.landlord.see(share_rules.of_property, of)
            shown = {one.row.utility_type: self.shown_as_in_books(of, one) for one in listed}
            assert shown == self.expected_rules(of, None)

    def expected_rules(self, of: str, month: str | None) -> Facts:
        mine = {kind: one for (property_id, kind), one in self.books.shown_rules().items() if property_id == of}
        return {kind: self.expected_of_rule(history, month) for kind, history in mine.items()}

    def expected_of_rule(self, history: History, month: str | None) -> Facts:
        versions = {since: as_shown(terms) for since, terms in history.versions.items()}
        since = history.first_month(month)
        return {"id": history.rule_id, "since": since, "terms": versions[since], "versions": versions}

    def shown_as_in_books(self, of: str, shown: ShownRule) -> Facts:
        ids = {unit["label"]: unit_id for unit_id, unit in self.books.units.items() if unit["property"] == of}
        row = shown.row
        terms = Terms(
            row.split_method,
            row.split_method_id,
            bool(row.is_active),
            shown.terms.custom_weights_json,
            Decimal(row.owner_percent),
            Decimal(row.vacant_occupants),
        )
        return {
            "id": row.id,
            "since": row.effective_from or ALWAYS,
            "terms": read_terms(terms, ids),
            "versions": {one.effective_from or ALWAYS: read_terms(one.terms, ids) for one in shown.versions},
        }


def as_kept(terms: Facts, sent: Facts) -> Facts:
    """The terms after a client's request, in the form of the books.

    A request that names a method ends the use of a blend. The method of a rule with a blend is CUSTOM.
    """
    after = terms | {kept: sent[name] for name, kept in IN_BOOKS.items() if name in sent}
    after["owner"], after["vacant"] = Fraction(after["owner"]), Fraction(after["vacant"])
    if "split_method" in sent or "split_method_id" in sent:
        after |= {"blend": sent.get("split_method_id"), "parts": None}
    if after["blend"]:
        after["method"] = "CUSTOM"
    return after


def as_shown(terms: Facts) -> Facts:
    return {name: terms[name] for name in ("method", "blend", "active", "owner", "vacant", "weights")}


def read_terms(terms: Terms, ids: dict[str, str]) -> Facts:
    """The terms that the program shows, in the form of the books."""
    written = json.loads(terms.custom_weights_json or "{}", parse_float=Decimal)
    return {
        "method": terms.split_method,
        "blend": terms.split_method_id,
        "active": terms.is_active,
        "owner": Fraction(terms.owner_percent),
        "vacant": Fraction(terms.vacant_occupants),
        "weights": {ids[label]: Fraction(weight) for label, weight in written.items()},
    }
