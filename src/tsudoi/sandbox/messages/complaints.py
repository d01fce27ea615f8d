"""The complaints about one request body, and the checks that every kind of message shares."""

import ipaddress
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tsudoi.sandbox.errors import Detail

URL_LENGTH = 2000
EMPTY = "May not be empty"


def utf16_units(text: str) -> int:
    """LINE counts as its apps do: an emoji outside the basic plane is two."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)  # noqa: PLR2004


class Complaints(list[Detail]):
    def say(self, path: str, message: str) -> None:
        self.append(Detail(path, message))

    def text(self, value: Any, path: str, limit: int) -> None:
        """A text that must be there."""
        if not isinstance(value, str) or not value:
            self.say(path, EMPTY)
        elif utf16_units(value) > limit:
            self.say(path, f"Length must be between 0 and {limit}")

    def optional_text(self, value: Any, path: str, limit: int) -> None:
        if value is not None:
            self.text(value, path, limit)

    def one_of(self, value: Any, path: str, allowed: tuple[str, ...]) -> bool:
        if isinstance(value, str) and value in allowed:
            return True
        self.say(path, f"Must be one of the following values: [{', '.join(allowed)}]")
        return False

    def items(self, value: Any, path: str, least: int, most: int) -> list[Any]:
        """The entries of a list of allowed length, or none when the list itself is wrong."""
        if not isinstance(value, list):
            self.say(path, EMPTY)
            return []
        if not least <= len(value) <= most:
            self.say(path, f"Size must be between {least} and {most}")
            return []
        return value

    def thing(self, value: Any, path: str) -> dict[str, Any] | None:
        if isinstance(value, dict):
            return value
        self.say(path, EMPTY)
        return None

    def number(self, value: Any, path: str, least: float, most: float) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.say(path, "Must be a number")
        elif not least <= value <= most:
            self.say(path, f"Must be between {least} and {most}")

    def content_url(self, value: Any, path: str) -> None:
        """Content must be fetched over https. Only the box itself, on loopback, has no certificate to show."""
        before = len(self)
        self.text(value, path, URL_LENGTH)
        if len(self) > before:
            return
        parts = _split(value)
        if parts is None or not parts.hostname:
            self.say(path, "Must be a valid URL")
        elif parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
            self.say(path, "Must be a valid HTTPS URL")


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def is_reachable_url(url: Any, limit: int) -> bool:
    """Https, or http on loopback: the rule for a webhook address as well as for content."""
    complaints = Complaints()
    complaints.content_url(url, "")
    return not complaints and len(url) <= limit
