"""Which models are asked, in which order, and what the office reads when there is nothing to suggest. Pure."""

from dataclasses import dataclass
from typing import Literal

Model = Literal["gemini", "openai"]

NO_KEY = (
    "AIの設定がないため、候補を提案できません。システムの担当者が GEMINI_API_KEY を設定すると使えるようになります。"
    "それまでは、グループや宛先から選んでください。"
)
FALLBACK_IS_OFF = (
    "AIの設定が足りないため、候補を提案できません。システムの担当者が GEMINI_API_KEY を設定するか、"
    "AI_FALLBACK_ENABLED を true にすると使えるようになります。それまでは、グループや宛先から選んでください。"
)
NOBODY_KNOWN = "候補にできる人がまだいません。名簿を取り込むか、ほかのグループを選んでください。"
NO_ANSWER = "AIから使える返事がありませんでした。少し待ってもう一度お試しいただくか、グループや宛先から選んでください。"
NOBODY_FITS = "AIは、件名と説明に合う人を見つけられませんでした。説明を詳しくするか、グループや宛先から選んでください。"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The models to ask, the second one only if the first one fails; or why there is none."""

    models: tuple[Model, ...]
    why_none: str | None = None


def models_to_ask(*, gemini: bool, openai: bool, fallback: bool) -> ModelChoice:
    """Gemini first. The other one is a fallback in every case, so it needs `AI_FALLBACK_ENABLED` even alone."""
    second: tuple[Model, ...] = ("openai",) if openai and fallback else ()
    if gemini:
        return ModelChoice(("gemini", *second))
    if second:
        return ModelChoice(second)
    return ModelChoice((), FALLBACK_IS_OFF if openai else NO_KEY)
