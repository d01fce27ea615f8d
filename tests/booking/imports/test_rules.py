import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.booking.imports.errors import UnreadableFile, WrongColumns
from tsudoi.booking.imports.rules import csv_file
from tsudoi.booking.imports.rules.csv_file import read_csv
from tsudoi.booking.imports.rules.judging import DepartmentState, candidates, judge
from tsudoi.core.errors import InvalidInput

HEADER = "名前(漢字),本部ID(staffId),部署(コード),職種"
DEPARTMENTS = [DepartmentState("3A", active=True, name="3階A病棟"), DepartmentState("OLD", active=False, name="旧館")]


def cells(content: bytes) -> list[dict[str, str]]:
    return [row.cells for row in read_csv(content).rows]


@pytest.mark.row("3.2.18")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, line_end: str) -> None:
    content = line_end.join([HEADER, "髙﨑 ①㈱,00123,3A,看護師", ""]).encode(encoding)
    assert cells(content) == [{"name": "髙﨑 ①㈱", "staffId": "00123", "departmentId": "3A", "jobTitle": "看護師"}]


@pytest.mark.row("3.2.18")
def test_a_short_cp932_file_is_recognised() -> None:
    assert cells("名前,本部ID,部署,職種\n髙,1,3A,医".encode("cp932"))[0]["name"] == "髙"


@pytest.mark.row("3.2.18")
def test_quotes_commas_line_breaks_and_what_excel_writes() -> None:
    content = f'{HEADER}\r\n"山田, 太郎","=""00123""",="3A","看護師\n（夜勤）"\r\n\r\n'.encode()
    expected = {"name": "山田, 太郎", "staffId": "00123", "departmentId": "3A", "jobTitle": "看護師\n（夜勤）"}
    assert cells(content) == [expected]


@pytest.mark.row("3.2.4")
@pytest.mark.parametrize(
    "header",
    [
        "名前（漢字）,本部ID,部署,職種",
        " 名前 , 本部ＩＤ（staffId） ,部署 (コード),職種",
        "名前,staffId,部署,職種",
        "姓,名,STAFFID,部署,職種",
    ],
)
def test_spellings_of_the_header(header: str) -> None:
    assert read_csv(f"{header}\n".encode()).unknown_columns == []


@pytest.mark.row("3.2.3")
def test_missing_and_repeated_columns_are_named() -> None:
    with pytest.raises(WrongColumns) as missing:
        read_csv("名前,部署,職種\n山田,3A,医師".encode())
    assert [(one.field, one.reason) for one in missing.value.details] == [("本部ID(staffId)", "REQUIRED")]
    with pytest.raises(WrongColumns) as twice:
        read_csv(f"{HEADER},staffId\n".encode())
    assert [(one.field, one.reason) for one in twice.value.details] == [("本部ID(staffId)", "DUPLICATE")]


@pytest.mark.row("3.2.19")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "EMPTY"),
        (b"\xff\xfe\xfd", "UNKNOWN_ENCODING"),
        (f"{HEADER}\n山田".encode() + b"\xff,1,3A,x", "UNKNOWN_ENCODING"),
        (f"{HEADER}\n山田,1\0,3A,医師".encode(), "NUL_CHARACTER"),
        (f"{HEADER}\n山田,1,3A,医師".encode("utf-16"), "NUL_CHARACTER"),
        (f'{HEADER}\n"山田,1,3A,医師'.encode(), "INVALID_CSV"),
    ],
)
def test_unreadable_files(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        read_csv(content)
    assert refused.value.details[0].reason == reason


@pytest.mark.row("3.2.19")
def test_too_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "MOST_ROWS", 2)
    read_csv(f"{HEADER}\na,1,3A,x\nb,2,3A,x".encode())
    with pytest.raises(UnreadableFile):
        read_csv(f"{HEADER}\na,1,3A,x\nb,2,3A,x\nc,3,3A,x".encode())


@pytest.mark.row("3.2.8")
def test_row_numbers_are_those_of_the_file() -> None:
    assert [row.number for row in read_csv(f"{HEADER}\na,1,3A,x\n\nb,2,3A,x\n".encode()).rows] == [2, 4]


@pytest.mark.row("3.2.13", "3.2.12", "3.2.11", "3.2.7")
def test_each_row_has_one_result() -> None:
    lines = [
        "山田 太郎,1,3A,医師",
        "山田 太郎,x,NONE,",
        "山田 太郎,2,3A,医師",
        ",2,3A,医師",
        "山田 太郎,3,3A,医師",
        "山田 太郎,3,3A,医師",
        ",4,3A,医師",
        "山田 太郎,5,NONE,医師",
        "山田 太郎,6,OLD,医師",
        "山田 太郎,7,,",
        "山田 太郎,8,３ａ,医師",
        "山田 太郎,9,3A,医師",
        "山田 太郎,10,3A,医師,余り",
        "山田 太郎,08,3A,医師",
        "山田 太郎,５,3A,医師",
        "山田 太郎",
        ",,,",
    ]
    file = read_csv("\n".join([HEADER, *lines]).encode())
    judged = judge(candidates(file), DEPARTMENTS, {"3", "8", "9"}, {"9"}).rows
    assert [(one.status, one.reasons) for one in judged] == [
        ("created", []),
        ("skippedInvalid", ["STAFF_ID_NOT_DIGITS", "JOB_TITLE_REQUIRED", "DEPARTMENT_UNKNOWN"]),
        ("duplicateInFile", ["DUPLICATE_IN_FILE"]),
        ("duplicateInFile", ["DUPLICATE_IN_FILE"]),
        ("duplicateInFile", ["DUPLICATE_IN_FILE"]),
        ("duplicateInFile", ["DUPLICATE_IN_FILE"]),
        ("skippedInvalid", ["NAME_REQUIRED"]),
        ("skippedInvalid", ["DEPARTMENT_UNKNOWN"]),
        ("skippedInvalid", ["DEPARTMENT_INACTIVE"]),
        ("skippedInvalid", ["JOB_TITLE_REQUIRED", "DEPARTMENT_REQUIRED"]),
        ("skippedExisting", ["ALREADY_EXISTS"]),
        ("skippedExisting", ["ALREADY_EXISTS", "SELF_REGISTERED"]),
        ("skippedInvalid", ["TOO_MANY_CELLS"]),
        ("created", []),
        ("skippedInvalid", ["STAFF_ID_NOT_DIGITS"]),
        ("skippedInvalid", ["STAFF_ID_REQUIRED", "JOB_TITLE_REQUIRED", "DEPARTMENT_REQUIRED"]),
        ("skippedInvalid", ["STAFF_ID_REQUIRED", "NAME_REQUIRED", "JOB_TITLE_REQUIRED", "DEPARTMENT_REQUIRED"]),
    ]


@pytest.mark.row("3.2.20")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("山田　太郎", ("山田", "太郎")),
        ("山田 太郎 ジュニア", ("山田", "太郎 ジュニア")),
        ("山田太郎", ("山田太郎", "")),
        ("\t山田  太郎 ", ("山田", "太郎")),
    ],
)
def test_a_name_is_split_at_the_first_white_space(name: str, expected: tuple[str, str]) -> None:
    [row] = candidates(read_csv(f"{HEADER}\n{name},1,3A,医師".encode()))
    assert (row.person["family_name"], row.person["given_name"]) == expected
    assert row.warnings == ([] if expected[1] else ["NAME_NOT_SPLIT"])


@pytest.mark.row("3.2.20")
def test_two_columns_win_over_one() -> None:
    content = "名前,姓,名,本部ID,部署,職種\n山田 太郎,佐藤,花子,1,3A,医師\n山田 太郎,,,2,3A,医師".encode()
    names = [(row.person["family_name"], row.person["given_name"]) for row in candidates(read_csv(content))]
    assert names == [("佐藤", "花子"), ("山田", "太郎")]


@pytest.mark.row("3.2.19")
@given(
    st.binary(max_size=300) | st.text(alphabet='",\r\n= 山田1３A\t\u3000', max_size=60).map(str.encode), st.booleans()
)
def test_any_file_is_read_or_refused(content: bytes, with_header: bool) -> None:
    file = f"{HEADER}\n".encode() + content if with_header else content
    try:
        rows = candidates(read_csv(file))
    except InvalidInput:
        return
    judged = judge(rows, DEPARTMENTS, set(), set()).rows
    assert [one.candidate for one in judged] == rows
    assert all(bool(one.reasons) == (one.status != "created") for one in judged)


@pytest.mark.row("3.2.18")
def test_a_line_break_in_a_cell_is_a_space() -> None:
    content = f'{HEADER}\r\n"山田\r\n太郎",00123,3A,"看護師\n（夜勤）"\r\n'.encode()
    (found,) = candidates(read_csv(content))
    assert (found.faults, found.person["family_name"], found.person["given_name"]) == ([], "山田", "太郎")
    assert found.person["job_title"] == "看護師 （夜勤）"


@pytest.mark.found("24.E3")
def test_the_first_line_has_a_bound_before_it_is_read() -> None:
    for header, reason in (("(" * 30_000, "COLUMN_NAME_TOO_LONG"), ("名前," * 30_000, "TOO_MANY_COLUMNS")):
        with pytest.raises(UnreadableFile) as refused:
            read_csv(f"{header}\n".encode())
        assert [(one.field, one.reason) for one in refused.value.details] == [("file", reason)]


@pytest.mark.found("24.E3")
def test_a_cell_of_white_space_is_read_at_once() -> None:
    [row] = candidates(read_csv(f'{HEADER}\n"山田{" " * 100_000}太郎",1,3A,"看護師 \r\n \n（夜勤）"\n'.encode()))
    assert row.person["given_name"] == "太郎"
    assert row.person["job_title"] == "看護師 （夜勤）"
