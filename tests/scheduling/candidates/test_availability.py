import pytest

from tsudoi.scheduling.candidates.rules.availability import FALLBACK_IS_OFF, NO_KEY, models_to_ask


@pytest.mark.row("1.2.12")
@pytest.mark.parametrize(
    ("gemini", "openai", "fallback", "models", "why"),
    [
        (True, True, True, ("gemini", "openai"), None),
        (True, True, False, ("gemini",), None),
        (True, False, True, ("gemini",), None),
        (False, True, True, ("openai",), None),
        (False, True, False, (), FALLBACK_IS_OFF),
        (False, False, True, (), NO_KEY),
        (False, False, False, (), NO_KEY),
    ],
)
def test_gemini_first_and_the_other_one_only_as_a_fallback(
    gemini: bool, openai: bool, fallback: bool, models: tuple[str, ...], why: str | None
) -> None:
    choice = models_to_ask(gemini=gemini, openai=openai, fallback=fallback)
    assert (choice.models, choice.why_none) == (models, why)
