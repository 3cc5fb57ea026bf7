"""What is known of issuers, from the data files beside this one: a TOML file for each (docs/reading-bills.md)."""

import tomllib
from functools import cache
from pathlib import Path

from prorata.domain.intake.bill_reading.issuers import Template, template_of

FOLDER = Path(__file__).with_name("issuers")


@cache
def load_templates() -> tuple[Template, ...]:
    """The templates that come with the program, by the names of their files."""
    return tuple(template_of(tomllib.loads(file.read_text("utf-8"))) for file in sorted(FOLDER.glob("*.toml")))
