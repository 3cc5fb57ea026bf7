"""The build of the client; in a checkout, it first generates code from docs/openapi.json."""

import sys
from pathlib import Path
from typing import Any

from flit_core import buildapi
from flit_core.buildapi import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]
_HERE = Path(__file__).parent
_CHECKOUT = _HERE.parents[1]


def build_wheel(*given: Any, **named: Any) -> str:
    """Build a wheel."""
    _generate()
    return buildapi.build_wheel(*given, **named)


def build_editable(*given: Any, **named: Any) -> str:
    """Build an editable wheel, which refers to this folder."""
    _generate()
    return buildapi.build_editable(*given, **named)


def build_sdist(*given: Any, **named: Any) -> str:
    """Build an archive of the source."""
    _generate()
    return buildapi.build_sdist(*given, **named)


def _generate() -> None:
    if (_CHECKOUT / "docs" / "openapi.json").is_file():
        sys.path.insert(0, str(_CHECKOUT))
        from clients.generate.__main__ import write_python  # noqa: PLC0415 - it is there in a checkout alone

        write_python(_HERE)
