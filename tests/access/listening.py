"""A browser's EventSource, as far as the tests need one: real HTTP, in a thread of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import orjson

from tests.servers import browser, eventually


@dataclass
class Message:
    """One server-sent event with data."""

    kind: str
    body: dict[str, Any]
    number: str | None


@dataclass
class Listener:
    """One connection to a stream, and what it has received."""

    url: str
    headers: dict[str, str]
    last_id: str | None = None
    messages: list[Message] = field(default_factory=list)
    beats: int = 0
    status: int = 0
    answer_headers: dict[str, str] = field(default_factory=dict)
    ended: threading.Event = field(default_factory=threading.Event)
    leaving: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        sent = {**self.headers, **({} if self.last_id is None else {"last-event-id": self.last_id})}
        try:
            with browser(self.url) as http, http.stream("GET", self.url, headers=sent, timeout=30) as answer:
                self.status, self.answer_headers = answer.status_code, dict(answer.headers)
                self._read(answer.iter_lines())
        except httpx2.HTTPError:
            pass
        finally:
            self.ended.set()

    def _read(self, lines: Iterator[str]) -> None:
        fields: dict[str, str] = {}
        for line in lines:
            if self.leaving.is_set():
                return
            name, _, value = line.partition(": ")
            if line and name:
                fields[name] = value
            elif line.startswith(":"):
                self.beats += 1
            elif not line:
                self._dispatch(fields)
                fields = {}

    def _dispatch(self, fields: dict[str, str]) -> None:
        self.last_id = fields.get("id", self.last_id)
        if "data" in fields:
            self.messages.append(Message(fields["event"], orjson.loads(fields["data"]), fields.get("id")))

    def until(self, look: Callable[["Listener"], Any], seconds: float = 20) -> Any:
        return eventually(lambda: look(self), seconds)

    def answer_ids(self) -> list[int]:
        return [answer["id"] for message in self.messages for answer in message.body["answers"]]


@contextmanager
def listening(url: str, headers: dict[str, str], last_id: str | None = None) -> Iterator[Listener]:
    """Disconnects as a closed browser tab does: at the next line it receives, at the latest after a heartbeat."""
    listener = Listener(url, headers, last_id)
    thread = threading.Thread(target=listener.run, daemon=True)
    thread.start()
    yield listener
    listener.leaving.set()
    listener.ended.wait(20)
    thread.join(20)
    assert not thread.is_alive()
