"""Files of charges for other programs, as programs send and get them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.exports.charge_layouts import Of, Seen
from prorata.domain.limits import LONGEST_LAYOUT_NAME, MOST_INVOICES_OF_CHARGE_FILE
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import MOST_CHARGE_NAMES_SENT
from prorata.web.http.request_schemas import Body, CurrencyCode, Filter
from prorata.web.http.response_schemas import Answer, Figures, Timestamp
from prorata.web.http.sent_files import FileSent

RowsOf = Literal["CHARGE", "INVOICE"]
System = Annotated[str, text(64), Meta(description="The program that takes the file, of `GET /charge-systems`.")]
Most = Annotated[int, Meta(ge=1, le=MOST_INVOICES_OF_CHARGE_FILE, description="Invoices in the file at most.")]


class ChargeFileWanted(Body):
    """Which invoices go into a file, and how."""

    system: System
    month: MonthText
    property_id: Annotated[Filter, Meta(description="Of this property alone.")] | UnsetType = UNSET
    rows: Annotated[RowsOf, Meta(description="What a row is of; without it as the program wants it.")] | UnsetType = (
        UNSET
    )
    drafts: Annotated[bool, Meta(description="Drafts too.")] = False
    again: Annotated[bool, Meta(description="Also what is in a file already.")] = False
    currency: CurrencyCode | UnsetType = UNSET
    most: Most = MOST_INVOICES_OF_CHARGE_FILE


class ChargeFilesQuery(Body):
    """For which program."""

    system: System


class ChargeNamesQuery(Body):
    """Whose names: those of utilities and of the account, or those of a property and a page of its units."""

    system: System
    property_id: Filter | UnsetType = UNSET
    page: Annotated[int, Meta(ge=1, le=1_000_000, description="Which page of units, from 1.")] = 1


class ChargeNameSent(Body):
    """What another program calls something."""

    field: Annotated[str, text(64)]
    record_id: Annotated[str, text(64)]
    name: Annotated[str, text(LONGEST_LAYOUT_NAME, least=0), Meta(description="Empty: it is forgotten.")]


class ChargeNamesSent(Body):
    """Names of a property and what is in it, or of utilities and the account."""

    system: System
    names: Annotated[list[ChargeNameSent], Meta(min_length=1, max_length=MOST_CHARGE_NAMES_SENT)]
    property_id: Filter | UnsetType = UNSET


class ChargeNamesOfProperty(Body):
    """Of which property what is proposed is kept."""

    system: System
    property_id: Filter


class ChargeNamesUpload(Body):
    """A spreadsheet of names: for all properties, or of one."""

    system: System
    file: FileSent
    property_id: Filter | UnsetType = UNSET


class ChargeNameAsked(Answer):
    """What a program has a name of its own for."""

    field: str
    of: Of
    title: str
    hint: str
    is_needed: bool


class ChargeSystem(Answer):
    """A program that files of charges are made for."""

    system: str
    title: str
    rows: Annotated[RowsOf, Meta(description="What a row is of, unless it is said.")]
    how: Annotated[str, Meta(description="What a person does with the file.")]
    known_from: Annotated[
        Seen, Meta(description="How well its layout is known: the vendor's reference, its names, or others' templates.")
    ]
    asks: list[ChargeNameAsked]


class ChargeName(Answer):
    """A name that is asked for: what was said, and what is proposed while nothing was."""

    field: str
    record_id: str
    ours: Annotated[str, Meta(description="What it is called here.")]
    name: Annotated[str, Meta(description="What the program calls it; empty: nobody has said.")]
    proposal: str


class ChargeNames(Answer):
    """Names that are asked for."""

    names: list[ChargeName]
    units: Annotated[int, Meta(description="How many units the property has; a page has those of 50.")]


class ChargeNamesKept(Answer):
    """How many names differ from before."""

    changed: int


class ChargeNameLacking(Answer):
    """A name that is lacking, and how many invoices wait for it."""

    field: str
    record_id: str
    ours: str
    property_id: str | None
    invoices: int


class InvoiceLeftOut(Answer):
    """An invoice that can't go into a file."""

    invoice_id: str
    invoice_number: str
    reason: str


class ChargeTotal(Answer):
    """What invoices come to in a currency."""

    currency: str
    total: Figures


class NextChargeFile(Answer):
    """What the next file would hold."""

    invoices: int
    drafts: int
    rows: int
    totals: list[ChargeTotal]
    in_files_already: int
    lacking: list[ChargeNameLacking]
    left_out: list[InvoiceLeftOut]
    has_more: Annotated[bool, Meta(description="There are more invoices behind it, for another file.")]


class ChangedSince(Answer):
    """An invoice that is not what it was in a file."""

    invoice_id: str | None
    invoice_number: str
    exported: Figures
    now: Figures
    reason: str


class ChargeFile(Answer):
    """A file that was made."""

    id: str
    system: str
    name: str
    month: str
    property_id: str | None
    invoices: int
    rows: int
    total: Figures
    currency: str
    created_at: Timestamp


class ListedChargeFile(ChargeFile):
    """A file that was made, and how many of its invoices are not what they were in it."""

    changed: int


class ChargeFileInFull(ChargeFile):
    """A file that was made, and the first of its invoices that are not what they were in it."""

    changes: list[ChangedSince]
