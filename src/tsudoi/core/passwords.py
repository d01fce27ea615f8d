"""bcrypt for the administrators' passwords. Hashing is slow on purpose, so at most two run at the same time."""

import threading
from collections.abc import Iterable

import bcrypt

from tsudoi.core.common_passwords import is_common

# bcrypt ignores all further bytes, so a longer password would be cut silently.
LONGEST_BYTES = 72
SHORTEST_CHARACTERS = 10
_COST = 12
_AT_A_TIME = threading.BoundedSemaphore(2)
# This hash is checked for an unknown user, so that the response takes as long as for a known one.
_NOBODY = b"$2b$12$AAXGbw6fvxi4FjmSyTJ6duE58802/abkRlCjLd0mcFfSG4RlgP6Oy"


def hash_password(password: str) -> str:
    with _AT_A_TIME:
        return bcrypt.hashpw(password.encode(), bcrypt.gensalt(_COST)).decode()


def check_password(password: str, password_hash: str | None) -> bool:
    """Check a password. A user who does not exist (`None`) gets False after the same amount of work."""
    secret = password.encode("utf-8", "replace")
    stored = _NOBODY if password_hash is None else password_hash.encode()
    with _AT_A_TIME:
        matches = bcrypt.checkpw(secret[:LONGEST_BYTES], stored)
    return matches and password_hash is not None and len(secret) <= LONGEST_BYTES


def weakness(password: str, names: Iterable[str | None] = ()) -> str | None:
    """Why this password is too weak, in Japanese, or None. `names`: of the user and of the organisation."""
    if len(password) < SHORTEST_CHARACTERS:
        return f"パスワードは{SHORTEST_CHARACTERS}文字以上にしてください。"
    if len(password.encode("utf-8", "replace")) > LONGEST_BYTES:
        return f"パスワードは{LONGEST_BYTES}バイト以内（英数字で{LONGEST_BYTES}文字以内）にしてください。"
    if len(set(password)) < 4:  # noqa: PLR2004 (fewer different characters than this is a pattern, not a password)
        return "同じ文字の繰り返しは使えません。"
    if is_common(password, [name for name in names if name]):
        return (
            "推測されやすいパスワードです。よく使われる言葉、続いた数字やキーの並び、"
            "ユーザー名や団体名だけでできたものは使えません。"
        )
    return None
