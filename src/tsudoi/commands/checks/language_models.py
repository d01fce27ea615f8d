"""Checks of the settings of the language models. No model is called: each question costs money."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from pydantic import SecretStr

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level
from tsudoi.contexts import active_contexts
from tsudoi.core.settings import Settings
from tsudoi.scheduling.context import CONTEXT as SCHEDULING

MODELS = "AIの候補提案"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_KEY = re.compile(r"[!-~]+")


def language_models(context: DoctorContext) -> Iterator[Finding]:
    settings = context.settings
    gemini, openai = _plain(settings.gemini_api_key), _plain(settings.openai_api_key)
    if SCHEDULING not in active_contexts(settings) or not (gemini or openai):
        message = "使っていません（GEMINI_API_KEY を設定すると使えます）/ off: this key turns it on"
        yield Finding(MODELS, Level.OK, message)
        return
    wrong = [
        *_wrong("GEMINI", gemini, settings.gemini_api_base),
        *_wrong("OPENAI", openai, settings.openai_api_base),
        *_odd_pairs(settings, gemini, openai),
    ]
    yield from wrong or [Finding(MODELS, Level.OK, _in_words(settings, gemini, openai))]


def _wrong(name: str, key: str, base: str) -> Iterator[Finding]:
    if key and not _KEY.fullmatch(key):
        message = f"{name}_API_KEY に空白や全角の文字が入っています / the key has characters that no key has"
        yield Finding(MODELS, Level.PROBLEM, message, "キーをもう一度貼り付けてください / paste the key again")
    parts = urlsplit(base)
    if key and parts.scheme != "https" and parts.hostname not in _LOOPBACK:
        message = f"{name}_API_BASE が https ではないため、キーが暗号化されずに送られます / the key is not encrypted"
        yield Finding(MODELS, Level.PROBLEM, message, "https:// のアドレスにしてください / use https")


def _odd_pairs(settings: Settings, gemini: str, openai: str) -> Iterator[Finding]:
    if openai and not settings.ai_fallback_enabled:
        message = "OPENAI_API_KEY は使われません / OPENAI_API_KEY is not used: AI_FALLBACK_ENABLED is false"
        yield Finding(MODELS, Level.WARNING, message, "AI_FALLBACK_ENABLED=true にすると使われます / set it to true")
    if gemini and not openai and settings.ai_fallback_enabled:
        message = "Gemini が失敗したときに代わりに聞くキーがありません / there is no second model to ask"
        advice = "OPENAI_API_KEY を設定するか、AI_FALLBACK_ENABLED を消してください / set the key or remove this"
        yield Finding(MODELS, Level.WARNING, message, advice)


def _in_words(settings: Settings, gemini: str, openai: str) -> str:
    names = [settings.gemini_model] if gemini else []
    names += [settings.openai_model] if openai else []
    return f"{' → '.join(names)} に聞きます（未接続）/ configured, and not called by this check"


def _plain(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret else ""
