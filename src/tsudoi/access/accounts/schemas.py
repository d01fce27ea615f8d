from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example, strict_example

_SESSION: JsonDict = {
    "id": "0" * 64,
    "kind": "browser",
    "label": None,
    "created_at": "2025-08-16T10:00:00+09:00",
    "last_used_at": "2025-08-16T11:30:00+09:00",
    "expires_at": "2025-08-16T23:30:00+09:00",
    "address": "203.0.113.7",
    "device": "WindowsのChrome",
    "current": True,
}
_UNTIL = "2025-08-19T10:00:00+09:00"
_CODES: list[str] = ["abcd-efgh-jkmn-pqrs"]


# `username_fault` refuses characters that nobody sees, too.
NewUsername = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\s:]+$")]
Password = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class SessionShown(BaseModel):
    """A session in a browser, or a token of a program."""

    id: str = Field(description="For ending it.")
    kind: Literal["browser", "token"] = Field(description="`token`: a bearer token, for a program.")
    label: str | None = Field(description="What the token is for, as it was called when it was made.")
    created_at: str = Field(description="Log-in, or when the token was made; JST.")
    last_used_at: str | None = Field(description="Last use to the minute, JST; null: never.")
    expires_at: str = Field(description="When it ends if nobody uses it, JST.")
    address: str | None = Field(description="From which address it was used last.")
    device: str | None = Field(description="System and browser, in words.")
    current: bool = Field(description="True: the session of this very request.")


class OwnAccount(BaseModel):
    """The account of the administrator who asks."""

    model_config = example(
        id=1,
        username="jimukyoku",
        next_step=None,
        totp_since=None,
        totp_required=False,
        recovery_codes_left=0,
        sessions=[_SESSION],
    )

    id: int
    username: str = Field(description="Log-in name.")
    next_step: Literal["password", "totp"] | None = Field(description="What has to be done before anything else.")
    totp_since: str | None = Field(description="Since when the second factor is on, JST; null: it is off.")
    totp_required: bool = Field(description="True: this installation requires a second factor.")
    recovery_codes_left: int = Field(description="Recovery codes that were not used yet.")
    sessions: list[SessionShown] = Field(description="Open sessions and tokens, the newest first.")


class ManagedAccount(BaseModel):
    """An administrator, as the others see one."""

    id: int
    username: str = Field(description="Log-in name.")
    is_self: bool = Field(description="True: the administrator who asks.")
    created_at: str = Field(description="When the account was made, JST.")
    disabled_at: str | None = Field(description="Since when it is disabled, JST; null: it is enabled.")
    one_time_until: str | None = Field(
        description="Until when the one-time password can be used, JST; null: the person has chosen the password."
    )
    has_totp: bool = Field(description="Whether a second factor is on.")
    last_used_at: str | None = Field(description="The last use of an open session or token, JST.")
    sessions: list[SessionShown] = Field(description="Open sessions and tokens, the newest first.")


class ManagedAccounts(BaseModel):
    """All administrators."""

    model_config = example(
        items=[
            {
                "id": 1,
                "username": "jimukyoku",
                "is_self": True,
                "created_at": "2025-08-01T10:00:00+09:00",
                "disabled_at": None,
                "one_time_until": None,
                "has_totp": False,
                "last_used_at": "2025-08-16T11:30:00+09:00",
                "sessions": [_SESSION],
            }
        ]
    )

    items: list[ManagedAccount] = Field(description="All of them, the oldest first.")


class NewAccount(BaseModel):
    """The name of a new administrator."""

    model_config = strict_example(username="tanaka")

    username: NewUsername = Field(description="Log-in name, without spaces and colons.")


class OneTimePassword(BaseModel):
    """A password that is shown once and has to be changed at the next log-in."""

    model_config = example(
        id=2,
        username="tanaka",
        password="abcd-efgh-jkmn-pqrs",  # noqa: S106 (an example)
        until=_UNTIL,
    )

    id: int
    username: str = Field(description="Whose password it is.")
    password: str = Field(description="The password. It cannot be read again.")
    until: str = Field(description="Until when it opens the account, JST.")


class PasswordChange(BaseModel):
    """The present password and the new one."""

    model_config = strict_example(current_password="…", new_password="…")  # noqa: S106 (an example)

    current_password: Password = Field(description="The present password.")
    new_password: Password = Field(description="The new one: 10 characters or more, and not easy to guess.")


class PasswordChanged(BaseModel):
    """The password is changed; this browser has a new session, and everything else of the person has ended."""

    model_config = example(csrf_token="5f0c…", ended=2)  # noqa: S106 (an example)

    csrf_token: str = Field(description="The token for writes in the new session.")
    ended: int = Field(description="How many other sessions and tokens have ended.")


class PasswordProof(BaseModel):
    """The present password, because somebody else may sit in front of the screen."""

    model_config = strict_example(current_password="…")  # noqa: S106 (an example)

    current_password: Password = Field(description="The present password.")


class TotpDraft(BaseModel):
    """A second factor that is being set up: for the app on the telephone."""

    model_config = example(
        secret="ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567",  # noqa: S106 (an example)
        uri="otpauth://totp/…",
        qr_size=45,
        qr_path="M4 4h7v1h-7z",
    )

    secret: str = Field(description="The key, for typing it in.")
    uri: str = Field(description="What the QR code says.")
    qr_size: int = Field(description="Width and height of the QR code in modules, with its border.")
    qr_path: str = Field(description="The dark modules, as the path of an SVG.")


class TotpCode(BaseModel):
    """A code of the app, which proves that it has the key."""

    model_config = strict_example(code="123456")

    code: str = Field(min_length=1, max_length=60, description="Six digits.")


class RecoveryCodes(BaseModel):
    """Codes that replace the second factor, each once. They are shown once."""

    model_config = example(codes=_CODES)

    codes: list[str] = Field(description="Ten codes.")


class SessionsEnded(BaseModel):
    """How many sessions and tokens have ended."""

    model_config = example(ended=3)

    ended: int = Field(description="Sessions and tokens that were open.")
