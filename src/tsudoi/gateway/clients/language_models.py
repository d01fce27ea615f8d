"""What the clients of language models share: the question, the answer as text, and the one call that leads to it.

Questions and answers speak of people, so the log of calls keeps their lengths alone. A model is asked once: a person
waits for the answer, and goes on without it when it does not come.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from http.client import responses
from typing import Any

import orjson

from tsudoi.core.log import mask_text
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest, NoResponse, Pool

# Somebody waits in front of the screen. Two models, one after the other, must have answered within this time.
LONGEST = timedelta(seconds=14)
POLICY = CallPolicy(
    Pool("language-models", 4, longest_wait=timedelta(seconds=15)),
    timeout=LONGEST,
    deadline=LONGEST,
    largest_response=256 * 1024,
)
# What can stand in a header. A key with a line break would fail before it reached anybody.
_KEY = re.compile(r"[!-~]+")
_LONGEST_REASON = 200

Parsed = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The address of one API, our key there, and the name of the model."""

    api_base: str
    key: str
    model: str


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A question to a model. `data` is what people wrote; it is sent apart from the instructions, as JSON."""

    instructions: str
    data: Mapping[str, Any]
    # The JSON schema of the answer, and its name.
    schema: Mapping[str, Any]
    schema_name: str
    most_tokens: int

    @property
    def data_text(self) -> str:
        return json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class ModelText:
    """The text that a model wrote, to its end. It should be JSON of the schema, and may be anything."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """There is no text. The reason is for the log: it contains nothing of the question."""

    reason: str


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call, in the form that the API of this model wants."""

    target: str
    url: str
    headers: Mapping[str, str]
    body: Parsed
    # Takes the text out of a response; None when there is none, or only a part of it.
    read: Callable[[Parsed], str | None]


def ask(gateway: HttpGateway, config: ModelConfig, call: ModelCall, within: timedelta) -> ModelText | ModelFailure:
    """Never raises. A key that cannot work is refused here, as the other side would refuse it."""
    if not _KEY.fullmatch(config.key):
        return ModelFailure("the key is empty or has characters that no key has")
    policy = replace(POLICY, timeout=min(POLICY.timeout, within), deadline=min(POLICY.deadline, within))
    headers = {"Content-Type": "application/json", **call.headers}
    request = HttpRequest(
        call.target, "suggest", "POST", call.url, policy, headers, orjson.dumps(call.body), log_bodies=False
    )
    try:
        response = gateway.send(request)
    except NoResponse as silence:
        return ModelFailure(f"no response: {silence.reason}")
    body = _json_object(response.body)
    if not response.is_success:
        return ModelFailure(_why_refused(response.status, body))
    text = None if body is None else call.read(body)
    return ModelFailure("unreadable response") if text is None else ModelText(text)


def first(value: Any) -> Parsed:
    """The first entry of a list of objects; an empty object where there is none."""
    return value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else {}


def inner(value: Parsed, name: str) -> Parsed:
    """The object below this name; an empty one where there is none."""
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _json_object(raw: bytes) -> Parsed | None:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _why_refused(status: int, body: Parsed | None) -> str:
    """Both APIs say what is wrong in `error.message`, such as that the key or the model does not exist."""
    message = inner(body or {}, "error").get("message")
    said = message if isinstance(message, str) else responses.get(status, "")
    return mask_text(f"{status}: {' '.join(said.split())}")[:_LONGEST_REASON]
