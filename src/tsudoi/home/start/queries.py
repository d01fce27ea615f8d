from tsudoi.alarms.health import open_alarms, open_tickets
from tsudoi.core.db.interface import ReadTx
from tsudoi.events.home.queries import troubles
from tsudoi.events.overview.queries.listing import next_events
from tsudoi.home.start.schemas import AlarmItem, Home
from tsudoi.roster.linking.queries import link_summary

_SHOWN = 5


def home(tx: ReadTx, *, has_events: bool) -> Home:
    """Where events are switched off there are none to show; everything else is there all the same."""
    alarms = [
        AlarmItem(cause=one.cause, title=one.title, since=one.since, ticket_id=one.ticket_id) for one in open_alarms(tx)
    ]
    return Home(
        next_events=next_events(tx, _SHOWN) if has_events else [],
        troubles=troubles(tx) if has_events else [],
        **link_summary(tx).model_dump(),
        alarms=alarms,
        tickets_open=open_tickets(tx),
    )
