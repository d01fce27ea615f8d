"""Events: invitations, answers, reminders, and the office's overview of them."""

from datetime import timedelta

from tsudoi.access.registration import AuditSubject, Clockwork, Context, NavigationItem, Sender, Tag
from tsudoi.events.answers import endpoints as answers
from tsudoi.events.broadcast import endpoints as broadcast
from tsudoi.events.broadcast.jobs import BroadcastSender, drain, finish_log
from tsudoi.events.broadcast.queries import unsent_messages
from tsudoi.events.broadcast.service.tasks import CHUNKS, PUSHES
from tsudoi.events.calendar import endpoints as calendar
from tsudoi.events.calendar_keys import endpoints as calendar_keys
from tsudoi.events.live import endpoints as live
from tsudoi.events.overview import endpoints as overview
from tsudoi.events.person_records.service import EVENT_TABLES
from tsudoi.events.pictures import endpoints as pictures
from tsudoi.events.pictures.jobs import sweep_orphans
from tsudoi.events.pictures.service import named_pictures
from tsudoi.events.planning.endpoints import changing, creating, previewing, resending
from tsudoi.events.planning.rules.draft import LONGEST_IDS
from tsudoi.events.planning.service import make_member_event
from tsudoi.roster.event_making import EventMaker

# The ids of all members, and room for the other fields.
_LIST_OF_PEOPLE = LONGEST_IDS + 64 * 1024

CONTEXT = Context(
    name="events",
    routers=(
        # This router is the first, because it is called most.
        answers.writes,
        # This one comes before the answers, because `123.ics` is no event id.
        calendar.liff,
        answers.liff,
        pictures.router,
        previewing.router,
        creating.router,
        changing.router,
        resending.router,
        overview.router,
        live.router,
        broadcast.router,
        calendar.admin,
        calendar_keys.router,
        answers.admin,
    ),
    tags=(Tag("events", "Events: invitations, answers, reminders, and the history of all answers."),),
    parts=(BroadcastSender, lambda _runtime: EventMaker(make_member_event)),
    outboxes={"event_chunks": CHUNKS, "event_deliveries": PUSHES},
    senders=(Sender("event_broadcasts", drain),),
    clockwork=(
        Clockwork("finish_push_log", timedelta(minutes=1), finish_log),
        Clockwork(
            "sweep_orphaned_pictures", timedelta(hours=1), lambda runtime: sweep_orphans(runtime.db, runtime.media)
        ),
    ),
    media_keys=named_pictures,
    promised_messages=unsent_messages,
    person_tables=EVENT_TABLES,
    body_limits={
        # The form has a picture of at most 5 MB. A larger one is refused by its own rule, together with everything else
        # that is wrong with the form, so the body as a whole may be longer.
        "/api/admin/events": 32 * 1024 * 1024,
        "/api/admin/events/preview": _LIST_OF_PEOPLE,
        "/api/admin/events/{event_id}/preview": _LIST_OF_PEOPLE,
        "/api/admin/events/{event_id}/targets": _LIST_OF_PEOPLE,
        "/api/admin/events/{event_id}/reminders": _LIST_OF_PEOPLE,
    },
    navigation=(NavigationItem("ask", "イベント", "/events", "events"),),
    member_pages=("events",),
    audit_actions={
        "イベント": {
            "EVENT_CREATE": "イベントを作成",
            "CALENDAR_RENEW": "カレンダーの鍵を更新",
            "EVENT_CHANGE": "イベントを変更",
            "EVENT_CANCEL": "イベントを中止",
            "EVENT_TARGETS": "対象者を追加",
            "EVENT_REMIND": "督促を送信",
            "EVENT_RESEND": "送れなかった人に送信",
            "EVENT_ANSWER": "代理で回答",
            "EVENT_EXPORT": "回答を書き出し",
        }
    },
    audit_subjects={"event": AuditSubject("イベント", "/events/{id}")},
    audit_fields={
        "title": "タイトル",
        "held_at": "開催日時",
        "body": "本文",
        "targets": "対象者数",
        "people": "送った人数",
        "told": "知らせた人数",
        "status": "回答",
        "extra_text": "メモ",
        "file": "書き出した内容",
        "as_of": "いつの時点か",
    },
)
