"""LINE Login: is this token real, and whose is it?"""

from typing import Any
from urllib.parse import parse_qs

from tsudoi.sandbox.errors import OAuthRefusal, unauthenticated
from tsudoi.sandbox.line_api.exchange import Answer, Endpoint, Exchange
from tsudoi.sandbox.tokens import SCOPE, Expectation, check_claims

_FORM = "application/x-www-form-urlencoded"


def verify_id_token(exchange: Exchange) -> Answer:
    form = _form(exchange)
    for name in ("id_token", "client_id"):
        if not form.get(name):
            raise OAuthRefusal(f"{name} may not be empty")
    claims = exchange.world.signer.read(form["id_token"])
    expected = Expectation(form["client_id"], form.get("nonce"), form.get("user_id"))
    check_claims(claims, expected, exchange.world.clock.now_seconds())
    return Answer(claims)


def _form(exchange: Exchange) -> dict[str, str]:
    content_type = exchange.request.headers.get("content-type", "").split(";")[0].strip().lower()
    if content_type != _FORM:
        raise OAuthRefusal(f"content type must be {_FORM}")
    try:
        fields = parse_qs(exchange.raw.decode("ascii"))
    except ValueError as error:
        raise OAuthRefusal("request body is not a form") from error
    return {name: values[0] for name, values in fields.items()}


def verify_access_token(exchange: Exchange) -> Answer:
    now = exchange.world.clock.now_seconds()
    token = exchange.world.access_tokens.read(exchange.request.query_params.get("access_token", ""), now)
    return Answer({"scope": SCOPE, "client_id": token.client_id, "expires_in": token.expires_at - now})


def certs(exchange: Exchange) -> Answer:
    return Answer(exchange.world.signer.key_set())


def profile(exchange: Exchange) -> Answer:
    """The profile of the person whose access token it is: what `liff.getProfile()` asks for."""
    token = exchange.request.headers.get("authorization", "").removeprefix("Bearer ")
    try:
        found = exchange.world.access_tokens.read(token, exchange.world.clock.now_seconds())
    except OAuthRefusal as error:
        raise unauthenticated() from error
    user = exchange.world.users.get(found.user_id)
    if user is None:
        raise unauthenticated()
    picture = user.picture(exchange.base_url)
    body: dict[str, Any] = {"userId": user.user_id, "displayName": user.display_name, "pictureUrl": picture}
    return Answer(body if user.status_message is None else {**body, "statusMessage": user.status_message})


ENDPOINTS = [
    Endpoint("POST", "/oauth2/v2.1/verify", "verify", verify_id_token, open_to_all=True),
    Endpoint("GET", "/oauth2/v2.1/verify", "verify", verify_access_token, open_to_all=True),
    Endpoint("GET", "/oauth2/v2.1/certs", "certs", certs, open_to_all=True),
    Endpoint("GET", "/v2/profile", "profile", profile, open_to_all=True),
]
