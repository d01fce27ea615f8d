from pydantic import BaseModel, ConfigDict, Field


class FriendCounts(BaseModel):
    following: int = Field(description="Friends who can be reached.")
    blocked: int = Field(description="Former friends who blocked or removed the account.")


class InboxCounts(BaseModel):
    waiting: int = Field(description="Stored and not handled yet.")
    unknown: int = Field(description="Parked: the outcome is not known, a person has to look.")
    failed: int = Field(description="Given up after all tries.")


class LineState(BaseModel):
    configured: bool = Field(description="Whether channel secret and access token are set.")


class Overview(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "friends": {"following": 42, "blocked": 1},
                    "last_webhook_at": "2025-08-17T09:00:01+09:00",
                    "inbox": {"waiting": 0, "unknown": 0, "failed": 0},
                    "line": {"configured": True},
                }
            ]
        }
    )

    friends: FriendCounts
    last_webhook_at: str | None = Field(description="When LINE last told us something, JST; null: never.")
    inbox: InboxCounts
    line: LineState


class Account(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"display_name": "○○会 事務局"}]})

    display_name: str | None = Field(
        description="The official account's name, as members see it; null: LINE could not be asked yet."
    )


class QuotaNow(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"known": True, "limit": 200, "used": 50, "left": 150, "why_not": None}]}
    )

    known: bool = Field(description="Whether LINE could be asked.")
    limit: int | None = Field(description="Messages per month; null: no limit, or not known.")
    used: int | None = Field(description="Used this month, by LINE's approximation.")
    left: int | None = Field(description="Left this month; null: no limit, or not known.")
    why_not: str | None = Field(description="Why LINE could not be asked.")
