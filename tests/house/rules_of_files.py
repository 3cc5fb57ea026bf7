"""Rules about all files: paths, package registries, requirements and licenses (house rule 14)."""

import hashlib
import re
import sys
from collections.abc import Mapping, Sequence

from tests.house.sources import ROOT, Source, imported, is_or_below, python

MACHINE_PATH = re.compile(r"(?<![\w.~})\]*%-])/(?:work|root|home/\w+|Users/\w+)(?=[/\s\"'`:;,)\]]|$)", re.MULTILINE)
REGISTRY = re.compile(
    r"\b(?:pypi\.(?:org|python\.org)|test\.pypi|pythonhosted\.org|registry\.(?:npmjs|yarnpkg)\.\w+|npmjs\.org"
    r"|(?:deb|security|ftp|httpredir|cdn-fastly\.deb)(?:\.\w\w)?\.debian\.org|conda\.anaconda\.org|proxy\.golang\.org"
    r"|crates\.io|rubygems\.org|artifactor[y]|jfro[g]|codeartifac[t]|devp[i]|nexus[.-]\w+)"
    r"|/simple/?(?=[\s\"'`)]|$)|--(?:extra-)?index-url\b|\b(?:PIP|UV)_(?:EXTRA_)?INDEX|--trusted[-]host\b",
    re.IGNORECASE | re.MULTILINE,
)
URL = re.compile(r"\w+://")
REQUIREMENT = re.compile(r"^[A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?==\S+")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}(?:\s|$)")

PERMISSIVE = re.compile(
    r"^(?:MIT(?:-0|-CMU)?|BSD(?:-[0-9]-Clause)?|Apache(?:-2\.0)?|ISC|PSF-2\.0|Python-2\.0|Zlib|Unlicense|0BSD|CC0-1\.0|OFL-1\.1)$"
)
LICENCE_NAMES = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause",  # pypdfium2: PDFium and what it includes, all permissive
}
NOT_PERMISSIVE_BUT_ACCEPTED = {
    "psycopg": "LGPL-3.0: used unchanged, as a library of its own that its user can replace",
    "psycopg-binary": "LGPL-3.0: the compiled part of psycopg, the same",
}
NOT_PERMISSIVE_BUT_ACCEPTED_TO_READ_PICTURES = {
    "certifi": "MPL-2.0: a list of authorities, used unchanged, and only loaded by RapidOCR with what downloads",
    "tqdm": "MPL-2.0 and MIT: the same",
}

REVISION = re.compile(r"prorata/store/migrations/versions/(?!__)\w+\.py")
LANDED_REVISIONS = {
    "prorata/store/migrations/versions/flags_of_days_ahead.py": "3d68783dfcaf6bc8c781372b7ba4e360dd44c4a496cf26b6657c9294f8212a0e",
    "prorata/store/migrations/versions/names_of_bill_lines.py": "9dbf6c73788aab36a70e720c92a2a1c1ebb5f6848e0146d3d9bc0f43904345d5",
    "prorata/store/migrations/versions/billing_month_rules.py": "09462e34e8b7674f42b22f3283d29b5d3fa4e685afa56858e588ac985f8f9e51",
    "prorata/store/migrations/versions/past_tenants.py": "8a26fdea9a3668b254345e16b8520780db9ab9cf5d38e0e7ec7c19ec73eed792",
    "prorata/store/migrations/versions/undelivered_with_outbox.py": "a68b8dc1f68e5018c379fba71ea55a5f5e21adb5babacaadb14a2ca0b979b2ff",
    "prorata/store/migrations/versions/payments_and_rules_by_change.py": "e08e14576f07490994b112c4983f69fbe5d66eba16278ffeae78a7e6f87e9dbe",
    "prorata/store/migrations/versions/erasures.py": "92a693f3d69174e7dbf3f5eeaae01dff1991a0376e74fa280ce87605e8a987e3",
    "prorata/store/migrations/versions/documents_by_change.py": "0876ea16bb4b510180f2e8d71ea5c95d6d6037f2c8f7d7b52325cf029cf7c59f",
    "prorata/store/migrations/versions/batches.py": "07c8dae725bb5c03913247819df3636eade06c93cc9540a0867416c162bf7205",
    "prorata/store/migrations/versions/lists_by_change.py": "dbe5f5517214be7a31ee671b76efada693707c9116f37cc1371d99a642e0553a",
    "prorata/store/migrations/versions/first_schema.py": "ce307a1a0df5ab0fb4d1254ff800a548761bb235d919b6fab6fa43c89e38cb38",
    "prorata/store/migrations/versions/codes_for_sentences.py": "1454549e2488e32f8ef0eb9ccee25b875c99623cba132cb39652a64b7abb1ee6",
    "prorata/store/migrations/versions/households_and_days.py": "04374653f695ea69703e7aafbaed600ecf6c50e1651c62d4036f55837e662fa1",
    "prorata/store/migrations/versions/people_and_forwarding.py": "14bf219587c835d3d671fdf2b46dc480fa6272a3602567de0a7695a364938daa",
    "prorata/store/migrations/versions/corrections.py": "be1843e667384b98c34601ec1433414f705063f78813fc9758b958e29e7f37a1",
    "prorata/store/migrations/versions/dated_rules.py": "50185a03fd064ad472e8c911864d79852f006e09999da2fd3587e65c8d6b4349",
    "prorata/store/migrations/versions/replaced_invoices.py": "18718be65d28787a52fe4e5df75b2bf6747c8a27289c916faace639f00c60253",
    "prorata/store/migrations/versions/carried_credits.py": "f4f4ade3747c9593d1dd5037827b283b5054c72fcb9eb1f73423916f70f5448f",
    "prorata/store/migrations/versions/households_of_corrections.py": "e870631b304411647a1d7c43fdeb6ce719aa622bd7ff8cba55acb9d74a915c83",
    "prorata/store/migrations/versions/issuer_lessons.py": "87377173ec8f3d2fd3f05a891997eaf6b92d9e3577f53a1c8448d30f615972a6",
    "prorata/store/migrations/versions/document_words.py": "91e9a6b838388b188fd172169a199eae59eb1132c9a9ca8411568e30b31788ac",
    "prorata/store/migrations/versions/how_to_pay.py": "c50c885b22b14f22dc6a989a6b079c61726bececf5a70baa9c46fa5e97196c7c",
    "prorata/store/migrations/versions/telephone.py": "4d166d4908e725e8af5da2a7c2b32eebb660e34b147aaede0ac96330d57068b7",
    "prorata/store/migrations/versions/own_words.py": "3475713dbada4ccb524b952f066f80dbf6f7f8781107934b0b40ffec5b2b5e58",
    "prorata/store/migrations/versions/replies.py": "7df9ce7301275db223e1df2218eed846b3d4de44110f93f748c7ba3daacefcde",
    "prorata/store/migrations/versions/own_language.py": "ac9b2ed4ef19c7115500febe1d7fd7979314c62f66587814c036d7665e122b48",
    "prorata/store/migrations/versions/logo_and_colour.py": "e9687327b3e13df6f91d3ba81c4a7d75d331bd0282182f16001996b73665dbfd",
    "prorata/store/migrations/versions/usage_and_price.py": "a485c3913bf89068d9b4155938caa849ceaaeab164eba4f3f7f8374288b95f19",
    "prorata/store/migrations/versions/rule_announcements.py": "c096accf41a2a31def8ec8fb2fefbe19b3bf65e2ba1b414490a602c234e1f89b",
    "prorata/store/migrations/versions/disputes.py": "e7b908b585e00e7bb931de3a5271087fe4a4f124f2f6f88222787468d44701dd",
    "prorata/store/migrations/versions/explanations.py": "71b2b131b43da004040125add84fb33823c091eeef0272523f01049f14e0ddfe",
    "prorata/store/migrations/versions/corrected_disputes.py": "07a704da9c3604a51519d9ed0a24a67edb8214e29f6b38ace63d87e64014a00d",
    "prorata/store/migrations/versions/disputed_lines.py": "fc683915e89af7a3b44b13cc359007d86469c8e6e05d54bbfe39f8866fa17f24",
    "prorata/store/migrations/versions/key_scopes.py": "bc0595a664736ee2c3cb5a3e3597a08fbbff2a16d0132dbc957fe64819f8196c",
}
"""Each revision of the schema's history with its SHA-256. A line is added with a revision, and never changed after."""


def no_file_names_a_place_on_somebodys_machine(sources: Sequence[Source]) -> list[str]:
    """No file names a path below a home directory or another local place."""
    return _lines_with(MACHINE_PATH, sources, "a path of somebody's machine")


def no_file_names_a_registry(sources: Sequence[Source]) -> list[str]:
    """The installing machine's settings determine the source of packages."""
    return _lines_with(REGISTRY, sources, "a package registry")


def _lines_with(pattern: re.Pattern[str], sources: Sequence[Source], what: str) -> list[str]:
    offences = []
    for source in sources:
        for found in pattern.finditer(source.text):
            line = source.text.count("\n", 0, found.start()) + 1
            offences.append(source.offence(line, f"{what}: {found.group().strip()}"))
    return offences


def requirements_are_pinned_with_hashes(sources: Sequence[Source]) -> list[str]:
    """Each requirement is pinned with hashes.

    In requirements/*.txt, each line is name==version with hashes; no file in requirements/ has a URL.
    """
    offences = []
    for source in sources:
        if not source.within("requirements/"):
            continue
        lines = enumerate(source.text.splitlines(), 1)
        offences += [source.offence(number, "a URL") for number, line in lines if URL.search(line)]
        if source.path.endswith(".txt"):
            for number, requirement in _requirements(source.text):
                if not REQUIREMENT.match(requirement) or not HASH.search(requirement):
                    offences.append(source.offence(number, f"not pinned with hashes: {requirement[:60]}"))
    return offences


def _requirements(text: str) -> list[tuple[int, str]]:
    """Each requirement on one line, with the number of its first line."""
    found, begun = [], 0
    joined = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not joined:
            begun = number
        joined += line.removesuffix("\\")
        if not line.endswith("\\"):
            if joined.strip() and not joined.lstrip().startswith("#"):
                found.append((begun, joined.strip()))
            joined = ""
    return found


def required(text: str) -> list[tuple[str, str]]:
    """The name and environment marker of each requirement in a pinned file."""
    parts = [requirement.split("--hash")[0].partition(";") for _, requirement in _requirements(text)]
    return [(re.split(r"[\[=]", name)[0].strip(), marker.strip()) for name, _, marker in parts]


def licences_are_permissive(licences: Mapping[str, str]) -> list[str]:
    """The running product depends only on packages that anyone may use, change and sell.

    Exceptions are named with a reason.
    """
    offences = [f"{name}: {said}" for name, said in licences.items() if name not in NOT_PERMISSIVE_BUT_ACCEPTED]
    offences = [offence for offence in offences if not _is_permissive(offence.partition(": ")[2])]
    needless = [name for name in NOT_PERMISSIVE_BUT_ACCEPTED if name not in licences]
    return offences + [f"{name}: an exception that nothing needs" for name in needless]


def licence_binds(said: str) -> bool:
    """True if a license requires more than being named."""
    return not _is_permissive(said)


def _is_permissive(said: str) -> bool:
    """True if the license is permissive.

    Of `A OR B`, one license has to be permissive, and of `A AND B` both.
    """
    choices = [choice.split(" AND ") for choice in re.sub(r"[()]", "", said).split(" OR ")]
    return any(
        all(PERMISSIVE.match(LICENCE_NAMES.get(part.strip(), part.strip())) for part in choice) for choice in choices
    )


def landed_revisions_stay_as_they_are(sources: Sequence[Source]) -> list[str]:
    """No schema revision is edited, renamed or removed, because databases were made by it."""
    found = {source.path: source for source in sources if REVISION.fullmatch(source.path)}
    offences = [found[path].offence(1, "add its hash to LANDED_REVISIONS") for path in found.keys() - LANDED_REVISIONS]
    for path, landed in LANDED_REVISIONS.items():
        if path not in found:
            offences.append(f"{path}: a revision that landed is gone")
        elif hashlib.sha256(found[path].text.encode()).hexdigest() != landed:
            offences.append(found[path].offence(1, "a revision that landed was edited: write a new one"))
    return offences


def tests_of_the_domain_import_what_they_install(sources: Sequence[Source]) -> list[str]:
    """Domain tests and modules that they import need only the packages that are installed.

    `make domain` runs them with requirements/domain.in alone, on other Pythons.
    """
    ours = {
        source.path.removesuffix(".py").replace("/", "."): source for source in python(sources, "tests/", "benchmarks/")
    }
    needs = (ROOT / "requirements/domain.in").read_text(encoding="utf-8").splitlines()
    known = (
        {line.partition("[")[0] for line in needs}
        | {"prorata", "tests", "benchmarks", "_pytest"}
        | sys.stdlib_module_names
    )
    reached, ahead, offences = set[str](), [name for name in ours if is_or_below(name, "tests.domain")], []
    while ahead:
        name = ahead.pop()
        if name in ours and name not in reached:
            reached.add(name)
            of_module = set(ours[name].tree.body)
            for node, module in [(node, module) for node, module in imported(ours[name]) if node in of_module]:
                ahead.append(module)
                if (package := module.partition(".")[0]) not in known:
                    offences.append(ours[name].offence(node, f"`make domain` does not install {package}"))
    return sorted(set(offences))


ALL = (
    tests_of_the_domain_import_what_they_install,
    landed_revisions_stay_as_they_are,
    no_file_names_a_place_on_somebodys_machine,
    no_file_names_a_registry,
    requirements_are_pinned_with_hashes,
)
