"""What becomes of each row of an import. Pure, so that a dry run says exactly what the import will do.

Each row has one result, by this precedence: a bad staff id, the same staff id more than once in the file, other faults,
a staff id that exists, and otherwise it is created.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic_core import PydanticCustomError

from tsudoi.booking.departments.rules import folded
from tsudoi.booking.imports.rules.csv_file import CsvFile, CsvRow
from tsudoi.booking.staffs.rules import job_title, mail_address, person_name, search_text, staff_number

RowStatus = Literal["created", "skippedExisting", "skippedInvalid", "duplicateInFile"]

_WHITE_SPACE = re.compile(r"\s+")
# People break lines inside of a cell to see all of it in Excel.
_LINE_BREAK = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class ImportCandidate:
    """A row after the checks that need no database: the person, or what is wrong."""

    row: CsvRow
    staff_id: str | None
    # The columns of the new person, except for the department; complete only without faults.
    person: dict[str, str | None]
    faults: list[str]
    name_not_split: bool


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row and what becomes of it. `department_id`: the department in the spelling of the master data."""

    candidate: ImportCandidate
    status: RowStatus
    reasons: list[str] = field(default_factory=list)
    department_id: str = ""


@dataclass(frozen=True, slots=True)
class DepartmentState:
    """A department that a row can name: its stored code, and whether it can be chosen."""

    id: str
    active: bool


def candidates(file: CsvFile) -> list[ImportCandidate]:
    return [_candidate(row) for row in file.rows]


def judge(
    rows: list[ImportCandidate],
    departments: Mapping[str, DepartmentState],
    existing: Collection[str],
    self_registered: Collection[str],
) -> list[JudgedRow]:
    """`departments`: by folded code. `existing`: the staff ids that are taken, some of them by self-registration."""
    times = Counter(row.staff_id for row in rows if row.staff_id is not None)

    def judged(row: ImportCandidate) -> JudgedRow:
        department, faults = _department(row.row.cells["departmentId"], departments)
        faults = [*row.faults, *faults]
        if row.staff_id is None:
            return JudgedRow(row, "skippedInvalid", faults)
        if times[row.staff_id] > 1:
            return JudgedRow(row, "duplicateInFile", ["DUPLICATE_IN_FILE"])
        if faults:
            return JudgedRow(row, "skippedInvalid", faults)
        if row.staff_id in existing:
            known = ["SELF_REGISTERED"] if row.staff_id in self_registered else []
            return JudgedRow(row, "skippedExisting", ["ALREADY_EXISTS", *known])
        return JudgedRow(row, "created", department_id=department)

    return [judged(row) for row in rows]


def _candidate(row: CsvRow) -> ImportCandidate:
    faults: list[str] = []

    def checked(field_name: str, rule: Callable[[str], str], text: str) -> str:
        try:
            return rule(text)
        except PydanticCustomError as wrong:
            faults.append(f"{field_name}_{wrong.type if text else 'REQUIRED'}")
            return ""

    staff_id = checked("STAFF_ID", staff_number, row.cells["staffId"])
    cells = {name: _one_line(text) for name, text in row.cells.items()}
    family, given = _names(cells)
    email = cells.get("email", "")
    names = checked("NAME", person_name, family), checked("NAME", person_name, given) if given else ""
    person = {
        "staff_id": staff_id,
        "family_name": names[0],
        "given_name": names[1],
        "job_title": checked("JOB_TITLE", job_title, cells["jobTitle"]),
        "email": checked("EMAIL", mail_address, email) if email else None,
        "search_text": search_text(staff_id, *names, None, None),
    }
    if row.overlong:
        faults.append("TOO_MANY_CELLS")
    return ImportCandidate(
        row, staff_id or None, person, list(dict.fromkeys(faults)), name_not_split=bool(family and not given)
    )


def _one_line(text: str) -> str:
    return " ".join(part for line in _LINE_BREAK.split(text) if (part := line.strip()))


def _names(cells: Mapping[str, str]) -> tuple[str, str]:
    """Two columns win over one. A name in one column is split at the first white space; without one it stays whole.

    The same text is never put into both names, because the full name would then say it twice.
    """
    if cells.get("familyName"):
        return cells["familyName"], cells.get("givenName", "")
    family, *rest = _WHITE_SPACE.split(cells.get("name", ""), maxsplit=1)
    return family, rest[0] if rest else ""


def _department(code: str, departments: Mapping[str, DepartmentState]) -> tuple[str, list[str]]:
    if not code:
        return "", ["DEPARTMENT_REQUIRED"]
    found = departments.get(folded(code))
    if found is None:
        return "", ["DEPARTMENT_UNKNOWN"]
    return found.id, [] if found.active else ["DEPARTMENT_INACTIVE"]
