"""The mark of tests that need the optional package for reading pictures.

Without the package, these tests are skipped with a message; under CI, they fail.
"""

import pytest

from prorata.adapters.intake.ocr_files import is_installed

needs_ocr = pytest.mark.skipif(
    not is_installed(), reason="NOT TESTED: what reads scans and photos is not installed. Install it with: make ocr"
)
