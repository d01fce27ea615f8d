import math
from datetime import datetime

from tsudoi.core.clock import JST
from tsudoi.core.errors import Conflict, Detail, InvalidInput, NotFound, RateLimited, Unauthenticated


class WrongCredentials(Unauthenticated):
    """The name or the password is wrong, or the account is disabled; the caller is not told which."""

    default_message = "ユーザー名またはパスワードが違います。"


class OneTimePasswordTooOld(Unauthenticated):
    """The password is right, but it was a one-time password, and was not used in time."""

    code = "ONE_TIME_PASSWORD_TOO_OLD"
    default_message = "一度だけ使うパスワードの期限が切れています。ほかの管理者に、もう一度発行するよう頼んでください。"


class SecondFactorMissing(Unauthenticated):
    """The password is right, and the account has a second factor: the code is asked for next."""

    code = "TOTP_REQUIRED"
    default_message = "認証コードを入れてください。"


class WrongSecondFactor(Unauthenticated):
    """The password is right and the code is not, or it was used before."""

    code = "TOTP_WRONG"
    default_message = "認証コードが違うか、すでに使われています。アプリに次のコードが出たら、もう一度お試しください。"


class Locked(RateLimited):
    """The name is locked after failed log-ins. Unknown names are locked too, so that they look the same."""

    code = "LOCKED"

    def __init__(self, until: datetime, now: datetime) -> None:
        seconds = max(1, math.ceil((until - now).total_seconds()))
        at = until.astimezone(JST).strftime("%H:%M")
        super().__init__(
            seconds, f"ログインの失敗が続いたため、10分間ロックしています。{at} を過ぎてからもう一度お試しください。"
        )


class BadUsername(InvalidInput):
    """Nobody may get this name; the message says why."""

    def __init__(self, why: str) -> None:
        super().__init__(why, [Detail("username", "INVALID")])


class UsernameTaken(Conflict):
    """An administrator has this name already, or one that looks the same."""

    def __init__(self, username: str, existing: str) -> None:
        alike = f"ユーザー名「{username}」は、すでにある「{existing}」と見分けがつきません。別の名前にしてください。"
        super().__init__(f"ユーザー名「{username}」はすでに使われています。" if existing == username else alike)
        self.username = username
        self.existing = existing


class NoSuchAdmin(NotFound):
    """No administrator has this name, or none in the state that the command needs."""

    def __init__(self, username: str) -> None:
        super().__init__(f"管理者「{username}」は見つかりません。")
        self.username = username


class NoSuchSession(NotFound):
    """The administrator has no such session or token, or it has ended already."""

    default_message = "このログインまたはトークンは、すでに終了しています。"


class LastAdmin(Conflict):
    """The last enabled administrator cannot be disabled, because nobody else could log in."""

    default_message = "最後の管理者は無効にできません。先に別の管理者を登録してください。"
