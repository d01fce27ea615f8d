import pytest

from tests.factories.product import Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tests.scheduling.organizing.desk import Desk, desk_at
from tsudoi.core.clock import ManualClock

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def desk(product: Product, clock: ManualClock) -> Desk:
    """An organiser with a bearer token."""
    return desk_at(product, clock)
