import struct

import pytest
from hypothesis import given, strategies as st

from prorata.domain.inbound_mail.tnef import TnefFile, read_tnef
from prorata.domain.limits import MOST_TNEF_DEPTH, MOST_TNEF_FILES
from tests.hostile_mail import tnef

PDF = b"%PDF-1.7 a bill"
ONE = tnef.stream(tnef.file("BILL~1.PDF", PDF, long_name="Bill of März.pdf"))


def test_files_come_out_under_their_long_names_and_where_there_is_none_under_the_short_one():
    read = read_tnef(
        tnef.stream(tnef.file("BILL~1.PDF", PDF, long_name="Bill of März.pdf"), tnef.file("März.csv", b"a"))
    )
    assert read.files == (TnefFile("Bill of März.pdf", PDF), TnefFile("März.csv", b"a"))
    assert read.is_whole


def test_a_picture_that_the_letter_shows_is_told_from_a_file():
    read = read_tnef(tnef.stream(tnef.file("logo.png", b"\x89PNG", is_hidden=True), tnef.file("bill.pdf", PDF)))
    assert [file.is_shown for file in read.files] == [True, False]


def test_a_forwarded_message_gives_its_files_and_so_does_one_within_that():
    once = tnef.stream(tnef.file("Fwd", b"", object_=ONE), tnef.file("b.csv", b"b"))
    twice = tnef.stream(tnef.file("Fwd", b"", object_=once))
    assert [file.name for file in read_tnef(twice).files] == ["Bill of März.pdf", "b.csv"]


def test_messages_within_messages_are_opened_to_a_depth_and_no_further():
    deep = ONE
    for _ in range(MOST_TNEF_DEPTH - 1):
        deep = tnef.stream(tnef.file("Fwd", b"", object_=deep))
    assert read_tnef(deep).is_whole
    assert len(read_tnef(deep).files) == 1
    deeper = read_tnef(tnef.stream(tnef.file("Fwd", b"", object_=deep)))
    assert deeper == ((), False)


def test_so_many_files_and_no_more():
    assert len(read_tnef(tnef.stream(*[tnef.file("a", b"a")] * MOST_TNEF_FILES)).files) == MOST_TNEF_FILES
    more = read_tnef(tnef.stream(*[tnef.file("a", b"a")] * (MOST_TNEF_FILES + 1)))
    assert (len(more.files), more.is_whole) == (MOST_TNEF_FILES, False)


def test_what_is_cut_anywhere_gives_no_part_of_a_file():
    without_properties = ONE.rindex(struct.pack("<BI", 2, 0x00069005))
    for length in range(len(tnef.stream()) + 1, len(ONE)):
        read = read_tnef(ONE[:length])
        assert read.is_whole == (length == without_properties)  # it needs no more than that
        assert all(file.content == PDF for file in read.files)


@pytest.mark.parametrize(
    "broken",
    [
        tnef.stream(tnef.attribute(2, 0x0006800F, PDF, checksum=1)),
        tnef.stream(tnef.attribute(3, 0x0006800F, PDF)),
        tnef.stream(struct.pack("<BII", 2, 0x0006800F, 0xFFFFFFFF) + PDF),
        tnef.stream(tnef.attribute(2, 0x00069005, struct.pack("<I", 0xFFFFFFFF))),
        tnef.stream(tnef.attribute(2, 0x00069005, tnef.properties(struct.pack("<HHI", 0x101F, 0x3707, 0xFFFFFFFF)))),
        tnef.stream(tnef.attribute(2, 0x00069005, tnef.properties(struct.pack("<HHI", 0x1003, 0x3707, 0x7FFFFFFF)))),
        tnef.stream(tnef.attribute(2, 0x00069005, tnef.properties(tnef.fixed(0x3707, 0x0999, b"")))),
        tnef.stream(
            tnef.attribute(2, 0x00069005, tnef.properties(struct.pack("<HHII", 0x001F, 0x3707, 1, 0xFFFFFFF0)))
        ),
        tnef.stream(tnef.file("Fwd", b"", object_=b"no stream")),
    ],
)
def test_a_claim_that_the_bytes_do_not_bear_out_is_not_believed(broken):
    assert read_tnef(broken) == ((), False)


@given(st.binary(max_size=300), st.integers(0, len(ONE)), st.integers(0, 20))
def test_nothing_is_raised_by_any_bytes_in_any_place(noise, at, cut):
    for data in (noise, ONE[:at] + noise + ONE[at + cut :], ONE[:6] + noise):
        assert all(isinstance(file.content, bytes) for file in read_tnef(data).files)
