"""File names from strangers are made safe to show and to store."""

import pytest
from hypothesis import given, strategies as st

from prorata.domain.file_names import clean_name
from prorata.domain.limits import LONGEST_FILE_NAME

names = st.text(st.sampled_from('abcXY.. /\\:\x00\u202e ~*?"<>|é(2)'), max_size=40) | st.text(max_size=300)


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("march.pdf", "march.pdf"),
        ("2026/march/aqua.pdf", "2026/march/aqua.pdf"),
        ("..\\..\\windows\\system32\\x.dll", "windows/system32/x.dll"),
        ("\\\\server\\share\\a.pdf", "server/share/a.pdf"),
        ("C:\\a.pdf", "a.pdf"),
        ("./a/../../b.pdf", "a/b.pdf"),
        ("gpj\u202efdp.exe", "gpjfdp.exe"),
        ("", "file"),
        ("/", "file"),
        ("a/..", "a"),
        ("e\u0301.pdf", "é.pdf"),
    ],
)
def test_a_name_keeps_what_leads_nowhere(given: str, cleaned: str):
    assert clean_name(given) == cleaned


@given(names)
def test_no_name_leads_out_of_its_folder_or_holds_what_can_not_be_shown(given: str):
    name = clean_name(given)
    assert 0 < len(name) <= LONGEST_FILE_NAME
    assert name.isprintable()
    assert not set(name) & set('\\:\x00<>"|?*')
    assert not name.startswith("/")
    assert all(part.strip(". ") for part in name.split("/"))
    assert clean_name(name) == name


@given(st.lists(names, max_size=12))
def test_no_two_names_are_the_same_whatever_their_case(given: list[str]):
    taken: list[str] = []
    for one in given:
        taken.append(clean_name(one, taken))
    assert len({name.casefold() for name in taken}) == len(given)


def test_a_long_name_keeps_its_ending():
    assert clean_name("x" * 1000 + ".pdf").endswith("xx.pdf")
    assert len(clean_name("x" * 1000 + ".pdf")) == LONGEST_FILE_NAME
