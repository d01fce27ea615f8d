from pathlib import Path

import pytest

from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def folder(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """A place to start from, with a migrated database in it."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    return tmp_path
