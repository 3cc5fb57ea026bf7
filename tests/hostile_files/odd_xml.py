"""XML files that harm readers of e-invoices, each with the message that refuses it."""

from collections.abc import Callable, Mapping

from tests.e_invoices.made import Line, Made, cii, ubl

DECLARES, DEEP, MANY = (
    "declares entities or a document type",
    "are nested more deeply",
    "has more than 200,000 elements",
)
DAMAGED, TAXES = "XML is damaged or incomplete", "more than 100 different taxes"


def declaring(declarations: str, used: str = "") -> bytes:
    """An e-invoice with these declarations, and with text that uses them."""
    made = cii(Made(seller=used or "Werke"))
    return made.replace(b"<rsm:", f"<!DOCTYPE x [{declarations}]>\n<rsm:".encode(), 1)


def laughs() -> bytes:
    levels = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
    return declaring(f'<!ENTITY l0 "ha">{levels}', "&l9;")


def within(content: bytes) -> bytes:
    return ubl().replace(b"<cac:InvoicePeriod>", content + b"<cac:InvoicePeriod>")


def taxed(rates: int) -> bytes:
    """An e-invoice in which each line has a different tax rate."""
    return ubl(Made(lines=[Line("Water", 1_00, rate) for rate in range(rates)]))


XML: Mapping[str, tuple[str | None, Callable[[], bytes]]] = {
    "entities of entities": (DECLARES, laughs),
    "one long entity, often": (
        "This is a web page",
        lambda: declaring(f'<!ENTITY a "{"a" * 100_000}">', "&a;" * 10_000),
    ),
    "a file of the system": (DECLARES, lambda: declaring('<!ENTITY a SYSTEM "file:///etc/passwd">', "&a;")),
    "another address": (DECLARES, lambda: declaring('<!ENTITY % a SYSTEM "http://127.0.0.1/a.dtd"> %a;')),
    "a document type": (DECLARES, lambda: declaring("")),
    "elements within elements": (DEEP, lambda: within(b"<a>" * 1_000_000)),
    "millions of elements": (MANY, lambda: within(b"<a/>" * 2_000_000)),
    "a long text": (None, lambda: within(b"<a>" + b"a" * 9_000_000 + b"</a>")),
    "a long attribute": (None, lambda: within(b'<a b="' + b"a" * 9_000_000 + b'"/>')),
    "a long name": (None, lambda: within(b"<" + b"a" * 4_000_000 + b"></" + b"a" * 4_000_000 + b">")),
    "many attributes": (
        None,
        lambda: within(b"<a " + b" ".join(b'a%d=""' % number for number in range(600_000)) + b"/>"),
    ),
    "many namespaces": (
        None,
        lambda: within(b"<a " + b" ".join(b'xmlns:a%d="b"' % number for number in range(300_000)) + b"/>"),
    ),
    "the same attribute twice": (DAMAGED, lambda: within(b'<a b="" b=""/>')),
    "characters that are none": ("can't be determined from its contents", lambda: within(b"<a>\x00</a>")),
    "a reference to no character": (DAMAGED, lambda: within(b"<a>&#0;</a>")),
    "an unknown encoding": (DAMAGED, lambda: cii().replace(b"UTF-8", b"UTF-7")),
    "comments": (None, lambda: within(b"<!--a-->" * 1_000_000)),
    "lines without end": (None, lambda: ubl(Made(lines=[Line(f"Water {one}", 1_00) for one in range(12_000)]))),
    "a tax for every line": (TAXES, lambda: taxed(2_000)),
    "charges without end": (None, lambda: ubl(Made(charges=[("a", 1_00, 19), ("b", -1_00, 19)] * 7_000))),
    "a number of many digits": ("where an amount is expected", lambda: cii().replace(b"119.00", b"9" * 100_000)),
    "no invoice": ("is not a supported e-invoice. Prorata reads", lambda: b"<a>" + ubl().partition(b"?>")[2] + b"</a>"),
}
