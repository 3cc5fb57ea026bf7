"""A landlord's books, kept in the simplest way, to compare the program with.

They consist of plain dicts, a division by hand (`days.py`) and the versions of rules (`versions.py`). The module
imports nothing from the program. Every rule here is written from docs/decisions.md, from docs/decisions.md#bill-lines
to docs/decisions.md#deleting-a-bill.
"""

from calendar import monthrange
from collections import defaultdict
from copy import deepcopy
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from tests.stories.any_order.corrected import Reckoning
from tests.stories.any_order.days import CLOSING, Group, UnitMonth, addressee, is_in, shares_of
from tests.stories.any_order.versions import History

ZONE = ZoneInfo("America/Los_Angeles")
TERMS = timedelta(days=14)
Facts = dict[str, Any]
Key = tuple[str, str, int]
"""The unit, the month and the sequence of an invoice."""


class Refused(Exception):
    """A step that the program must refuse with this HTTP status."""

    def __init__(self, status: int) -> None:
        self.status = status


# --- months, and the split ---------------------------------------------------------------------------------------------


def days_of(month: str) -> list[date]:
    year, number = int(month[:4]), int(month[5:])
    return [date(year, number, day) for day in range(1, monthrange(year, number)[1] + 1)]


# --- the books ---------------------------------------------------------------------------------------------------------


NOT_THERE: Facts = {"label": "", "sqft": None, "bedrooms": None, "from": date.max, "to": date.min, "tenants": {}}
"""A unit that takes no part in a month any more."""


class Books:
    """All records of one account, and the effects of changing them."""

    def __init__(self) -> None:
        self.now = datetime.min.replace(tzinfo=ZONE)
        self.properties: dict[str, Facts] = {}
        self.units: dict[str, Facts] = {}
        self.tenants: dict[str, Facts] = {}
        self.rules: dict[tuple[str, str], History] = {}
        self.blends: dict[str, list[tuple[str, Fraction]]] = {}
        self.bills: dict[str, Facts] = {}
        self.invoices: dict[Key, Facts] = {}
        self.frozen: dict[tuple[str, str], Facts] = {}
        self.first_closed: dict[tuple[str, str], datetime] = {}
        self.by_itself = False

    @property
    def today(self) -> date:
        return self.now.astimezone(ZONE).date()

    def lines(self, of: str) -> dict[tuple[str, int], Facts]:
        return {
            (bill_id, number): line
            for bill_id, bill in self.bills.items()
            if bill["property"] == of
            for number, line in bill["lines"].items()
        }

    def facts(self, of: str, month: str) -> Facts:
        """Return the facts from which the month is computed now."""
        starts = self.properties[of]["starts"]
        first_closed = self.first_closed.get((of, month))
        lines = {
            key: {"type": line["type"], "amount": line["amount"], "days": line["served"] or days_of(month)}
            for key, line in self.lines(of).items()
            if line["month"] == month
        }
        units = []
        for unit_id, unit in self.units.items():
            if unit["property"] != of or (first_closed and not unit["from"] and unit["added"] > first_closed):
                continue
            units.append(
                {
                    **{name: unit[name] for name in ("label", "sqft", "bedrooms", "from", "to")},
                    "id": unit_id,
                    "tenants": {
                        key: {name: t[name] for name in ("in", "out", "occupants")}
                        for key, t in self.tenants.items()
                        if t["unit"] == unit_id and (not first_closed or t["in"] or t["added"] <= first_closed)
                    },
                }
            )
        rules = {
            kind: history.divides_by(month, self.blends)
            for (property_id, kind), history in self.rules.items()
            if property_id == of
        }
        is_sent = any(one["status"] in CLOSING for one in self.of_month(of, month).values()) and any(
            line["charged"] for line in self.lines(of).values() if line["month"] == month
        )
        billed = {} if starts and month < starts and not is_sent else lines
        return deepcopy({"units": units, "lines": billed, "rules": rules})

    def address(self, tenant_id: str | None) -> Facts:
        """The addressee of an invoice: id, name and e-mail address."""
        tenant = self.tenants.get(tenant_id or "")
        if tenant is None:
            return {"tenant": None, "name": None, "email": None}
        return {"tenant": tenant_id, "name": tenant["name"], "email": tenant["email"]}

    def whose_now(self, key: Key, one: Facts) -> Facts:
        """The addressee that a draft would have now.

        The draft is for its own household. If that household does not live in the unit any more, the unit's own draft
        is for the household that the unit's month belongs to.
        """
        unit_id, month, sequence = key
        unit = next((u for u in self.facts(one["property"], month)["units"] if u["id"] == unit_id), None)
        if unit is None:
            return self.address(None if not sequence else one["tenant"])
        of_unit, end = UnitMonth(unit, self.tenants, days_of(month), {}), days_of(month)[-1]
        group = of_unit.group_of(one["tenant"])
        if group is None or not of_unit.lives(group):
            beside = [of_unit.group_of(other["tenant"]) for key, other in self.invoices.items()
                      if key[:2] == (unit_id, month) and key[2]]  # fmt: skip
            group = of_unit.of_whole(beside) if not sequence else None
            if group is None:
                return self.address(one["tenant"] if sequence else None)
        return self.address(addressee(self.tenants, unit, group, end))

    def of_month(self, of: str, month: str) -> dict[Key, Facts]:
        return {key: one for key, one in self.invoices.items() if one["property"] == of and key[1] == month}

    def is_closed(self, of: str, month: str) -> bool:
        return (of, month) in self.frozen

    def may_wait(self, of: str, month: str) -> bool:
        """Check whether a month is closed and billed, so that it can have corrections."""
        return self.is_closed(of, month) and month >= (self.properties[of]["starts"] or "")

    def waits(self, of: str, line: Facts) -> bool:
        """Check whether a late line of a closed month still needs a decision."""
        return self.may_wait(of, line["month"]) and not line["charged"]

    def settle(self, of: str) -> None:
        """Recalculate a property's months, closed ones from the facts when they were closed."""
        months = {line["month"] for line in self.lines(of).values()}
        months |= {month for (_, month, _), one in self.invoices.items() if one["property"] == of}
        for month in months:
            self.settle_month(of, month, self.frozen.get((of, month)) or self.facts(of, month))
        self.owe(of)

    def owe(self, of: str) -> None:
        """Calculate the owner's part: a line less all its charges and pending corrections."""
        charged: dict[tuple[str, int], int] = defaultdict(int)
        for one in self.invoices.values():
            for (*key, _), (part, *_) in one["charges"].items():
                charged[tuple(key)] += part if one["status"] != "CANCELLED" else 0
        for month in {line["month"] for line in self.lines(of).values()}:
            waits = self.waiting(of, month)
            for key, line in self.lines(of).items():
                if line["month"] == month:
                    all_that_waits = sum(part for (*_, of_line), part in waits.items() if of_line == key)
                    line["owner"] = line["amount"] - charged[key] - all_that_waits if line["charged"] else 0

    def waiting(self, of: str, month: str) -> Facts:
        """Return the pending corrections of a closed month."""
        if not self.may_wait(of, month):
            return {}
        facts = self.facts(of, month)
        mine = {key: one for key, one in self.invoices.items() if one["property"] == of}
        there = {unit["id"]: unit for unit in facts["units"]}
        ids = there.keys() | {unit_id for unit_id, *_ in mine}
        units = {unit_id: self.unit_month(there.get(unit_id, {"id": unit_id} | NOT_THERE), month) for unit_id in ids}
        reckoning = Reckoning(month, units, mine, {named for by, named in self.frozen if by == of})
        late = facts["lines"].keys() - self.frozen[of, month]["lines"].keys()
        return reckoning.waiting(reckoning.right(shares_of(facts), late))

    def unit_month(self, unit: Facts, month: str) -> UnitMonth:
        mine = {
            at: one for (unit_id, named, at), one in self.invoices.items() if (unit_id, named) == (unit["id"], month)
        }
        return UnitMonth(unit, self.tenants, days_of(month), mine)

    def settle_month(self, of: str, month: str, facts: Facts) -> None:
        there, shares = self.of_month(of, month), shares_of(facts)
        billed = {key: line for key, line in facts["lines"].items() if line["type"]}
        wanted = self.settle_units(of, month, facts, billed, shares)
        for key in [key for key, one in there.items() if one["status"] == "DRAFT" and key not in wanted]:
            there[key]["charges"] = {}
            if self.may_go(there[key]):
                del self.invoices[key]
            elif not there[key]["issued"] and not self.is_closed(of, month):
                there[key].update(self.whose_now(key, there[key]))
        for key, line in self.lines(of).items():
            if line["month"] == month:
                is_nothing = self.is_closed(of, month) and not line["amount"]
                line["charged"] = key in facts["lines"] or is_nothing

    def settle_units(self, of: str, month: str, facts: Facts, billed: Facts, shares: Facts) -> set[Key]:
        """Settle every unit that takes part in a month or has issued invoices for it."""
        wanted: set[Key] = set()
        known = {unit["id"] for unit in facts["units"]}
        issued = {unit_id for (unit_id, *_), one in self.of_month(of, month).items() if one["status"] in CLOSING}
        for unit in [*facts["units"], *({"id": unit_id} | NOT_THERE for unit_id in sorted(issued - known))]:
            entries = {key: shares[key] for key in billed if is_in(unit, billed[key])}
            if entries or unit["id"] in issued:
                wanted |= self.settle_unit(of, month, unit, entries, billed, repr(facts))
        return wanted

    def settle_unit(self, of: str, month: str, unit: Facts, entries: Facts, billed: Facts, why: str) -> set[Key]:
        """Bring the drafts of a unit and month up to date, and return their keys."""
        of_unit = self.unit_month(unit, month)

        def right(group: Group | None, key: tuple[str, int]) -> int:
            return entries[key].get((unit["id"], group), 0)

        def issued(group: Group | None, key: tuple[str, int]) -> int:
            its = [
                one
                for one in of_unit.invoices.values()
                if one["status"] in CLOSING and group and one["tenant"] in group
            ]
            return sum(one["charges"].get((*key, None), (0,))[0] for one in its)

        takes_part = bool(entries)
        entries = {key: {} for key in billed} | entries
        places = of_unit.places(lambda group: any(right(group, key) != issued(group, key) for key in entries))
        for at, group in list(places.items()):
            charges = {}
            for key, of_line in entries.items():
                amount = right(group, key) - issued(group, key)
                kind = billed[key]["type"]
                if amount or ("divided" in of_line and not at):
                    charges[*key, None] = amount, {"GARBAGE": "TRASH", "OTHER": None}.get(kind, kind), why
            if not takes_part and not charges:
                del places[at]
                continue
            one = self.invoices.setdefault((unit["id"], month, at), self.new_invoice(of))
            one["charges"] = charges
            is_theirs = one["tenant"] in group if group else one["tenant"] is None
            if not one["issued"] and not (self.is_closed(of, month) and is_theirs):
                end = days_of(month)[-1]
                one.update(self.address(addressee(self.tenants, unit, group, end) if group else None))
        return {(unit["id"], month, at) for at in places}

    def may_go(self, one: Facts) -> bool:
        return one["status"] == "DRAFT" and not one["left"] and not one["custom"]

    def new_invoice(self, of: str) -> Facts:
        dates = {"date": self.today, "due": None}
        return {
            "property": of,
            "status": "DRAFT",
            "custom": {},
            "issued": False,
            "left": False,
            "tenant": None,
            "before": None,
            "replaces": 0,
            **dates,
        }

    def total(self, one: Facts) -> int:
        return sum(part for part, *_ in one["charges"].values()) + sum(one["custom"].values())

    def pending(self, of: str, month: str) -> bool:
        """Check whether a correction of a closed month is pending.

        A draft that was never sent counts too, if its tenant's name or e-mail address has changed since.
        """
        if not self.is_closed(of, month):
            return False
        for one in self.of_month(of, month).values():
            is_kept = one["status"] == "DRAFT" and not one["issued"] and one["tenant"] in self.tenants
            if is_kept and one | self.address(one["tenant"]) != one:
                return True
        lines = self.lines(of).values()
        return bool(self.waiting(of, month)) or any(self.waits(of, line) for line in lines if line["month"] == month)

    # --- what people do

    def set_status(self, key: Key, status: str) -> None:
        one, month = self.invoices[key], key[1]
        of, was = one["property"], one["status"]
        if was == status:
            return
        facts = self.frozen.get((of, month)) or self.facts(of, month)
        if was in CLOSING and status not in CLOSING:
            one["before"] = self.total(one)
        one["status"] = status
        one["left"] = True
        if was == "CANCELLED" and status != "DRAFT":
            one["status"] = "DRAFT"  # it is computed as a draft first
            self.settle(of)
            one["status"] = status
        if status == "SENT" and was in ("DRAFT", "CANCELLED"):
            one["date"] = self.today
        if status == "SENT" and was not in CLOSING and one["tenant"] in self.tenants:
            one["email"] = self.tenants[one["tenant"]]["email"]
        if status in CLOSING:
            one["issued"] = True
            if was not in CLOSING:
                one["due"] = one["date"] + TERMS
        if any(other["status"] in CLOSING and not at for (*_, at), other in self.of_month(of, month).items()):
            self.frozen.setdefault((of, month), facts)
            self.first_closed.setdefault((of, month), self.now)
        else:
            self.frozen.pop((of, month), None)
        self.settle(of)
        if status in CLOSING and was not in CLOSING and one["before"] not in (None, self.total(one)):
            one["replaces"] += 1

    def mark_overdue(self) -> None:
        for one in self.invoices.values():
            if one["status"] == "SENT" and one["due"] < self.today and one["name"] and self.total(one) > 0:
                one["status"] = "OVERDUE"

    def remove_unit(self, unit_id: str) -> bool:
        unit = self.units[unit_id]
        keeps = any(of_unit == unit_id for of_unit, *_ in self.invoices)
        if keeps:
            unit["to"] = min(unit["to"] or self.today, self.today)
        else:
            del self.units[unit_id]
            self.tenants = {key: one for key, one in self.tenants.items() if one["unit"] != unit_id}
            for history in self.rules.values():
                history.forget_unit(unit_id)
        self.settle(unit["property"])
        return keeps

    def remove_tenant(self, tenant_id: str) -> bool:
        tenant = self.tenants[tenant_id]
        was_sent = any(one["tenant"] == tenant_id and one["issued"] for one in self.invoices.values())
        keeps = was_sent or tenant["added"] <= self.now - timedelta(hours=24)
        if keeps:
            tenant["out"], tenant["ended"] = min(tenant["out"] or self.today, self.today), True
        else:
            del self.tenants[tenant_id]
        self.settle(self.units[tenant["unit"]]["property"])
        return keeps

    def late_month(self, of: str, month: str) -> str:
        """Return the month to which a late bill goes automatically if the account allows it.

        It is never before the first billed month.
        """
        if not (self.by_itself and self.is_closed(of, month)):
            return month
        while self.is_closed(of, month) or month < (self.properties[of]["starts"] or ""):
            month = f"{days_of(month)[-1] + timedelta(days=1):%Y-%m}"
        return month

    def refuse_charged(self, bill_id: str) -> None:
        bill = self.bills[bill_id]
        if any(line["charged"] and self.is_closed(bill["property"], line["month"]) for line in bill["lines"].values()):
            raise Refused(409)
        issued = [one["charges"] for one in self.invoices.values() if one["status"] in CLOSING]
        if any(bill_id == of_bill for charges in issued for of_bill, *_ in charges):
            raise Refused(409)

    def remove_property(self, of: str) -> None:
        self.units = {key: one for key, one in self.units.items() if one["property"] != of}
        self.tenants = {key: one for key, one in self.tenants.items() if one["unit"] in self.units}
        self.rules = {key: one for key, one in self.rules.items() if key[0] != of}
        self.bills = {key: one for key, one in self.bills.items() if one["property"] != of}
        self.invoices = {key: one for key, one in self.invoices.items() if one["property"] != of}
        self.frozen = {key: one for key, one in self.frozen.items() if key[0] != of}
        del self.properties[of]

    # --- rules

    def shown_rules(self) -> dict[tuple[str, str], History]:
        return {key: history for key, history in self.rules.items() if history.rule_id}

    def refuse_since(self, of: str, since: str | None) -> None:
        starts = self.properties[of]["starts"]
        if since and starts and since < starts:
            raise Refused(400)

    def put_rule(self, of: str, kind: str, rule_id: str, since: str | None, terms: Facts) -> None:
        self.rules.setdefault((of, kind), History()).place(rule_id, since, terms, self.blends)
        self.settle(of)

    def remove_rule(self, of: str, kind: str) -> None:
        self.rules[of, kind].hide()
        self.settle(of)

    def remove_blend(self, method_id: str) -> None:
        if any(one["blend"] == method_id for history in self.rules.values() for one in history.versions.values()):
            raise Refused(409)
        del self.blends[method_id]
