"""Invoice numbers, such as MAPLE-2B-2026-03: how they are formed and ordered.

See docs/decisions.md#invoice-numbers; `labels` forms the codes of properties and units.
"""

from prorata.domain.labels import natural_order


def invoice_number(property_code: str, unit_code: str, month: str, sequence: int = 0, revision: int = 0) -> str:
    """Build an invoice number, unique because both codes are (docs/contract.md#invoices).

    Its form is `<PROPERTY>-<UNIT>-<YYYY>-<MM>`. A dot may follow the unit's code, with two numbers that are left
    out if they are 0: that of the household in the unit (`sequence`, 0 for the unit's own household), and, after
    an R, the number of times that the invoice was replaced (`revision`). A unit's code never contains a dot.

    >>> invoice_number("MAPLE", "2B", "2026-03"), invoice_number("MAPLE", "2B", "2026-03", 1)
    ('MAPLE-2B-2026-03', 'MAPLE-2B.1-2026-03')
    >>> invoice_number("MAPLE", "2B", "2026-03", 0, 1), invoice_number("MAPLE", "2B", "2026-03", 1, 2)
    ('MAPLE-2B.R1-2026-03', 'MAPLE-2B.1R2-2026-03')
    """
    mark = f"{sequence or ''}{f'R{revision}' if revision else ''}"
    return f"{property_code}-{unit_code}{f'.{mark}' if mark else ''}-{month}"


def invoice_number_order(number: str) -> str:
    """Return the `natural_order` of an invoice number.

    The result is assembled from the order of each part, because parts recur in many numbers and their order is cached.

    >>> invoice_number_order("MAPLE-2B-2026-03") == natural_order("MAPLE-2B-2026-03")
    True
    """
    return "-".join(map(natural_order, number.split("-")))
