"""The dashboard: pages for people, one file per noun. Importing it declares every page."""

from prorata.web.dashboard import overview, properties, settings, sign_in, sign_up, tenants, units
from prorata.web.dashboard import property as property_
from prorata.web.dashboard.pages import PAGES

__all__ = ["PAGES", "overview", "properties", "property_", "settings", "sign_in", "sign_up", "tenants", "units"]
