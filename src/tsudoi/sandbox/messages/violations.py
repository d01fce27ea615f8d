"""The list of what is wrong in one request body, and the checks that every kind of message shares."""

import ipaddress
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tsudoi.sandbox.errors import Detail

URL_LENGTH = 2000
EMPTY = "May not be empty"


def utf16_units(text: str) -> int:
    """The length as LINE counts it: an emoji outside the basic plane counts as two."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)  # noqa: PLR2004


class Violations(list[Detail]):
    """Everything that is wrong in one request body. Each check adds what it finds."""

    def add(self, path: str, message: str) -> None:
        self.append(Detail(path, message))

    def text(self, value: Any, path: str, limit: int) -> None:
        """Checks a text that is required."""
        if not isinstance(value, str) or not value:
            self.add(path, EMPTY)
        elif utf16_units(value) > limit:
            self.add(path, f"Length must be between 0 and {limit}")

    def optional_text(self, value: Any, path: str, limit: int) -> None:
        if value is not None:
            self.text(value, path, limit)

    def one_of(self, value: Any, path: str, allowed: tuple[str, ...]) -> bool:
        if isinstance(value, str) and value in allowed:
            return True
        self.add(path, f"Must be one of the following values: [{', '.join(allowed)}]")
        return False

    def items(self, value: Any, path: str, least: int, most: int) -> list[Any]:
        """The entries of a list of allowed length, or none when the list itself is wrong."""
        if not isinstance(value, list):
            self.add(path, EMPTY)
            return []
        if not least <= len(value) <= most:
            self.add(path, f"Size must be between {least} and {most}")
            return []
        return value

    def object(self, value: Any, path: str) -> dict[str, Any] | None:
        if isinstance(value, dict):
            return value
        self.add(path, EMPTY)
        return None

    def number(self, value: Any, path: str, least: float, most: float) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.add(path, "Must be a number")
        elif not least <= value <= most:
            self.add(path, f"Must be between {least} and {most}")

    def content_url(self, value: Any, path: str) -> None:
        """LINE fetches content over https. Only the demo on loopback, which has no certificate, may use http."""
        before = len(self)
        self.text(value, path, URL_LENGTH)
        if len(self) > before:
            return
        parts = _split(value)
        if parts is None or not parts.hostname:
            self.add(path, "Must be a valid URL")
        elif parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
            self.add(path, "Must be a valid HTTPS URL")


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
    """Whether it is https, or http on loopback. The rule is the same for a webhook address and for content."""
    violations = Violations()
    violations.content_url(url, "")
    return not violations and len(url) <= limit
