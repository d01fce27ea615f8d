"""The parameters that the routes of alarms and shops share."""

from typing import Annotated

from fastapi import Path, Query

_LARGEST_ID = 2**53

ShopId = Annotated[int, Path(ge=1, le=_LARGEST_ID, description="The shop.")]
OnlyShop = Annotated[int | None, Query(ge=1, le=_LARGEST_ID, description="Only of this shop.")]
Before = Annotated[int | None, Query(ge=1, le=_LARGEST_ID, description="`next_before` of the page before.")]
PageSize = Annotated[int, Query(ge=1, le=200, description="Rows per page.")]
