"""Administrators, their sessions, the audit trail, health checks, and the office's own pages."""

from datetime import timedelta

from tsudoi.access import health
from tsudoi.access.accounts.endpoints import others, own
from tsudoi.access.admins import endpoints as admins
from tsudoi.access.admins.service import forget_old_devices
from tsudoi.access.audit_trail import endpoints as audit_trail
from tsudoi.access.password_hasher import PasswordHasher
from tsudoi.access.registration import (
    AuditSubject,
    Clockwork,
    Context,
    NavigationItem,
    PageMount,
    Tag,
    in_batches,
)
from tsudoi.core import heartbeats, idempotency, lockout, rate_limit, sessions
from tsudoi.core.audit_heads import note_head
from tsudoi.core.backup_age import backup_gauges
from tsudoi.core.log_files import delete_old_logs
from tsudoi.core.runtime import Runtime

_HOURLY = timedelta(hours=1)


def _delete_old_log_files(runtime: Runtime) -> int:
    kept_for = timedelta(days=runtime.settings.keep_log_files_days)
    settings, now = runtime.settings, runtime.db.clock.now()
    # The document asks for files in `line` that say who opened the door: with the names that LINE and people gave.
    named = min(kept_for, timedelta(days=settings.keep_line_events_days))
    return delete_old_logs(settings.log_dir / "line", now, named) + delete_old_logs(settings.log_dir, now, kept_for)


CONTEXT = Context(
    name="access",
    optional=False,
    routers=(health.router, admins.router, own.router, others.router, audit_trail.router),
    tags=(
        Tag("access", "Who may come in: administrators, their sessions, and the audit trail."),
        Tag("operations", "For the engineer who keeps it running."),
    ),
    parts=(PasswordHasher.of,),
    gauges=backup_gauges,
    clockwork=(
        Clockwork(
            "forget_expired_sessions",
            _HOURLY,
            in_batches(sessions.forget_expired, lambda settings: settings.keep_sessions_days),
        ),
        Clockwork("forget_expired_idempotency_keys", _HOURLY, in_batches(idempotency.forget_expired)),
        Clockwork("forget_old_rate_limits", _HOURLY, in_batches(rate_limit.forget_old)),
        Clockwork("forget_old_lockouts", _HOURLY, in_batches(lockout.forget_old)),
        Clockwork("forget_old_devices", _HOURLY, in_batches(forget_old_devices)),
        Clockwork("forget_old_heartbeats", _HOURLY, in_batches(heartbeats.forget_old)),
        Clockwork("delete_old_log_files", _HOURLY, _delete_old_log_files),
        Clockwork("note_audit_head", timedelta(minutes=10), note_head),
    ),
    pages=(PageMount("/admin", "admin"),),
    navigation=(
        NavigationItem("home", "ホーム", "/", "home"),
        NavigationItem("manage", "管理者", "/admins", "admins"),
        NavigationItem("manage", "操作履歴", "/audit", "audit"),
    ),
    audit_actions={
        "ログインと管理者": {
            "LOGIN_SUCCESS": "ログイン",
            "LOGIN_FAIL": "ログインに失敗",
            "LOGOUT": "ログアウト",
            "ADMIN_CREATE": "管理者を登録",
            "ADMIN_TOKEN_CREATE": "APIトークンを発行",
            "ADMIN_DISABLE": "管理者を無効化",
            "ADMIN_ENABLE": "管理者を有効化",
            "ADMIN_REVOKE": "ログインとトークンを終了",
            "ADMIN_SESSION_END": "ログインまたはトークンを1件終了",
            "ADMIN_PASSWORD": "パスワードを変更",
            "AUDIT_KEY": "操作履歴の署名を開始",
            "ADMIN_PASSWORD_RESET": "パスワードを再発行",
            "ADMIN_PROOF_FAIL": "本人の確認に失敗",
            "ADMIN_TOTP_ON": "二段階認証を設定",
            "ADMIN_TOTP_OFF": "二段階認証を解除",
            "ADMIN_RECOVERY_CODES": "回復コードを作り直し",
            "ADMIN_RECOVERY_USE": "回復コードを使ってログイン",
            "ADMIN_UNLOCK": "ログインの一時停止を解除",
        },
        "サーバーの運用": {
            "MEDIA_ADOPT": "画像の保存先を引き継ぎ",
            "COPY_RESTORE": "バックアップから復元",
            "COPY_CONFIRM": "復元後の送信を再開",
        },
    },
    audit_subjects={
        "admin:?": AuditSubject("（登録のないユーザー名）"),
        "audit": AuditSubject("操作履歴"),
        "installation": AuditSubject("このシステム"),
    },
    audit_actors={
        "cli": "コマンド操作",
        "nobody": "（ログイン前）",
        "start": "システム（起動時）",
        "system": "システム（自動）",
    },
    audit_fields={
        "username": "ユーザー名",
        "locked": "ログインの一時停止",
        "ended": "終了したログインとトークン",
        "key_id": "鍵の番号",
        "label": "トークンの用途",
        "session_kind": "終了したもの",
        "stamp": "これまでの持ち主",
        "copy_of": "復元元のデータベース",
        "sessions": "終了したログイン",
        "disabled": "無効のままにした管理者",
        "dropped": "送信を取りやめた件数",
        "codes_left": "残りの回復コード",
    },
)
