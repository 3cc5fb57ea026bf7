"""Bills whose pages are known, read as the product reads the first one of an issuer."""

from collections.abc import Sequence

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.reading import read_sheet
from prorata.domain.intake.bill_reading.spots import Sheet
from prorata.domain.intake.bill_reading.words import Page


def read_bill(pages: Sequence[Page]) -> Draft:
    """The draft of a bill."""
    return read_sheet(Sheet(pages))
