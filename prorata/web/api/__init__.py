"""The API of docs/contract.md and its additions, with one module for each kind of record.

Importing this package declares every operation.
"""

from importlib import import_module
from pkgutil import walk_packages

from prorata.web.http.operations import OPERATIONS

__all__ = ["OPERATIONS"]

for _file in walk_packages(__path__, f"{__name__}."):
    import_module(_file.name)
