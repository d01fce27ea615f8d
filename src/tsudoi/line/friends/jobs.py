"""What the worker does when somebody adds or blocks the account."""

from tsudoi.core.outbox import Outcome
from tsudoi.gateway.clients.line_outcomes import NoProfile, Profile, Unreachable
from tsudoi.line.friends import service
from tsudoi.line.inbox.jobs import Told, Tools, write_down


def meet(tools: Tools, told: Told) -> Profile | NoProfile | Unreachable:
    """Note the friend first, so that a profile that cannot be had does not hide the person from the office."""
    tools.db.write_now(service.note_state, told.user_id, told.event_ms, following=True)
    profile = tools.line.profile(told.user_id)
    if isinstance(profile, Profile):
        tools.db.write_now(service.note_profile, profile.user_id, profile.display_name, profile.picture_url)
    return profile


def on_unfollow(tools: Tools, told: Told) -> tuple[Outcome, str | None]:
    """The person cannot be reached from now on; the office sees it, and nobody is excluded from anything by it."""
    tools.db.write_now(service.note_state, told.user_id, told.event_ms, following=False)
    write_down(tools, told, result="NOTED")
    return Outcome.OK, None
