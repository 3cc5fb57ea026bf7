"""Rules about codes and sentences: nothing is found again by words that somebody may put better."""

import ast
from collections.abc import Sequence

from tests.house.sources import Source, called, python

PROGRAM = ("prorata/",)
WRITE_DOWN = {"audit.record": 2, "audit.record_many": 2}
"""What writes into the audit log, and which of the arguments is the verb."""


def verbs_of_the_log_are_members_of_their_enum(sources: Sequence[Source]) -> list[str]:
    """No text is handed to `audit.record` as what was done: a verb is declared with its words and events."""
    return [
        source.offence(call, f"a verb in words; take one of Verb: {ast.unparse(verb)}")
        for source in python(sources, *PROGRAM)
        for call in source.calls
        if (at := WRITE_DOWN.get(called(call))) is not None
        for verb in (*call.args[at : at + 1], *(one.value for one in call.keywords if one.arg == "verb"))
        if any(isinstance(part, ast.Constant | ast.JoinedStr) for part in ast.walk(verb))
    ]


ALL = (verbs_of_the_log_are_members_of_their_enum,)
