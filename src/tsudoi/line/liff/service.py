from collections import OrderedDict
from datetime import datetime, timedelta

from tsudoi.core import rate_limit, sessions
from tsudoi.core.db.interface import Tx
from tsudoi.core.rate_limit import RateLimitResult
from tsudoi.core.runtime import Runtime
from tsudoi.core.tokens import token_hash
from tsudoi.gateway.clients.line_outcomes import Identity
from tsudoi.line.friends import service as friends

SESSION_LIFETIME = timedelta(hours=12)
# Each exchange makes us call LINE. Phones share addresses behind a carrier, so the limit is wide.
EXCHANGES_PER_CLIENT = rate_limit.Limit("liff-session", 600, timedelta(minutes=1))
# Tokens that LINE has refused. Hardly anybody has one: a page asks LINE for its token before it comes to us.
REFUSED_PER_CLIENT = rate_limit.Limit("liff-refused", 30, timedelta(minutes=1))

EXCHANGES_PER_USER = (
    rate_limit.Limit("liff-user", 30, timedelta(minutes=1)),
    rate_limit.Limit("liff-user-day", 500, timedelta(days=1)),
)


class RefusedTokens:
    """Tokens that LINE has refused a moment ago, so that it is not asked about the same one again; a runtime part."""

    _KEPT_FOR = timedelta(minutes=10)
    _MOST = 10_000

    def __init__(self) -> None:
        self._until: OrderedDict[str, datetime] = OrderedDict()

    @staticmethod
    def of(_runtime: Runtime) -> "RefusedTokens":
        return RefusedTokens()

    def has(self, token: str, now: datetime) -> bool:
        until = self._until.get(token_hash(token))
        return until is not None and now < until

    def add(self, token: str, now: datetime) -> None:
        self._until[token_hash(token)] = now + self._KEPT_FOR
        while len(self._until) > self._MOST:
            self._until.popitem(last=False)


def count_exchange(tx: Tx, client: str) -> RateLimitResult:
    """Count a token that LINE is about to be asked about."""
    refused = rate_limit.look(tx, REFUSED_PER_CLIENT, client)
    return rate_limit.count_request(tx, EXCHANGES_PER_CLIENT, client) if refused.allowed else refused


def count_refused(tx: Tx, client: str) -> None:
    rate_limit.count_request(tx, REFUSED_PER_CLIENT, client)


def open_session(tx: Tx, identity: Identity) -> str:
    for counted in rate_limit.count_requests(tx, [(limit, identity.user_id) for limit in EXCHANGES_PER_USER]):
        counted.raise_if_refused()
    friends.record_contact(tx, identity.user_id, identity.display_name, identity.picture_url)
    data = {"display_name": identity.display_name, "picture_url": identity.picture_url}
    return sessions.open_session(tx, sessions.LIFF, identity.user_id, data, SESSION_LIFETIME)
