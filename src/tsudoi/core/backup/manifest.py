"""What a backup file says about itself. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

import orjson

from tsudoi.core.clock import parse_text, utc_text

FORMAT = 1
MANIFEST = "manifest.json"
MEDIA_FOLDER = "media"
DATABASE_FILES = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump"}
_MEDIA_KEY = re.compile(r"media/[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9_-][A-Za-z0-9._-]*")


class BadBackup(Exception):
    """A backup cannot be made or used. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class FileSum:
    """Size and SHA-256 of one file in a backup."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """The last entry of a backup file. A file that was cut off has none."""

    made_at: datetime
    # The version of the program that made it.
    program: str
    dialect: str
    schema: str
    rows: dict[str, int]
    files: dict[str, FileSum]
    # Pictures that rows name and that were not there.
    missing: tuple[str, ...] = ()
    # The id of the database; of a copy that nobody has confirmed, that of its original. None: of an older version.
    database_id: str | None = None

    @property
    def database_file(self) -> str:
        return DATABASE_FILES[self.dialect]

    @property
    def media_files(self) -> list[str]:
        return [name for name in self.files if name.startswith(f"{MEDIA_FOLDER}/")]

    def to_json(self) -> bytes:
        fields = {
            "format": FORMAT,
            "made_at": utc_text(self.made_at),
            "program": self.program,
            "dialect": self.dialect,
            "schema": self.schema,
            "rows": self.rows,
            "files": {name: {"size": one.size, "sha256": one.sha256} for name, one in self.files.items()},
            "missing": list(self.missing),
            "database_id": self.database_id,
        }
        return orjson.dumps(fields, option=orjson.OPT_INDENT_2)

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        try:
            found: dict[str, Any] = orjson.loads(data)
            if found["format"] != FORMAT:
                raise BadBackup(
                    f"このバックアップの形式（{found['format']}）は、このプログラムでは読めません。新しい版で復元してください。\n"
                    f"This program cannot read backups of format {found['format']}; use a newer one."
                )
            files = {name: FileSum(int(one["size"]), str(one["sha256"])) for name, one in found["files"].items()}
            rows = {str(table): int(number) for table, number in found["rows"].items()}
            if found["dialect"] not in DATABASE_FILES or DATABASE_FILES[found["dialect"]] not in files:
                raise _no_manifest()
            made_at, missing = parse_text(found["made_at"]), tuple(map(str, found.get("missing", ())))
            program, schema = str(found["program"]), str(found["schema"])
            database_id = found.get("database_id")
            if database_id is not None and not isinstance(database_id, str):
                raise _no_manifest()
            return cls(made_at, program, found["dialect"], schema, rows, files, missing, database_id)
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise _no_manifest() from wrong


def _no_manifest() -> BadBackup:
    return BadBackup("これは Tsudoi のバックアップではありません / this is no backup of Tsudoi")


def is_backup_entry(name: str) -> bool:
    """Nothing else is written to the disk, so that no file can put something elsewhere."""
    return name == MANIFEST or name in DATABASE_FILES.values() or _MEDIA_KEY.fullmatch(name) is not None


def differences(expected: dict[str, FileSum], found: dict[str, FileSum]) -> list[str]:
    """The names of files that are missing, too many, or not as they were."""
    return sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))


def row_differences(expected: dict[str, int], found: dict[str, int]) -> list[str]:
    return sorted(name for name, number in expected.items() if found.get(name) != number)
