"""The list of requests: what the product really sent."""

from collections.abc import Callable
from typing import Any

import httpx2

from tsudoi.sandbox.received import KEPT, ReceivedRequests

Client = httpx2.Client
Requests = Callable[[str], list[dict[str, Any]]]


class TestTheList:
    def test_has_method_path_query_headers_and_status(self, stores: Client, requests_to: Requests) -> None:
        stores.get("/customers", params={"email": "User+a@Example.com", "page": 1}, headers={"X-Own": "1"})
        [row] = requests_to("stores")
        assert (row["method"], row["path"], row["status"]) == ("GET", "/reserve/202101/customers", 200)
        assert row["query"] == {"email": "User+a@Example.com", "page": "1"}
        assert row["query_string"] == "email=User%2Ba%40Example.com&page=1"
        assert (row["headers"]["authorization"], row["headers"]["x-own"]) == ("Bearer tok_1", "1")

    def test_has_the_body(self, chatwork: Client, requests_to: Requests) -> None:
        chatwork.post("/rooms/5/messages", data={"body": "abc"})
        chatwork.post("/rooms/5/messages", data={"body": "x" * 30_000})
        first, long = requests_to("chatwork")
        assert first["body"] == "body=abc"
        assert len(long["body"]) == 20_000

    def test_is_narrowed_by_system_and_number(self, control: Client, stores: Client, chatwork: Client) -> None:
        stores.get("/customers")
        chatwork.get("/me")
        stores.get("/reservations")
        everything = control.get("/_sandbox/requests").json()["requests"]
        assert [row["system"] for row in everything] == ["stores", "chatwork", "stores"]
        after = control.get("/_sandbox/requests", params={"after": everything[1]["n"]}).json()["requests"]
        assert [row["path"] for row in after] == ["/reserve/202101/reservations"]
        assert control.get("/_sandbox/requests", params={"system": "weather"}).status_code == 400

    def test_has_the_other_systems_and_nothing_else(self, control: Client, line: Client) -> None:
        line.get("/v2/bot/info")
        control.get("/v1/events")
        control.get("/v4/spreadsheets/S1")
        control.post("/v1beta/models/x:generateContent")
        control.post("/openai/v1/chat/completions")
        control.get("/mails")
        control.get("/_sandbox/state")
        rows = control.get("/_sandbox/requests").json()["requests"]
        assert [row["system"] for row in rows] == ["line", "stripe", "google", "gemini", "openai"]

    def test_is_cleared_for_one_system_or_all(self, control: Client, stores: Client, chatwork: Client) -> None:
        stores.get("/customers")
        chatwork.get("/me")
        control.delete("/_sandbox/requests", params={"system": "stores"}).raise_for_status()
        rows = control.get("/_sandbox/requests").json()["requests"]
        assert [(row["n"], row["system"]) for row in rows] == [(2, "chatwork")]
        control.delete("/_sandbox/requests").raise_for_status()
        assert control.get("/_sandbox/requests").json()["requests"] == []
        stores.get("/customers")
        assert [row["n"] for row in control.get("/_sandbox/requests").json()["requests"]] == [3]

    def test_does_not_grow_for_ever(self) -> None:
        received = ReceivedRequests()
        scope = {"path": "/v2/x", "method": "GET", "headers": [], "query_string": b""}
        for _ in range(KEPT + 1):
            received.add(scope, 0)
        assert len(received.listed(None, 0)) == KEPT
        assert received.counts()["line"] == KEPT + 1


class TestCounts:
    def test_of_everything(self, control: Client, stores: Client, chatwork: Client, twilio: Client) -> None:
        stores.get("/customers")
        chatwork.post("/rooms/5/messages", data={"body": "abc"})
        twilio.post("/Messages.json", data={"To": "+819012345678", "From": "+15005550006", "Body": "x"})
        counts = control.get("/_sandbox/counts").json()
        assert counts["requests"] | {"stores": 1, "chatwork": 1, "twilio": 1, "line": 0} == counts["requests"]
        assert counts["stores"] == {"customers": 32, "reservations": 48, "tokens": 2}
        assert (counts["chatwork"], counts["sms"]) == ({"rooms": 1, "messages": 1}, {"phones": 1, "messages": 1})
        assert counts["mails"] == 0
        control.delete("/_sandbox/requests", params={"system": "stores"}).raise_for_status()
        assert control.get("/_sandbox/counts").json()["requests"]["stores"] == 0

    def test_calls_are_in_the_list_of_the_phones_page_too(self, control: Client, stores: Client) -> None:
        stores.get("/customers", params={"email": "secret@example.com"})
        call = control.get("/_sandbox/calls").json()["calls"][-1]
        assert (call["path"], call["status"]) == ("/reserve/202101/customers", 200)
