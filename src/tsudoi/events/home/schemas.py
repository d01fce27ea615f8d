from pydantic import BaseModel, ConfigDict, Field

from tsudoi.events.overview.schemas import EventLine


class TroubledEvent(BaseModel):
    event_id: int
    title: str
    fail: int = Field(description="People whom LINE refused for good, over all that was sent about it.")
    unknown: int = Field(description="People of whom nobody knows whether they were told.")
    pending: int = Field(description="Still being sent.")


class Home(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "next_events": [
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
                    "troubles": [{"event_id": 123, "title": "理事会9月", "fail": 1, "unknown": 0, "pending": 0}],
                    "unlinked_friends": 3,
                    "members": 120,
                    "linked_members": 101,
                }
            ]
        }
    )

    next_events: list[EventLine] = Field(description="The next five that are not cancelled, the nearest first.")
    troubles: list[TroubledEvent] = Field(
        description="Events of the last 30 days and of those to come whose messages did not all go out, newest first."
    )
    unlinked_friends: int = Field(description="LINE friends who are no member yet.")
    members: int = Field(description="Members on the roster, without those who left.")
    linked_members: int = Field(description="Of these, how many are linked to LINE.")
