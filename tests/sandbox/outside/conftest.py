"""The product's side of STORES, ChatWork and SMS: each client has the right credentials."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox

Json = dict[str, Any]
Client = httpx2.Client
SetFaults = Callable[..., None]
AGENT = {"user-agent": "tsudoi/test"}


@pytest.fixture
def calling(box: RunningSandbox) -> Iterator[Callable[..., Client]]:
    """Opens clients below a path of the box."""
    opened: list[Client] = []

    def call(path: str, **headers: str) -> Client:
        client = httpx2.Client(base_url=box.url + path, headers={**AGENT, **headers}, trust_env=False, timeout=10)
        opened.append(client)
        return client

    yield call
    for client in opened:
        client.close()


@pytest.fixture
def stores(control: Client, calling: Callable[..., Client]) -> Client:
    """Shop 1, with the example data of both shops."""
    control.post("/_sandbox/stores/examples", json={"today": "2026-11-20"}).raise_for_status()
    return calling("/reserve/202101", authorization="Bearer tok_1")


@pytest.fixture
def chatwork(calling: Callable[..., Client], config: SandboxConfig) -> Client:
    return calling("/chatwork/v2", **{"x-chatworktoken": config.chatwork_api_token})


@pytest.fixture
def twilio(calling: Callable[..., Client], config: SandboxConfig) -> Client:
    client = calling(f"/twilio/2010-04-01/Accounts/{config.sms_account}")
    client.auth = httpx2.BasicAuth(config.sms_account, config.sms_token)
    return client


@pytest.fixture
def karaden(calling: Callable[..., Client], config: SandboxConfig) -> Client:
    version = {"karaden-version": "2023-01-01"}
    return calling(f"/karaden/api/{config.sms_account}", authorization=f"Bearer {config.sms_token}", **version)


@pytest.fixture
def set_faults(control: Client) -> SetFaults:
    def put(*rules: Json) -> None:
        answer = control.put("/_sandbox/faults", json={"rules": list(rules)})
        assert answer.status_code == 200, answer.text

    return put


@pytest.fixture
def requests_to(control: Client) -> Callable[[str], list[Json]]:
    def read(system: str) -> list[Json]:
        found: list[Json] = control.get("/_sandbox/requests", params={"system": system}).json()["requests"]
        return found

    return read
