from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from tests.booking.reservations.hospital import Hospital, Person, person_at
from tests.factories.product import Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.db.interface import Database

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

PersonMaker = Callable[..., Person]


@pytest.fixture
def hospital(db: Database) -> Hospital:
    return Hospital(db)


@pytest.fixture
def person(product: Product, hospital: Hospital) -> Iterator[PersonMaker]:
    """A new staff person who is logged in, or a known one by their uid."""
    with ExitStack() as stack:

        def make(uid: str | None = None, **more: Any) -> Person:
            found = person_at(product, hospital, uid or hospital.staff(**more))
            stack.enter_context(found.http)
            return found

        yield make


@pytest.fixture
def office(product: Product) -> httpx2.Client:
    product.make_admin()
    answer = product.log_in()
    product.http.headers["x-csrf-token"] = answer.json()["csrf_token"]
    return product.http
