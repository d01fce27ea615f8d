"""Draws a picture for users who have none: a coloured circle with the first character of the name."""

import hashlib
from html import escape


def avatar(seed: str, name: str) -> str:
    hue = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:2]) % 360
    first = name.strip()[:1]
    letter = escape(first) if first.isprintable() and first else "?"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">'
        f'<circle cx="48" cy="48" r="48" fill="hsl({hue} 58% 52%)"/>'
        '<text x="48" y="50" fill="#fff" font-family="sans-serif" font-size="46" font-weight="600"'
        f' text-anchor="middle" dominant-baseline="central">{letter}</text></svg>'
    )


# The product's own mark: people gathered around a table, one of them just arriving.
ACCOUNT_AVATAR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="96" height="96" role="img">'
    '<rect width="48" height="48" fill="#1f5f57"/>'
    '<circle cx="24" cy="24.5" r="6.25" fill="none" stroke="#fff" stroke-width="2.75"/>'
    '<g fill="#fff"><circle cx="37.3" cy="20.2" r="3.6"/><circle cx="32.2" cy="35.8" r="3.6"/>'
    '<circle cx="15.8" cy="35.8" r="3.6"/><circle cx="10.7" cy="20.2" r="3.6"/></g>'
    '<circle cx="24" cy="10.5" r="3.6" fill="#f4a88d"/></svg>'
)
