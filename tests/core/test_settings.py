import os
import re
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from tools import env_example
from tsudoi.core.settings import Settings

# The names of the documents, and those beside them.
PRODUCT_NAMES = re.findall(
    r"[A-Z_]+",
    """
    LINE_CHANNEL_SECRET ONBOARDING_MODE ONBOARDING_REPLY_LINK ONBOARDING_NAME_NFKC NOTIFICATION_CRON_DRY_RUN
    SECURITY_PIN_PEPPER JWT_SECRET JWT_EXPIRES_IN REFRESH_SECRET REFRESH_EXPIRES_IN REFRESH_ROTATE AI_FALLBACK_ENABLED
    GEMINI_API_KEY OPENAI_API_KEY DATABASE_URL DATA_DIR PUBLIC_BASE_URL HOST PORT LINE_CHANNEL_ACCESS_TOKEN
    LINE_LOGIN_CHANNEL_ID LIFF_ID LINE_API_BASE LINE_DATA_API_BASE STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET
    STRIPE_API_BASE STORES_API_BASE OPENAI_API_BASE SMTP_URL SMS_API_BASE CHATWORK_API_BASE CHATWORK_API_TOKEN
    MAIL_FROM SHEETS_API_BASE GOOGLE_SERVICE_ACCOUNT_FILE MEMBERS_SHEET_ID NOTION_NEWS_URL ADMIN_USERNAME ADMIN_PASSWORD
    """,
)


@pytest.fixture(autouse=True)
def _clean_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the developer's `.env` nor the environment of the test run."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        for spelling in (name, name.upper()):
            monkeypatch.delenv(spelling, raising=False)


class TestNames:
    @pytest.mark.parametrize("name", PRODUCT_NAMES)
    def test_of_the_documents_are_all_known(self, name: str) -> None:
        assert name.lower() in Settings.model_fields

    @pytest.mark.parametrize("name", Settings.model_fields)
    def test_have_a_sentence_each(self, name: str) -> None:
        assert re.fullmatch(r"[A-Za-z1].{8,}[.)]", Settings.model_fields[name].description or "")

    @pytest.mark.parametrize(
        "name", [name for name in PRODUCT_NAMES if re.search("SECRET|PEPPER|TOKEN|KEY|PASSWORD", name)]
    )
    def test_of_secrets_never_show_their_value(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(name, "canary-canary-canary")
        settings = Settings()
        assert isinstance(getattr(settings, name.lower()), SecretStr)
        assert "canary" not in f"{settings!r} {settings}"

    def test_of_the_database_does_not_show_its_password(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DATABASE_URL", "postgresql://tsudoi:canary@db/tsudoi")
        assert "canary" not in repr(Settings())


class TestEnvExample:
    def test_is_what_the_settings_say(self) -> None:
        assert (Path(env_example.__file__).parent.parent / ".env.example").read_text() == env_example.render()

    def test_lists_every_setting_but_the_demos_own(self) -> None:
        listed = re.findall(r"^(?:# )?([A-Z_]+)=", env_example.render(), re.MULTILINE)
        assert sorted(listed) == sorted(name.upper() for name in Settings.model_fields if name != "tsudoi_demo")

    def test_can_be_used_as_it_is(self, tmp_path: Path) -> None:
        """Commented lines show the defaults, so uncommenting them all changes nothing."""
        active = re.sub(r"^# ([A-Z_]+=)", r"\1", env_example.render(), flags=re.MULTILINE)
        (tmp_path / ".env").write_text(active)
        changed = Settings().model_dump()
        assert changed.pop("public_base_url") == "https://tsudoi.example.jp"
        assert changed == Settings(_env_file=None).model_dump(exclude={"public_base_url"})


class TestSources:
    def test_env_file_is_read(self, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text("PORT=9000\nLIFF_ID=123-abc\nSOMETHING_ELSE=1\n")
        assert (Settings().port, Settings().liff_id) == (9000, "123-abc")

    def test_the_environment_wins(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / ".env").write_text("PORT=9000\n")
        monkeypatch.setenv("PORT", "9001")
        assert Settings().port == 9001

    def test_an_empty_value_is_none_at_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORT", "")
        monkeypatch.setenv("WORKER_INLINE", "")
        assert (Settings().port, Settings().worker_inline) == (8000, None)

    def test_nobody_changes_them_afterwards(self) -> None:
        with pytest.raises(ValidationError):
            Settings().port = 1  # type: ignore[misc]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("PORT", "0"),
            ("PORT", "http"),
            ("LOG_LEVEL", "LOUD"),
            ("ONBOARDING_MODE", "x"),
            ("PUBLIC_BASE_URL", "tsudoi.example.jp"),
            ("PUBLIC_BASE_URL", "ftp://a.jp"),
            ("LINE_API_BASE", "https://"),
            ("TRUSTED_PROXIES", "10.0.0.0/8, proxy"),
            ("BODY_LIMIT_BYTES", "10"),
            ("SMTP_URL", "mail.example.jp:25"),
            ("SMTP_URL", "https://mail.example.jp"),
            ("SMTP_URL", "smtp://user:password@"),
            ("SMTP_URL", "smtp://user:pass/word@mail.example.jp"),
            ("SMTP_URL", "smtp://user:12/34@mail.example.jp"),
            ("SMTP_URL", "smtp://user:12?34@mail.example.jp"),
            ("SMTP_URL", "smtp://user:12#34@mail.example.jp"),
            ("SMTP_URL", "smtps://mail.example.jp:99999"),
            ("MAIL_FROM", "office"),
            ("MAIL_FROM", "事務局"),
            ("MAIL_FROM", "事務局 <office@日本語.jp>"),
            ("MAIL_FROM", "a@example.jp\r\nBcc: b@example.jp"),
            ("MAIL_FROM", "a@example.jp, b@example.jp"),
        ],
    )
    def test_nonsense_is_refused(self, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
        monkeypatch.setenv(name, value)
        with pytest.raises(ValidationError, match=name.lower()):
            Settings()

    def test_a_refusal_does_not_show_the_value(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SMTP_URL", "smtp://user:canary/canary@mail.example.jp")
        with pytest.raises(ValidationError) as refused:
            Settings()
        assert "canary" not in str(refused.value)
        assert "smtp+starttls://" in str(refused.value)


class TestMeaning:
    def test_the_database_is_a_file_below_data_dir(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("DATA_DIR", "house")
        assert Settings().database == f"sqlite:///{tmp_path}/house/tsudoi.sqlite3"
        assert Settings().on_sqlite
        assert Settings().log_dir == Path("house/logs")

    @pytest.mark.parametrize(
        ("database", "inline", "expected"),
        [("", "", True), ("postgresql://h/d", "", False), ("", "0", False), ("postgresql://h/d", "1", True)],
        ids=["with it", "not with the other", "unless told", "and when told"],
    )
    def test_the_worker_lives_with_sqlite(
        self, monkeypatch: pytest.MonkeyPatch, database: str, inline: str, expected: bool
    ) -> None:
        monkeypatch.setenv("DATABASE_URL", database)
        monkeypatch.setenv("WORKER_INLINE", inline)
        assert Settings().runs_worker_inline is expected

    def test_lists_are_separated_by_commas(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.1, 192.168.0.0/16,,::1")
        monkeypatch.setenv("FRAME_ANCESTORS", "https://a.jp")
        assert Settings().trusted_proxies == ("10.0.0.1", "192.168.0.0/16", "::1")
        assert Settings().frame_ancestors == ("https://a.jp",)

    def test_addresses_lose_their_last_slash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PUBLIC_BASE_URL", "https://tsudoi.jp/base/")
        assert (Settings().public_base_url, Settings().origin) == ("https://tsudoi.jp/base", "https://tsudoi.jp")

    @pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://LOCALHOST", "http://[::1]:80"])
    def test_loopback_is_loopback(self, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
        monkeypatch.setenv("PUBLIC_BASE_URL", url)
        assert Settings().on_loopback
        assert not Settings().https

    @pytest.mark.parametrize(
        ("url", "name"),
        [
            ("https://tsudoi.example.jp:8443/x", "tsudoi.example.jp"),
            ("http://127.0.0.1:8000", "[127.0.0.1]"),
            ("http://[::1]:80", "[IPv6:::1]"),
        ],
    )
    def test_mail_servers_know_us_by_the_host_of_our_address(
        self, monkeypatch: pytest.MonkeyPatch, url: str, name: str
    ) -> None:
        monkeypatch.setenv("PUBLIC_BASE_URL", url)
        assert Settings().mail_host == name

    def test_nothing_of_the_run_itself_leaks_in(self) -> None:
        assert not Path(".env").exists()
        assert "DATABASE_URL" not in os.environ
