"""A paper check that comes in a file of the bank is recorded as one."""

from prorata.actions.payments import payments
from tests.actions.payments.test_files import HEADER, OUT, PLAIN, bring, record_matched, stored, three_flats
from tests.landlord import Landlord


def test_a_check_of_a_file_is_recorded_as_a_check_and_the_others_as_transfers(landlord: Landlord) -> None:
    maple = three_flats(landlord)
    by_name = ("2026-03-10", "30.00", "Chen Bo", "water", "ACH")
    kept = bring(landlord, (*PLAIN, "CHECK"), by_name, (*OUT, "DEBIT"), header=(*HEADER, "Type"))
    record_matched(landlord, kept)
    ledgers = [landlord.see(payments.ledger, stored(landlord, maple, label).id).entries for label in "12"]
    assert [[entry.method for entry in entries] for entries in ledgers] == [["CHEQUE"], ["TRANSFER"]]
