from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example


class FriendCounts(BaseModel):
    """Numbers of LINE friends."""

    following: int = Field(description="Friends who can be reached.")
    blocked: int = Field(description="Former friends who blocked or removed the account.")


class InboxCounts(BaseModel):
    """Numbers of webhook events that are not done."""

    waiting: int = Field(description="Events that are stored and not handled yet.")
    unknown: int = Field(description="Events whose outcome is unknown; a person has to check them.")
    failed: int = Field(description="Events that failed after the last attempt.")


class LineState(BaseModel):
    """Whether the connection to LINE is configured."""

    configured: bool = Field(description="Whether channel secret and access token are set.")


class WorkState(BaseModel):
    """Whether the work in the background goes on."""

    silent_loops: list[str] = Field(description="Loops of the worker that have not been alive for two minutes.")
    late_since: str | None = Field(
        description="Since when the oldest work waits, JST; null: nothing is due for more than five minutes."
    )


class BackupState(BaseModel):
    """When the last backup was made."""

    last_at: str | None = Field(description="JST; null: never.")
    overdue: bool = Field(description="Whether somebody has to look after it; never in the demo.")


class DiskState(BaseModel):
    """How much room the fullest disk has."""

    free_bytes: int = Field(description="Free bytes on the fullest disk that the product writes to.")
    low: bool = Field(description="Less than 1 GiB: somebody has to make room.")


class Overview(BaseModel):
    """Data of the home screen."""

    model_config = example(
        friends={"following": 42, "blocked": 1},
        last_webhook_at="2025-08-17T09:00:01+09:00",
        inbox={"waiting": 0, "unknown": 0, "failed": 0},
        line={"configured": True},
        work={"silent_loops": [], "late_since": None},
        backup={"last_at": "2025-08-17T03:00:00+09:00", "overdue": False},
        disk={"free_bytes": 21_474_836_480, "low": False},
    )

    friends: FriendCounts
    last_webhook_at: str | None = Field(description="Time of the last webhook, JST; null: none yet.")
    inbox: InboxCounts
    line: LineState
    work: WorkState
    backup: BackupState
    disk: DiskState


class OfficialAccount(BaseModel):
    """The official account's name."""

    model_config = example(display_name="○○会 事務局")

    display_name: str | None = Field(
        description="The official account's name, as members see it; null: LINE has not answered yet."
    )


class LineQuota(BaseModel):
    """The quota of this month as LINE reports it."""

    model_config = example(known=True, limit=200, used=50, left=150, why_not=None)

    known: bool = Field(description="Whether LINE answered.")
    limit: int | None = Field(description="Messages per month; null: no limit, or not known.")
    used: int | None = Field(description="Used this month, by LINE's approximation.")
    left: int | None = Field(description="Left this month; null: no limit, or not known.")
    why_not: str | None = Field(description="Why LINE did not answer; null if it did.")
