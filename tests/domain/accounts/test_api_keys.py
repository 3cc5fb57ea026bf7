"""Tests of the form of an API key."""

import math

import pytest
from hypothesis import given, strategies as st

from prorata.domain.accounts.api_keys import RANDOM_LENGTH, has_form, last_four, write_key

randomness = st.binary(min_size=24, max_size=64)


@given(randomness)
def test_every_key_that_is_written_has_the_form(random_bytes: bytes) -> None:
    key = write_key(random_bytes)

    assert has_form(key)
    assert key.endswith(last_four(key))
    assert len(key) == len("pro_live_") + 33 + 6


@given(randomness, st.data())
def test_a_key_with_one_character_mistyped_or_missing_has_not(random_bytes: bytes, data: st.DataObject) -> None:
    key = write_key(random_bytes)
    place = data.draw(st.integers(0, len(key) - 1))
    other = data.draw(st.sampled_from("0aZ").filter(lambda character: character != key[place]))

    assert not has_form(key[:place] + other + key[place + 1 :])
    assert not has_form(key[:place] + key[place + 1 :])


def test_a_key_holds_at_least_190_bits() -> None:
    assert RANDOM_LENGTH * math.log2(62) >= 192
    with pytest.raises(AssertionError):
        write_key(bytes(23))


@pytest.mark.parametrize(
    "text", ["", "pro_live_", "pro_live_" + "0" * 39, "\N{FULLWIDTH DIGIT ZERO}" * 48, write_key(bytes(24)) + "\n"]
)
def test_what_merely_looks_like_a_key_has_not_its_form(text: str) -> None:
    assert not has_form(text)
