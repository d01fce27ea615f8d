"""The frame of the few pages that the sandbox renders itself."""

from html import escape
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse

from tsudoi.sandbox.config import SandboxConfig

# Pictures may come from anywhere: a message names them, as it does in LINE.
_OWN_PAGE = (
    "default-src 'none'; style-src 'self'; img-src 'self' data: https: http:; "
    "base-uri 'none'; form-action 'self'{}; frame-ancestors 'self'; frame-src {}"
)


def phones_policy(config: SandboxConfig) -> str:
    """The phones page frames the product's pages, and opens what a message links to."""
    product = urlsplit(config.product_url)
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data: blob: https: http:; media-src https: http:; connect-src 'self'; font-src 'self'; "
        f"manifest-src 'self'; frame-src 'self' {product.scheme}://{product.netloc} https: http:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
    )


def page(
    title: str, body: str, status: int = 200, *, wide: bool = False, leads_to: str = "", frames: bool = False
) -> HTMLResponse:
    """`leads_to`: the origin to which a form of the page redirects. Browsers follow a form to no other one.

    `frames`: whether the page shows another page of the sandbox inside itself.
    """
    # Under `no-referrer` a browser hides where a form comes from, and the sandbox could not recognise its own form.
    html = (
        '<!doctype html><html lang="ja"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="same-origin">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/_sandbox/page.css">'
        f"</head><body><main{' class=wide' if wide else ''}><h1>{escape(title)}</h1>{body}</main></body></html>"
    )
    policy = _OWN_PAGE.format(f" {leads_to}" if leads_to else "", "'self'" if frames else "'none'")
    return HTMLResponse(html, status, {"content-security-policy": policy, "cache-control": "no-store"})
