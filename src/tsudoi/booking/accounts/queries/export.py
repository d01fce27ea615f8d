"""The staff list as a file. Its headings are those that the import reads, so that a file can come back."""

from collections.abc import Iterator

from tsudoi.booking.accounts.queries.people import staff_rows
from tsudoi.booking.accounts.rules import StaffFilters
from tsudoi.core.clock import display
from tsudoi.core.csv_text import Cell, CsvEncoding
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.export_file import ExportFile, csv_file, xlsx_file

_COLUMNS = (
    ("本部ID(staffId)", 14),
    ("名前(漢字)", 18),
    ("姓", 12),
    ("名", 12),
    ("姓カナ", 14),
    ("名カナ", 14),
    ("部署(コード)", 12),
    ("部署名", 20),
    ("職種", 16),
    ("患者ID(emrPatientId)", 16),
    ("生年月日(dateOfBirth)", 14),
    ("性別(sexCode)", 10),
    ("状態(status)", 12),
    ("権限(role)", 10),
    ("ロック中", 10),
    ("未入力", 24),
    ("最終ログイン", 18),
    ("メールアドレス", 26),
)
_SEX_COLUMN = 11
_ISO_5218 = {"1": 1, "2": 2}
_ISO_5218_UNKNOWN = 0


def staff_csv(tx: ReadTx, filters: StaffFilters, iso_5218: bool, encoding: CsvEncoding) -> ExportFile:
    return csv_file([name for name, _ in _columns(iso_5218)], _rows(tx, filters, iso_5218), encoding)


def staff_xlsx(tx: ReadTx, filters: StaffFilters, iso_5218: bool) -> ExportFile:
    return xlsx_file("職員", _columns(iso_5218), _rows(tx, filters, iso_5218))


def _columns(iso_5218: bool) -> list[tuple[str, int]]:
    columns = list(_COLUMNS)
    if iso_5218:
        columns[_SEX_COLUMN] = ("性別(sexCode, ISO 5218)", 10)
    return columns


def _rows(tx: ReadTx, filters: StaffFilters, iso_5218: bool) -> Iterator[tuple[Cell, ...]]:
    for row in staff_rows(tx, filters):
        sex = row["sex_code"]
        yield (
            row["staff_id"],
            f"{row['family_name']} {row['given_name']}".strip(),
            row["family_name"],
            row["given_name"],
            row["family_name_kana"],
            row["given_name_kana"],
            row["department_id"],
            row["department_name"],
            row["job_title"],
            row["emr_patient_id"],
            row["date_of_birth"],
            _ISO_5218.get(sex, _ISO_5218_UNKNOWN) if iso_5218 else sex,
            row["status"],
            row["role"],
            "ロック中" if row["locked"] else "",
            " ".join(row["missing"]),
            row["last_login_at"] and display(row["last_login_at"]),
            row["email"],
        )
