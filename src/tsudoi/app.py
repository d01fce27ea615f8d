"""The ASGI application: every context's router, the error shape, the pages, and the wiring, in one place."""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

from tsudoi import __version__
from tsudoi.access import api_docs, health, rendering, spa
from tsudoi.access.admins import endpoints as admins
from tsudoi.access.audit_trail import endpoints as audit_trail
from tsudoi.access.middleware import Edge
from tsudoi.access.rendering import ErrorBody
from tsudoi.core.db.interface import Database
from tsudoi.core.feed import Feeds
from tsudoi.core.media import DirectoryStore
from tsudoi.core.outbox import Outbox
from tsudoi.core.settings import Settings
from tsudoi.events.answers import endpoints as answers
from tsudoi.events.broadcast import endpoints as broadcast
from tsudoi.events.broadcast.service import CHUNKS, PUSHES
from tsudoi.events.calendar import endpoints as calendar
from tsudoi.events.home import endpoints as home
from tsudoi.events.live import endpoints as live
from tsudoi.events.live.service import LiveFeeds
from tsudoi.events.overview import endpoints as events
from tsudoi.events.pictures import endpoints as pictures
from tsudoi.events.planning import endpoints as planning
from tsudoi.events.planning.rules.draft import LONGEST_IDS
from tsudoi.gateway.clients.line import LineClient
from tsudoi.line.friends import endpoints as line_friends
from tsudoi.line.inbox import endpoints as line_inbox
from tsudoi.line.inbox.jobs import Tools
from tsudoi.line.inbox.service import INBOX
from tsudoi.line.liff import endpoints as liff
from tsudoi.line.overview import endpoints as line_overview
from tsudoi.line.overview.service import AccountName
from tsudoi.roster.audiences import endpoints as audiences
from tsudoi.roster.linking import endpoints as linking
from tsudoi.roster.members import endpoints as members
from tsudoi.roster.syncs import endpoints as syncs

# A new context is a folder and a line here.
ROUTERS: tuple[APIRouter, ...] = (
    # Matched in this order, so that what is called most comes first.
    answers.hot,
    line_inbox.router,
    liff.router,
    linking.liff,
    # Before the answers: `123.ics` is no number.
    calendar.liff,
    answers.liff,
    pictures.router,
    health.router,
    admins.router,
    members.router,
    syncs.router,
    audiences.router,
    audiences.recipients,
    planning.previewing,
    planning.creating,
    planning.changing,
    home.router,
    events.router,
    live.router,
    broadcast.router,
    calendar.admin,
    answers.admin,
    linking.admin,
    line_friends.router,
    line_overview.router,
    audit_trail.router,
)

# What `/readyz`, `/metrics` and the office's home screen watch.
OUTBOXES: dict[str, Outbox] = {"line_events": INBOX, "event_chunks": CHUNKS, "event_deliveries": PUSHES}

_NUMBER = re.compile(r"/[0-9]+(?=/)")


class _ByRoute(Mapping[str, int]):
    """Limits by route, found by path: whatever the number of the event is."""

    def __init__(self, limits: dict[str, int]) -> None:
        self._limits = limits

    def __getitem__(self, path: str) -> int:
        return self._limits[_NUMBER.sub("/{event_id}", path)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._limits)

    def __len__(self) -> int:
        return len(self._limits)


# Everybody's ids, and room for what else is said.
_LIST_OF_PEOPLE = LONGEST_IDS + 64 * 1024
# Bodies that may be longer than all others. The form has a picture: of 5 MB, but one that is larger is best told so by
# its own rule, together with whatever else is wrong with the form, and not by the size of the whole.
LONGER_BODIES = _ByRoute(
    {
        "/api/admin/events": 32 * 1024 * 1024,
        "/api/admin/events/preview": _LIST_OF_PEOPLE,
        "/api/admin/events/{event_id}/preview": _LIST_OF_PEOPLE,
        "/api/admin/events/{event_id}/targets": _LIST_OF_PEOPLE,
        "/api/admin/events/{event_id}/reminders": _LIST_OF_PEOPLE,
    }
)

TAGS = [
    {"name": "access", "description": "Who may come in: administrators, their sessions, and the audit trail."},
    {"name": "line", "description": "LINE coming in: webhooks and friends."},
    {"name": "liff", "description": "The pages inside LINE: who is looking at them."},
    {"name": "roster", "description": "Members, groups of them, and which LINE user is which member."},
    {"name": "events", "description": "Will you come? Invitations, answers, reminders, and who said what when."},
    {"name": "operations", "description": "For whoever keeps it running."},
]
_ERRORS = {
    400: "The input is wrong; `details` names each field and the reason.",
    401: "Not logged in.",
    403: "Logged in, but not allowed.",
    429: "Too often; `Retry-After` says when to come back.",
    503: "Cannot be done just now; nothing was changed.",
}


@dataclass(frozen=True, slots=True)
class Closing:
    """What has to hear of it when the server stops: who watches a live screen, and who is sending just now."""

    feeds: LiveFeeds = field(default_factory=Feeds)
    stopping: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        self.stopping.set()
        self.feeds.close()


def create_app(
    settings: Settings,
    db: Database,
    line: LineClient,
    nudge: Callable[[], None] = lambda: None,
    closing: Closing | None = None,
) -> Edge:
    """What the server runs: the API and the pages, with the parts they need, behind the edge."""
    app, closing = create_api(), closing or Closing()
    app.state.settings, app.state.db, app.state.line, app.state.nudge = settings, db, line, nudge
    app.state.tools, app.state.media = Tools(db, line, settings), DirectoryStore(settings.media_dir)
    app.state.feeds, app.state.stopping = closing.feeds, closing.stopping
    app.state.account_name = AccountName(line, db.clock)
    app.state.outboxes, app.state.registry = OUTBOXES, _registry()
    api_docs.install(app)
    spa.install(app, settings)
    return Edge(app, settings, app.state.registry, LONGER_BODIES)


def create_api() -> FastAPI:
    app = FastAPI(
        title="Tsudoi 集い",
        version=__version__,
        description="Ask people, get their answers, decide, and tell them, with LINE as the front door.",
        openapi_tags=TAGS,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    rendering.install(app)
    for router in ROUTERS:
        # Their routes as they are. Included routers are matched one inside the other, which costs more than the rest
        # of a small request; each of ours says its own prefix and tags.
        app.router.routes.extend(router.routes)
    app.openapi = partial(_description, app.openapi)  # type: ignore[method-assign]
    return app


def _description(made_by_fastapi: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """With our errors, and without the 422 that FastAPI promises for wrong input: ours is the documented 400."""
    description = made_by_fastapi()
    schemas = description["components"]["schemas"]
    shape = ErrorBody.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update({**shape.pop("$defs", {}), "ErrorBody": shape})
    for operation in (operation for path in description["paths"].values() for operation in path.values()):
        if "HTTPValidationError" in str(operation["responses"].get("422", "")):
            del operation["responses"]["422"]
        if operation["tags"] != ["operations"]:
            operation["responses"].update({str(status): _error(text) for status, text in _ERRORS.items()})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    return description


def _error(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ErrorBody"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _registry() -> CollectorRegistry:
    """A registry of our own: the library's global one would mix several applications of one test process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
