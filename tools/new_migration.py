"""Drafts the next migration from the difference between the models and the migrations so far.

    .venv/bin/python tools/new_migration.py add_events

Read and mend the draft before committing it: renames, data and triggers are beyond it.
"""

import re
import sys
import tempfile
from pathlib import Path

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext

from tsudoi.core.db.schema import all_models, migrate, migration_connection
from tsudoi.core.db.version import wanted_version

VERSIONS = Path("src/tsudoi/migrations/versions")
HEADING = '''"""{title}."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, JstText, UtcText

revision = "{revision}"
down_revision = {before}


def upgrade() -> None:
'''


def main(name: str) -> None:
    before = wanted_version() if any(VERSIONS.glob("0*.py")) else None
    revision = f"{int(before or 0) + 1:04d}"
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/draft.sqlite3"
        if before:
            migrate(url)
        with migration_connection(url) as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            operations = produce_migrations(context, all_models()).upgrade_ops
    code = render_python_code(operations) if operations else "pass"
    code = re.sub(r"^ *#.*\n?", "", code, flags=re.MULTILINE).replace("tsudoi.core.columns.", "")
    code = code.replace("sa.BigInteger().with_variant(sa.Integer(), 'sqlite')", "BigId")
    body = "\n".join(f"    {line.strip()}" if line.strip() else "" for line in code.splitlines())
    heading = HEADING.format(title=name.replace("_", " ").capitalize(), revision=revision, before=repr(before))
    path = VERSIONS / f"{revision}_{name}.py"
    path.write_text(heading + body + "\n")
    print(path)


if __name__ == "__main__":
    main(sys.argv[1])
