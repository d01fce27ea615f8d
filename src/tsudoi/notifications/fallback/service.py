"""Turns notices that LINE does not deliver into mails, once, and looks at each mail again right before it goes out.

The decision that LINE does not deliver a notice is a row of its own transaction: a skip without a link, or a failed
job. `mail_decided` marks it as work until a mail is written or it is certain that there is none. The mail is not
written in the transaction of the booking, because its text needs the templates, the settings and the reservation as it
is, which the verbs of a booking do not have; LINE's texts are made at the first attempt for the same reason.
"""

from collections.abc import Collection, Mapping
from typing import Any

import structlog
from sqlalchemy import Row, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Problem
from tsudoi.notifications.fallback import queries, rules
from tsudoi.notifications.fallback.rules import RESERVATION, UnheardNotice
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.notifications.mails.rules.drafts import MailDraft, sendable_line, sendable_text
from tsudoi.notifications.mails.service import call_off, enqueue
from tsudoi.notifications.mails.service import forget as forget_mails
from tsudoi.notifications.notices.models import NotificationJob, NotificationSkip
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.rules.texts import notice_text, template_key
from tsudoi.notifications.notices.service.beginning import told_before
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.templates.queries import current_bodies
from tsudoi.notifications.templates.rules import BrokenTemplate, TemplateKey

_log = structlog.stdlib.get_logger(__name__)

_BATCH = 50


def write_mails(tx: Tx, reader: NoticeReader, host: str, *, mail_is_on: bool) -> int:
    """Decide about the oldest notices; returns how many. `host`: for the `Message-ID`.

    Without a mail server the decision is that there is no mail: one that came weeks later would only confuse people.
    """
    found = queries.unheard(tx, _BATCH)
    # A reservation that somebody changes at this moment is left for the next time.
    locked = set(reader.lock(tx, sorted({one.reservation_id for one in found}))) if found else set()
    ready = [one for one in found if one.reservation_id in locked]
    facts = reader.facts(tx, sorted(locked)) if mail_is_on and ready else {}
    bodies = current_bodies(tx) if facts else {}
    for one in ready:
        if one.reservation_id in facts:
            _write_mail(tx, one, facts[one.reservation_id], bodies, host)
        _mark(tx, one)
    return len(ready)


def _write_mail(
    tx: Tx, notice: UnheardNotice, facts: NoticeFacts, bodies: Mapping[TemplateKey, str], host: str
) -> None:
    times = rules.mail_times(notice, facts, tx.now)
    if facts.mail_address is None or times is None or dead_addresses(tx, [facts.mail_address]):
        return
    moved = notice.revision > 0 and told_before(tx, notice.reservation_id, notice.revision)
    key = template_key(notice.kind, facts, moved=moved)
    try:
        with tx.part():
            draft = MailDraft(
                purpose=notice.kind,
                subject_kind=RESERVATION,
                subject_id=str(notice.reservation_id),
                revision=notice.revision,
                to_address=facts.mail_address,
                subject=sendable_line(rules.mail_subject(key, facts)),
                text=sendable_text(rules.mail_text(key, notice_text(bodies[key], facts), facts.page)),
                host=host,
                due_at=times.due_at,
                send_before=times.send_before,
            )
            enqueue(tx, draft)
    except (BrokenTemplate, Problem):
        # The same text fails by LINE too, and the office sees it there; an address may have been written by hand.
        _log.warning("notice_mail_not_written", reservation_id=notice.reservation_id, kind=notice.kind)


def _mark(tx: Tx, notice: UnheardNotice) -> None:
    if notice.job_id is not None:
        tx.execute(update(NotificationJob).where(NotificationJob.job_id == notice.job_id).values(mail_decided=1))
        return
    skip = NotificationSkip
    same = (skip.reservation_id == notice.reservation_id, skip.kind == notice.kind, skip.revision == notice.revision)
    tx.execute(update(skip).where(*same).values(mail_decided=1))


def still_true(tx: Tx, reader: NoticeReader | None, mail: Row[Any]) -> bool | None:
    """Whether a mail is still to be sent, right before its content goes out. None: ask again a moment later.

    The lock of the reservation decides: a cancellation or a move comes before this and the mail is not sent, or after.
    """
    if reader is None:
        return True
    reservation_id = int(mail.subject_id)
    locked = reader.lock(tx, [reservation_id])
    facts = reader.facts(tx, [reservation_id]).get(reservation_id)
    if facts is not None and reservation_id not in locked:
        return None
    if facts is None or facts.mail_address is None or not rules.is_still_true(mail.purpose, mail.revision, facts):
        return False
    if queries.goes_by_line(tx, reservation_id, mail.purpose, mail.revision):
        return False
    if facts.mail_address != mail.to_address:
        # The person has given another address meanwhile. The next attempt goes there.
        tx.execute(update(MailMessage).where(MailMessage.id == mail.id).values(to_address=facts.mail_address))
        return None
    return True


def forget(tx: Tx, reservation_ids: Collection[int]) -> None:
    """Remove the personal data from notices that are over, by LINE and by mail. What became of them stays."""
    ids = [str(one) for one in reservation_ids]
    for one in ids:
        call_off(tx, RESERVATION, one)
    forget_mails(tx, RESERVATION, ids)
    over = update(NotificationJob).where(
        NotificationJob.reservation_id.in_(reservation_ids), NotificationJob.status != "PENDING"
    )
    tx.execute(over.values(line_user_id=None, messages=None))
