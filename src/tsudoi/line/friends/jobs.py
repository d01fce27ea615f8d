"""What the worker does when somebody adds or blocks the account."""

from tsudoi.core.outbox.policy import Outcome
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, NoProfile, Profile
from tsudoi.line.friends import service
from tsudoi.line.inbox.jobs import InboxEvent, log_event


def meet(runtime: Runtime, event: InboxEvent) -> Profile | NoProfile | LineUnreachable:
    """Note the friend first, so that a profile that cannot be had does not hide the person from the office."""
    runtime.db.write_now(service.note_state, event.user_id, event.event_ms, following=True)
    profile = runtime.part(LineClient).profile(event.user_id)
    if isinstance(profile, Profile):
        runtime.db.write_now(service.note_profile, profile.user_id, profile.display_name, profile.picture_url)
    return profile


def on_unfollow(runtime: Runtime, event: InboxEvent) -> tuple[Outcome, str | None]:
    """The person cannot be reached from now on; the office sees it, and nobody is excluded from anything by it."""
    runtime.db.write_now(service.note_state, event.user_id, event.event_ms, following=False)
    log_event(runtime, event, result="NOTED")
    return Outcome.OK, None
