"""An OpenAI-compatible API: chat completions with a strict JSON schema."""

from typing import Any

from starlette.requests import Request

from tsudoi.sandbox.language_models import AnswerMode, AskedQuestion
from tsudoi.sandbox.model_api.endpoint import ModelEndpoint, ModelRefusal, WrittenAnswer, inside, text_of

_TYPES = {429: "rate_limit_error", 500: "server_error"}
_UNSUPPORTED = ("minLength", "maxLength")


def _read(_request: Request, body: dict[str, Any]) -> AskedQuestion:
    asked = inside(body, "response_format", "json_schema") or {}
    found = asked.get("schema")
    schema = found if isinstance(found, dict) else {}
    if asked.get("strict"):
        _require_strict(schema)
    return AskedQuestion(
        api="openai",
        model=text_of(body.get("model"), "model"),
        instructions=str(inside(body, "messages", 0, "content") or ""),
        text=text_of(inside(body, "messages", 1, "content"), "messages[1].content"),
        schema=schema,
        most_tokens=body.get("max_completion_tokens"),
    )


def _require_strict(schema: Any) -> None:
    """Strict means that every object names all its properties, and that some keywords are refused."""
    if isinstance(schema, list):
        for entry in schema:
            _require_strict(entry)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if isinstance(properties, dict) and schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            raise _wrong_schema("'additionalProperties' is required to be supplied and to be false")
        if sorted(schema.get("required", [])) != sorted(properties):
            raise _wrong_schema("'required' is required to be an array including every key in properties")
    for word in _UNSUPPORTED:
        if word in schema:
            raise _wrong_schema(f"'{word}' is not permitted")
    for entry in schema.values():
        _require_strict(entry)


def _wrong_schema(what: str) -> ModelRefusal:
    return ModelRefusal(400, f"Invalid schema for response_format: In context=(), {what}.", "invalid_json_schema")


def _answer(written: WrittenAnswer) -> dict[str, Any]:
    prompt, completion = len(written.question.text) // 3, len(written.shown) // 3
    message: dict[str, Any] = {"role": "assistant", "content": written.shown, "refusal": None}
    if written.mode is AnswerMode.REFUSED:
        message |= {"content": None, "refusal": "I'm sorry, I cannot assist with that request."}
    reason = "length" if written.mode is AnswerMode.CUT else "stop"
    return {
        "id": f"chatcmpl-sandbox{written.number}",
        "object": "chat.completion",
        "created": written.at,
        "model": written.question.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
    }


def _error(refusal: ModelRefusal) -> dict[str, Any]:
    kind = _TYPES.get(refusal.status, "invalid_request_error")
    return {"error": {"message": refusal.message, "type": kind, "param": None, "code": refusal.code}}


ENDPOINTS = [
    ModelEndpoint(
        name="openai_chat",
        path="/openai/v1/chat/completions",
        key_of=lambda request: request.headers.get("authorization", "").removeprefix("Bearer "),
        expected_key=lambda world: world.config.openai_api_key,
        wrong_key=ModelRefusal(401, "Incorrect API key provided.", "invalid_api_key"),
        read=_read,
        answer=_answer,
        error=_error,
    )
]
