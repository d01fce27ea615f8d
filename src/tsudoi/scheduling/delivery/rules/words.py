"""The sentences of each kind of message, in Japanese and English, and the subjects of the mails. Pure."""

import re
from typing import Literal

from tsudoi.scheduling.delivery.rules.dates import short_moment
from tsudoi.scheduling.delivery.rules.messages import NAMING_THE_DATE, Addressee, AnnouncedThread, Announcement

_UNTITLED = "日程調整"
_LONGEST_SUBJECT_TITLE = 120
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_IN_A_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# The news in finer kinds: what it means for this person.
Voice = Literal[
    "invite",
    "reminder",
    "asked_again",
    "slots_added",
    "taking_part",
    "not_answered",
    "not_taking_part",
    "reopened",
    "cancelled",
    "date_cancelled",
    "added",
    "late_coming",
    "late_not_coming",
]
_JAPANESE: dict[Voice, str] = {
    "invite": "{organisation}です。「{title}」の日程を決めるため、ご都合をお聞かせください。",
    "reminder": (
        "{organisation}です。「{title}」の日程について、まだご回答をいただいていません。ご都合をお聞かせください。"
    ),
    "asked_again": (
        "{organisation}です。「{title}」の日程について、ご都合が変わっていましたら、もう一度お聞かせください。"
    ),
    "slots_added": "{organisation}です。「{title}」の候補日が増えました。新しい候補日のご都合をお聞かせください。",
    "taking_part": "{organisation}です。「{title}」の日程が決まりました。ご参加をお待ちしています。",
    "not_answered": (
        "{organisation}です。「{title}」の日程が決まりました。ご参加いただける場合は、下のリンクからお知らせください。"
    ),
    "not_taking_part": (
        "{organisation}です。「{title}」は次の日程に決まりました。ご都合が合わないとのことでしたので、"
        "お知らせのみお送りします。ご回答ありがとうございました。"
    ),
    "reopened": (
        "{organisation}です。いったん決まった「{title}」の日程を取り消し、もう一度調整します。"
        "お手数ですが、あらためてご都合をお聞かせください。"
    ),
    "cancelled": "{organisation}です。「{title}」の日程調整は中止になりました。ご回答は要りません。",
    "date_cancelled": "{organisation}です。お知らせしていた「{title}」は中止になりました。",
    "added": (
        "{organisation}です。「{title}」は次の日程に決まっています。ご参加いただけるかどうかを、お知らせください。"
    ),
    "late_coming": "{organisation}です。「{title}」へのご参加を承りました。日程は次のとおりです。",
    "late_not_coming": "{organisation}です。「{title}」にご参加いただけないことを承りました。日程は次のとおりです。",
}
_ENGLISH: dict[Voice, str] = {
    "invite": '{organisation} asks you when you are free for "{title}".',
    "reminder": '{organisation} is still waiting for your answer about "{title}".',
    "asked_again": '{organisation} asks you once more about "{title}", in case your plans have changed.',
    "slots_added": '{organisation} has added dates for "{title}". Please tell us about the new ones.',
    "taking_part": 'The date of "{title}" is decided. {organisation} looks forward to seeing you.',
    "not_answered": 'The date of "{title}" is decided. If you can take part, please say so by the link below.',
    "not_taking_part": 'The date of "{title}" is decided. We tell you for your information only.',
    "reopened": 'The date of "{title}" was taken back, and {organisation} asks you once more.',
    "cancelled": '"{title}" is cancelled. You need not answer.',
    "date_cancelled": '"{title}", of which we told you the date, is cancelled.',
    "added": 'The date of "{title}" is decided. Please tell {organisation} whether you can take part.',
    "late_coming": '{organisation} has noted that you take part in "{title}".',
    "late_not_coming": '{organisation} has noted that you cannot take part in "{title}".',
}
# What the office says on the telephone. `{when}` is the decided date, `{dates}` are the dates to ask about.
_SPOKEN: dict[Voice, str] = {
    "invite": "「{title}」の日程を決めるため、ご都合をお聞きください。候補日：{dates}",
    "reminder": "「{title}」の日程について、まだご回答がありません。ご都合をお聞きください。候補日：{dates}",
    "asked_again": "「{title}」の日程について、ご都合が変わっていないかお聞きください。候補日：{dates}",
    "slots_added": "「{title}」の候補日が増えました。新しい候補日のご都合をお聞きください：{dates}",
    "taking_part": "「{title}」は{when}に決まりました。ご参加をお待ちしている、とお伝えください。",
    "not_answered": "「{title}」は{when}に決まりました、とお伝えください。参加できるかどうかもお聞きください。",
    "not_taking_part": "「{title}」は{when}に決まりました、とお伝えください。",
    "reopened": "決まっていた「{title}」の日程を取り消しました。もう一度、ご都合をお聞きください。候補日：{dates}",
    "cancelled": "「{title}」の日程調整は中止になりました、とお伝えください。",
    "date_cancelled": "お知らせしていた「{title}」は中止になりました、とお伝えください。",
    "added": "「{title}」は{when}に決まっています、とお伝えください。参加できるかどうかもお聞きください。",
    "late_coming": "「{title}」（{when}）へのご参加を承りました、とお伝えください。",
    "late_not_coming": "「{title}」（{when}）へのご欠席を承りました、とお伝えください。",
}
_MOST_SPOKEN = 10
_SUBJECTS = {
    "reminder": "【回答のお願い】",
    "slots_added": "【候補日の追加】",
    "decision": "【日程決定】",
    "reopened": "【日程の再調整】",
    "cancelled": "【中止】",
    "added": "【日程のご案内】",
    "late": "【ご回答の確認】",
}


def one_line(text: str) -> str:
    """For a subject. Input with control characters is refused; a row that was written by hand may still have some."""
    return " ".join(_CONTROL.sub(" ", text).split())


def several_lines(text: str) -> str:
    return _NOT_IN_A_TEXT.sub("", text).strip()


def title_of(thread: AnnouncedThread) -> str:
    return one_line(thread.title) or _UNTITLED


def subject_of(thread: AnnouncedThread, announcement: Announcement) -> str:
    """The invitation has the subject of document 001, unless the organiser wrote one."""
    title, final = title_of(thread), thread.final_slot
    if announcement.kind == "invite":
        return one_line(thread.mail_subject or "") or f"{title} - You're invited to join a conversation"
    short = title if len(title) <= _LONGEST_SUBJECT_TITLE else f"{title[:_LONGEST_SUBJECT_TITLE]}…"
    date = f"（{short_moment(final.starts_at)}）" if announcement.kind in NAMING_THE_DATE and final else ""
    return f"{_SUBJECTS[announcement.kind]}{short}{date}"


def voice_of(thread: AnnouncedThread, person: Addressee, announcement: Announcement) -> Voice:
    kind, has_answered = announcement.kind, person.answer != "pending"
    if kind == "reminder":
        return "asked_again" if has_answered else "reminder"
    if kind == "decision":
        if person.invitee_key in thread.participants:
            return "taking_part"
        return "not_taking_part" if has_answered else "not_answered"
    if kind == "late":
        return "late_coming" if person.coming_late else "late_not_coming"
    if kind == "cancelled":
        return "cancelled" if person.in_calendar is None else "date_cancelled"
    return kind


def japanese_news(voice: Voice, title: str, organisation: str) -> str:
    return _JAPANESE[voice].format(organisation=organisation, title=title)


def spoken_news(thread: AnnouncedThread, person: Addressee, announcement: Announcement) -> str:
    """What to say to somebody whom only the telephone reaches."""
    final = thread.final_slot
    asked = [slot for slot in thread.slots if not announcement.slot_ids or slot.slot_id in announcement.slot_ids]
    dates = "、".join(short_moment(slot.starts_at) for slot in asked[:_MOST_SPOKEN])
    more = f"、ほか{len(asked) - _MOST_SPOKEN}日" if len(asked) > _MOST_SPOKEN else ""
    when = short_moment(final.starts_at) if final else "日程"
    place = f"場所：{thread.place}。" if thread.place and announcement.kind in NAMING_THE_DATE else ""
    said = _SPOKEN[voice_of(thread, person, announcement)]
    return said.format(title=title_of(thread), when=when, dates=dates + more) + place


def english_news(voice: Voice, title: str, organisation: str) -> str:
    return _ENGLISH[voice].format(organisation=organisation, title=title)
