from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from tsudoi.booking.staffs.rules import StaffId
from tsudoi.booking.wire import WireIn, WireOut

Transport = Literal["body", "cookie"]
# Four digits; the pattern's `$` does not match before a line break here.
Pin = Annotated[str, Field(pattern=r"^[0-9]{4}$", description="Four digits.")]


class StaffLoginRequest(WireIn):
    """The number on the badge and the PIN."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"staffId": "446752", "pin": "…"}]})

    staff_id: StaffId
    pin: Pin
    transport: Annotated[
        Transport,
        Field(description="`cookie`: the refresh token travels in an HttpOnly cookie, for pages in a browser."),
    ] = "body"


class RefreshRequest(WireIn):
    """The refresh token, unless it is in the cookie."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"refreshToken": "eyJhbGciOi…"}, {}]})

    refresh_token: Annotated[str | None, Field(max_length=2000)] = None


class Tokens(WireOut):
    """The tokens of a session. The refresh token is missing when it is in the cookie."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"accessToken": "eyJhbGciOi…", "refreshToken": "eyJhbGciOi…", "tokenType": "Bearer", "expiresIn": 900}
            ]
        }
    )

    access_token: str
    refresh_token: str | None = None
    token_type: Literal["Bearer"] = "Bearer"  # noqa: S105 (the name of the scheme)
    expires_in: Annotated[int, Field(description="Life of the access token in seconds.")]


class StaffLoginResponse(Tokens):
    """The tokens of a new session, and what the person has to do first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "accessToken": "eyJhbGciOi…",
                    "refreshToken": "eyJhbGciOi…",
                    "tokenType": "Bearer",
                    "expiresIn": 900,
                    "pinMustChange": True,
                    "profileComplete": False,
                }
            ]
        }
    )

    pin_must_change: bool
    profile_complete: bool


class LoginOptions(WireOut):
    """What the log-in page has to know before anybody has logged in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"selfRegistration": "code"}]})

    self_registration: Literal["open", "code", "off"]


class QrPicture(WireOut):
    """A QR code as the path of an SVG."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"size": 41, "path": "M4 4h7v1h-7z"}]})

    size: int = Field(description="Width and height of the picture, in modules.")
    path: str = Field(description="The `d` attribute of the path of dark modules.")


_QR: JsonDict = {"size": 41, "path": "M4 4h7v1h-7z"}


class StaffDoor(WireOut):
    """The addresses that lead into the staff portal."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "portalUrl": "https://tsudoi.example.jp/staff/",
                    "liffUrl": "https://liff.line.me/1234567890-AbcdEfgh/staff",
                    "addFriendUrl": None,
                    "portalQr": _QR,
                    "liffQr": _QR,
                }
            ]
        }
    )

    portal_url: str = Field(description="The portal in any browser.")
    liff_url: str | None = Field(description="The portal inside LINE, where notices can be switched on.")
    add_friend_url: str | None = Field(description="Where to add the official account; null while it is not known.")
    portal_qr: QrPicture
    liff_qr: QrPicture | None
