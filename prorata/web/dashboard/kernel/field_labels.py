"""The labels of the fields in a page's forms, found in the page's HTML."""

import re
from collections.abc import Mapping
from html import unescape

_LABEL = re.compile(r'<(?:label[^>]*\bfor|legend id)="f-([^"]+)"[^>]*>(.*?)</(?:label|legend)>', re.DOTALL)
_FIELD = re.compile(r"<(?:input|select|textarea)\b[^>]*>", re.DOTALL)
_NAME, _SAID = re.compile(r'\bname="([^"]+)"'), re.compile(r'\baria-label="([^"]+)"')
_BESIDE = re.compile(r'<span class="(?:hint|quiet)[^"]*">.*?</span>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def labels_in(page: str) -> Mapping[str, str]:
    """Map the names of a page's fields to the labels that people see or hear.

    Hints in quiet type within a label are left out.

    >>> labels_in('<label for="f-zip">ZIP &amp; city <span class="quiet">(optional)</span></label><input name="zip">')
    {'zip': 'ZIP & city'}
    >>> labels_in('<input class="input" name="to-3" aria-label="Invoice of line 3">')
    {'to-3': 'Invoice of line 3'}
    >>> labels_in('<legend id="f-lines">What it’s for</legend>')
    {'lines': 'What it’s for'}
    """
    fields = ((_NAME.search(tag), _SAID.search(tag)) for tag in _FIELD.findall(page))
    heard = {name[1]: said[1] for name, said in fields if name and said}
    seen = {name: " ".join(_TAG.sub("", _BESIDE.sub("", text)).split()) for name, text in _LABEL.findall(page)}
    return {unescape(name): unescape(text) for name, text in (heard | seen).items() if text}
