"""The licenses that the installed packages state."""

from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.markers import Marker

from tests.house.rules_of_files import required


def licences_of_the_product(requirements: str) -> dict[str, str]:
    """The license of each package that a pinned requirements file needs on this machine."""
    needed = [name for name, marker in required(requirements) if not marker or Marker(marker).evaluate()]
    return {name: _licence(name) for name in needed}


def _licence(name: str) -> str:
    try:
        says = distribution(name)
    except PackageNotFoundError:
        return "not installed"
    name_or_text = (says.metadata.get("License") or "nothing said").splitlines()[0]
    return says.metadata.get("License-Expression") or _from_classifiers(says) or name_or_text


def _from_classifiers(says: Distribution) -> str:
    """Join the licenses of the classifiers with AND.

    The package itself must state that several licenses are a choice.
    """
    classifiers = says.metadata.get_all("Classifier") or []
    named = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License :: OSI Approved ::")]
    return " AND ".join(named)
