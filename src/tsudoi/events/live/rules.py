"""What a viewer hears, as server-sent events. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

# After this many milliseconds a browser that lost the stream comes back.
COMES_BACK_AFTER = 2_000
GREETING = f"retry: {COMES_BACK_AFTER}\n\n".encode()
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Pulse:
    """What shows cheaply that something changed. The numbers that cost more are counted only then."""

    title: str
    held_at: str
    updated_at: str
    sequence: int
    cancelled: bool
    targets_total: int
    newest_broadcast: int
    push_stats: tuple[int, int, str] | None


@dataclass(frozen=True, slots=True)
class State:
    pulse: Pulse
    counts: dict[str, int]
    push: dict[str, int] | None

    @property
    def sending(self) -> bool:
        return self.push is not None and self.push["pending"] > 0


@dataclass(frozen=True, slots=True)
class Answer:
    id: int
    member_id: int
    status: str
    extra_text: str | None
    responded_at: str
    via: str


def snapshot(state: State, mark: int | None, *, reload: bool) -> bytes:
    """`reload`: fetch the list of people anew; otherwise what was missed follows, and only then the mark moves on."""
    return _message("snapshot", {"reload": reload, **_body(state, ())}, mark)


def answers(state: State, new: Sequence[Answer], mark: int) -> bytes:
    return _message("answers", _body(state, new), mark)


def beat(mark: int | None) -> bytes:
    """Keeps the connection open, and lets the browser remember how far it has come."""
    return b": still here\n\n" if mark is None else f": still here\nid: {mark}\n\n".encode()


def mark_of(last_event_id: str | None) -> int | None:
    """What the browser was told last, if it is something that we said."""
    text = (last_event_id or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def _body(state: State, new: Sequence[Answer]) -> dict[str, Any]:
    pulse = state.pulse
    stats = pulse.push_stats
    return {
        "event": {
            "title": pulse.title,
            "held_at": pulse.held_at,
            "updated_at": pulse.updated_at,
            "sequence": pulse.sequence,
            "cancelled": pulse.cancelled,
        },
        "targets_total": pulse.targets_total,
        "counts": state.counts,
        "push": state.push,
        "push_stats": stats and {"success": stats[0], "fail": stats[1], "last_sent_at": stats[2]},
        "answers": [asdict(answer) for answer in new],
    }


def _message(kind: str, body: dict[str, Any], mark: int | None) -> bytes:
    """JSON has no line breaks of its own, so that one `data` line holds it."""
    number = b"" if mark is None else f"id: {mark}\n".encode()
    return b"event: %s\n%sdata: %s\n\n" % (kind.encode(), number, orjson.dumps(body))
