"""A face for everybody who has none: a round colour with the first character of the name."""

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


ACCOUNT_AVATAR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">'
    '<circle cx="48" cy="48" r="48" fill="#1f9d6b"/>'
    '<g fill="#fff"><circle cx="48" cy="30" r="10"/><circle cx="27" cy="43" r="8"/><circle cx="69" cy="43" r="8"/>'
    '<path d="M30 76c0-15 8-25 18-25s18 10 18 25z"/><path d="M14 72c0-11 5-18 13-18 2 0 3 0 4 1-4 5-6 11-7 17z"/>'
    '<path d="M82 72c0-11-5-18-13-18-2 0-3 0-4 1 4 5 6 11 7 17z"/></g></svg>'
)
