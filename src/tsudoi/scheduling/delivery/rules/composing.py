"""Builds the message for one person. Pure."""

from datetime import datetime

from tsudoi.scheduling.delivery.rules.calendar import entry_for, thread_calendar
from tsudoi.scheduling.delivery.rules.dates import japanese_moment, japanese_slot
from tsudoi.scheduling.delivery.rules.letters import asks, english_part, japanese_part, offered_slots
from tsudoi.scheduling.delivery.rules.messages import (
    NAMING_THE_DATE,
    Addressee,
    AnnouncedThread,
    Announcement,
    ComposedMessage,
    MessageSettings,
)
from tsudoi.scheduling.delivery.rules.rendering import mail_html, mail_text
from tsudoi.scheduling.delivery.rules.words import (
    japanese_news,
    one_line,
    several_lines,
    subject_of,
    title_of,
    voice_of,
)

# A phone shows about this many lines of a message without unfolding it.
_SLOTS_IN_LINE = 5
# A message of LINE has room for 5,000 characters.
_LONGEST_LINE_TEXT = 4500


def compose(
    common: MessageSettings, thread: AnnouncedThread, person: Addressee, announcement: Announcement, now: datetime
) -> ComposedMessage:
    parts = (
        japanese_part(thread, person, announcement, common.organisation),
        english_part(thread, person, announcement, common.organisation),
    )
    link, stop = common.links.invitation(person.token), common.links.unsubscribe(person.token)
    entry = entry_for(thread, person, announcement.kind)
    calendar = None if entry is None else thread_calendar(common, thread, person, entry, now).decode()
    return ComposedMessage(
        subject=subject_of(thread, announcement),
        mail_text=mail_text(common.organisation, link, stop, parts),
        html=mail_html(title_of(thread), common.organisation, link, stop, parts),
        line_text=line_text(common, thread, person, announcement),
        calendar=calendar,
        noted=entry.noted() if entry else {},
    )


def line_text(common: MessageSettings, thread: AnnouncedThread, person: Addressee, announcement: Announcement) -> str:
    """Short: the news, the dates, the link. The member is known inside LINE, so that no token is needed there."""
    final = thread.final_slot if announcement.kind in NAMING_THE_DATE else None
    slots = offered_slots(thread, announcement)
    lines = [
        japanese_news(voice_of(thread, person, announcement), title_of(thread), common.organisation),
        several_lines(announcement.message or ""),
        f"日時：{japanese_slot(final)}" if final else "",
        f"場所：{one_line(thread.place)}" if final and thread.place else "",
        f"理由：{one_line(announcement.reason)}" if announcement.reason else "",
        *(f"・{japanese_slot(slot)}" for slot in slots[:_SLOTS_IN_LINE]),
        f"ほか{len(slots) - _SLOTS_IN_LINE}件" if len(slots) > _SLOTS_IN_LINE else "",
        f"回答期限：{japanese_moment(person.expires_at)}" if asks(announcement) else "",
        "参加できない場合も1回押すだけです。" if asks(announcement) else "",
    ]
    text = "\n".join(line for line in lines if line)
    return f"{text[:_LONGEST_LINE_TEXT]}\n{line_link(common, thread.id, person.token)}"


def line_link(common: MessageSettings, thread_id: str, token: str) -> str:
    """Without a LIFF app the page of the invitation does the same."""
    return common.links.inside_line(thread_id) if common.links.liff_id else common.links.invitation(token)
