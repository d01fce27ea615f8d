from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, insert, update

from tsudoi.core import audit, idempotency
from tsudoi.core.clock import jst_date, jst_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import InvalidInput
from tsudoi.core.tokens import new_token
from tsudoi.events.answers.queries import unanswered
from tsudoi.events.broadcast import queries as sent
from tsudoi.events.broadcast.rules import INVITATIONS
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.broadcast.service.resending import take_over
from tsudoi.events.broadcast.service.settling import withdraw_unsent
from tsudoi.events.broadcast.service.tasks import SendTask
from tsudoi.events.event.errors import EventCancelled
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.events.event.queries import event_of
from tsudoi.events.planning import queries
from tsudoi.events.planning.errors import EventOver, NobodyToAdd, NobodyToRemind, NobodyToResend, StaleEvent
from tsudoi.events.planning.rules import notices
from tsudoi.events.planning.rules.draft import Draft
from tsudoi.events.planning.rules.notices import Kind, Links, Messages
from tsudoi.events.planning.rules.reach import Person, target_faults

_TOLD_FIELDS = ("title", "held_at", "body")


@dataclass(frozen=True, slots=True)
class Office:
    """Who decides, where links lead, and by which request, so that a repeated one finds what the first one made."""

    actor: str
    admin_id: int
    links: Links
    scope: idempotency.Scope | None = None
    # The request sends what it writes, so that the worker must not claim it in between.
    sends: bool = False
    # So many messages LINE's monthly limit leaves; None: not limited, or not known.
    quota_left: int | None = None

    @property
    def request_key(self) -> str | None:
        return None if self.scope is None else self.scope.name


@dataclass(frozen=True, slots=True)
class Picture:
    media_key: str
    url: str
    preview_url: str
    size: int
    preview_size: int


@dataclass(frozen=True, slots=True)
class Made:
    """What a decision led to. No broadcast: nobody is to be told."""

    event_id: int
    broadcast_id: int | None
    people: int
    # What the transaction claimed for the request that sends it.
    claimed: Sequence[SendTask] = ()


def create_event(tx: Tx, draft: Draft, picture: Picture, office: Office) -> Made:
    """The event, whom it asks, and every message that is to go out: all of it or nothing."""
    if (before := made_before(tx, office, hold=True)) is not None:
        return before
    people = invitable(tx, "target_member_ids", draft.target_member_ids)
    event_id: int = tx.execute(
        insert(Event).values(
            title=draft.title,
            body=draft.body,
            held_at=draft.held_at,
            image_url=picture.url,
            image_size=picture.size,
            image_preview_url=picture.preview_url,
            image_preview_size=picture.preview_size,
            extra_text_enabled=int(draft.extra_text.enabled),
            extra_text_label=draft.extra_text.label,
            extra_text_attend_only=int(draft.extra_text.attend_only),
            created_by_admin=office.admin_id,
            created_at=tx.now,
            updated_at=tx.now,
            media_key=picture.media_key,
            calendar_key=new_token(),
        )
    ).inserted_primary_key[0]  # type: ignore[index]
    tx.execute(insert(EventTarget), [{"event_id": event_id, "member_id": person.member_id} for person in people])
    messages = notices.invitation(draft.body, picture.preview_url, office.links.to(event_id))
    made = _tell(tx, event_id, "invite", messages, people, office)
    new = {"title": draft.title, "held_at": jst_text(draft.held_at), "targets": len(people)}
    audit.record(tx, office.actor, "EVENT_CREATE", f"event:{event_id}", new=new)
    return made


def add_targets(tx: Tx, event_id: int, member_ids: Sequence[int], office: Office) -> Made:
    """Who is asked already is not asked again."""
    if (before := made_before(tx, office, hold=True)) is not None:
        return before
    event = open_event(tx, event_id, lock=True)
    people = invitable(tx, "member_ids", to_add(tx, event_id, member_ids))
    if not people:
        raise NobodyToAdd
    rows = [{"event_id": event_id, "member_id": person.member_id, "added_at": tx.now} for person in people]
    tx.execute(insert(EventTarget), rows)
    messages = notices.invitation(event.body, event.image_preview_url, office.links.to(event_id))
    made = _tell(tx, event_id, "late", messages, people, office)
    new = {"added": [person.member_id for person in people]}
    audit.record(tx, office.actor, "EVENT_TARGETS", f"event:{event_id}", new=new)
    return made


def remind(tx: Tx, event_id: int, only: Sequence[int] | None, office: Office) -> Made:
    """Those who have not answered, and were not reminded today."""
    if (before := made_before(tx, office, hold=True)) is not None:
        return before
    event = open_event(tx, event_id, lock=True)
    people = to_remind(tx, event_id, only)
    if not people:
        raise NobodyToRemind
    messages = notices.reminder(event.title, event.held_at, office.links.to(event_id))
    made = _tell(tx, event_id, "reminder", messages, people, office, reminder_day=jst_date(tx.now))
    audit.record(tx, office.actor, "EVENT_REMIND", f"event:{event_id}", new={"people": len(people)})
    return made


def change_event(
    tx: Tx, event_id: int, change: dict[str, Any], office: Office, *, notify: bool, sequence: int | None
) -> Made:
    if (before := made_before(tx, office, hold=True)) is not None:
        return before
    event = open_event(tx, event_id, may_be_over=True, lock=True)
    if sequence is not None and sequence != event.sequence:
        raise StaleEvent
    old = {name: getattr(event, name) for name in _TOLD_FIELDS}
    new = old | change
    differs = [name for name in _TOLD_FIELDS if (old[name] or "") != (new[name] or "")]
    if not differs:
        return Made(event_id, None, 0)
    values = {name: new[name] for name in differs} | {"sequence": event.sequence + 1, "updated_at": tx.now}
    tx.execute(update(Event).where(Event.id == event_id).values(**values))
    people = to_tell(tx, event_id) if notify else []
    made = _tell(tx, event_id, "change", notices.change(old, new, office.links.to(event_id)), people, office)
    _record_change(tx, event_id, "EVENT_CHANGE", old, new, differs, office)
    return made


def cancel_event(tx: Tx, event_id: int, reason: str | None, office: Office, *, notify: bool) -> Made:
    """What was not sent yet stays unsent; who was told hears of it if the office says so. Answers are kept."""
    if (before := made_before(tx, office, hold=True)) is not None:
        return before
    event = open_event(tx, event_id, may_be_over=True, lock=True)
    values = {"cancelled_at": tx.now, "cancel_reason": reason, "sequence": event.sequence + 1, "updated_at": tx.now}
    tx.execute(update(Event).where(Event.id == event_id).values(**values))
    withdraw_unsent(tx, event_id)
    people = to_tell(tx, event_id) if notify else []
    messages = notices.cancellation(event.title, event.held_at, reason)
    made = _tell(tx, event_id, "cancel", messages, people, office)
    audit.record(tx, office.actor, "EVENT_CANCEL", f"event:{event_id}", reason=reason, new={"told": len(people)})
    return made


@dataclass(frozen=True, slots=True)
class Resending:
    """What LINE's monthly limit kept back: to whom it goes now, and in which words."""

    kind: Kind
    # The members by the broadcast that did not reach them.
    kept_back: dict[int, list[int]]
    people: list[Person]
    messages: Messages


def resend(tx: Tx, event_id: int, broadcast_id: int | None, office: Office) -> Made:
    """Queue again what LINE's monthly limit kept back. A second request finds nobody, because the first took them."""
    if (before := made_before(tx, office, hold=True)) is not None:
        return before
    found = to_resend(tx, event_of(tx, event_id, lock=True), broadcast_id, office.links)
    if not found.people:
        raise NobodyToResend
    take_over(tx, found.kept_back)
    today = jst_date(tx.now) if found.kind == "reminder" else None
    made = _tell(tx, event_id, found.kind, found.messages, found.people, office, reminder_day=today)
    audit.record(tx, office.actor, "EVENT_RESEND", f"event:{event_id}", new={"people": len(found.people)})
    return made


def to_resend(tx: ReadTx, event: Row[Any], broadcast_id: int | None, links: Links) -> Resending:
    """One broadcast, or all invitations. Invitations say what the event says now; the rest is repeated word by word."""
    everybody = sent.resendable(tx, event)
    kinds = {one: sent.content_of(tx, one) for one in everybody if broadcast_id in (None, one)}
    if broadcast_id is None:
        kinds = {one: content for one, content in kinds.items() if content.kind in INVITATIONS}
    kept_back = {one: everybody[one] for one in kinds}
    people = queries.people(tx, [member_id for ids in kept_back.values() for member_id in ids])
    if not people:
        return Resending("invite", {}, [], [])
    content = kinds[min(kinds)]
    invitation = notices.invitation(event.body, event.image_preview_url, links.to(event.id))
    messages = invitation if content.kind in INVITATIONS else content.messages
    return Resending(content.kind, kept_back, people, messages)


def invitable(tx: Tx, field: str, member_ids: Sequence[int]) -> list[Person]:
    """All of them, or an error that names who is unknown or cannot be reached."""
    people = queries.people(tx, member_ids)
    faults = target_faults(field, member_ids, people)
    if faults:
        raise InvalidInput("選んだ人の中に、送れない人がいます。", faults)
    return people


def to_add(tx: ReadTx, event_id: int, member_ids: Sequence[int]) -> list[int]:
    """Those of them who are not asked yet, each once."""
    present = queries.target_ids(tx, event_id)
    return [one for one in dict.fromkeys(member_ids) if one not in present]


def to_remind(tx: ReadTx, event_id: int, only: Sequence[int] | None) -> list[Person]:
    people, reminded = waited_for(tx, event_id, only)
    return _reachable(person for person in people if person.member_id not in reminded)


def waited_for(tx: ReadTx, event_id: int, only: Sequence[int] | None) -> tuple[list[Person], set[int]]:
    """Who has not answered, also where there is no way to reach them, and which of them were reminded today."""
    wanted = unanswered(tx, event_id)
    if only is not None:
        wanted &= set(only)
    return queries.people(tx, list(wanted)), wanted & queries.reminded_on(tx, event_id, jst_date(tx.now))


def to_tell(tx: ReadTx, event_id: int) -> list[Person]:
    return _reachable(invited(tx, event_id))


def invited(tx: ReadTx, event_id: int) -> list[Person]:
    """Who was asked, and may know of it."""
    wanted = queries.target_ids(tx, event_id) - queries.never_heard_of_it(tx, event_id)
    return queries.people(tx, list(wanted))


def _reachable(people: Iterable[Person]) -> list[Person]:
    """Who was invited and is off the list of targets since is still asked; who has no LINE link cannot be."""
    return [person for person in people if person.line_user_id is not None and not person.withdrawn]


def open_event(tx: ReadTx, event_id: int, *, may_be_over: bool = False, lock: bool = False) -> Row[Any]:
    """The event, if anything may still be decided about it."""
    event = event_of(tx, event_id, lock=lock)
    if event.cancelled_at is not None:
        raise EventCancelled
    if not may_be_over and event.held_at < tx.now:
        raise EventOver
    return event


def made_before(tx: ReadTx, office: Office, *, hold: bool = False) -> Made | None:
    """A request that came twice, or was cut off: the first one's work counts, and is only finished."""
    if office.scope is None or office.request_key is None:
        return None
    if hold:
        idempotency.hold(tx, office.scope)
    found = sent.by_request_key(tx, office.request_key)
    if found is None:
        return None
    result = sent.result(tx, found[0])
    people = result.success + result.fail + result.unknown + result.pending
    return Made(event_id=found[1], broadcast_id=found[0], people=people)


def _tell(
    tx: Tx,
    event_id: int,
    kind: Kind,
    messages: Messages,
    people: Sequence[Person],
    office: Office,
    reminder_day: str | None = None,
) -> Made:
    """Also with nobody to tell where a request key has to be remembered."""
    if not people and office.request_key is None:
        return Made(event_id, None, 0)
    recipients = [Recipient(person.member_id, person.line_user_id or "") for person in people]
    queued = enqueue(
        tx,
        event_id,
        kind,
        messages,
        recipients,
        office.actor,
        request_key=office.request_key,
        reminder_day=reminder_day,
        limit=office.quota_left,
        claim=office.sends,
    )
    return Made(event_id, queued.broadcast_id, len(people), queued.claimed)


def _record_change(
    tx: Tx,
    event_id: int,
    action: str,
    old: dict[str, Any],
    new: dict[str, Any],
    differs: Sequence[str],
    office: Office,
) -> None:
    def told(values: dict[str, Any]) -> dict[str, Any]:
        return {name: jst_text(values[name]) if name == "held_at" else values[name] for name in differs}

    audit.record(tx, office.actor, action, f"event:{event_id}", old=told(old), new=told(new))
