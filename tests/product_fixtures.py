"""Fixtures of every folder that tests the product over HTTP; its conftest imports them by name."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from tests.conftest import NOON
from tests.factories.booking import CHEAP_ARGON2
from tests.factories.product import (
    ACCESS_TOKEN,
    CHANNEL_SECRET,
    LIFF_ID,
    LOGIN_CHANNEL,
    PASSWORD_HASH,
    STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET,
    Box,
    Product,
    running_product,
)
from tests.servers import browser
from tsudoi.booking.pins import jobs as pins
from tsudoi.core import passwords
from tsudoi.core.db.interface import Database
from tsudoi.gateway import http as http_module
from tsudoi.gateway.clients import line as line_module
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running

ProductMaker = Callable[..., Product]

# For tests in which SQL decides nothing: see "Which database" in CONTRIBUTING.md.
sqlite_only = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
postgresql_only = pytest.mark.parametrize("backend", ["postgresql"], indirect=True)


@pytest.fixture(scope="session")
def shared_box() -> Iterator[RunningSandbox]:
    config = SandboxConfig(
        port=0,
        channel_secret=CHANNEL_SECRET,
        channel_access_token=ACCESS_TOKEN,
        login_channel_id=LOGIN_CHANNEL,
        liff_id=LIFF_ID,
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
        stripe_secret_key=STRIPE_KEY,
        stripe_webhook_secret=STRIPE_WEBHOOK_SECRET,
    )
    with running(config) as found:
        yield found


@pytest.fixture
def box(shared_box: RunningSandbox) -> Iterator[Box]:
    """One sandbox for the whole run, emptied before each test, with the tests' noon on its clock."""
    with browser(shared_box.url) as http:
        http.post("/_sandbox/reset").raise_for_status()
        http.post("/_sandbox/clock", json={"now": NOON.isoformat()}).raise_for_status()
        yield Box(shared_box, http)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries without the pauses between them, reads that give up soon, and cheap checks of passwords and PINs."""
    monkeypatch.setattr(passwords, "_NOBODY", PASSWORD_HASH.encode())
    monkeypatch.setattr(pins, "ARGON2", CHEAP_ARGON2)
    monkeypatch.setattr(pins, "NOBODY", CHEAP_ARGON2.hash("nobody"))
    soon = {
        name: replace(getattr(line_module.POLICIES, name), timeout=timedelta(seconds=0.4))
        for name in ("profile", "verify", "setup")
    }
    monkeypatch.setattr(line_module, "POLICIES", replace(line_module.POLICIES, **soon))
    monkeypatch.setattr(http_module, "_FIRST_PAUSE", timedelta(0))


@pytest.fixture
def plain_log() -> Iterator[None]:
    """Without this a trace is printed with all its local variables, which takes seconds."""
    context, trace = structlog.contextvars.merge_contextvars, structlog.processors.format_exc_info
    structlog.configure(processors=[context, trace, structlog.processors.JSONRenderer(default=repr)])
    yield
    structlog.reset_defaults()


@pytest.fixture
def make_product(db: Database, box: Box, tmp_path: Path, impatient: None, plain_log: None) -> Iterator[ProductMaker]:
    """A product with settings of the test's choice. The sandbox's webhooks go to the newest one."""
    with ExitStack() as stack:

        def make(**settings: Any) -> Product:
            more = {"box_url": box.url, **settings}
            product = stack.enter_context(running_product(db, tmp_path / "data", **more))
            box.world.webhook_url = f"{product.url}/api/line/webhook"
            return product

        yield make


@pytest.fixture
def product(make_product: ProductMaker) -> Product:
    return make_product()
