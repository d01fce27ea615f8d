"""LINE Login: checks a token, and says whose it is."""

from typing import Any
from urllib.parse import parse_qs

from tsudoi.sandbox.errors import OAuthRefusal, unauthenticated
from tsudoi.sandbox.line_api.endpoint import Endpoint, LineRequest, LineResponse
from tsudoi.sandbox.tokens import SCOPE, ExpectedClaims, check_claims

_FORM = "application/x-www-form-urlencoded"


def verify_id_token(request: LineRequest) -> LineResponse:
    form = _form(request)
    for name in ("id_token", "client_id"):
        if not form.get(name):
            raise OAuthRefusal(f"{name} may not be empty")
    claims = request.world.signer.read(form["id_token"])
    expected = ExpectedClaims(form["client_id"], form.get("nonce"), form.get("user_id"))
    check_claims(claims, expected, request.world.clock.now_seconds())
    return LineResponse(claims)


def _form(request: LineRequest) -> dict[str, str]:
    content_type = request.http.headers.get("content-type", "").split(";")[0].strip().lower()
    if content_type != _FORM:
        raise OAuthRefusal(f"content type must be {_FORM}")
    try:
        fields = parse_qs(request.raw.decode("ascii"))
    except ValueError as error:
        raise OAuthRefusal("request body is not a form") from error
    return {name: values[0] for name, values in fields.items()}


def verify_access_token(request: LineRequest) -> LineResponse:
    now = request.world.clock.now_seconds()
    token = request.world.access_tokens.read(request.http.query_params.get("access_token", ""), now)
    return LineResponse({"scope": SCOPE, "client_id": token.client_id, "expires_in": token.expires_at - now})


def certs(request: LineRequest) -> LineResponse:
    return LineResponse(request.world.signer.key_set())


def profile(request: LineRequest) -> LineResponse:
    """The profile of the person whose access token it is: what `liff.getProfile()` asks for."""
    token = request.http.headers.get("authorization", "").removeprefix("Bearer ")
    try:
        found = request.world.access_tokens.read(token, request.world.clock.now_seconds())
    except OAuthRefusal as error:
        raise unauthenticated() from error
    user = request.world.users.get(found.user_id)
    if user is None:
        raise unauthenticated()
    picture = user.picture(request.base_url)
    body: dict[str, Any] = {"userId": user.user_id, "displayName": user.display_name, "pictureUrl": picture}
    return LineResponse(body if user.status_message is None else {**body, "statusMessage": user.status_message})


ENDPOINTS = [
    Endpoint("POST", "/oauth2/v2.1/verify", "verify", verify_id_token, open_to_all=True),
    Endpoint("GET", "/oauth2/v2.1/verify", "verify", verify_access_token, open_to_all=True),
    Endpoint("GET", "/oauth2/v2.1/certs", "certs", certs, open_to_all=True),
    Endpoint("GET", "/v2/profile", "profile", profile, open_to_all=True),
]
