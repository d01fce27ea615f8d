"""Google Gemini: `generateContent` with a JSON schema."""

from typing import Any

from starlette.requests import Request

from tsudoi.sandbox.language_models import AnswerMode, AskedQuestion
from tsudoi.sandbox.model_api.endpoint import ModelEndpoint, ModelRefusal, WrittenAnswer, inside, text_of

_STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
}


def _read(request: Request, body: dict[str, Any]) -> AskedQuestion:
    config = body.get("generationConfig") or {}
    schema = config.get("responseJsonSchema")
    if schema is not None and config.get("responseMimeType") != "application/json":
        raise ModelRefusal(400, "A response schema is only allowed with response mime type: 'application/json'")
    return AskedQuestion(
        api="gemini",
        model=str(request.path_params["model"]),
        instructions=str(inside(body, "systemInstruction", "parts", 0, "text") or ""),
        text=text_of(inside(body, "contents", 0, "parts", 0, "text"), "contents[0].parts[0].text"),
        schema=schema if isinstance(schema, dict) else {},
        most_tokens=config.get("maxOutputTokens"),
    )


def _answer(written: WrittenAnswer) -> dict[str, Any]:
    usage = {"promptTokenCount": len(written.question.text) // 3, "candidatesTokenCount": len(written.shown) // 3}
    head = {"modelVersion": written.question.model, "responseId": f"sandbox-{written.number}"}
    if written.mode is AnswerMode.REFUSED:
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage, **head}
    candidate = {
        "content": {"role": "model", "parts": [{"text": written.shown}]},
        "finishReason": "MAX_TOKENS" if written.mode is AnswerMode.CUT else "STOP",
        "index": 0,
    }
    return {"candidates": [candidate], "usageMetadata": {**usage, "totalTokenCount": sum(usage.values())}, **head}


def _error(refusal: ModelRefusal) -> dict[str, Any]:
    error: dict[str, Any] = {
        "code": refusal.status,
        "message": refusal.message,
        "status": _STATUS_NAMES.get(refusal.status, "UNKNOWN"),
    }
    if refusal.status == 429:  # noqa: PLR2004 (too many requests)
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]
    return {"error": error}


ENDPOINTS = [
    ModelEndpoint(
        name="gemini",
        path="/v1beta/models/{model}:generateContent",
        key_of=lambda request: request.headers.get("x-goog-api-key", ""),
        expected_key=lambda world: world.config.gemini_api_key,
        wrong_key=ModelRefusal(400, "API key not valid. Please pass a valid API key."),
        read=_read,
        answer=_answer,
        error=_error,
    )
]
