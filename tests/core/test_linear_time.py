"""No text from outside takes more than linear time: a hundred kilobytes of one character must not stop the process.

A quadratic expression needs minutes of CPU for a hundred kilobytes, a linear one a millisecond. So the bound is so
generous that a busy machine does not matter, and ten kilobytes go first, so that a fault does not hang the test.
"""

import importlib
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from pydantic_core import PydanticCustomError

import tsudoi
from tsudoi.booking.imports.rules.csv_file import read_csv
from tsudoi.booking.imports.rules.judging import candidates
from tsudoi.booking.staffs.rules import birth_date, person_name
from tsudoi.core.errors import InvalidInput, Problem
from tsudoi.core.log import mask_text
from tsudoi.core.names import name_key
from tsudoi.events.planning.rules.draft import InvalidField, body_of, title_of
from tsudoi.gateway.api_comm.matching import phone_digits
from tsudoi.notifications.bounces.errors import UnreadableMail
from tsudoi.notifications.bounces.rules import read_report
from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.rules.addresses import checked_address
from tsudoi.notifications.templates.rules import flaws
from tsudoi.shops.identity.rules.contacts import contact_of

PIECES = (
    *"()a0A.-@%;\"'<>[]{}=+/~:\\_! ア\n\r",
    *("%40", "a@", "<@", "a.", "-a", " ;", "\r\n", "{}", "5.1.", "eyJ", "+81", "00", "Bearer ", "https:"),
    *("DETAIL:", "charset=", "METHOD:", ".tar.", "2026-01-01", "U0"),
)
# What is only used on texts that are short for another reason.
BOUNDED = {
    "tsudoi.core.backup.making._LEFTOVER": "names of files in our own folder",
    "tsudoi.core.log_files._DATED": "names of files in our own folder",
    "tsudoi.core.common_passwords._EDGES": "passwords, of which no more than 72 bytes are accepted",
    "tsudoi.core.addresses._MAIL_ADDRESS": "settings, which the operator writes",
    "tsudoi.core.settings_file._LINE": "settings, which the operator writes",
    "tsudoi.commands.data._SERVER": "settings, which the operator writes",
    "tsudoi.commands.data._KIND": "settings, which the operator writes",
    "tsudoi.notifications.bounces.rules._ADDRESS": "a field of no more than 400 characters",
    "tsudoi.gateway.clients.mail._PATH": "whole addresses that have been checked",
}


_SMALL = 10_000


def nasty(size: int) -> Iterator[str]:
    for piece in PIECES:
        for before in ("", "<") if size <= _SMALL else ("<",):
            yield before + piece * (size // len(piece)) + "\0"


def spent(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began


def slow(work: Callable[[str], object], sizes: Sequence[tuple[int, float]]) -> str | None:
    """The text that takes too long, or None. Time of the CPU counts, and a second try, because others use it too."""
    for size, bound in sizes:
        for text in nasty(size):
            if spent(work, text) > bound and spent(work, text) > bound:
                return f"{size} characters: {text[:12]!r}…"
    return None


def expressions() -> dict[str, re.Pattern[Any]]:
    for module in pkgutil.walk_packages(tsudoi.__path__, "tsudoi."):
        if not module.name.startswith(("tsudoi.migrations", "tsudoi.sandbox", "tsudoi.__main__")):
            importlib.import_module(module.name)
    return {
        f"{name}.{key}": value
        for name, module in sorted(sys.modules.items())
        if name.startswith("tsudoi.") and not name.startswith("tsudoi.sandbox")
        for key, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }


def fed(pattern: re.Pattern[Any], text: str) -> None:
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    pattern.search(given)
    pattern.fullmatch(given)


@pytest.mark.found("24.E3")
def test_every_expression_is_linear() -> None:
    found = {name: pattern for name, pattern in expressions().items() if name not in BOUNDED}
    assert len(found) > 90
    slow_ones = {}
    for name, pattern in found.items():
        # Ten kilobytes show what is quadratic, and a hundred for each of a hundred expressions would take a minute.
        if where := slow(partial(fed, pattern), sizes=((10_000, 0.2),)):
            slow_ones[name] = where
    assert not slow_ones
    assert BOUNDED.keys() <= expressions().keys()


def in_a_report(text: str) -> None:
    lines = " ".join(text.split()) or "x"
    head = f"References: {lines}\nContent-Type: multipart/report; boundary=x\n\n--x\n"
    status = f"Content-Type: message/delivery-status\n\nFinal-Recipient: {lines}\nAction: failed\nStatus: 5.1.1"
    for message in (f"Content-Type: multipart/report; {lines}\n\nx", f"{head}{status}\n\n--x--", text):
        with suppress(UnreadableMail):
            read_report(message.encode())


def in_a_csv(text: str) -> None:
    for content in (text, f"名前,本部ID,部署,職種\n{text},1,A,B", f'名前,本部ID,部署,職種\n"{text}","{text}",A,B'):
        with suppress(InvalidInput):
            candidates(read_csv(content.replace("\0", "x").encode()))


PARSERS: dict[str, Callable[[str], object]] = {
    "a returned mail": in_a_report,
    "the import of staff": in_a_csv,
    "a name": lambda text: name_key(text, nfkc=True),
    "a line of a log": mask_text,
    "a mail address": checked_address,
    "a contact of a customer": lambda text: contact_of(text, text, text),
    "a telephone number": phone_digits,
    "a text of a notice": flaws,
    "a name of staff": person_name,
    "a calendar day": birth_date,
    "a title": title_of,
    "a text of an event": body_of,
}


@pytest.mark.found("24.E3")
@pytest.mark.parametrize("what", PARSERS)
def test_every_parser_of_outside_texts_is_linear(what: str) -> None:
    def parsed(text: str) -> None:
        with suppress(ValueError, Problem, PydanticCustomError, BadMailAddress, InvalidField):
            PARSERS[what](text)

    assert slow(parsed, sizes=((10_000, 0.5), (100_000, 3.0))) is None
