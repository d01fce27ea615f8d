"""A person logs in to LINE inside a LIFF page: the two tokens they get for it."""

from dataclasses import dataclass
from typing import Any

from tsudoi.sandbox.state import World
from tsudoi.sandbox.tokens import ID_TOKEN_SECONDS, ISSUER
from tsudoi.sandbox.users import User


@dataclass(frozen=True)
class Wish:
    """How the ID token should look. By default as a good one."""

    expires_in: int = ID_TOKEN_SECONDS
    audience: str | None = None
    nonce: str | None = None
    forged: bool = False


AS_USUAL = Wish()


def log_in(world: World, user: User, base_url: str, wish: Wish = AS_USUAL) -> dict[str, str]:
    client_id = wish.audience or world.config.login_channel_id
    now = world.clock.now_seconds()
    claims: dict[str, Any] = {
        "iss": ISSUER,
        "sub": user.user_id,
        "aud": client_id,
        "exp": now + wish.expires_in,
        "iat": now,
        "amr": ["linesso"],
        "name": user.display_name,
        "picture": user.picture(base_url),
    }
    if wish.nonce is not None:
        claims["nonce"] = wish.nonce
    return {
        "access_token": world.access_tokens.issue(user.user_id, client_id, now),
        "id_token": world.signer.sign(claims, forged=wish.forged),
    }
