"""Browser names that people recognize, derived from User-Agent headers."""

from prorata.domain.texts import say

_PROGRAMS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("CriOS", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
"""Browser names by the text in a user agent that identifies them.

The texts are looked for in this order, because most browsers also call themselves Safari, and many also Chrome.
"""
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
    ("CrOS", "Chromebook"), ("Linux", "Linux"),
)  # fmt: skip


def browser_name(user_agent: str) -> str:
    """Name a browser and the system on which it runs, from its User-Agent header.

    An unknown browser is named "Another program".

    >>> browser_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140")
    'Edge on Windows'
    >>> browser_name("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1")
    'Safari on iPhone'
    >>> browser_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), browser_name("curl/8")
    ('Firefox on Linux', 'Another program')
    """
    program = next((name for mark, name in _PROGRAMS if mark in user_agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    if program is None:
        return say("Another program")
    return say("{program} on {system}", program=program, system=system) if system else program
