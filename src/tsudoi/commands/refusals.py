"""Errors of commands that are shown as a message instead of a traceback."""

import sys
from collections.abc import Callable

from tsudoi.core.command_line import tsudoi_command


class Refusal(Exception):
    """A command cannot run. The message explains what is wrong and what to type next."""


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
    except Exception as error:
        told = _explained(error)
        if told is None:
            raise
        print(told, file=sys.stderr)  # noqa: T201
    return 1


def _explained(error: Exception) -> Exception | None:
    """By name, because their modules take long to load. The messages of the first two already explain what to do."""
    name = type(error).__name__
    if name in ("BadSettings", "SchemaMismatch"):
        return error
    return database_refusal(error.__cause__ or error) if name == "DatabaseUnavailable" else None
