"""Scheduling: threads that find a date, rules that decide and explain themselves, and invitations (document 001)."""

from datetime import timedelta

from tsudoi.access.registration import (
    AuditSubject,
    Clockwork,
    Context,
    NavigationItem,
    Sender,
    Tag,
    TelephoneKind,
    in_batches,
    in_transaction,
)
from tsudoi.scheduling.candidates.queries import past_invitees
from tsudoi.scheduling.deadlines.jobs import watch_deadlines
from tsudoi.scheduling.delivery import jobs as delivery
from tsudoi.scheduling.delivery.queries.sending import unsent_messages
from tsudoi.scheduling.delivery.service.calling import THREAD_CALL, call_unreached
from tsudoi.scheduling.delivery.service.enqueueing import THREAD_MESSAGE
from tsudoi.scheduling.delivery.service.sending import MESSAGES, forget_texts
from tsudoi.scheduling.invitations.endpoints import answering, calendar, member, office, stopping
from tsudoi.scheduling.invitations.endpoints import reading as invitation
from tsudoi.scheduling.invitations.service.stopping import INVITEE
from tsudoi.scheduling.organizing.endpoints import changing, creating, live, reading, suggesting, telling
from tsudoi.scheduling.organizing.service.changing import expire_invitations
from tsudoi.scheduling.person_records.queries import ADDRESS_CHECKS, ADDRESS_RECORDS
from tsudoi.scheduling.person_records.service import THREAD_TABLES
from tsudoi.scheduling.previews import endpoints as previews
from tsudoi.scheduling.reminders import endpoints as reminders

# Five hundred people with their addresses, fifty slots and a rule that names them.
_LIST_OF_PEOPLE = 1024 * 1024

CONTEXT = Context(
    name="scheduling",
    routers=(
        # This router is the first, because it is called most.
        answering.router,
        answering.late_router,
        invitation.router,
        stopping.router,
        calendar.router,
        member.reads,
        member.writes,
        office.router,
        office.previews,
        suggesting.router,
        creating.router,
        reading.calendar_router,
        reading.router,
        live.router,
        telling.router,
        changing.router,
        changing.event_router,
        reminders.router,
        previews.router,
    ),
    body_limits={
        "/api/threads": _LIST_OF_PEOPLE,
        "/api/threads/preview": _LIST_OF_PEOPLE,
        "/api/threads/{thread_id}/invitees": _LIST_OF_PEOPLE,
    },
    outboxes={"thread_messages": MESSAGES},
    senders=(Sender("thread_messages", delivery.send_due),),
    promised_messages=unsent_messages,
    mail_checks={THREAD_MESSAGE: delivery.is_still_true},
    known_people=past_invitees,
    person_sources=(ADDRESS_RECORDS,),
    person_tables=THREAD_TABLES,
    drift_checks=ADDRESS_CHECKS,
    telephone_kinds={THREAD_CALL: TelephoneKind("日程調整", "/threads/{id}", "thread")},
    clockwork=(
        Clockwork("expire_invitations", timedelta(minutes=1), in_transaction(expire_invitations)),
        Clockwork("watch_thread_deadlines", timedelta(minutes=1), watch_deadlines),
        Clockwork("call_unreached_invitees", timedelta(minutes=1), in_transaction(call_unreached)),
        Clockwork("finish_thread_push_log", timedelta(minutes=1), delivery.finish_log),
        Clockwork(
            "forget_thread_messages",
            timedelta(hours=6),
            in_batches(forget_texts, lambda settings: settings.keep_message_texts_days),
        ),
    ),
    tags=(Tag("scheduling", "Threads that find a date: slots, people, a rule that decides, and their invitations."),),
    navigation=(NavigationItem("ask", "日程調整", "/threads", "threads"),),
    member_pages=("threads",),
    audit_actions={
        "日程調整": {
            "THREAD_CREATE": "日程調整を作成",
            "THREAD_CHANGE": "日程調整を変更",
            "THREAD_SEND": "日程調整の招待を送信",
            "THREAD_INVITE": "日程調整に招待",
            "THREAD_UNINVITE": "招待を取り消し",
            "THREAD_SLOTS": "候補日を追加",
            "THREAD_SLOT_REMOVE": "候補日を削除",
            "THREAD_RULE": "決め方を変更",
            "THREAD_REMIND": "日程調整の督促を送信",
            "THREAD_ANSWER": "日程調整に代理で回答",
            "THREAD_LATE_ANSWER": "日程の決定後の回答を記録",
            "THREAD_FINALIZE": "日程を決定",
            "THREAD_REOPEN": "日程の決定を取り消し",
            "THREAD_CANCEL": "日程調整を中止",
            "THREAD_EVENT": "日程からイベントを作成",
            "THREAD_MAILS_STOP": "日程調整のメールを停止",
            "THREAD_MAILS_RESUME": "日程調整のメールを再開",
            "THREADS_CLEAN_ORPHANS": "持ち主のない行を削除",
        }
    },
    audit_subjects={"thread": AuditSubject("日程調整", "/threads/{id}"), "threads": AuditSubject("日程調整")},
    audit_actors={INVITEE: "招待された方（リンクから）"},
    audit_fields={
        "selected_slot_id": "決まった候補日",
        "final_participants": "参加する人",
        "auto": "自動で決定",
        "invitee_keys": "招待した人",
        "invitee_key": "招待した人",
        "thread_slots": "候補日",
        "thread_slot": "候補日",
        "start_at": "開始",
        "end_at": "終了",
        "version": "決め方の版",
        "rule": "決め方",
        "description": "説明",
        "deadline_at": "回答期限",
        "decide_at_deadline": "期限に決める",
        "remind_before_deadline": "期限前の督促",
        "maybe_allowed": "△を使う",
        "answers_visible": "回答を見せる",
        "mail_subject": "メールの件名",
        "finalized_at": "決定した日時",
        "finalized_by_user_id": "決定した人",
        "auto_finalized": "自動で決定",
        "made_event": "作成したイベント",
        "members": "会員",
        "selected_slot_ids": "○の候補日",
        "maybe_slot_ids": "△の候補日",
        "comment": "ひとこと",
        "coming": "参加する",
        "extend_hours": "延長した時間",
        "extended": "延ばした期限",
        "message": "添えた文",
    },
)
