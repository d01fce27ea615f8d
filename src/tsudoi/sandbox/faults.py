"""Decides which call goes wrong and how. Each rule has a seeded random generator, so that a run can be repeated."""

import random
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

ENDPOINTS = (
    *("push", "multicast", "reply", "broadcast", "validate", "quota", "profile", "followers", "rich_menu"),
    *("webhook_endpoint", "info", "verify", "certs", "sheets", "google_token", "smtp"),
)
EVERY_ENDPOINT = "*"
# All calls to LINE and none to Google or the mail server: LINE can be down while they are up.
EVERY_LINE_ENDPOINT = "line"
SMTP_ENDPOINT = "smtp"
_NOT_LINE = ("sheets", "google_token", SMTP_ENDPOINT)


class FaultKind(StrEnum):
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
    # The mail server refuses the sender and leaves; refuses the recipient for now; refuses the recipient for good.
    SMTP_421 = "smtp_421"
    SMTP_450 = "smtp_450"
    SMTP_550 = "smtp_550"
    # It says nothing before the content; it answers one byte at a time without end.
    SMTP_SILENCE = "smtp_silence"
    DRIP = "drip"


_ONLY_SMTP = (FaultKind.SMTP_421, FaultKind.SMTP_450, FaultKind.SMTP_550, FaultKind.SMTP_SILENCE, FaultKind.DRIP)
_ALSO_SMTP = (
    FaultKind.TIMEOUT_AFTER_ACCEPT,
    FaultKind.TIMEOUT_BEFORE_ACCEPT,
    FaultKind.SLOW,
    FaultKind.DROP_CONNECTION,
)


# How long a call is kept waiting where the rule names no time of its own.
_DEFAULT_SECONDS = {
    FaultKind.TIMEOUT_AFTER_ACCEPT: 30.0,
    FaultKind.TIMEOUT_BEFORE_ACCEPT: 30.0,
    FaultKind.SLOW: 1.0,
    FaultKind.SMTP_SILENCE: 60.0,
    FaultKind.DRIP: 60.0,
}


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call."""

    kind: FaultKind
    seconds: float


@dataclass
class FaultRule:
    """Which calls go wrong, how, and how often."""

    id: str
    kind: FaultKind
    endpoint: str = EVERY_ENDPOINT
    percent: float = 100.0
    seed: int = 0
    seconds: float | None = None
    times: int | None = None
    seen: int = 0
    fired: int = 0
    _generator: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """A rule that was kept over a restart goes on where its random generator had stopped."""
        self._generator = random.Random(self.seed)  # noqa: S311 - a fault must be repeatable, not secret.
        for _ in range(self.seen):
            self._generator.random()

    def concerns(self, endpoint: str, *, has_retry_key: bool) -> bool:
        """Whether the rule applies. A 409 is about a retry key, so a call without one cannot get it."""
        if self.kind is FaultKind.CONFLICT and not has_retry_key:
            return False
        if self.kind not in (*_ONLY_SMTP, *_ALSO_SMTP) if endpoint == SMTP_ENDPOINT else self.kind in _ONLY_SMTP:
            return False
        if self.endpoint == EVERY_LINE_ENDPOINT:
            return endpoint not in _NOT_LINE
        return self.endpoint in (EVERY_ENDPOINT, endpoint)

    def roll(self) -> bool:
        self.seen += 1
        hit = self._generator.random() * 100 < self.percent
        return hit and (self.times is None or self.fired < self.times)

    def as_json(self) -> dict[str, Any]:
        names = ("id", "kind", "endpoint", "percent", "seed", "seconds", "times", "seen", "fired")
        return {name: getattr(self, name) for name in names}


@dataclass
class Faults:
    """The rules in force. If several hit the same call, the first one counts."""

    rules: list[FaultRule] = field(default_factory=list)

    def decide(self, endpoint: str, *, has_retry_key: bool = False) -> Fault | None:
        """Every rule that applies draws a number for every call, so that no rule changes the numbers of another."""
        concerned = [rule for rule in self.rules if rule.concerns(endpoint, has_retry_key=has_retry_key)]
        hits = [rule for rule in concerned if rule.roll()]
        if not hits:
            return None
        rule = hits[0]
        rule.fired += 1
        return Fault(rule.kind, _DEFAULT_SECONDS.get(rule.kind, 0.0) if rule.seconds is None else rule.seconds)
