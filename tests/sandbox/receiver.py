"""The other end of a webhook: a tiny server that keeps what it was sent, byte for byte."""

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        [event] = orjson.loads(self.body)["events"]
        return dict(event)


@dataclass
class Receiver:
    url: str
    status: int = 200
    delay_seconds: float = 0.0
    received: list[Received] = field(default_factory=list)

    @property
    def last(self) -> Received:
        return self.received[-1]


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(self.path, headers, body))
            time.sleep(receiver.delay_seconds)
            with contextlib.suppress(OSError):
                self.send_response(receiver.status)
                self.send_header("content-length", "0")
                self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """A test's output is no place for an access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/api/line/webhook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
