"""The hash chain has the form that docs/audit-log.md describes.

The tests compute it by hand, byte by byte.
"""

from hashlib import sha256
from pathlib import Path

from hypothesis import given, strategies as st

from prorata.domain.audit.chains import Entry, Event, Reached, contents_digest, entry_hash, linked, problems, written

DOCUMENT = Path(__file__).parents[3] / "docs" / "audit-log.md"
EVENT = Event(
    "evt_01kkc000000000000000000001", "2026-03-10T18:00:00.000Z", "member_01kkc000000000000000000002", "change unit",
    "unit_01kkc000000000000000000003", "prop_01kkc000000000000000000004", '{"label": "1"}', '{"label": "Café"}',
)  # fmt: skip
SALT = "000102030405060708090a0b0c0d0e0f"


def test_the_example_of_the_documentation_is_what_the_program_computes() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    contents = contents_digest(SALT, EVENT.before, EVENT.after)
    assert f"32:{SALT},14:" in text
    assert contents == sha256(f"32:{SALT},14:{EVENT.before},18:{EVENT.after},".encode()).hexdigest()
    assert contents in text
    first = entry_hash("0" * 64, "acct_01kkc000000000000000000000", 1, EVENT, contents)
    assert first in text


TEXTS = st.lists(st.none() | st.text(alphabet="a1:,-é", max_size=4), max_size=4)


@given(TEXTS, TEXTS)
def test_no_two_lists_of_values_are_written_alike(one: list[str | None], other: list[str | None]) -> None:
    assert (written(*one) == written(*other)) == (one == other)


@given(st.integers(0, 5), st.sampled_from(["at", "actor", "verb", "record_id", "property_id", "before", "after"]))
def test_a_change_of_any_field_of_any_entry_is_named(at: int, field: str) -> None:
    events = [EVENT._replace(id=f"evt_{number}") for number in range(6)]
    links = list(linked("acct_1", events, Reached(), ["aa"] * 6))
    entries = [Entry(*one) for one in zip(links, events, strict=True)]
    assert list(problems("acct_1", entries, Reached(), {})) == []
    entries[at] = Entry(links[at], events[at]._replace(**{field: "x"}))
    (sentence,) = problems("acct_1", entries, Reached(), {})
    assert f"evt_{at}" in sentence
