"""Payments survive a restart of the sandbox: sessions, keys, events, and webhooks that still wait."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest

from tests.sandbox.receiver import receiving
from tests.sandbox.stripe_api.conftest import form
from tests.servers import browser, eventually
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import running

Started = Callable[..., AbstractContextManager[httpx2.Client]]
PATH = "/v1/checkout/sessions"


@pytest.fixture
def started(config: SandboxConfig, tmp_path: Path) -> Started:
    @contextmanager
    def start(**changed: Any) -> Iterator[httpx2.Client]:
        with running(replace(config, state_file=tmp_path / "state.json", **changed)) as box, browser(box.url) as client:
            client.headers["authorization"] = f"Bearer {config.stripe_secret_key}"
            yield client

    return start


def test_everything_is_as_it_was(started: Started) -> None:
    with started() as box:
        first = box.post(PATH, data=form(), headers={"idempotency-key": "k"}).json()
        paid = box.post(PATH, data=form()).json()
        box.post(f"/_sandbox/stripe/sessions/{paid['id']}/pay", json={"method": "card"}).raise_for_status()
        intent = box.get(f"{PATH}/{paid['id']}").json()["payment_intent"]
        box.post("/v1/refunds", data={"payment_intent": intent, "amount": "1000"}).raise_for_status()
        before, events = box.get("/_sandbox/stripe").json(), box.get("/v1/events").json()
    with started() as box:
        assert box.get("/v1/events").json() == events
        assert box.get("/_sandbox/stripe").json()["refunds"] == before["refunds"]
        again = box.post(PATH, data=form(), headers={"idempotency-key": "k"})
        assert (again.json()["id"], again.headers["idempotent-replayed"]) == (first["id"], "true")
        left = box.post("/v1/refunds", data={"payment_intent": intent}).json()
        assert left["amount"] == 2000


def test_webhooks_that_were_not_taken_are_posted_after_the_restart(started: Started) -> None:
    with started() as box:
        box.put("/_sandbox/stripe/webhooks", json={"url": "http://127.0.0.1:1/", "retry_seconds": 0}).raise_for_status()
        session = box.post(PATH, data=form()).json()
        box.post(f"/_sandbox/stripe/sessions/{session['id']}/pay", json={"method": "card"}).raise_for_status()
    with receiving() as hook, started(stripe_webhook_url=hook.url) as box:
        eventually(lambda: len(hook.received) >= 3)
        kinds = {orjson.loads(received.body)["type"] for received in hook.received}
        assert "checkout.session.completed" in kinds
        assert box.get("/_sandbox/stripe/webhooks").json()["url"] == hook.url


def test_a_file_of_a_sandbox_without_stripe_is_still_read(started: Started, tmp_path: Path) -> None:
    with started() as box:
        box.post("/_sandbox/users", json={"display_name": "山田 花子"}).raise_for_status()
    file = tmp_path / "state.json"
    older = orjson.loads(file.read_bytes())
    del older["state"]["stripe"]
    file.write_bytes(orjson.dumps(older))
    with started() as box:
        assert [user["display_name"] for user in box.get("/_sandbox/users").json()["users"]] == ["山田 花子"]
        assert box.get("/_sandbox/stripe").json()["sessions"] == []
