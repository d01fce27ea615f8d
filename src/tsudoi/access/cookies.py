"""Cookies with the `__Host-` prefix and Secure. Only plain http, on loopback, has neither."""

from datetime import timedelta

from starlette.responses import Response

from tsudoi.core.settings import Settings


def cookie_name(settings: Settings, name: str) -> str:
    return f"__Host-{name}" if settings.https else name


def set_cookie(response: Response, settings: Settings, name: str, value: str, lifetime: timedelta) -> None:
    response.set_cookie(
        cookie_name(settings, name),
        value,
        max_age=int(lifetime.total_seconds()),
        path="/",
        secure=settings.https,
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, settings: Settings, name: str) -> None:
    response.delete_cookie(cookie_name(settings, name), path="/", secure=settings.https, httponly=True, samesite="lax")
