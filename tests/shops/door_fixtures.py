"""Fixtures of the folders that test the customers' side; their conftests import them by name."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.factories.customers import Door, PhoneMaker, Stores, line_phone, make_shop, shop_settings
from tests.factories.product import Box, Product


@pytest.fixture
def product(make_product: Callable[..., Product], box: Box) -> Product:
    return make_product(**shop_settings(box))


@pytest.fixture
def door(product: Product, box: Box) -> Door:
    """Shop `ngy1`, whose STORES knows nobody yet."""
    box.http.delete("/_sandbox/stores").raise_for_status()
    box.http.delete("/_sandbox/requests").raise_for_status()
    make_shop(product.db)
    stores = Stores(box)
    stores.open(1)
    return Door(product, box, stores)


@pytest.fixture
def phone(door: Door) -> Iterator[PhoneMaker]:
    with ExitStack() as stack:
        yield lambda name="太郎": stack.enter_context(line_phone(door, name))
