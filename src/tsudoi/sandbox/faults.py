"""Which call goes wrong, and how: decided by rules with their own seeded dice, so that a run can be repeated."""

import random
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

ENDPOINTS = (
    "push",
    "multicast",
    "reply",
    "broadcast",
    "validate",
    "quota",
    "profile",
    "followers",
    "rich_menu",
    "webhook_endpoint",
    "info",
    "verify",
    "certs",
    "sheets",
    "google_token",
)
EVERY_ENDPOINT = "*"
# LINE can be down while Google is up.
EVERY_LINE_ENDPOINT = "line"
_GOOGLE = ("sheets", "google_token")


class Kind(StrEnum):
    """The ways in which a call can go wrong."""

    TIMEOUT_AFTER_ACCEPT = "timeout_after_accept"
    TIMEOUT_BEFORE_ACCEPT = "timeout_before_accept"
    ERROR_500_BEFORE = "error_500_before"
    ERROR_500_AFTER = "error_500_after"
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    CONFLICT = "conflict"
    SLOW = "slow"
    DROP_CONNECTION = "drop_connection"


# How long a call is kept waiting where the rule names no time of its own.
_DEFAULT_SECONDS = {Kind.TIMEOUT_AFTER_ACCEPT: 30.0, Kind.TIMEOUT_BEFORE_ACCEPT: 30.0, Kind.SLOW: 1.0}


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call."""

    kind: Kind
    seconds: float


@dataclass
class Rule:
    """Which calls go wrong, how, and how often."""

    id: str
    kind: Kind
    endpoint: str = EVERY_ENDPOINT
    percent: float = 100.0
    seed: int = 0
    seconds: float | None = None
    times: int | None = None
    seen: int = 0
    fired: int = 0
    _dice: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """A rule that was kept over a restart goes on where its dice had stopped."""
        self._dice = random.Random(self.seed)  # noqa: S311 - a fault must be repeatable, not secret.
        for _ in range(self.seen):
            self._dice.random()

    def concerns(self, endpoint: str, *, has_retry_key: bool) -> bool:
        """A 409 speaks of a retry key, so a call without one cannot meet it."""
        if self.kind is Kind.CONFLICT and not has_retry_key:
            return False
        if self.endpoint == EVERY_LINE_ENDPOINT:
            return endpoint not in _GOOGLE
        return self.endpoint in (EVERY_ENDPOINT, endpoint)

    def throw(self) -> bool:
        self.seen += 1
        hit = self._dice.random() * 100 < self.percent
        return hit and (self.times is None or self.fired < self.times)

    def fire(self) -> Fault:
        self.fired += 1
        seconds = _DEFAULT_SECONDS.get(self.kind, 0.0) if self.seconds is None else self.seconds
        return Fault(self.kind, seconds)

    def as_json(self) -> dict[str, Any]:
        names = ("id", "kind", "endpoint", "percent", "seed", "seconds", "times", "seen", "fired")
        return {name: getattr(self, name) for name in names}


@dataclass
class Faults:
    """The rules in force, the first that hits being the one that counts."""

    rules: list[Rule] = field(default_factory=list)

    def decide(self, endpoint: str, *, has_retry_key: bool = False) -> Fault | None:
        """Every rule concerned throws its dice on every call, so that one rule's luck never shifts another's."""
        concerned = [rule for rule in self.rules if rule.concerns(endpoint, has_retry_key=has_retry_key)]
        hits = [rule for rule in concerned if rule.throw()]
        return hits[0].fire() if hits else None
