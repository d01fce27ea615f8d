from collections.abc import Callable
from typing import Any

import httpx2

HELLO = {"type": "text", "text": "こんにちは"}
UNKNOWN_ID = "U" + "0" * 32
PATH = "/v2/bot/message"
Chat = Callable[[str], list[dict[str, Any]]]
MakePerson = Callable[..., dict[str, Any]]


def block(control: httpx2.Client, user_id: str) -> None:
    control.post(f"/_sandbox/users/{user_id}/block").raise_for_status()


def usage(line: httpx2.Client) -> int:
    return int(line.get(f"{PATH}/quota/consumption").json()["totalUsage"])


class TestPush:
    def test_the_message_is_in_the_chat_under_the_id_that_was_answered(
        self, line: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        answer = line.post(f"{PATH}/push", json={"to": friend_id, "messages": [HELLO, HELLO]})
        assert answer.status_code == 200
        sent = answer.json()["sentMessages"]
        assert [message["id"] for message in sent] == [message["id"] for message in chat(friend_id)]
        assert all(message["id"].isdigit() and message["quoteToken"] for message in sent)
        assert [(entry["from"], entry["read"], entry["message"]) for entry in chat(friend_id)] == [
            ("account", False, HELLO),
            ("account", False, HELLO),
        ]

    def test_several_messages_to_one_person_count_once(self, line: httpx2.Client, friend_id: str) -> None:
        line.post(f"{PATH}/push", json={"to": friend_id, "messages": [HELLO] * 5})
        assert usage(line) == 1

    def test_a_message_that_cannot_be_quoted_has_no_quote_token(self, line: httpx2.Client, friend_id: str) -> None:
        place = {"type": "location", "title": "会館", "address": "東京都", "latitude": 35.0, "longitude": 139.0}
        [sent] = line.post(f"{PATH}/push", json={"to": friend_id, "messages": [place]}).json()["sentMessages"]
        assert set(sent) == {"id"}

    def test_to_somebody_who_blocked_it_is_accepted_and_reaches_nobody(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        block(control, friend_id)
        answer = line.post(f"{PATH}/push", json={"to": friend_id, "messages": [HELLO]})
        assert (answer.status_code, len(answer.json()["sentMessages"])) == (200, 1)
        assert chat(friend_id) == []
        assert usage(line) == 0
        [delivery] = control.get("/_sandbox/deliveries").json()["deliveries"]
        assert delivery["delivered"] is False

    def test_to_somebody_who_is_no_friend_is_accepted_and_reaches_nobody(
        self, line: httpx2.Client, stranger: MakePerson, chat: Chat
    ) -> None:
        user_id = stranger()["user_id"]
        assert line.post(f"{PATH}/push", json={"to": user_id, "messages": [HELLO]}).status_code == 200
        assert chat(user_id) == []

    def test_to_an_unknown_id_is_refused(self, line: httpx2.Client) -> None:
        answer = line.post(f"{PATH}/push", json={"to": UNKNOWN_ID, "messages": [HELLO]})
        assert (answer.status_code, answer.json()) == (400, {"message": "Failed to send messages"})

    def test_to_something_that_is_no_id_is_refused(self, line: httpx2.Client) -> None:
        answer = line.post(f"{PATH}/push", json={"to": "yamada", "messages": [HELLO]})
        assert answer.status_code == 400
        assert answer.json()["message"].startswith("The property, 'to', in the request body is invalid")

    def test_every_mistake_in_the_body_is_named(self, line: httpx2.Client, friend_id: str) -> None:
        messages = [{"type": "text", "text": ""}, {"type": "carrier-pigeon"}]
        answer = line.post(f"{PATH}/push", json={"to": friend_id, "messages": messages})
        assert answer.status_code == 400
        assert answer.json()["message"] == "The request body has 2 error(s)"
        first, second = answer.json()["details"]
        assert first == {"message": "May not be empty", "property": "messages[0].text"}
        assert second["property"] == "messages[1].type"
        assert second["message"].startswith("Must be one of the following values: [text, ")


class TestMulticast:
    def test_everybody_named_gets_it_once(self, line: httpx2.Client, friend: MakePerson, chat: Chat) -> None:
        people = [friend(f"会員{n}")["user_id"] for n in range(3)]
        answer = line.post(f"{PATH}/multicast", json={"to": people[:2], "messages": [HELLO]})
        assert (answer.status_code, answer.json()) == (200, {})
        assert [len(chat(user_id)) for user_id in people] == [1, 1, 0]
        assert usage(line) == 2

    def test_five_hundred_are_taken_and_one_more_is_not(self, line: httpx2.Client, control: httpx2.Client) -> None:
        crowd = control.post("/_sandbox/users/crowd", json={"count": 501}).json()["user_ids"]
        assert line.post(f"{PATH}/multicast", json={"to": crowd[:500], "messages": [HELLO]}).status_code == 200
        answer = line.post(f"{PATH}/multicast", json={"to": crowd, "messages": [HELLO]})
        assert answer.status_code == 400
        assert answer.json()["details"] == [{"message": "Size must be between 1 and 500", "property": "to"}]
        assert control.get("/_sandbox/deliveries/summary").json()["total"] == 500

    def test_nobody_named_is_refused(self, line: httpx2.Client) -> None:
        assert line.post(f"{PATH}/multicast", json={"to": [], "messages": [HELLO]}).status_code == 400

    def test_a_blocked_friend_is_passed_over(
        self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson, chat: Chat
    ) -> None:
        stays, leaves = friend()["user_id"], friend()["user_id"]
        block(control, leaves)
        answer = line.post(f"{PATH}/multicast", json={"to": [stays, leaves], "messages": [HELLO]})
        assert answer.status_code == 200
        assert (len(chat(stays)), len(chat(leaves)), usage(line)) == (1, 0, 1)

    def test_an_unknown_id_is_passed_over_by_default(self, line: httpx2.Client, friend_id: str, chat: Chat) -> None:
        answer = line.post(f"{PATH}/multicast", json={"to": [friend_id, UNKNOWN_ID], "messages": [HELLO]})
        assert answer.status_code == 200
        assert len(chat(friend_id)) == 1

    def test_an_unknown_id_can_refuse_the_whole(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        control.put("/_sandbox/behaviour", json={"multicast_unknown_id": "reject"}).raise_for_status()
        answer = line.post(f"{PATH}/multicast", json={"to": [friend_id, UNKNOWN_ID], "messages": [HELLO]})
        assert answer.status_code == 400
        assert chat(friend_id) == []

    def test_something_that_is_no_user_id_refuses_the_whole(
        self, line: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        answer = line.post(f"{PATH}/multicast", json={"to": [friend_id, "C" + "0" * 32], "messages": [HELLO]})
        assert answer.status_code == 400
        assert chat(friend_id) == []


class TestBroadcast:
    def test_every_friend_gets_it_and_nobody_else(
        self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson, stranger: MakePerson, chat: Chat
    ) -> None:
        friends = [friend()["user_id"] for _ in range(2)]
        gone, other = friend()["user_id"], stranger()["user_id"]
        block(control, gone)
        answer = line.post(f"{PATH}/broadcast", json={"messages": [HELLO]})
        assert (answer.status_code, answer.json()) == (200, {})
        assert [len(chat(user_id)) for user_id in (*friends, gone, other)] == [1, 1, 0, 0]
        assert usage(line) == 2


class TestReply:
    def token(self, control: httpx2.Client, user_id: str) -> str:
        control.post(f"/_sandbox/users/{user_id}/messages", json={"text": "行きます"}).raise_for_status()
        return str(control.get("/_sandbox/webhooks").json()["webhooks"][-1]["event"]["replyToken"])

    def test_it_answers_the_person_for_free(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        body = {"replyToken": self.token(control, friend_id), "messages": [HELLO]}
        answer = line.post(f"{PATH}/reply", json=body)
        assert answer.status_code == 200
        assert [entry["from"] for entry in chat(friend_id)] == ["user", "account"]
        assert answer.json()["sentMessages"][0]["id"] == chat(friend_id)[1]["id"]
        assert usage(line) == 0

    def test_a_token_is_good_once(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        body = {"replyToken": self.token(control, friend_id), "messages": [HELLO]}
        line.post(f"{PATH}/reply", json=body).raise_for_status()
        answer = line.post(f"{PATH}/reply", json=body)
        assert (answer.status_code, answer.json()) == (400, {"message": "Invalid reply token"})
        assert len(chat(friend_id)) == 2

    def test_a_token_lives_for_a_minute(self, line: httpx2.Client, control: httpx2.Client, friend_id: str) -> None:
        early, late = self.token(control, friend_id), self.token(control, friend_id)
        control.post("/_sandbox/clock", json={"advance_seconds": 55})
        assert line.post(f"{PATH}/reply", json={"replyToken": early, "messages": [HELLO]}).status_code == 200
        control.post("/_sandbox/clock", json={"advance_seconds": 10})
        answer = line.post(f"{PATH}/reply", json={"replyToken": late, "messages": [HELLO]})
        assert (answer.status_code, answer.json()) == (400, {"message": "Invalid reply token"})

    def test_a_bad_message_does_not_use_up_the_token(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str
    ) -> None:
        token = self.token(control, friend_id)
        assert line.post(f"{PATH}/reply", json={"replyToken": token, "messages": []}).status_code == 400
        assert line.post(f"{PATH}/reply", json={"replyToken": token, "messages": [HELLO]}).status_code == 200

    def test_an_invented_token_is_refused(self, line: httpx2.Client) -> None:
        answer = line.post(f"{PATH}/reply", json={"replyToken": "x", "messages": [HELLO]})
        assert (answer.status_code, answer.json()) == (400, {"message": "Invalid reply token"})


class TestValidate:
    def test_each_kind_of_sending_has_its_dry_run(self, line: httpx2.Client, control: httpx2.Client) -> None:
        for kind in ("push", "multicast", "reply", "broadcast", "narrowcast"):
            good = line.post(f"{PATH}/validate/{kind}", json={"messages": [HELLO]})
            assert (good.status_code, good.json()) == (200, {})
            bad = line.post(f"{PATH}/validate/{kind}", json={"messages": [{"type": "text"}]})
            assert bad.json()["details"][0]["property"] == "messages[0].text"
        assert control.get("/_sandbox/deliveries/summary").json()["total"] == 0


class TestQuota:
    def test_without_a_limit(self, line: httpx2.Client) -> None:
        assert line.get(f"{PATH}/quota").json() == {"type": "none"}

    def test_the_last_message_goes_and_the_next_is_refused(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, chat: Chat
    ) -> None:
        control.put("/_sandbox/quota", json={"type": "limited", "value": 500, "total_usage": 499}).raise_for_status()
        assert line.get(f"{PATH}/quota").json() == {"type": "limited", "value": 500}
        push = {"to": friend_id, "messages": [HELLO]}
        assert line.post(f"{PATH}/push", json=push).status_code == 200
        answer = line.post(f"{PATH}/push", json=push)
        assert (answer.status_code, answer.json()) == (429, {"message": "You have reached your monthly limit."})
        assert (len(chat(friend_id)), usage(line)) == (1, 500)

    def test_a_multicast_that_does_not_fit_reaches_nobody(
        self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson, chat: Chat
    ) -> None:
        people = [friend()["user_id"] for _ in range(3)]
        control.put("/_sandbox/quota", json={"type": "limited", "value": 2})
        answer = line.post(f"{PATH}/multicast", json={"to": people, "messages": [HELLO]})
        assert answer.status_code == 429
        assert [chat(user_id) for user_id in people] == [[], [], []]
        assert usage(line) == 0

    def test_a_new_month_starts_at_zero(self, line: httpx2.Client, control: httpx2.Client, friend_id: str) -> None:
        control.put("/_sandbox/quota", json={"type": "limited", "value": 1, "total_usage": 1})
        push = {"to": friend_id, "messages": [HELLO]}
        assert line.post(f"{PATH}/push", json=push).status_code == 429
        control.post("/_sandbox/clock", json={"advance_seconds": 32 * 86400})
        assert line.post(f"{PATH}/push", json=push).status_code == 200
