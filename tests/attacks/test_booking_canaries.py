"""G17 for booking: names, numbers, PINs, birth dates and tokens through every path of a real server's log."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.attacks.test_canaries import rows
from tests.factories.processes import Server, started, tsudoi
from tests.servers import nobody_there

SECRETS = {
    "JWT_SECRET": "b7f0c1d2e3a4958677e6d5c4b3a29180f1e2d3c4",
    "REFRESH_SECRET": "1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
    "SECURITY_PIN_PEPPER": "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c",
}
FAMILY, KANA, BORN, EMR, NUMBER, PIN = "金糸雀", "カナリア", "1971-03-29", "70417042", "83058305", "7391"
EMAIL = "songbird@cage.example"
CSV = (
    "名前(漢字),本部ID(staffId),部署(コード),職種,メールアドレス\n"
    f"{FAMILY} 花子,{NUMBER},3A,CANARY-JOB,{EMAIL}\n,{EMR},3A,x,{EMAIL}\n"
)


@pytest.fixture
def server(tmp_path: Path, migrated_sqlite: Path) -> Iterator[Server]:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    settings = {"ADMIN_USERNAME": "jimukyoku", "ADMIN_PASSWORD": "correct horse battery staple", "LOG_LEVEL": "DEBUG"}
    with started(tmp_path, "serve", LINE_API_BASE=nobody_there(), **settings, **SECRETS) as found:
        yield found


@pytest.mark.row("3.6.6", "3.7.19")
def test_no_canary_of_booking_sings(server: Server, tmp_path: Path) -> None:
    admin = tsudoi(tmp_path, "admin", "token", "jimukyoku", **SECRETS).stdout.strip().splitlines()[-1]
    with server.client() as http, server.client() as office:
        office.headers["authorization"] = f"Bearer {admin}"
        met = walk(http, office)
    log = server.said()
    assert [json.loads(line) for line in server.log()]
    files = [path.read_text() for path in (tmp_path / "data").rglob("*.ndjson")]
    said = "\n".join([log, rows(tmp_path, "api_call_logs"), *files])
    for canary in (FAMILY, KANA, BORN, EMR, NUMBER, EMAIL, "CANARY", admin, *SECRETS.values(), *met):
        assert canary not in said, canary
    # Four digits can stand in a time or an id by accident, but not as a value.
    assert f'"{PIN}"' not in said
    assert f": {PIN}" not in said


def walk(http: httpx2.Client, office: httpx2.Client) -> list[str]:
    """A person's whole way, well and badly; gives the tokens that were met on it."""
    met: list[str] = []

    def staff(method: str, path: str, body: Any = None, token: str = "none") -> httpx2.Response:
        headers = {"authorization": f"Bearer {token}", "user-agent": "CANARY"}
        answer = http.request(method, path, json=body, headers=headers)
        assert answer.status_code < 500
        return answer

    def log_in(pin: str) -> str:
        tokens = staff("POST", "/auth/login", {"staffId": NUMBER, "pin": pin}).json()
        met.extend([tokens["accessToken"], tokens["refreshToken"]])
        return str(tokens["accessToken"])

    assert office.post("/api/admin/departments", json={"id": "3A", "name": "CANARY-WARD"}).status_code == 201
    for dry_run in ("true", "false", FAMILY):
        office.post(
            "/api/admin/staffs/import",
            params={"dryRun": dry_run},
            content=CSV.encode(),
            headers={"content-type": "text/csv"},
        )
    refused = office.post(
        "/api/admin/staffs/import/rejected",
        content=CSV.replace(NUMBER, "x").encode(),
        headers={"content-type": "text/csv"},
    )
    assert FAMILY in refused.text
    first = log_in("0000")
    assert staff("POST", "/api/staffs/pin/change", {"currentPin": "0000", "newPin": PIN}, first).status_code == 200
    token = log_in(PIN)
    person = {"familyName": FAMILY, "familyNameKana": KANA, "dateOfBirth": BORN, "sexCode": "2", "emrPatientId": EMR}
    assert staff("PATCH", "/api/staffs/me", {"version": 1, "currentPin": PIN, **person}, token).status_code == 200
    staff("PATCH", "/api/staffs/me", {"version": 2, "email": f"{EMAIL} {EMAIL}"}, token)
    staff("PATCH", "/api/staffs/me", {"version": 2, "currentPin": PIN, FAMILY: EMR, "dateOfBirth": [BORN]}, token)
    new = {**person, "staffId": EMR, "givenName": KANA, "jobTitle": "CANARY-JOB", "departmentId": "3A", "pin": PIN}
    assert staff("POST", "/api/staffs", new).status_code == 409
    staff("POST", "/api/staffs", {**new, "emrPatientId": None, "departmentId": FAMILY})
    staff("POST", "/api/reservations", {"slotId": f"{FAMILY}{PIN}"}, token)
    staff("POST", "/auth/refresh", {"refreshToken": met[-1]})
    staff("POST", "/auth/refresh", {"refreshToken": met[-1] + FAMILY})
    http.post(
        "/auth/login",
        content=f'{{"staffId": "{NUMBER}", "pin": "{PIN}"'.encode(),
        headers={"content-type": "application/json"},
    )
    for path in (f"/api/slots?cursor={met[-1]}", f"/api/reservations/{NUMBER}.ics", f"/auth/{NUMBER}/{PIN}"):
        staff("GET", path, token=token)
    uid = office.get("/api/admin/staffs", params={"q": FAMILY}).json()["items"][0]["staffUid"]
    change = {"version": 2, "reason": f"CANARY {FAMILY}", "staffId": NUMBER[::-1], "status": FAMILY}
    office.patch(f"/api/admin/staffs/{uid}", json=change)
    office.post(f"/api/admin/staffs/{uid}/unlock", json={"reason": f"CANARY {FAMILY}"})
    for path in ("staffs/export", "reservations/export", f"reservations?q={FAMILY}", f"staffs/{NUMBER}"):
        office.get(f"/api/admin/{path}")
    staff("POST", "/auth/logout", {}, token)
    return met
