"""Keeps the requests to the outside systems as they arrived, so that a test can see what the product really sent.

They are not kept over a restart, because they hold the credentials of the product.
"""

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Scope

from tsudoi.sandbox.clock import iso

KEPT = 2_000
_LONGEST_BODY = 20_000
# The first match counts.
_SYSTEMS = (
    ("/reserve/", "stores"),
    ("/chatwork/v2/", "chatwork"),
    ("/twilio/", "twilio"),
    ("/karaden/", "karaden"),
    ("/openai/", "openai"),
    ("/v1beta/", "gemini"),
    ("/v1/", "stripe"),
    ("/v2/", "line"),
    ("/oauth2/", "line"),
    ("/v4/", "google"),
    ("/token", "google"),
    ("/elsewhere", "elsewhere"),
)
SYSTEMS = tuple(dict.fromkeys(system for _, system in _SYSTEMS))


@dataclass(slots=True)
class ReceivedRequest:
    """One request. It has no status until it is answered, and none at all if it never is."""

    n: int
    at: int
    system: str
    method: str
    path: str
    query_string: str
    headers: dict[str, str]
    body: str = ""
    status: int | None = None

    def take_body(self, raw: bytes) -> None:
        self.body = raw[: 4 * _LONGEST_BODY].decode("utf-8", "replace")[:_LONGEST_BODY]

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "at": iso(self.at),
            "system": self.system,
            "method": self.method,
            "path": self.path,
            "query": dict(parse_qsl(self.query_string, keep_blank_values=True)),
            "query_string": self.query_string,
            "headers": self.headers,
            "body": self.body,
            "status": self.status,
        }


@dataclass
class ReceivedRequests:
    """The newest requests, numbered from one, and how many came to each system since they were last cleared."""

    _rows: deque[ReceivedRequest] = field(default_factory=lambda: deque(maxlen=KEPT))
    _counts: Counter[str] = field(default_factory=Counter)
    _count: int = 0

    def add(self, scope: Scope, now: int) -> ReceivedRequest | None:
        """Notes a request as soon as it has arrived. A path that belongs to no outside system is not noted."""
        system = next((name for prefix, name in _SYSTEMS if scope["path"].startswith(prefix)), None)
        if system is None:
            return None
        self._count += 1
        self._counts[system] += 1
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        query = scope["query_string"].decode("latin-1")
        row = ReceivedRequest(self._count, now, system, scope["method"], scope["path"], query, headers)
        self._rows.append(row)
        return row

    def listed(self, system: str | None, after: int) -> list[ReceivedRequest]:
        return [row for row in self._rows if row.n > after and system in (None, row.system)]

    def counts(self) -> dict[str, int]:
        return {system: self._counts[system] for system in SYSTEMS}

    def clear(self, system: str | None) -> None:
        """The numbers go on, so that `after` keeps its meaning."""
        kept = [row for row in self._rows if system not in (None, row.system)]
        self._rows.clear()
        self._rows.extend(kept)
        for each in SYSTEMS if system is None else (system,):
            self._counts[each] = 0
