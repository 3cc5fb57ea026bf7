"""A tenant's page reveals nothing about any neighbor.

It shows only the tenant's own factor and the sum of all factors.
"""

import random
import re
from datetime import date
from decimal import Decimal

import pytest

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.actions.properties import tenants, units
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.share_rules import Terms
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.bills.bills import NewBill
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.store.database.engine import Tx
from tests.dashboard.billed import listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.tenants import page_of

LABELS = ("Qx71", "Wy82", "Zv93", "Jk64", "Hg55")
NAMES = ("Ottoline", "Peregrine", "Wilhelmina", "Zebulon", "Quintessa")
METHODS = ("EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS", "PERCENTAGE", "CUSTOM")


def a_month(office: Office, seed: int) -> dict[str, list[str]]:
    """A month with bills for five units, and a rule of every kind.

    Returns the texts that identify each unit: its label, its tenant, and its factors as a page would write them.
    """
    drawn = random.Random(seed)
    mine = office.add_property(name=f"Maple Court {seed}")
    square = drawn.sample(range(1_111, 9_999), len(LABELS))
    percents = drawn.sample(range(3, 19), len(LABELS))
    weights = drawn.sample(range(101, 999), len(LABELS))
    own: dict[str, list[str]] = {}

    def add(tx: Tx) -> None:
        for at, label in enumerate(LABELS):
            feet = Decimal(square[at]) + Decimal("0.25")
            row = units.create(tx, office.caller, mine.id, {"label": label, "sqft": feet, "bedrooms": at + 1})
            for person in range(drawn.choice((1, 1, 2))):
                name = f"{NAMES[at]} {'Secunda' if person else 'Prima'}{at}"
                new = {"name": name, "email": f"{name.lower().replace(' ', '.')}@{label.lower()}.example"}
                tenants.create(tx, office.caller, row.id, new)
            own[label] = [label, NAMES[at], f"{label.lower()}.example", f"{square[at]:,}.25", f"{weights[at]}"]
        _add_rules(tx, office, mine.id, drawn, percents, weights)
        new_bills = [
            NewBill(mine.id, f"Issuer {kind.title()}", (kind,), drawn.randrange(1_00, 999_99), date(2026, 2, 20))
            for kind in UTILITY_TYPES
        ]
        bills.add(tx, office.caller, new_bills)

    office.database.write(add)
    return own


def _add_rules(
    tx: Tx, office: Office, property_id: str, drawn: random.Random, percents: list[int], weights: list[int]
) -> None:
    parts = [("SQFT", Decimal(40)), ("CUSTOM", Decimal(35)), ("OCCUPANTS", Decimal(25))]
    blend = split_methods.create(tx, office.caller, NewBlend(f"Blend of {property_id}", parts)).id
    methods = list(METHODS)
    drawn.shuffle(methods)
    for kind, method in zip(UTILITY_TYPES, [*methods, None], strict=True):
        of = percents if method == "PERCENTAGE" else weights
        named = "{" + ", ".join(f'"{label}": {of[at]}' for at, label in enumerate(LABELS)) + "}"
        owner = Decimal(drawn.choice((0, 0, 10)))
        terms = Terms(method or "CUSTOM", None if method else blend, True, named, owner, Decimal(0))
        share_rules.create(tx, office.caller, property_id, kind, terms)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_of_a_neighbour_is_on_the_page(quick_office: Office, seed: int) -> None:
    own = a_month(quick_office, seed)
    made = listed(quick_office)
    for one in made:
        set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser()
    paths = {one.unit_label: page_of(quick_office, one.id) for one in made}
    pages = {label: browser.get(path).text for label, path in paths.items()}
    files = {label: browser.get(f"{path}/explanation") for label, path in paths.items()}
    assert set(pages) == set(LABELS)
    for label, page in pages.items():
        text = re.sub(r'<form.*?</form>|href="[^"]*"', "", page, flags=re.DOTALL)  # tokens hold any letters
        assert own[label][0] in text
        assert own[label][1] in text
        assert own[label][3] in text, "their own floor area against the sum"
        assert own[label][3].replace(",", "") in files[label].text
        for other in LABELS:
            if other == label:
                continue
            for secret in own[other]:
                plain = re.escape(secret.replace(",", ""))
                assert not re.search(rf"(?<![\w./]){plain}(?![\w]|\.\d)", files[label].text), (seed, label, secret)
                found = re.search(rf"(?<![\w,.]){re.escape(secret)}(?![\w,]|\.\d)", text)
                assert found is None, (seed, label, other, secret, text[max(0, found.start() - 80) :][:160])


def test_what_neighbours_are_charged_is_on_no_other_page(quick_office: Office) -> None:
    a_month(quick_office, 77)
    made = listed(quick_office)
    for one in made:
        set_status(quick_office, one.id, "SENT")
    amounts = {one.unit_label: _amounts(quick_office, one.id) for one in made}
    browser = quick_office.browser()
    for one in made:
        figures = set(re.findall(r"\$[\d,]+\.\d\d", browser.get(page_of(quick_office, one.id)).text))
        for other, charged in amounts.items():
            if other != one.unit_label:
                own = amounts[
                    one.unit_label
                ]  # a sum says what it comes to before its cent, as whoever got none is charged
                before_its_cent = {cents + more for cents in own for more in (-1, 1)}
                assert not figures & set(map(_written, charged - own - before_its_cent)), (one.unit_label, other)


def _amounts(office: Office, invoice_id: str) -> set[int]:
    found = office.database.read(lambda tx: invoices.find(tx, office.caller, invoice_id))
    return {found.summary.total, *(charge.amount for charge in found.charges or [])}


def _written(cents: int) -> str:
    return f"${cents / 100:,.2f}"
