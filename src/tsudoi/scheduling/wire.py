"""The JSON of this context: snake_case, times as the tables have them, and errors with the `error` of document 001."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field, PlainSerializer

from tsudoi.access.rendering import ApiRoute, ErrorBody, ErrorShape, standard_body
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.api_examples import example
from tsudoi.core.clock import jst_text, utc_text
from tsudoi.core.errors import Problem, Unauthenticated
from tsudoi.core.idempotency import Reply
from tsudoi.core.runtime import Runtime
from tsudoi.scheduling.thread.errors import RuleNotSatisfied

# Where the document gives an English sentence for an error, it stands in `error`; elsewhere the code does.
TITLE_IS_WRONG = "Missing or invalid field: title"
_NOT_LOGGED_IN = "Unauthorized"

# Of a slot: Japanese time with its offset.
JstTime = Annotated[datetime, PlainSerializer(jst_text, return_type=str)]
# Of everything else: UTC, to the microsecond, as the column has it.
UtcTime = Annotated[datetime, PlainSerializer(utc_text, return_type=str)]


class ThreadErrorBody(ErrorBody):
    """The shape of every answer of this context that is not a success."""

    model_config = example(
        error=TITLE_IS_WRONG,
        code="INVALID_INPUT",
        message="題名を入力してください。",
        details=[{"field": "title", "reason": "REQUIRED"}],
    )

    error: str = Field(description="What happened, in English: the document's own sentence, or the code.")


def _body(problem: Problem) -> dict[str, Any]:
    sentence: str = problem.code
    if isinstance(problem, Unauthenticated):
        sentence = _NOT_LOGGED_IN
    elif any(detail.field == "title" for detail in problem.details):
        sentence = TITLE_IS_WRONG
    body = {"error": sentence, **standard_body(problem)}
    return {**body, "evaluation": problem.evaluation} if isinstance(problem, RuleNotSatisfied) else body


THREAD_ERRORS = ErrorShape(_body, ThreadErrorBody)


class ThreadRoute(ApiRoute):
    """An ordinary route of this context."""

    error_shape: ClassVar[ErrorShape] = THREAD_ERRORS


class ThreadWriteRoute(TransactionRoute):
    """A route of this context whose function is a transaction."""

    error_shape: ClassVar[ErrorShape] = THREAD_ERRORS

    async def finish(self, runtime: Runtime, reply: Reply, enqueued: list[tuple[str, int]]) -> Reply:
        """The worker need not wait for its next tick to send the messages that the transaction wrote."""
        if enqueued:
            runtime.work.send()
        return reply
