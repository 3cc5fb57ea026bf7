"""The layouts of bills, by name, locale and words.

The layouts that are `held_out` were not used to develop the reader.
"""

from typing import NamedTuple


class Layout(NamedTuple):
    """The look of a bill.

    `flow` is the arrangement of its amounts: all items down to the total ("flat"), a summary followed by the details
    ("summary"), or each utility with its sum ("sections").
    """

    name: str
    locale: str
    words: int
    held_out: bool
    head: str = "left"
    facts: str = "pairs"
    dates: str = "numeric"
    flow: str = "summary"
    ledger: str = "plain"
    total: str = "row"
    sign: str = "before"
    columns: int = 1
    detail_columns: int = 1
    stub: str = "grid"
    site: str = "footer"
    noise: bool = False
    due_in_box: bool = False
    late_inside: bool = False
    types_in_items: bool = False
    more: int = 0
    below_zero: str = "minus"
    history: bool = False
    size: float = 9.5
    margin: float = 2.0


def _layouts(locale: str, sign: str) -> list[Layout]:
    """The 21 layouts of a locale: 15 for developing the reader, and 6 held out."""
    shown, other = ("before", "none") if sign == "before" else ("after", "code")
    made = [
        Layout("plain summary", locale, 0, False, dates="numeric", flow="summary", sign=shown, stub="grid"),
        Layout("flat with colons", locale, 1, False, head="right", facts="colon", dates="long", flow="flat", sign=shown, noise=True, stub="lines"),
        Layout("sections and a box", locale, 0, False, head="banner", facts="stacked", dates="long", flow="sections", total="box", sign=shown, late_inside=True),
        Layout("two columns", locale, 1, False, head="centre", facts="justified", flow="summary", columns=2, sign=other, ledger="sign" if sign == "before" else "plain", more=1),
    ]  # fmt: skip
    held = [
        Layout("tiles", locale, 2, False, head="banner", facts="tiles", dates="long", flow="sections", total="box", due_in_box=True, sign=shown, noise=True, stub="lines"),
        Layout("table of facts", locale, 2, False, head="right", facts="table", dates="numeric", flow="summary", ledger="lines", sign=shown, more=2),
        Layout("table of charges", locale, 3, False, head="small", facts="pairs", dates="short", flow="sections", ledger="table", sign=other, noise=True, stub="grid", size=8.5),
        Layout("leaders in two columns", locale, 3, False, head="left", facts="stacked", flow="flat", ledger="leaders", columns=2, sign=shown, total="box", stub="lines", margin=1.4),
        Layout("details in columns", locale, 2, False, head="centre", facts="justified", dates="iso", flow="summary", detail_columns=2, sign=other, late_inside=True, types_in_items=True, stub="none", site="head", more=1, size=10.5),
    ]  # fmt: skip
    later = [
        Layout("pairs side by side", locale, 4, False, head="framed", facts="double", dates="long", flow="flat", ledger="lines", sign=shown, below_zero="parens" if sign == "before" else "trailing", stub="lines"),
        Layout("facts at the side", locale, 4, False, head="left", facts="stacked", dates="numeric", flow="sections", columns=3, total="box", sign=shown, noise=True, stub="grid", size=9),
        Layout("columns of taxes", locale, 5, False, head="right", facts="pairs", dates="short", flow="sections", ledger="taxes", sign="none", stub="none", late_inside=True, more=1),
        Layout("debit announced", locale, 5, False, head="drawn", facts="justified", dates="long", flow="summary", total="said", sign=shown, below_zero="cr" if sign == "before" else "minus", stub="lines", noise=True),
        Layout("former bills", locale, 4, False, head="centre", facts="dashed", dates="mixed", flow="summary", ledger="sign" if sign == "before" else "plain", sign=other, history=True, detail_columns=2, stub="grid", size=9),
        Layout("meter readings", locale, 5, False, head="banner", facts="tiles", dates="numeric", flow="sections", ledger="readings", sign=shown, stub="grid", site="head", size=8.5, margin=1.5),
    ]  # fmt: skip
    fresh = [
        Layout("double facts and readings", locale, 6, True, head="right", facts="double", dates="numeric", flow="sections", ledger="readings", sign=shown, stub="grid", size=8.5),
        Layout("frame and leaders", locale, 6, True, head="framed", facts="justified", dates="long", flow="flat", ledger="leaders", sign=other, stub="lines", noise=True),
        Layout("side, taxes", locale, 7, True, head="banner", facts="stacked", dates="mixed", flow="summary", columns=3, total="box", sign=shown, history=True, stub="lines", size=9),
        Layout("dashed and lined", locale, 7, True, head="centre", facts="dashed", dates="iso", flow="sections", ledger="lines", sign=shown, late_inside=True, below_zero="parens" if sign == "before" else "minus", stub="grid", more=1),
        Layout("tiles over a summary", locale, 6, True, head="left", facts="tiles", dates="short", flow="summary", total="said", sign=shown, below_zero="cr" if sign == "before" else "trailing", detail_columns=2, stub="none"),
        Layout("table in two columns", locale, 7, True, head="small", facts="table", dates="numeric", flow="flat", sign=other, types_in_items=True, stub="lines", margin=1.5, size=9),
    ]  # fmt: skip
    return made + held + later + fresh


LAYOUTS = tuple(
    layout
    for locale, sign in (("en-US", "before"), ("de-DE", "after"), ("fr-FR", "after"), ("es-ES", "after"))
    for layout in _layouts(locale, sign)
)
