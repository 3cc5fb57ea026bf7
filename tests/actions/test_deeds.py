"""Whatever is written down as done can be said in words."""

import ast
from functools import cache
from pathlib import Path

import pytest

import prorata
from prorata.actions import onboarding, payments
from prorata.actions.invoice_standing import verb_of
from prorata.domain.bulk import HAND_OVER, VERBS
from prorata.domain.deeds import KINDS, has_words, in_words
from prorata.domain.deliveries import MAIL_STATES
from prorata.domain.lifecycle import STATUSES
from prorata.store import api_keys
from prorata.store.audit import DELETE_PROPERTY, REMOVE_MEMBER, TOGETHER

WRITES_DOWN = {
    "audit.record": 2, "audit.record_many": 2, "bill_lines.save": 2, "documents._save": 4, "told_payments.note": 2,
    "deliveries.Change": 2, "hand_overs.Change": 2, "writing.write": 0,
}  # fmt: skip
"""The functions that write down what was done, and which of their arguments is the verb."""
COMPUTED = {
    "f'mail {after.state}'": [f"mail {state}" for state in MAIL_STATES],
    "'close payments' if state == CLOSED else 'open payments'": ["close payments", "open payments"],
    "'call payment the same' if is_same else 'call payment another'": ["call payment the same", "call payment another"],
    "verb": [*payments.VERBS.values(), *(verb_of(status) for status in STATUSES)],
    "CONFIRMED[step]": list(onboarding.CONFIRMED.values()),
    "api_keys.CREATE": [api_keys.CREATE],
    "audit.DELETE_PROPERTY": [DELETE_PROPERTY],
    "audit.REMOVE_MEMBER": [REMOVE_MEMBER],
}
"""Verbs that are not written out where they are used, as the source has them; `verb` is one of entries or of a status, or
an argument of `documents._save` or `told_payments.note`.
"""


@cache
def verbs() -> set[str]:
    found = {TOGETHER}
    for file in sorted(Path(prorata.__file__).parent.joinpath("actions").glob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            named = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
            at = WRITES_DOWN.get(named if "." in named else f"{file.stem}.{named}")
            if not isinstance(call, ast.Call) or at is None or len(call.args) <= at:
                continue
            verb = call.args[at]
            if isinstance(verb, ast.Constant):
                found.add(verb.value)
            else:
                found |= set(COMPUTED[ast.unparse(verb)])
    return found


@pytest.mark.parametrize("verb", sorted(verbs()))
def test_what_is_written_down_has_words(verb: str) -> None:
    assert has_words(verb)
    assert in_words(verb, "2B")[:1].islower()
    assert not in_words(verb, "").endswith((" ", "{}"))


def test_so_many_verbs_are_found_that_none_is_missed() -> None:
    assert {"bring document", "take document up", "set document aside", "confirm document", "create unit"} <= verbs()
    assert {"review month", "look at share rules", "hand over invoice", "mail bounced"} <= verbs()
    assert HAND_OVER not in VERBS


def test_no_id_begins_as_those_of_two_kinds() -> None:
    prefixes = [prefix for kind in KINDS.values() for prefix in kind.prefixes]
    assert len(prefixes) == len(set(prefixes))
