from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, Field

from tsudoi.access.guard import RuntimeDep
from tsudoi.access.registration import ActiveContexts
from tsudoi.core.api_examples import example
from tsudoi.core.clock import jst_text
from tsudoi.core.ndjson import DailyFile
from tsudoi.core.runtime import Runtime
from tsudoi.line.inbox import rules, service

_log = structlog.stdlib.get_logger(__name__)

router = APIRouter(prefix="/api/line", tags=["line"])


class WebhookResponse(BaseModel):
    """The answer to LINE: the webhook was received."""

    model_config = example(ok=True)

    ok: bool = Field(description="Always true.")


_BODY_EXAMPLE = {
    "destination": "Uxxxxxxxx",
    "events": [
        {
            "type": "follow",
            "mode": "active",
            "timestamp": 1692252345678,
            "source": {"type": "user", "userId": "Uaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
            "replyToken": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "webhookEventId": "01H810YECXQQZ37VAXPF6H9E6T",
            "deliveryContext": {"isRedelivery": False},
        }
    ],
}


@router.post(
    "/webhook",
    summary="LINE's webhook",
    openapi_extra={
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}, "example": _BODY_EXAMPLE}}}
    },
)
async def webhook(
    request: Request,
    runtime: RuntimeDep,
    x_line_signature: Annotated[str | None, Header(description="Base64 of HMAC-SHA256(channel secret, body).")] = None,
) -> WebhookResponse:
    """Returns 200 even if the signature is wrong; then nothing is stored, and the log gets one line.

    Of such lines at most 60 are written a minute, then one with the number of the others.

    The response is sent after the events are committed to the database. If they cannot be stored it is 503, and LINE
    delivers them again. The worker handles the events later.
    """
    settings, db = runtime.settings, runtime.db
    body = await request.body()
    now = db.clock.now()
    secret = settings.line_channel_secret.get_secret_value() if settings.line_channel_secret else ""
    if not rules.signature_matches(secret, body, x_line_signature):
        if runtime.lines.admit("line_signature_invalid", write_summary=partial(_log_forgeries, runtime)):
            _write_lines(runtime, _lines(rules.ParsedWebhook(reason="signature_invalid"), set(), now))
        return WebhookResponse(ok=True)
    parsed = rules.parse_webhook(body, now)
    handled = runtime.part(ActiveContexts).line_handlers.keys()
    new = await db.write(service.store, parsed.keep, handled) if parsed.keep else set[str]()
    _write_lines(runtime, _lines(parsed, new, now))
    if new:
        runtime.work.send()
    return WebhookResponse(ok=True)


def _write_lines(runtime: Runtime, lines: Iterable[dict[str, Any]]) -> None:
    """The events are committed by now, so a full disk must not make LINE deliver them again."""
    try:
        DailyFile.of(runtime.settings, "line", "WEBHOOK-").append(runtime.db.clock.now(), lines)
    except OSError:
        if runtime.lines.admit("webhook_line_not_written"):
            _log.exception("webhook_line_not_written")


def _log_forgeries(runtime: Runtime, number: int) -> None:
    """One line for all forged webhooks of the last minute that were only counted."""
    ts = jst_text(runtime.db.clock.now())
    forged = {"ts": ts, "kind": "webhook", "result": "IGNORED", "reason": "signature_invalid", "left_out": number}
    _write_lines(runtime, [forged])


def _lines(parsed: rules.ParsedWebhook, new: set[str], now: datetime) -> Iterator[dict[str, Any]]:
    ts = jst_text(now)
    if parsed.reason is not None:
        yield {"ts": ts, "kind": "webhook", "result": "IGNORED", "reason": parsed.reason}
    for event, reason in parsed.drop:
        known = {"userId": event.user_id, "eventId": event.key} if event else {}
        yield {"ts": ts, "kind": event.type if event else "webhook", **known, "result": "DROPPED", "reason": reason}
    for event in parsed.keep:
        result = "STORED" if event.key in new else "DUPLICATE"
        yield {"ts": ts, "kind": event.type, "userId": event.user_id, "eventId": event.key, "result": result}
