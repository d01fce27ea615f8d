"""One box for the whole run, emptied before each test."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from tests.sandbox.receiver import Receiver, receiving
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running

Person = dict[str, Any]


@pytest.fixture(scope="session")
def config() -> SandboxConfig:
    return SandboxConfig(
        port=0,
        channel_secret="channel-secret-of-the-tests",
        channel_access_token="channel-access-token-of-the-tests",
        login_channel_id="1234567890",
        liff_id="1234567890-AbcdEfgh",
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
        allow_origins=("http://phones.example",),
    )


@pytest.fixture(scope="session")
def shared_box(config: SandboxConfig) -> Iterator[RunningSandbox]:
    with running(config) as box:
        yield box


@pytest.fixture(scope="session")
def shared_client(shared_box: RunningSandbox) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=shared_box.url, trust_env=False) as client:
        yield client


@pytest.fixture
def control(shared_client: httpx2.Client) -> httpx2.Client:
    """Anybody on the box's own machine: no channel access token."""
    shared_client.post("/_sandbox/reset").raise_for_status()
    return shared_client


@pytest.fixture
def box(shared_box: RunningSandbox, control: httpx2.Client) -> RunningSandbox:
    return shared_box


@pytest.fixture(scope="session")
def shared_product(shared_box: RunningSandbox, config: SandboxConfig) -> Iterator[httpx2.Client]:
    headers = {"authorization": f"Bearer {config.channel_access_token}"}
    with httpx2.Client(base_url=shared_box.url, headers=headers, trust_env=False) as client:
        yield client


@pytest.fixture
def line(control: httpx2.Client, shared_product: httpx2.Client) -> httpx2.Client:
    """The product's side: it has the channel access token."""
    return shared_product


@pytest.fixture
def inbox(line: httpx2.Client) -> Iterator[Receiver]:
    with receiving() as receiver:
        answer = line.put("/v2/bot/channel/webhook/endpoint", json={"endpoint": receiver.url})
        assert answer.json() == {}
        yield receiver


@pytest.fixture
def stranger(control: httpx2.Client) -> Callable[[str], Person]:
    """Somebody whom the channel has met but who is no friend."""

    def create(name: str = "通りすがり") -> Person:
        person: Person = control.post("/_sandbox/users", json={"display_name": name}).json()
        return person

    return create


@pytest.fixture
def friend(control: httpx2.Client, stranger: Callable[[str], Person]) -> Callable[..., Person]:
    def create(name: str = "山田 花子") -> Person:
        person = stranger(name)
        control.post(f"/_sandbox/users/{person['user_id']}/follow").raise_for_status()
        return person

    return create


@pytest.fixture
def friend_id(friend: Callable[..., Person]) -> str:
    return str(friend()["user_id"])


@pytest.fixture
def chat(control: httpx2.Client) -> Callable[[str], list[dict[str, Any]]]:
    def read(user_id: str) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = control.get(f"/_sandbox/users/{user_id}/chat").json()["messages"]
        return messages

    return read
