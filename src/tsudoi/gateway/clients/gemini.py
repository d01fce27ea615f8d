"""The client of Google Gemini: one question, one answer as JSON."""

from datetime import timedelta
from urllib.parse import quote

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.language_models import (
    ModelCall,
    ModelConfig,
    ModelFailure,
    ModelQuestion,
    ModelText,
    Parsed,
    ask,
    first,
    inner,
)
from tsudoi.gateway.http import HttpGateway


class GeminiClient:
    """Asks a model of Gemini. No method raises: a failure is a value too."""

    def __init__(self, config: ModelConfig, gateway: HttpGateway) -> None:
        self.config = config
        self._gateway = gateway

    @staticmethod
    def of(settings: Settings, gateway: HttpGateway) -> "GeminiClient":
        key = settings.gemini_api_key.get_secret_value() if settings.gemini_api_key else ""
        return GeminiClient(ModelConfig(settings.gemini_api_base, key, settings.gemini_model), gateway)

    def answer(self, question: ModelQuestion, within: timedelta) -> ModelText | ModelFailure:
        config = self.config
        url = f"{config.api_base}/v1beta/models/{quote(config.model, safe='')}:generateContent"
        body = {
            "systemInstruction": {"parts": [{"text": question.instructions}]},
            "contents": [{"role": "user", "parts": [{"text": question.data_text}]}],
            "generationConfig": {
                "temperature": 0,
                "maxOutputTokens": question.most_tokens,
                "responseMimeType": "application/json",
                "responseJsonSchema": question.schema,
            },
        }
        call = ModelCall("gemini", url, {"x-goog-api-key": config.key}, body, _text)
        return ask(self._gateway, config, call, within)


def _text(body: Parsed) -> str | None:
    """The parts of the first candidate. One that ended for another reason than `STOP` is cut or was refused."""
    candidate = first(body.get("candidates"))
    parts = inner(candidate, "content").get("parts")
    if candidate.get("finishReason", "STOP") != "STOP" or not isinstance(parts, list):
        return None
    # A part that is marked as a thought is not the answer.
    said = [part.get("text") for part in parts if isinstance(part, dict) and part.get("thought") is not True]
    return "".join(text for text in said if isinstance(text, str)) or None
