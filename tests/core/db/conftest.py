from collections.abc import Iterator

import pytest

from tests.core.db.notes import create_notes
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database


@pytest.fixture
def db(database_url: str, clock: ManualClock) -> Iterator[Database]:
    """As everywhere, with the table `notes` in it."""
    database = open_database(database_url, clock)
    database.write_now(create_notes)
    yield database
    database.close()
