"""The dashboard: pages for people, one file per noun. Importing it declares every page."""

from prorata.web.dashboard import overview, properties, sign_in
from prorata.web.dashboard.pages import PAGES

__all__ = ["PAGES", "overview", "properties", "sign_in"]
