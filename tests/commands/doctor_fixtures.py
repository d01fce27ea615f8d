"""The product that the doctor checks: it runs, at the true time."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.factories.product import Product
from tests.product_fixtures import ProductMaker
from tsudoi.commands import doctor
from tsudoi.commands.checks.findings import Finding, Level
from tsudoi.core.clock import Clock, ManualClock
from tsudoi.core.settings import Settings

Examined = dict[str, Finding]
Examine = Callable[..., Examined]
OK, WARNING, PROBLEM = Level.OK, Level.WARNING, Level.PROBLEM


@pytest.fixture
def clock() -> ManualClock:
    """The true time, because LINE's is compared with it."""
    return ManualClock(datetime.now(UTC))


@pytest.fixture
def product(make_product: ProductMaker, database_url: str) -> Product:
    return make_product(database_url=database_url, tsudoi_demo=True)


@pytest.fixture
def examine(clock: ManualClock, impatient: None, plain_log: None) -> Examine:
    """What the doctor finds, by title; of several findings under one title the worst."""

    def run(settings: Settings, at: Clock = clock, **changes: Any) -> Examined:
        found: Examined = {}
        for finding in doctor.examine(settings.model_copy(update=changes), at):
            if finding.title not in found or found[finding.title].level is OK:
                found[finding.title] = finding
        return found

    return run
