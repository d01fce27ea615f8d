"""Gemini and an OpenAI-compatible API as the sandbox plays them."""

from typing import Any

import httpx2
import orjson
import pytest

KEYS = {"x-goog-api-key": "gemini-key-of-the-sandbox-0000", "authorization": "Bearer openai-key-of-the-sandbox-0000"}
GEMINI, OPENAI = "/v1beta/models/gemini-x:generateContent", "/openai/v1/chat/completions"
PEOPLE = [
    {"id": "c001", "groups": ["広報部会"], "invited_before": 9},
    {"id": "c002", "groups": ["防災部会"], "invited_before": 0},
    {"id": "c003", "department": "総務課", "invited_before": 3},
    {"id": "c004", "named_in_text": True, "invited_before": 0},
]
DATA = {"title": "防災訓練の相談", "description": "総務からも一人", "people": PEOPLE}


def schema() -> dict[str, Any]:
    person = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": [one["id"] for one in PEOPLE]},
            "reason": {"type": "string"},
        },
        "required": ["id", "reason"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"candidates": {"type": "array", "items": person}},
        "required": ["candidates"],
        "additionalProperties": False,
    }


def gemini_body(text: str | None = None) -> dict[str, Any]:
    return {
        "contents": [{"role": "user", "parts": [{"text": orjson.dumps(DATA).decode() if text is None else text}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema()},
    }


def openai_body(**more: Any) -> dict[str, Any]:
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema(), "strict": True}}
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": orjson.dumps(DATA).decode()}]
    return {"model": "m", "messages": messages, "response_format": form, **more}


def written(control: httpx2.Client) -> tuple[str, str]:
    """What both of them write."""
    one = control.post(GEMINI, json=gemini_body(), headers=KEYS).raise_for_status().json()
    other = control.post(OPENAI, json=openai_body(), headers=KEYS).raise_for_status().json()
    return one["candidates"][0]["content"]["parts"][0]["text"], other["choices"][0]["message"]["content"]


def behave(control: httpx2.Client, **how: Any) -> None:
    control.put("/_sandbox/models", json=how).raise_for_status()


class TestMatching:
    def test_both_choose_by_the_words_of_the_facts(self, control: httpx2.Client) -> None:
        one, other = written(control)
        assert one == other
        assert [person["id"] for person in orjson.loads(one)["candidates"]] == ["c004", "c003", "c002"]

    def test_data_of_another_shape_leads_to_nobody(self, control: httpx2.Client) -> None:
        for text in ("no JSON", "{}", '{"title":1,"description":2,"people":[3]}'):
            answer = control.post(GEMINI, json=gemini_body(text), headers=KEYS).raise_for_status().json()
            assert answer["candidates"][0]["content"]["parts"][0]["text"] == '{"candidates":[]}', text


class TestSteering:
    @pytest.mark.parametrize(
        ("mode", "expected"),
        [
            ("empty", '{"candidates":[]}'),
            ("junk", "もちろんです"),
            ("unknown_id", "c999"),
            ("stranger", "stranger@example.net"),
        ],
    )
    def test_they_answer_as_they_are_told(self, control: httpx2.Client, mode: str, expected: str) -> None:
        behave(control, answer=mode)
        assert all(expected in text for text in written(control))

    def test_any_text(self, control: httpx2.Client) -> None:
        behave(control, answer="text", text="anything")
        assert written(control) == ("anything", "anything")
        assert control.put("/_sandbox/models", json={"answer": "sing"}).status_code == 400

    def test_an_answer_that_was_cut_or_refused_says_so(self, control: httpx2.Client) -> None:
        behave(control, answer="cut")
        one = control.post(GEMINI, json=gemini_body(), headers=KEYS).json()
        other = control.post(OPENAI, json=openai_body(), headers=KEYS).json()
        assert (one["candidates"][0]["finishReason"], other["choices"][0]["finish_reason"]) == ("MAX_TOKENS", "length")
        behave(control, answer="refused")
        assert "candidates" not in control.post(GEMINI, json=gemini_body(), headers=KEYS).json()
        refused = control.post(OPENAI, json=openai_body(), headers=KEYS).json()["choices"][0]["message"]
        assert refused["content"] is None
        assert refused["refusal"]

    def test_a_held_answer_comes_when_it_is_released(self, control: httpx2.Client) -> None:
        behave(control, hold=True)
        with pytest.raises(httpx2.ReadTimeout):
            control.post(GEMINI, json=gemini_body(), headers=KEYS, timeout=0.3)
        assert len(control.get("/_sandbox/models").json()["asked"]) == 1
        behave(control)
        assert control.post(GEMINI, json=gemini_body(), headers=KEYS).status_code == 200

    def test_calls_are_listed_with_what_was_asked(self, control: httpx2.Client) -> None:
        written(control)
        found = control.get("/_sandbox/models").json()
        assert [one["api"] for one in found["asked"]] == ["gemini", "openai"]
        paths = [call["path"] for call in control.get("/_sandbox/calls").json()["calls"]]
        assert {GEMINI, OPENAI} <= set(paths)


class TestRefusals:
    def test_in_the_shape_of_each_api(self, control: httpx2.Client) -> None:
        one, other = control.post(GEMINI, json=gemini_body()), control.post(OPENAI, json=openai_body())
        assert (one.status_code, one.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")
        assert (other.status_code, other.json()["error"]["code"]) == (401, "invalid_api_key")
        for kind, status, name, of_openai in (
            ("rate_limited", 429, "RESOURCE_EXHAUSTED", "rate_limit_error"),
            ("error_500_before", 500, "INTERNAL", "server_error"),
            ("error_500_after", 500, "INTERNAL", "server_error"),
        ):
            rules = [{"kind": kind, "endpoint": api} for api in ("gemini", "openai")]
            control.put("/_sandbox/faults", json={"rules": rules}).raise_for_status()
            one = control.post(GEMINI, json=gemini_body(), headers=KEYS)
            other = control.post(OPENAI, json=openai_body(), headers=KEYS)
            assert (one.status_code, one.json()["error"]["status"]) == (status, name)
            assert (other.status_code, other.json()["error"]["type"]) == (status, of_openai)

    def test_what_the_real_ones_refuse(self, control: httpx2.Client) -> None:
        plain = gemini_body()
        plain["generationConfig"]["responseMimeType"] = "text/plain"
        open_schema, long_text, part = openai_body(), openai_body(), openai_body()
        del open_schema["response_format"]["json_schema"]["schema"]["additionalProperties"]
        items = long_text["response_format"]["json_schema"]["schema"]["properties"]["candidates"]["items"]
        items["properties"]["reason"]["maxLength"] = 80
        part["response_format"]["json_schema"]["schema"]["required"] = []
        cases = [(GEMINI, plain), (GEMINI, {}), (OPENAI, open_schema), (OPENAI, long_text), (OPENAI, part)]
        for path, body in [*cases, (OPENAI, {"model": "m"}), (OPENAI, [])]:
            assert control.post(path, json=body, headers=KEYS).status_code == 400, body

    def test_a_fault_of_line_does_not_reach_the_models(self, control: httpx2.Client) -> None:
        control.put("/_sandbox/faults", json={"rules": [{"kind": "error_500_before", "endpoint": "line"}]})
        assert control.post(GEMINI, json=gemini_body(), headers=KEYS).status_code == 200
