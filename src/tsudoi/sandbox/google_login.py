"""Google's log-in for programs: a service account's key, its signed request, and the access token it gets."""

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from tsudoi.sandbox.errors import OAuthRefusal
from tsudoi.sandbox.ids import new_token

GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EMAIL = "tsudoi-sync@sandbox.iam.gserviceaccount.com"
SCOPE = "https://www.googleapis.com/auth/spreadsheets"
_AUDIENCE = "https://oauth2.googleapis.com/token"
_SECONDS = 3600
_SKEW = 300


def _pem_of(key: rsa.RSAPrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@dataclass
class GoogleLogin:
    """The service account and its access tokens.

    Times are those of the machine, not of the sandbox's clock, because Google's own library signs with them.
    """

    _key_id: str = field(default_factory=new_token)
    _tokens: dict[str, tuple[float, str]] = field(default_factory=dict)
    # The key is generated on first use, because that takes a tenth of a second.
    _pem: str = ""

    @cached_property
    def _key(self) -> rsa.RSAPrivateKey:
        if not self._pem:
            made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
            self._pem = _pem_of(made)
        key = load_pem_private_key(self._pem.encode(), None)
        if not isinstance(key, rsa.RSAPrivateKey):
            raise TypeError("not an RSA key")
        return key

    def key_file(self, base_url: str) -> dict[str, Any]:
        return {
            "type": "service_account",
            "project_id": "sandbox",
            "private_key_id": self._key_id,
            "private_key": _pem_of(self._key),
            "client_email": EMAIL,
            "client_id": "100000000000000000000",
            "token_uri": f"{base_url}/token",
        }

    def exchange(self, assertion: str, own_address: str) -> dict[str, Any]:
        claims = self._read(assertion, own_address)
        scope = str(claims.get("scope", ""))
        if not any(part in (SCOPE, f"{SCOPE}.readonly") for part in scope.split()):
            raise OAuthRefusal("Invalid OAuth scope or ID token audience provided.", "invalid_scope")
        token = f"ya29.{new_token()}"
        self._tokens[token] = (time.time() + _SECONDS, scope)
        return {"access_token": token, "expires_in": _SECONDS - 1, "token_type": "Bearer"}

    def _read(self, assertion: str, own_address: str) -> dict[str, Any]:
        try:
            claims: dict[str, Any] = jwt.decode(
                assertion,
                self._key.public_key(),
                algorithms=["RS256"],
                audience=[_AUDIENCE, own_address],
                issuer=EMAIL,
                leeway=_SKEW,
                options={"require": ["iss", "aud", "iat", "exp"]},
            )
        except jwt.InvalidTokenError as error:
            raise OAuthRefusal("Invalid JWT Signature.", "invalid_grant") from error
        if claims["exp"] - claims["iat"] > _SECONDS:
            raise OAuthRefusal("Invalid JWT: Token must be a short-lived token (60 minutes)", "invalid_grant")
        return claims

    def scope_of(self, token: str) -> str | None:
        expires, scope = self._tokens.get(token, (0.0, ""))
        return scope if expires > time.time() else None

    def forget_tokens(self) -> None:
        """Refuse every token issued so far, as Google does after a key was revoked."""
        self._tokens.clear()
