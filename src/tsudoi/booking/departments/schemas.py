from pydantic import Field

from tsudoi.booking.departments.rules import DepartmentCode, DepartmentName
from tsudoi.booking.wire import JstTime, WireIn, WireOut, example

_AT = "2025-08-16T12:00:00+09:00"
_DEPARTMENT = {"id": "3A", "name": "3階A病棟", "active": True, "staffCount": 24, "createdAt": _AT, "updatedAt": _AT}
_CHOICE = {"id": "3A", "name": "3階A病棟"}


class NewDepartment(WireIn):
    """The department to create."""

    model_config = example(**_CHOICE)

    id: DepartmentCode = Field(description="The code, such as `3A`. Its spelling is kept; case and width do not count.")
    name: DepartmentName = Field(description="The name that people read.")


class DepartmentChange(WireIn):
    """The fields of a department to change. The code cannot change, because files and people refer to it."""

    model_config = example(active=False)

    # The default is never used: a field that was not sent stays as it is. It only says that null is no value.
    name: DepartmentName = Field(default_factory=str)
    active: bool = Field(default_factory=bool, description="false: it cannot be chosen anew; those in it stay.")


class DepartmentItem(WireOut):
    """A department, for the office."""

    model_config = example(**_DEPARTMENT)

    id: str
    name: str
    active: bool
    staff_count: int = Field(description="People in it who have not left.")
    created_at: JstTime
    updated_at: JstTime


class DepartmentPage(WireOut):
    """A page of departments, by code."""

    model_config = example(items=[_DEPARTMENT], nextCursor=None)

    items: list[DepartmentItem]
    next_cursor: str | None


class DepartmentChoice(WireOut):
    """A department that can be chosen."""

    id: str
    name: str


class DepartmentChoices(WireOut):
    """All departments that can be chosen, by code."""

    model_config = example(items=[_CHOICE])

    items: list[DepartmentChoice]
