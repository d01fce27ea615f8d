"""The product as a member's phone sees it: a session for an ID token, an answer for a session."""

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import orjson


@dataclass
class StandIn:
    url: str = ""
    # By user id: who is told what instead of being served.
    refusals: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    answers: list[dict[str, Any]] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0


class _Handler(BaseHTTPRequestHandler):
    stand_in: StandIn
    lock = threading.Lock()

    def do_POST(self) -> None:
        body = orjson.loads(self.rfile.read(int(self.headers["content-length"])))
        self._enter(1)
        time.sleep(self.stand_in.delay_seconds)
        if self.path == "/api/liff/session":
            who = jwt.decode(body["id_token"], options={"verify_signature": False})["sub"]
            self._answer(200, {"ok": True}, f"tsudoi_liff={who}; HttpOnly; SameSite=Lax; Path=/")
        else:
            self._respond(body)

    def _respond(self, body: dict[str, Any]) -> None:
        who = self.headers["cookie"].removeprefix("tsudoi_liff=")
        code = self.stand_in.refusals.get(who)
        if code is None:
            self.stand_in.answers.append({"user_id": who, "path": self.path, **body})
        self._answer(*((201, {"ok": True}) if code is None else (403, {"code": code, "message": "いけません"})))

    def _enter(self, step: int) -> None:
        with self.lock:
            self.stand_in.busy += step
            self.stand_in.most_busy = max(self.stand_in.most_busy, self.stand_in.busy)

    def _answer(self, status: int, body: Any, cookie: str | None = None) -> None:
        self._enter(-1)
        content = orjson.dumps(body)
        with contextlib.suppress(OSError):
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            if cookie:
                self.send_header("set-cookie", cookie)
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, *_args: Any) -> None:
        """A test's output is no place for an access log."""


@contextlib.contextmanager
def product_stand_in() -> Iterator[StandIn]:
    stand_in = StandIn()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": stand_in}))
    stand_in.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
