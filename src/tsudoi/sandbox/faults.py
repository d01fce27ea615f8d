"""Decides which call goes wrong and how. Each rule has a seeded random generator, so that a run can be repeated."""

import random
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

ENDPOINTS = (
    *("push", "multicast", "reply", "broadcast", "validate", "quota", "profile", "followers", "rich_menu"),
    *("webhook_endpoint", "info", "verify", "certs", "sheets", "google_token", "smtp"),
    *("stripe_create", "stripe_session", "stripe_list", "stripe_expire", "stripe_refund", "stripe_payment"),
    *("stripe_events", "stripe_webhook"),
)
EVERY_ENDPOINT = "*"
# All calls to LINE, or all calls to Stripe: one can be down while the others are up.
GROUPS = EVERY_LINE_ENDPOINT, EVERY_STRIPE_ENDPOINT = "line", "stripe"
# What Stripe posts to the product. Its faults are other ones than those of calls.
STRIPE_WEBHOOK = "stripe_webhook"
# A mail to the mail server.
SMTP_ENDPOINT = "smtp"
_OF_OTHERS = ("sheets", "google_token", SMTP_ENDPOINT)


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
    # Of Stripe alone: the buyer pays in the moment in which the product expires the session.
    EXPIRE_LOSES_RACE = "expire_loses_race"
    WEBHOOK_REPEATED = "webhook_repeated"
    WEBHOOK_DELAYED = "webhook_delayed"
    WEBHOOK_REORDERED = "webhook_reordered"
    WEBHOOK_BAD_SIGNATURE = "webhook_bad_signature"
    WEBHOOK_DROPPED = "webhook_dropped"
    # Of the mail server alone: it refuses and leaves; refuses the recipient for now; refuses the recipient for good.
    SMTP_421 = "smtp_421"
    SMTP_450 = "smtp_450"
    SMTP_550 = "smtp_550"
    # It says nothing before the content; it answers one byte at a time without end.
    SMTP_SILENCE = "smtp_silence"
    SMTP_DRIP = "smtp_drip"


_OF_WEBHOOKS = frozenset(kind for kind in FaultKind if kind.startswith("webhook_"))
_OF_SMTP = frozenset(kind for kind in FaultKind if kind.startswith("smtp_"))
_ALSO_OF_SMTP = frozenset(
    {
        FaultKind.TIMEOUT_AFTER_ACCEPT,
        FaultKind.TIMEOUT_BEFORE_ACCEPT,
        FaultKind.SLOW,
        FaultKind.DROP_CONNECTION,
    }
)


def _can_happen(kind: FaultKind, endpoint: str) -> bool:
    """A webhook of Stripe is no call and has faults of its own, and nothing but an expiry can lose a race.

    The mail server speaks another protocol, with refusals of its own.
    """
    if kind in _OF_WEBHOOKS or endpoint == STRIPE_WEBHOOK:
        return kind in _OF_WEBHOOKS and endpoint == STRIPE_WEBHOOK
    if kind in _OF_SMTP or endpoint == SMTP_ENDPOINT:
        return kind in _OF_SMTP | _ALSO_OF_SMTP and endpoint == SMTP_ENDPOINT
    if kind is FaultKind.EXPIRE_LOSES_RACE:
        return endpoint == "stripe_expire"
    return kind is not FaultKind.QUOTA_EXHAUSTED or not endpoint.startswith("stripe_")


# How long a call is kept waiting where the rule names no time of its own.
_DEFAULT_SECONDS = {
    FaultKind.TIMEOUT_AFTER_ACCEPT: 30.0,
    FaultKind.TIMEOUT_BEFORE_ACCEPT: 30.0,
    FaultKind.SLOW: 1.0,
    FaultKind.WEBHOOK_DELAYED: 10.0,
    FaultKind.SMTP_SILENCE: 60.0,
    FaultKind.SMTP_DRIP: 60.0,
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
        if not _can_happen(self.kind, endpoint):
            return False
        of_stripe = endpoint.startswith("stripe_")
        groups = {
            EVERY_ENDPOINT: True,
            EVERY_LINE_ENDPOINT: not of_stripe and endpoint not in _OF_OTHERS,
            EVERY_STRIPE_ENDPOINT: of_stripe,
        }
        return groups.get(self.endpoint, self.endpoint == endpoint)

    def roll(self) -> bool:
        self.seen += 1
        hit = self._generator.random() * 100 < self.percent
        return hit and (self.times is None or self.fired < self.times)

    def fire(self) -> Fault:
        self.fired += 1
        return Fault(self.kind, _DEFAULT_SECONDS.get(self.kind, 0.0) if self.seconds is None else self.seconds)

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
        return hits[0].fire() if hits else None

    def of_webhook(self, *kinds: FaultKind) -> dict[FaultKind, Fault]:
        """The faults of these kinds for one webhook of Stripe. It can be late and come twice."""
        concerned = [
            rule for rule in self.rules if rule.kind in kinds and rule.concerns(STRIPE_WEBHOOK, has_retry_key=False)
        ]
        return {rule.kind: rule.fire() for rule in concerned if rule.roll()}
