from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from tsudoi.core.api_examples import example, strict_example


def _searchable(name: str) -> str:
    """Refuse a NUL, because PostgreSQL cannot search for it."""
    if "\x00" in name:
        raise ValueError("a name has no NUL")
    return name


Username = Annotated[str, StringConstraints(min_length=1, max_length=100), AfterValidator(_searchable)]


class LoginRequest(BaseModel):
    """Name and password of an administrator."""

    model_config = strict_example(username="jimukyoku", password="…")  # noqa: S106 (an example)

    username: Username = Field(description="Log-in name.")
    password: str = Field(min_length=1, max_length=200, description="Password.")
    code: str | None = Field(
        None,
        min_length=1,
        max_length=60,
        description="The code of the app, or a recovery code; only for an account with a second factor.",
    )


class LoginResponse(BaseModel):
    """The result of a successful log-in."""

    model_config = example(ok=True, csrf_token="5f0c…")  # noqa: S106 (an example)

    ok: bool = Field(description="Always true.")
    csrf_token: str = Field(description="To be sent back as `x-csrf-token` with every write.")


class Me(BaseModel):
    """The administrator who is logged in."""

    model_config = example(username="jimukyoku", csrf_token="5f0c…", next_step=None)  # noqa: S106 (an example)

    username: str = Field(description="Who is logged in.")
    csrf_token: str | None = Field(description="As given at log-in; null for a bearer token, which needs none.")
    next_step: Literal["password", "totp"] | None = Field(
        description="What has to be done first: choose a new password, or set up the second factor."
    )


class AdminName(BaseModel):
    """An administrator, by id and name."""

    id: int
    username: str = Field(description="Log-in name; in the audit trail this is `admin:<username>`.")


class AdminList(BaseModel):
    """All administrators."""

    model_config = example(items=[{"id": 1, "username": "jimukyoku"}])

    items: list[AdminName] = Field(description="All of them, the oldest first.")
