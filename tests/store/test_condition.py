"""What state a schema is in is told without Alembic; here it is held against Alembic."""

from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from prorata.store import condition, migrations


def test_the_revisions_are_those_that_alembic_finds():
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    assert condition._revisions() == (
        scripts.get_current_head(),
        frozenset(script.revision for script in scripts.walk_revisions()),
    )
