import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.factories.product import Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tests.scheduling.organizing.desk import Desk, desk_at
from tsudoi.core.clock import ManualClock

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def ours(migrated_sqlite: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Our database as any other program would open it: plain `sqlite3`, foreign keys on as the document asks."""
    path = tmp_path / "ours.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        yield connection


@pytest.fixture
def desk(product: Product, clock: ManualClock) -> Desk:
    """An organiser of threads with a bearer token."""
    return desk_at(product, clock)
