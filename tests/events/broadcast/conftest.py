from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.events.broadcast.crowd import Hall, hall
from tests.factories.product import Box
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.events.broadcast import rules

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people to a chunk: every case fits on a page."""
    monkeypatch.setattr(rules, "CHUNK", 2)


@pytest.fixture
def office(
    db: Database, clock: ManualClock, box: Box, tmp_path: Path, plain_log: None, impatient: None, small_chunks: None
) -> Iterator[Hall]:
    with hall(db, clock, box, tmp_path / "data") as found:
        yield found
