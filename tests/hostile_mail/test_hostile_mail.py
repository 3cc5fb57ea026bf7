"""Hostile messages are read harmlessly, and the reader says what is wrong with them.

The time and memory are in proportion to the length of a message.
"""

import re
import time
import tracemalloc
from functools import cache
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given, settings, strategies as st

from prorata.domain.inbound_mail.incoming_mail import IncomingMessage, read_message
from prorata.domain.limits import LONGEST_SUBJECT, MOST_ATTACHMENTS, MOST_MAIL_DEPTH, MOST_MAIL_PROBLEMS
from tests.hostile_mail.messages import FILE, FROM, MB, HostileMessage, every_message, multipart, nested, noise

EVERY = list(every_message())


@cache
def unit() -> float:
    """Return the factor by which this machine is slow, at least 1.

    It is relative to a machine that counts to three million in a tenth of a second.
    """
    return max(1.0, min(_counting() for _ in range(3)) / 0.1)


def _counting() -> float:
    began = time.process_time()
    for _ in range(3_000_000):
        pass
    return time.process_time() - began


def seconds(raw: bytes) -> float:
    began = time.process_time()
    read_message(raw)
    return time.process_time() - began


def wrong_with(message: HostileMessage) -> str | None:
    raw = message.make()
    began = time.process_time()
    read = read_message(raw)
    if (taken := time.process_time() - began) > 3 * unit():
        return f"{message.title}: {taken:.1f} s"
    if len(read.attachments) != message.files:
        return f"{message.title}: {len(read.attachments)} files, not {message.files}"
    unlike = [each for each in read.problems if not (message.says and re.search(message.says, each))]
    if unlike or bool(message.says) != bool(read.problems):
        return f"{message.title}: {read.problems}"
    return is_unsafe(message.title, read)


def is_unsafe(title: str, read: IncomingMessage) -> str | None:
    """Describe an effect that no message may have, or return None."""
    names = [file.name for file in read.attachments]
    is_safe = (
        all(name and ".." not in PurePosixPath(name).parts and not name.startswith("/") for name in names)
        and all(name.isprintable() for name in (*names, read.subject))
        and len({name.casefold() for name in names}) == len(names) <= MOST_ATTACHMENTS
        and len(read.subject) <= LONGEST_SUBJECT
        and len(read.problems) <= MOST_MAIL_PROBLEMS
        and all(len(problem) < 500 and problem.endswith(".") for problem in read.problems)
    )
    return None if is_safe else f"{title}: {read}"


@pytest.mark.thorough
def test_each_is_read_harmlessly_and_soon_and_says_what_is_wrong_with_it():
    assert len({message.title for message in EVERY}) == len(EVERY) >= 80
    assert [wrong for message in EVERY if (wrong := wrong_with(message))] == []


@pytest.mark.thorough
def test_each_takes_memory_in_proportion_to_its_length():
    greedy = {}
    for message in EVERY:
        raw = message.make()
        if len(raw) > 3 * MB:
            continue
        tracemalloc.start()
        read_message(raw)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        if peak > 6 * len(raw) + 8 * MB:
            greedy[message.title] = (peak, len(raw))
    assert greedy == {}


def test_twice_the_length_takes_twice_the_time_however_it_is_made():
    for make in (
        lambda size: multipart(FILE, end=b"--b " * size),
        lambda size: multipart(*[FILE] * (size // 200)),
        lambda size: FROM + b"\r\n" + b"begin 644 a\n" * size,
        lambda size: FROM + b"\r\n" + b"begin 644 a\r\n#86)C\r\n" * size,
        lambda size: FROM + b"To: " + b"a" * size + b"\r\n\r\n",
        lambda size: FROM + b"\r\n" + noise(size),
        lambda size: nested(MOST_MAIL_DEPTH - 2).replace(b"JVBERi0", b"JVBE" * (size // 4) + b"JVBERi0"),
    ):
        small, large = (min(seconds(make(size)) for _ in range(3)) for size in (25_000, 100_000))
        assert large < 10 * small + 0.1 * unit()


def with_noise(raw: bytes) -> st.SearchStrategy[bytes]:
    places = st.integers(0, len(raw))
    return st.builds(
        lambda at, cut, put: raw[:at] + put + raw[at + cut :], places, st.integers(0, 40), st.binary(max_size=30)
    )


SMALL = st.deferred(lambda: st.sampled_from([raw for message in EVERY if len(raw := message.make()) < 20_000]))
"""Made when they are first needed: collecting the tests need not wait for them."""
LINES = st.sampled_from(
    [
        b"Content-Type: multipart/mixed; boundary=b",
        b"Content-Type: message/rfc822",
        b"Content-Type: application/ms-tnef",
        b"Content-Type: text/plain; name*0*=utf-8''%41; name*1=b",
        b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: x-uuencode",
        b"Content-Disposition: attachment; filename=a.eml",
        b"From: a@example.com",
        b"Subject: =?utf-8?b?4pi=?= =?utf-8?q?=83?=",
        b"Date: 1",
        b"--b",
        b"--b--",
        b"",
        b"begin 644 a",
        b"#86)C",
        b"end",
        b"YSxi",
        b'x\x9f>"',
    ]
)


@settings(max_examples=300)
@given(
    st.one_of(
        st.binary(max_size=500),
        st.lists(LINES, max_size=40).map(b"\r\n".join),
        SMALL.flatmap(with_noise),
    )
)
@example(b"")
@pytest.mark.thorough
def test_any_bytes_are_a_message(raw):
    assert is_unsafe("", read_message(raw)) is None
