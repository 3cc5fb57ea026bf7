"""What needs the extra that reads pictures: elsewhere it is skipped and says so; under CI that is a failure."""

import pytest

from prorata.adapters.intake.ocr_files import is_installed

needs_ocr = pytest.mark.skipif(
    not is_installed(), reason="NOT TESTED: what reads scans and photos is not installed. Install it with: make ocr"
)
