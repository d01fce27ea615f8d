"""The schema version that the code needs. Without SQLAlchemy, which is slow to load."""

import re
from importlib.resources import files

from tsudoi.core.command_line import tsudoi_command


class SchemaMismatch(Exception):
    """The database is not at the version that this code was written for."""

    def __init__(self, found: str | None, wanted: str) -> None:
        self.found, self.wanted = found, wanted
        super().__init__(
            f"データベースのスキーマは {found or '未作成'}、このプログラムが必要とするのは {wanted} です。\n"
            f"The database schema is at {found or 'nothing'}; this program needs {wanted}.\n"
            f"→ {tsudoi_command()} migrate"
        )


def wanted_version() -> str:
    """The number of the newest migration, read from the file names: Alembic is too slow to import at every start."""
    names = (entry.name for entry in files("tsudoi.migrations").joinpath("versions").iterdir())
    return max(found.group(1) for name in names if (found := re.match(r"(\d{4})_\w+\.py$", name)))
