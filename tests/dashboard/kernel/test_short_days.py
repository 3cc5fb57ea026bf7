"""Tables in the dashboard write short dates, so that each row fits on one line.

Sentences write dates in full.
"""

import re
from importlib.resources import files

import pytest

_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
_SAID_ALOUD = re.compile(r'aria-label="(?:\{\{.*?\}\}|[^"{])*"')


def long_days(template: str) -> list[str]:
    """The tables of a template that write a date in full.

    Texts that only a screen reader reads aloud do not count.
    """
    return [table for table in _TABLE.findall(template) if "write.day(" in _SAID_ALOUD.sub("", table)]


def test_no_table_of_the_dashboard_writes_days_in_full():
    templates = files("prorata.web.dashboard").joinpath("templates").iterdir()
    tables = {one.name: one.read_text() for one in templates if one.name.endswith(".html")}
    assert sum("<table" in text for text in tables.values()) > 10
    assert [name for name, text in tables.items() if long_days(text)] == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<table>{{ write.day(row.day) }}</table>", 1),
        ("<p>{{ write.day(row.day) }}</p><table>{{ write.short_day(row.day) }}</table>", 0),
        ('<table><td aria-label="Choose the bill of {{ write.day(row.day) }}"></td></table>', 0),
    ],
)
def test_a_table_that_writes_a_day_in_full_is_found(template, found):
    assert len(long_days(template)) == found
