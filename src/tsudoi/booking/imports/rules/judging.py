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

from tsudoi.booking.departments.rules import department_code, department_name, folded
from tsudoi.booking.imports.errors import TooManyNewDepartments
from tsudoi.booking.imports.rules.csv_file import CsvFile, CsvRow
from tsudoi.booking.staffs.rules import job_title, kana_name, mail_address, person_name, search_text, staff_number

RowStatus = Literal["created", "skippedExisting", "skippedInvalid", "duplicateInFile"]

# A hospital has some hundred. More are rather a column of something else under the heading of the departments.
MOST_NEW_DEPARTMENTS = 500
_UNKNOWN = "DEPARTMENT_UNKNOWN"
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
    # What the office should look at although it stops nothing.
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row and what becomes of it. `department_id`: the department in the spelling of the master data."""

    candidate: ImportCandidate
    status: RowStatus
    reasons: list[str] = field(default_factory=list)
    department_id: str = ""


@dataclass(frozen=True, slots=True)
class DepartmentState:
    """A department that a row can name: its stored code and name, and whether it can be chosen."""

    id: str
    active: bool
    name: str = ""


@dataclass(slots=True)
class MissingDepartment:
    """A department that rows name and nobody has registered: what it would be called, and for how many rows."""

    code: str
    name: str
    rows: int = 0


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """Every row with its result, and the departments without which, and only without which, rows are refused."""

    rows: list[JudgedRow]
    missing_departments: list[MissingDepartment]


def candidates(file: CsvFile) -> list[ImportCandidate]:
    return [_candidate(row) for row in file.rows]


def judge(
    rows: list[ImportCandidate],
    departments: Collection[DepartmentState],
    existing: Collection[str],
    self_registered: Collection[str],
    *,
    create_departments: bool = False,
) -> JudgedFile:
    """`existing`: the staff ids that are taken, some of them by self-registration.

    `create_departments`: judge as if the missing departments were there, because the import creates them first. One is
    missing only when it would let somebody in: the code in a line of totals must not become a department.
    """
    times = Counter(row.staff_id for row in rows if row.staff_id is not None)

    def judged(row: ImportCandidate, known: "_Departments") -> JudgedRow:
        department, faults = known.found(row.row.cells)
        faults = [*row.faults, *faults]
        if row.staff_id is None:
            return JudgedRow(row, "skippedInvalid", faults)
        if times[row.staff_id] > 1:
            return JudgedRow(row, "duplicateInFile", ["DUPLICATE_IN_FILE"])
        if faults:
            return JudgedRow(row, "skippedInvalid", faults)
        if row.staff_id in existing:
            by_themselves = ["SELF_REGISTERED"] if row.staff_id in self_registered else []
            return JudgedRow(row, "skippedExisting", ["ALREADY_EXISTS", *by_themselves])
        return JudgedRow(row, "created", department_id=department)

    known = _Departments(departments)
    result = [judged(row, known) for row in rows]
    waiting = [
        one.candidate.row for one in result if one.reasons == [_UNKNOWN] and one.candidate.staff_id not in existing
    ]
    missing = _missing(waiting)
    if not create_departments:
        return JudgedFile(result, missing)
    if len(missing) > MOST_NEW_DEPARTMENTS:
        raise TooManyNewDepartments(len(missing), MOST_NEW_DEPARTMENTS)
    known = _Departments([*departments, *(DepartmentState(one.code, True, one.name) for one in missing)], explain=True)
    return JudgedFile([judged(row, known) for row in rows], missing)


class _Departments:
    """Finds the department that a row names: by its code, or by its name in a file that has no codes."""

    def __init__(self, departments: Collection[DepartmentState], *, explain: bool = False) -> None:
        """`explain`: say also why a department that nobody knows was not created."""
        self._by_code = {folded(one.id): one for one in departments}
        self._by_name: dict[str, list[DepartmentState]] = {}
        for one in departments:
            self._by_name.setdefault(folded(one.name), []).append(one)
        self._explain = explain

    def found(self, cells: Mapping[str, str]) -> tuple[str, list[str]]:
        """The stored code, or what is wrong."""
        text = _named_department(cells)
        if not text:
            return "", ["DEPARTMENT_REQUIRED"]
        one = self._by_code.get(folded(text))
        if "departmentId" not in cells and (named := self._by_name.get(folded(text))):
            # One that is no longer in use may have left its name to the one that is.
            choices = [each for each in named if each.active] or named
            if len(choices) > 1:
                return "", ["DEPARTMENT_AMBIGUOUS"]
            one = choices[0]
        if one is None:
            return "", [_UNKNOWN, *(_flaws(text) if self._explain else ())]
        return one.id, [] if one.active else ["DEPARTMENT_INACTIVE"]


def _named_department(cells: Mapping[str, str]) -> str:
    return _one_line(cells["departmentId"] if "departmentId" in cells else cells["departmentName"])


def _flaws(code: str) -> list[str]:
    """Why this cannot be the code of a department."""
    try:
        department_code(code)
    except PydanticCustomError as wrong:
        return [f"DEPARTMENT_{wrong.type}"]
    return []


def _missing(waiting: list[CsvRow]) -> list[MissingDepartment]:
    """The departments that these rows name, in the order of the file and in its first spelling.

    The name is the first one that stands beside the code. Where none does, the code is the name.
    """
    missing: dict[str, MissingDepartment] = {}
    named: set[str] = set()
    for row in waiting:
        text = _named_department(row.cells)
        if _flaws(text):
            continue
        key = folded(text)
        one = missing.setdefault(key, MissingDepartment(department_code(text), department_code(text)))
        one.rows += 1
        if key not in named and (name := _department_name(row.cells)):
            one.name = name
            named.add(key)
    return list(missing.values())


def _department_name(cells: Mapping[str, str]) -> str:
    try:
        return department_name(_one_line(cells.get("departmentName", "")))
    except PydanticCustomError:
        return ""


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
    kana, warnings = _kana(cells)
    person = {
        "staff_id": staff_id,
        "family_name": names[0],
        "given_name": names[1],
        "family_name_kana": kana[0],
        "given_name_kana": kana[1],
        "job_title": checked("JOB_TITLE", job_title, cells["jobTitle"]),
        "email": checked("EMAIL", mail_address, email) if email else None,
        "search_text": search_text(staff_id, *names, *kana),
    }
    if row.overlong:
        faults.append("TOO_MANY_CELLS")
    if family and not given:
        warnings.insert(0, "NAME_NOT_SPLIT")
    return ImportCandidate(row, staff_id or None, person, list(dict.fromkeys(faults)), warnings)


def _one_line(text: str) -> str:
    return " ".join(part for line in _LINE_BREAK.split(text) if (part := line.strip()))


def _names(cells: Mapping[str, str]) -> tuple[str, str]:
    """Two columns win over one. A name in one column is split at the first white space; without one it stays whole.

    The same text is never put into both names, because the full name would then say it twice.
    """
    if cells.get("familyName"):
        return cells["familyName"], cells.get("givenName", "")
    return _split(cells.get("name", ""))


def _split(text: str) -> tuple[str, str]:
    family, *rest = _WHITE_SPACE.split(text, maxsplit=1)
    return family, rest[0] if rest else ""


def _kana(cells: Mapping[str, str]) -> tuple[tuple[str | None, str | None], list[str]]:
    """The reading, and what is wrong with it.

    Somebody can be registered without a reading, so that a wrong one is left out and stops nothing. Half a reading
    would be taken for the whole, so that both parts are left out.
    """
    parts = cells.get("familyNameKana", ""), cells.get("givenNameKana", "")
    whole = not any(parts)
    if whole:
        parts = _split(cells.get("kana", ""))
    if not any(parts):
        return (None, None), []
    try:
        family, given = (kana_name(part) if part else None for part in parts)
    except PydanticCustomError as wrong:
        return (None, None), [f"KANA_{wrong.type}"]
    return (family, given), ["KANA_NOT_SPLIT"] if whole and given is None else []
