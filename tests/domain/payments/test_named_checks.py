"""Tests of the words in bank files that state that a payment was a check."""

import pytest

from prorata.domain.payments.named_checks import says_check
from tests.domain.payments.test_files import read, sheet, understood


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("Description", "CHECK 1042"), ("Description", "Check #1042 Ann Lee"), ("Description", "RENT CHK 1042"),
        ("Description", "Mobile Check Deposit"), ("Description", "DEPOSIT OF CHECKS"), ("Type", "CHECK_DEPOSIT"),
        ("Type", "Cheque"), ("Type", "CHQ"), ("Details", "Cheque No. 000123"), ("Check Number", "1042"),
        ("Buchungstext", "Scheckeinreichung"), ("Buchungstext", "SCHECK-GUTSCHRIFT"), ("Verwendungszweck", "Scheck-Nr. 4711"),
        ("Libellé", "REMISE CHÈQUE"), ("Libellé", "Remise de chèques"), ("Libellé", "CHÈQUE N° 7654321"),
        ("Concepto", "INGRESO DE CHEQUE"), ("N° de chèque", "7654321"),
        ("Description", "CHECK 1042 ANN LEE"), ("Memo", "Rent - check number 1042"), ("Memo", "Check 1042, March rent"),
        ("Memo", "check 1042 - rent"), ("Memo", "Chk. 1042."), ("Memo", "Rent by check 2041"), ("Description", "Check 2041"),
        ("Description", "Check: 1042"), ("Description", "CHECK1042"), ("Memo", "for May, Check No: 12 (Ann)"),
    ],
)  # fmt: skip
def test_a_check_is_told_by_what_the_bank_says(column, text):
    assert says_check(column, text)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("Description", "CHECKCARD 1042"), ("Description", "Check card 1042"), ("Description", "CHECKING 1042"),
        ("Description", "please check"), ("Description", "check 2026-03"), ("Description", "check 03/05/2026"),
        ("Description", "e-check 1042"), ("Description", "ECHECK 1042"), ("Description", "Electronic check 1042"),
        ("Description", "Check-in 12 March"), ("Buchungstext", "Scheckkarte 1042"), ("Check Number", "0"),
        ("Check or Slip #", "1042"), ("Chq./Ref.No.", "1042"), ("Checking account", "1042"), ("Check Number", ""),
        ("Description", "Invoice 1042, check it"), ("Description", "Recheck 1042"),
        ("Description", "Online Banking transfer from CHK 6789 Confirmation# 2349871"),
        ("Description", "Online Transfer from CHK ...1234 transaction#: 12345678"), ("Description", "TRANSFER FROM CHK 1234"),
        ("Description", "Payment from CHK 1234"), ("Description", "CHK ...1234"), ("Description", "ACH CHECK 1042 CONVERSION"),
        ("Account type", "Cheque"), ("From account", "CHK 1234"), ("Kontoart", "Scheck"),
        ("Memo", "pls check 2026 bill"), ("Memo", "Zelle payment from Ann, check 2026"), ("Memo", "please check 1042"),
        ("Memo", "Check 12 Main St rent"), ("Memo", "check 45 dollars short"), ("Memo", "Check 2026 bill again"),
        ("Verwendungszweck", "Bitte Check 2026 Wasser"), ("Memo", "I will check 1042 again"),
    ],
)  # fmt: skip
def test_a_payment_that_only_has_the_word_is_no_check(column, text):
    assert not says_check(column, text)


def test_a_row_is_a_check_where_a_column_besides_the_payer_says_so():
    rows = [("2026-03-05", "45.00", payer, text, kind)
            for payer, text, kind in (("Ann", "rent", "CHECK"), ("Ann", "CHECK 1042", "DEPOSIT"), ("Check 100 Inc", "rent", "ACH"))]  # fmt: skip
    found = understood(sheet("Date;Amount;Payer;Description;Type", *rows), None, ["US"])
    assert [row.method for row in read(found).rows] == ["CHEQUE", "CHEQUE", "TRANSFER"]
