"""How bills look: by name, locale and words. Those `held_out` were no part of making the reader."""

from typing import NamedTuple


class Layout(NamedTuple):
    """One look of a bill. `flow` says what its amounts are: the items down to the total ("flat"), a summary with the
    details behind ("summary"), or each utility with its sum ("sections").
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
    size: float = 9.5
    margin: float = 2.0


def _layouts(locale: str, sign: str) -> list[Layout]:
    """Nine for each locale: four to make the reader with, five held out."""
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
    return made + held


LAYOUTS = tuple(
    layout
    for locale, sign in (("en-US", "before"), ("de-DE", "after"), ("fr-FR", "after"), ("es-ES", "after"))
    for layout in _layouts(locale, sign)
)
