"""Cookies with a `__Host-` or `__Secure-` prefix and Secure. Only plain http, on loopback, has neither."""

from datetime import timedelta
from typing import Literal

from starlette.responses import Response

from tsudoi.core.settings import Settings


def cookie_name(settings: Settings, name: str, path: str = "/") -> str:
    """Browsers accept `__Host-` for the path `/` only."""
    if not settings.https:
        return name
    return f"__Host-{name}" if path == "/" else f"__Secure-{name}"


def set_cookie(
    response: Response,
    settings: Settings,
    name: str,
    value: str,
    lifetime: timedelta | None,
    *,
    path: str = "/",
    samesite: Literal["lax", "strict"] = "lax",
) -> None:
    """Without a lifetime the cookie goes when the browser is closed."""
    response.set_cookie(
        cookie_name(settings, name, path),
        value,
        max_age=None if lifetime is None else int(lifetime.total_seconds()),
        path=path,
        secure=settings.https,
        httponly=True,
        samesite=samesite,
    )


def clear_cookie(response: Response, settings: Settings, name: str, path: str = "/") -> None:
    response.delete_cookie(
        cookie_name(settings, name, path), path=path, secure=settings.https, httponly=True, samesite="lax"
    )
