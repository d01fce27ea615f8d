"""`tsudoi notifications send` in processes of their own, to be killed. One process imports everything once."""

import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tsudoi.commands.notifications import SendArguments, run_send

Process = Any


def send(folder: str, settings: Mapping[str, str]) -> None:
    """What the command does, with the settings of its environment. What it says is kept in a file."""
    os.environ.clear()
    os.environ.update(settings)
    os.chdir(folder)
    said = os.open("command.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(said, 1)
    os.dup2(said, 2)
    sys.exit(run_send(SendArguments()))


class CommandProcesses:
    """Starts the command, several at once, and kills it."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder, self._settings = folder, dict(settings)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.notifications.senders", "tsudoi.commands.runtime"])
        self._begun: list[Process] = []

    def start(self, number: int) -> list[Process]:
        given = (str(self._folder), self._settings)
        started = [self._context.Process(target=send, args=given, daemon=True) for _ in range(number)]
        for one in started:
            one.start()
        self._begun += started
        return started

    def said(self) -> str:
        return (self._folder / "command.log").read_text()

    def kill(self) -> None:
        for one in self._begun:
            one.kill()
            one.join(60)
        self._begun.clear()

    def run(self, number: int) -> list[int]:
        """To their end; gives the exit codes."""
        started = self.start(number)
        for one in started:
            one.join(100)
        self._begun.clear()
        return [one.exitcode for one in started]


@contextmanager
def command_processes(folder: Path, settings: Mapping[str, str]) -> Iterator[CommandProcesses]:
    processes = CommandProcesses(folder, settings)
    try:
        yield processes
    finally:
        processes.kill()
