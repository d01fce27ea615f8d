"""The roster part: members copied from the office's sheet, groups, and the links between LINE users and members."""

from tsudoi.access.registration import AuditSubject, Context, NavigationItem, Tag
from tsudoi.roster.audiences import endpoints as audiences
from tsudoi.roster.linking import endpoints as linking
from tsudoi.roster.linking.jobs import link_follow
from tsudoi.roster.members import endpoints as members
from tsudoi.roster.syncs import endpoints as syncs

CONTEXT = Context(
    name="roster",
    optional=False,
    routers=(linking.liff, members.router, syncs.router, audiences.router, audiences.recipients, linking.admin),
    tags=(Tag("roster", "Members, groups of members, and the links between LINE users and members."),),
    line_handlers={"follow": link_follow},
    navigation=(
        NavigationItem("people", "会員名簿", "/members", "members"),
        NavigationItem("people", "グループ", "/audiences", "audiences"),
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
        },
    },
    audit_subjects={
        "member": AuditSubject("会員"),
        "members": AuditSubject("名簿"),
        "audience": AuditSubject("グループ"),
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
    },
)
