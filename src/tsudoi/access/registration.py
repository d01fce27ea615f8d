"""What a context of the product registers: one `Context` object in its `context.py`, listed in `tsudoi.contexts`.

The application, the worker, health checks, metrics, the API description, body limits and the pages' navigation are
built from these objects. A new context is one folder and one line in that list.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal, get_args

from fastapi import APIRouter

from tsudoi.access.principals import Visitor
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.known_people import KnownPerson
from tsudoi.core.outbox.table import Outbox, Outcome
from tsudoi.core.person_data import PersonTable
from tsudoi.core.person_records import RecordKind
from tsudoi.core.person_sources import DriftCheck, PersonSource
from tsudoi.core.runtime import Runtime
from tsudoi.core.secrets_check import SecretRule
from tsudoi.core.settings import Settings
from tsudoi.core.visitor_reservations import VisitorReservations

NavigationGroup = Literal["home", "ask", "receive", "tell", "people", "manage"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A heading of the API description."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Clockwork:
    """A job that the worker runs every so often. A failure is logged and does not stop the other jobs."""

    name: str
    every: timedelta
    job: Callable[[Runtime], object]


@dataclass(frozen=True, slots=True)
class Sender:
    """A loop of the worker with a thread and a heartbeat of its own.

    `step` does what is due now and returns how much that was; at 0 the loop waits for a signal or the next tick.
    """

    name: str
    step: Callable[[Runtime], int]


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One entry of the office's menu."""

    group: NavigationGroup
    label: str
    path: str
    icon: str


@dataclass(frozen=True, slots=True)
class SettingsSwitch:
    """A piece of a context that its settings switch on. The pages know it by its name, as they know the contexts."""

    name: str
    is_on: Callable[[Settings], bool]
    # Entries of the menu that are shown only where it is on.
    navigation: tuple[NavigationItem, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """How the audit screen names a subject such as `event:12`, and the page that shows it, if there is one."""

    label: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class TelephoneKind:
    """Why the office may have to call somebody: one kind of rows in `telephone_calls`."""

    label: str
    # The page of the console that shows the subject; `{id}` is its id. None: there is none.
    path: str | None = None
    # How the audit trail names the subject (a name in `audit_subjects`).
    audit_subject: str = ""


@dataclass(frozen=True, slots=True)
class PageMount:
    """A built single-page application and the address below which it is served."""

    prefix: str
    folder: str


@dataclass(frozen=True, slots=True)
class Context:
    """One part of the product. `optional` parts are switched on by `FEATURES`; the others are always there."""

    name: str
    optional: bool = True
    routers: tuple[APIRouter, ...] = ()
    tags: tuple[Tag, ...] = ()
    # Clients and other long-lived objects, made in this order; a later one may ask the runtime for an earlier one.
    parts: tuple[Callable[[Runtime], object], ...] = ()
    # Tables of work that health checks and metrics watch.
    outboxes: Mapping[str, Outbox] = field(default_factory=dict)
    # Further checks of `/readyz`, by name: `ok`, or what is wrong.
    health_checks: Mapping[str, Callable[[Runtime, ReadTx], str]] = field(default_factory=dict)
    # Further numbers for `/metrics`, by name.
    gauges: Callable[[ReadTx], Mapping[str, float]] | None = None
    # What the worker does with an event that LINE delivered, by the event's type: `(runtime, event)`.
    line_handlers: Mapping[str, Callable[..., tuple[Outcome, str | None]]] = field(default_factory=dict)
    senders: tuple[Sender, ...] = ()
    clockwork: tuple[Clockwork, ...] = ()
    # Messages that are decided but that LINE has not counted yet; every preview of the quota adds them up.
    promised_messages: Callable[[ReadTx], int] | None = None
    # Whether a mail is still true right before its content is sent, by what the mail is about (`subject_kind`):
    # `(runtime, tx, row of the mail)`. None: ask again a moment later.
    mail_checks: Mapping[str, Callable[[Runtime, Tx, Any], bool | None]] = field(default_factory=dict)
    # The people whom this context knows, at most so many, the most useful ones first.
    known_people: Callable[[ReadTx, int], Sequence[KnownPerson]] | None = None
    # The reservations that this context knows of a LINE user.
    visitor_reservations: Callable[[Runtime, Visitor], Awaitable[VisitorReservations]] | None = None
    # The records about people that this context keeps, for the page about one person.
    person_sources: tuple[PersonSource, ...] = ()
    # The tables of this context with personal data, for the export and the erasing of one person.
    person_tables: tuple[PersonTable, ...] = ()
    # What about people no longer fits together, as far as this context can see.
    drift_checks: tuple[DriftCheck, ...] = ()
    # The calls of this context on the office's telephone list, by the name of their kind.
    telephone_kinds: Mapping[str, TelephoneKind] = field(default_factory=dict)
    # Request bodies that may be longer than all others, by the route's path.
    body_limits: Mapping[str, int] = field(default_factory=dict)
    pages: tuple[PageMount, ...] = ()
    navigation: tuple[NavigationItem, ...] = ()
    switches: tuple[SettingsSwitch, ...] = ()
    # Which lists of requests the member application's start page shows.
    member_pages: tuple[str, ...] = ()
    # How the audit screen names what was done here, under which headings, and to what.
    audit_actions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    audit_subjects: Mapping[str, AuditSubject] = field(default_factory=dict)
    audit_fields: Mapping[str, str] = field(default_factory=dict)
    # How it names those who act without being an administrator.
    audit_actors: Mapping[str, str] = field(default_factory=dict)
    # Settings without which the server refuses to start while this context is on.
    required_settings: Mapping[str, SecretRule] = field(default_factory=dict)
    # True: with an empty `FEATURES` this context is off until at least one of its required settings is filled in.
    off_without_settings: bool = False

    def is_wanted(self, settings: Settings) -> bool:
        """Whether an empty `FEATURES` switches this context on."""
        filled = any(getattr(settings, name.lower()) for name in self.required_settings)
        return filled or not self.off_without_settings


def in_transaction(verb: Callable[[Tx], object]) -> Callable[[Runtime], object]:
    """For a clockwork job that needs nothing but a transaction."""
    return lambda runtime: runtime.db.write_now(verb)


def in_batches(verb: Callable[..., int], *kept_days: Callable[[Settings], int]) -> Callable[[Runtime], object]:
    """For a clockwork job that removes old rows: a transaction for each few of them, until none are left.

    The verb removes some and returns how many. `kept_days` are the settings that it wants to know, as `timedelta`.
    """

    def job(runtime: Runtime) -> int:
        kept, removed = [timedelta(days=days(runtime.settings)) for days in kept_days], 0
        while not runtime.stopping.is_set() and (number := runtime.db.write_now(verb, *kept)):
            removed += number
        return removed

    return job


@dataclass(frozen=True, slots=True)
class ActiveContexts:
    """The contexts that are switched on in this process; a part of the runtime."""

    contexts: tuple[Context, ...]
    # All contexts, on or off. What was stored while a context was on is still there when it is off.
    known: tuple[Context, ...] = ()

    @property
    def outboxes(self) -> dict[str, Outbox]:
        return {name: outbox for context in self.contexts for name, outbox in context.outboxes.items()}

    @property
    def line_handlers(self) -> dict[str, Callable[..., tuple[Outcome, str | None]]]:
        return {kind: handler for context in self.contexts for kind, handler in context.line_handlers.items()}

    @property
    def senders(self) -> list[Sender]:
        return [sender for context in self.contexts for sender in context.senders]

    @property
    def clockwork(self) -> list[Clockwork]:
        return [job for context in self.contexts for job in context.clockwork]

    def health_checks(self, runtime: Runtime, tx: ReadTx) -> dict[str, str]:
        return {name: check(runtime, tx) for one in self.contexts for name, check in one.health_checks.items()}

    def gauges(self, tx: ReadTx) -> dict[str, float]:
        found = [context.gauges(tx) for context in self.contexts if context.gauges]
        return {name: value for numbers in found for name, value in numbers.items()}

    @property
    def mail_checks(self) -> dict[str, Callable[[Runtime, Tx, Any], bool | None]]:
        return {kind: check for context in self.contexts for kind, check in context.mail_checks.items()}

    def promised_messages(self, tx: ReadTx) -> int:
        """Messages of all contexts that are decided but that LINE has not counted yet."""
        return sum(context.promised_messages(tx) for context in self.contexts if context.promised_messages)

    def known_people(self, tx: ReadTx, most: int) -> list[KnownPerson]:
        """The people of all contexts, at most so many of each, in the order of the contexts."""
        found = [context.known_people(tx, most) for context in self.contexts if context.known_people]
        return [person for people in found for person in people]

    @property
    def person_sources(self) -> dict[str, PersonSource]:
        """By the kind of their records, in the order in which people read them."""
        found = {source.kind: source for context in self.contexts for source in context.person_sources}
        return {kind: found[kind] for kind in get_args(RecordKind) if kind in found}

    @property
    def person_tables(self) -> list[PersonTable]:
        """Of all contexts, on or off. The lower ones come first: the trigger of answers asks the roster."""
        return [table for context in reversed(self.known or self.contexts) for table in context.person_tables]

    @property
    def telephone_kinds(self) -> dict[str, TelephoneKind]:
        """Of all contexts, on or off: calls that were put on the list are still there when their context is off."""
        contexts = self.known or self.contexts
        return {name: kind for context in contexts for name, kind in context.telephone_kinds.items()}

    @property
    def drift_checks(self) -> list[DriftCheck]:
        return [check for context in self.contexts for check in context.drift_checks]
