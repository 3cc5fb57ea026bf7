"""Lessons about issuers have a part for each way of reading.

Each part is kept and forgotten independently of the others.
"""

from prorata.actions.intake import issuer_lessons
from tests.landlord import Landlord


def test_each_part_is_kept_beside_the_others_and_forgotten_alone(landlord: Landlord) -> None:
    account = landlord.account.id

    def known(part: str) -> object:
        return landlord.run(lambda tx: issuer_lessons.known(tx, account, "werke", part))

    for part, lesson in (("pages", {"a": 1}), ("eInvoice", {"b": 2}), ("eInvoice", {"c": 3})):
        landlord.run(
            lambda tx, part=part, lesson=lesson: issuer_lessons.keep(tx, account, "werke", "Werke", part, lesson)
        )
    assert (known("pages"), known("eInvoice"), known("other")) == ({"a": 1}, {"c": 3}, {})

    landlord.run(lambda tx: issuer_lessons.forget(tx, account, "werke", "eInvoice"))
    assert (known("pages"), known("eInvoice")) == ({"a": 1}, {})

    for part in ("pages", "pages"):
        landlord.run(lambda tx, part=part: issuer_lessons.forget(tx, account, "werke", part))
    assert known("pages") == {}
