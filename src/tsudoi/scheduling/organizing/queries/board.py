"""The board: everything that the office sees of a thread, now or at an earlier moment."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, Text, select, type_coerce

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.telephone.queries import calls_about
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.decision.rules.facts import Evaluation, InviteeFacts, SlotEvaluation, SlotFacts, ThreadFacts
from tsudoi.scheduling.decision.rules.parsing import stored_rule
from tsudoi.scheduling.decision.rules.sentences import missing_sentence, rule_sentence
from tsudoi.scheduling.delivery.queries.board import deliveries_of
from tsudoi.scheduling.delivery.queries.people import bounced_people, late_answers
from tsudoi.scheduling.delivery.rules.reporting import Delivery
from tsudoi.scheduling.delivery.service.calling import THREAD_CALL
from tsudoi.scheduling.organizing.queries.eventing import everybody, participating_members
from tsudoi.scheduling.organizing.queries.history import answers_until
from tsudoi.scheduling.organizing.queries.status import deciding_facts, evaluation_item, invite_rows, shown_status
from tsudoi.scheduling.organizing.queries.thread import full_thread, rule_head, rule_of, slot_items, thread_row
from tsudoi.scheduling.organizing.rules.past import PastAnswer, facts_then, newest, undecided
from tsudoi.scheduling.organizing.schemas.board import (
    BoardCall,
    BoardDelivery,
    BoardLateAnswer,
    BoardPerson,
    BoardSlot,
    EventTake,
    ThreadBoard,
)
from tsudoi.scheduling.organizing.schemas.responses import EditedRule, ThreadSlotItem
from tsudoi.scheduling.thread.models import SchedulingSlot, ThreadFinalize, ThreadInvite
from tsudoi.scheduling.thread.rules.links import ThreadLinks

# People who are invited at one instant are noted a microsecond apart, so that their order is kept.
_ONE_INSTANT = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class _Moment:
    """The facts of the moment that is shown, and the answers that were given by then."""

    facts: ThreadFacts
    at: datetime
    # None: now. The tables have the newest answers.
    answers: Mapping[str, PastAnswer] | None = None


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the rows of all people need: the links, when each slot came, and what became of the newest message.

    `bounced`: the invitations of those to whom no mail can be sent, because mails came back.
    """

    links: ThreadLinks
    made: Mapping[str, str]
    told: Mapping[str, Delivery]
    bounced: Collection[str]
    # By person. Empty for an earlier moment.
    calls: Mapping[str, Any]
    late: Mapping[str, Row[Any]]


def thread_board(tx: ReadTx, links: ThreadLinks, thread_id: str, as_of: datetime | None = None) -> ThreadBoard:
    row = thread_row(tx, thread_id)
    moment = _moment(tx, thread_id, as_of)
    found = evaluate(moment.facts, moment.at)
    items = {item.slot_id: item for item in slot_items(tx, thread_id)}
    people = {one.invitee_key: one for one in tx.execute(invite_rows(thread_id)) if one.invitee_key}
    names = {person.key: person.name for person in moment.facts.invitees}
    told = deliveries_of(tx, thread_id, as_of)
    calls = calls_about(tx, THREAD_CALL, thread_id) if as_of is None else {}
    late = late_answers(tx, thread_id, as_of)
    shared = _Shared(links, _made_at(tx, thread_id), told, bounced_people(tx, thread_id), calls, late)
    rows = [_person(people[person.key], person, found, moment, shared) for person in moment.facts.invitees]
    evaluations = {slot.slot_id: slot for slot in found.slots}
    return ThreadBoard(
        thread=full_thread(tx, row),
        rule=edited_rule(tx, thread_id, names),
        slots=[
            _slot(items.get(slot.slot_id) or _removed(thread_id, slot), evaluations[slot.slot_id], rows, names)
            for slot in moment.facts.slots
        ],
        people=rows,
        evaluation=evaluation_item(found, moment.facts),
        event_possible=row.status == "finalized" and bool(participating_members(tx, thread_id)),
        event_take=_event_take(tx, thread_id) if row.status == "finalized" and row.event_id is None else None,
        as_of=as_of,
    )


def _event_take(tx: ReadTx, thread_id: str) -> EventTake | None:
    people = everybody(tx, thread_id)
    if not people.members:
        return None
    attend, absent = len(people.attending), len(people.absent)
    pending = len(people.members) - attend - absent
    return EventTake(attend=attend, absent=absent, pending=pending, left_out=list(people.left_out))


def edited_rule(tx: ReadTx, thread_id: str, names: Mapping[str, str]) -> EditedRule | None:
    rule = rule_of(tx, thread_id)
    if rule is None:
        return None
    parsed = stored_rule(rule.text)
    sentence = rule_sentence(parsed, names) if parsed else "この決め方は読み取れません。決め方を設定し直してください。"
    return EditedRule(**rule_head(thread_id, rule).model_dump(), version=rule.version, sentence=sentence)


def _moment(tx: ReadTx, thread_id: str, as_of: datetime | None) -> _Moment:
    facts = deciding_facts(tx, thread_id).facts
    if as_of is None:
        return _Moment(facts, tx.now)
    answers = newest(answers_until(tx, thread_id, as_of))
    slots = _slots(thread_id).where(SchedulingSlot.created_at <= as_of)
    people = select(ThreadInvite.invitee_key).where(
        ThreadInvite.thread_id == thread_id, ThreadInvite.created_at <= as_of + _ONE_INSTANT
    )
    then = facts_then(facts, answers, tx.execute(slots).scalars(), tx.execute(people).scalars())
    decided_at = tx.scalar(select(ThreadFinalize.finalized_at).where(ThreadFinalize.thread_id == thread_id))
    if decided_at is None or decided_at > as_of:
        then = undecided(then)
    return _Moment(then, as_of, answers)


def _removed(thread_id: str, slot: SlotFacts) -> ThreadSlotItem:
    """A slot that was there at that moment, and was removed later."""
    times = {"start_at": slot.starts_at, "end_at": slot.ends_at}
    return ThreadSlotItem(slot_id=slot.slot_id, thread_id=thread_id, **times, timezone="Asia/Tokyo", label="削除済み")


def _made_at(tx: ReadTx, thread_id: str) -> dict[str, str]:
    """When each slot came, as text: all these times have one form, except those of other programs."""
    made = type_coerce(SchedulingSlot.created_at, Text).label("made")
    return {row.slot_id: row.made for row in tx.execute(_slots(thread_id).add_columns(made))}


def _slots(thread_id: str) -> Select[str]:
    return select(SchedulingSlot.slot_id).where(SchedulingSlot.thread_id == thread_id)


def _slot(
    item: ThreadSlotItem, found: SlotEvaluation, people: Sequence[BoardPerson], names: Mapping[str, str]
) -> BoardSlot:
    values = {name: getattr(item, name) for name in ThreadSlotItem.model_fields}
    return BoardSlot(
        **values,
        begun=found.begun,
        yes=len(found.yes),
        maybe=len(found.maybe),
        no=sum(person.answers.get(item.slot_id) == "no" for person in people),
        valid=found.valid,
        possible=found.possible,
        missing=missing_sentence(found, names),
    )


def _person(row: Row[Any], person: InviteeFacts, found: Evaluation, moment: _Moment, shared: _Shared) -> BoardPerson:
    delivery, late = shared.told.get(person.key), shared.late.get(person.key)
    past = None if moment.answers is None else moment.answers.get(person.key)
    given: Any = row if moment.answers is None else past
    answered = person.status != "pending"
    responded_at = (past.answered_at if past else row.responded_at) if answered else None
    return BoardPerson(
        invite_id=row.id,
        invitee_key=person.key,
        name=row.candidate_name,
        email=row.email,
        member_id=row.member_id,
        candidate_reason=row.candidate_reason,
        invite_url=shared.links.invitation(row.token),
        status=_status_then(row, person, moment),
        state=found.people[person.key],
        expires_at=row.expires_at,
        answers=_answers(person, moment.facts, responded_at, shared.made),
        comment=given.comment if answered and given else None,
        responded_at=responded_at,
        via=given.via if answered and given else None,
        answered_by=given.answered_by if answered and given else None,
        can_change=person.key in found.can_change,
        mail_stopped=row.mail_stopped_at is not None,
        mail_bounced=row.id in shared.bounced,
        delivery=None if delivery is None else BoardDelivery(**asdict(delivery)),
        call=_call(shared.calls.get(person.key)),
        late=None if late is None else _late(late),
    )


def _late(row: Row[Any]) -> BoardLateAnswer:
    given = {name: getattr(row, name) for name in ("comment", "via", "answered_by", "answered_at")}
    return BoardLateAnswer(coming=bool(row.coming), **given)


def _call(row: Any) -> BoardCall | None:
    return None if row is None else BoardCall(**{name: getattr(row, name) for name in BoardCall.model_fields})


def _status_then(row: Row[Any], person: InviteeFacts, moment: _Moment) -> Any:
    if moment.answers is None:
        return shown_status(row.status, row.expires_at, moment.at)
    answered = {"selected": "accepted", "declined": "declined"}
    return answered.get(person.status) or shown_status("pending", row.expires_at, moment.at)


def _answers(
    person: InviteeFacts, facts: ThreadFacts, responded_at: datetime | None, made: Mapping[str, str]
) -> dict[str, Any]:
    """Of somebody who answered: every slot that was not chosen is a no, unless it came later than the answer."""
    if person.status == "pending":
        return {}
    chosen = {**dict.fromkeys(person.maybe, "maybe"), **dict.fromkeys(person.yes, "yes")}
    at = "" if responded_at is None else utc_text(responded_at)
    asked = [slot.slot_id for slot in facts.slots if not at or made.get(slot.slot_id, "") <= at]
    return {slot_id: "no" for slot_id in asked if person.status == "declined" or slot_id not in chosen} | (
        chosen if person.status == "selected" else {}
    )
