"""Fixtures of the stories, which use the whole application, as tests/web does."""

import pytest

from tests.web.conftest import house

__all__ = ["house"]
pytest.register_assert_rewrite("tests.stories.bookkeeper", "tests.stories.reckoning")
