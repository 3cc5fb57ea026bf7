"""The export of a deleted property contains all that must be kept.

It includes the data that came from tenants, and the explanations of charges.
"""

import json
from base64 import b64decode

from prorata.actions.delivery import disputes
from prorata.actions.delivery.dispute_files import BroughtFile
from prorata.actions.delivery.disputes import Opening
from prorata.actions.properties import properties
from prorata.store.splitting import explanations
from tests.landlord import Landlord

_PHOTO = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
_SCAN = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


def test_files_of_disputes_and_explanations_outlive_their_property(landlord: Landlord) -> None:
    maple, elm = landlord.property_(), landlord.property_(name="Elm Court")
    for one in (maple, elm):
        landlord.tenant(landlord.units(one, "1")[0], "Ann")
        landlord.rule(one, "WATER", "OCCUPANTS")
        landlord.bill(one, 84_00)
        landlord.set_status(one, "1", "SENT")
        invoice = landlord.invoices(one)["1"].summary
        (charge,) = landlord.invoices(one)["1"].charges
        brought = (BroughtFile("meter.png", _PHOTO), BroughtFile("letter.pdf", _SCAN))
        landlord.do(disputes.open_one, invoice.id, Opening(charge.id, 20_00, "It was read twice.", files=brought))
    invoice = landlord.invoices(maple)["1"].summary
    (of_month,) = landlord.read(explanations.of_months, [maple.id], ["2026-02"])
    (of_invoice,) = landlord.read(explanations.of_invoices, [invoice.id])

    landlord.do(properties.remove, maple.id, landlord.archive)

    (text,) = landlord.archive.kept.values()
    kept = json.loads(text)
    (dispute,) = kept["disputes"]
    files = [(one["question_id"], one["name"], one["kind"], one["size"]) for one in kept["disputeFiles"]]
    its = dispute["question_id"]
    assert files == [(its, "meter.png", "png", len(_PHOTO)), (its, "letter.pdf", "pdf", len(_SCAN))]
    assert [b64decode(one["content"]) for one in kept["disputeFiles"]] == [_PHOTO, _SCAN]
    (month,) = kept["monthExplanations"]
    assert (month["month"], month["facts"], month["content"]) == ("2026-02", of_month.facts, of_month.text)
    (explained,) = kept["invoiceExplanations"]
    assert (explained["invoice_id"], explained["content"]) == (invoice.id, of_invoice.text)
    assert json.loads(explained["content"])
