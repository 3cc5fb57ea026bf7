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
"""The exceptions of `zipfile` for damaged or encrypted files and for unknown compression methods."""
