from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.config import SandboxConfig

MakePerson = Callable[..., dict[str, Any]]
PUSH = "/v2/bot/message/push"
UNAUTHENTICATED = {
    "message": "Authentication failed. Confirm that the access token in the authorization header is valid."
}


class TestAuthentication:
    @pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer wrong", "Basic {token}", "{token}"])
    def test_without_the_token_nothing_is_answered(
        self, control: httpx2.Client, config: SandboxConfig, header: str | None
    ) -> None:
        headers = {} if header is None else {"authorization": header.format(token=config.channel_access_token)}
        for method, path in (("POST", PUSH), ("GET", "/v2/bot/info"), ("GET", "/v2/bot/richmenu/list")):
            answer = control.request(method, path, headers=headers)
            assert (answer.status_code, answer.json()) == (401, UNAUTHENTICATED)


class TestEveryAnswer:
    @pytest.mark.parametrize(
        ("method", "path", "status"),
        [
            ("GET", "/v2/bot/info", 200),
            ("GET", "/v2/bot/profile/nobody", 404),
            ("GET", "/v2/bot/no/such/path", 404),
            ("DELETE", "/v2/bot/info", 405),
            ("POST", PUSH, 415),
            ("GET", "/oauth2/v2.1/certs", 200),
            ("POST", "/oauth2/v2.1/verify", 400),
        ],
    )
    def test_it_has_a_request_id_of_its_own(self, line: httpx2.Client, method: str, path: str, status: int) -> None:
        answers = [line.request(method, path) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [status, status]
        first, second = (answer.headers["x-line-request-id"] for answer in answers)
        assert first != second
        assert all(answer.headers["x-content-type-options"] == "nosniff" for answer in answers)

    def test_an_unknown_path_is_not_found_in_lines_words(self, line: httpx2.Client) -> None:
        assert line.get("/v2/bot/no/such/path").json() == {"message": "Not found"}


class TestTheBody:
    def test_two_megabytes_are_too_much(self, line: httpx2.Client) -> None:
        headers = {"content-type": "application/json"}
        over = line.post(PUSH, content=b" " * (2 * 1024 * 1024 + 1), headers=headers)
        assert over.status_code == 413
        assert line.post(PUSH, content=b" " * (2 * 1024 * 1024), headers=headers).status_code == 400

    @pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"to": "\\ud800"}', b'{"to": NaN}', b"\xff"])
    def test_something_that_is_no_json_object_is_refused(self, line: httpx2.Client, raw: bytes) -> None:
        answer = line.post(PUSH, content=raw, headers={"content-type": "application/json"})
        assert answer.status_code == 400
        assert "JSON" in answer.json()["message"]

    def test_json_without_a_bottom_is_refused(self, line: httpx2.Client, friend_id: str) -> None:
        deep = b"[" * 250 + b"]" * 250
        body = b'{"to":"' + friend_id.encode() + b'","messages":[{"type":"text","text":"x","more":' + deep + b"}]}"
        answer = line.post(PUSH, content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()) == (
            400,
            {"message": "The JSON in the request body is nested too deeply"},
        )

    def test_only_json_is_taken(self, line: httpx2.Client) -> None:
        answer = line.post(PUSH, content=b"{}", headers={"content-type": "text/plain"})
        assert (answer.status_code, answer.json()) == (
            415,
            {"message": "The content type, text/plain, is not supported"},
        )


class TestProfile:
    def test_a_friends_profile(self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson) -> None:
        user_id = friend("佐藤 太郎")["user_id"]
        body = line.get(f"/v2/bot/profile/{user_id}").json()
        picture = str(line.base_url.join(f"/_sandbox/pictures/{user_id}.svg"))
        assert body == {"userId": user_id, "displayName": "佐藤 太郎", "pictureUrl": picture, "language": "ja"}
        assert control.get(body["pictureUrl"]).headers["content-type"].startswith("image/svg+xml")

    def test_what_the_person_changed_is_seen(self, line: httpx2.Client, control: httpx2.Client, friend_id: str) -> None:
        change = {"display_name": "改名", "status_message": "元気です", "picture_url": "https://x.example/me.jpg"}
        control.patch(f"/_sandbox/users/{friend_id}", json=change).raise_for_status()
        body = line.get(f"/v2/bot/profile/{friend_id}").json()
        assert (body["displayName"], body["statusMessage"], body["pictureUrl"]) == tuple(change.values())

    def test_nobody_else_is_shown(
        self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson, stranger: MakePerson
    ) -> None:
        gone = friend()["user_id"]
        control.post(f"/_sandbox/users/{gone}/block").raise_for_status()
        for user_id in (gone, stranger()["user_id"], "U" + "0" * 32, "x"):
            answer = line.get(f"/v2/bot/profile/{user_id}")
            assert (answer.status_code, answer.json()) == (404, {"message": "Not found"})


class TestFollowers:
    def pages(self, line: httpx2.Client, limit: int) -> list[list[str]]:
        pages: list[list[str]] = []
        start: dict[str, str] = {}
        while True:
            body = line.get("/v2/bot/followers/ids", params={"limit": limit, **start}).json()
            pages.append(body["userIds"])
            if "next" not in body:
                return pages
            start = {"start": body["next"]}

    def test_all_friends_in_pages(self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson) -> None:
        people = [friend()["user_id"] for _ in range(5)]
        control.post(f"/_sandbox/users/{people[1]}/block").raise_for_status()
        pages = self.pages(line, 2)
        assert [len(page) for page in pages][:2] == [2, 2]
        assert [user_id for page in pages for user_id in page] == [people[0], *people[2:]]

    def test_by_default_three_hundred(self, line: httpx2.Client, control: httpx2.Client) -> None:
        control.post("/_sandbox/users/crowd", json={"count": 301})
        body = line.get("/v2/bot/followers/ids").json()
        assert (len(body["userIds"]), bool(body["next"])) == (300, True)

    @pytest.mark.parametrize(
        "query", [{"limit": "0"}, {"limit": "1001"}, {"limit": "x"}, {"limit": "9" * 5000}, {"start": "%%%"}]
    )
    def test_a_bad_page_is_refused(self, line: httpx2.Client, query: dict[str, str]) -> None:
        assert line.get("/v2/bot/followers/ids", params=query).status_code == 400

    def test_nobody(self, line: httpx2.Client) -> None:
        assert line.get("/v2/bot/followers/ids").json() == {"userIds": []}


class TestInfo:
    def test_the_account(self, line: httpx2.Client, control: httpx2.Client) -> None:
        body = line.get("/v2/bot/info").json()
        assert (body["displayName"], body["chatMode"]) == ("集い 公式", "bot")
        assert control.get(body["pictureUrl"]).status_code == 200
