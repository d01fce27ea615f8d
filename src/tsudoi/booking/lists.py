"""The parameters that the lists of this context share."""

from typing import Annotated

from fastapi import Query

Cursor = Annotated[str | None, Query(max_length=500, description="`nextCursor` of the page before.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Entries per page.")]
SearchWords = Annotated[
    str,
    Query(alias="q", max_length=100, pattern="^[^\\x00]*$", description="A part of a name, a reading or a number."),
]
OnlyActive = Annotated[bool | None, Query(description="Only those that are in use (`true`), or the others.")]
