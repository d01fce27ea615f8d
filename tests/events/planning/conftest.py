import pytest

from tests.events.planning.desk import Desk, desk_at
from tests.factories.product import Box, Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.clock import ManualClock

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def desk(product: Product, box: Box, clock: ManualClock) -> Desk:
    """Three members, 101 to 103, and a browser that is logged in."""
    return desk_at(product, box, clock)
