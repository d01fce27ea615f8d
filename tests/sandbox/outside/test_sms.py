"""Both SMS providers of the sandbox."""

from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.config import SandboxConfig

Client = httpx2.Client
FORM = {"To": "+819012345678", "From": "+15005550006", "Body": "予約システムに障害が起きています"}


def send(twilio: Client, **changed: str) -> httpx2.Response:
    return twilio.post("/Messages.json", data={name: value for name, value in {**FORM, **changed}.items() if value})


def messages(control: Client, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = control.get("/_sandbox/sms", params=query).json()["messages"]
    return found


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


class TestTwilioSends:
    def test_and_answers_as_twilio(self, control: Client, twilio: Client, config: SandboxConfig) -> None:
        answer = send(twilio)
        assert answer.status_code == 201
        body = answer.json()
        assert body["sid"].startswith("SM")
        assert len(body["sid"]) == 34
        expected = {
            "account_sid": config.sms_account,
            "status": "queued",
            "to": FORM["To"],
            "from": FORM["From"],
            "body": FORM["Body"],
            "num_segments": "1",
            "num_media": "0",
            "direction": "outbound-api",
            "price": None,
            "error_code": None,
            "error_message": None,
            "api_version": "2010-04-01",
            "uri": f"/2010-04-01/Accounts/{config.sms_account}/Messages/{body['sid']}.json",
        }
        assert {name: body[name] for name in expected} == expected
        assert {"price_unit", "date_created", "subresource_uris"} <= set(body)
        [kept] = messages(control)
        assert (kept["id"], kept["provider"], kept["body"]) == (body["sid"], "twilio", FORM["Body"])

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"To": ""}, 21604),
            ({"To": "09012345678"}, 21211),
            ({"To": "+81"}, 21211),
            ({"To": "+819012"}, 21211),
            ({"To": "+81312345678"}, 21614),
            ({"To": "+819002345678"}, 21614),
            ({"From": ""}, 21603),
            ({"From": "!"}, 21212),
            ({"Body": ""}, 21602),
            ({"Body": "あ" * 1601}, 21617),
        ],
    )
    def test_nothing_when_a_field_is_wrong(
        self, control: Client, twilio: Client, changed: dict[str, str], code: int
    ) -> None:
        answer = send(twilio, **changed)
        assert answer.status_code == 400
        assert answer.json()["code"] == code
        assert answer.json()["more_info"] == f"https://www.twilio.com/docs/errors/{code}"
        assert (answer.json()["status"], messages(control)) == (400, [])

    def test_only_a_form(self, control: Client, twilio: Client) -> None:
        assert twilio.post("/Messages.json", json=FORM).json()["code"] == 21604
        assert messages(control) == []

    @pytest.mark.parametrize(
        ("body", "parts"),
        [("a" * 160, "1"), ("a" * 161, "2"), ("あ" * 70, "1"), ("あ" * 71, "2"), ("あ" * 135, "3"), ("😀" * 35, "1")],
    )
    def test_in_as_many_parts_as_the_text_needs(self, twilio: Client, body: str, parts: str) -> None:
        assert send(twilio, Body=body).json()["num_segments"] == parts

    def test_through_a_service_it_does_not_know_the_parts_yet(self, twilio: Client) -> None:
        body = send(twilio, From="", MessagingServiceSid="MG1").json()
        assert (body["status"], body["num_segments"], body["messaging_service_sid"]) == ("accepted", "0", "MG1")

    @pytest.mark.parametrize(("number", "status"), [("+15005550009", 201), ("+816012345678", 201)])
    def test_also_abroad_and_to_the_new_range(self, twilio: Client, number: str, status: int) -> None:
        assert send(twilio, To=number).status_code == status


class TestTwilioAccess:
    def test_wrong_credentials(self, twilio: Client, config: SandboxConfig) -> None:
        for auth in (("AC1", config.sms_token), (config.sms_account, "wrong")):
            answer = twilio.post("/Messages.json", data=FORM, auth=auth)
            assert (answer.status_code, answer.json()["code"], answer.json()["status"]) == (401, 20003, 401)
        for header in ("", "Basic !!!", "Bearer x"):
            answer = twilio.get("/Messages.json", headers={"authorization": header}, auth=None)
            assert answer.status_code == 401, header

    def test_another_account(self, twilio: Client, config: SandboxConfig) -> None:
        answer = twilio.get(f"{twilio.base_url}Messages.json".replace(config.sms_account, "AC1"))
        assert (answer.status_code, answer.json()["code"]) == (404, 20404)

    def test_the_account_is_shown_with_its_secret(self, twilio: Client, config: SandboxConfig) -> None:
        account = twilio.get(str(twilio.base_url).rstrip("/") + ".json").json()
        assert (account["sid"], account["status"]) == (config.sms_account, "active")
        assert account["auth_token"] == config.sms_token

    def test_what_does_not_exist(self, twilio: Client) -> None:
        for path in ("/Calls.json", "/Messages/SM1.json"):
            answer = twilio.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, 20404)


class TestTwilioLists:
    def test_what_was_sent_to_a_number_on_a_day(self, twilio: Client) -> None:
        sid = send(twilio).json()["sid"]
        send(twilio, To="+818011112222")
        found = twilio.get("/Messages.json", params={"To": FORM["To"], "DateSent": today()}).json()
        assert [(one["sid"], one["status"]) for one in found["messages"]] == [(sid, "delivered")]
        assert (found["page"], found["next_page_uri"]) == (0, None)
        assert twilio.get(f"/Messages/{sid}.json").json() == found["messages"][0]
        for query in ({"DateSent": "2020-01-01"}, {"DateSent<": "2020-01-01"}, {"DateSent>": "2999-01-01"}):
            assert twilio.get("/Messages.json", params={"To": FORM["To"], **query}).json()["messages"] == [], query
        assert len(twilio.get("/Messages.json", params={"DateSent>": today()}).json()["messages"]) == 2

    def test_in_pages_the_newest_first(self, twilio: Client) -> None:
        sids = [send(twilio, Body=str(number)).json()["sid"] for number in range(3)]
        first = twilio.get("/Messages.json", params={"PageSize": "2"}).json()
        assert [one["sid"] for one in first["messages"]] == [sids[2], sids[1]]
        second = twilio.get("/Messages.json", params={"PageSize": "2", "Page": "1"}).json()
        assert ([one["sid"] for one in second["messages"]], second["next_page_uri"]) == ([sids[0]], None)
        assert first["next_page_uri"].endswith("Messages.json?PageSize=2&Page=1")
        assert twilio.get("/Messages.json", params={"PageSize": "many"}).status_code == 400


class TestPhones:
    def test_one_that_refuses(self, control: Client, twilio: Client) -> None:
        control.put(f"/_sandbox/sms/phones/{FORM['To']}", json={"state": "opted_out"}).raise_for_status()
        assert send(twilio).json()["code"] == 21610
        assert messages(control) == []

    @pytest.mark.parametrize(
        ("state", "code", "result"), [("unreachable", 30003, "unconnected"), ("blocked", 30004, "error")]
    )
    def test_the_failure_is_reported_later(
        self, control: Client, twilio: Client, karaden: Client, state: str, code: int, result: str
    ) -> None:
        control.put(f"/_sandbox/sms/phones/{FORM['To']}", json={"state": state}).raise_for_status()
        taken = send(twilio).json()
        assert (taken["status"], taken["error_code"]) == ("queued", None)
        later = twilio.get(f"/Messages/{taken['sid']}.json").json()
        assert (later["status"], later["error_code"]) == ("undelivered", code)
        other = karaden.post("/messages", data={"service_id": "1", "to": "09012345678", "body": "x"}).json()
        assert karaden.get(f"/messages/{other['id']}").json()["sent_result"] == result

    @pytest.mark.parametrize(("number", "state"), [("09012345678", "blocked"), ("+819012345678", "asleep")])
    def test_what_makes_no_sense_is_refused(self, control: Client, number: str, state: str) -> None:
        assert control.put(f"/_sandbox/sms/phones/{number}", json={"state": state}).status_code == 400

    def test_messages_are_listed_by_phone_and_forgotten(self, control: Client, twilio: Client, karaden: Client) -> None:
        send(twilio)
        send(twilio, To="+818011112222")
        karaden.post("/messages", data={"service_id": "1", "to": "09012345678", "body": "国内"}).raise_for_status()
        assert [one["provider"] for one in messages(control, to="+819012345678")] == ["twilio", "karaden"]
        control.delete("/_sandbox/sms").raise_for_status()
        assert messages(control) == []


class TestKaraden:
    def test_sends_and_answers_as_karaden(self, karaden: Client) -> None:
        pairs = {"service_id": "7", "to": "09012345678", "body": "予約が確定しました", "tags[]": ["a", "b"]}
        answer = karaden.post("/messages", data=pairs)
        assert answer.status_code == 200
        body = answer.json()
        first = {"object": "message", "status": "waiting", "result": "processing", "sent_result": "none"}
        assert {name: body[name] for name in first} == first
        assert (body["to"], body["tags"], body["charged_count_per_sent"]) == ("09012345678", ["a", "b"], 1)
        [listed] = karaden.get("/messages").json()["data"]
        assert listed == karaden.get(f"/messages/{body['id']}").json()
        assert (listed["status"], listed["result"], listed["sent_result"]) == ("done", "done", "received")

    @pytest.mark.parametrize(
        ("changed", "field"),
        [
            ({"to": "+819012345678"}, "to"),
            ({"to": "090-1234-5678"}, "to"),
            ({"to": "0312345678"}, "to"),
            ({"to": ""}, "to"),
            ({"body": ""}, "body"),
            ({"body": "あ" * 661}, "body"),
            ({"service_id": "x"}, "service_id"),
        ],
    )
    def test_nothing_when_a_field_is_wrong(
        self, control: Client, karaden: Client, changed: dict[str, str], field: str
    ) -> None:
        answer = karaden.post("/messages", data={"service_id": "7", "to": "09012345678", "body": "x", **changed})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [field])
        assert (answer.json()["object"], messages(control)) == ("error", [])

    def test_who_may_call(self, karaden: Client, config: SandboxConfig) -> None:
        for headers, status in (
            ({"authorization": "Bearer wrong"}, 401),
            ({"authorization": ""}, 401),
            ({"karaden-version": "1999-01-01"}, 400),
        ):
            answer = karaden.get("/messages", headers=headers)
            assert (answer.status_code, answer.json()["object"]) == (status, "error"), headers
        assert karaden.get(f"{karaden.base_url}messages".replace(config.sms_account, "other")).status_code == 404
        assert karaden.get("/messages/none").status_code == 404

    def test_the_list_is_narrowed_and_has_pages(self, karaden: Client) -> None:
        for number in range(3):
            data = {"service_id": "7", "to": f"0901234567{number}", "body": "x", "tags[]": f"t{number}"}
            karaden.post("/messages", data=data).raise_for_status()
        assert [one["to"] for one in karaden.get("/messages?to=09012345671").json()["data"]] == ["09012345671"]
        assert [one["tags"] for one in karaden.get("/messages?tag=t2").json()["data"]] == [["t2"]]
        page = karaden.get("/messages?per_page=2").json()
        assert (page["object"], len(page["data"]), page["has_more"]) == ("list", 2, True)
        assert karaden.get("/messages?per_page=2&page=1").json()["has_more"] is False
        assert karaden.get("/messages?page=x").status_code == 400
