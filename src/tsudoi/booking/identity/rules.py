"""The tokens of staff, and what a profile needs before a reservation. Pure.

Both tokens are JWTs signed with HS256. They name the account and the session only: role, status, name and number are
read from the database at each request, so that a change acts at once.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt

_ALGORITHM = "HS256"
_ISSUER = "tsudoi"
_ACCESS, _REFRESH = "access", "refresh"
_AUDIENCES = {_ACCESS: "tsudoi:staff", _REFRESH: "tsudoi:staff:refresh"}
_REQUIRED = ["sub", "sid", "typ", "iss", "aud", "iat", "exp"]


@dataclass(frozen=True, slots=True)
class TokenClaims:
    """The account and the session that a token names."""

    staff_uid: str
    session_id: int
    # Only a refresh token has an id of its own.
    token_id: str | None = None


@dataclass(frozen=True, slots=True)
class ReadToken:
    """A token whose signature is ours. The caller compares its time with the clock of the transaction."""

    claims: TokenClaims
    expires_at: datetime


def access_token(secret: str, claims: TokenClaims, now: datetime, lifetime: timedelta) -> str:
    return _signed(secret, _ACCESS, claims, now, now + lifetime)


def refresh_token(secret: str, claims: TokenClaims, issued_at: datetime, expires_at: datetime) -> str:
    """The same claims and times give the same token, so that a lost response can be sent again."""
    return _signed(secret, _REFRESH, claims, issued_at, expires_at)


def read_access_token(secret: str, token: str) -> ReadToken | None:
    return _read(secret, _ACCESS, token)


def read_refresh_token(secret: str, token: str) -> ReadToken | None:
    return _read(secret, _REFRESH, token)


def missing_fields(emr_patient_id: str | None, date_of_birth: str | None, sex_code: str | None) -> list[str]:
    """The fields that a reservation needs and that are empty, by their names in JSON."""
    fields = {"emrPatientId": emr_patient_id, "dateOfBirth": date_of_birth, "sexCode": sex_code}
    return [name for name, value in fields.items() if not value]


def _signed(secret: str, kind: str, claims: TokenClaims, issued_at: datetime, expires_at: datetime) -> str:
    payload: dict[str, Any] = {
        "iss": _ISSUER,
        "aud": _AUDIENCES[kind],
        "typ": kind,
        "sub": claims.staff_uid,
        "staffUid": claims.staff_uid,
        "sid": claims.session_id,
        "iat": int(issued_at.timestamp()),
        "exp": int(expires_at.timestamp()),
    }
    if claims.token_id is not None:
        payload["jti"] = claims.token_id
    return jwt.encode(payload, secret, _ALGORITHM)


def _read(secret: str, kind: str, token: str) -> ReadToken | None:
    """None for a token that is forged or of the other kind."""
    try:
        payload = jwt.decode(
            token,
            secret,
            [_ALGORITHM],
            audience=_AUDIENCES[kind],
            issuer=_ISSUER,
            options={"require": _REQUIRED, "verify_exp": False, "verify_iat": False},
        )
    except (jwt.InvalidTokenError, ValueError):
        return None
    session_id, expires_at = payload["sid"], payload["exp"]
    if payload["typ"] != kind or type(session_id) is not int or type(expires_at) is not int:
        return None
    claims = TokenClaims(payload["sub"], session_id, payload.get("jti"))
    return ReadToken(claims, datetime.fromtimestamp(expires_at, UTC))
