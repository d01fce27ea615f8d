"""A context that exists only in tests: it keeps notes and sends them."""

from datetime import timedelta

from tsudoi.access.registration import Clockwork, Context, NavigationItem, PageMount, Sender, Tag
from tsudoi.core.secrets_check import SecretRule
from tsudoi.scratch.notes import endpoints, jobs
from tsudoi.scratch.notes.service import NOTES

CONTEXT = Context(
    name="scratch",
    routers=(endpoints.router,),
    tags=(Tag("scratch", "Notes, for tests."),),
    outboxes={"scratch_notes": NOTES},
    senders=(Sender("scratch_notes", jobs.send_due_notes),),
    clockwork=(Clockwork("scratch_clock", timedelta(hours=1), jobs.strike),),
    pages=(PageMount("/scratch", "scratch"),),
    navigation=(NavigationItem("manage", "メモ", "/scratch", "audit"),),
    required_settings={"METRICS_TOKEN": SecretRule(24, "anything")},
)
