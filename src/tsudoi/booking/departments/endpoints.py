from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.departments import queries, service
from tsudoi.booking.departments.errors import DepartmentInUse, DepartmentTaken
from tsudoi.booking.departments.schemas import (
    DepartmentChange,
    DepartmentChoices,
    DepartmentItem,
    DepartmentPage,
    NewDepartment,
)
from tsudoi.booking.lists import Cursor, Limit, OnlyActive, SearchWords
from tsudoi.core.db.interface import ReadTx, Tx

router = APIRouter(prefix="/api/admin/departments", tags=["booking"], route_class=TransactionRoute)
public = APIRouter(prefix="/api/departments", tags=["booking"], route_class=TransactionRoute)

Code = Annotated[str, Path(max_length=100, pattern="^[^\\x00]*$", description="The department, in any spelling.")]


@router.get("", summary="Departments")
def departments(
    tx: ReadTx,
    _admin: Admin,
    words: SearchWords = "",
    active: OnlyActive = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> DepartmentPage:
    """All departments by code, with the number of people in each."""
    return queries.department_page(tx, words, active, limit, cursor)


@router.post("", status_code=201, summary="Create a department", responses=raises(DepartmentTaken))
def create(tx: Tx, admin: Admin, body: NewDepartment) -> DepartmentItem:
    """409 `DEPARTMENT_TAKEN` if a department has this code, also in other letters: `reha` beside `REHA`."""
    service.create_department(tx, body, admin.actor)
    return queries.department_item(tx, body.id)


@router.get("/{department_id}", summary="One department")
def department(tx: ReadTx, _admin: Admin, department_id: Code) -> DepartmentItem:
    """The department with this code."""
    return queries.department_item(tx, department_id)


@router.patch("/{department_id}", summary="Rename or deactivate a department")
def change(tx: Tx, admin: Admin, department_id: Code, body: DepartmentChange) -> DepartmentItem:
    """An inactive department cannot be chosen anew; the people in it stay there."""
    service.change_department(tx, department_id, body, admin.actor)
    return queries.department_item(tx, department_id)


@router.delete("/{department_id}", status_code=204, summary="Delete a department", responses=raises(DepartmentInUse))
def delete(tx: Tx, admin: Admin, department_id: Code) -> None:
    """409 `IN_USE` while anything refers to the department; deactivate it instead."""
    service.delete_department(tx, department_id, admin.actor)


@public.get("", summary="Departments to choose from")
def choices(tx: ReadTx) -> DepartmentChoices:
    """For the form of the self-registration, which nobody is logged in for: codes and names of active departments."""
    return queries.department_choices(tx)
