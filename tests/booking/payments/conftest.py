from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.booking.payments.till import Till
from tests.booking.reservations.conftest import hospital, office, person
from tests.booking.reservations.hospital import Hospital
from tests.factories.product import Box, Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tsudoi.core.clock import ManualClock
from tsudoi.gateway.clients import stripe as stripe_module

__all__ = [
    "box",
    "hospital",
    "impatient",
    "make_product",
    "office",
    "person",
    "plain_log",
    "product",
    "shared_box",
]


@pytest.fixture(autouse=True)
def impatient_stripe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of a time-out must not take six seconds; a good answer on a busy machine may take one."""
    patience = timedelta(seconds=2)
    policies = stripe_module.POLICIES
    soon = {
        name: replace(getattr(policies, name), timeout=patience, deadline=patience, attempts=1)
        for name in ("write", "read")
    }
    monkeypatch.setattr(stripe_module, "POLICIES", replace(policies, **soon))


@pytest.fixture
def till(product: Product, hospital: Hospital, box: Box, clock: ManualClock) -> Iterator[Till]:
    found = Till(product, hospital, box, clock)
    yield found
    found.close()
