"""No cell of an exported file begins a formula, whatever divides the cells.

Each cell reads back as it was.
"""

import csv
import io
import re

import pytest
from hypothesis import given, strategies as st

from prorata.domain.files.spreadsheet_cells import as_csv, as_meant, safe

NAMES = st.text(alphabet="ab;|'\"=+-@,\t\r\n ＝é", max_size=20)
BEGINS = re.compile(r'\s*"*\s*[=+@\-＝＋＠－]')


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x;=1+1", "x;'=1+1"), ("Aqua;=1+1;", "Aqua;'=1+1;"), ("a\n@SUM(A1)", "a\n'@SUM(A1)"), ("a\t-1", "a\t'-1"),
        ('x;"=1+1"', "x;'\"=1+1\""), ("x; =1+1", "x;' =1+1"), ("x|+1", "x|'+1"), ("=1;=2", "'=1;'=2"),
        ("WATER=80.00;SEWER=-4.10", "WATER=80.00;SEWER=-4.10"), ("5 - 6; a=b", "5 - 6; a=b"), ("O'Brien", "O'Brien"),
    ],
)  # fmt: skip
def test_a_formula_behind_any_sign_that_divides_cells_is_text(text: str, written: str) -> None:
    assert safe(text) == written
    assert as_meant(written) == text


@given(NAMES)
def test_what_was_made_safe_reads_back_as_it_was(text: str) -> None:
    assert as_meant(safe(text)) == text


@given(st.lists(NAMES, min_size=1, max_size=4), st.sampled_from(",;\t|"))
def test_no_cell_begins_a_formula_however_the_file_is_divided(cells: list[str], divider: str) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([as_csv(cell) for cell in cells])
    for row in csv.reader(io.StringIO(buffer.getvalue(), newline=""), delimiter=divider):
        assert not any(cell.startswith(tuple("=+-@＝＋－＠")) for cell in row), (row, cells)
