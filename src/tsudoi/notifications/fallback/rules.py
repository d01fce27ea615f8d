"""When a notice that LINE does not deliver goes by mail, until when that is of use, and what the mail says. Pure."""

from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.clock import display
from tsudoi.notifications.notices.rules.deciding import CANCELLATION_IS_NEWS_FOR
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.rules.making import Kind, reminder_at
from tsudoi.notifications.templates.rules import LABELS, WITH_BUTTONS, TemplateKey

# What a mail in place of a notice is about (`mail_messages.subject_kind`).
RESERVATION = "reservation"


@dataclass(frozen=True, slots=True)
class UnheardNotice:
    """A notice that the person does not read in LINE: there was no link, LINE has refused it, or shows it to nobody."""

    reservation_id: int
    kind: Kind
    revision: int
    # When it was decided not to make a job, or when the job failed.
    at: datetime
    # None: there is no job.
    job_id: int | None = None


@dataclass(frozen=True, slots=True)
class MailTimes:
    """When a mail is sent at the earliest and at the latest."""

    due_at: datetime
    send_before: datetime


def is_still_true(kind: Kind, revision: int, facts: NoticeFacts) -> bool:
    if kind == "CANCEL_COMPLETED":
        return facts.state == "canceled"
    return facts.state == "confirmed" and facts.revision == revision


def mail_times(notice: UnheardNotice, facts: NoticeFacts, now: datetime) -> MailTimes | None:
    """None: there is nothing to tell any more, or nothing to remind of."""
    if not is_still_true(notice.kind, notice.revision, facts):
        return None
    if notice.kind == "CANCEL_COMPLETED":
        times = MailTimes(now, notice.at + CANCELLATION_IS_NEWS_FOR)
    elif notice.kind == "REMINDER" and notice.job_id is None:
        at = reminder_at(facts.begins_at, notice.at)
        if at is None:
            return None  # The confirmation came less than 48 hours before.
        times = MailTimes(max(at, now), facts.begins_at)
    else:
        times = MailTimes(now, facts.begins_at)
    return times if times.due_at < times.send_before else None


def mail_subject(key: TemplateKey, facts: NoticeFacts) -> str:
    return f"{LABELS[key]}：{facts.placeholders.get('種別', '')}（{display(facts.begins_at)}）"


def mail_text(key: TemplateKey, text: str, page: str | None) -> str:
    """The text of the notice, and links instead of the buttons. `page`: the reservation in the portal."""
    if page is None or key not in WITH_BUTTONS:
        return text
    return f"{text}\n\n予約の確認・変更：\n{page}\nカレンダーに追加：\n{page}/calendar"
