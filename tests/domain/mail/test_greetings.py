"""A message greets its reader by name, a surname last."""

import pytest

from prorata.domain.mail.greetings import called


@pytest.mark.parametrize(
    "name",
    [
        "Ann Smith", "Smith, Ann, Bo", "Smith & Sons, Berlin", "Müller, Anna und Karl", "Roth, Bäckerei GmbH",
        "Lakeview Holdings, L.L.C.", "Familie Roth, Anna", "Ann Lee, Bo Chen", "Bob Smith, Jr.", "Wohnung, leer",
        "Bau 24, Berlin", "Smith,", ", Ann", "Anna Smith, M.D.", "von, Anna",
    ],
)  # fmt: skip
def test_a_name_that_may_not_be_one_persons_surname_first_is_left_as_it_is(name: str) -> None:
    assert called(name) == name


@pytest.mark.parametrize(
    ("name", "greeted"),
    [
        ("Richter, Violetta", "Violetta Richter"), ("RICHTER, Violetta E.", "Violetta E. RICHTER"),
        ("Müller, Dr. Anna-Lena", "Dr. Anna-Lena Müller"), ("de la Cruz, Ana", "Ana de la Cruz"),
        ("O’Brien, Seán", "Seán O’Brien"),
    ],
)  # fmt: skip
def test_a_surname_that_plainly_comes_first_is_put_last(name: str, greeted: str) -> None:
    assert called(name) == greeted
