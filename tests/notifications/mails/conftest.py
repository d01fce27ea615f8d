from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories.product import Box
from tests.notifications.mails.post import PostOffice, mail_runtime
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def post(db: Database, box: Box, clock: ManualClock, tmp_path: Path, plain_log: None) -> Iterator[PostOffice]:
    with mail_runtime(db, box.smtp_url, tmp_path / "data") as runtime:
        yield PostOffice(runtime, box, clock)
