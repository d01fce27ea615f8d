from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, insert, update

from tsudoi.access.principals import Admin
from tsudoi.core import audit
from tsudoi.core.clock import jst_date, jst_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import InvalidInput
from tsudoi.core.tokens import new_token
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.answers.queries import unanswered
from tsudoi.events.broadcast import queries as broadcast
from tsudoi.events.broadcast.rules import INVITATIONS
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.broadcast.service.resending import take_over
from tsudoi.events.broadcast.service.settling import withdraw_unsent
from tsudoi.events.broadcast.service.tasks import SendTask
from tsudoi.events.event.errors import EventCancelled
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import LONGEST_BODY, LONGEST_TITLE, Links
from tsudoi.events.planning import queries
from tsudoi.events.planning.errors import AlreadyStarted, NobodyToAdd, NobodyToRemind, NobodyToResend, StaleEvent
from tsudoi.events.planning.rules import notices
from tsudoi.events.planning.rules.draft import Draft
from tsudoi.events.planning.rules.notices import Kind, Messages
from tsudoi.events.planning.rules.reach import Person, target_faults
from tsudoi.roster.event_making import MemberEvent

_ANNOUNCED_FIELDS = ("title", "held_at", "body")


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """Where the pictures of an event are, and how large."""

    media_key: str
    url: str
    preview_url: str
    size: int
    preview_size: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What the office decided, stored for a repeated request. `broadcast_id` is None when nothing is to be sent."""

    event_id: int
    broadcast_id: int | None
    recipients: int


@dataclass(frozen=True, slots=True)
class Dispatch:
    """How a decision is sent: by which administrator, with which links, and within which limit."""

    admin: Admin
    links: Links
    # How many messages LINE's monthly limit leaves; None: not limited, or not known.
    quota_left: int | None = None
    # The tasks that the request claims in the transaction that writes them, so that the worker does not take them
    # before the request sends them. None: the worker sends them.
    claimed: list[SendTask] | None = None


def create_event(tx: Tx, dispatch: Dispatch, draft: Draft, picture: StoredPicture) -> Decision:
    """Store the event, its targets and every message to send, all in one transaction."""
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
            created_by_admin=dispatch.admin.admin_id,
            created_at=tx.now,
            updated_at=tx.now,
            media_key=picture.media_key,
            calendar_key=new_token(),
        )
    ).inserted_primary_key[0]  # type: ignore[index]
    tx.execute(insert(EventTarget), [{"event_id": event_id, "member_id": person.member_id} for person in people])
    messages = notices.invitation(draft.body, picture.preview_url, dispatch.links.to(event_id))
    decision = _enqueue_notice(tx, event_id, "invite", messages, people, dispatch)
    new = {"title": draft.title, "held_at": jst_text(draft.held_at), "targets": len(people)}
    audit.record(tx, dispatch.admin.actor, "EVENT_CREATE", f"event:{event_id}", new=new)
    return decision


def make_member_event(tx: Tx, wanted: MemberEvent) -> int:
    """An event that another context asks for, such as a date that was found. It has no picture, and nobody is told.

    What its members have said is noted as their answer, so that nobody is asked twice; they can change it as any other
    answer.
    """
    event_id: int = tx.execute(
        insert(Event).values(
            title=_shortened(wanted.title, LONGEST_TITLE),
            body=None if wanted.body is None else _shortened(wanted.body, LONGEST_BODY),
            held_at=wanted.held_at,
            created_by_admin=wanted.admin_id,
            created_at=tx.now,
            updated_at=tx.now,
            calendar_key=new_token(),
            place=wanted.place,
            end_at=wanted.end_at,
            calendar_uid=wanted.calendar_uid,
            sequence=wanted.sequence,
        )
    ).inserted_primary_key[0]  # type: ignore[index]
    tx.execute(insert(EventTarget), [{"event_id": event_id, "member_id": one} for one in wanted.member_ids])
    answered = {**dict.fromkeys(wanted.attending, "attend"), **dict.fromkeys(wanted.absent, "absent")}
    noted = {"event_id": event_id, "via": "admin", "responded_at": tx.now}
    answers = [{**noted, "member_id": one, "status": answered[one]} for one in wanted.member_ids if one in answered]
    if answers:
        tx.execute(insert(EventResponse), answers)
    new = {"title": wanted.title, "held_at": jst_text(wanted.held_at), "targets": len(wanted.member_ids)}
    audit.record(tx, wanted.actor, "EVENT_CREATE", f"event:{event_id}", new=new)
    return event_id


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def add_targets(tx: Tx, dispatch: Dispatch, event_id: int, member_ids: Sequence[int]) -> Decision:
    """Invite further members. Those who are invited already are left out."""
    event = open_event(tx, event_id, lock=True)
    people = invitable(tx, "member_ids", to_add(tx, event_id, member_ids))
    if not people:
        raise NobodyToAdd
    rows = [{"event_id": event_id, "member_id": person.member_id, "added_at": tx.now} for person in people]
    tx.execute(insert(EventTarget), rows)
    messages = notices.later_invitation(event, dispatch.links.to(event_id))
    decision = _enqueue_notice(tx, event_id, "late", messages, people, dispatch)
    new = {"added": [person.member_id for person in people]}
    audit.record(tx, dispatch.admin.actor, "EVENT_TARGETS", f"event:{event_id}", new=new)
    return decision


def remind(tx: Tx, dispatch: Dispatch, event_id: int, only: Sequence[int] | None) -> Decision:
    """Remind members who have not answered and were not reminded today."""
    event = open_event(tx, event_id, lock=True)
    people = to_remind(tx, event_id, only)
    if not people:
        raise NobodyToRemind
    messages = notices.reminder(event.title, event.held_at, dispatch.links.to(event_id))
    decision = _enqueue_notice(tx, event_id, "reminder", messages, people, dispatch, reminder_day=jst_date(tx.now))
    audit.record(tx, dispatch.admin.actor, "EVENT_REMIND", f"event:{event_id}", new={"people": len(people)})
    return decision


def change_event(
    tx: Tx,
    dispatch: Dispatch,
    event_id: int,
    change: dict[str, Any],
    *,
    notify: bool,
    sequence: int | None,
) -> Decision:
    event = open_event(tx, event_id, may_be_over=True, lock=True)
    if sequence is not None and sequence != event.sequence:
        raise StaleEvent
    old = {name: getattr(event, name) for name in _ANNOUNCED_FIELDS}
    new = notices.changed(old, change)
    differs = [name for name in _ANNOUNCED_FIELDS if (old[name] or "") != (new[name] or "")]
    if not differs:
        return Decision(event_id, None, 0)
    values = {name: new[name] for name in differs} | {"sequence": event.sequence + 1, "updated_at": tx.now}
    if "held_at" in differs and event.end_at is not None:
        # It lasts as long as before.
        values["end_at"] = event.end_at + (new["held_at"] - event.held_at)
    tx.execute(update(Event).where(Event.id == event_id).values(**values))
    people = to_notify(tx, event_id) if notify else []
    decision = _enqueue_notice(
        tx, event_id, "change", notices.change(old, new, dispatch.links.to(event_id)), people, dispatch
    )
    texts = [
        {name: jst_text(values[name]) if name == "held_at" else values[name] for name in differs}
        for values in (old, new)
    ]
    audit.record(tx, dispatch.admin.actor, "EVENT_CHANGE", f"event:{event_id}", old=texts[0], new=texts[1])
    return decision


def cancel_event(tx: Tx, dispatch: Dispatch, event_id: int, reason: str | None, *, notify: bool) -> Decision:
    """Cancel the event: unsent messages are withdrawn, answers are kept. `notify`: tell those who know of the event."""
    event = open_event(tx, event_id, may_be_over=True, lock=True)
    values = {"cancelled_at": tx.now, "cancel_reason": reason, "sequence": event.sequence + 1, "updated_at": tx.now}
    tx.execute(update(Event).where(Event.id == event_id).values(**values))
    withdraw_unsent(tx, event_id)
    people = to_notify(tx, event_id) if notify else []
    messages = notices.cancellation(event.title, event.held_at, reason)
    decision = _enqueue_notice(tx, event_id, "cancel", messages, people, dispatch)
    audit.record(
        tx, dispatch.admin.actor, "EVENT_CANCEL", f"event:{event_id}", reason=reason, new={"told": len(people)}
    )
    return decision


@dataclass(frozen=True, slots=True)
class Resending:
    """Messages that LINE's monthly limit kept back: the recipients and the messages to send now."""

    kind: Kind
    # Member ids by the broadcast that did not reach them.
    kept_back: dict[int, list[int]]
    people: list[Person]
    messages: Messages


def resend(tx: Tx, dispatch: Dispatch, event_id: int, broadcast_id: int | None) -> Decision:
    """Enqueue again what LINE's monthly limit kept back. A second request finds nobody, because the first took them.

    The event's lock lets two requests do this one after the other. A delivery that was taken over all the same rolls
    everything back, so that nobody gets a message twice.
    """
    found = to_resend(tx, event_of(tx, event_id, lock=True), broadcast_id, dispatch.links)
    if not found.people:
        raise NobodyToResend
    today = jst_date(tx.now) if found.kind == "reminder" else None
    decision = _enqueue_notice(tx, event_id, found.kind, found.messages, found.people, dispatch, reminder_day=today)
    taken = take_over(tx, event_id, found.kept_back, decision.broadcast_id or 0)
    if taken != sum(map(len, found.kept_back.values())):
        raise NobodyToResend
    audit.record(tx, dispatch.admin.actor, "EVENT_RESEND", f"event:{event_id}", new={"people": len(found.people)})
    return decision


def to_resend(tx: ReadTx, event: Row[Any], broadcast_id: int | None, links: Links) -> Resending:
    """One broadcast, or all invitations. Invitations show the event as it is now; others are repeated unchanged."""
    everybody = broadcast.resendable(tx, event)
    kinds = {one: broadcast.content_of(tx, one) for one in everybody if broadcast_id in (None, one)}
    if broadcast_id is None:
        kinds = {one: content for one, content in kinds.items() if content.kind in INVITATIONS}
    kept_back = {one: everybody[one] for one in kinds}
    people = queries.people(tx, [member_id for ids in kept_back.values() for member_id in ids])
    if not people:
        return Resending("invite", {}, [], [])
    content = kinds[min(kinds)]
    invitation = notices.later_invitation(event, links.to(event.id))
    messages = invitation if content.kind in INVITATIONS else content.messages
    return Resending(content.kind, kept_back, people, messages)


def invitable(tx: Tx, field: str, member_ids: Sequence[int]) -> list[Person]:
    """All of these members, or an error that names those who are unknown or cannot be reached."""
    people = queries.people(tx, member_ids)
    faults = target_faults(field, member_ids, people)
    if faults:
        raise InvalidInput("選んだ人の中に、送れない人がいます。", faults)
    return people


def to_add(tx: ReadTx, event_id: int, member_ids: Sequence[int]) -> list[int]:
    """The members among these who are not invited yet, each once."""
    present = queries.target_ids(tx, event_id)
    return [one for one in dict.fromkeys(member_ids) if one not in present]


def to_remind(tx: ReadTx, event_id: int, only: Sequence[int] | None) -> list[Person]:
    people, reminded = unanswered_people(tx, event_id, only)
    return _reachable(person for person in people if person.member_id not in reminded)


def unanswered_people(tx: ReadTx, event_id: int, only: Sequence[int] | None) -> tuple[list[Person], set[int]]:
    """Members who have not answered, reachable or not, and the ids of those who were reminded today."""
    wanted = unanswered(tx, event_id)
    if only is not None:
        wanted &= set(only)
    return queries.people(tx, list(wanted)), wanted & queries.reminded_on(tx, event_id, jst_date(tx.now))


def to_notify(tx: ReadTx, event_id: int) -> list[Person]:
    return _reachable(invited(tx, event_id))


def invited(tx: ReadTx, event_id: int) -> list[Person]:
    """Invited members who may know of the event."""
    wanted = queries.target_ids(tx, event_id) - queries.never_notified(tx, event_id)
    return queries.people(tx, list(wanted))


def _reachable(people: Iterable[Person]) -> list[Person]:
    """Members with a LINE link. Those who were invited and are no targets any more still get messages."""
    return [person for person in people if person.line_user_id is not None and not person.withdrawn]


def open_event(tx: ReadTx, event_id: int, *, may_be_over: bool = False, lock: bool = False) -> Row[Any]:
    """The event, if the office may still change it or send messages about it."""
    event = event_of(tx, event_id, lock=lock)
    if event.cancelled_at is not None:
        raise EventCancelled
    if not may_be_over and event.held_at < tx.now:
        raise AlreadyStarted
    return event


def _enqueue_notice(
    tx: Tx,
    event_id: int,
    kind: Kind,
    messages: Messages,
    people: Sequence[Person],
    dispatch: Dispatch,
    reminder_day: str | None = None,
) -> Decision:
    if not people:
        return Decision(event_id, None, 0)
    recipients = [Recipient(person.member_id, person.line_user_id or "") for person in people]
    queued = enqueue(
        tx,
        event_id,
        kind,
        messages,
        recipients,
        dispatch.admin.actor,
        reminder_day=reminder_day,
        limit=dispatch.quota_left,
        claim=dispatch.claimed is not None,
    )
    if dispatch.claimed is not None:
        # Replaced instead of appended, because the database may run the transaction again from the start.
        dispatch.claimed[:] = queued.claimed
    return Decision(event_id, queued.broadcast_id, len(people))
