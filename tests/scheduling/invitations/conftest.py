from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx2
import pytest

from tests.factories.events import liff_client
from tests.factories.product import Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]


@pytest.fixture
def phone(product: Product) -> Iterator[Callable[[int], httpx2.Client]]:
    """The phone of a member, logged in anew each time."""
    with ExitStack() as stack:
        yield lambda member_id: stack.enter_context(liff_client(product, member_id))
