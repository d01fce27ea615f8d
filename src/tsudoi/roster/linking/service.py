"""Links LINE users to members. Every way to link uses this module: new friend, registration, office."""

from datetime import timedelta
from typing import Any

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.exc import IntegrityError

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.names import name_key
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.rules import storable_text
from tsudoi.roster.linking import queries
from tsudoi.roster.linking.errors import LinkConflict, NobodyWaits, NoSuchFriend, NoSuchMember, NotLinked
from tsudoi.roster.linking.models import UndoneLink, WaitingRegistration
from tsudoi.roster.linking.rules import Candidate, LinkResult, LinkResultType, judge
from tsudoi.roster.members.models import Member

# The result of a registration where nobody is linked by a name alone.
WAITS_FOR_OFFICE = "waits_for_office"
SUCCESSFUL = (LinkResultType.LINKED, LinkResultType.ALREADY_LINKED_SAME)


def link_by_display_name(
    tx: Tx, user_id: str, display_name: str | None, *, nfkc: bool, may_link: bool = True
) -> LinkResult:
    """Link a LINE friend by the LINE name. With `may_link` off an exact match is only a suggestion for the office."""
    key = name_key(display_name or "", nfkc=nfkc)
    linked_to = queries.member_of(tx, user_id)
    if linked_to is not None:
        _record_display_name(tx, linked_to, display_name)
    verdict = judge(queries.candidates(tx, key), user_id, linked_to, key)
    if isinstance(verdict, Candidate):
        if not may_link:
            return LinkResult(LinkResultType.UNMATCHED, normalized_name=key, reason="auto_link_off")
        return _link(tx, verdict, user_id, display_name, key, "line:follow")
    if verdict.type is LinkResultType.UNMATCHED and linked_to is not None:
        if queries.has_withdrawn(tx, linked_to):
            return LinkResult(LinkResultType.UNMATCHED, normalized_name=key, reason="member_has_withdrawn")
        # The LINE name has changed; the link is still valid.
        return LinkResult(LinkResultType.ALREADY_LINKED_SAME, linked_to, key)
    return verdict


def link_by_full_name(tx: Tx, user_id: str, input_name: str, display_name: str | None, *, nfkc: bool) -> LinkResult:
    """Link a LINE user by the full name that the user typed."""
    key = name_key(input_name, nfkc=nfkc)
    verdict = judge(queries.candidates(tx, key), user_id, queries.member_of(tx, user_id), key)
    if isinstance(verdict, Candidate):
        verdict = _link(tx, verdict, user_id, display_name, key, "line:register")
    elif verdict.type is LinkResultType.ALREADY_LINKED_SAME and verdict.member_id is not None:
        _record_display_name(tx, verdict.member_id, display_name)
    if key and verdict.type not in SUCCESSFUL:
        _keep_typed_name(tx, user_id, input_name, (display_name, None), waits=False)
    return verdict


def ask_for_link(
    tx: Tx, user_id: str, input_name: str, profile: tuple[str | None, str | None], *, nfkc: bool
) -> LinkResult:
    """Keep the typed name for the office, which decides. A name is not compared with the roster here at all.

    So nobody can find out by typing names who is on the roster. `profile`: LINE's name and picture of the user.
    """
    linked_to = queries.member_of(tx, user_id)
    key = name_key(input_name, nfkc=nfkc)
    if linked_to is not None and not queries.has_withdrawn(tx, linked_to):
        _record_display_name(tx, linked_to, profile[0])
        return LinkResult(LinkResultType.ALREADY_LINKED_SAME, linked_to, key)
    _keep_typed_name(tx, user_id, input_name, profile, waits=True)
    return LinkResult(LinkResultType.UNMATCHED, normalized_name=key, reason=WAITS_FOR_OFFICE)


def _keep_typed_name(
    tx: Tx, user_id: str, input_name: str, profile: tuple[str | None, str | None], *, waits: bool
) -> None:
    """Keep the newest name. A wait that the person asked for goes on when another name is tried meanwhile."""
    display_name, picture_url = map(storable_text, profile)
    kept: dict[str, Any] = {
        "full_name": storable_text(input_name) or "",
        "display_name": display_name,
        "requested_at": tx.now,
    }
    kept |= {"picture_url": picture_url, "waits": 1} if waits else {}
    statement = upsert(tx, WaitingRegistration).values(user_id=user_id, **{"waits": 0, **kept})
    tx.execute(statement.on_conflict_do_update(index_elements=["user_id"], set_=kept))


def turn_away(tx: Tx, user_id: str, actor: str) -> None:
    """The office does not know this person. The name may be typed again."""
    gone = delete(WaitingRegistration).where(WaitingRegistration.user_id == user_id, WaitingRegistration.waits == 1)
    name = tx.scalar(gone.returning(WaitingRegistration.full_name))
    if name is None:
        raise NobodyWaits
    audit.record(tx, actor, "REGISTRATION_REFUSE", f"line:{user_id}", new={"typed_name": name})


def forget_settled(tx: Tx, kept_for: timedelta = timedelta(days=180), hints_for: timedelta = timedelta(days=90)) -> int:
    """Remove the names of those who were linked in another way, and of those whom nobody has decided about."""
    row = WaitingRegistration
    linked = select(Member.id).where(Member.line_user_id == row.user_id).exists()
    old = or_(row.requested_at < tx.now - kept_for, and_(row.waits == 0, row.requested_at < tx.now - hints_for))
    return tx.execute(delete(row).where(or_(linked, old))).rowcount


def link_by_hand(tx: Tx, user_id: str, member_id: int, reason: str, actor: str) -> int:
    """Link by decision of the office. An existing link is never overwritten."""
    friend = tx.execute(select(LineFriend.display_name).where(LineFriend.user_id == user_id)).first()
    waiting = delete(WaitingRegistration).where(WaitingRegistration.user_id == user_id)
    # Somebody may register without being a friend of the account.
    friend = tx.execute(waiting.returning(WaitingRegistration.display_name)).first() or friend
    if friend is None and queries.member_of(tx, user_id) != member_id:
        raise NoSuchFriend
    member = tx.execute(
        select(Member.id, Member.line_user_id, Member.withdrawn_at)
        .where(Member.id == member_id)
        .with_for_update(key_share=True)
    ).first()
    if member is None or member.withdrawn_at is not None:
        raise NoSuchMember
    if member.line_user_id is not None and member.line_user_id != user_id:
        raise LinkConflict("この会員は、すでに別のLINEと連携しています。先に今の連携を解除してください。")
    if member.line_user_id is None:
        if friend is None or not _set_link(tx, member_id, user_id, friend.display_name):
            raise LinkConflict("このLINEは、すでに別の会員と連携しています。先に今の連携を解除してください。")
        tx.execute(delete(UndoneLink).where(UndoneLink.member_id == member_id, UndoneLink.user_id == user_id))
        _audit(tx, actor, "LINK", member_id, reason, None, user_id)
    return member_id


def unlink(tx: Tx, member_id: int, reason: str, actor: str) -> None:
    """Remove a wrong link. These two are not linked by name again, only by hand."""
    member = tx.execute(
        select(Member.line_user_id).where(Member.id == member_id).with_for_update(key_share=True)
    ).first()
    if member is None:
        raise NoSuchMember
    if member.line_user_id is None:
        raise NotLinked
    tx.execute(
        update(Member)
        .where(Member.id == member_id)
        .values(line_user_id=None, line_display_name=None, is_target=0, updated_at=tx.now)
    )
    undone = {"member_id": member_id, "user_id": member.line_user_id, "created_at": tx.now}
    tx.execute(upsert(tx, UndoneLink).values(**undone).on_conflict_do_nothing())
    _audit(tx, actor, "UNLINK", member_id, reason, member.line_user_id, None)


def renew_name_keys(tx: Tx, *, nfkc: bool) -> int:
    """Make the keys of all members by the rule of now, and return how many were others.

    The rule changes with ONBOARDING_NAME_NFKC and with a new release. Without this the setting would take effect for
    those alone whose row a later sync happens to change.
    """
    old = queries.keys_by_another_rule(tx, nfkc=nfkc)
    if old:
        renewed = update(Member).where(Member.id == bindparam("member_id")).values(name_key=bindparam("key"))
        tx.connection.execute(renewed, [{"member_id": member_id, "key": key} for member_id, key in old])
    return len(old)


def _link(tx: Tx, found: Candidate, user_id: str, display_name: str | None, key: str, actor: str) -> LinkResult:
    if queries.was_undone(tx, found.member_id, user_id):
        return LinkResult(LinkResultType.UNMATCHED, normalized_name=key, reason="undone_by_office")
    if _set_link(tx, found.member_id, user_id, display_name):
        tx.execute(delete(WaitingRegistration).where(WaitingRegistration.user_id == user_id))
        _audit(tx, actor, "LINK", found.member_id, "name_key", None, user_id)
        return LinkResult(LinkResultType.LINKED, found.member_id, key)
    # Another transaction linked first, so the present link decides the result.
    now = tx.scalar(select(Member.line_user_id).where(Member.id == found.member_id))
    kind = LinkResultType.ALREADY_LINKED_SAME if now == user_id else LinkResultType.ALREADY_LINKED_OTHER
    return LinkResult(kind, found.member_id, key, None if now == user_id else "linked_meanwhile")


def _set_link(tx: Tx, member_id: int, user_id: str, display_name: str | None) -> bool:
    """False if the member or the LINE user was linked meanwhile; the unique constraint decides."""
    statement = (
        update(Member)
        .where(Member.id == member_id, Member.line_user_id.is_(None))
        .values(line_user_id=user_id, line_display_name=storable_text(display_name), is_target=1, updated_at=tx.now)
    )
    try:
        with tx.connection.begin_nested():
            return tx.execute(statement).rowcount == 1
    except IntegrityError:
        return False


def _record_display_name(tx: Tx, member_id: int, display_name: str | None) -> None:
    shown = storable_text(display_name)
    if shown:
        tx.execute(
            update(Member)
            .where(Member.id == member_id, Member.line_display_name.is_distinct_from(shown))
            .values(line_display_name=shown, updated_at=tx.now)
        )


def _audit(tx: Tx, actor: str, action: str, member_id: int, reason: str, old: str | None, new: str | None) -> None:
    audit.record(
        tx, actor, action, f"member:{member_id}", reason=reason, old={"line_user_id": old}, new={"line_user_id": new}
    )
