"""Schemathesis tests of the whole API: examples, constraints, fuzzing, and sequences of calls.

Every check is on, except `max_response_time`, which needs a limit; the benchmarks measure speed instead. Failures of
`positive_data_acceptance` do not count if they come from a rule that OpenAPI can't express. These rules are listed
here, each with the sentence that the response must then contain.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import structlog
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.engine import events, from_schema
from schemathesis.specs.openapi.checks import RejectedPositiveData, UseAfterFree

from prorata.errors import RateLimited
from tests.conftest import SOAK
from tests.servers import under_ci
from tests.web.conftest import House, build_house
from tests.web.furnished import furnish

# The client that schemathesis calls an application with leaves the streams of its threads to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

CHECKS = {
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance", "positive_data_acceptance", "negative_data_rejection", "use_after_free",
    "ensure_resource_availability", "missing_required_header", "ignored_auth", "object_level_authorization",
    "unsupported_method", "allow_header_conformance", "error_code_conformance",
}  # fmt: skip
BEYOND_A_SCHEMA = {
    "a rule's weights go with its method, and name the units of its property": "customWeightsJson ",
    "a blend that a rule names is there": "splitMethodId must be the id of one of your own split methods",
    "percents sum to 100": "The percentages must add up to 100",
    "a method stands in a blend once": "A blend can contain each split method only once.",
    "a last day does not come before the first": "The last day must not be before the first day.",
    "a page is shorter than what is read on": "`limit` must be a whole number from 1 to 100, or up to 1,000 with `after`",
    "words find bills in pages, or read on": "`q` can't be combined with `updatedAfter`.",
    "a list is read in pages or on": "`page` can't be combined with `after` or `updatedAfter`.",
    "a list is read on where an answer ended": "`after` must be `start`, or the `next` value of a response from this list",
    "money moved by today": "Enter the date on which the money moved",
    "no more is refunded than is possible": "You can't refund more than ",
    "a refund is not the money that was noted": "A refund can’t take the place of the noted",
    "webhooks go to public addresses alone": "url must ",
    "a rule begins no earlier than its property bills": "effectiveFrom must not be before",
    "nobody moves out before moving in": "The last day must not be before the first day.",
    "a rule begins in a month that bills may be of": "`effectiveFrom` must be between 1970 and 2999.",
    "a property bills from a month that bills may be of": "`billingStartsMonth` must be between 1970 and 2999.",
    "a statement ends after it begins": "The last day must not be before the first day.",
    "some changes alone can be previewed": "can't be previewed: it is no change of",
    "a change that is previewed has the fields of that change": "`sqft` is not a known field; there are none here.",
    "what ends with a reason has one": "Enter a reason.",
    "a charge is one of the invoice": "This charge is not on this invoice.",
    "a charge of zero is not disputed": "This charge is zero",
    "no more is disputed than the charge": "Enter no more than the amount of the charge",
    "the days of a bill are of a time with bills": "A date must be between 1970-01-01 and 2999-12-31.",
    "a line of a bill is for one thing": "Each line needs either a utilityType or a notBilled reason, but not both",
    "a bill is for a utility": "Say what the bill is for",
    "no two lines of a bill are for the same": "Two amounts are for the same thing",
    "amounts stand in every line or in none": "Enter how much of the total this is",
    "a line that is corrected has an amount": "Enter the correct amount of this line",
    "the lines of a bill sum to its total": "The amounts add up to ",
    "what was used is of a utility, in a unit": "Enter the usage of each utility",
    "a unit reads as one": "Enter the unit of measure as it appears on the bill",
    "what was used of a utility is said once": "appears twice here. List",
    "a reason is a line": "Enter a single line of plain text.",
    "corrected lines sum to their total": "The amounts must add up to the total",
    "the ends of a service period go together": "the first and the last day of service",
    "a service ends after it starts": "The service ends before it starts",
    "a service period has an end": "A service period can have at most",
    "a bill in one month is not spread": "A bill is either billed in one month or spread over",
    "what is sent of a month is a draft of it": "No draft for a tenant in this month has this id.",
    "a row is for one thing": "Each row needs either a candidate's mark or an invoiceNumber",
    "a row is chosen once": "This row has already been chosen.",
    "some rows are chosen": "Choose rows, or set `matched` to true.",
    "a file of payments or units is a table": "This is not a CSV file.",
    "what a table of units lacks": "The file has no property column",
    "and has columns": "This file has only one column.",
    "and rows": "This file has no payments below its header",
    "with days": "No column of this file contains dates",
    "a workbook is one": "This is not an XLSX, ODS or XLS workbook",
    "a spreadsheet of names has their columns": "None of the columns is for",
    "what needs something is read in pages": "`needs` can't be combined with",
    "a month is compared by its bills": "to compare with. Add one first.",
    "a file of charges is for a program that is known": "This program isn't available",
    "names of another program fit it": "No names were saved",
    "a time zone is one of those that are known": "Choose a time zone from the list",
    "an account's own words can be written": "It contains a character that can’t be printed",
    "a bank account number is right": "This is not a valid ",
    "a BIC is a code of banks": "A BIC has 8 or 11",
    "an account number is one": "An account number has 4 to 17",
    "an IBAN or an account number": "Enter an IBAN, or a routing and account number",
    "a BIC goes with an IBAN": "Enter the IBAN that goes with the BIC",
    "a routing number goes with an account number": "Enter the routing number and the account number",
    "a color is written as six digits": "Enter the color as #",
    "a color can be read on white": "This color is too pale",
    "a telephone number is no address": "Enter a telephone number",
    "an address has few lines": "Enter an address of at most",
    "how tenants pay has few lines": "Enter at most ",
    "a key that reads has no scopes to write": "A read-only key can’t have write scopes.",
    "a sender is an address or a domain": "A sender must be an e-mail address, or a domain",
    "what a file's columns mean is JSON": "columns must be a JSON object",
    "a month that is compared has bills": "There is no bill for ",
    "a month in an address is one": "Enter the month as YYYY-MM",
    "a key ends in the future": "Choose a day in the future.",
    "what is changed is an invoice": "No invoice has this id.",
    "a long service alone is spread": "Only a bill for more than",
}
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]
"""The statuses with which an invalid request may be refused.

They are those of schemathesis, and 413, which a too long text can cause.
"""
EXAMPLES = 300 if SOAK else 6


@schemathesis.check
def error_code_conformance(_context: Any, response: Any, case: Any) -> None:
    """Check that an error has one of the codes described for its operation and status."""
    schema = case.operation.schema.raw_schema
    described = schema["paths"][case.operation.path].get(case.method.lower(), {}).get("responses", {})
    said = described.get(str(response.status_code), {})
    if "$ref" in said:
        said = schema["components"]["responses"][said["$ref"].rpartition("/")[2]]
    if examples := said.get("content", {}).get("application/json", {}).get("examples"):
        error = response.json()
        assert (error["code"] in examples, error["status"]) == (True, response.status_code), error


def is_the_api_s_fault(_context: Any, failure: Failure, _case: Any, response: Any) -> bool:
    """Check whether a failure counts as the API's mistake.

    A failure doesn't count if If-Match named no version of the record, if texts of allowed length make a body of more
    than 256 KiB, if the request broke a rule that a schema can't express, or if a file is of another kind. Nor does it
    count if a deleted unit that has bills still exists as a deactivated unit, as the contract states.
    """
    if str(RateLimited.status) in failure.message or is_refused_by_itself(failure, response):
        return False
    if isinstance(failure, UseAfterFree) and failure.operation == "DELETE /units/{unitId}":
        answer = response.json()
        return isinstance(answer, dict) and answer.get("isActive") is not False
    if not isinstance(failure, RejectedPositiveData):
        return True
    if response.status_code in {412, 413} or "holds a NUL character" in response.json().get("error", ""):
        return False
    details = response.json().get("details", ())
    if details and {detail["field"] for detail in details} == {"file"}:
        return False
    said = [detail["message"] for detail in details]
    return not said or not all(any(rule in message for rule in BEYOND_A_SCHEMA.values()) for message in said)


def is_refused_by_itself(failure: Failure, response: Any) -> bool:
    """Check whether the invalid part was a write of a batch.

    The batch is accepted, and such a write has its own result.
    """
    is_taken = isinstance(failure, AcceptedNegativeData) and failure.operation == "POST /bulk"
    return is_taken and response.json()["failed"] > 0


@pytest.fixture
def silence() -> Iterator[None]:
    """Turn off the log, because the tests send thousands of requests."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[])
    yield
    structlog.reset_defaults()


def run(house: House, **config: Any) -> Counter[str]:
    """Run Schemathesis, assert that it finds nothing, and count the runs of each check."""
    fixed = {"seed": 1} if under_ci() else {}
    schema = schemathesis.openapi.from_asgi(
        "/api/v1/openapi.json", house.app, config=schemathesis.Config.from_dict(config | fixed)
    )
    schema.hook("filter_failure")(is_the_api_s_fault)
    made: Counter[str] = Counter()
    found, broken = [], []
    for event in from_schema(schema).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            broken.append(event)
        elif isinstance(event, events.ScenarioFinished):
            for case_id, checks in event.recorder.checks.items():
                made.update(check.name for check in checks)
                found += [told(event, case_id, check) for check in checks if check.failure_info is not None]
    assert not broken, broken
    assert not found, f"{len(found)} failures; the first:\n\n" + "\n\n".join(found[:5])
    return made


def told(event: events.ScenarioFinished, case_id: str, check: Any) -> str:
    """A description of a failure, with the request that repeats it and the response."""
    failure = check.failure_info.failure
    response = event.recorder.interactions[case_id].response
    answer = f"{response.status_code} {response.text[:500]}" if response else "no answer"
    return f"{check.name}, {failure.operation}: {failure.message}\n{check.failure_info.code_sample[:2000]}\n{answer}"


def generation(examples: int) -> dict[str, Any]:
    return {"max-examples": examples, "deterministic": under_ci(), "database": "none"}


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_schemathesis_finds_nothing_wrong_with_the_api(migrated_sqlite_url: str, silence: None) -> None:
    house = build_house(migrated_sqlite_url)
    with house.live():
        nothing_is_found(house)


@pytest.mark.soak
def test_schemathesis_finds_nothing_wrong_with_the_api_on_postgresql(
    migrated_postgresql_url: str, silence: None
) -> None:
    house = build_house(migrated_postgresql_url)
    with house.live():
        nothing_is_found(house)


def nothing_is_found(house: House) -> None:
    furnish(house)
    made = run(
        house,
        headers={"Authorization": f"Bearer {house.landlord.admin}"},
        checks={"negative_data_rejection": {"expected-statuses": REFUSED}},
        generation=generation(EXAMPLES) | {"mode": "all"},
    )
    assert set(made) == CHECKS
    assert min(made.values()) > 1000


@pytest.mark.thorough
def test_schemathesis_finds_no_way_to_another_account(migrated_sqlite_url: str, silence: None, tmp_path: Path) -> None:
    """This runs on SQLite only: `test_strangers.py` tests every operation on both databases."""
    house = build_house(migrated_sqlite_url)
    with house.live():
        no_way_is_found(house, tmp_path)


def no_way_is_found(house: House, folder: Path) -> None:
    keys = {"mine": house.landlord.admin, "theirs": house.stranger.admin}
    users = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {key}"}]}
        for name, key in keys.items()
    ]
    file = folder / "people.yaml"
    file.write_text(json.dumps({"auth": users}))
    for landlord in (house.landlord, house.stranger):
        furnish(house, landlord)
    made = run(
        house,
        auth={"wfc": {"path": str(file), "peers": [*keys]}},
        checks={
            "enabled": False,
            "object_level_authorization": {"enabled": True},
            "not_a_server_error": {"enabled": True},
        },
        phases={"coverage": {"enabled": False}},
        generation=generation(EXAMPLES // 3),
    )
    assert made["object_level_authorization"] > 100
