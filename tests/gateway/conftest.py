from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories.product import Box, line_client, settings_for
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.http import HttpGateway

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def gateway(db: Database, impatient: None, plain_log: None) -> Iterator[HttpGateway]:
    made = HttpGateway(db)
    yield made
    made.close()


@pytest.fixture
def line(gateway: HttpGateway, box: Box, tmp_path: Path) -> LineClient:
    return line_client(settings_for("http://127.0.0.1:1", tmp_path, box.url), gateway)
