"""An SMS provider in the shape of Twilio: sending, looking up what was sent, and the account."""

import base64
import binascii
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.outside import OutsideEndpoint, OutsideRequest, OutsideSystem, is_right
from tsudoi.sandbox.sms import PhoneState, SmsMessage, is_japanese, is_mobile
from tsudoi.sandbox.wire import OrjsonResponse, is_whole

PROVIDER = "twilio"
VERSION = "2010-04-01"
LONGEST_BODY = 1600
_PAGE_SIZE = 50
_NUMBER = re.compile(r"\+[1-9][0-9]{7,14}")
_SENDER_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}")
_CODES = {401: 20003, 404: 20404, 429: 20429}
_CREATED = "Mon, 05 Jan 2026 00:00:00 +0000"


@dataclass
class TwilioRefusal(Refusal):
    """A refusal with Twilio's own number of the mistake."""

    code: int = 0


def _mistake(code: int, message: str) -> TwilioRefusal:
    return TwilioRefusal(400, message, code=code)


def _credentials(http: Request) -> str:
    """`account:token` of the Basic header."""
    scheme, _, given = http.headers.get("authorization", "").partition(" ")
    try:
        return base64.b64decode(given, validate=True).decode() if scheme.lower() == "basic" else ""
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _authorize(request: OutsideRequest) -> None:
    config = request.world.config
    expected = f"{config.sms_account}:{config.sms_token}"
    if not is_right(request.token, expected):
        raise TwilioRefusal(401, "Authenticate", code=20003)
    if request.http.path_params.get("account") not in (None, config.sms_account):
        raise TwilioRefusal(404, f"The requested resource {request.http.url.path} was not found", code=20404)


def _refuse(refusal: Refusal) -> Response:
    code = refusal.code if isinstance(refusal, TwilioRefusal) else _CODES.get(refusal.status, 20000 + refusal.status)
    body = {"code": code, "message": refusal.message, "more_info": f"https://www.twilio.com/docs/errors/{code}"}
    return OrjsonResponse({**body, "status": refusal.status}, refusal.status)


def send(request: OutsideRequest) -> Response:
    form = dict(request.form())
    to, service = form.get("To", ""), form.get("MessagingServiceSid")
    _check_to(to)
    _check_from(form.get("From"), service)
    _check_body(form.get("Body", ""))
    network = request.world.sms
    if network.state_of(to) is PhoneState.OPTED_OUT:
        raise _mistake(21610, "Attempt to send to unsubscribed recipient")
    taken = network.take(
        SmsMessage(
            f"SM{secrets.token_hex(16)}",
            PROVIDER,
            to,
            form.get("From"),
            form["Body"],
            request.now,
            network.state_of(to),
            {"messaging_service_sid": service},
        )
    )
    first = {"status": "accepted" if service else "queued", "error_code": None, "date_sent": None}
    segments = {"num_segments": "0"} if service else {}
    return OrjsonResponse({**_shown(request, taken), **first, **segments}, 201)


def _check_to(to: str) -> None:
    if not to:
        raise _mistake(21604, "A 'To' phone number is required.")
    if not _NUMBER.fullmatch(to) or (to.startswith("+81") and not is_japanese(to)):
        raise _mistake(21211, f"Invalid 'To' Phone Number: {to}")
    if not is_mobile(to):
        raise _mistake(21614, f"'To' number is not a valid mobile number: {to}")


def _check_from(sender: str | None, service: str | None) -> None:
    if not sender and not service:
        raise _mistake(21603, "A 'From' phone number is required.")
    if sender and not _NUMBER.fullmatch(sender) and not _SENDER_NAME.fullmatch(sender):
        raise _mistake(21212, f"Invalid 'From' Phone Number: {sender}")


def _check_body(body: str) -> None:
    if not body:
        raise _mistake(21602, "Message body is required.")
    if len(body) > LONGEST_BODY:
        raise _mistake(21617, "The concatenated message body exceeds the 1600 character limit")


def list_messages(request: OutsideRequest) -> Response:
    """The newest first."""
    size, page = _number(request, "PageSize", _PAGE_SIZE), _number(request, "Page", 0)
    found = [one for one in reversed(request.world.sms.of(PROVIDER)) if _is_wanted(request, one)]
    shown, uri = found[page * size : (page + 1) * size], f"{_account_uri(request)}/Messages.json"
    following = f"{uri}?PageSize={size}&Page={page + 1}" if len(found) > (page + 1) * size else None
    return OrjsonResponse(
        {
            "messages": [_shown(request, one) for one in shown],
            "page": page,
            "page_size": size,
            "start": page * size,
            "end": page * size + max(0, len(shown) - 1),
            "uri": f"{uri}?PageSize={size}&Page={page}",
            "first_page_uri": f"{uri}?PageSize={size}&Page=0",
            "next_page_uri": following,
            "previous_page_uri": f"{uri}?PageSize={size}&Page={page - 1}" if page else None,
        }
    )


def _is_wanted(request: OutsideRequest, message: SmsMessage) -> bool:
    """`DateSent` is a day in UTC; with a sign behind its name it is the first or the last day."""
    day = datetime.fromtimestamp(message.at / 1000, UTC).strftime("%Y-%m-%d")
    first, last = request.query("DateSent>"), request.query("DateSent<")
    return (
        request.query("To") in (None, message.to)
        and request.query("From") in (None, message.sender)
        and request.query("DateSent") in (None, day)
        and (first is None or day >= first)
        and (last is None or day <= last)
    )


def _number(request: OutsideRequest, name: str, default: int) -> int:
    text = request.query(name) or str(default)
    if not is_whole(text):
        raise _mistake(20001, f"{name} is invalid")
    return int(text)


def get_message(request: OutsideRequest) -> Response:
    wanted = request.path("sid")
    found = next((one for one in request.world.sms.of(PROVIDER) if one.id == wanted), None)
    if found is None:
        raise TwilioRefusal(404, f"The requested resource {request.http.url.path} was not found", code=20404)
    return OrjsonResponse(_shown(request, found))


def get_account(request: OutsideRequest) -> Response:
    """As at Twilio, the answer has the secret of the account in it."""
    uri, config = _account_uri(request), request.world.config
    return OrjsonResponse(
        {
            "sid": config.sms_account,
            "owner_account_sid": config.sms_account,
            "friendly_name": "集い サンドボックス",
            "status": "active",
            "type": "Full",
            "auth_token": config.sms_token,
            "date_created": _CREATED,
            "date_updated": _CREATED,
            "uri": f"{uri}.json",
            "subresource_uris": {"messages": f"{uri}/Messages.json"},
        }
    )


def _account_uri(request: OutsideRequest) -> str:
    return f"/{VERSION}/Accounts/{request.world.config.sms_account}"


def _shown(request: OutsideRequest, message: SmsMessage) -> dict[str, Any]:
    at = format_datetime(datetime.fromtimestamp(message.at // 1000, UTC))
    uri = f"{_account_uri(request)}/Messages/{message.id}"
    return {
        "sid": message.id,
        "account_sid": request.world.config.sms_account,
        "messaging_service_sid": message.more.get("messaging_service_sid"),
        "to": message.to,
        "from": message.sender,
        "body": message.body,
        "status": message.status,
        "num_segments": str(message.segments),
        "num_media": "0",
        "direction": "outbound-api",
        "price": None,
        "price_unit": "USD",
        "error_code": message.error_code,
        "error_message": None,
        "date_created": at,
        "date_sent": at,
        "date_updated": at,
        "api_version": VERSION,
        "uri": f"{uri}.json",
        "subresource_uris": {"media": f"{uri}/Media.json"},
    }


_ACCOUNT = "/Accounts/{account}"
TWILIO = OutsideSystem(f"/twilio/{VERSION}", _credentials, _authorize, _refuse)
ROUTES = TWILIO.routes(
    [
        OutsideEndpoint("POST", f"{_ACCOUNT}/Messages.json", "twilio_send", send),
        OutsideEndpoint("GET", f"{_ACCOUNT}/Messages.json", "twilio_list", list_messages),
        OutsideEndpoint("GET", f"{_ACCOUNT}/Messages/{{sid}}.json", "twilio_message", get_message),
        OutsideEndpoint("GET", f"{_ACCOUNT}.json", "twilio_account", get_account),
    ]
)
