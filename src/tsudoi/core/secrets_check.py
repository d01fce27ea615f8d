"""The server refuses to start with secrets that are missing, copied from an example, or short enough to guess."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from tsudoi.core.passwords import weakness
from tsudoi.core.settings import Settings

_EXAMPLE = re.compile(
    r"(?i)change.?me|example|sample|dummy|secret|password|your[-_ ]|x{6}|^test|^demo|^1234567890?$|<.*>"
)
RANDOM_HINT = 'python3 -c "import secrets; print(secrets.token_urlsafe(48))"'


@dataclass(frozen=True, slots=True)
class SecretRule:
    """How long a value has to be at least, and where a good one comes from."""

    shortest: int
    how: str


# These may be empty, but a value that is set must not be weak.
_WHEN_SET = {
    "JWT_SECRET": SecretRule(32, RANDOM_HINT),
    "REFRESH_SECRET": SecretRule(32, RANDOM_HINT),
    "SECURITY_PIN_PEPPER": SecretRule(32, RANDOM_HINT),
    "METRICS_TOKEN": SecretRule(24, RANDOM_HINT),
    "AUDIT_KEY": SecretRule(32, RANDOM_HINT),
    "STRIPE_SECRET_KEY": SecretRule(20, "Stripe ダッシュボード → 開発者 → APIキー"),
    "STRIPE_WEBHOOK_SECRET": SecretRule(20, "Stripe ダッシュボード → 開発者 → Webhook → 署名シークレット"),
    "CHATWORK_API_TOKEN": SecretRule(20, "ChatWork → サービス連携 → APIトークン"),
}


class BadSettings(Exception):
    """The settings are not safe enough to start; `faults` names each of them."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(
            "設定に問題があるため起動しません / Refusing to start:\n" + "\n".join(f"  - {f}" for f in faults)
        )


def require_safe(settings: Settings, required: Mapping[str, SecretRule]) -> None:
    """`required`: the settings that the active contexts need."""
    faults = [] if settings.tsudoi_demo else _faults(settings, required)
    if faults:
        raise BadSettings(faults)


def _faults(settings: Settings, required: Mapping[str, SecretRule]) -> list[str]:
    found = [
        f"{name}: {why} → {rule.how}"
        for name, rule in {**_WHEN_SET, **required}.items()
        if (why := _flaw(_value(settings, name), rule.shortest, required=name in required))
    ]
    if not settings.https and not settings.on_loopback:
        found.append(
            "PUBLIC_BASE_URL: https で始まるアドレスにしてください / must be https → 例 https://tsudoi.example.jp"
        )
    if any(len(key) < _WHEN_SET["AUDIT_KEY"].shortest for key in settings.audit_keys[1:]):
        found.append(f"AUDIT_KEY: 2つ目以降も32文字以上にしてください / each key needs 32 characters → {RANDOM_HINT}")
    if settings.jwt_secret is not None and settings.jwt_secret == settings.refresh_secret:
        found.append(f"REFRESH_SECRET: JWT_SECRET と違う値にしてください / must differ from JWT_SECRET → {RANDOM_HINT}")
    if settings.smtp_url is not None and settings.mail_from is None:
        found.append("MAIL_FROM: SMTP_URL を使うなら必要です / needed with SMTP_URL → 例 事務局 <office@example.jp>")
    password = _value(settings, "ADMIN_PASSWORD")
    names = (settings.admin_username, settings.organisation_name)
    if password and (why := weakness(password, names) or _flaw(password, 0, required=False)):
        found.append(
            f"ADMIN_PASSWORD: {why} → {RANDOM_HINT}"
            "（管理者がすでにいれば、この設定は消してください / remove it once the administrator exists）"
        )
    return found


def _value(settings: Settings, name: str) -> str | None:
    value = getattr(settings, name.lower())
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _flaw(value: str | None, shortest: int, *, required: bool) -> str | None:
    if not value:
        return "設定されていません / missing" if required else None
    if _EXAMPLE.search(value):
        return "例の値のままです / an example value"
    if len(value) < shortest:
        return f"短すぎます（{shortest}文字以上）/ too short"
    return None
