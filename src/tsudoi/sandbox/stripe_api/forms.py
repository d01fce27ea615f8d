"""Reads form bodies and queries with bracketed names, and refuses what Stripe refuses."""

import re
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tsudoi.sandbox.stripe.refusals import empty, invalid, missing, unknown_parameter

Pairs = list[tuple[str, str]]
_NAME = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
_METADATA_KEYS, _METADATA_KEY, _METADATA_VALUE = 50, 40, 500
_DIGITS = 12


def pairs_of(raw: str) -> Pairs:
    return parse_qsl(raw, keep_blank_values=True)


def nested(pairs: Pairs) -> dict[str, Any]:
    """`a[b]=1` becomes `{"a": {"b": "1"}}`. Lists are objects with the keys 0, 1, and so on, or `[]`."""
    root: dict[str, Any] = {}
    for name, value in pairs:
        found = _NAME.fullmatch(name)
        if found is None:
            raise unknown_parameter(name)
        steps = [found[1], *re.findall(r"\[([^\[\]]*)\]", found[2])]
        place = root
        for step in steps[:-1]:
            inner = place.setdefault(step or str(len(place)), {})
            if not isinstance(inner, dict):
                raise invalid(f"Invalid object: {name}", name)
            place = inner
        place[steps[-1] or str(len(place))] = value
    return root


class Parameters:
    """The parameters of one object. `path` is its name in the request, such as `line_items[0][price_data]`."""

    def __init__(self, values: Any, path: str = "") -> None:
        if not isinstance(values, dict):
            raise invalid("Invalid object", path)
        self.values: dict[str, Any] = values
        self._path = path

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def named(self, name: str) -> str:
        return f"{self._path}[{name}]" if self._path else name

    def only(self, *names: str) -> None:
        for name in self.values:
            if name not in names:
                raise unknown_parameter(self.named(name))

    def text(self, name: str, most: int = 5000) -> str | None:
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise invalid("Invalid string", self.named(name))
        if not value:
            raise empty(self.named(name))
        if len(value) > most:
            raise invalid(f"Invalid string: must be at most {most} characters", self.named(name))
        return value

    def required(self, name: str, most: int = 5000) -> str:
        value = self.text(name, most)
        if value is None:
            raise missing(self.named(name))
        return value

    def one_of(self, name: str, allowed: Collection[str]) -> str | None:
        value = self.text(name)
        if value is not None and value not in allowed:
            raise invalid(f"Invalid {self.named(name)}: must be one of {', '.join(allowed)}", self.named(name))
        return value

    def whole(self, name: str) -> int | None:
        value = self.text(name)
        if value is None:
            return None
        if not re.fullmatch(rf"-?[0-9]{{1,{_DIGITS}}}", value):
            raise invalid(f"Invalid integer: {value}", self.named(name), "parameter_invalid_integer")
        return int(value)

    def url(self, name: str) -> str | None:
        value = self.text(name)
        if value is not None and (urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).netloc):
            raise invalid("Not a valid URL", self.named(name), "url_invalid")
        return value

    def inner(self, name: str) -> "Parameters":
        return Parameters(self.values.get(name, {}), self.named(name))

    def entries(self, name: str) -> list[Any]:
        values = self.values.get(name, {})
        if not isinstance(values, dict) or not all(key.isdigit() for key in values):
            raise invalid("Invalid array", self.named(name))
        return list(values.values())

    def texts(self, name: str) -> list[str]:
        entries = self.entries(name)
        if not all(isinstance(entry, str) for entry in entries):
            raise invalid("Invalid array", self.named(name))
        return entries

    def metadata(self, name: str = "metadata") -> dict[str, str]:
        inner = self.inner(name)
        if len(inner.values) > _METADATA_KEYS:
            raise invalid("Metadata can have up to 50 keys", inner.named(""))
        for key, value in inner.values.items():
            if len(key) > _METADATA_KEY:
                message = "Metadata keys can have up to 40 characters in their name. You passed in a name with"
                raise invalid(f"{message} {len(key)} characters. Invalid name: {key}", inner.named(key))
            if not isinstance(value, str) or len(value) > _METADATA_VALUE:
                message = "Metadata values can have up to 500 characters, but you passed in a value that is"
                raise invalid(f"{message} {len(value)} characters. Invalid value: {value}", inner.named(key))
        # An empty value removes the key.
        return {key: value for key, value in inner.values.items() if value}
