"""Issues the two tokens that a person gets when they log in to LINE inside a LIFF page."""

from dataclasses import dataclass
from typing import Any

from tsudoi.sandbox.state import World
from tsudoi.sandbox.tokens import ID_TOKEN_SECONDS, ISSUER
from tsudoi.sandbox.users import User


@dataclass(frozen=True)
class TokenOptions:
    """What the ID token contains. The defaults make a good one."""

    expires_in: int = ID_TOKEN_SECONDS
    audience: str | None = None
    nonce: str | None = None
    forged: bool = False


GOOD_TOKEN = TokenOptions()


def log_in(world: World, user: User, base_url: str, options: TokenOptions = GOOD_TOKEN) -> dict[str, str]:
    client_id = options.audience or world.config.login_channel_id
    now = world.clock.now_seconds()
    claims: dict[str, Any] = {
        "iss": ISSUER,
        "sub": user.user_id,
        "aud": client_id,
        "exp": now + options.expires_in,
        "iat": now,
        "amr": ["linesso"],
        "name": user.display_name,
        "picture": user.picture(base_url),
    }
    if options.nonce is not None:
        claims["nonce"] = options.nonce
    return {
        "access_token": world.access_tokens.issue(user.user_id, client_id, now),
        "id_token": world.signer.sign(claims, forged=options.forged),
    }
