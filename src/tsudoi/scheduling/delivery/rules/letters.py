"""A message as parts of which the mail's text and its HTML are made, in each of the two languages. Pure."""

from dataclasses import dataclass

from tsudoi.scheduling.delivery.rules.calendar import gets_the_date
from tsudoi.scheduling.delivery.rules.dates import english_moment, english_slot, japanese_moment, japanese_slot
from tsudoi.scheduling.delivery.rules.messages import (
    NAMING_THE_DATE,
    Addressee,
    AnnouncedSlot,
    AnnouncedThread,
    Announcement,
)
from tsudoi.scheduling.delivery.rules.words import (
    english_news,
    japanese_news,
    one_line,
    several_lines,
    title_of,
    voice_of,
)

_OWN_LINK = "このリンクはあなた専用です。ほかの人に転送しないでください。"
_JAPANESE_ASKING = (
    "ログインは要りません。回答は期限まで何度でも変えられます。",
    "参加できない場合も1回押すだけで回答できます。",
    _OWN_LINK,
)
_WITH_CALENDAR = "カレンダーに登録できるファイル（invite.ics）を添付しました。"
_ENGLISH_OWN_LINK = "This link is yours alone. Please do not forward it."
_ENGLISH_ASKING = (
    "No login is needed. You can change your answer until the deadline.",
    "If you cannot take part, one tap is enough.",
    _ENGLISH_OWN_LINK,
)


@dataclass(frozen=True, slots=True)
class LetterPart:
    """A mail in one language."""

    greeting: str
    paragraphs: tuple[str, ...]
    # Label and value, such as 場所.
    facts: tuple[tuple[str, str], ...]
    slots_heading: str
    slots: tuple[str, ...]
    button: str
    notes: tuple[str, ...]
    stop: str


def asks(announcement: Announcement) -> bool:
    """Whether an answer is wanted."""
    return announcement.kind not in (*NAMING_THE_DATE, "cancelled")


def offered_slots(thread: AnnouncedThread, announcement: Announcement) -> tuple[AnnouncedSlot, ...]:
    """The slots that a message lists: the new ones where some were added, otherwise all."""
    if not asks(announcement):
        return ()
    new = tuple(slot for slot in thread.slots if slot.slot_id in announcement.slot_ids)
    return new if announcement.kind == "slots_added" and new else thread.slots


def japanese_part(
    thread: AnnouncedThread, person: Addressee, announcement: Announcement, organisation: str
) -> LetterPart:
    news = japanese_news(voice_of(thread, person, announcement), title_of(thread), organisation)
    final = thread.final_slot if announcement.kind in NAMING_THE_DATE else None
    facts = [
        ("日時", japanese_slot(final) if final else ""),
        ("場所", one_line(thread.place or "")),
        ("回答期限", japanese_moment(person.expires_at) if asks(announcement) else ""),
        ("理由", one_line(announcement.reason or "")),
    ]
    with_calendar = final is not None and gets_the_date(thread, person, announcement.kind)
    return LetterPart(
        greeting=f"{one_line(person.name)} 様",
        paragraphs=_with_own_words(news, thread, announcement),
        facts=tuple(fact for fact in facts if fact[1]),
        slots_heading="新しい候補日" if announcement.kind == "slots_added" else "候補日",
        slots=tuple(japanese_slot(slot) for slot in offered_slots(thread, announcement)),
        button="回答する" if asks(announcement) or announcement.kind == "added" else "内容を確認する",
        notes=_JAPANESE_ASKING
        if asks(announcement)
        else (_WITH_CALENDAR, _OWN_LINK)
        if with_calendar
        else (_OWN_LINK,),
        stop="この件のメールの配信を止める",
    )


def english_part(
    thread: AnnouncedThread, person: Addressee, announcement: Announcement, organisation: str
) -> LetterPart:
    final = thread.final_slot if announcement.kind in NAMING_THE_DATE else None
    facts = [
        ("When", english_slot(final) if final else ""),
        ("Where", one_line(thread.place or "")),
        ("Answer by", english_moment(person.expires_at) if asks(announcement) else ""),
    ]
    return LetterPart(
        greeting=f"Dear {one_line(person.name)},",
        paragraphs=(english_news(voice_of(thread, person, announcement), title_of(thread), organisation),),
        facts=tuple(fact for fact in facts if fact[1]),
        slots_heading="New dates" if announcement.kind == "slots_added" else "Dates to choose from",
        slots=tuple(english_slot(slot) for slot in offered_slots(thread, announcement)),
        button="Answer" if asks(announcement) or announcement.kind == "added" else "Details",
        notes=_ENGLISH_ASKING if asks(announcement) else (_ENGLISH_OWN_LINK,),
        stop="Stop mails about this",
    )


def _with_own_words(news: str, thread: AnnouncedThread, announcement: Announcement) -> tuple[str, ...]:
    own = several_lines(announcement.message or "")
    about = (
        several_lines(thread.description or "")
        if announcement.kind in ("invite", "reminder", "decision", "added")
        else ""
    )
    return tuple(part for part in (news, own, about) if part)
