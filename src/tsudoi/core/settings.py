"""Every setting, read from the environment and one file (`settings_file`). `.env.example` has the same descriptions."""

import ipaddress
import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from tsudoi.core.addresses import (
    database_fault,
    http_address,
    is_mail_address,
    is_mail_server,
    is_phone,
    is_sender,
)
from tsudoi.core.settings_file import FileSource

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def lifetime(text: str) -> timedelta:
    """Read `900s`, `15m`, `1h` or `7d`."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([smhd])", text)
    if found is None:
        raise ValueError(
            "数字と単位（900s、15m、1h、7d）で指定してください / must be a number with a unit: 900s, 15m, 1h or 7d"
        )
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


class Settings(BaseSettings):
    """Every setting of the product; values are checked when the process starts."""

    # An error must not show the value that it is about: `SMTP_URL` contains a password.
    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True, hide_input_in_errors=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 (the signature of pydantic-settings)
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is set in the environment wins over the file."""
        given = dotenv_settings.env_file if isinstance(dotenv_settings, DotEnvSettingsSource) else None
        return init_settings, env_settings, FileSource(settings_cls, env_file=given)

    # --- Where it runs
    database_url: str = Field(
        "", repr=False, description="Database. Empty: SQLite under DATA_DIR. Or postgresql://user:password@host/name."
    )
    database_connections: int = Field(
        10, ge=1, le=200, description="PostgreSQL connections (and threads) of one process."
    )
    data_dir: Path = Field(Path("var"), description="Folder for the SQLite file, media and the NDJSON logs.")
    public_base_url: str = Field(
        "http://127.0.0.1:8000", description="Address under which people reach this server; https except on loopback."
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=1, le=65535, description="Port to listen on.")
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Addresses of your reverse proxies, comma-separated; only their X-Forwarded-For is believed.",
    )
    body_limit_bytes: int = Field(
        1_048_576, ge=1024, description="Largest request body in bytes; uploads have limits of their own."
    )
    connection_limit: int = Field(
        2_000, ge=10, description="Most connections of clients at a time; fewer where the system allows few open files."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="How much the structured log says."
    )
    log_file_bytes: int = Field(
        33_554_432, ge=1024, description="Largest NDJSON log file; a fuller one becomes a numbered part of its day."
    )
    log_files: int = Field(
        500, ge=2, description="How many NDJSON log files of one kind are kept; the oldest are deleted first."
    )
    metrics_token: SecretStr | None = Field(
        None,
        description="Bearer token for /metrics and /api/docs. Empty: both answer internal addresses only "
        "(and /api/docs administrators).",
    )
    audit_key: SecretStr | None = Field(
        None,
        description="Signs the audit trail, 32 characters or more; a changed key comes first, the old ones follow "
        "after commas. Empty: hashes alone.",
    )
    audit_heads_file: Path | None = Field(
        None,
        description="Where the last hash of the audit trail is noted, best on another disk. "
        "Empty: audit-heads.ndjson under DATA_DIR.",
    )
    worker_inline: bool | None = Field(
        None, description="Run the worker inside `tsudoi serve`. Empty: yes on SQLite, no on PostgreSQL."
    )
    features: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Parts to switch on, comma-separated: events, scheduling, booking, shops. Empty: all.",
    )
    events_close_after_day: bool = Field(
        False, description="on: members cannot answer any more once the day of an event is over in Japan."
    )
    frame_ancestors: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Origins that may show the member pages in a frame, comma-separated; nobody by default."
    )
    image_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Further origins of pictures on our pages, comma-separated; https ones are allowed anyway.",
    )

    # --- Backups, and how long things are kept
    backup_dir: Path | None = Field(None, description="Folder of `tsudoi backup`. Empty: DATA_DIR/backups.")
    backup_keep: int = Field(14, ge=1, le=10_000, description="How many backups stay in that folder.")
    backup_warn_hours: int = Field(
        48, ge=1, le=10_000, description="The home page and `tsudoi doctor` warn when the last backup is older."
    )
    pg_bin_dir: Path | None = Field(
        None, description="Folder of pg_dump, pg_restore and psql, of the server's version. Empty: those on the PATH."
    )
    keep_line_events_days: int = Field(
        30, ge=2, le=3650, description="Days until webhook events and logs/line go; texts of chats are never stored."
    )
    keep_api_calls_days: int = Field(60, ge=1, le=3650, description="Days until rows of api_call_logs are deleted.")
    keep_message_texts_days: int = Field(
        180, ge=7, le=3650, description="Days until texts of mails and messages are emptied; that they were sent stays."
    )
    keep_sessions_days: int = Field(
        30, ge=1, le=3650, description="Days until ended sessions of administrators, members and staff are deleted."
    )
    keep_log_files_days: int = Field(
        180, ge=1, le=3650, description="Days until the other NDJSON log files are deleted."
    )

    organisation_name: str = Field(
        "事務局", max_length=60, description="Who asks, as invitations by mail and their pages say it."
    )
    organisation_phone: str = Field(
        "",
        pattern=r"^([0-9+() -]{6,20})?$",
        description="The office's telephone number. Pages show it where they tell people to ask the office.",
    )

    # --- The office's first account
    admin_username: str | None = Field(
        None, description="Log-in name of the first administrator, made at start when it does not exist."
    )
    admin_password: SecretStr | None = Field(
        None,
        description="Password of the first administrator, 10 characters or more and not a common one; only read when"
        " it is made.",
    )

    # --- The office's log-in
    admin_session_idle: str = Field(
        "12h", description="An administrator's session ends after so long without use: a number with s, m, h or d."
    )
    admin_session_longest: str = Field(
        "7d", description="The longest life of such a session, however much it is used; written in the same way."
    )
    admin_totp: Literal["optional", "required"] = Field(
        "optional", description="required: every administrator has to set up a second factor (TOTP) after log-in."
    )

    # --- LINE
    line_channel_secret: SecretStr | None = Field(
        None, description="Channel secret of the Messaging API channel; proves that webhooks come from LINE."
    )
    line_channel_access_token: SecretStr | None = Field(
        None, description="Channel access token of the Messaging API channel; lets us send."
    )
    line_login_channel_id: str | None = Field(
        None,
        description="Channel id of the channel with the LIFF app: the LINE MINI App channel that LINE recommends for"
        " new ones, or an existing LINE Login channel; same provider as the Messaging channel.",
    )
    liff_id: str | None = Field(
        None,
        description="LIFF app id, such as 1234567890-AbCdEfGh; of a MINI App channel the one that is published.",
    )
    liff_adapter: Literal["line", "sandbox"] = Field(
        "line", description="Which LIFF SDK the member pages load: LINE's own, or the practice one."
    )
    liff_base: str = Field("https://liff.line.me", description="Where LIFF links start.")
    line_api_base: str = Field(
        "https://api.line.me", description="LINE Messaging API, and the log-in of LINE MINI Apps and LINE Login."
    )
    line_data_api_base: str = Field("https://api-data.line.me", description="LINE's host for images and content.")
    notion_news_url: str | None = Field(None, description="Public Notion page that the rich menu's お知らせ opens.")

    # --- Getting to know new LINE friends
    onboarding_mode: Literal["silent", "interactive"] = Field(
        "silent", description="silent: link without a word. interactive: answer a new friend according to the result."
    )
    onboarding_reply_link: str | None = Field(
        None, description="Registration link in the answer to an unmatched friend. Empty: the LIFF page /register."
    )
    onboarding_name_nfkc: bool = Field(False, description="1: apply NFKC when names are compared.")
    onboarding_auto_link: Literal["on", "off"] = Field(
        "on", description="off: nobody is linked by a name alone, of a friend or typed in; the office confirms it."
    )

    # --- Roster sheet
    members_sheet_id: str | None = Field(None, description="Id of the Google spreadsheet with the sheet Members.")
    google_service_account_file: Path | None = Field(
        None, description="Key file of the Google service account that may read the sheet."
    )
    sheets_api_base: str = Field("https://sheets.googleapis.com", description="Google Sheets API.")

    # --- Booking
    security_pin_pepper: SecretStr | None = Field(
        None, description="Secret mixed into staff PINs before hashing; never change it once PINs exist."
    )
    jwt_secret: SecretStr | None = Field(None, description="Signs the staff portal's access tokens.")
    jwt_expires_in: str = Field("15m", description="Life of an access token: a number with s, m, h or d.")
    refresh_secret: SecretStr | None = Field(None, description="Signs the staff portal's refresh tokens.")
    refresh_expires_in: str = Field("7d", description="Life of a refresh token, written in the same way.")
    refresh_rotate: bool = Field(True, description="Hand out a new refresh token at each use and revoke the old one.")
    staff_self_registration: Literal["open", "code", "off"] = Field(
        "open",
        description="Who may register as staff: everybody, only with the code that the office shows, or nobody.",
    )
    staff_login_networks: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Networks from which staff may log in, comma-separated, such as 10.0.0.0/8. Empty: everywhere."
    )

    # --- Notices and money
    notification_cron_dry_run: bool = Field(
        False,
        description="true: nothing about reservations goes out, by LINE or mail: no notices, no reminders to those who "
        "have not booked. It waits; `tsudoi notifications send` lists the notices that are due.",
    )
    stripe_secret_key: SecretStr | None = Field(None, description="Stripe secret key for Checkout.")
    stripe_webhook_secret: SecretStr | None = Field(None, description="Stripe's signing secret for our webhook.")
    stripe_api_base: str = Field("https://api.stripe.com", description="Stripe API.")

    # --- Alarms: who hears when the product itself has a trouble
    alarm_chatwork_room_id: str | None = Field(
        None,
        pattern=r"^[0-9]{1,20}$",
        description="ChatWork room for alarms whose rule names nobody. Empty: the room of CHATWORK_ROOM_ID.",
    )
    alarm_email_to: str | None = Field(
        None, description="Mail addresses for alarms whose rule names nobody, comma-separated."
    )
    alarm_sms_to: str | None = Field(
        None,
        description="Telephone numbers for alarms whose rule names nobody, comma-separated.",
    )

    # --- Other outside systems
    stores_api_base: str = Field("https://api.stores.dev/reserve/202101", description="STORES 予約 API.")
    chatwork_api_base: str = Field("https://api.chatwork.com/v2", description="ChatWork API.")
    chatwork_api_token: SecretStr | None = Field(None, description="ChatWork API token for escalations.")
    chatwork_room_id: str | None = Field(
        None, description="ChatWork room for escalations whose rule names no room of its own."
    )
    sms_provider: Literal["twilio", "karaden"] = Field(
        "twilio", description="Shape of the SMS provider's API: twilio, or karaden (空電プッシュ)."
    )
    sms_api_base: str | None = Field(None, description="Base URL of the SMS provider, such as https://api.twilio.com.")
    sms_account: str | None = Field(None, description="Account at the SMS provider: Twilio's AC…, Karaden's tenant.")
    sms_token: SecretStr | None = Field(None, description="Secret of that account.")
    sms_from: str | None = Field(None, description="Sender of SMS: a number, or Karaden's service id.")
    api_timeout_sec: int | None = Field(
        None,
        ge=1,
        le=60,
        description="Longest wait for an outside API, in seconds. Empty: 10, or what sys_params says.",
    )
    api_retry_count: int | None = Field(
        None, ge=0, le=5, description="Further attempts to read from an outside API. Empty: 2, or what sys_params says."
    )
    stores_api_timeout_sec: int | None = Field(
        None, ge=1, le=60, description="The same for STORES alone. Empty: as for all others."
    )
    stores_api_retry_count: int | None = Field(
        None, ge=0, le=5, description="The same for STORES alone. Empty: as for all others."
    )
    shop_secrets_keys: SecretStr | None = Field(
        None,
        description="Keys for the shops' secrets, comma-separated, each 32 random bytes in base64; the first encrypts.",
    )
    smtp_url: SecretStr | None = Field(
        None, description="Mail server: smtps://user:password@host:465, smtp+starttls://… or smtp://… (not encrypted)."
    )
    mail_from: str | None = Field(
        None, description="Sender of mails, such as 事務局 <office@example.jp>; needed when SMTP_URL is set."
    )
    openai_api_base: str = Field("https://api.openai.com/v1", description="OpenAI-compatible API.")
    gemini_api_base: str = Field("https://generativelanguage.googleapis.com", description="Google Gemini API.")
    openai_api_key: SecretStr | None = Field(
        None, description="Key of the OpenAI-compatible API; used only when AI_FALLBACK_ENABLED is true."
    )
    openai_model: str = Field("gpt-4.1-mini", description="Model of the OpenAI-compatible API.")
    gemini_api_key: SecretStr | None = Field(
        None, description="Google Gemini key, for suggestions whom to ask. Empty: there are none."
    )
    gemini_model: str = Field("gemini-flash-lite-latest", description="Model of Google Gemini.")
    ai_fallback_enabled: bool = Field(
        False, description="true: ask the OpenAI-compatible API when Gemini fails or has no key."
    )

    tsudoi_demo: bool = Field(False, description="Set by `tsudoi demo` only: example secrets are accepted.")

    @field_validator(
        "trusted_proxies", "staff_login_networks", "features", "frame_ancestors", "image_origins", mode="before"
    )
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("trusted_proxies", "staff_login_networks")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for part in value:
            try:
                ipaddress.ip_network(part, strict=False)
            except ValueError as error:
                raise ValueError("IPアドレスか、10.0.0.0/8 のような範囲にしてください / must be addresses") from error
        return value

    @field_validator("jwt_expires_in", "refresh_expires_in", "admin_session_idle", "admin_session_longest")
    @classmethod
    def _readable_lifetime(cls, value: str) -> str:
        lifetime(value)
        return value

    @field_validator(
        *("public_base_url", "line_api_base", "line_data_api_base", "liff_base", "sheets_api_base", "stripe_api_base"),
        *("openai_api_base", "gemini_api_base", "stores_api_base", "chatwork_api_base", "sms_api_base"),
    )
    @classmethod
    def _origin(cls, value: str | None) -> str | None:
        return None if value is None else http_address(value)

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: str) -> str:
        if value and (fault := database_fault(value)) is not None:
            raise ValueError(fault)
        return value

    @field_validator("smtp_url")
    @classmethod
    def _mail_server(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not is_mail_server(value.get_secret_value()):
            raise ValueError(
                "smtp:// smtp+starttls:// smtps:// のどれかとホスト名にしてください。記号は %40 のように書き換えます"
                " / must be smtp://, smtp+starttls:// or smtps:// with a host; encode special characters"
            )
        return value

    @field_validator("alarm_email_to", "alarm_sms_to")
    @classmethod
    def _recipients(cls, value: str | None, info: ValidationInfo) -> str | None:
        is_one = is_mail_address if info.field_name == "alarm_email_to" else is_phone
        if value is not None and not all(is_one(part.strip()) for part in value.split(",")):
            raise ValueError(
                "カンマで区切ったメールアドレスにしてください / must be mail addresses with commas in between"
                if info.field_name == "alarm_email_to"
                else "カンマで区切った電話番号にしてください / must be telephone numbers with commas in between"
            )
        return value

    @field_validator("mail_from")
    @classmethod
    def _sender(cls, value: str | None) -> str | None:
        if value is not None and not is_sender(value):
            raise ValueError(
                "メールアドレスか、名前 <アドレス> にしてください"
                " / must be an address, or a name with an address in angle brackets"
            )
        return value

    @property
    def payments_on(self) -> bool:
        """Stripe needs both: the key for our calls, and the secret that signs its webhooks."""
        return bool(self.stripe_secret_key and self.stripe_webhook_secret)

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{(self.data_dir / 'tsudoi.sqlite3').absolute()}"

    @property
    def on_sqlite(self) -> bool:
        return self.database.startswith("sqlite")

    @property
    def runs_worker_inline(self) -> bool:
        return self.on_sqlite if self.worker_inline is None else self.worker_inline

    def __hash__(self) -> int:
        """One field is enough for the caches whose key the settings are; all would cost more than what is cached."""
        return hash(self.public_base_url)

    @property
    def log_dir(self) -> Path:
        return self.data_dir / "logs"

    @property
    def audit_heads(self) -> Path:
        return self.audit_heads_file or self.data_dir / "audit-heads.ndjson"

    @property
    def audit_keys(self) -> tuple[bytes, ...]:
        """The first one signs, all of them verify."""
        text = self.audit_key.get_secret_value() if self.audit_key else ""
        return tuple(key.strip().encode() for key in text.split(",") if key.strip())

    @property
    def backup_folder(self) -> Path:
        return self.backup_dir or self.data_dir / "backups"

    @property
    def media_dir(self) -> Path:
        return self.data_dir / "media"

    @property
    def https(self) -> bool:
        return self.public_base_url.startswith("https://")

    @property
    def origin(self) -> str:
        parts = urlsplit(self.public_base_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def mail_host(self) -> str:
        """Our name in the `Message-ID` of mails and in the greeting of mail servers: a name, or an address in []."""
        host = urlsplit(self.public_base_url).hostname or "localhost"
        try:
            return f"[{'IPv6:' if ipaddress.ip_address(host).version == 6 else ''}{host}]"  # noqa: PLR2004 (IPv6)
        except ValueError:
            return host

    @property
    def on_loopback(self) -> bool:
        return urlsplit(self.public_base_url).hostname in _LOOPBACK


def names_of_settings() -> frozenset[str]:
    """As the settings file and the environment write them."""
    return frozenset(name.upper() for name in Settings.model_fields)
