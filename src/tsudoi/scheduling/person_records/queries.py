"""People who are known by nothing but a mail address, because they were invited to a thread."""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import func, or_, select

from tsudoi.core.addresses import mail_key
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import PersonRecord, PersonSearch, PersonTraits, RecordKey
from tsudoi.core.person_sources import AnySelect, DriftCheck, PersonSource, drift_row, without_spaces
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.scheduling.thread.models import ThreadInvite

_BY_MAIL = ThreadInvite.invitee_key.startswith("e:")
_PREFIX = len("e:")
# The record is named by the digits of the key, so that no mail address stands in the address of a page.
_ID = func.substr(ThreadInvite.invitee_key, _PREFIX + 1)
_NEWEST_FIRST = (ThreadInvite.created_at.desc(), ThreadInvite.id)


def _search(tx: ReadTx, wanted: PersonSearch) -> list[str]:
    columns = (_ID, ThreadInvite.candidate_name, ThreadInvite.email)
    return wanted.filter(tx.execute(select(*columns).where(_BY_MAIL).order_by(*_NEWEST_FIRST)))


def _read(tx: ReadTx, ids: Collection[str]) -> list[PersonRecord]:
    """With the name and the spelling of the newest invitation."""
    columns = (ThreadInvite.invitee_key, ThreadInvite.candidate_name, ThreadInvite.email, ThreadInvite.created_at)
    invited = select(*columns, ThreadInvite.thread_id).where(ThreadInvite.invitee_key.in_(_keys(ids)))
    by_key = dict[str, list[Any]]()
    for row in tx.execute(invited.order_by(*_NEWEST_FIRST)):
        by_key.setdefault(row.invitee_key, []).append(row)
    dead = dead_addresses(tx, {rows[0].email for rows in by_key.values()})
    return [_record(key, rows, dead) for key, rows in by_key.items()]


def _having(tx: ReadTx, traits: PersonTraits, most: int) -> list[str]:
    shared = or_(
        ThreadInvite.invitee_key.in_({mail_key(address) for address in traits.addresses}),
        without_spaces(ThreadInvite.candidate_name).in_(traits.name_keys),
    )
    found = select(_ID).where(_BY_MAIL, shared).distinct().order_by(_ID).limit(most)
    return list(tx.execute(found).scalars())


def _record(key: str, rows: list[Any], dead: Collection[str]) -> PersonRecord:
    newest = rows[0]
    is_dead = newest.email.lower() in dead
    facts = [
        ("日程調整への招待", f"{len(rows)}回"),
        ("最後の招待", display(newest.created_at)),
        ("メール", "届きません" if is_dead else ""),
    ]
    return PersonRecord(
        RecordKey("address", key[_PREFIX:]),
        newest.candidate_name,
        "broken" if is_dead else "active",
        # The boards of the threads show it as well.
        contact=newest.email or None,
        address=newest.email.lower() or None,
        facts=tuple((label, value) for label, value in facts if value),
        path=f"/threads/{newest.thread_id}",
    )


def _keys(ids: Iterable[str]) -> list[str]:
    return [f"e:{one}" for one in ids]


def _mail_dead() -> AnySelect:
    """Each address once, with the newest thread that asked it."""
    newest = func.row_number().over(partition_by=ThreadInvite.invitee_key, order_by=_NEWEST_FIRST)
    asked = (
        select(
            _ID.label("id"),
            ThreadInvite.candidate_name.label("name"),
            ThreadInvite.thread_id.label("thread_id"),
            MailBounce.status_code.label("status_code"),
            newest.label("place"),
        )
        .join(MailBounce, MailBounce.address == func.lower(ThreadInvite.email))
        .where(_BY_MAIL, MailBounce.dead_at.is_not(None))
        .subquery("asked")
    )
    columns = drift_row("address", asked.c.id, asked.c.name, note=asked.c.status_code, place=asked.c.thread_id)
    return select(*columns).where(asked.c.place == 1).order_by(asked.c.name, asked.c.id)


ADDRESS_RECORDS = PersonSource("address", "メールアドレス", _search, _read, _having)
ADDRESS_CHECKS = (
    DriftCheck(
        "invitee_mail_dead",
        "メールが届かない招待先",
        "メールサーバーから「届けられない」と返されました。日程調整の画面で、正しいアドレスでの招待をご検討ください。",
        "/threads/{place}",
        _mail_dead,
    ),
)
