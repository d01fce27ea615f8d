from pydantic import BaseModel, Field

from tsudoi.alarms.wire import JstTime
from tsudoi.core.api_examples import example
from tsudoi.events.home.schemas import TroubledEvent
from tsudoi.events.overview.schemas import EventListItem

_AT = "2026-11-20T10:15:00+09:00"


class AlarmItem(BaseModel):
    """A trouble of the product itself, such as a mail server that takes nothing."""

    cause: str = Field(description="Such as `OUTAGE_MAIL`; the same as in `tsudoi_alarms_open`.")
    title: str = Field(description="A sentence for the office.")
    since: JstTime
    ticket_id: int = Field(description="The ticket that says what is done about it.")


class Home(BaseModel):
    """What the start page of the office shows."""

    model_config = example(
        next_events=[
            {
                "id": 123,
                "title": "理事会9月",
                "held_at": "2025-09-10T19:00:00+09:00",
                "image_preview_url": None,
                "push_stats": {
                    "success": 44,
                    "fail": 1,
                    "last_sent_at": "2025-09-01T12:00:00+09:00",
                    "unknown": 0,
                    "pending": 0,
                },
                "cancelled": False,
                "targets_total": 45,
                "attend": 30,
                "absent": 5,
                "pending": 10,
            }
        ],
        troubles=[
            {
                "event_id": 123,
                "title": "理事会9月",
                "held_at": "2025-09-10T19:00:00+09:00",
                "cancelled": True,
                "fail": 1,
                "unknown": 0,
                "pending": 0,
                "kept_back": 1,
                "not_told": ["佐藤花子"],
            }
        ],
        unlinked_friends=3,
        waiting_registrations=1,
        members=120,
        linked_members=101,
        alarms=[{"cause": "OUTAGE_MAIL", "title": "メールを送れません", "since": _AT, "ticket_id": 9876}],
        tickets_open=4,
    )

    next_events: list[EventListItem] = Field(
        description="The next five that are not cancelled, the nearest first; none where events are off."
    )
    troubles: list[TroubledEvent] = Field(
        description="Events of the last 30 days or to come whose messages did not all go out, the newest first. Before "
        "them stand cancelled events of which not everybody was told, until their day is over in Japan."
    )
    unlinked_friends: int = Field(description="LINE friends who are not linked to a member yet.")
    waiting_registrations: int = Field(description="Of these, who waits until the office has confirmed a typed name.")
    members: int = Field(description="Members on the roster, without those who left.")
    linked_members: int = Field(description="Of these, how many are linked to LINE.")
    alarms: list[AlarmItem] = Field(description="Troubles that the product has found and that go on, the oldest first.")
    tickets_open: int = Field(description="Tickets that nobody has taken on yet, those of alarms too.")
