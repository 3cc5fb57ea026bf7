"""The currency of a bill comes from its statements about amounts.

It never comes from letters in a name.
"""

import pytest

from tests.domain.intake.test_bill_reading import read


@pytest.mark.parametrize("name", ["Tenaga Water SDN BHD", "TTY-TTD 711", "IRR Energy", "AMD Power", "Call TTY-TTD"])
def test_letters_of_a_name_make_no_bill_one_of_another_currency(name: str) -> None:
    draft, without = read("Total amount due | $80.10", made=(name,)), read("Total amount due | $80.10")
    assert (draft.currency, draft.total.reason) == ("$", without.total.reason)


@pytest.mark.parametrize(
    ("line", "currency"), [("All amounts in BHD", "BHD"), ("Amount due (TTD)", "TTD"), ("Water IRR 1,250.00", "IRR")]
)
def test_a_code_beside_an_amount_and_where_the_bill_names_its_currency_counts(line: str, currency: str) -> None:
    assert read("Total amount due | 80.10", made=(line,)).currency == currency
