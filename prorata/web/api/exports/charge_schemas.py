"""Charge files for accounting programs, as clients request and read them."""

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
System = Annotated[str, text(64), Meta(description="The program that the file is for, from `GET /charge-systems`.")]
Most = Annotated[
    int, Meta(ge=1, le=MOST_INVOICES_OF_CHARGE_FILE, description="The maximum number of invoices in the file.")
]


class ChargeFileWanted(Body):
    """The invoices to put into a charge file, and the content of the file's rows."""

    system: System
    month: MonthText
    property_id: Annotated[Filter, Meta(description="Only invoices for this property.")] | UnsetType = UNSET
    rows: (
        Annotated[RowsOf, Meta(description="What each row contains; if omitted, the program's default.")] | UnsetType
    ) = UNSET
    drafts: Annotated[bool, Meta(description="Drafts too.")] = False
    again: Annotated[bool, Meta(description="Include invoices that are already in a file.")] = False
    currency: CurrencyCode | UnsetType = UNSET
    most: Most = MOST_INVOICES_OF_CHARGE_FILE


class ChargeFilesQuery(Body):
    """The accounting program whose charge files to list."""

    system: System


class ChargeNamesQuery(Body):
    """The accounting program whose names to list, and optionally a property.

    Without a property, the names are those of utility types and the account. With a property, they are the
    property's own name and those of a page of its units.
    """

    system: System
    property_id: Filter | UnsetType = UNSET
    page: Annotated[int, Meta(ge=1, le=1_000_000, description="The page of units, from 1.")] = 1


class ChargeNameSent(Body):
    """The name of one of your records in an accounting program."""

    field: Annotated[str, text(64)]
    record_id: Annotated[str, text(64)]
    name: Annotated[str, text(LONGEST_LAYOUT_NAME, least=0), Meta(description="If empty, the stored name is deleted.")]


class ChargeNamesSent(Body):
    """An accounting program's names for a property's records, or for utility types and account."""

    system: System
    names: Annotated[list[ChargeNameSent], Meta(min_length=1, max_length=MOST_CHARGE_NAMES_SENT)]
    property_id: Filter | UnsetType = UNSET


class ChargeNamesOfProperty(Body):
    """A property for whose records to store the names proposed for an accounting program."""

    system: System
    property_id: Filter


class ChargeNamesUpload(Body):
    """A spreadsheet of an accounting program's names for all properties, or for one property."""

    system: System
    file: FileSent
    property_id: Filter | UnsetType = UNSET


class ChargeNameAsked(Answer):
    """A kind of name that an accounting program needs for each record of one type."""

    field: str
    of: Of
    title: str
    hint: str
    is_needed: bool


class ChargeSystem(Answer):
    """An accounting program for which charge files can be created."""

    system: str
    title: str
    rows: Annotated[RowsOf, Meta(description="What each row of the file contains by default.")]
    how: Annotated[str, Meta(description="What to do with the file.")]
    known_from: Annotated[
        Seen,
        Meta(
            description="How well the layout is known: from the vendor's reference, from the vendor's column "
            "names, or from templates that others have published."
        ),
    ]
    asks: list[ChargeNameAsked]


class ChargeName(Answer):
    """A name that an accounting program needs, with a proposal if no name is stored."""

    field: str
    record_id: str
    ours: Annotated[str, Meta(description="The record's name in Prorata.")]
    name: Annotated[str, Meta(description="The program's name for the record; empty: no name has been entered.")]
    proposal: str


class ChargeNames(Answer):
    """The names that an accounting program needs."""

    names: list[ChargeName]
    units: Annotated[int, Meta(description="How many units the property has; a page lists up to 50.")]


class ChargeNamesKept(Answer):
    """The number of names that the request changed."""

    changed: int


class ChargeNameLacking(Answer):
    """A missing name, with the number of invoices that need it."""

    field: str
    record_id: str
    ours: str
    property_id: str | None
    invoices: int


class InvoiceLeftOut(Answer):
    """An invoice that a charge file can't contain, with the reason."""

    invoice_id: str
    invoice_number: str
    reason: str


class ChargeTotal(Answer):
    """The total of a charge file's invoices in one currency."""

    currency: str
    total: Figures


class NextChargeFile(Answer):
    """A preview of the charge file that would be created next."""

    invoices: int
    drafts: int
    rows: int
    totals: list[ChargeTotal]
    in_files_already: int
    lacking: list[ChargeNameLacking]
    left_out: list[InvoiceLeftOut]
    has_more: Annotated[bool, Meta(description="Whether there are more invoices, for another file.")]


class ChangedSince(Answer):
    """An invoice that has changed since the charge file containing it was created."""

    invoice_id: str | None
    invoice_number: str
    exported: Figures
    now: Figures
    reason: str


class ChargeFile(Answer):
    """A stored charge file for an accounting program."""

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
    """A charge file, with the number of its invoices that have changed since its creation."""

    changed: int


class ChargeFileInFull(ChargeFile):
    """A charge file, with up to 50 of its invoices that changed after its creation."""

    changes: list[ChangedSince]
