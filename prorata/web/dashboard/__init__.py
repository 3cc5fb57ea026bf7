"""The dashboard: pages for people, one file per noun. Importing it declares every page."""

from prorata.web.dashboard import overview, properties, settings, sign_in, sign_up
from prorata.web.dashboard.pages import PAGES

__all__ = ["PAGES", "overview", "properties", "settings", "sign_in", "sign_up"]
