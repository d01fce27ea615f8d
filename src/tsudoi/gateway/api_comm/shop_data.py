"""What API_COMM needs to know and to write down, as an interface. The context `shops` implements it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from tsudoi.gateway.api_comm.breaker import OutsideCondition
from tsudoi.gateway.api_comm.parameters import FoundValue

Severity = Literal["info", "warn", "critical"]
AlarmChannel = Literal["chatwork", "email", "sms"]
AttemptKind = Literal["alarm", "all_clear"]
AttemptOutcome = Literal["sent", "failed", "unknown", "skipped"]
FoundParameters = Mapping[str, Sequence[FoundValue]]

STORES = "stores"
# The order in which channels are tried when one has to stand in for the one before.
ALARM_CHANNELS: tuple[AlarmChannel, ...] = ("chatwork", "email", "sms")


@dataclass(frozen=True, slots=True)
class ShopFacts:
    """Everything about a shop that a call to STORES needs, from one snapshot."""

    id: int
    code: str
    merchant_canonical_id: str | None
    # None: there is none, or it cannot be opened with the keys of the settings.
    token: str | None = field(repr=False)
    has_token: bool
    parameters: FoundParameters
    condition: OutsideCondition


@dataclass(frozen=True, slots=True)
class AlarmRule:
    """Who is told about a kind of trouble, on which channels, and how often at most."""

    rule_code: str
    severity: Severity
    channels: tuple[AlarmChannel, ...]
    chatwork_room_id: str | None = None
    email_to: str | None = field(default=None, repr=False)
    sms_to: str | None = field(default=None, repr=False)
    throttle: timedelta = timedelta(minutes=30)
    active: bool = True
    # True: the channels are tried one after the other until one takes the message.
    fallback: bool = False
    # True: no SMS between 22 and 7 o'clock in Japan, unless the trouble is critical.
    quiet_hours: bool = True
    snoozed_until: datetime | None = None


def cause_of(rule_code: str, shop_id: int | None, component: str) -> str:
    """The `dedupe_key` of the ticket of a trouble that the product found itself."""
    return f"{rule_code}|{shop_id or 0}|{component}"


@dataclass(frozen=True, slots=True)
class AlarmDraft:
    """A trouble to be noted. It holds ids and codes, and no personal data."""

    rule: AlarmRule
    shop_id: int | None
    component: str
    title: str
    details: Mapping[str, Any]
    # None: it was seen in no request, or in more than one.
    request_id: str | None
    channel: str
    # Somebody asked for it by `notify.escalation`, and only people know when it is over.
    asked_for: bool = False

    @property
    def cause(self) -> str:
        """The same trouble has the same cause, and one ticket until it is closed."""
        cause = cause_of(self.rule.rule_code, self.shop_id, self.component)
        return f"{cause}|asked" if self.asked_for else cause


@dataclass(frozen=True, slots=True)
class NotedAlarm:
    """The ticket of a trouble, and whether this call is the one that tells the channels."""

    ticket_id: int
    occurrences: int
    may_send: bool
    # When the trouble was seen first.
    since: datetime


@dataclass(frozen=True, slots=True)
class ChannelAttempt:
    """What one channel did with a message."""

    channel: AlarmChannel
    outcome: AttemptOutcome
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ClearedTicket:
    """A ticket whose trouble is over, and whose channels have to be told by this call."""

    ticket_id: int
    rule_code: str
    # The channels that took the latest alarm. Only they hear the all-clear. Empty: nobody was told of the trouble.
    channels: tuple[AlarmChannel, ...]
    # When they were told; None: nobody waits for the all-clear.
    alarmed_at: datetime | None = None


class ShopData(Protocol):
    """The tables of the shops, as far as API_COMM uses them. Each method is one transaction."""

    def now(self) -> datetime: ...

    def shop(self, shop_id: int) -> ShopFacts | None: ...

    def shop_code(self, shop_id: int) -> str | None: ...

    def ticket_address(self, ticket_id: int) -> str:
        """The page about a ticket, as a link in an alarm."""
        ...

    def parameters(self, shop_id: int | None) -> FoundParameters: ...

    def healthcheck_shop(self, preferred: int | None) -> ShopFacts | None:
        """The preferred shop, or else the first open one that has a token and a merchant id."""
        ...

    def line_link(self, shop_id: int, line_user_id: str) -> str | None: ...

    def take_probe(self, shop_id: int, system: str, until: datetime) -> bool:
        """Whether this call is the one that finds out if the system works again."""
        ...

    def note_success(self, shop_id: int, system: str) -> int:
        """Close the breaker. The number of failures in a row that this success ends."""
        ...

    def note_working(self, shop_id: int, system: str) -> None:
        """Remember when the system last worked, without touching the count of failures. Nobody waits for it."""
        ...

    def note_failure(self, shop_id: int, system: str, error: str, open_after: int | None, open_seconds: int) -> int:
        """Count a failure and open the breaker after so many; None: not by this one. How many in a row there are."""
        ...

    def note_trouble(self, shop_id: int, system: str, error: str) -> None:
        """Remember what went wrong for the lights of the office, without counting it."""
        ...

    def note_event(
        self, event_type: str, channel: str | None, shop_id: int | None, payload: Mapping[str, Any]
    ) -> None: ...

    def alarm_rule(self, rule_code: str) -> AlarmRule | None: ...

    def channels_out(self) -> frozenset[AlarmChannel]:
        """The channels whose own system is out now."""
        ...

    def note_alarm(self, draft: AlarmDraft) -> NotedAlarm: ...

    def note_attempts(
        self, ticket_id: int, rule: AlarmRule, kind: AttemptKind, request_id: str, attempts: Sequence[ChannelAttempt]
    ) -> None:
        """If an alarm surely reached nobody, the next occurrence may try again after a minute."""
        ...

    def clear_tickets(self, causes: Sequence[str]) -> list[ClearedTicket]:
        """Close the tickets of these causes, because the trouble is over. Each is handed out once."""
        ...

    def note_check(self, code: str, results: Mapping[str, Any], asked_by: str, request_id: str) -> None: ...
