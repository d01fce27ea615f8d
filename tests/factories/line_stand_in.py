"""A LINE whose every answer a test decides: it keeps what it was sent word for word, with the retry keys."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MONTHLY = {"message": "You have reached your monthly limit."}
TOO_MANY = {"message": "The API rate limit has been exceeded. Try again later."}


@dataclass(frozen=True)
class Push:
    """One call of the push API, and the headers that matter."""

    body: dict[str, Any]
    retry_key: str | None
    path: str

    @property
    def to(self) -> str:
        return str(self.body["to"])

    @property
    def text(self) -> str:
        return str(self.body["messages"][0]["text"])


@dataclass(frozen=True)
class Answer:
    """What LINE says. `silent`: it closes the connection; `seconds`: it waits before that."""

    status: int = 200
    body: Any = field(default_factory=lambda: {"sentMessages": [{"id": "461230966842064897"}]})
    request_id: str = "5a7f1c1e-0000-4000-8000-000000000001"
    seconds: float = 0
    silent: bool = False

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body, ensure_ascii=False).encode()


OK = Answer()
SILENT = Answer(silent=True)


class LineStandIn:
    """`answer` decides by the call and its number, which begins at 1. A retry key that was accepted is a 409 then."""

    def __init__(self) -> None:
        self.pushes: list[Push] = []
        self.requests = 0
        self.accepted: set[str] = set()
        self.answer: Callable[[Push, int], Answer] = lambda _push, _number: OK
        self.lock = threading.Lock()
        # Set by `stop`, so that a test does not wait for an answer that nobody waits for.
        self.stopped = threading.Event()
        self.url = ""

    def always(self, answer: Answer) -> None:
        self.answer = lambda _push, _number: answer

    def in_turn(self, *answers: Answer) -> None:
        """These answers one after the other, then OK."""
        begin = len(self.pushes)
        self.answer = lambda _push, number: answers[number - begin - 1] if number - begin <= len(answers) else OK

    @property
    def keys(self) -> list[str | None]:
        return [push.retry_key for push in self.pushes]

    def receive(self, push: Push) -> Answer:
        with self.lock:
            self.pushes.append(push)
            number = len(self.pushes)
            answer = self.answer(push, number)
            known = push.retry_key in self.accepted
            if answer.status == 200 and push.retry_key:
                self.accepted.add(push.retry_key)
        if known and answer.status == 200 and not answer.silent:
            return Answer(409, {"message": "The retry key is already accepted"}, seconds=answer.seconds)
        return answer


@contextmanager
def line_stand_in() -> Iterator[LineStandIn]:
    line = LineStandIn()

    class Handler(BaseHTTPRequestHandler):
        """Answers as the test says."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            line.requests += 1
            self._reply(Answer(404, {"message": "Not found"}))

        def do_POST(self) -> None:
            line.requests += 1
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = line.receive(Push(body, self.headers.get("X-Line-Retry-Key"), self.path))
            if answer.seconds:
                line.stopped.wait(answer.seconds)
            if answer.silent:
                self.close_connection = True
            else:
                with suppress(BrokenPipeError, ConnectionResetError):
                    self._reply(answer)

        def _reply(self, answer: Answer) -> None:
            content = answer.content()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("X-Line-Request-Id", answer.request_id)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            """The test looks at `pushes`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    line.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield line
    finally:
        line.stopped.set()
        server.shutdown()
        server.server_close()
