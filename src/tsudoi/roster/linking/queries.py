from sqlalchemy import ColumnElement, Text, and_, func, select, tuple_, type_coerce

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.names import name_key
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.linking.models import UndoneLink, WaitingRegistration
from tsudoi.roster.linking.rules import Candidate, SimilarNames
from tsudoi.roster.linking.schemas import (
    LinkSummary,
    RegistrationState,
    Suggestion,
    UnlinkedFriend,
    UnlinkedFriends,
    WaitingPeople,
    WaitingPerson,
)
from tsudoi.roster.members.models import Member

_FIRST = type_coerce(LineFriend.first_contact_at, Text)
_MOST_WAITING = 100
_LAST = type_coerce(LineFriend.last_contact_at, Text)


def candidates(tx: ReadTx, key: str) -> list[Candidate]:
    """Active members with this name key; at most two, because two already make the name ambiguous.

    The rows are locked until the commit, so that no other transaction changes them before they are linked. The lock
    does not cover the key, so that an answer of such a member, whose foreign key refers to it, does not wait.
    """
    if not key:
        return []
    found = select(Member.id, Member.line_user_id).where(Member.name_key == key, Member.withdrawn_at.is_(None))
    return [Candidate(row.id, row.line_user_id) for row in tx.execute(found.limit(2).with_for_update(key_share=True))]


def member_of(tx: ReadTx, user_id: str) -> int | None:
    found: int | None = tx.scalar(select(Member.id).where(Member.line_user_id == user_id))
    return found


def has_withdrawn(tx: ReadTx, member_id: int) -> bool:
    return tx.scalar(select(Member.withdrawn_at).where(Member.id == member_id)) is not None


def was_undone(tx: ReadTx, member_id: int, user_id: str) -> bool:
    found = select(UndoneLink.member_id).where(UndoneLink.member_id == member_id, UndoneLink.user_id == user_id)
    return tx.scalar(found) is not None


def unlinked_friends(tx: ReadTx, limit: int, cursor: str | None, *, nfkc: bool) -> UnlinkedFriends:
    """LINE friends without a link, newest contact first, each with the members who have a similar name."""
    statement = (
        select(
            LineFriend.user_id,
            LineFriend.display_name,
            LineFriend.picture_url,
            LineFriend.following,
            _FIRST.label("first_contact_at"),
            _LAST.label("last_contact_at"),
            WaitingRegistration.full_name.label("typed_name"),
            type_coerce(WaitingRegistration.requested_at, Text).label("typed_at"),
        )
        .outerjoin(WaitingRegistration, WaitingRegistration.user_id == LineFriend.user_id)
        .where(_unlinked())
        .order_by(_LAST.desc(), LineFriend.user_id.desc())
        .limit(limit + 1)
    )
    if cursor is not None:
        statement = statement.where(tuple_(_LAST, LineFriend.user_id) < tuple(decode_cursor(cursor, str, str)))
    rows = tx.execute(statement).mappings().all()
    similar = SimilarNames(_members(tx, Member.line_user_id.is_(None)) if rows else [])
    items = [
        UnlinkedFriend(
            **row,
            suggestions=_suggested(similar, name_key(row["typed_name"] or row["display_name"] or "", nfkc=nfkc)),
        )
        for row in rows[:limit]
    ]
    more = encode_cursor(items[-1].last_contact_at, items[-1].user_id) if len(rows) > limit else None
    return UnlinkedFriends(items=items, next_cursor=more, total=unlinked_total(tx))


def waiting_people(tx: ReadTx, *, nfkc: bool) -> WaitingPeople:
    """Who typed a name and waits for the office, each with the members whose name is like it, linked ones too."""
    rows = tx.execute(
        select(WaitingRegistration)
        .where(_still_waits())
        .order_by(WaitingRegistration.requested_at, WaitingRegistration.user_id)
        .limit(_MOST_WAITING)
    ).all()
    similar = SimilarNames(_members(tx) if rows else [])
    found = tx.execute(select(Member.id).where(Member.line_user_id.is_not(None))) if rows else ()
    linked = frozenset(member.id for member in found)
    return WaitingPeople(
        items=[
            WaitingPerson(
                user_id=row.user_id,
                full_name=row.full_name,
                display_name=row.display_name,
                picture_url=row.picture_url,
                requested_at=jst_text(row.requested_at),
                suggestions=_suggested(similar, name_key(row.full_name, nfkc=nfkc), linked),
            )
            for row in rows
        ]
    )


def registration_state(tx: ReadTx, user_id: str) -> RegistrationState:
    linked_to = member_of(tx, user_id)
    if linked_to is not None and not has_withdrawn(tx, linked_to):
        return RegistrationState(state="linked", full_name=None, requested_at=None)
    own = (WaitingRegistration.user_id == user_id, WaitingRegistration.waits == 1)
    found = tx.execute(select(WaitingRegistration).where(*own)).first()
    if found is None:
        return RegistrationState(state="none", full_name=None, requested_at=None)
    return RegistrationState(state="waiting", full_name=found.full_name, requested_at=jst_text(found.requested_at))


def waiting_total(tx: ReadTx) -> int:
    found: int = tx.scalar(select(func.count()).select_from(WaitingRegistration).where(_still_waits()))
    return found


def _still_waits() -> ColumnElement[bool]:
    """Somebody who was linked in another way meanwhile, such as by the sheet, waits no longer."""
    linked = select(Member.id).where(Member.line_user_id == WaitingRegistration.user_id).exists()
    return and_(WaitingRegistration.waits == 1, ~linked)


def _suggested(similar: SimilarNames, key: str, linked: frozenset[int] = frozenset()) -> list[Suggestion]:
    found = similar.of(key)
    return [
        Suggestion(member_id=one.member_id, name=one.name, exact=one.exact, linked=one.member_id in linked)
        for one in found
    ]


def unlinked_total(tx: ReadTx) -> int:
    total: int = tx.scalar(select(func.count()).select_from(LineFriend).where(_unlinked()))
    return total


def link_summary(tx: ReadTx) -> LinkSummary:
    present = Member.withdrawn_at.is_(None)
    counted = select(func.count().label("members"), func.count(Member.line_user_id).label("linked")).where(present)
    row = tx.execute(counted).one()
    # Somebody may register without being a friend of the account, and is counted here too.
    is_friend = select(LineFriend.user_id).where(LineFriend.user_id == WaitingRegistration.user_id).exists()
    strangers = tx.scalar(select(func.count()).select_from(WaitingRegistration).where(_still_waits(), ~is_friend))
    return LinkSummary(
        unlinked_friends=unlinked_total(tx) + strangers,
        waiting_registrations=waiting_total(tx),
        members=row.members,
        linked_members=row.linked,
    )


def _unlinked() -> ColumnElement[bool]:
    return ~select(Member.line_user_id).where(Member.line_user_id == LineFriend.user_id).exists()


def _members(tx: ReadTx, *conditions: ColumnElement[bool]) -> list[tuple[int, str, str]]:
    found = select(Member.id, Member.name, Member.name_key).where(Member.withdrawn_at.is_(None), *conditions)
    return [(row.id, row.name, row.name_key) for row in tx.execute(found)]


def keys_by_another_rule(tx: ReadTx, *, nfkc: bool) -> list[tuple[int, str]]:
    """Members whose stored key is not the one that their name has now, with that key. An erased one has none."""
    found = tx.execute(select(Member.id, Member.name, Member.name_key).where(Member.erased_at.is_(None)))
    keys = ((row.id, name_key(row.name, nfkc=nfkc), row.name_key) for row in found)
    return [(member_id, key) for member_id, key, stored in keys if key != stored]
