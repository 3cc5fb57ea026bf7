"""The exceptions that reading a damaged ZIP file raises."""

import zipfile
import zlib
from typing import Final

ZIP_DAMAGES: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""The exceptions of `zipfile`: of a damaged directory, of damaged or encrypted contents, and of unknown packings."""
