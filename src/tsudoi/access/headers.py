"""Security headers. Our pages run no inline script and connect to no unknown hosts."""

from functools import lru_cache

from tsudoi.core.settings import Settings

# The hosts that LINE's SDK calls from the member pages, and the host of its dialog on some phones.
_LIFF_HOSTS = "https://api.line.me https://access.line.me https://liffsdk.line-scdn.net"
_LIFF_SCRIPTS = "https://static.line-scdn.net"
# The phone pages, which the demo's phones show in frames. The staff portal runs without LINE's SDK.
_FRAMED = ("member", "staff")
# Pages without script of ours that people open from a mail. Their addresses may contain a secret.
_PERSONAL = ("invitee", "customer")


def security_headers(settings: Settings, path: str) -> tuple[tuple[bytes, bytes], ...]:
    return _headers(settings, _audience(path), path.startswith(("/api/", "/auth/")))


def _audience(path: str) -> str:
    if path.startswith(("/admin", "/api/docs")):
        return "office"
    if path.startswith("/staff"):
        return "staff"
    if path.startswith("/i/"):
        return "invitee"
    if path.startswith("/help/"):
        return "customer"
    return "member" if path.startswith("/liff") else "nobody"


@lru_cache(maxsize=32)
def _headers(settings: Settings, audience: str, is_api: bool) -> tuple[tuple[bytes, bytes], ...]:
    headers = {
        "content-security-policy": _policy(settings, audience),
        "x-content-type-options": "nosniff",
        # With "no-referrer" browsers send a form with `Origin: null`, and a customer's form has to name its origin.
        "referrer-policy": "strict-origin" if audience == "customer" else "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    }
    if audience not in _FRAMED or not settings.frame_ancestors:
        headers["x-frame-options"] = "DENY"
    if settings.https:
        headers["strict-transport-security"] = "max-age=31536000; includeSubDomains"
    if audience in _PERSONAL:
        # The address itself is the secret, and so is what the page shows.
        headers["x-robots-tag"] = "noindex, nofollow"
    if audience in _PERSONAL or (is_api and audience != "office"):
        headers["cache-control"] = "no-store"
    return tuple((name.encode(), value.encode()) for name, value in headers.items())


def _policy(settings: Settings, audience: str) -> str:
    if audience == "nobody":
        return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    if audience in _PERSONAL:
        return (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
            "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        )
    framed, liff = audience in _FRAMED, audience == "member" and settings.liff_adapter == "line"
    parts = {
        "default-src": "'none'",
        "script-src": f"'self' {_LIFF_SCRIPTS}" if liff else "'self'",
        # The component library of the office's pages sets styles from script; the phone pages have style files only.
        "style-src": "'self'" if framed else "'self' 'unsafe-inline'",
        "img-src": " ".join(("'self'", "data:", "blob:", "https:", *settings.image_origins)),
        "font-src": "'self'",
        "connect-src": f"'self' {_LIFF_HOSTS}" if liff else "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": (" ".join(settings.frame_ancestors) or "'none'") if framed else "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())
