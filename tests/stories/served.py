"""All of Prorata in its own processes, as `prorata serve` starts them, for a story.

Run it with `python -m tests.stories.served PORT`. Settings come from the environment as usual. This module adds the
things that no setting gives: the story's clock and name servers, and a mail server together with trial payments. An
operator can't have the last combination, because it could mail links for trial payments to people.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from prorata import wiring
from prorata.adapters.inbound_mail.dns_records import DnsTxtRecords
from prorata.cli.web_server import WebServer
from prorata.settings import Settings, read_settings
from prorata.wiring import processes
from prorata.wiring.surroundings import Surroundings
from tests.stories.story_clock import StoryClock

FOLDER, NAME_SERVER, MAIL_SERVER = "STORY_FOLDER", "STORY_NAME_SERVER", "STORY_MAIL_SERVER"
CLOCK, WEB, WORKER = "clock", "web.pid", "worker.pid"
SECONDS_BETWEEN_ROUNDS = 0.2


def settings() -> Settings:
    """The settings of the environment, with the story's mail server."""
    return replace(read_settings(dotenv=Path(os.devnull)), smtp_url=os.environ[MAIL_SERVER])


def surroundings() -> Surroundings:
    """The clock and name servers of the story, and its short pause between rounds."""
    clock = StoryClock(Path(os.environ[FOLDER]) / CLOCK)
    return Surroundings(clock, DnsTxtRecords(["127.0.0.1"], int(os.environ[NAME_SERVER])), SECONDS_BETWEEN_ROUNDS)


def app() -> Any:
    """Return the application that Granian runs."""
    note_process(WEB)
    return processes.app(settings(), surroundings())


def work(*, receives: bool) -> None:
    """Run the background process."""
    note_process(WORKER)
    processes.work(settings(), receives=receives, around=surroundings())


def note_process(name: str) -> None:
    """Write down the id of this process, so that it can be killed."""
    (Path(os.environ[FOLDER]) / name).write_text(str(os.getpid()))


def main(port: int) -> None:
    """Serve until told to stop."""
    found = settings()
    server = WebServer("127.0.0.1", port, workers=1, certificate=None, target="tests.stories.served:app", work=work)
    with server.alone_in(found.data_dir):
        wiring.prepare_to_serve(found)
        server.run(lambda: "")


if __name__ == "__main__":
    main(int(sys.argv[1]))
