"""Reasons not to run, told to a person instead of thrown at them as a traceback."""

import sys
from collections.abc import Callable

from tsudoi.core.command_line import tsudoi_command


class Refusal(Exception):
    """The message says what is wrong and what to type next."""


def port_taken(host: str, port: int, variable: str, command: str) -> Refusal:
    """`command` is the one that was typed, to be typed again with another port."""
    return Refusal(
        f"ポート {port} はすでに使われています（{host}）。\n"
        f"Port {port} on {host} is already taken.\n"
        f"→ {variable}={port + 10} {tsudoi_command()} {command}   (or stop the program that uses it)"
    )


def explained(command: Callable[[], int | None]) -> int:
    try:
        return command() or 0
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 (a command speaks to its terminal)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not _is_expected(error):
            raise
        print(error, file=sys.stderr)  # noqa: T201
    return 1


def _is_expected(error: Exception) -> bool:
    """Bad settings and a wrong schema carry their own explanation."""
    return type(error).__name__ in ("BadSettings", "SchemaMismatch")
