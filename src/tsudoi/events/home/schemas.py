from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example
from tsudoi.events.overview.schemas import EventListItem


class TroubledEvent(BaseModel):
    """An event whose messages did not all go out. Of a cancelled one, only the messages count that say so."""

    event_id: int
    title: str
    held_at: str = Field(description="When it takes place, or would have taken place.")
    cancelled: bool = Field(description="It is cancelled, and not everybody was told.")
    fail: int = Field(description="People whose message LINE refused for good, of all messages about the event.")
    unknown: int = Field(description="People of whom it is unknown whether LINE accepted the message.")
    pending: int = Field(description="People whose message is still being sent.")
    kept_back: int = Field(description="Of `fail`, people whose message LINE's monthly limit kept back.")
    not_told: list[str] = Field(
        description="Of a cancelled event, the names of the first ten for whom the cancellation failed or is unknown."
    )


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
    )

    next_events: list[EventListItem] = Field(description="The next five that are not cancelled, the nearest first.")
    troubles: list[TroubledEvent] = Field(
        description="Events of the last 30 days or to come whose messages did not all go out, the newest first. Before "
        "them stand cancelled events of which not everybody was told, until their day is over in Japan."
    )
    unlinked_friends: int = Field(description="LINE friends who are not linked to a member yet.")
    waiting_registrations: int = Field(description="Of these, who waits until the office has confirmed a typed name.")
    members: int = Field(description="Members on the roster, without those who left.")
    linked_members: int = Field(description="Of these, how many are linked to LINE.")
