"""The dot of a currency sign is never read as a decimal mark.

In files and in forms, `Rs.500` is 500 rupees, never half a rupee.
"""

import pytest

from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.countries import COUNTRIES
from prorata.domain.currency_signs import CURRENCIES_OF
from prorata.domain.files.cell_values import read_amount
from prorata.domain.files.cells import Unclear
from prorata.errors import InvalidRequest
from prorata.web.dashboard.kernel.forms import agree, read_form
from prorata.web.dashboard.payments.payments import PaymentForm

HOME = {country.currency: country for country in COUNTRIES.values()}
FORMS = {mark: LocaleForms(name) for mark, name in ((".", "en-US"), (",", "de-DE"))}


def in_a_file(written: str, currency: str) -> int | None:
    try:
        return read_amount(written, HOME[currency], currency)
    except Unclear:
        return None


def in_a_form(written: str, currency: str, mark: str) -> int | None:
    """The amount that a form reads, in cents, or None if the form refuses it."""
    sent = [("amount", written), ("date", "2026-03-01"), ("method", "CASH")]
    try:
        form = read_form(sent, PaymentForm, FORMS[mark])
        agree(currency, amount=form.amount)
    except InvalidRequest:
        return None
    return int(form.amount * 100)


@pytest.mark.parametrize("sign", CURRENCIES_OF)
def test_every_sign_of_a_currency_is_taken_off_at_either_end_and_no_dot_of_it_divides_decimals(sign: str) -> None:
    for currency in CURRENCIES_OF[sign] & HOME.keys():
        ways = [lambda text, of=currency: in_a_file(text, of)]
        ways += [lambda text, of=currency, mark=mark: in_a_form(text, of, mark) for mark in FORMS]
        for cents in ways:
            for written in (f"{sign}500", f"{sign} 500", f"500{sign}", f"500 {sign}", f"{sign.upper()}500"):
                assert cents(written) == 500_00, (written, currency)
            if sign[-1] in "./" or sign[-1].isalpha():
                for written in (f"{sign}.500", f"{sign},500", f"{sign.rstrip('.')} .500", f"500.{sign}", f"500,{sign}"):
                    assert cents(written) in (None, 500_00), (written, currency)


@pytest.mark.parametrize(
    "written", ["zł.500", "zł,50", "zł .", "PLN.500", "kr ,50", "zł..50", "zł -.50", "500.zł", "5zł5", "zł"]
)
def test_what_may_be_the_dot_of_a_sign_or_a_mark_of_decimals_is_refused(written: str) -> None:
    assert in_a_file(written, "PLN") is None
    assert [in_a_form(written, "PLN", mark) for mark in FORMS] == [None, None]
