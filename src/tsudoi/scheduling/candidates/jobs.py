"""Asks a model whom to invite. It never raises: without an answer there are no suggestions, and all else goes on."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import structlog

from tsudoi.access.registration import ActiveContexts
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.gemini import GeminiClient
from tsudoi.gateway.clients.language_models import LONGEST, POLICY, ModelFailure, ModelQuestion, ModelText
from tsudoi.gateway.clients.openai import OpenAiClient
from tsudoi.gateway.http import HttpGateway
from tsudoi.scheduling.candidates.queries import times_invited
from tsudoi.scheduling.candidates.rules import asking
from tsudoi.scheduling.candidates.rules.availability import (
    NO_ANSWER,
    NOBODY_FITS,
    NOBODY_KNOWN,
    Model,
    ModelChoice,
    models_to_ask,
)
from tsudoi.scheduling.candidates.rules.judging import SuggestedCandidate, judge
from tsudoi.scheduling.candidates.rules.offering import MeetingText, Offer, offer

_log = structlog.stdlib.get_logger(__name__)

# Of each context. A model gets far fewer, and these are enough to choose them from. Where groups are named, everybody
# is read, because their members may stand anywhere in the roster.
_MOST_KNOWN, _EVERYBODY = 5_000, 200_000
# The first model's part of the time, if there is a second one.
_FIRST_OF_TWO = timedelta(seconds=8)


@dataclass(frozen=True, slots=True)
class SuggestionOutcome:
    """The people whom a model suggests, or why there are none, in Japanese."""

    people: tuple[SuggestedCandidate, ...] = ()
    unavailable: str | None = None


async def suggest(runtime: Runtime, title: str, description: str | None) -> list[SuggestedCandidate]:
    """The suggestions for a new thread: an empty list whenever there are none."""
    return list((await suggestions(runtime, MeetingText(title, description))).people)


async def suggestions(
    runtime: Runtime, about: MeetingText, audience_ids: Collection[int] | None = None
) -> SuggestionOutcome:
    """It runs in threads of its own, so that nothing else waits for a model, and ends within fifteen seconds.

    `audience_ids`: only members of these groups are offered.
    """
    choice = _choice(runtime)
    if not choice.models:
        return SuggestionOutcome(unavailable=choice.why_none)
    work = partial(_suggestions, runtime, about, audience_ids, choice.models)
    return await runtime.part(HttpGateway).threads.run(
        POLICY.pool, work, if_busy=SuggestionOutcome(unavailable=NO_ANSWER)
    )


def _choice(runtime: Runtime) -> ModelChoice:
    given = runtime.settings
    return models_to_ask(
        gemini=bool(given.gemini_api_key and given.gemini_api_key.get_secret_value()),
        openai=bool(given.openai_api_key and given.openai_api_key.get_secret_value()),
        fallback=given.ai_fallback_enabled,
    )


def _suggestions(
    runtime: Runtime, about: MeetingText, audience_ids: Collection[int] | None, models: tuple[Model, ...]
) -> SuggestionOutcome:
    try:
        offered = runtime.db.read_now(_offer, runtime.part(ActiveContexts), about, audience_ids)
        if not offered.people:
            return SuggestionOutcome(unavailable=NOBODY_KNOWN)
        found = _ask_in_turn(runtime, about, offered, models)
    except Exception:  # noqa: BLE001 (a thread is created without suggestions rather than not at all)
        _log.exception("suggestions_failed")
        found = None
    if found is None:
        return SuggestionOutcome(unavailable=NO_ANSWER)
    return SuggestionOutcome(tuple(found), None if found else NOBODY_FITS)


def _offer(tx: ReadTx, contexts: ActiveContexts, about: MeetingText, audience_ids: Collection[int] | None) -> Offer:
    known = contexts.known_people(tx, _MOST_KNOWN if audience_ids is None else _EVERYBODY)
    if audience_ids is not None:
        known = [one for one in known if one.audience_ids.intersection(audience_ids)]
    return offer(known, times_invited(tx, [one.key for one in known]), about)


def _ask_in_turn(
    runtime: Runtime, about: MeetingText, offered: Offer, models: tuple[Model, ...]
) -> list[SuggestedCandidate] | None:
    """The first usable answer. An answer that suggests nobody is one too."""
    ends = time.monotonic() + LONGEST.total_seconds()
    question = ModelQuestion(
        asking.INSTRUCTIONS,
        asking.data(about, offered),
        asking.schema(offered),
        asking.SCHEMA_NAME,
        asking.MOST_TOKENS,
    )
    for number, model in enumerate(models, 1):
        left = timedelta(seconds=max(0.0, ends - time.monotonic()))
        found = _ask(runtime, model, question, left if number == len(models) else min(left, _FIRST_OF_TWO))
        if isinstance(found, ModelFailure):
            _log.warning("model_failed", model=model, reason=found.reason)
            continue
        judged = judge(found.text, offered)
        if judged is not None:
            return judged
        _log.warning("model_failed", model=model, reason="the answer is not of the schema")
    return None


def _ask(runtime: Runtime, model: Model, question: ModelQuestion, within: timedelta) -> ModelText | ModelFailure:
    client = GeminiClient if model == "gemini" else OpenAiClient
    return client.of(runtime.settings, runtime.part(HttpGateway)).answer(question, within)
