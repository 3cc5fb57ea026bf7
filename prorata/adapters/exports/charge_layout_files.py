"""The layouts of other programs' charge files, from data files beside this one (docs/charge-files.md)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from prorata.domain.exports.charge_layouts import Layout, layout_of

FOLDER = Path(__file__).with_name("charge_layouts")


@cache
def load_layouts() -> Mapping[str, Layout]:
    """Load every charge file layout that comes with Prorata, by system.

    The system is the accounting program for which the layout is; its name is the file's name without `.toml`.
    """
    files = sorted(FOLDER.glob("*.toml"))
    return {file.stem: layout_of(file.stem, tomllib.loads(file.read_text("utf-8"))) for file in files}
