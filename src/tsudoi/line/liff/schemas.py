from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example, strict_example

_USER: JsonDict = {"user_id": "U0123456789abcdef0123456789abcdef", "display_name": "山田 太郎", "picture_url": None}


class SessionRequest(BaseModel):
    """The ID token that the page received from LINE."""

    model_config = strict_example(id_token="eyJhbGciOiJFUzI1NiIs…")  # noqa: S106 (an example)

    id_token: str = Field(min_length=1, max_length=8000, description="What `liff.getIDToken()` returns.")


class LineUser(BaseModel):
    """The profile of a LINE user."""

    model_config = example(**_USER)

    user_id: str = Field(description="LINE's id for this person.")
    display_name: str | None = Field(description="LINE name.")
    picture_url: str | None = Field(description="LINE picture.")


class LiffMe(LineUser):
    """The profile, and what the start page offers to this person."""

    model_config = example(**_USER, staff_portal=True)

    staff_portal: bool = Field(description="Whether this installation has a portal for staff, at `/liff/staff`.")


class SessionResponse(BaseModel):
    """The session was opened; the LINE user it belongs to."""

    model_config = example(ok=True, user=_USER)

    ok: bool = Field(description="Always true.")
    user: LineUser = Field(description="The LINE user whom the token names.")
