from tsudoi.core.errors import Forbidden, Unauthenticated


class IdentityMismatch(Forbidden):
    """The `x-line-user-id` header and the session name different users."""

    code = "IDENTITY_MISMATCH"
    default_message = "ログインしているLINEアカウントと一致しません。"


class AnotherUserId(IdentityMismatch):
    """The `x-user-id` header names somebody else than the administrator whose cookie or token came with it."""

    default_message = (
        "x-user-id が、ログインしている管理者と一致しません。x-user-id を外すか、ご自分のものにしてください。"
    )


class NoLiffSession(Unauthenticated):
    """The request has no session of the member pages, or one that has ended."""

    default_message = "LINEからもう一度開いてください。"


class PasswordChangeRequired(Forbidden):
    """The administrator logged in with a one-time password and has to choose another one before anything else."""

    code = "PASSWORD_CHANGE_REQUIRED"
    default_message = "はじめに、新しいパスワードを決めてください。"


class TotpSetupRequired(Forbidden):
    """The settings require a second factor, and the administrator has not set one up yet."""

    code = "TOTP_SETUP_REQUIRED"
    default_message = "はじめに、二段階認証を設定してください。"


class BrowserOnly(Forbidden):
    """A bearer token is for programs; accounts are managed by a person who has logged in."""

    code = "BROWSER_ONLY"
    default_message = "この操作は、管理画面にログインして行ってください。"


class CrossSite(Forbidden):
    """A page of another site sent this write."""

    default_message = "別のサイトからの操作は受け付けません。"


class WrongCsrfToken(Forbidden):
    """A write with the office's cookie came without the token that belongs to the session."""

    default_message = "画面の有効期限が切れました。読み込み直してからもう一度お試しください。"
