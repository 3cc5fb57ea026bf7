"""The demo account's properties: three different ones, with units, tenants and share rules."""

from decimal import Decimal
from typing import NamedTuple

from prorata.actions.properties.properties import NewProperty
from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.splitting.split_methods import BEDROOMS, CUSTOM, EQUAL, OCCUPANTS, PERCENTAGE, SQFT

BLEND, BLEND_NAME = "BLEND", "Half by space, half by people"
BLEND_COMPONENTS = ((SQFT, Decimal(50)), (OCCUPANTS, Decimal(50)))


class Flat(NamedTuple):
    """A unit and its first tenants.

    `rent` is in cents, and a studio has 0 bedrooms. A shop has an unknown number of bedrooms.
    """

    label: str
    sqft: int
    bedrooms: int | None
    rent: int
    tenants: tuple[str, ...]


class Split(NamedTuple):
    """A share rule of a utility type.

    `weights` has the format of the API's `customWeightsJson`. A rule with a blend has the method `BLEND`.
    """

    utility_type: str
    method: str
    weights: str | None = None
    owner_percent: str = "0"
    vacant_occupants: str = "0"


class House(NamedTuple):
    """A property with its units, share rules and payment instructions.

    `rules` contains only rules with a method other than EQUAL. `pay_to` is given only if the payment instructions
    differ from those of the account.
    """

    new: NewProperty
    flats: tuple[Flat, ...]
    rules: tuple[Split, ...]
    pay_to: PayTo = PayTo()


PAY_TO = PayTo(
    "By bank transfer, or by check to the office at 1214 North Harbor Avenue.",
    "Harbor & Heather Rentals",
    routing="110000000",
    number="000123456789",
)
"""The payment instructions for the account's tenants, with a bank that does not exist."""


WITHOUT_ADDRESS = frozenset({"Walter Kowalski", "Bridget Moloney", "Rosa Delgado"})
"""The tenants without an e-mail address; their invoices are handed over."""

PEOPLE = {"Rosa Delgado": 4, "Peter Lindqvist": 3}
"""The number of people in each family, which is a single tenant.

Every other tenant is one person.
"""

HARBOR = House(
    NewProperty("Harbor House", "1214", "North Harbor Avenue", "Chicago", "Illinois", "60600", "US"),
    (
        Flat("1A", 850, 2, 1_720_00, ("Olivia Bennett", "Marcus Bennett")),
        Flat("1B", 620, 1, 1_340_00, ("Walter Kowalski",)),
        Flat("1C", 640, 1, 1_360_00, ("Priya Raman",)),
        Flat("1D", 410, 0, 1_080_00, ("Noah Fischer",)),
        Flat("2A", 850, 2, 1_760_00, ("Elena Petrova", "Dmitri Petrov", "Mila Petrova")),
        Flat("2B", 620, 1, 1_370_00, ("Jamal Carter",)),
        Flat("2C", 640, 1, 1_390_00, ("Sofia Marino", "Luca Marino")),
        Flat("2D", 1040, 3, 2_140_00, ("Grace Okafor", "Daniel Okafor")),
        Flat("3A", 850, 2, 1_800_00, ("Hannah Weiss", "Tom Weiss")),
        Flat("3B", 620, 1, 1_400_00, ("Ryan Gallagher",)),
        Flat("3C", 640, 1, 1_420_00, ("Mei Tanaka",)),
        Flat("3D", 1040, 3, 2_180_00, ("Carlos Mendoza", "Lucia Mendoza", "Diego Mendoza")),
        Flat("4A", 850, 2, 1_840_00, ("Aisha Rahman", "Omar Rahman")),
        Flat("4B", 620, 1, 1_430_00, ("Peter Lindqvist",)),
        Flat("4C", 640, 1, 1_450_00, ("Chloe Dubois",)),
        Flat("4D", 1040, 3, 2_220_00, ("Samuel Adeyemi", "Ruth Adeyemi", "Esther Adeyemi")),
        Flat("5A", 850, 2, 1_890_00, ("Isabel Novak", "Jan Novak")),
        Flat("5B", 620, 1, 1_470_00, ("Victor Hughes",)),
        Flat("5C", 640, 1, 1_490_00, ("Amira Haddad",)),
        Flat("5D", 1310, 3, 2_760_00, ("Eleanor Whitfield", "George Whitfield")),
    ),
    (
        Split("ELECTRICITY", EQUAL, owner_percent="15"),  # stairs, lift and laundry room
        Split("GAS", SQFT, owner_percent="5"),
        Split("WATER", OCCUPANTS, vacant_occupants="1"),
        Split("SEWER", BLEND),
        Split("GARBAGE", BEDROOMS),
    ),
)

_WATER_OF_THE_CORNER = '{"Shop": 30, "1": 22, "2": 15, "3": 20, "Attic": 8}'
CORNER = House(
    NewProperty("Corner House", "87", "Alder Street", "Fairmount", "Oregon", "97000", "US"),
    (
        Flat("Shop", 1150, None, 2_900_00, ("Fairmount Books",)),
        Flat("1", 760, 2, 1_510_00, ("Julia Romano", "Ben Romano")),
        Flat("2", 590, 1, 1_240_00, ("Rosa Delgado",)),
        Flat("3", 760, 2, 1_530_00, ("Kofi Mensah", "Abena Mensah")),
        Flat("Attic", 430, 0, 990_00, ("Theo Lambert",)),
    ),
    (
        Split("WATER", PERCENTAGE, _WATER_OF_THE_CORNER),  # 95 in sum: the owner has the missing 5
        Split("SEWER", PERCENTAGE, _WATER_OF_THE_CORNER),
        Split("GARBAGE", CUSTOM, '{"Shop": 3, "1": 1, "2": 1, "3": 1, "Attic": 0.5}'),
        Split("ELECTRICITY", SQFT),
        Split("GAS", SQFT),
    ),
)

HEATHER = House(
    NewProperty("Heather Row", "2", "Strand Lane", "Kilbrae", "Co. Clare", "V95 X000", "IE"),
    (
        Flat("Cottage 1", 73, 2, 980_00, ("Aoife Brennan", "Cian Brennan")),
        Flat("Cottage 2", 73, 2, 980_00, ("Niamh Keane",)),
        Flat("Cottage 3", 54, 1, 790_00, ("Bridget Moloney",)),
        Flat("Cottage 4", 73, 2, 990_00, ("Declan Hurley", "Sinead Hurley")),
        Flat("Cottage 5", 91, 3, 1_180_00, ("Padraig Nolan", "Maeve Nolan", "Orla Nolan")),
        Flat("Cottage 6", 54, 1, 760_00, ("Fergus Tierney",)),
    ),
    (
        Split("ELECTRICITY", SQFT),
        Split("WATER", OCCUPANTS),
        Split("GAS", BEDROOMS),
    ),
    PayTo(holder="Harbor & Heather Rentals", iban="IE29AIBK93115212345678", bic="AIBKIE2D"),
)

HOUSES = (HARBOR, CORNER, HEATHER)
SEPTIC_BY_USE = '{"Cottage 1": 2, "Cottage 2": 1, "Cottage 3": 1, "Cottage 4": 2, "Cottage 5": 3}'
"""The units' weights under a rule that is changed after its months are closed.

The change therefore leads to corrections.
"""


def address_of(name: str) -> str | None:
    """Return a tenant's e-mail address, at a domain that belongs to nobody."""
    if name in WITHOUT_ADDRESS:
        return None
    domain = "example.org" if len(name) % 3 else "example.com"
    return f"{name.lower().replace(' ', '.')}@{domain}"
