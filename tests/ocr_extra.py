"""The tests that need the extra for reading pictures.

Without it they are skipped with a message; under CI that is a failure.
"""

import pytest

from prorata.adapters.intake.ocr_files import is_installed

needs_ocr = pytest.mark.skipif(
    not is_installed(), reason="NOT TESTED: what reads scans and photos is not installed. Install it with: make ocr"
)
