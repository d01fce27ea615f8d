"""`tsudoi admin`: create, disable and list administrators, and end their sessions, tokens and second factors."""

import getpass
import sys
import warnings
from collections.abc import Callable
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from rich.console import Console
from rich.table import Table
from sqlalchemy import select

from tsudoi.access.accounts.service import new_one_time_password
from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import NoSuchAdmin, NoSuchSession
from tsudoi.access.admins.models import AdminUser
from tsudoi.access.admins.rules import username_fault
from tsudoi.access.second_factor import service as second_factor
from tsudoi.commands.data import database_of, read_settings, read_settings_alone
from tsudoi.commands.refusals import Refusal
from tsudoi.core import sessions
from tsudoi.core.clock import display
from tsudoi.core.command_line import print_table
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Problem
from tsudoi.core.passwords import hash_password, weakness

P = ParamSpec("P")
T = TypeVar("T")

_SHOWN_OF_ID = 12


def create(username: str, *, from_stdin: bool) -> int:
    name = username.strip()
    if (why := username_fault(name)) is not None:
        raise Refusal(why)
    _write(service.create_admin, name, _hash_of_new_password(name, from_stdin=from_stdin))
    return _say(f"管理者「{name}」を作成しました / created")


def token(username: str, label: str | None) -> int:
    made = _write(service.create_token, username, label)
    Console(stderr=True).print("このトークンは二度と表示されません / shown once, keep it safe:")
    print(made)  # noqa: T201 (only the token goes to standard output, so that it can be piped)
    return 0


def disable(username: str) -> int:
    ended = _write(service.disable, username)
    return _say(f"管理者「{username}」を無効にしました / disabled", ended)


def enable(username: str) -> int:
    """Also for one who is enabled already: a person who repeats a command wants its result."""
    if not _write(_enable, username):
        return _say(f"管理者「{username}」は、すでに有効です / enabled already")
    return _say(f"管理者「{username}」を有効にしました / enabled")


def _enable(tx: Tx, username: str) -> bool:
    admin_id = service.id_of(tx, username)
    if tx.scalar(select(AdminUser.disabled_at).where(AdminUser.id == admin_id)) is None:
        return False
    service.enable(tx, username)
    return True


def unlock(username: str) -> int:
    if _write(service.unlock, username):
        return _say(f"管理者「{username}」は、すぐにログインできます / unlocked")
    return _say(f"管理者「{username}」のログインは止まっていませんでした / was not locked")


def revoke(username: str, session_id: str | None) -> int:
    """All sessions and tokens, or the one whose id begins with these characters, as `show` prints them."""
    if session_id is None:
        ended = _write(service.revoke, username)
        return _say(f"管理者「{username}」のログインとトークンを終了しました / revoked", ended)
    _write(_revoke_one, username, session_id)
    return _say(f"管理者「{username}」の {session_id} を終了しました / revoked", 1)


def _revoke_one(tx: Tx, username: str, beginning: str) -> None:
    found = [one.id for one in _state_of(tx, username).open if one.id.startswith(beginning)]
    if len(found) != 1:
        raise NoSuchSession
    service.revoke_one(tx, username, found[0])


def passwd(username: str, *, from_stdin: bool, one_time: bool) -> int:
    if one_time:
        return _one_time(username)
    password_hash = _hash_of_new_password(username, from_stdin=from_stdin)
    ended = _write(service.change_password, username, password_hash)
    return _say(f"管理者「{username}」のパスワードを変更しました / password changed", ended)


def _one_time(username: str) -> int:
    password = new_one_time_password()
    _write(service.change_password, username, hash_password(password), one_time=True)
    Console(stderr=True).print(
        f"次のログインで本人が変えるパスワードです（{service.ONE_TIME_LIFETIME.days}日間有効、二度と表示されません）"
        " / to be changed at the next log-in, shown once:"
    )
    print(password)  # noqa: T201 (only the password goes to standard output)
    return 0


def totp_reset(username: str) -> int:
    _write(_remove_totp, username)
    return _say(f"管理者「{username}」の二段階認証を解除しました / second factor removed")


def _remove_totp(tx: Tx, username: str) -> None:
    second_factor.remove(tx, service.id_of(tx, username), username, "cli")


def show_all() -> int:
    with database_of(read_settings()) as db:
        states = db.read_now(queries.states)
    columns = (
        "名前 / name",
        "作成 / created",
        "状態 / state",
        "二段階 / TOTP",
        "ログイン中 / sessions",
        "トークン / tokens",
    )
    table = Table(*columns, "最後の利用 / last used")
    for one in states:
        numbers = ("on" if one.has_totp else "off", str(one.sessions), str(one.tokens), _moment(one.last_used_at))
        table.add_row(one.username, display(one.created_at), _state_in_words(one), *numbers)
    print_table(table)
    return 0


def show_one(username: str) -> int:
    """The open sessions and tokens of one administrator."""
    with database_of(read_settings()) as db:
        try:
            state = db.read_now(_state_of, username)
        except Problem as problem:
            raise Refusal(problem.message) from problem
    table = Table("ID", "種類 / kind", "作成 / made", "最後の利用 / last used", "アドレス / from", "端末 / device")
    for one in state.open:
        kind = "トークン / token" if one.kind == sessions.TOKEN else "ログイン / session"
        where = (one.data.get("address") or "", one.data.get("label") or one.data.get("device") or "")
        table.add_row(one.id[:_SHOWN_OF_ID], kind, display(one.created_at), _moment(one.last_used_at), *where)
    print_table(table)
    return 0


def _state_of(tx: ReadTx, username: str) -> queries.AccountState:
    found = next((state for state in queries.states(tx) if state.username == username), None)
    if found is None:
        raise NoSuchAdmin(username)
    return found


def _state_in_words(one: queries.AccountState) -> str:
    if one.disabled_at is not None:
        return f"無効 / disabled {display(one.disabled_at)}"
    return (
        "有効 / enabled" if one.one_time_until is None else f"初期パスワード / one-time {display(one.one_time_until)}"
    )


def _moment(at: datetime | None) -> str:
    return "" if at is None else display(at)


def _write(verb: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    with database_of(read_settings()) as db:
        try:
            return db.write_now(verb, *args, **kwargs)
        except Problem as problem:
            raise Refusal(problem.message) from problem


def _say(text: str, ended: int | None = None) -> int:
    more = "" if ended is None else f"（終了したログインとトークン {ended} 件 / ended: {ended}）"
    Console(soft_wrap=True).print(text + more, highlight=False)
    return 0


def _hash_of_new_password(username: str, *, from_stdin: bool) -> str:
    password = sys.stdin.readline().rstrip("\n") if from_stdin else _ask()
    if (why := weakness(password, (username, read_settings_alone().organisation_name))) is not None:
        raise Refusal(why)
    return hash_password(password)


def _ask() -> str:
    try:
        # Without a terminal it warns that the password could be seen, and then finds nothing to read.
        with warnings.catch_warnings(action="ignore", category=getpass.GetPassWarning):
            password = getpass.getpass("パスワード / password: ")
            again = getpass.getpass("もう一度 / again: ")
    except EOFError as end:
        raise Refusal(
            "パスワードを読み取れません（端末がありません）/ there is no terminal to ask for the password\n"
            "→ --password-stdin を付けて、標準入力から渡してください / hand it over with --password-stdin"
        ) from end
    if again != password:
        raise Refusal("パスワードが一致しません / the passwords differ")
    return password
