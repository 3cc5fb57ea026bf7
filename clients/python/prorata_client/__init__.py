"""A client of Prorata's API: typed, with and without asyncio.

Prorata(address, key) and AsyncProrata(address, key) have a method for each operation (operations.py). Lists are
iterators, requests are repeated when that is safe, and errors are raised.
"""

from prorata_client import models
from prorata_client.async_operations import AsyncOperations
from prorata_client.errors import NotFromProrata, ProrataError, Refused, Unreachable
from prorata_client.operations import Operations
from prorata_client.retries import Retries
from prorata_client.webhooks import read_webhook

__all__ = [
    "AsyncProrata",
    "NotFromProrata",
    "Prorata",
    "ProrataError",
    "Refused",
    "Retries",
    "Unreachable",
    "models",
    "read_webhook",
]


class Prorata(Operations):
    """A client of the API of the Prorata at an address such as https://bills.example.com.

    It authenticates with an API key.
    """


class AsyncProrata(AsyncOperations):
    """A client of the API of a Prorata for asyncio."""
