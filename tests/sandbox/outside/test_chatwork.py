from typing import Any

import httpx2
import pytest

Client = httpx2.Client
ROOM = "/rooms/123/messages"


def post(chatwork: Client, body: str = "こんにちは", room: int = 123, **more: str) -> httpx2.Response:
    return chatwork.post(f"/rooms/{room}/messages", data={"body": body, **more})


def texts(control: Client, room: int = 123) -> list[str]:
    answer = control.get(f"/_sandbox/chatwork/rooms/{room}")
    return [] if answer.status_code == 404 else [message["body"] for message in answer.json()["messages"]]


class TestMe:
    def test_has_the_fields_of_chatwork(self, chatwork: Client) -> None:
        me = chatwork.get("/me").json()
        assert set(me) == {
            *("account_id", "room_id", "name", "chatwork_id", "organization_id", "organization_name", "department"),
            *("title", "url", "introduction", "mail", "tel_organization", "tel_extension", "tel_mobile", "skype"),
            *("facebook", "twitter", "avatar_image_url", "login_mail"),
        }
        assert isinstance(me["account_id"], int)

    @pytest.mark.parametrize("token", ["", "wrong"])
    def test_a_wrong_token(self, chatwork: Client, token: str) -> None:
        answer = chatwork.get("/me", headers={"x-chatworktoken": token})
        assert (answer.status_code, answer.json()) == (401, {"errors": ["Invalid API token"]})

    def test_what_does_not_exist(self, chatwork: Client) -> None:
        answer = chatwork.get("/contacts")
        assert (answer.status_code, list(answer.json())) == (404, ["errors"])


class TestPosting:
    def test_a_message_is_in_the_room(self, control: Client, chatwork: Client) -> None:
        answer = post(chatwork, "[info]障害[/info]\n二行目", self_unread="1")
        assert answer.status_code == 200
        message_id = answer.json()["message_id"]
        assert isinstance(message_id, str)
        [kept] = control.get("/_sandbox/chatwork/rooms/123").json()["messages"]
        assert (kept["message_id"], kept["self_unread"]) == (message_id, True)
        assert kept["body"] == "[info]障害[/info]\n二行目"

    def test_only_as_a_form(self, control: Client, chatwork: Client) -> None:
        assert chatwork.post(ROOM, json={"body": "x"}).status_code == 400
        assert texts(control) == []

    def test_as_long_as_chatwork_takes(self, control: Client, chatwork: Client) -> None:
        assert post(chatwork, "あ" * 65_535).status_code == 200
        for body in ("", "あ" * 65_536):
            answer = post(chatwork, body)
            assert (answer.status_code, list(answer.json())) == (400, ["errors"])
        assert post(chatwork, self_unread="2").status_code == 400
        assert [len(text) for text in texts(control)] == [65_535]

    @pytest.mark.parametrize(("access", "status"), [("not_member", 403), ("gone", 404)])
    def test_into_a_room_that_cannot_be_used(self, control: Client, chatwork: Client, access: str, status: int) -> None:
        control.put("/_sandbox/chatwork/rooms/123", json={"access": access}).raise_for_status()
        assert post(chatwork).status_code == status
        assert chatwork.get(ROOM).status_code == status
        assert texts(control) == []

    def test_into_no_room(self, chatwork: Client) -> None:
        assert chatwork.post("/rooms/abc/messages", data={"body": "x"}).status_code == 400


class TestReading:
    def test_an_empty_list_has_no_body(self, chatwork: Client) -> None:
        answer = chatwork.get(ROOM, params={"force": "1"})
        assert (answer.status_code, answer.content) == (204, b"")

    def test_force_gives_the_newest_hundred_in_their_order(self, control: Client, chatwork: Client) -> None:
        control.put("/_sandbox/chatwork/behaviour", json={"rate_limits": False}).raise_for_status()
        for number in range(103):
            post(chatwork, f"{number}")
        for _ in range(2):
            found = chatwork.get(ROOM, params={"force": "1"}).json()
            assert [message["body"] for message in found] == [str(number) for number in range(3, 103)]
        assert set(found[0]) == {"message_id", "account", "body", "send_time", "update_time"}
        assert set(found[0]["account"]) == {"account_id", "name", "avatar_image_url"}

    def test_without_force_only_what_is_new(self, chatwork: Client) -> None:
        post(chatwork, "一")
        assert [message["body"] for message in chatwork.get(ROOM).json()] == ["一"]
        assert chatwork.get(ROOM).status_code == 204
        post(chatwork, "二")
        assert [message["body"] for message in chatwork.get(ROOM).json()] == ["二"]


class TestLimits:
    def test_ten_posts_in_ten_seconds_for_each_room(self, control: Client, chatwork: Client) -> None:
        assert {post(chatwork).status_code for _ in range(10)} == {200}
        refused = post(chatwork)
        assert (refused.status_code, refused.json()) == (
            429,
            {"errors": ["Rate limit for message posting per room exceeded."]},
        )
        assert post(chatwork, room=124).status_code == 200
        control.post("/_sandbox/clock", json={"advance_seconds": 11}).raise_for_status()
        assert post(chatwork).status_code == 200
        assert len(texts(control)) == 11

    def test_the_headers_count_down(self, chatwork: Client) -> None:
        first, second = (chatwork.get("/me").headers for _ in range(2))
        assert first["x-ratelimit-limit"] == "300"
        assert int(first["x-ratelimit-remaining"]) - int(second["x-ratelimit-remaining"]) == 1
        assert first["x-ratelimit-reset"] == second["x-ratelimit-reset"]

    def test_three_hundred_calls_in_five_minutes(self, control: Client, chatwork: Client) -> None:
        assert {chatwork.get("/me").status_code for _ in range(300)} == {200}
        assert chatwork.get("/me").status_code == 429
        control.post("/_sandbox/clock", json={"advance_seconds": 301}).raise_for_status()
        assert chatwork.get("/me").status_code == 200

    def test_can_be_switched_off(self, control: Client, chatwork: Client) -> None:
        control.put("/_sandbox/chatwork/behaviour", json={"rate_limits": False}).raise_for_status()
        assert {post(chatwork).status_code for _ in range(12)} == {200}


class TestSteering:
    def test_rooms_are_named_shown_and_deleted(self, control: Client, chatwork: Client) -> None:
        post(chatwork, "先に届いた")
        room = control.put("/_sandbox/chatwork/rooms/123", json={"name": "本部 障害通知"}).json()
        assert (room["name"], [message["body"] for message in room["messages"]]) == ("本部 障害通知", ["先に届いた"])
        assert [one["room_id"] for one in control.get("/_sandbox/chatwork").json()["rooms"]] == [123]
        control.delete("/_sandbox/chatwork/rooms/123").raise_for_status()
        assert control.get("/_sandbox/chatwork/rooms/123").status_code == 404
        post(chatwork)
        control.delete("/_sandbox/chatwork").raise_for_status()
        assert control.get("/_sandbox/chatwork").json()["rooms"] == []

    @pytest.mark.parametrize(("room", "body"), [("abc", {}), ("1", {"access": "owner"}), ("1", {"name": 1})])
    def test_what_makes_no_sense_is_refused(self, control: Client, room: str, body: dict[str, Any]) -> None:
        assert control.put(f"/_sandbox/chatwork/rooms/{room}", json=body).status_code == 400
        assert control.get("/_sandbox/chatwork").json()["rooms"] == []
