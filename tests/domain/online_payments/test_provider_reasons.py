"""The reason a provider's message waits is a sentence, whatever names it contains."""

import json

import pytest

from prorata.domain.limits import LONGEST_PAYMENT_REASON
from prorata.domain.online_payments.provider_reasons import Reason, Why, in_words

NAMED = {
    "number": "M{0}-1", "paid_in": "USD", "currency": "EUR", "payer": "Ann {x}", "tenant": "100 % Bob", "says": "No {y}.",
}  # fmt: skip


@pytest.mark.parametrize("reason", Reason)
def test_each_reason_is_told_in_a_sentence_and_fits_a_form(reason: Reason) -> None:
    said = in_words(reason, json.dumps(NAMED))
    assert said.endswith(".")
    assert " " not in reason
    assert len(reason) <= LONGEST_PAYMENT_REASON


def test_names_stand_in_a_sentence_as_they_are() -> None:
    said = Why.of(Reason.OF_SOMEBODY_ELSE, payer="Ann {x}", number="M-1", tenant="100 % Bob").says
    assert "the link that Ann {x} had for invoice M-1, which is now for 100 % Bob" in said
    assert (
        "that somebody had for invoice M-1, which is now for nobody"
        in Why.of(Reason.OF_SOMEBODY_ELSE, number="M-1").says
    )
