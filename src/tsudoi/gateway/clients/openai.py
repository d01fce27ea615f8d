"""The client of an OpenAI-compatible API (chat completions): one question, one answer as JSON."""

from datetime import timedelta

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
from tsudoi.gateway.clients.outside_answers import Credential, OutsideAnswer, ask_outside
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest


class OpenAiClient:
    """Asks a model behind `/chat/completions`. No method raises: a failure is a value too."""

    def __init__(self, config: ModelConfig, gateway: HttpGateway) -> None:
        self.config = config
        self._gateway = gateway

    @staticmethod
    def of(settings: Settings, gateway: HttpGateway) -> "OpenAiClient":
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
        return OpenAiClient(ModelConfig(settings.openai_api_base, key, settings.openai_model), gateway)

    def answer(self, question: ModelQuestion, within: timedelta) -> ModelText | ModelFailure:
        """No temperature is sent: some models refuse every value but their own."""
        body = {
            "model": self.config.model,
            "messages": [
                {"role": "system", "content": question.instructions},
                {"role": "user", "content": question.data_text},
            ],
            "max_completion_tokens": question.most_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": question.schema_name, "schema": question.schema, "strict": True},
            },
        }
        headers = {"Authorization": f"Bearer {self.config.key}"}
        call = ModelCall("openai", f"{self.config.api_base}/chat/completions", headers, body, _text)
        return ask(self._gateway, self.config, call, within)

    def models(self, policy: CallPolicy) -> OutsideAnswer:
        """List the models, which shows that the key works. Nothing is asked of a model."""
        url = f"{self.config.api_base}/models"
        request = HttpRequest("openai", "models", "GET", url, policy, log_bodies=False)
        return ask_outside(
            self._gateway, request, Credential("Authorization", f"Bearer {self.config.key}", self.config.key)
        )


def _text(body: Parsed) -> str | None:
    """The message of the first choice. One that ended for another reason than `stop` is cut or was refused."""
    choice = first(body.get("choices"))
    message = inner(choice, "message")
    text = message.get("content")
    if choice.get("finish_reason", "stop") != "stop" or message.get("refusal") or not isinstance(text, str):
        return None
    return text or None
