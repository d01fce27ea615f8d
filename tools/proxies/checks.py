"""What people and LINE do, through a proxy."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx2

from tests.events.planning.desk import picture
from tests.factories.processes import SECRETS
from tests.factories.product import ADMIN, PASSWORD
from tests.factories.webhooks import body_of, event, sign, user_id
from tests.servers import eventually
from tools.proxies.stage import MEMBERS, Stage
from tsudoi.core.clock import SystemClock

EVENTS = "/api/admin/events"
_MIB = 1024 * 1024
_FORGED = 'tsudoi_refused_total{kind="line_signature_invalid"}'


@contextmanager
def office(stage: Stage) -> Iterator[httpx2.Client]:
    """A browser whose administrator has logged in."""
    with stage.client() as http:
        told = http.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).raise_for_status()
        http.headers["x-csrf-token"] = told.json()["csrf_token"]
        yield http


def pages_and_log_in(stage: Stage) -> str:
    with office(stage) as http:
        page = http.get("/admin/")
        assert page.status_code == 200, page
        assert "text/html" in page.headers["content-type"]
        assert "strict-transport-security" in page.headers
        assert http.get("/api/admin/me").json()["username"] == ADMIN
        return f"cookies {[cookie.name for cookie in http.cookies.jar]}"


def uploads(stage: Stage) -> str:
    """A good picture, one that its own rule refuses, a body over the server's limit, and one over the proxy's."""
    form = {"title": "理事会9月", "held_at": "2030-09-10T19:00:00+09:00", "target_member_ids": str(MEMBERS)}
    good = picture(3000, 2200, quality=100)
    expected = {len(good): 201, 5 * _MIB + 1: 400, 32 * _MIB - 4096: 400, 33 * _MIB: 413, 39_000_000: 413}
    heard = []
    with office(stage) as http:
        for size, status in (*expected.items(), (60_000_000, 413)):
            files = {"image": ("notice.jpg", good.ljust(size, b"\0"), "image/jpeg")}
            told = http.post(EVENTS, data=form, files=files)
            assert told.status_code == status, (size, told.text)
            is_ours = "json" in told.headers["content-type"]
            assert is_ours or size not in expected, "the server's own words have to arrive"
            heard.append(f"{size:,} {status}{'' if is_ours else ' by the proxy'}")
        assert http.get("/api/admin/me").status_code == 200
    return ", ".join(heard)


def event_stream(stage: Stage) -> str:
    """What changes is heard at once, and the stream is there after more than a minute in which nothing happens."""
    with office(stage) as http, http.stream("GET", f"{EVENTS}/{stage.event_id}/live") as live:
        assert live.status_code == 200, live.read()
        lines, began = live.iter_lines(), time.monotonic()
        _wait_for(lines, "event: snapshot")
        first = _seconds_until_heard(stage, lines)
        while time.monotonic() - began < 66:
            _wait_for(lines, ": still here")
        later = _seconds_until_heard(stage, lines)
    assert max(first, later) < 5
    return f"a change was heard after {first:.2f} s, and {time.monotonic() - began:.0f} s later after {later:.2f} s"


def _seconds_until_heard(stage: Stage, lines: Iterator[str]) -> float:
    with office(stage) as other:
        asked = time.monotonic()
        other.patch(f"{EVENTS}/{stage.event_id}", json={"title": f"題 {asked}"}).raise_for_status()
    _wait_for(lines, "event: answers")
    return time.monotonic() - asked


def _wait_for(lines: Iterator[str], wanted: str) -> None:
    assert any(line.startswith(wanted) for line in lines), f"the stream ended before {wanted}"


def stream_that_is_left(stage: Stage) -> str:
    """The server hears of it soon, instead of serving nobody for five minutes."""
    with office(stage) as http, ExitStack() as stack:
        streams = [stack.enter_context(http.stream("GET", f"{EVENTS}/{stage.event_id}/live")) for _ in range(20)]
        for live in streams:
            assert live.status_code == 200
        during = stage.metric("tsudoi_connections ")
        assert during >= 20
        stack.close()
        left = time.monotonic()
        eventually(lambda: stage.metric("tsudoi_connections ") <= during - 15, seconds=20)
    return f"after {time.monotonic() - left:.1f} s"


def webhook(stage: Stage) -> str:
    body, headers = signed_webhook(7)
    with stage.client() as http:
        before = stage.metric(_FORGED)
        assert http.post("/api/line/webhook", content=body, headers=headers).status_code == 200
        assert stage.metric(_FORGED) == before
        http.post("/api/line/webhook", content=body + b" ", headers=headers)
        assert stage.metric(_FORGED) == before + 1
    return "the signature fits, and a changed body does not"


def signed_webhook(number: int) -> tuple[bytes, dict[str, str]]:
    told = event("message", who=user_id(number), at=SystemClock().now(), event_id=f"01E{time.monotonic_ns():023d}")
    body = body_of(told)
    return body, {
        "content-type": "application/json",
        "x-line-signature": sign(SECRETS["LINE_CHANNEL_SECRET"], body),
    }
