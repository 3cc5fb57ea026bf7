"""Sums of corrections say whether a household pays more or less."""

import pytest

from prorata.domain.money import in_figures
from prorata.domain.printing.correction_words import sum_of_correction


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["5.12 less", "0.00", "6.43 more"]),
        ("de", ["5.12 weniger", "0.00", "6.43 mehr"]),
        ("es", ["5.12 menos", "0.00", "6.43 más"]),
        ("fr", ["5.12 de moins", "0.00", "6.43 de plus"]),
    ],
)
def test_a_sum_of_corrections_says_more_or_less(language, said):
    assert [sum_of_correction(cents, language, in_figures) for cents in (-5_12, 0, 6_43)] == said
