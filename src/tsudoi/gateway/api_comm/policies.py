"""The time limits and attempts of one call, out of the parameters that hold for it. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from tsudoi.gateway.api_comm.parameters import EffectiveValue, effective
from tsudoi.gateway.api_comm.shop_data import FoundParameters
from tsudoi.gateway.http import SERVER_TROUBLE, CallPolicy, Pool

STORES_POOL = Pool("api-comm-stores", 16)
OTHERS_POOL = Pool("api-comm-others", 16)
# How long somebody waits altogether. A person stands in front of the door; a nightly run has time.
_PATIENCE: Mapping[str, float] = {"help": 15, "line": 15, "shop": 25, "ai": 25, "cron": 60}
_FIRST_PAUSE = 0.2
_ON_THE_SIDE = timedelta(seconds=4)


class CallLimits:
    """Reads parameters and remembers which stored values make no sense, so that the caller can report them."""

    def __init__(self, found: FoundParameters) -> None:
        self._found = found
        self.skipped: list[tuple[str, str]] = []

    def number(self, key: str) -> int:
        value = self._effective(key).value
        assert value is not None  # noqa: S101 (these parameters have a default in the code)
        return value

    def optional(self, key: str) -> int | None:
        return self._effective(key).value

    def stores(self, channel: str, *, once: bool) -> CallPolicy:
        retries = 0 if once else self.number("stores_api_retry_count")
        return _read_policy(STORES_POOL, self.number("stores_api_timeout_sec"), retries, _PATIENCE[channel])

    def reading(self, channel: str) -> CallPolicy:
        return _read_policy(
            OTHERS_POOL, self.number("api_timeout_sec"), self.number("api_retry_count"), _PATIENCE[channel]
        )

    def posting(self, channel: str) -> CallPolicy:
        """A message is posted again only if it surely was not sent: nobody should be told twice."""
        return replace(self.reading(channel), retried_statuses=frozenset(), retries_unknown=False)

    def posting_on_the_side(self, channel: str) -> CallPolicy:
        """For an alarm that a call raises besides its own work: the person who waits for it has waited already."""
        policy = self.posting(channel)
        return replace(
            policy,
            timeout=min(policy.timeout, _ON_THE_SIDE),
            deadline=min(policy.deadline, _ON_THE_SIDE),
            longest_attempt=_ON_THE_SIDE,
        )

    def _effective(self, key: str) -> EffectiveValue:
        value = effective(key, self._found)
        self.skipped += [(name, one.source) for name, one in value.skipped if (name, one.source) not in self.skipped]
        return value


def _read_policy(pool: Pool, seconds: int, retries: int, patience: float) -> CallPolicy:
    """One attempt always gets its whole time. Further ones have to fit into the patience of the caller."""
    everything = seconds * (1 + retries) + _FIRST_PAUSE * (2**retries - 1)
    return CallPolicy(
        pool,
        timeout=timedelta(seconds=seconds),
        deadline=timedelta(seconds=max(seconds, min(everything, patience))),
        attempts=1 + retries,
        retried_statuses=SERVER_TROUBLE,
        longest_attempt=timedelta(seconds=seconds),
    )
