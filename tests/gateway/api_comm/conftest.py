from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories.chain import Chain, chain_of, prepare
from tests.factories.product import Box
from tsudoi.core.db.interface import Database


@pytest.fixture
def chain(db: Database, box: Box, tmp_path: Path, impatient: None, plain_log: None) -> Iterator[Chain]:
    prepare(box, db)
    with chain_of(box, db, tmp_path) as made:
        yield made
