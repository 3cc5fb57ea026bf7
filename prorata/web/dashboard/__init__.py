"""The dashboard: pages for people, with one module for each kind of record.

Importing this package declares every page.
"""

from importlib import import_module
from pkgutil import walk_packages

from prorata.web.dashboard.kernel.pages import PAGES, preview_of

__all__ = ["PAGES"]

for _file in walk_packages(__path__, f"{__name__}."):
    import_module(_file.name)

PAGES += [preview_of(page) for page in PAGES if page.moves and not page.is_preview]
