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


def run_explained(command: Callable[[], int | None]) -> int:
    try:
        return command() or 0
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 (this is a message for the terminal)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # The messages of these errors already explain what to do.
        if type(error).__name__ not in ("BadSettings", "SchemaMismatch"):
            raise
        print(error, file=sys.stderr)  # noqa: T201
    return 1
