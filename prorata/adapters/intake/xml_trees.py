"""XML from strangers, parsed into a tree of elements; document type declarations are refused.

The size, depth and number of elements are limited. Like a PDF, each XML file is read in a separate, short-lived
process (pdf_files.py).
"""

from collections.abc import Iterator
from xml.parsers.expat import ExpatError, ParserCreate

from prorata.adapters.limits import LONGEST_XML_TEXT, MOST_XML_DEPTH, MOST_XML_ELEMENTS
from prorata.domain.texts import Count, say
from prorata.errors import InvalidRequest

DECLARES = say("This XML declares entities or a document type, which no e-invoice does, so it was not read.")
TOO_DEEP = say("The elements of this XML are nested more deeply than an e-invoice’s, so it was not read.")
TOO_MANY = say(
    "This XML has more than {most} elements, far more than an e-invoice has, so it was not read.",
    most=Count(MOST_XML_ELEMENTS),
)
DAMAGED = say("This XML is damaged or incomplete (line {line}). Save or download it again.")


class Element:
    """An element: its name without namespace, attributes, child elements, and text."""

    __slots__ = ("attributes", "children", "name", "namespace", "text")

    def __init__(self, namespace: str, name: str, attributes: dict[str, str]) -> None:
        self.namespace, self.name, self.attributes = namespace, name, attributes
        self.children: list[Element] = []
        self.text = ""

    def all(self, path: str) -> Iterator["Element"]:
        """Yield the elements at a path such as `Party|Person/Name`; `.` is this element.

        A step of the path may have several names, separated by `|`.
        """
        if path == ".":
            yield self
        step, _, rest = path.partition("/")
        names = step.split("|")
        for child in self.children:
            if child.name in names:
                if rest:
                    yield from child.all(rest)
                else:
                    yield child

    def texts(self, paths: str) -> list[str]:
        """Return the texts at the first path that has any, without duplicates."""
        for path in paths.split():
            values = list(dict.fromkeys(text for element in self.all(path) if (text := " ".join(element.text.split()))))
            if values:
                return values
        return []


def read_xml(content: bytes) -> Element:
    """Parse an XML document.

    Raises `InvalidRequest`, with a sentence for people, if the document is malformed or too large.
    """
    reader = _Reader()
    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.declares
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.say
    try:
        parser.Parse(content, True)
    except ExpatError as error:
        raise InvalidRequest(DAMAGED.format(line=error.lineno)) from None
    except (ValueError, LookupError):  # an encoding that is not known
        raise InvalidRequest(DAMAGED.format(line=1)) from None
    return reader.root


class _Reader:
    """A builder of a document's tree while the document is parsed."""

    def __init__(self) -> None:
        self._above = [Element("", "", {})]
        self._elements = 0

    @property
    def root(self) -> Element:
        """The outermost element; expat accepts no document without one."""
        return self._above[0].children[0]

    def declares(self, *_: object) -> None:
        """Refuse a document type declaration, because it may declare entities."""
        raise InvalidRequest(DECLARES)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        self._elements += 1
        if self._elements > MOST_XML_ELEMENTS:
            raise InvalidRequest(TOO_MANY)
        if len(self._above) > MOST_XML_DEPTH:
            raise InvalidRequest(TOO_DEEP)
        namespace, _, name = tag.rpartition(" ")
        element = Element(namespace, name, attributes)
        self._above[-1].children.append(element)
        self._above.append(element)

    def end(self, _tag: str) -> None:
        """Handle the end of an element."""
        self._above.pop()

    def say(self, text: str) -> None:
        """Add text to the element that is being parsed, up to a limit.

        The limit is needed because an invoice may contain whole files.
        """
        element = self._above[-1]
        if len(element.text) < LONGEST_XML_TEXT:
            element.text = (element.text + text)[:LONGEST_XML_TEXT]
