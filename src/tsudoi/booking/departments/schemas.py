from pydantic import Field

from tsudoi.booking.departments.rules import DepartmentCode, DepartmentName
from tsudoi.booking.wire import JstTime, WireIn, WireOut


class NewDepartment(WireIn):
    """The department to create."""

    id: DepartmentCode = Field(description="The code, such as `3A`. Its spelling is kept; case and width do not count.")
    name: DepartmentName = Field(description="The name that people read.")


class DepartmentChange(WireIn):
    """The fields of a department to change. The code cannot change, because files and people refer to it."""

    # The default is never used: a field that was not sent stays as it is. It only says that null is no value.
    name: DepartmentName = Field(default_factory=str)
    active: bool = Field(default_factory=bool, description="false: it cannot be chosen anew; those in it stay.")


class DepartmentItem(WireOut):
    """A department, for the office."""

    id: str
    name: str
    active: bool
    staff_count: int = Field(description="People in it who have not left.")
    created_at: JstTime
    updated_at: JstTime


class DepartmentPage(WireOut):
    """A page of departments, by code."""

    items: list[DepartmentItem]
    next_cursor: str | None


class DepartmentChoice(WireOut):
    """A department that can be chosen."""

    id: str
    name: str


class DepartmentChoices(WireOut):
    """All departments that can be chosen, by code."""

    items: list[DepartmentChoice]
