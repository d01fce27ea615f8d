"""The roster part: members copied from the office's sheet, groups, and the links between LINE users and members."""

from datetime import timedelta

from tsudoi.access.registration import AuditSubject, Clockwork, Context, NavigationItem, Tag, in_transaction
from tsudoi.roster.audiences import endpoints as audiences
from tsudoi.roster.audiences.queries import known_members
from tsudoi.roster.linking import endpoints as linking
from tsudoi.roster.linking.jobs import link_follow, renew_keys
from tsudoi.roster.linking.service import forget_settled
from tsudoi.roster.members import endpoints as members
from tsudoi.roster.people import endpoints as people
from tsudoi.roster.person_records.queries import MEMBER_CHECKS, MEMBER_RECORDS
from tsudoi.roster.person_records.service import MEMBER_TABLES
from tsudoi.roster.personal_data import endpoints as personal_data
from tsudoi.roster.syncs import endpoints as syncs
from tsudoi.roster.telephone import endpoints as telephone
from tsudoi.roster.telephone.queries import open_calls
from tsudoi.roster.telephone.service import CALL_TABLES

CONTEXT = Context(
    name="roster",
    optional=False,
    routers=(
        linking.liff,
        members.router,
        syncs.router,
        audiences.router,
        audiences.recipients,
        linking.admin,
        people.router,
        personal_data.router,
        telephone.router,
    ),
    tags=(
        Tag("roster", "Members, groups of members, and the links between LINE users and members."),
        Tag("people", "One page for each person, over the records of all parts, and what no longer fits together."),
    ),
    known_people=known_members,
    gauges=lambda tx: {"telephone_calls_open": open_calls(tx)},
    person_sources=(MEMBER_RECORDS,),
    person_tables=(*MEMBER_TABLES, *CALL_TABLES),
    drift_checks=MEMBER_CHECKS,
    line_handlers={"follow": link_follow},
    clockwork=(
        # At the start, and daily for the sake of a sync by a command that knew another setting.
        Clockwork("renew_name_keys", timedelta(days=1), renew_keys),
        Clockwork("forget_settled_registrations", timedelta(hours=1), in_transaction(forget_settled)),
    ),
    navigation=(
        NavigationItem("tell", "電話する方", "/telephone", "telephone"),
        NavigationItem("people", "会員名簿", "/members", "members"),
        NavigationItem("people", "グループ", "/audiences", "audiences"),
        NavigationItem("people", "人を調べる", "/people", "people"),
    ),
    audit_actions={
        "グループ": {
            "AUDIENCE_CREATE": "グループを作成",
            "AUDIENCE_CHANGE": "グループを変更",
            "AUDIENCE_DELETE": "グループを削除",
            "AUDIENCE_MEMBERS": "グループの所属を変更",
        },
        "名簿とLINE": {
            "MEMBERS_SYNC": "名簿を同期",
            "WITHDRAW": "退会",
            "LINK": "LINEと連携",
            "UNLINK": "LINEとの連携を解除",
            "REGISTRATION_REFUSE": "登録の申し込みを断る",
        },
        "電話": {
            "TELEPHONE_DONE": "電話したことを記録",
            "TELEPHONE_REOPEN": "電話の記録を取り消し",
        },
        "人を調べる": {
            "PERSON_VIEW": "人のページを閲覧",
            "PERSON_DECIDE": "同じ人・別の人を記録",
            "PERSON_EXPORT": "個人データを書き出し",
            "PERSON_ERASE": "個人データを消去",
        },
    },
    audit_subjects={
        "member": AuditSubject("会員", "/people/member/{id}"),
        "members": AuditSubject("名簿"),
        "audience": AuditSubject("グループ"),
        "line": AuditSubject("LINE", "/people/line/{id}"),
        "address": AuditSubject("メールアドレス", "/people/address/{id}"),
        "customer": AuditSubject("店舗のお客様", "/people/customer/{id}"),
    },
    audit_actors={"line:follow": "友だち追加（自動）", "line:register": "会員本人の登録"},
    audit_fields={
        "name": "名前",
        "sort_order": "並び順",
        "added": "加えた会員",
        "removed": "外した会員",
        "member_ids": "会員",
        "member_id": "会員",
        "created": "新規",
        "changed": "変更",
        "withdrawn": "退会",
        "unchanged": "変更なし",
        "refused": "取り込めなかった行",
        "display_name": "LINEの名前",
        "line_user_id": "LINEのID",
        "typed_name": "入力された名前",
        "records": "表示した記録",
        "rows": "対象の件数",
        "other": "比べた記録",
        "verdict": "判断",
        "person_key": "電話の相手",
        "result": "結果",
        "note": "メモ",
    },
)
