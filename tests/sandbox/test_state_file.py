"""A sandbox with a state file comes back as it was; one without keeps nothing."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.sandbox.pictures import png
from tests.servers import browser, eventually
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import running

MENU = {
    "size": {"width": 2500, "height": 843},
    "selected": True,
    "name": "menu",
    "chatBarText": "メニュー",
    "areas": [],
}
Started = Callable[..., AbstractContextManager[httpx2.Client]]


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "sandbox" / "state.json"


@pytest.fixture
def started(config: SandboxConfig, state_file: Path) -> Started:
    @contextmanager
    def start(**changed: Any) -> Iterator[httpx2.Client]:
        with running(replace(config, **{"state_file": state_file, **changed})) as box, browser(box.url) as client:
            client.headers["authorization"] = f"Bearer {config.channel_access_token}"
            yield client

    return start


def add_friend(box: httpx2.Client, name: str = "山田 花子") -> str:
    user_id: str = box.post("/_sandbox/users", json={"display_name": name}).json()["user_id"]
    box.post(f"/_sandbox/users/{user_id}/follow").raise_for_status()
    return user_id


def push(box: httpx2.Client, to: str, text: str, key: str | None = None) -> httpx2.Response:
    body = {"to": to, "messages": [{"type": "text", "text": text}]}
    return box.post("/v2/bot/message/push", json=body, headers={"x-line-retry-key": key or str(uuid.uuid4())})


def texts(box: httpx2.Client, user_id: str) -> list[str]:
    messages = box.get(f"/_sandbox/users/{user_id}/chat").json()["messages"]
    return [entry["message"]["text"] for entry in messages]


class TestAfterARestart:
    def test_people_chats_unread_marks_and_the_records_are_the_same(self, started: Started) -> None:
        with started() as box:
            friend, blocked = add_friend(box), add_friend(box, "佐藤 一郎")
            push(box, friend, "一通目")
            box.post(f"/_sandbox/users/{friend}/read").raise_for_status()
            push(box, friend, "二通目")
            box.post(f"/_sandbox/users/{friend}/messages", json={"text": "返事"}).raise_for_status()
            box.post(f"/_sandbox/users/{blocked}/block").raise_for_status()
            before, chat = box.get("/_sandbox/state").json(), texts(box, friend)
        with started() as box:
            after = box.get("/_sandbox/state").json()
            assert texts(box, friend) == chat == ["一通目", "二通目", "返事"]
        assert [person["unread"] for person in after["users"]] == [1, 0]
        del before["now"], after["now"]
        assert after == before

    def test_a_retry_key_is_still_taken_and_message_numbers_do_not_repeat(self, started: Started) -> None:
        key = str(uuid.uuid4())
        with started() as box:
            friend = add_friend(box)
            first = push(box, friend, "一度だけ", key)
        with started() as box:
            again = push(box, friend, "一度だけ", key)
            assert again.status_code == 409
            assert again.json()["sentMessages"] == first.json()["sentMessages"]
            assert again.headers["x-line-accepted-request-id"] == first.headers["x-line-request-id"]
            push(box, friend, "つづき")
            messages = box.get(f"/_sandbox/users/{friend}/chat").json()["messages"]
        assert len({entry["id"] for entry in messages}) == len(messages) == 2

    def test_quota_faults_and_the_clock_stay_as_they_were_set(self, started: Started) -> None:
        with started() as box:
            # Not the clock of the machine: the end of a month would reset the usage.
            box.post("/_sandbox/clock", json={"now": "2027-06-15T12:00:00+09:00"}).raise_for_status()
            friend = add_friend(box)
            box.put("/_sandbox/quota", json={"type": "limited", "value": 200, "total_usage": 40}).raise_for_status()
            push(box, friend, "数えられる")
            rule = {"kind": "rate_limited", "endpoint": "push", "percent": 50, "seed": 7}
            box.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()
            box.post("/_sandbox/clock", json={"advance_seconds": 3600}).raise_for_status()
            lucky = [push(box, friend, "くじ").status_code for _ in range(12)]
            offset = box.get("/_sandbox/clock").json()["offset_seconds"]
        with started() as box:
            assert box.get("/_sandbox/quota").json()["total_usage"] == 41 + lucky.count(200)
            assert box.get("/_sandbox/clock").json()["offset_seconds"] == pytest.approx(offset, abs=1)
            lucky += [push(box, friend, "くじ").status_code for _ in range(12)]
            box.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()
            assert [push(box, friend, "くじ").status_code for _ in range(24)] == lucky

    def test_the_rich_menu_is_up_with_its_picture(self, started: Started) -> None:
        picture = png(2500, 843)
        with started() as box:
            menu = box.post("/v2/bot/richmenu", json=MENU).json()["richMenuId"]
            kind = {"content-type": "image/png"}
            box.post(f"/v2/bot/richmenu/{menu}/content", content=picture, headers=kind).raise_for_status()
            box.post(f"/v2/bot/user/all/richmenu/{menu}").raise_for_status()
        with started() as box:
            shown = box.get("/_sandbox/rich_menu").json()["rich_menu"]
            assert shown["richMenuId"] == menu
            assert box.get(shown["image_url"]).content == picture

    def test_sheets_keep_their_cells_and_their_kinds(self, started: Started) -> None:
        rows = [["id", "氏名", "対象"], [1, "山田", True], ["02", "", 1.5]]
        with started() as box:
            box.put("/_sandbox/sheets/book/Members", json={"rows": rows, "shared": False}).raise_for_status()
        with started() as box:
            found = box.get("/_sandbox/sheets/book/Members").json()
        assert found == {"rows": rows, "shared": False}
        assert [type(cell) for cell in found["rows"][1]] == [int, str, bool]

    def test_whoever_was_logged_in_stays_logged_in(self, started: Started, config: SandboxConfig) -> None:
        with started() as box:
            friend = add_friend(box)
            tokens = box.post(f"/_sandbox/users/{friend}/id_token", json={}).json()
            key = box.get("/_sandbox/sheets/service-account.json").json()["private_key"]
        with started() as box:
            form = {"id_token": tokens["id_token"], "client_id": config.login_channel_id}
            assert box.post("/oauth2/v2.1/verify", data=form).json()["sub"] == friend
            asked = box.get("/oauth2/v2.1/verify", params={"access_token": tokens["access_token"]})
            assert asked.status_code == 200
            assert box.get("/_sandbox/sheets/service-account.json").json()["private_key"] == key

    def test_a_webhook_can_be_sent_again(self, started: Started) -> None:
        with started() as box:
            add_friend(box)
            sent = box.get("/_sandbox/webhooks").json()["webhooks"]
        with started() as box:
            assert box.get("/_sandbox/webhooks").json()["webhooks"] == sent
            again = box.post(f"/_sandbox/webhooks/{sent[0]['event_id']}/redeliver")
            assert again.json()["webhook"]["event_id"] == sent[0]["event_id"]

    def test_links_follow_a_product_that_has_another_port_now(self, started: Started) -> None:
        with started(liff_endpoint_url="http://127.0.0.1:8000/liff") as box:
            friend = add_friend(box)
            push(box, friend, "http://127.0.0.1:8000/media/1.jpg http://127.0.0.1:80001/")
        with started(liff_endpoint_url="http://127.0.0.1:9000/liff") as box:
            assert texts(box, friend) == ["http://127.0.0.1:9000/media/1.jpg http://127.0.0.1:80001/"]


class TestTheFile:
    def test_it_is_written_a_moment_after_a_change_while_the_sandbox_runs(
        self, started: Started, state_file: Path
    ) -> None:
        with started() as box:
            friend = add_friend(box)
            push(box, friend, "まだ動いています")
            eventually(lambda: state_file.exists() and "まだ動いています" in state_file.read_text(encoding="utf-8"))

    def test_a_reset_empties_it(self, started: Started) -> None:
        with started() as box:
            add_friend(box)
        with started() as box:
            box.post("/_sandbox/reset").raise_for_status()
        with started() as box:
            assert box.get("/_sandbox/users").json()["users"] == []

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version": 0}', b'{"version": 1, "addresses": ["a"]}'])
    def test_one_that_cannot_be_read_does_not_stop_the_start(
        self, started: Started, state_file: Path, content: bytes
    ) -> None:
        state_file.parent.mkdir()
        state_file.write_bytes(content)
        with started() as box:
            assert box.get("/_sandbox/users").json()["users"] == []
            friend = add_friend(box)
        with started() as box:
            assert [person["user_id"] for person in box.get("/_sandbox/users").json()["users"]] == [friend]

    def test_without_one_nothing_is_kept(self, started: Started, tmp_path: Path) -> None:
        with started(state_file=None) as box:
            add_friend(box)
        with started(state_file=None) as box:
            assert box.get("/_sandbox/users").json()["users"] == []
        assert list(tmp_path.iterdir()) == []
