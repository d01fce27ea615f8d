"""One step of a run: settle what LINE has answered, claim what is due, begin the next calls.

It is one transaction, because a commit per job would cost more than the call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tsudoi.core.db.interface import Tx
from tsudoi.core.heartbeats import beat
from tsudoi.notifications.notices.queries import HEARTBEAT
from tsudoi.notifications.notices.service.attempts import Caller
from tsudoi.notifications.notices.service.beginning import Begun, begin
from tsudoi.notifications.notices.service.claiming import ClaimedNotice, Wanted, claim, release
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.notices.service.settling import NoticeAttempt, SettledNotice, settle
from tsudoi.notifications.pause.queries import is_paused


@dataclass(frozen=True, slots=True)
class StepRequest:
    """What a sender has in its hands, and what it can take on."""

    caller: Caller
    finished: Sequence[NoticeAttempt] = ()
    held: Sequence[ClaimedNotice] = ()
    # How many calls may begin.
    room: int = 0
    # None: nothing more is claimed.
    wanted: Wanted | None = None


@dataclass(frozen=True, slots=True)
class StepResult:
    """What the step has written, and what the sender holds now."""

    settled: list[SettledNotice] = field(default_factory=list)
    claimed: list[ClaimedNotice] = field(default_factory=list)
    begun: Begun = field(default_factory=lambda: Begun([]))
    # Still claimed and not begun, the oldest first.
    held: list[ClaimedNotice] = field(default_factory=list)
    paused: bool = False


def step(tx: Tx, reader: NoticeReader, request: StepRequest) -> StepResult:
    settled = settle(tx, request.finished, request.caller)
    if request.caller == "command" and request.wanted is not None:
        # Not in each step, because other senders wait for this row until the commit.
        beat(tx, HEARTBEAT)
    if request.wanted is None and not request.held:
        return StepResult(settled)
    if is_paused(tx):
        release(tx, request.held)
        return StepResult(settled, paused=True)
    claimed = claim(tx, request.wanted) if request.wanted is not None else []
    held = [*request.held, *claimed]
    begun = begin(tx, reader, held[: request.room], request.caller)
    # A reservation that somebody changes at this moment comes last, and is begun a moment later.
    return StepResult(settled, claimed, begun, [*held[request.room :], *begun.busy])
