"""The address to which LINE posts webhooks, and the test of that address."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from tsudoi.sandbox.calls import Attempt
from tsudoi.sandbox.errors import Detail, Refusal, invalid_body, not_found
from tsudoi.sandbox.line_api.endpoint import Endpoint, LineRequest, LineResponse
from tsudoi.sandbox.messages.violations import is_reachable_url
from tsudoi.sandbox.webhooks import WebhookSender

URL_LENGTH = 500


def get_endpoint(request: LineRequest) -> LineResponse:
    if request.world.webhook_url is None:
        raise not_found()
    return LineResponse({"endpoint": request.world.webhook_url, "active": request.world.webhook_active})


def set_endpoint(request: LineRequest) -> LineResponse:
    request.world.webhook_url = _checked_url(request.json().get("endpoint"))
    return LineResponse()


async def test_endpoint(request: LineRequest) -> LineResponse:
    """Posts a body without events to the given address, or to the one that is set."""
    body = request.json() if request.raw else {}
    given = body.get("endpoint")
    url = request.world.webhook_url if given is None else _checked_url(given)
    if url is None:
        raise Refusal(400, "Webhook endpoint is not set")
    webhook_sender: WebhookSender = request.http.app.state.webhook_sender
    attempt = await webhook_sender.post(webhook_sender.envelope([]), note="test", url=url)
    return LineResponse(_report(attempt))


def _report(attempt: Attempt) -> dict[str, Any]:
    """The result as LINE reports it. The status 0 means that there was no response."""
    status = attempt.status or 0
    detail = f"{status} {HTTPStatus(status).phrase}" if status in {s.value for s in HTTPStatus} else str(status)
    moment = datetime.fromtimestamp(attempt.at / 1000, UTC).isoformat(timespec="milliseconds")
    return {
        "success": attempt.error is None,
        "timestamp": moment.replace("+00:00", "Z"),
        "statusCode": status,
        "reason": "OK" if attempt.error is None else attempt.error.upper(),
        "detail": detail if status else "No response was received",
    }


def _checked_url(url: Any) -> str:
    if not is_reachable_url(url, URL_LENGTH):
        raise invalid_body([Detail("endpoint", "Must be a valid HTTPS URL")])
    return str(url)


ENDPOINTS = [
    Endpoint("GET", "/v2/bot/channel/webhook/endpoint", "webhook_endpoint", get_endpoint),
    Endpoint("PUT", "/v2/bot/channel/webhook/endpoint", "webhook_endpoint", set_endpoint),
    Endpoint("POST", "/v2/bot/channel/webhook/test", "webhook_endpoint", test_endpoint),
]
