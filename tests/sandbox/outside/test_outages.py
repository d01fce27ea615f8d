"""Every way in which the new systems can go wrong, and that each tells it in its own words."""

import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.config import SandboxConfig

Client = httpx2.Client
SetFaults = Callable[..., None]
Requests = Callable[[str], list[dict[str, Any]]]
Call = Callable[[], httpx2.Response]


@pytest.fixture
def calls(
    stores: Client, chatwork: Client, twilio: Client, karaden: Client, openai: Client, line: Client
) -> dict[str, Call]:
    """One call to each system that is right in every way."""
    sms = {"To": "+819012345678", "From": "+15005550006", "Body": "x"}
    return {
        "stores": lambda: stores.get("/customers"),
        "chatwork": lambda: chatwork.post("/rooms/1/messages", data={"body": "x"}),
        "twilio": lambda: twilio.post("/Messages.json", data=sms),
        "karaden": lambda: karaden.post("/messages", data={"service_id": "1", "to": "09012345678", "body": "x"}),
        "openai": lambda: openai.get("/models"),
        "line": lambda: line.get("/v2/bot/info"),
    }


@pytest.fixture
def openai(calling: Callable[..., Client], config: SandboxConfig) -> Client:
    return calling("/openai/v1", authorization=f"Bearer {config.openai_api_key}")


def done(control: Client) -> tuple[int, int]:
    """How many messages ChatWork and the SMS providers have taken."""
    counts = control.get("/_sandbox/counts").json()
    return counts["chatwork"]["messages"], counts["sms"]["messages"]


class TestModels:
    def test_are_listed(self, openai: Client) -> None:
        listed = openai.get("/models").json()
        assert listed["object"] == "list"
        assert set(listed["data"][0]) == {"id", "object", "created", "owned_by"}

    def test_not_without_the_key(self, openai: Client) -> None:
        answer = openai.get("/models", headers={"authorization": "Bearer wrong"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "invalid_api_key")
        assert openai.get("/files").status_code == 404


class TestAnyStatus:
    def test_each_system_tells_it_in_its_own_shape(
        self, calls: dict[str, Call], set_faults: SetFaults, control: Client
    ) -> None:
        set_faults(*({"kind": "error_status", "endpoint": each, "status": 503, "retry_after": 7} for each in calls))
        answers = {system: call() for system, call in calls.items()}
        assert {answer.status_code for answer in answers.values()} == {503}
        assert {answer.headers["retry-after"] for answer in answers.values()} == {"7"}
        assert answers["stores"].json() == {"errors": [{"message": "Service Unavailable"}]}
        assert answers["chatwork"].json() == {"errors": ["Service Unavailable"]}
        assert answers["twilio"].json()["status"] == 503
        assert answers["karaden"].json()["object"] == "error"
        assert answers["openai"].json()["error"]["message"] == "Service Unavailable"
        assert answers["line"].json() == {"message": "Service Unavailable"}
        assert done(control) == (0, 0)

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 499, 500, 599])
    def test_whatever_it_is(self, stores: Client, set_faults: SetFaults, status: int) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores", "status": status})
        answer = stores.get("/customers")
        assert answer.status_code == status
        assert "retry-after" not in answer.headers

    def test_with_a_body_of_the_test(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores", "status": 500, "body": '{"mail":"canary@x.example"}'})
        assert stores.get("/customers").json() == {"mail": "canary@x.example"}

    def test_a_limit_may_say_how_long(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "rate_limited", "endpoint": "stores", "retry_after": 30})
        answer = stores.get("/customers")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")


class TestAnswersThatCannotBeRead:
    @pytest.mark.parametrize(
        ("kind", "content_type"), [("html_page", "text/html"), ("empty_body", ""), ("broken_json", "application/json")]
    )
    def test_the_work_is_done_and_the_answer_is_lost(
        self, calls: dict[str, Call], set_faults: SetFaults, control: Client, kind: str, content_type: str
    ) -> None:
        set_faults({"kind": kind})
        for system, call in calls.items():
            answer = call()
            assert answer.status_code == 200, system
            assert answer.headers.get("content-type", "").startswith(content_type), system
            with pytest.raises(ValueError, match=r"Expecting|Unterminated"):
                answer.json()
        assert done(control) == (1, 2)

    def test_a_page_with_an_error_has_done_nothing(
        self, calls: dict[str, Call], set_faults: SetFaults, control: Client
    ) -> None:
        set_faults({"kind": "html_page", "status": 502, "body": "<h1>Bad gateway</h1>"})
        for system, call in calls.items():
            assert (call().status_code, call().text) == (502, "<h1>Bad gateway</h1>"), system
        assert done(control) == (0, 0)

    def test_a_redirect_leads_to_where_it_is_seen(
        self, stores: Client, calls: dict[str, Call], set_faults: SetFaults, requests_to: Requests, control: Client
    ) -> None:
        set_faults({"kind": "redirect"})
        assert {call().status_code for call in calls.values()} == {302}
        assert (requests_to("elsewhere"), done(control)) == ([], (0, 0))
        stores.get("/customers", follow_redirects=True)
        assert [row["path"] for row in requests_to("elsewhere")] == ["/elsewhere"]
        set_faults({"kind": "redirect", "status": 307, "location": "https://stores.example/"})
        answer = stores.get("/customers")
        assert (answer.status_code, answer.headers["location"]) == (307, "https://stores.example/")


class TestSilence:
    def test_accepted_and_closed(self, calls: dict[str, Call], set_faults: SetFaults, control: Client) -> None:
        set_faults({"kind": "timeout_after_accept", "seconds": 0})
        for call in calls.values():
            with pytest.raises(httpx2.RemoteProtocolError):
                call()
        assert done(control) == (1, 2)

    @pytest.mark.parametrize("kind", ["drop_connection", "timeout_before_accept"])
    def test_closed_before_anything_was_done(
        self, calls: dict[str, Call], set_faults: SetFaults, control: Client, kind: str
    ) -> None:
        set_faults({"kind": kind, "seconds": 0})
        for call in calls.values():
            with pytest.raises(httpx2.RemoteProtocolError):
                call()
        assert done(control) == (0, 0)

    def test_a_caller_who_gives_up_is_listed_at_once(
        self, stores: Client, set_faults: SetFaults, requests_to: Requests
    ) -> None:
        set_faults({"kind": "timeout_before_accept", "endpoint": "stores"})
        with pytest.raises(httpx2.ReadTimeout):
            stores.get("/customers", timeout=0.3)
        assert [(row["path"], row["status"]) for row in requests_to("stores")] == [("/reserve/202101/customers", None)]

    def test_slow(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "slow", "endpoint": "stores", "seconds": 0.3})
        started = time.monotonic()
        assert stores.get("/customers").status_code == 200
        assert time.monotonic() - started >= 0.3

    def test_an_error_after_the_work(self, calls: dict[str, Call], set_faults: SetFaults, control: Client) -> None:
        set_faults({"kind": "error_500_after"})
        answers = {system: call() for system, call in calls.items()}
        assert {answer.status_code for answer in answers.values()} == {500}
        assert answers["chatwork"].json() == {"errors": ["Internal Server Error"]}
        assert done(control) == (1, 2)


class TestWhere:
    def test_a_group_is_one_system(self, calls: dict[str, Call], set_faults: SetFaults) -> None:
        groups = {"stores": {"stores"}, "chatwork": {"chatwork"}, "sms": {"twilio", "karaden"}, "twilio": {"twilio"}}
        for group, hit in {**groups, "karaden": {"karaden"}, "openai": {"openai"}, "line": {"line"}}.items():
            set_faults({"kind": "error_status", "endpoint": group})
            assert {system for system, call in calls.items() if call().status_code == 500} == hit, group

    def test_a_single_call(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores_customer"})
        assert [stores.get(path).status_code for path in ("/customers", "/customers/1001", "/reservations/50001")] == [
            200,
            500,
            200,
        ]

    def test_a_path(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores", "path": "/reserve/202101/*/1001"})
        assert [stores.get(f"/customers/{number}").status_code for number in (1001, 1002)] == [500, 200]

    def test_the_token_of_one_shop(self, stores: Client, set_faults: SetFaults, calling: Callable[..., Client]) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores", "token": "tok_1"})
        other = calling("/reserve/202101", authorization="Bearer tok_2")
        assert (stores.get("/customers").status_code, other.get("/customers").status_code) == (500, 200)

    def test_a_number_of_times(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores", "times": 2})
        assert [stores.get("/customers").status_code for _ in range(3)] == [500, 500, 200]

    def test_an_outage_comes_before_the_question_who_calls(self, stores: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "error_status", "endpoint": "stores", "status": 503})
        assert stores.get("/customers", headers={"authorization": "Bearer unknown"}).status_code == 503

    def test_stripe_has_none_of_the_new_kinds(self, control: Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "html_page", "endpoint": "*"})
        assert control.get("/v1/checkout/sessions/none").headers["content-type"] == "application/json"

    @pytest.mark.parametrize(
        "rule",
        [
            {"kind": "error_status", "status": 200},
            {"kind": "error_status", "status": 600},
            {"kind": "redirect", "status": 200},
            {"kind": "slow", "status": 500},
            {"kind": "error_status", "path": 1},
            {"kind": "error_status", "retry_after": -1},
        ],
    )
    def test_what_makes_no_sense_is_refused(self, control: Client, rule: dict[str, Any]) -> None:
        assert control.put("/_sandbox/faults", json={"rules": [rule]}).status_code == 400

    def test_a_rule_is_told_back_whole(self, control: Client) -> None:
        rule = {"kind": "error_status", "status": 418, "path": "/x*", "token": "t", "retry_after": 1, "body": "b"}
        [kept] = control.put("/_sandbox/faults", json={"rules": [rule]}).json()["rules"]
        assert {name: kept[name] for name in rule} == rule
        assert control.put("/_sandbox/faults", json={"rules": [kept]}).json()["rules"] == [kept]
