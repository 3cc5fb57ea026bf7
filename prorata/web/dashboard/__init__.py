"""The dashboard: pages for people, one file per noun. Importing it imports them all, and so declares every page."""

from importlib import import_module
from pkgutil import iter_modules

from prorata.web.dashboard.pages import PAGES

__all__ = ["PAGES"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
