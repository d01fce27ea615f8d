from pydantic import Field

from tsudoi.booking.imports.rules.csv_file import CsvFile
from tsudoi.booking.imports.rules.judging import JudgedFile, JudgedRow, RowStatus
from tsudoi.booking.wire import WireOut, example

_WARNINGS = {
    "NAME_NOT_SPLIT": "名前を姓と名に分けられません。姓に全体を入れました。本人か事務局が、あとで直してください。",
    "KANA_NOT_SPLIT": "フリガナを姓と名に分けられません。姓カナに全体を入れました。",
    "KANA_NOT_KATAKANA": "フリガナがカタカナではありません。フリガナは空のまま登録します。",
    "KANA_TOO_LONG": "フリガナが長すぎます。フリガナは空のまま登録します。",
}
_SUMMARY = {"created": 1, "skippedExisting": 0, "skippedInvalid": 0, "duplicateInFile": 0, "warnings": []}
_ROW = {
    "rowNumber": 2,
    "staffId": "446752",
    "input": {"name": "山田 太郎", "staffId": "446752", "departmentId": "3A", "jobTitle": "看護師"},
    "status": "created",
    "reason": [],
}
_MISSING = {"code": "5B", "name": "5階B病棟", "rows": 12}


class RowWarning(WireOut):
    """Something that the office should look at, although it stops nothing."""

    row_number: int = Field(description="The header is 1.")
    code: str
    message: str


class ImportSummary(WireOut):
    """How many rows had each result; the four numbers add up to the rows of the file."""

    created: int
    skipped_existing: int
    skipped_invalid: int
    duplicate_in_file: int
    warnings: list[RowWarning]


class ImportRow(WireOut):
    """One row of the file."""

    row_number: int = Field(description="The header is 1.")
    staff_id: str = Field(description="As it stands in the file.")
    input: dict[str, str] = Field(description="The cells that were used.")
    status: RowStatus
    reason: list[str] = Field(description="Why it was not created.")


class UnknownDepartment(WireOut):
    """A department that the file names and nobody has registered."""

    code: str = Field(description="As the file spells it first.")
    name: str = Field(description="From the column 部署名 or 所属名; where there is none, the code.")
    rows: int = Field(description="How many rows are `created` once it exists; nothing else is wrong with them.")


class ImportPreview(WireOut):
    """What the import of a file would do."""

    model_config = example(summary=_SUMMARY, rows=[_ROW], unknownDepartments=[_MISSING])

    summary: ImportSummary
    rows: list[ImportRow] = Field(description="Every row, in the order of the file.")
    unknown_departments: list[UnknownDepartment] = Field(
        description="Each once. With `createDepartments=true` the import creates exactly these."
    )


class ImportResult(ImportPreview):
    """What the import of a file did."""

    model_config = example(
        summary=_SUMMARY,
        rows=[_ROW],
        unknownDepartments=[_MISSING],
        importBatchId="0b7a4f0e-5f0e-4f0e-9a52-0f6d8a6f2f11",
    )

    import_batch_id: str


def preview(file: CsvFile, judged: JudgedFile) -> ImportPreview:
    warnings = [
        RowWarning(row_number=1, code="UNKNOWN_COLUMN", message=f"「{name}」という列は使いません。")
        for name in file.unknown_columns
    ]
    warnings += [
        RowWarning(
            row_number=1, code="SYNONYM_NOT_USED", message=f"「{used}」の列があるので、「{name}」の列は使いません。"
        )
        for name, used in file.overruled_columns
    ]
    warnings += [
        RowWarning(row_number=one.candidate.row.number, code=code, message=_WARNINGS[code])
        for one in judged.rows
        if one.status == "created"
        for code in one.candidate.warnings
    ]
    statuses = [one.status for one in judged.rows]
    summary = ImportSummary(
        created=statuses.count("created"),
        skipped_existing=statuses.count("skippedExisting"),
        skipped_invalid=statuses.count("skippedInvalid"),
        duplicate_in_file=statuses.count("duplicateInFile"),
        warnings=warnings,
    )
    missing = [UnknownDepartment(code=one.code, name=one.name, rows=one.rows) for one in judged.missing_departments]
    return ImportPreview(summary=summary, rows=[_row(one) for one in judged.rows], unknown_departments=missing)


def _row(judged: JudgedRow) -> ImportRow:
    row = judged.candidate.row
    return ImportRow(
        row_number=row.number,
        staff_id=row.cells["staffId"],
        input=row.cells,
        status=judged.status,
        reason=judged.reasons,
    )
