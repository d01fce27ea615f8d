"""Decides which call goes wrong and how. Each rule has a seeded random generator, so that a run can be repeated."""

import random
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from tsudoi.sandbox.fault_places import DEFAULT_STATUSES, EVERY_ENDPOINT, GROUPS, STRIPE_WEBHOOK, FaultKind, can_happen

# How long a call is kept waiting where the rule names no time of its own.
_DEFAULT_SECONDS = {
    FaultKind.TIMEOUT_AFTER_ACCEPT: 30.0,
    FaultKind.TIMEOUT_BEFORE_ACCEPT: 30.0,
    FaultKind.SLOW: 1.0,
    FaultKind.WEBHOOK_DELAYED: 10.0,
    FaultKind.SMTP_SILENCE: 60.0,
    FaultKind.SMTP_DRIP: 60.0,
}
_SHOWN = (
    *("id", "kind", "endpoint", "percent", "seed", "seconds", "times", "path", "token", "status", "retry_after"),
    *("location", "body", "seen", "fired"),
)


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call. What follows the seconds is for faults that replace the answer."""

    kind: FaultKind
    seconds: float
    status: int = 0
    retry_after: int | None = None
    location: str | None = None
    body: str | None = None


@dataclass(frozen=True)
class ArrivedCall:
    """What rules look at: the endpoint, and what else the rule may name."""

    endpoint: str
    has_retry_key: bool = False
    path: str = ""
    token: str = ""


@dataclass
class FaultRule:
    """Which calls go wrong, how, and how often. `path` may have wildcards; `token` is the caller's credential."""

    id: str
    kind: FaultKind
    endpoint: str = EVERY_ENDPOINT
    percent: float = 100.0
    seed: int = 0
    seconds: float | None = None
    times: int | None = None
    seen: int = 0
    fired: int = 0
    path: str | None = None
    token: str | None = None
    status: int | None = None
    retry_after: int | None = None
    location: str | None = None
    body: str | None = None
    _generator: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """A rule that was kept over a restart goes on where its random generator had stopped."""
        self._generator = random.Random(self.seed)  # noqa: S311 - a fault must be repeatable, not secret.
        for _ in range(self.seen):
            self._generator.random()

    def concerns(self, call: ArrivedCall) -> bool:
        """Whether the rule applies. A 409 is about a retry key, so a call without one cannot get it."""
        if self.kind is FaultKind.CONFLICT and not call.has_retry_key:
            return False
        if self.path is not None and not fnmatchcase(call.path, self.path):
            return False
        if self.token is not None and self.token != call.token:
            return False
        names = GROUPS.get(self.endpoint, (self.endpoint,))
        return can_happen(self.kind, call.endpoint) and (self.endpoint == EVERY_ENDPOINT or call.endpoint in names)

    def roll(self) -> bool:
        self.seen += 1
        hit = self._generator.random() * 100 < self.percent
        return hit and (self.times is None or self.fired < self.times)

    def fire(self) -> Fault:
        self.fired += 1
        return Fault(
            self.kind,
            _DEFAULT_SECONDS.get(self.kind, 0.0) if self.seconds is None else self.seconds,
            DEFAULT_STATUSES.get(self.kind, 0) if self.status is None else self.status,
            self.retry_after,
            self.location,
            self.body,
        )

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _SHOWN}


@dataclass
class Faults:
    """The rules in force. If several hit the same call, the first one counts."""

    rules: list[FaultRule] = field(default_factory=list)

    def decide(self, endpoint: str, *, has_retry_key: bool = False, path: str = "", token: str = "") -> Fault | None:
        """Every rule that applies draws a number for every call, so that no rule changes the numbers of another."""
        call = ArrivedCall(endpoint, has_retry_key, path, token)
        hits = [rule for rule in self.rules if rule.concerns(call) and rule.roll()]
        return hits[0].fire() if hits else None

    def of_webhook(self, *kinds: FaultKind) -> dict[FaultKind, Fault]:
        """The faults of these kinds for one webhook of Stripe. It can be late and come twice."""
        call = ArrivedCall(STRIPE_WEBHOOK)
        concerned = [rule for rule in self.rules if rule.kind in kinds and rule.concerns(call)]
        return {rule.kind: rule.fire() for rule in concerned if rule.roll()}
