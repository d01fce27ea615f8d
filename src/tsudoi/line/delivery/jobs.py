"""What every context uses to send: the guarded call, the check of the monthly limit, and the push log.

`push/YYYY-MM-DD.ndjson` has one line for each recipient of a message, written once its outcome is final.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import structlog

from tsudoi.core.clock import jst_date
from tsudoi.core.ndjson import DailyFile, line
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import POLICIES, LineClient
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import Quota, SendOutcome, Unknown
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.delivery.errors import QuotaExceeded
from tsudoi.line.delivery.rules import CalledOff, Cost, PushLogEntry

T = TypeVar("T")

_log = structlog.stdlib.get_logger(__name__)


def guarded_call(
    runtime: Runtime, call: Callable[[LineClient], SendOutcome], *, lease_until: datetime, called_off: str | None = None
) -> SendOutcome | CalledOff | None:
    """Call LINE once and return the outcome; never raises. None: LINE was not called, the row can be given back.

    LINE is not called when the process stops, nor after the lease ran out: if this thread slept, perhaps for longer
    than LINE remembers a retry key, the row may be another worker's by now. `called_off`: the reason why the message
    must not go out any more.
    """
    if runtime.stopping.is_set() or runtime.db.clock.now() >= lease_until:
        return None
    if called_off is not None:
        return CalledOff(called_off)
    try:
        return call(runtime.part(LineClient))
    except Exception as unexpected:  # noqa: BLE001 (how far the call got is not known, and that is the outcome)
        _log.exception("line_call_failed")
        return Unknown(type(unexpected).__name__, maybe_sent=True)


def ask_quota(runtime: Runtime) -> Quota | None:
    """Read the quota from LINE; None if LINE does not answer. Never raises, because it runs during sending."""
    line = runtime.part(LineClient)
    try:
        quota = LineAccount(line, runtime.db.clock).quota()
    except Exception:  # noqa: BLE001 (an unknown quota is a valid result)
        _log.exception("line_quota_failed")
        return None
    return quota if isinstance(quota, Quota) else None


def cost(runtime: Runtime, recipients: int) -> Cost:
    """The cost of a message to so many people, for a preview and for the decision to send it."""
    # Loaded here, because it loads the web framework, which the command that sends notices does not need.
    from tsudoi.access.registration import ActiveContexts  # noqa: PLC0415

    # Our own count is read first, so that a message sent in between is counted twice rather than not at all.
    promised = runtime.db.read_now(runtime.part(ActiveContexts).promised_messages)
    return Cost(recipients, ask_quota(runtime), promised)


def require_quota(runtime: Runtime, recipients: int, *, confirmed: bool) -> int | None:
    """Returns how many messages may go out, or None where that is not limited or not known.

    If it is fewer than `recipients`, the sender must have confirmed a partial send. An unknown quota does not stop the
    sending: messages that LINE refuses are tried again, and shown.
    """
    if recipients == 0:
        return None
    found = cost(runtime, recipients)
    if found.enough is False and not confirmed:
        raise QuotaExceeded(found.cost, found.left or 0)
    return found.left


async def ask_cost(runtime: Runtime, recipients: int) -> Cost:
    """`cost` for an endpoint: in the threads for account requests, so that nothing else waits for LINE."""
    return await _in_time(runtime, partial(cost, runtime, recipients), Cost(recipients, None))


async def ask_room(runtime: Runtime, recipients: int, *, confirmed: bool) -> int | None:
    """`require_quota` for an endpoint, in the same threads."""
    return await _in_time(runtime, partial(require_quota, runtime, recipients, confirmed=confirmed), None)


async def _in_time(runtime: Runtime, ask: Callable[[], T], if_busy: T) -> T:
    return await runtime.part(HttpGateway).threads.run(POLICIES.account.pool, ask, if_busy=if_busy)


# Stands for a recipient's id in a line that serves as a pattern. No other field has this value.
_ANY_ID = -(2**60)

Entries = Sequence[tuple[PushLogEntry, Sequence[int]]]


def write_push_log(runtime: Runtime, entries: Entries) -> bool:
    """Append the lines of these entries for these recipients. False: some could not be written.

    A failure does not change what was sent. The caller does not mark these rows as logged, and a later
    `write_missing_lines` tries again.
    """
    file = DailyFile.of(runtime.settings, "push")
    try:
        for _, same_day in groupby(entries, key=lambda each: jst_date(each[0].at)):
            of_day = list(same_day)
            file.append_lines(of_day[0][0].at, "".join(_lines(entry, ids) for entry, ids in of_day))
    except OSError:
        _log.exception("push_lines_not_written")
        return False
    return True


def write_missing_lines(runtime: Runtime, entries: Entries) -> int | None:
    """Append those lines that are not in the file yet, after a crash or a full disk. Returns how many that were.

    A process may have stopped after it wrote a line and before it marked the row. None: they could not be written.
    """
    file, known = DailyFile.of(runtime.settings, "push"), dict[Path, set[int]]()
    missing: list[tuple[PushLogEntry, Sequence[int]]] = []
    for entry, recipient_ids in sorted(entries, key=lambda each: each[0].at):
        path = file.path(entry.at)
        if path not in known:
            known[path] = _lines_in(file.paths(entry.at))
        new = [one for one in recipient_ids if hash(line(entry.record(one)).encode()) not in known[path]]
        missing.append((entry, new))
    return sum(len(new) for _, new in missing) if write_push_log(runtime, missing) else None


def _lines(entry: PushLogEntry, recipient_ids: Sequence[int]) -> str:
    """Serializes the entry once and puts each id into the text, which is twenty times as fast as one by one."""
    if not recipient_ids:
        return ""
    before, after = line(entry.record(_ANY_ID)).split(f":{_ANY_ID},", 1)
    between = f",{after}\n{before}:"
    return f"{before}:{between.join(map(str, recipient_ids))},{after}\n"


def _lines_in(paths: Iterable[Path]) -> set[int]:
    """Hashes of the lines of these files. A line that a kill cut short has another hash, so it counts as missing."""
    found: set[int] = set()
    for path in paths:
        with path.open("rb") as lines:
            found |= {hash(each.rstrip(b"\n")) for each in lines}
    return found
