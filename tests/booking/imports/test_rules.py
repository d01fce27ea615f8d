import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.booking.imports.errors import TooManyNewDepartments, UnreadableFile, WrongColumns
from tsudoi.booking.imports.rules import csv_file
from tsudoi.booking.imports.rules.csv_file import read_csv
from tsudoi.booking.imports.rules.judging import (
    MOST_NEW_DEPARTMENTS,
    DepartmentState,
    JudgedFile,
    candidates,
    judge,
)
from tsudoi.booking.imports.rules.rejected import reason_text, rejected_header, rejected_rows
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


ANOTHER = "氏名,職員番号,所属,職種"


def judged_file(content: str, *, create: bool = False, existing: frozenset[str] = frozenset()) -> JudgedFile:
    return judge(candidates(read_csv(content.encode())), DEPARTMENTS, existing, frozenset(), create_departments=create)


@pytest.mark.found("24.C4")
@pytest.mark.parametrize(
    "header",
    [
        "氏名,職員番号,所属,職種",
        "職員名,職員ID,所属コード,職名",
        "氏　名,社員番号,部署コード,職 名",
        "氏名(漢字),職員番号(6桁),所属（コード）,職種",
    ],
)
def test_headings_of_other_programs(header: str) -> None:
    file = read_csv(f"{header}\n長谷川 一,00123,3A,看護師\n".encode())
    assert file.rows[0].cells == {
        "name": "長谷川 一",
        "staffId": "00123",
        "departmentId": "3A",
        "jobTitle": "看護師",
    }
    assert (file.unknown_columns, file.overruled_columns) == ([], [])


@pytest.mark.found("24.C4")
def test_a_documented_name_wins_and_two_synonyms_are_refused() -> None:
    file = read_csv(f"職員番号,{HEADER},所属\n9,山田 太郎,1,3A,医師,ZZZ\n".encode())
    assert (file.rows[0].cells["staffId"], file.rows[0].cells["departmentId"]) == ("1", "3A")
    assert file.overruled_columns == [("職員番号", "本部ID(staffId)"), ("所属", "部署(コード)")]
    assert file.unknown_columns == []
    with pytest.raises(WrongColumns) as twice:
        read_csv("氏名,職員名,職員番号,所属,職種\n".encode())
    assert [(one.field, one.reason) for one in twice.value.details] == [("名前(漢字)", "DUPLICATE")]


@pytest.mark.found("24.C4")
@pytest.mark.parametrize(
    ("columns", "values", "expected"),
    [
        ("姓カナ,名カナ", "ヤマダ,ハナコ", ("ヤマダ", "ハナコ", [])),
        ("フリガナ", "ヤマダ　ハナコ", ("ヤマダ", "ハナコ", [])),
        ("氏名カナ", "ﾔﾏﾀﾞ ﾊﾅｺ", ("ヤマダ", "ハナコ", [])),
        ("カナ", "ヤマダハナコ", ("ヤマダハナコ", None, ["KANA_NOT_SPLIT"])),
        ("ﾌﾘｶﾞﾅ", "ジャン・ポール マリ ア", ("ジャン・ポール", "マリア", [])),
        ("氏名(カナ)", "ヤマダ ハナコ", ("ヤマダ", "ハナコ", [])),
        ("フリガナ", "やまだ はなこ", (None, None, ["KANA_NOT_KATAKANA"])),
        ("フリガナ", "ヤマダ はなこ", (None, None, ["KANA_NOT_KATAKANA"])),
        ("フリガナ", "ヤ" * 51, (None, None, ["KANA_TOO_LONG"])),
        ("姓カナ,名カナ,フリガナ", "ヤマダ,,サトウ ハナコ", ("ヤマダ", None, [])),
        ("姓カナ,名カナ,フリガナ", ",,ヤマダ ハナコ", ("ヤマダ", "ハナコ", [])),
        ("フリガナ", " ", (None, None, [])),
    ],
)
def test_readings(columns: str, values: str, expected: tuple[str | None, str | None, list[str]]) -> None:
    [row] = candidates(read_csv(f"{ANOTHER},{columns}\n山田 花子,1,3A,医師,{values}\n".encode()))
    found = row.person["family_name_kana"], row.person["given_name_kana"], row.warnings
    assert (found, row.faults) == (expected, [])


@pytest.mark.found("24.C4")
def test_a_missing_department_is_listed_once_with_the_rows_that_wait_for_it() -> None:
    content = "\n".join(
        [
            f"{ANOTHER},所属名",
            "一 一,1,5b,医師,",
            "二 二,2,５Ｂ,医師,5階B病棟",
            "三 三,3,5B,医師,別の名前",
            "四 四,x,5B,医師,",
            "五 五,5,7C,医師,",
            "六 六,6,3A,医師,名前は変わらない",
            # Nobody gets in by these: a line of totals, somebody who is there already, and a code that can be none.
            "合計,,1200,,",
            "七 七,7,OLDER,医師,",
            "八 八,8,8/A,医師,",
        ]
    )
    before = judged_file(content, existing=frozenset({"7"}))
    expected = [("5b", "5階B病棟", 3), ("7C", "7C", 1)]
    assert [(one.code, one.name, one.rows) for one in before.missing_departments] == expected
    assert [one.status for one in before.rows].count("created") == 1

    after = judged_file(content, create=True, existing=frozenset({"7"}))
    assert after.missing_departments == before.missing_departments
    assert [(one.status, one.department_id, one.reasons) for one in after.rows] == [
        ("created", "5b", []),
        ("created", "5b", []),
        ("created", "5b", []),
        ("skippedInvalid", "", ["STAFF_ID_NOT_DIGITS"]),
        ("created", "7C", []),
        ("created", "3A", []),
        ("skippedInvalid", "", ["STAFF_ID_REQUIRED", "JOB_TITLE_REQUIRED", "DEPARTMENT_UNKNOWN"]),
        ("skippedInvalid", "", ["DEPARTMENT_UNKNOWN"]),
        ("skippedInvalid", "", ["DEPARTMENT_UNKNOWN", "DEPARTMENT_INVALID_FORMAT"]),
    ]


@pytest.mark.found("24.C4")
def test_no_more_departments_than_a_hospital_has() -> None:
    content = "\n".join([ANOTHER, *(f"一 一,{n},W{n},医師" for n in range(MOST_NEW_DEPARTMENTS + 1))])
    assert len(judged_file(content).missing_departments) == MOST_NEW_DEPARTMENTS + 1
    with pytest.raises(TooManyNewDepartments, match="501件"):
        judged_file(content, create=True)


@pytest.mark.found("24.C4")
@pytest.mark.row("6.1.27")
def test_departments_by_name_where_there_is_no_code() -> None:
    departments = [
        *DEPARTMENTS,
        DepartmentState("N1", active=True, name="内科"),
        DepartmentState("N0", active=False, name="内科"),
        DepartmentState("G1", active=True, name="外科"),
        DepartmentState("G2", active=True, name="外科"),
    ]
    names = ["３階a病棟", "内科", "外科", "眼科", "旧館", "", "old"]
    lines = [f"一 一,{number},{name},医師" for number, name in enumerate(names)]
    for heading in ("部署名", "所属名"):
        file = read_csv("\n".join([f"氏名,職員番号,{heading},職種", *lines]).encode())
        judged = judge(candidates(file), departments, frozenset(), frozenset())
        assert [(one.department_id, one.reasons) for one in judged.rows] == [
            ("3A", []),
            ("N1", []),
            ("", ["DEPARTMENT_AMBIGUOUS"]),
            ("", ["DEPARTMENT_UNKNOWN"]),
            ("", ["DEPARTMENT_INACTIVE"]),
            ("", ["DEPARTMENT_REQUIRED"]),
            ("", ["DEPARTMENT_INACTIVE"]),
        ]
        assert [(one.code, one.name, one.rows) for one in judged.missing_departments] == [("眼科", "眼科", 1)]
        creating = judge(candidates(file), departments, frozenset(), frozenset(), create_departments=True)
        assert (creating.rows[3].status, creating.rows[3].department_id) == ("created", "眼科")


@pytest.mark.found("24.C4")
def test_every_reason_of_a_refused_row_has_a_sentence() -> None:
    cells = ["", "x", "1" * 30, "a\x01", "あ" * 200, "3A", "NEW", "OLD", "1/2"]
    lines = [f'"{name}",{number},{code},"{job}",{mail}' for name in cells[:5] for number in cells[:3]
             for code in cells for job in cells[:5] for mail in ("", "@")]  # fmt: skip
    file = read_csv("\n".join([f"{HEADER},メールアドレス", *lines, "一 一,1,3A,医師,,余り"]).encode())
    judged = judge(candidates(file), DEPARTMENTS, frozenset(), frozenset(), create_departments=True)
    reasons = {reason for one in judged.rows for reason in one.reasons}
    assert len(reasons) > 12
    assert {"DEPARTMENT_TOO_LONG", "DEPARTMENT_INVALID_FORMAT", "NAME_CONTROL_CHARACTER"} <= reasons
    for reason in reasons | {"DEPARTMENT_AMBIGUOUS"}:
        assert reason_text(reason).isprintable()
        assert not reason_text(reason).isascii()


@pytest.mark.found("24.C4")
def test_refused_rows_keep_their_cells_and_their_columns() -> None:
    lines = [
        '山田 太郎,"=""0012""",3A,医師',
        "佐藤 花子,12a,3A,医師,余り,もっと",
        "鈴木",
        "鈴木 一,7,3A,医師",
        "鈴木 二,7,3A,医師",
    ]
    file = read_csv("\n".join([HEADER, *lines]).encode())
    judged = judge(candidates(file), DEPARTMENTS, frozenset(), frozenset()).rows
    assert rejected_header(file) == [*HEADER.split(","), "行", "理由"]
    twice = "同じ職員番号が、このファイルに2回以上あります"
    assert list(rejected_rows(file, judged)) == [
        [
            "佐藤 花子",
            "12a",
            "3A",
            "医師",
            3,
            "職員番号が半角の数字ではありません。列の数が1行目より多い行です",
            "余り",
            "もっと",
        ],
        ["鈴木", "", "", "", 4, "職員番号が空です。職種が空です。部署が空です"],
        ["鈴木 一", "7", "3A", "医師", 5, twice],
        ["鈴木 二", "7", "3A", "医師", 6, twice],
    ]


@pytest.mark.found("24.C4")
def test_the_columns_that_we_added_are_not_read_again() -> None:
    file = read_csv(f"{HEADER},行,理由\n佐藤 花子,12,3A,医師,3,職員番号が半角の数字ではありません\n".encode())
    assert (file.header, file.unknown_columns) == (HEADER.split(","), [])
    [row] = candidates(file)
    assert (row.faults, row.row.written) == ([], ["佐藤 花子", "12", "3A", "医師"])
    # Only as a pair at the end. Elsewhere they are columns of the office.
    assert read_csv(f"理由,{HEADER}\n".encode()).unknown_columns == ["理由"]
