import getpass
import sys

from rich.console import Console

from tsudoi.access.admins import service
from tsudoi.access.admins.errors import UsernameTaken
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.passwords import hash_password, weakness

_LONGEST_NAME = 100


def create(username: str, *, from_stdin: bool) -> int:
    if not 1 <= len(username.strip()) <= _LONGEST_NAME:
        raise Refusal(f"ユーザー名は1〜{_LONGEST_NAME}文字にしてください / user name: 1 to {_LONGEST_NAME} characters")
    password = sys.stdin.readline().rstrip("\n") if from_stdin else _ask()
    if (why := weakness(password)) is not None:
        raise Refusal(why)
    with database_of(read_settings()) as db:
        try:
            db.write_now(service.create_admin, username.strip(), hash_password(password))
        except UsernameTaken as taken:
            raise Refusal(taken.message) from taken
    Console().print(f"管理者「{username.strip()}」を作成しました / created")
    return 0


def token(username: str) -> int:
    with database_of(read_settings()) as db:
        made = db.write_now(service.create_token, username)
    if made is None:
        raise Refusal(f"管理者「{username}」は見つかりません / no such administrator")
    Console(stderr=True).print("このトークンは二度と表示されません / shown once, keep it safe:")
    print(made)  # noqa: T201 (on standard output alone, so that it can be piped)
    return 0


def _ask() -> str:
    password = getpass.getpass("パスワード / password: ")
    if getpass.getpass("もう一度 / again: ") != password:
        raise Refusal("パスワードが一致しません / the passwords differ")
    return password
