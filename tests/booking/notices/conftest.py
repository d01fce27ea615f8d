from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.booking.notices.screen import Screen
from tests.booking.reservations.conftest import hospital, office, person
from tests.booking.reservations.hospital import Hospital
from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, box, impatient, make_product, plain_log, product, shared_box
from tsudoi.gateway.clients import line as line_module
from tsudoi.notifications.notices import jobs

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
def patient_first_attempt(impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many tests run at once, a good answer may take longer than the second that the first attempt has."""
    known, patience = line_module.POLICIES, timedelta(seconds=20)
    pool = replace(known.notice_now.pool, longest_wait=patience)
    patient = replace(known.notice_now, pool=pool, timeout=patience, deadline=patience)
    monkeypatch.setattr(line_module, "POLICIES", replace(known, notice_now=patient))
    monkeypatch.setattr(jobs, "_FIRST_ATTEMPT", patience.total_seconds())


@pytest.fixture
def screen(product: Product, hospital: Hospital, box: Box) -> Iterator[Screen]:
    with closing(Screen(product, hospital, box)) as found:
        yield found


@pytest.fixture
def silent_screen(make_product: ProductMaker, hospital: Hospital, box: Box) -> Iterator[Screen]:
    """The same with `NOTIFICATION_CRON_DRY_RUN=true`: nothing is sent, so that jobs stay as they are made."""
    with closing(Screen(make_product(notification_cron_dry_run=True), hospital, box)) as found:
        yield found
