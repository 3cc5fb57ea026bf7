"""Deleting a file that led to no bill, after a confirmation."""

from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_inbox import bring
from tests.incoming import PDF


def test_a_file_that_was_set_aside_is_deleted_after_a_question(office: Office) -> None:
    manager, viewer = office.browser("manager"), office.browser("viewer")
    path = bring(manager, ("old.pdf", PDF)).headers["location"].partition("?")[0]
    refused = manager.get(f"{path}/delete")
    assert (refused.status_code, refused.headers["location"].partition("?")[0]) == (303, path)
    assert manager.post(f"{path}/delete", {}).status_code == 409
    manager.post(f"{path}/aside", {})
    assert f"{path}/delete" in manager.get(path).text
    assert f"{path}/delete" not in viewer.get(path).text
    assert viewer.post(f"{path}/delete", {}).status_code == 403
    assert "Delete old.pdf?" in manager.get(f"{path}/delete").text
    assert manager.post(f"{path}/delete", {}).status_code == 303
    assert manager.get(path).status_code == 404
    assert "deleted the file old.pdf" in manager.get("/activity").text
