from pydantic import BaseModel, Field


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
