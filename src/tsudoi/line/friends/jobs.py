"""Handlers of the worker for users who add or block the account."""

from tsudoi.core.outbox.table import Outcome
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, NoProfile, Profile
from tsudoi.line.friends import service
from tsudoi.line.inbox.jobs import InboxEvent, log_event


def record_follower(runtime: Runtime, event: InboxEvent) -> Profile | NoProfile | LineUnreachable:
    """Store the friend before the profile is read, so that the office sees the friend even if LINE does not answer."""
    runtime.db.write_now(service.record_following, event.user_id, event.event_ms, following=True)
    profile = runtime.part(LineClient).profile(event.user_id)
    if isinstance(profile, Profile):
        runtime.db.write_now(service.record_profile, profile.user_id, profile.display_name, profile.picture_url)
    return profile


def on_unfollow(runtime: Runtime, event: InboxEvent) -> tuple[Outcome, str | None]:
    """Record that the friend blocked the account. The office sees it; invitations and groups stay as they are."""
    runtime.db.write_now(service.record_following, event.user_id, event.event_ms, following=False)
    log_event(runtime, event, result="NOTED")
    return Outcome.OK, None
