"""What LINE's answer means for a notice. Pure.

An HTTP answer is a result: LINE took the notice, or the attempt has failed. No answer is no result.
"""

from dataclasses import dataclass
from typing import Literal

import orjson

from tsudoi.core.log import mask_text
from tsudoi.gateway.clients.line_outcomes import LineAnswer, Rejected, SendOutcome, SendRateLimited, Unknown

LONGEST_ERROR = 16 * 1024
_CUT = " …（16 kB で省略 / cut）"
_OK, _CONFLICT, _SERVER_ERROR = range(200, 300), 409, 500


@dataclass(frozen=True, slots=True)
class NoticeVerdict:
    """What one attempt came to. `maybe_sent`: LINE may have taken the notice all the same."""

    result: Literal["SENT", "FAILED", "NO_ANSWER"]
    maybe_sent: bool = False
    error: str | None = None
    request_id: str | None = None


def judge_notice(outcome: SendOutcome) -> NoticeVerdict:
    answer = outcome.answer
    if answer is None:
        # Without a call, such as for a token that cannot work, nothing was sent either.
        maybe_sent = isinstance(outcome, Unknown) and outcome.maybe_sent
        reason = outcome.reason if isinstance(outcome, Unknown | Rejected) else type(outcome).__name__
        return NoticeVerdict("NO_ANSWER", maybe_sent, mask_text(reason))
    if answer.status == _CONFLICT or (answer.status in _OK and _is_json_object(answer.body)):
        return NoticeVerdict("SENT", request_id=answer.request_id)
    maybe_sent = isinstance(outcome, Unknown) or answer.status in _OK or answer.status >= _SERVER_ERROR
    # LINE answers a success with JSON. Another success comes from a proxy in between, so that LINE has not answered.
    result: Literal["FAILED", "NO_ANSWER"] = "NO_ANSWER" if answer.status in _OK else "FAILED"
    return NoticeVerdict(result, maybe_sent, error_text(answer), answer.request_id)


def is_worth_another_call(outcome: SendOutcome) -> bool:
    """Within one attempt: after silence, an error of LINE's server, and when there were too many calls."""
    if isinstance(outcome, SendRateLimited):
        return True
    return isinstance(outcome, Unknown) and (outcome.answer is None or outcome.answer.status >= _SERVER_ERROR)


def error_text(answer: LineAnswer) -> str:
    """The whole answer: the office reads it on the screen, and asks LINE with the id of the request."""
    # PostgreSQL stores no NUL character.
    body = mask_text(answer.body).replace("\x00", "\N{REPLACEMENT CHARACTER}")
    text = f"HTTP {answer.status} request_id={answer.request_id or '-'} {body}"
    return text if len(text) <= LONGEST_ERROR else text[:LONGEST_ERROR] + _CUT


def _is_json_object(body: str) -> bool:
    try:
        return isinstance(orjson.loads(body), dict)
    except orjson.JSONDecodeError:
        return False
