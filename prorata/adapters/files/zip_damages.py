"""The exceptions that may be raised when a damaged ZIP file is read."""

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
"""The exceptions of `zipfile` for damaged or encrypted files and for unknown compression methods."""
