"""Issues and reads ID tokens and access tokens as LINE Login does, with real ES256 signatures and a real key set."""

from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from jwt.algorithms import ECAlgorithm

from tsudoi.sandbox.errors import OAuthRefusal
from tsudoi.sandbox.ids import new_token

ISSUER = "https://access.line.me"
ID_TOKEN_SECONDS = 3600
ACCESS_TOKEN_SECONDS = 12 * 3600
SCOPE = "profile openid"


def _new_pem() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@dataclass
class Signer:
    """Signs ID tokens. Its key is kept with the state, so that a page that is open over a restart stays logged in."""

    _pem: str = field(default_factory=_new_pem)
    _key_id: str = field(default_factory=new_token)
    _key: ec.EllipticCurvePrivateKey = field(init=False, repr=False)
    _forger: ec.EllipticCurvePrivateKey = field(init=False, repr=False)

    def __post_init__(self) -> None:
        key = load_pem_private_key(self._pem.encode(), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError("not an elliptic curve key")
        self._key = key
        self._forger = ec.generate_private_key(ec.SECP256R1())

    def key_set(self) -> dict[str, Any]:
        key = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**key, "kid": self._key_id, "alg": "ES256", "use": "sig"}]}

    def sign(self, claims: dict[str, Any], *, forged: bool = False) -> str:
        key = self._forger if forged else self._key
        return jwt.encode(claims, key, algorithm="ES256", headers={"kid": self._key_id})

    def read(self, token: str) -> dict[str, Any]:
        """Checks the signature alone; `check_claims` compares the times with the sandbox's own clock."""
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key.public_key(),
                algorithms=["ES256"],
                options={"verify_exp": False, "verify_iat": False, "verify_aud": False, "require": ["exp", "sub"]},
            )
        except jwt.InvalidTokenError as error:
            raise OAuthRefusal("Invalid IdToken.") from error
        return claims


@dataclass(frozen=True)
class ExpectedClaims:
    """What the token must contain, as the caller of the verification says."""

    client_id: str
    nonce: str | None = None
    user_id: str | None = None


def check_claims(claims: dict[str, Any], expected: ExpectedClaims, now_seconds: int) -> None:
    if claims.get("iss") != ISSUER:
        raise OAuthRefusal("Invalid IdToken Issuer.")
    if claims["exp"] <= now_seconds:
        raise OAuthRefusal("IdToken expired.")
    if claims.get("aud") != expected.client_id:
        raise OAuthRefusal("Invalid IdToken Audience.")
    if expected.nonce is not None and claims.get("nonce") != expected.nonce:
        raise OAuthRefusal("Invalid IdToken Nonce.")
    if expected.user_id is not None and claims["sub"] != expected.user_id:
        raise OAuthRefusal("Invalid IdToken Subject Identifier.")


@dataclass(frozen=True)
class AccessToken:
    """The user and the channel that a token belongs to, and when it expires."""

    user_id: str
    client_id: str
    expires_at: int


@dataclass
class AccessTokens:
    """Every access token that was handed out."""

    _tokens: dict[str, AccessToken] = field(default_factory=dict)

    def forget_expired(self, now_seconds: int) -> None:
        self._tokens = {token: found for token, found in self._tokens.items() if found.expires_at > now_seconds}

    def issue(self, user_id: str, client_id: str, now_seconds: int) -> str:
        token = new_token()
        self._tokens[token] = AccessToken(user_id, client_id, now_seconds + ACCESS_TOKEN_SECONDS)
        return token

    def read(self, token: str, now_seconds: int) -> AccessToken:
        found = self._tokens.get(token)
        if found is None or found.expires_at <= now_seconds:
            raise OAuthRefusal("access token expired")
        return found
