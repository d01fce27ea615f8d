"""What the worker does when somebody adds or blocks the account."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Database
from tsudoi.core.ndjson import DailyFile
from tsudoi.core.outbox import Outcome
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import NoProfile, Profile, Unreachable
from tsudoi.line.friends import service

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Tools:
    db: Database
    line: LineClient
    webhook_log: DailyFile


@dataclass(frozen=True, slots=True)
class Told:
    """An event from the inbox, as a handler sees it."""

    user_id: str
    event_ms: int
    attempt: int
    payload: dict[str, Any]


Handler = Callable[[Tools, Told], tuple[Outcome, str | None]]


def on_follow(tools: Tools, told: Told) -> tuple[Outcome, str | None]:
    """Note the friend first, so that a profile that cannot be had does not hide the person from the office."""
    tools.db.write_now(service.note_state, told.user_id, told.event_ms, following=True)
    profile = tools.line.profile(told.user_id)
    if isinstance(profile, Unreachable):
        _write_down(tools, "follow", told, result="ERROR", reason=f"profile: {profile.reason}")
        return Outcome.NOT_NOW, profile.reason
    if isinstance(profile, NoProfile):
        _write_down(tools, "follow", told, result="NO_PROFILE", reason="profile_not_found")
        return Outcome.OK, None
    _note(tools, profile)
    _write_down(tools, "follow", told, result="NOTED", displayName=profile.display_name)
    return Outcome.OK, None


def on_unfollow(tools: Tools, told: Told) -> tuple[Outcome, str | None]:
    tools.db.write_now(service.note_state, told.user_id, told.event_ms, following=False)
    _write_down(tools, "unfollow", told, result="NOTED")
    return Outcome.OK, None


def _note(tools: Tools, profile: Profile) -> None:
    tools.db.write_now(service.note_profile, profile.user_id, profile.display_name, profile.picture_url)


def _write_down(tools: Tools, kind: str, told: Told, **result: str) -> None:
    """What was noted stays noted when its line cannot be written."""
    now = tools.db.clock.now()
    try:
        tools.webhook_log.append(now, [{"ts": jst_text(now), "kind": kind, "userId": told.user_id, **result}])
    except OSError:
        _log.exception("webhook_line_not_written")
