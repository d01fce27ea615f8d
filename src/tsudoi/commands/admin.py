"""`tsudoi admin`: create, disable and list administrators, and end their sessions and tokens."""

import getpass
import sys
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from rich.console import Console
from rich.table import Table

from tsudoi.access.admins import queries, service
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.clock import display
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Problem
from tsudoi.core.passwords import hash_password, weakness

P = ParamSpec("P")
T = TypeVar("T")

_LONGEST_NAME = 100


def create(username: str, *, from_stdin: bool) -> int:
    if not 1 <= len(username.strip()) <= _LONGEST_NAME:
        raise Refusal(f"ユーザー名は1〜{_LONGEST_NAME}文字にしてください / user name: 1 to {_LONGEST_NAME} characters")
    _write(service.create_admin, username.strip(), _hash_of_new_password(from_stdin=from_stdin))
    return _say(f"管理者「{username.strip()}」を作成しました / created")


def token(username: str) -> int:
    made = _write(service.create_token, username)
    Console(stderr=True).print("このトークンは二度と表示されません / shown once, keep it safe:")
    print(made)  # noqa: T201 (only the token goes to standard output, so that it can be piped)
    return 0


def disable(username: str) -> int:
    ended = _write(service.disable, username)
    return _say(f"管理者「{username}」を無効にしました / disabled", ended)


def enable(username: str) -> int:
    _write(service.enable, username)
    return _say(f"管理者「{username}」を有効にしました / enabled")


def revoke(username: str) -> int:
    ended = _write(service.revoke, username)
    return _say(f"管理者「{username}」のログインとトークンを終了しました / revoked", ended)


def passwd(username: str, *, from_stdin: bool) -> int:
    ended = _write(service.change_password, username, _hash_of_new_password(from_stdin=from_stdin))
    return _say(f"管理者「{username}」のパスワードを変更しました / password changed", ended)


def show_all() -> int:
    with database_of(read_settings()) as db:
        states = db.read_now(queries.states)
    table = Table("ユーザー名 / name", "作成 / created", "状態 / state", "ログイン中 / sessions", "トークン / tokens")
    for one in states:
        state = "有効 / enabled" if one.disabled_at is None else f"無効 / disabled {display(one.disabled_at)}"
        table.add_row(one.username, display(one.created_at), state, str(one.sessions), str(one.tokens))
    Console().print(table)
    return 0


def _write(verb: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    with database_of(read_settings()) as db:
        try:
            return db.write_now(verb, *args, **kwargs)
        except Problem as problem:
            raise Refusal(problem.message) from problem


def _say(text: str, ended: int | None = None) -> int:
    more = "" if ended is None else f"（終了したログインとトークン {ended} 件 / ended: {ended}）"
    Console().print(text + more, highlight=False)
    return 0


def _hash_of_new_password(*, from_stdin: bool) -> str:
    password = sys.stdin.readline().rstrip("\n") if from_stdin else _ask()
    if (why := weakness(password)) is not None:
        raise Refusal(why)
    return hash_password(password)


def _ask() -> str:
    password = getpass.getpass("パスワード / password: ")
    if getpass.getpass("もう一度 / again: ") != password:
        raise Refusal("パスワードが一致しません / the passwords differ")
    return password
