import base64
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from tsudoi.access.registration import Context
from tsudoi.contexts import CONTEXTS, active_contexts, required_settings
from tsudoi.core.secrets_check import BadSettings, SecretRule
from tsudoi.core.secrets_check import require_safe as require_safe_with
from tsudoi.core.settings import Settings
from tsudoi.line.context import CONTEXT as LINE

GOOD = {
    "line_channel_secret": "8f14e45fceea167a5a36dedd4bea2543",
    "line_channel_access_token": "q7Yw2" * 30,
    "line_login_channel_id": "1657048123",
    "liff_id": "1657048123-AbCdEfGh",
    "public_base_url": "https://tsudoi.kai.jp",
    "jwt_secret": "Zk3v" * 10,
    "refresh_secret": "Pw8n" * 10,
    "security_pin_pepper": "Hc5r" * 10,
}
SHOP_KEYS = base64.b64encode(bytes(range(100, 132))).decode()
# All three, or the staff part is off: tests/booking/login/test_settings.py.
STAFF = ["jwt_secret", "refresh_secret", "security_pin_pepper"]
REQUIRED = [name for name in GOOD if name != "public_base_url" and name not in STAFF]
OPTIONAL = ["metrics_token", "stripe_secret_key", "stripe_webhook_secret", "chatwork_api_token"]
Make = Callable[..., Settings]


def require_safe(settings: Settings) -> None:
    """With what the contexts require in the product."""
    require_safe_with(settings, required_settings(active_contexts(settings)))


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    return lambda **changed: Settings(_env_file=None, **{**GOOD, **changed})


def _fault(settings: Settings) -> str:
    with pytest.raises(BadSettings) as caught:
        require_safe(settings)
    (fault,) = caught.value.faults
    assert fault in str(caught.value)
    return fault


class TestRequireSafe:
    def test_is_content_with_good_secrets(self, make: Make) -> None:
        require_safe(make())
        require_safe(
            make(
                **{name: secrets.token_hex(24) for name in STAFF + OPTIONAL}, admin_password="正しい馬の電池とホチキス"
            )
        )

    @pytest.mark.parametrize("name", REQUIRED)
    def test_names_a_missing_one_and_where_to_get_it(self, make: Make, name: str) -> None:
        fault = _fault(make(**{name: None}))
        assert fault.startswith(f"{name.upper()}: 設定されていません")
        assert "→ LINE Developers" in fault

    @pytest.mark.parametrize("name", REQUIRED + STAFF + OPTIONAL)
    @pytest.mark.parametrize(
        "example", ["changeme" * 8, "your-secret-here" * 4, "x" * 48, "<paste it here>" * 4, "test" * 12]
    )
    def test_names_an_example_and_how_to_get_a_good_one(self, make: Make, name: str, example: str) -> None:
        fault = _fault(make(**{name: example}))
        assert fault.startswith(f"{name.upper()}: 例の値")
        assert "→" in fault

    @pytest.mark.parametrize("name", REQUIRED + STAFF + OPTIONAL)
    def test_names_a_short_one(self, make: Make, name: str) -> None:
        assert _fault(make(**{name: "k7Q"})).startswith(f"{name.upper()}: 短すぎます")

    def test_shows_no_value(self, make: Make) -> None:
        assert "k7Qcanary" not in _fault(make(jwt_secret="k7Qcanary"))

    @pytest.mark.parametrize("name", OPTIONAL)
    def test_does_not_ask_for_what_is_not_used(self, make: Make, name: str) -> None:
        require_safe(make(**{name: None}))

    def test_names_all_faults_at_once(self, make: Make) -> None:
        with pytest.raises(BadSettings) as caught:
            require_safe(make(**dict.fromkeys(REQUIRED), jwt_secret="short"))
        assert len(caught.value.faults) == len(REQUIRED) + 1

    @pytest.mark.parametrize("password", ["short", "password123", "changeme-2025", "aaaaaaaaaaaa"])
    def test_refuses_a_weak_first_password(self, make: Make, password: str) -> None:
        assert _fault(make(admin_password=password)).startswith("ADMIN_PASSWORD: ")

    @pytest.mark.parametrize("password", ["kazamidori.2025", "風見鶏の会-20250816", "Qwertyuiop!1"])
    def test_refuses_a_first_password_made_of_names_or_keys(self, make: Make, password: str) -> None:
        names = {"admin_username": "kazamidori", "organisation_name": "風見鶏の会"}
        fault = _fault(make(admin_password=password, **names))
        assert "推測されやすい" in fault
        assert "remove it once the administrator exists" in fault

    @pytest.mark.parametrize("url", ["http://tsudoi.kai.jp", "http://192.168.0.2:8000", "http://127.0.0.1.evil.jp"])
    def test_refuses_plain_http_beyond_loopback(self, make: Make, url: str) -> None:
        assert _fault(make(public_base_url=url)).startswith("PUBLIC_BASE_URL: ")

    def test_a_mail_server_needs_a_sender(self, make: Make) -> None:
        url = "smtps://office:qW7x@mail.kai.jp"
        assert _fault(make(smtp_url=url)).startswith("MAIL_FROM: ")
        require_safe(make(smtp_url=url, mail_from="事務局 <office@kai.jp>"))

    def test_accepts_plain_http_on_loopback(self, make: Make) -> None:
        require_safe(make(public_base_url="http://127.0.0.1:8000"))

    def test_lets_the_demo_do_without(self, make: Make) -> None:
        everything_wrong = dict.fromkeys(REQUIRED, "changeme") | {"public_base_url": "http://a.jp"}
        require_safe(make(**everything_wrong, tsudoi_demo=True))

    def test_takes_real_tokens_for_what_they_are(self, make: Make) -> None:
        """A random token holds `Xxxx` now and then; that must not keep a server from starting."""
        require_safe(make(line_channel_access_token="a+Xxxx" + "q7Yw2" * 30))


class TestFeatures:
    def test_a_part_that_is_off_asks_for_nothing(self, make: Make) -> None:
        paid = Context("paid", required_settings={"STRIPE_SECRET_KEY": SecretRule(20, "Stripe")})
        off = active_contexts(make(features="events"), (*CONTEXTS, paid))
        require_safe_with(make(features="events"), required_settings(off))
        on = active_contexts(make(features="events,paid"), (*CONTEXTS, paid))
        with pytest.raises(BadSettings, match="STRIPE_SECRET_KEY"):
            require_safe_with(make(), required_settings(on))

    def test_a_part_that_does_not_exist_is_named(self, make: Make) -> None:
        with pytest.raises(BadSettings, match="there is no part called evnts → events"):
            active_contexts(make(features="evnts"))

    def test_nothing_said_means_everything(self, make: Make) -> None:
        assert active_contexts(make(shop_secrets_keys=SHOP_KEYS)) == CONTEXTS

    def test_shops_are_off_until_they_have_a_key(self, make: Make) -> None:
        assert "shops" not in {context.name for context in active_contexts(make())}
        assert "SHOP_SECRETS_KEYS" in _fault(make(features="shops"))
        require_safe(make(features="shops", shop_secrets_keys=SHOP_KEYS))


@pytest.mark.found("24.D7")
def test_where_the_ids_come_from_names_the_mini_app_first() -> None:
    for name in ("LINE_LOGIN_CHANNEL_ID", "LIFF_ID"):
        how = LINE.required_settings[name].how
        assert 0 < how.index("LINEミニアプリ") < how.index("LINEログイン")
    for name in ("line_login_channel_id", "liff_id"):
        assert "MINI App" in (Settings.model_fields[name].description or "")


@pytest.mark.found("24.D7")
def test_the_handbook_has_a_new_office_make_a_mini_app() -> None:
    text = (Path(__file__).parents[2] / "docs/operations.ja.md").read_text(encoding="utf-8")
    chapter = text.partition("### 1.2 ")[2].partition("### 1.3 ")[0]
    assert 0 < chapter.index("LINEミニアプリ") < chapter.index("LINEログイン")
    assert "移せません" in chapter
    assert "ビジネスマネージャー" in chapter
