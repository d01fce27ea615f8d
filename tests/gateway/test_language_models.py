"""Gemini and an OpenAI-compatible API over real HTTP: what goes out, what comes back, what the log keeps."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.factories.product import Box, settings_for
from tests.product_fixtures import sqlite_only
from tests.servers import serving
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.gemini import GeminiClient
from tsudoi.gateway.clients.language_models import ModelFailure, ModelQuestion, ModelText
from tsudoi.gateway.clients.openai import OpenAiClient
from tsudoi.gateway.http import HttpGateway
from tsudoi.gateway.models import ApiCallLog

pytestmark = sqlite_only
SOON = timedelta(seconds=5)
GEMINI_KEY, OPENAI_KEY = "gemini-key-of-the-sandbox-0000", "openai-key-of-the-sandbox-0000"
SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string", "enum": ["c001"]}},
    "required": ["id"],
    "additionalProperties": False,
}
QUESTION = ModelQuestion(
    "You choose.",
    {"title": "防災の会", "description": "", "people": [{"id": "c001", "groups": ["防災部会"]}]},
    SCHEMA,
    "candidates",
    500,
)
ANSWER = '{"candidates":[{"id":"c001","reason":"「防災部会」に関わる方で、今回の内容に関係があるためです。"}]}'

Client = GeminiClient | OpenAiClient
Maker = Callable[..., Client]


@pytest.fixture(params=["gemini", "openai"])
def api(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(api: str, gateway: HttpGateway, box: Box, tmp_path: Path) -> Maker:
    def client(url: str = box.url, **more: Any) -> Client:
        keys = {"gemini_api_key": GEMINI_KEY, "openai_api_key": OPENAI_KEY}
        bases = {"gemini_api_base": url, "openai_api_base": f"{url}/openai/v1"}
        settings = settings_for("http://127.0.0.1:1", tmp_path, box.url, **{**keys, **bases, **more})
        return (GeminiClient if api == "gemini" else OpenAiClient).of(settings, gateway)

    return client


@pytest.fixture
def rows(db: Database) -> Callable[[], list[dict[str, Any]]]:
    statement = select(ApiCallLog).order_by(ApiCallLog.id)
    return lambda: [dict(row) for row in db.read_now(lambda tx: tx.execute(statement).mappings().all())]


class TestAnswer:
    def test_the_text_of_a_good_answer(self, make: Maker, box: Box, api: str) -> None:
        assert make(gemini_model="g-1", openai_model="o-1").answer(QUESTION, SOON) == ModelText(ANSWER)
        asked = box.http.get("/_sandbox/models").json()["asked"]
        assert asked == [
            {
                "api": api,
                "model": f"{api[0]}-1",
                "instructions": "You choose.",
                "text": QUESTION.data_text,
                "schema": SCHEMA,
                "most_tokens": 500,
            }
        ]

    def test_what_goes_wrong_is_a_value(self, make: Maker, box: Box, api: str) -> None:
        cases = {
            "rate_limited": "429: ",
            "error_500_before": "500: ",
            "error_500_after": "500: ",
            "drop_connection": "no response: ",
        }
        for kind, reason in cases.items():
            box.breaks(kind, api)
            found = make().answer(QUESTION, SOON)
            assert isinstance(found, ModelFailure), kind
            assert found.reason.startswith(reason), (kind, found)
        box.mends()
        for mode in ("cut", "refused"):
            box.http.put("/_sandbox/models", json={"answer": mode}).raise_for_status()
            assert make().answer(QUESTION, SOON) == ModelFailure("unreadable response"), mode

    def test_it_is_asked_once_however_it_fails(self, make: Maker, box: Box, api: str) -> None:
        box.breaks("error_500_before", api)
        make().answer(QUESTION, SOON)
        assert len(box.http.get("/_sandbox/models").json()["asked"]) == 1

    def test_a_silent_model_ends_at_the_deadline(self, make: Maker, box: Box, api: str) -> None:
        box.breaks("timeout_before_accept", api)
        found = make().answer(QUESTION, timedelta(seconds=0.4))
        assert isinstance(found, ModelFailure)
        assert "Timeout" in found.reason

    def test_a_wrong_key_is_explained_without_showing_it(self, make: Maker, rows: Any) -> None:
        found = make(gemini_api_key="wrong-key", openai_api_key="wrong-key").answer(QUESTION, SOON)
        assert isinstance(found, ModelFailure)
        assert "key" in found.reason.lower()
        assert "wrong-key" not in f"{found} {rows()}"

    def test_a_key_that_cannot_stand_in_a_header_is_not_sent(self, make: Maker, box: Box) -> None:
        for key in ("", "two words", "line\r\nbreak", "鍵"):
            found = make(gemini_api_key=key, openai_api_key=key).answer(QUESTION, SOON)
            assert isinstance(found, ModelFailure), key
        assert box.http.get("/_sandbox/models").json()["asked"] == []

    def test_any_response_of_another_shape_is_a_failure(self, make: Maker) -> None:
        bodies: list[Any] = [
            *([], "text", {}, None, {"candidates": "x", "choices": {}}, {"candidates": [], "choices": []}),
            {"candidates": [1], "choices": [None]},
            {"candidates": [{"content": {"parts": [{}]}}], "choices": [{"message": {"content": 5}}]},
            {"candidates": [{"content": {"parts": ["x"]}}], "choices": [{"message": {"content": ""}}]},
        ]
        served = iter(bodies)

        async def odd(_request: Request) -> Response:
            return JSONResponse(next(served))

        everything = Route("/{path:path}", odd, methods=["POST"])
        with serving(Starlette(routes=[everything])) as url:
            for body in bodies:
                assert make(url).answer(QUESTION, SOON) == ModelFailure("unreadable response"), body

    def test_a_response_without_end_is_cut_off(self, make: Maker) -> None:
        async def endless(_request: Request) -> Response:
            return Response(b" " * 300_000, media_type="application/json")

        with serving(Starlette(routes=[Route("/{path:path}", endless, methods=["POST"])])) as url:
            assert make(url).answer(QUESTION, SOON) == ModelFailure("no response: ResponseTooLarge")


class TestCallLog:
    def test_it_keeps_lengths_and_no_text(self, make: Maker, api: str, rows: Any) -> None:
        make().answer(QUESTION, SOON)
        (row,) = rows()
        assert (row["target"], row["operation"], row["status_code"]) == (api, "suggest", 200)
        assert row["request_body"].endswith(" bytes)")
        assert row["response_body"].endswith(" bytes)")
        for word in ("防災", "c001", GEMINI_KEY, OPENAI_KEY):
            assert word not in str(row), word
