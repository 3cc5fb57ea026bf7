"""A message's body is hashed piece by piece with the result of dkimpy.

dkimpy hashes the body at once. Longer bodies take no more memory here.
"""

import re
import tracemalloc
from hashlib import sha256

import pytest
from dkim.canonicalization import CanonicalizationPolicy
from hypothesis import given, strategies as st

from prorata.adapters.inbound_mail.dkim_bodies import body_hash
from tests.adapters.inbound_mail.test_dkim_check import NOW, DkimCheck, Names

PIECES = [b" ", b"\t", b"a", b"bc", b"\r\n", b"\n", b"\r", b"\xff", b"\r\n\r\n", b"  \r\n", b"\r\r\n", b" \t "]
FORGED = (
    b"From: a@evil.example\r\nSubject: x\r\nDKIM-Signature: v=1; a=rsa-sha256; c=%s/%s; d=evil.example; s=x; h=from;"
    b" bh=AAAA; b=AAAA\r\n\r\n"
)


def as_the_other_program_hashes(body: bytes, way: bytes) -> bytes:
    whole = re.sub(rb"(?<!\r)\n", b"\r\n", body) + b"\r\n"
    return sha256(CanonicalizationPolicy.from_c_value(b"simple/" + way).canonicalize_body(whole)).digest()


@pytest.mark.parametrize("way", [b"simple", b"relaxed"])
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(1, 12), st.integers(0, 9))
def test_a_body_is_hashed_as_the_other_program_hashes_it_wherever_it_is_cut(way, pieces, size, start):
    body = b"".join(pieces)
    assert body_hash(b"x" * start + body, start, way, size) == as_the_other_program_hashes(body, way)


@pytest.mark.parametrize("way", [b"simple", b"relaxed"])
def test_a_long_body_is_hashed_as_the_other_program_hashes_it(way):
    for end in (b"", b"\r", b"\r\n", b" \r\n \r\n", b" \t"):
        for body in (b"line of text \t\r\n" * 20_000, b"\n" * 200_000 + b"x", b"a \t" * 70_000 + b"\r\n" * 70_000):
            assert body_hash(body + end, 0, way) == as_the_other_program_hashes(body + end, way)


@pytest.mark.parametrize(
    ("way", "unit"),
    [(b"relaxed", b"abc "), (b"simple", b"\n"), (b"relaxed", b"a "), (b"relaxed", b" \t"), (b"simple", b"\r\n")],
)
def test_a_message_that_is_not_signed_takes_no_memory_in_proportion_to_it(way, unit):
    raw = FORGED % (way, way) + unit * (4_000_000 // len(unit))
    check = DkimCheck(Names(), lambda: NOW)
    tracemalloc.start()
    try:
        found = check(raw)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.why == "The message was changed after it was signed."
    assert most < 2_000_000
