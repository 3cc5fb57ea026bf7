"""A page that updates itself keeps an open question, and the focus where it is."""

import re

from playwright.sync_api import Route, expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord

_JOBS = re.compile(r'<div class="stack" id="jobs".*?</main>', re.DOTALL)
_POLL = 'hx-get="/jobs" hx-trigger="every 1s" hx-select="#jobs" hx-swap="outerMorph"'
_JOB = """<li id="job_{0}"><div class="grow"><p>Job {0}, look {1}</p></div><div class="acts-row">
<form method="post" action="/jobs/job_{0}/retry"><button class="btn" type="submit">Try {0} now</button></form>
<a class="btn" href="/jobs/job_{0}/cancel" role="button" data-dialog="cancel-job_{0}">Cancel {0}</a>
<dialog class="ask" id="cancel-job_{0}" aria-label="Cancel {0}?"><form method="post" action="/jobs/job_{0}/cancel">
<button class="btn" type="button" data-close>Keep it</button><button class="btn" type="submit">Cancel it</button></form>
</dialog></div></li>"""


def test_jobs_that_look_again_keep_an_open_question_and_the_focus(landlord: Landlord, visit: Opened) -> None:
    visitor = visit()
    empty = visitor.context.request.get(f"{visitor.url}/jobs").text()
    looks = [0]

    def answer(route: Route) -> None:
        looks[0] += 1
        if looks[0] > 9:
            body = empty
        else:
            left = "ABC" if looks[0] < 3 else "BC"  # A is done by then, and the others move up
            rows = "".join(_JOB.format(name, looks[0]) for name in left)
            jobs = (
                f'<div class="stack" id="jobs" {_POLL}><div class="panel"><ul class="list jobs">{rows}</ul></div></div>'
            )
            body = _JOBS.sub(lambda _: f"{jobs}</main>", empty)
        route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body)

    visitor.page.route("**/jobs", answer)
    page = visitor.go("/jobs")
    page.get_by_role("button", name="Cancel B").click()
    question = page.get_by_role("dialog", name="Cancel B?")
    expect(page.get_by_text("Job B, look 4")).to_be_attached()
    expect(page.get_by_text("Job A")).to_have_count(0)
    expect(question).to_be_visible()
    assert question.evaluate("asked => asked.matches(':modal') && asked.contains(document.activeElement)")
    question.get_by_role("button", name="Keep it").click()
    expect(question).to_be_hidden()
    again = page.get_by_role("button", name="Try C now")
    again.focus()
    expect(page.get_by_text("Job C, look 8")).to_be_visible()
    expect(again).to_be_focused()
    expect(page.get_by_text("Nothing is waiting for you")).to_be_visible()
    expect(page.locator("#jobs[hx-trigger]")).to_have_count(0)
    seen = looks[0]
    page.wait_for_timeout(1_500)
    assert looks[0] == seen, "it looks no more"
