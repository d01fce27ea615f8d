"""`tsudoi notifications send` in processes of their own, several at once, to be killed."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.factories.processes import Command


class CommandProcesses:
    """Starts the command, several at once, and kills it."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder, self._settings = folder, dict(settings)
        self._log = folder / "command.log"
        self._begun: list[Command] = []

    def start(self, number: int) -> list[Command]:
        files = (Path(os.devnull), self._log, self._log)
        words = ["notifications", "send"]
        started = [Command(words, self._folder, self._settings, files) for _ in range(number)]
        self._begun += started
        return started

    def said(self) -> str:
        return self._log.read_text()

    def kill(self) -> None:
        for one in self._begun:
            one.kill()
            one.wait(60)
        self._begun.clear()

    def run(self, number: int) -> list[int]:
        """To their end; gives the exit codes."""
        codes = [one.wait(100) for one in self.start(number)]
        self._begun.clear()
        return codes


@contextmanager
def command_processes(folder: Path, settings: Mapping[str, str]) -> Iterator[CommandProcesses]:
    processes = CommandProcesses(folder, settings)
    try:
        yield processes
    finally:
        processes.kill()
