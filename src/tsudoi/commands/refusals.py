"""Errors of commands that are shown as a message instead of a traceback."""

import errno
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from tsudoi.core.command_line import tsudoi_command

# What a person can do something about. Other errors of the system are faults of ours, and keep their traceback.
_OF_FILES = (errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT, errno.EROFS)


class Refusal(Exception):
    """A command cannot run. The message explains what is wrong and what to type next."""


def settings_fault(name: str, kind: str, context: Mapping[str, object]) -> str:
    """One fault of a setting in both languages, by pydantic's kind of error. The value is not in it."""
    known = {
        "int_parsing": "整数で指定してください / must be a whole number",
        "int_type": "整数で指定してください / must be a whole number",
        "bool_parsing": "true か false を指定してください / must be true or false",
        "greater_than_equal": f"{context.get('ge')} 以上にしてください / must be {context.get('ge')} or more",
        "less_than_equal": f"{context.get('le')} 以下にしてください / must be {context.get('le')} or less",
        "string_too_long": f"{context.get('max_length')} 文字までです / at most {context.get('max_length')} characters",
        "literal_error": f"次のどれかにしてください / must be one of: {context.get('expected')}",
    }
    said = str(context.get("error", kind))
    return f"{name}: {known.get(kind, f'値を直してください / {said}')}"


def port_taken(host: str, port: int, variable: str, command: str) -> Refusal:
    """`command`: the command that was typed, which the message repeats with another port."""
    return Refusal(
        f"ポート {port} はすでに使われています（{host}）。\n"
        f"Port {port} on {host} is already taken.\n"
        f"→ {variable}={port + 10} {tsudoi_command()} {command}   (or stop the program that uses it)"
    )


def database_refusal(reason: object) -> Refusal:
    """The usual reasons are a wrong setting, and a server that does not run or does not answer."""
    return Refusal(
        f"データベースを開けません / The database cannot be opened: {str(reason).strip().partition(chr(10))[0]}\n"
        "→ PostgreSQL が応答しているか、DATABASE_URL（SQLite なら DATA_DIR）が正しいかを確認してください"
        " / does PostgreSQL answer? check DATABASE_URL (on SQLite: DATA_DIR)"
    )


def foreign_pictures(stamp: str | None, folder: object) -> Refusal:
    """The media store is not that of this database. Without this check the sweep would remove all pictures in it."""
    adopt = f"{tsudoi_command()} media adopt"
    if stamp is None:
        return Refusal(
            f"{folder} の画像がどのデータベースのものか分かりません。1枚も消していません [MEDIA_OF_ANOTHER_DATABASE]\n"
            "Nobody can tell to which database these pictures belong; none was deleted.\n"
            "→ DATA_DIR と DATABASE_URL を確認してください / check both settings\n"
            f"→ このデータベースの画像置き場として使う場合 / to use the folder for this database: {adopt}"
        )
    return Refusal(
        f"この画像置き場は、別のデータベース（{stamp[:8]}）のものです。1枚も消していません"
        " [MEDIA_OF_ANOTHER_DATABASE]\n"
        f"{folder} holds the pictures of another database ({stamp[:8]}); none was deleted.\n"
        "→ DATA_DIR と DATABASE_URL を確認してください / check both settings\n"
        f"→ そのデータベースをもう使わない場合 / if that database is not used any more: {adopt} {stamp[:8]}"
    )


def run_explained(command: Callable[[], int | None]) -> int:
    try:
        return command() or 0
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 (this is a message for the terminal)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The program that read our output, such as `head`, has closed it. Python would complain about the rest.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        told = _explained(error)
        if told is None:
            raise
        print(told, file=sys.stderr)  # noqa: T201
    return 1


def _explained(error: Exception) -> Exception | None:
    """By name, because their modules take long to load. The messages of the first three already explain what to do."""
    name = type(error).__name__
    if name in ("BadSettings", "SchemaMismatch", "SettingsUnreadable"):
        return error
    if name == "DatabaseUnavailable":
        return database_refusal(error.__cause__ or error)
    if name == "MediaUnavailable" and isinstance(error.__cause__, OSError):
        return _file_refusal(error.__cause__)
    if isinstance(error, EOFError):
        return Refusal("入力が終わりました。端末から実行してください / the input ended; run it in a terminal")
    return _file_refusal(error) if isinstance(error, OSError) and error.errno in _OF_FILES else None


def _file_refusal(error: OSError) -> Refusal:
    """A command that another user runs, or a full disk."""
    what = f"{error.filename}: " if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        advice = "ディスクの空きを増やして、もう一度実行してください / make room on the disk, and run it again"
    elif error.errno == errno.EROFS:
        advice = "ディスクが読み取り専用です / the disk is read-only"
    else:
        advice = "サーバーのユーザーで実行してください（sudo -u tsudoi …）/ run it as the user of the server"
    return Refusal(f"ファイルを使えません / {what}{error.strerror}\n→ {advice}")
