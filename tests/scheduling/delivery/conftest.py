from collections.abc import Callable

import pytest

from tests.factories.product import Box, Product
from tests.product_fixtures import box, impatient, make_product, plain_log, shared_box
from tests.scheduling.delivery.rows import Asked, asked_in
from tests.scheduling.organizing.desk import Desk, desk_at
from tsudoi.core.clock import ManualClock

__all__ = ["box", "impatient", "make_product", "plain_log", "shared_box"]


@pytest.fixture
def product(make_product: Callable[..., Product], box: Box) -> Product:
    """With the sandbox's mail server."""
    return make_product(
        smtp_url=box.smtp_url, mail_from="みなと町会 <office@example.jp>", organisation_name="みなと町会"
    )


@pytest.fixture
def asked(product: Product) -> Asked:
    return asked_in(product)


@pytest.fixture
def desk(product: Product, clock: ManualClock) -> Desk:
    return desk_at(product, clock)
