"""The layouts of other programs' charge files, from data files beside this one (docs/charge-files.md)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from prorata.domain.exports.charge_layouts import Layout, layout_of

FOLDER = Path(__file__).with_name("charge_layouts")


@cache
def load_layouts() -> Mapping[str, Layout]:
    """Load every charge file layout that comes with Prorata.

    The result maps each accounting program to its layout. The program's name is the name of the layout's file
    without `.toml`.
    """
    files = sorted(FOLDER.glob("*.toml"))
    return {file.stem: layout_of(file.stem, tomllib.loads(file.read_text("utf-8"))) for file in files}
