"""What is shown live about an event, and its JSON. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class EventBasics:
    """The values that are cheap to read and show that an event has changed. Only then the other numbers are counted."""

    title: str
    held_at: str
    updated_at: str
    sequence: int
    cancelled: bool
    targets_total: int
    newest_broadcast: int
    push_stats: tuple[int, int, str] | None


@dataclass(frozen=True, slots=True)
class EventState:
    """Everything that is shown live about an event, except the answers of single people."""

    basics: EventBasics
    counts: dict[str, int]
    push: dict[str, int] | None

    @property
    def sending(self) -> bool:
        return self.push is not None and self.push["pending"] > 0


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer that was given while a client follows the event."""

    id: int
    member_id: int
    status: str
    extra_text: str | None
    responded_at: str
    via: str


def body(state: EventState, answers: Sequence[NewAnswer]) -> dict[str, object]:
    """The JSON of a snapshot or an update, as `LiveUpdate` describes it."""
    basics = state.basics
    stats = basics.push_stats
    return {
        "event": {
            "title": basics.title,
            "held_at": basics.held_at,
            "updated_at": basics.updated_at,
            "sequence": basics.sequence,
            "cancelled": basics.cancelled,
        },
        "targets_total": basics.targets_total,
        "counts": state.counts,
        "push": state.push,
        "push_stats": stats and {"success": stats[0], "fail": stats[1], "last_sent_at": stats[2]},
        "answers": [asdict(answer) for answer in answers],
    }
