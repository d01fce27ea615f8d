"""The `tsudoi` command inside the test's own process: a process of its own costs a second each time."""

import io
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog

from tests.factories.processes import environment, without_where
from tsudoi.cli import app
from tsudoi.commands.refusals import run_explained
from tsudoi.core import passwords


@contextmanager
def own_log() -> Iterator[None]:
    """A command sets up the log of its process. What runs after it must not write to a terminal that is gone."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.configure(**configured)


@dataclass(frozen=True)
class Done:
    """`where`: the line that says whose data these are. `err` is what follows it."""

    code: int
    out: str
    err: str
    where: str = ""


class Terminal:
    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self._patch, self._capture = folder, patch, capture
        # The cheapest hash there is: the tests are not about how slow bcrypt is.
        patch.setattr(passwords, "_COST", 4)

    def __call__(self, *arguments: str, stdin: str = "", **settings: str) -> Done:
        for name, value in environment(self.folder, **settings).items():
            self._patch.setenv(name, value)
        self._patch.setattr(sys, "stdin", io.StringIO(stdin))
        with own_log():
            try:
                code = run_explained(lambda: app(list(arguments)))
            except SystemExit as ended:
                code = int(ended.code or 0)
        told = self._capture.readouterr()
        where, err = without_where(told.err)
        return Done(code, told.out, err, where)

    @property
    def database(self) -> Path:
        return self.folder / "data" / "tsudoi.sqlite3"
