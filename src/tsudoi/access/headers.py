"""The headers that keep browsers strict. No page of ours runs inline script or talks to strangers."""

from functools import lru_cache

from tsudoi.core.settings import Settings

# LINE's own SDK asks these from inside the member pages.
_LIFF_HOSTS = "https://api.line.me https://access.line.me https://liffsdk.line-scdn.net"


def security_headers(settings: Settings, path: str) -> tuple[tuple[bytes, bytes], ...]:
    return _headers(
        settings.https, settings.frame_ancestors, settings.image_origins, _audience(path), path.startswith("/api/")
    )


def _audience(path: str) -> str:
    if path.startswith(("/admin", "/api/docs")):
        return "office"
    return "member" if path.startswith("/liff") else "nobody"


@lru_cache(maxsize=32)
def _headers(
    https: bool, frames: tuple[str, ...], images: tuple[str, ...], audience: str, is_api: bool
) -> tuple[tuple[bytes, bytes], ...]:
    headers = {
        "content-security-policy": _policy(frames, images, audience),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    }
    if audience != "member" or not frames:
        headers["x-frame-options"] = "DENY"
    if https:
        headers["strict-transport-security"] = "max-age=31536000; includeSubDomains"
    if is_api and audience != "office":
        headers["cache-control"] = "no-store"
    return tuple((name.encode(), value.encode()) for name, value in headers.items())


def _policy(frames: tuple[str, ...], images: tuple[str, ...], audience: str) -> str:
    if audience == "nobody":
        return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    member = audience == "member"
    parts = {
        "default-src": "'none'",
        "script-src": "'self'",
        # The component library of the office's pages sets styles from script; members' pages have style files only.
        "style-src": "'self'" if member else "'self' 'unsafe-inline'",
        "img-src": " ".join(("'self'", "data:", "blob:", "https:", *images)),
        "font-src": "'self'",
        "connect-src": f"'self' {_LIFF_HOSTS}" if member else "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": (" ".join(frames) or "'none'") if member else "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())
