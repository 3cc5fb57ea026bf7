"""Stories use the whole application, as tests/web does."""

from tests.web.conftest import house

__all__ = ["house"]
