"""The countries of properties: their currency, date orders and decimal marks.

Currencies and their minor digits are those of ISO 4217. Date orders and decimal marks are those of the Unicode
CLDR, and others that people in the country also use. The more orders and marks a country has, the more often a date
or number is ambiguous; Prorata then asks a person instead of guessing.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.limits import LONGEST_STATE


class DateOrder(NamedTuple):
    """A customary order of day, month and year, with its separators.

    The order is DMY, MDY or YMD.
    """

    order: str
    separators: str


class Country(NamedTuple):
    """The currency, the date orders and the number formats of a country's bills.

    `decimal_marks` contains each mark in use: ".", "," or both.
    """

    currency: str
    minor_digits: int
    date_orders: tuple[DateOrder, ...]
    decimal_marks: str


# Currencies shared by several countries, then countries with their own.
_SHARED_CURRENCIES = {
    "EUR": (
        "AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT"
    ),
    "USD": "AQ AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI",
    "AUD": "AU CC CX HM KI NF NR TV",
    "XCD": "AG AI DM GD KN LC MS VC",
    "XOF": "BF BJ CI GW ML NE SN TG",
    "XAF": "CF CG CM GA GQ TD",
    "GBP": "GB GG GS IM JE",
    "NZD": "CK NU NZ PN TK",
    "DKK": "DK FO GL",
    "NOK": "BV NO SJ",
    "XPF": "NC PF WF",
    "CHF": "CH LI",
    "ILS": "IL PS",
    "MAD": "EH MA",
    "XCG": "CW SX",
}
_OWN_CURRENCIES = (
    "AE:AED AF:AFN AL:ALL AM:AMD AO:AOA AR:ARS AW:AWG AZ:AZN BA:BAM BB:BBD BD:BDT BH:BHD BI:BIF BM:BMD BN:BND "
    "BO:BOB BR:BRL BS:BSD BT:BTN BW:BWP BY:BYN BZ:BZD CA:CAD CD:CDF CL:CLP CN:CNY CO:COP CR:CRC CU:CUP CV:CVE "
    "CZ:CZK DJ:DJF DO:DOP DZ:DZD EG:EGP ER:ERN ET:ETB FJ:FJD FK:FKP GE:GEL GH:GHS GI:GIP GM:GMD GN:GNF GT:GTQ "
    "GY:GYD HK:HKD HN:HNL HT:HTG HU:HUF ID:IDR IN:INR IQ:IQD IR:IRR IS:ISK JM:JMD JO:JOD JP:JPY KE:KES KG:KGS "
    "KH:KHR KM:KMF KP:KPW KR:KRW KW:KWD KY:KYD KZ:KZT LA:LAK LB:LBP LK:LKR LR:LRD LS:LSL LY:LYD MD:MDL MG:MGA "
    "MK:MKD MM:MMK MN:MNT MO:MOP MR:MRU MU:MUR MV:MVR MW:MWK MX:MXN MY:MYR MZ:MZN NA:NAD NG:NGN NI:NIO NP:NPR "
    "OM:OMR PA:PAB PE:PEN PG:PGK PH:PHP PK:PKR PL:PLN PY:PYG QA:QAR RO:RON RS:RSD RU:RUB RW:RWF SA:SAR SB:SBD "
    "SC:SCR SD:SDG SE:SEK SG:SGD SH:SHP SL:SLE SO:SOS SR:SRD SS:SSP ST:STN SY:SYP SZ:SZL TH:THB TJ:TJS TM:TMT "
    "TN:TND TO:TOP TR:TRY TT:TTD TW:TWD TZ:TZS UA:UAH UG:UGX UY:UYU UZ:UZS VE:VES VN:VND VU:VUV WS:WST YE:YER "
    "ZA:ZAR ZM:ZMW ZW:ZWG"
)

# Currencies whose minor unit is not one hundredth.
_MINOR_DIGITS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
}

# Ethiopia, Nepal and Thailand count years in calendars of their own beside the common one (2018, 2083 and 2569 are
# all 2026), so that only YYYY-MM-DD reads one way there.
_DATE_ORDERS = {
    "YMD:/-. DMY:/- MDY:/-": "CA",
    "YMD:/-. DMY:/-.": "AX BT GL HK LK MO SE SG ZA",
    "DMY:/-. MDY:/-": "AQ BZ FM IO KY LR PA PH PR PW",
    "DMY:/-.": (
        "AD AE AG AI AL AM AO AR AU AW BB BD BE BF BH BI BJ BL BM BN BO BQ BR BS BW CC CD CF CG CI CK CL CM CO CR "
        "CU CV CW CX CY DJ DK DM DO DZ EC EG EH ER ES FJ FK FR GA GB GD GE GF GG GH GI GM GN GP GQ GR GS GT GW GY "
        "HM HN HT ID IE IL IM IN IQ IT JE JM JO KE KG KH KI KM KN KW LA LB LC LS LU LY MA MC MD MF MG ML MM MQ MR "
        "MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NR NU NZ OM PE PF PG PK PL PM PN PS PT PY QA RE RO RW SA SB "
        "SC SD SH SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TJ TK TL TM TN TO TR TT TV TZ UG UY UZ VA VC VE VG "
        "VN VU WF WS YE YT ZM ZW"
    ),
    "YMD:/-.": "AF CN HU IR JP KP KR LT MN TW",
    "MDY:/-": "AS GU MH MP UM US VI",
    "DMY:.": "AT AZ BA BG BV BY CH CZ DE EE FI FO HR IS KZ LI LV ME MK NO RS RU SI SJ SK UA",
    "": "ET NP TH",
}

_DECIMAL_MARKS = {
    ",": (
        "AD AL AM AO AR AT AX AZ BA BE BF BG BJ BL BO BR BV BY CD CF CG CI CL CO CV CZ DE DK DZ EE ES FI FO FR GA "
        "GE GF GL GN GP GQ GR GW HR HT HU ID IS IT KG KZ LA LT LU LV LY MA MC MD ME MF MK ML MQ MR MZ NC NE NL NO "
        "PF PL PM PT PY RE RO RS RU SE SI SJ SK SM SN SR ST TF TG TJ TM TN TR UA UY UZ VA VE VN WF YT"
    ),
    ".": (
        "AE AG AI AS AU BB BD BH BM BS BT BW BZ CC CK CN CU CX DM DO EG ER ET FJ FK FM GB GD GG GH GI GM GS GT GU "
        "GY HK HM HN IE IL IM IN IO IQ IR JE JM JO JP KE KI KN KP KR KW KY LC LI LK LR LS MH MM MN MP MS MT MV MW "
        "MX MY NA NF NG NI NP NR NU NZ OM PA PE PG PH PK PN PR PS PW QA SA SB SD SG SH SL SO SS SV SY TC TH TK TO "
        "TT TV TW TZ UG UM US VC VG VI WS YE ZM ZW"
    ),
    ".,": "AF AQ AW BI BN BQ CA CH CM CR CW CY DJ EC EH KH KM LB MG MO MU RW SC SX SZ TD TL VU ZA",
}

# CLDR supplemental data, measurementData, paperSize "US-Letter"; and, which it leaves out, the territories of the US
# and the Dominican Republic.
_LETTER = "BZ CA CL CO CR GT MX NI PA PH PR SV US VE AS DO GU MP UM VI"

# Countries that measure dwellings in square feet.
_SQUARE_FEET = "AE AS BD BM BS CA GB GG GU HK IM IN JE KY LK MP MY NP PK PR SG UM US VI"

# Countries with the house number before the street. Elsewhere it follows.
_NUMBER_FIRST = "AU CA FR GB GG HK IE IM IN JE LU MC MT MY NZ PH PR SG US VI ZA"
# Countries with the town before the postal code.
_CODE_LAST = "AS AU CA GB GG GU HK IE IM IN JE MP NZ PH PR SG UM US VI ZA"

# A part of a whole in a reason's words. Thousands may be separated by no-break spaces.
_OF_SQUARE_FEET = re.compile(r"(\b(?:of|von|de|sur) [\d.,’'≈\u00a0\u202f]+) sq ft\b")


# Countries whose addresses need a state, province or region.
_WITH_STATES = (
    "AE AS AU BR CA CN CO CR ES FM GU HK HN ID IN IT JM JP KR KY MH MP MX NR PR PW SO SR SV TW UA UM US VE VI"
)

_US_STATES = (
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA PR RI SC SD TN TX UT VT VA WA WV WI WY"
)
_STATES = {
    "AU": "ACT NSW NT QLD SA TAS VIC WA",
    "BR": "AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO",
    "CA": "AB BC MB NB NL NS NT NU ON PE QC SK YT",
    "US": _US_STATES,
}


def _by_country(groups: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((code, value) for value, codes in groups.items() for code in codes.split())


def _date_orders(written: str) -> tuple[DateOrder, ...]:
    return tuple(DateOrder(*entry.split(":")) for entry in written.split())


def _countries() -> dict[str, Country]:
    currencies = dict(_by_country(_SHARED_CURRENCIES))
    currencies.update((code, currency) for code, currency in (entry.split(":") for entry in _OWN_CURRENCIES.split()))
    orders, marks = dict(_by_country(_DATE_ORDERS)), dict(_by_country(_DECIMAL_MARKS))
    digits = {currency: count for count, listed in _MINOR_DIGITS.items() for currency in listed.split()}
    return {
        code: Country(currency, digits.get(currency, 2), _date_orders(orders[code]), marks[code])
        for code, currency in sorted(currencies.items())
    }


COUNTRIES: Mapping[str, Country] = MappingProxyType(_countries())
"""The facts of each country, by its ISO 3166-1 alpha-2 code.

>>> COUNTRIES["US"]
Country(currency='USD', minor_digits=2, date_orders=(DateOrder(order='MDY', separators='/-'),), decimal_marks='.')
>>> len(COUNTRIES)
249
"""
CURRENCIES = frozenset(country.currency for country in COUNTRIES.values())
"""The codes of all currencies of the supported countries."""


def uses_letter(country: str) -> bool:
    """True if a country uses US Letter paper; all other countries use A4.

    >>> uses_letter("US"), uses_letter("MX"), uses_letter("DE")
    (True, True, False)
    """
    return country in _LETTER.split()


def has_states(country: str) -> bool:
    """True if addresses in a country need a state, province or region.

    >>> has_states("US"), has_states("DE")
    (True, False)
    """
    return country in _WITH_STATES.split()


def is_state(text: str, country: str) -> bool:
    """True if a text is the postal abbreviation of a country's state or province.

    >>> is_state("nv", "US"), is_state("EG", "US"), is_state("NV", "CA"), is_state("NV", "DE")
    (True, False, False, False)
    """
    return text.upper() in _STATES.get(country, "").split()


def is_number_first(country: str) -> bool:
    """True if addresses in a country have the house number before the street."""
    return country in _NUMBER_FIRST.split()


def area_unit(country: str) -> str:
    """Return the unit of floor area in a country, for display only.

    >>> area_unit("US"), area_unit("DE")
    ('sq ft', 'm²')
    """
    return "sq ft" if country in _SQUARE_FEET.split() else "m²"


def in_area_unit(reason: str, country: str) -> str:
    """Rewrite a charge's stored reason, which has "sq ft", in the country's unit of area.

    The numbers stay the same, because people enter floor areas in their country's unit, and only proportions
    count.

    >>> in_area_unit("Stadtwerke, bill of 2026-03-14, €320.10: 62 of 250.5 sq ft", "DE")
    'Stadtwerke, bill of 2026-03-14, €320.10: 62 of 250.5 m²'
    >>> in_area_unit("square feet not entered: 0 of 250 sq ft", "US")
    'square feet not entered: 0 of 250 sq ft'
    """
    return reason if area_unit(country) == "sq ft" else in_square_metres(reason)


def in_square_metres(reason: str) -> str:
    """Rewrite the stored reason of a charge, which has "sq ft", with square meters."""
    return _OF_SQUARE_FEET.sub(r"\1 m²", reason.replace("square feet not entered", "floor area not entered"))


def state_kept(state: str, city: str, country: str) -> str:
    """Return the text to store as the state of an address.

    If addresses in the country need no state, the result is the city. The result is empty if a needed state is
    missing.

    >>> state_kept("", "Berlin", "DE"), state_kept("", "Reno", "US"), state_kept("NV", "Reno", "US")
    ('Berlin', '', 'NV')
    """
    return state or ("" if has_states(country) else _instead_of_state(city))


def state_named(state: str, city: str, country: str) -> str:
    """Return the state as a person entered it; "" if the city was stored instead.

    >>> state_named("Berlin", "Berlin", "DE"), state_named("New York", "New York", "US")
    ('', 'New York')
    """
    return state if has_states(country) or state != _instead_of_state(city) else ""


def _instead_of_state(city: str) -> str:
    return city[:LONGEST_STATE].strip()


def place(city: str, state: str) -> str:
    """Write a city, followed by its state if the state differs from the city.

    >>> place("Berlin", "Berlin"), place("Reno", "NV")
    ('Berlin', 'Reno, NV')
    """
    return city if state in (city, _instead_of_state(city)) else f"{city}, {state}"


def address_lines(street_number: str, street: str, city: str, state: str, code: str, country: str) -> tuple[str, ...]:
    """Write an address in lines as on an envelope, without the country.

    >>> address_lines("12", "Maple St", "Reno", "NV", "89501", "US")
    ('12 Maple St', 'Reno, NV 89501')
    >>> address_lines("5", "Lindenweg", "Berlin", "Berlin", "10115", "DE")
    ('Lindenweg 5', '10115 Berlin')
    """
    first = f"{street_number} {street}" if is_number_first(country) else f"{street} {street_number}"
    where = place(city, state)
    return first, f"{where} {code}" if _is_code_last(country) else f"{code} {where}"


def address_order(country: str) -> tuple[str, ...]:
    """The names of an address's parts, in the order of `address_lines`.

    A form asks for the parts in this order.

    >>> address_order("US"), address_order("DE")[:3]
    (('streetNumber', 'street', 'city', 'state', 'zip'), ('street', 'streetNumber', 'zip'))
    """
    first = ("streetNumber", "street") if is_number_first(country) else ("street", "streetNumber")
    return (*first, "city", "state", "zip") if _is_code_last(country) else (*first, "zip", "city", "state")


def _is_code_last(country: str) -> bool:
    return country in _CODE_LAST.split()
