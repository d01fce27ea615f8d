"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from tsudoi.access.registration import AuditSubject, Context, Tag
from tsudoi.booking.accounts import endpoints as accounts
from tsudoi.booking.departments import endpoints as departments
from tsudoi.booking.imports import endpoints as imports
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.types import endpoints as types
from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule

_SECRET = SecretRule(32, RANDOM_HINT)

CONTEXT = Context(
    name="booking",
    routers=(
        departments.router,
        departments.public,
        types.router,
        imports.router,
        accounts.router,
    ),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    parts=(PinHasher.of,),
    body_limits={imports.PATH: imports.LARGEST_FILE},
    audit_actions={
        "職員": {
            "STAFF_CREATE": "職員を登録",
            "STAFF_UPDATE": "職員の情報を変更",
            "STAFF_IMPORT": "職員を取り込み",
            "STAFF_EXPORT": "職員一覧を出力",
            "STAFF_UNLOCK": "ロックを解除",
            "STAFF_CONFIRM": "自己登録を確認",
            "STAFF_MASK": "個人情報を消去",
            "STAFF_UNLINK": "職員とLINEの連携を解除",
            "PIN_RESET": "暗証番号を再発行",
            "REGISTRATION_CODE": "登録コードを発行",
        },
        "予約の準備": {
            "DEPARTMENT_CREATE": "部署を登録",
            "DEPARTMENT_CHANGE": "部署を変更",
            "DEPARTMENT_DELETE": "部署を削除",
            "TYPE_CREATE": "予約の種類を登録",
            "TYPE_CHANGE": "予約の種類を変更",
            "TYPE_DELETE": "予約の種類を削除",
        },
    },
    audit_fields={
        "staff_id": "職員番号",
        "emr_patient_id": "患者ID",
        "family_name": "姓",
        "given_name": "名",
        "family_name_kana": "姓（カナ）",
        "given_name_kana": "名（カナ）",
        "job_title": "職種",
        "department_id": "部署",
        "date_of_birth": "生年月日",
        "sex_code": "性別",
        "status": "状態",
        "role": "権限",
        "format": "形式",
        "skipped_existing": "登録済みの行",
        "skipped_invalid": "誤りのある行",
        "duplicate_in_file": "重複した行",
        "import_batch_id": "取り込み番号",
        "state": "絞り込み",
        "active": "有効",
        "description": "説明",
        "limit_per_year": "年度あたりの回数",
        "minimum_days_between": "次の予約までの日数",
        "cancel_until_hours": "取消の締切（時間前）",
        "overlap_allowed": "同じ時間の予約",
    },
    audit_subjects={
        "staff": AuditSubject("職員", "/staffs/{id}"),
        "slot": AuditSubject("予約枠", "/slots/{id}"),
        "reservation": AuditSubject("予約"),
        "reservation_type": AuditSubject("予約の種類"),
        "department": AuditSubject("部署"),
        "staffs": AuditSubject("職員一覧", "/staffs"),
    },
    required_settings={"JWT_SECRET": _SECRET, "REFRESH_SECRET": _SECRET, "SECURITY_PIN_PEPPER": _SECRET},
    off_without_settings=True,
)
