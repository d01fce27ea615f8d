"""STORES, ChatWork and SMS come back as they were after a restart."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import orjson
import pytest

from tests.servers import browser
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import running

Started = Callable[[], AbstractContextManager[httpx2.Client]]


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


@pytest.fixture
def started(config: SandboxConfig, state_file: Path) -> Started:
    @contextmanager
    def start() -> Iterator[httpx2.Client]:
        with running(replace(config, state_file=state_file)) as box, browser(box.url) as client:
            client.headers["user-agent"] = "tsudoi/test"
            yield client

    return start


def post(client: httpx2.Client, config: SandboxConfig, body: str) -> httpx2.Response:
    headers = {"x-chatworktoken": config.chatwork_api_token}
    return client.post("/chatwork/v2/rooms/7/messages", data={"body": body}, headers=headers)


def send(client: httpx2.Client, config: SandboxConfig) -> httpx2.Response:
    form = {"To": "+819012345678", "From": "+15005550006", "Body": "障害です"}
    path = f"/twilio/2010-04-01/Accounts/{config.sms_account}/Messages.json"
    return client.post(path, data=form, auth=(config.sms_account, config.sms_token))


def test_everything_is_there_again(started: Started, config: SandboxConfig) -> None:
    paths = ("/_sandbox/stores", "/_sandbox/chatwork", "/_sandbox/sms", "/_sandbox/faults")
    with started() as box:
        box.post("/_sandbox/stores/examples", json={"today": "2026-11-20"}).raise_for_status()
        box.put("/_sandbox/stores/behaviour", json={"total": "missing", "unknown_token": 403}).raise_for_status()
        box.put("/_sandbox/sms/phones/+818011112222", json={"state": "blocked"}).raise_for_status()
        first = post(box, config, "一").raise_for_status().json()["message_id"]
        send(box, config).raise_for_status()
        rule = {"kind": "error_status", "status": 503, "endpoint": "stores", "path": "*/9", "token": "t"}
        box.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()
        before = {path: box.get(path).json() for path in paths}
    with started() as box:
        assert {path: box.get(path).json() for path in paths} == before
        answer = box.get("/reserve/202101/customers/1001", headers={"authorization": "Bearer tok_1"})
        assert answer.json()["customer"]["name"] == "山田 太郎"
        assert int(post(box, config, "二").json()["message_id"]) > int(first)


def test_the_requests_are_not_kept_because_they_hold_credentials(
    started: Started, config: SandboxConfig, state_file: Path
) -> None:
    with started() as box:
        post(box, config, "一").raise_for_status()
    assert config.chatwork_api_token.encode() not in state_file.read_bytes()
    with started() as box:
        assert box.get("/_sandbox/requests").json()["requests"] == []


def test_a_file_from_before_these_systems_is_read(started: Started, state_file: Path) -> None:
    with started() as box:
        box.post("/_sandbox/users", json={"display_name": "山田"}).raise_for_status()
        box.put("/_sandbox/faults", json={"rules": [{"kind": "slow", "seconds": 0}]}).raise_for_status()
    old = orjson.loads(state_file.read_bytes())
    for name in ("stores", "chatwork", "sms"):
        del old["state"][name]
    for name in ("path", "token", "status", "retry_after", "location", "body"):
        del old["state"]["faults"]["rules"][0][name]
    state_file.write_bytes(orjson.dumps(old))
    with started() as box:
        assert [person["display_name"] for person in box.get("/_sandbox/users").json()["users"]] == ["山田"]
        assert box.get("/_sandbox/faults").json()["rules"][0]["kind"] == "slow"
        assert box.get("/_sandbox/chatwork").json()["rooms"] == []


def test_starting_over_empties_them(control: httpx2.Client, config: SandboxConfig) -> None:
    control.post("/_sandbox/stores/examples").raise_for_status()
    post(control, config, "一").raise_for_status()
    send(control, config).raise_for_status()
    control.post("/_sandbox/reset").raise_for_status()
    counts = control.get("/_sandbox/counts").json()
    assert counts["stores"] == {"customers": 0, "reservations": 0, "tokens": 0}
    assert (counts["chatwork"]["messages"], counts["sms"]["messages"]) == (0, 0)
