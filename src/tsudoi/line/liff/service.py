from datetime import timedelta

from tsudoi.core import rate_limit, sessions
from tsudoi.core.db.interface import Tx
from tsudoi.gateway.clients.line_outcomes import Identity
from tsudoi.line.friends import service as friends

SESSION_LIFETIME = timedelta(hours=12)
# Each exchange makes us call LINE. Phones share addresses behind a carrier, so the limit is wide.
EXCHANGES_PER_CLIENT = rate_limit.Limit("liff-session", 600, timedelta(minutes=1))


def open_session(tx: Tx, identity: Identity) -> str:
    friends.record_contact(tx, identity.user_id, identity.display_name, identity.picture_url)
    data = {"display_name": identity.display_name, "picture_url": identity.picture_url}
    return sessions.open_session(tx, sessions.LIFF, identity.user_id, data, SESSION_LIFETIME)
