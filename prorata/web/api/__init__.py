"""The API of docs/contract.md, one file per noun. Importing it declares every operation."""

from importlib import import_module
from pkgutil import iter_modules

from prorata.web.http.operations import OPERATIONS

__all__ = ["OPERATIONS"]

for _file in iter_modules(__path__, f"{__name__}."):
    import_module(_file.name)
